"""The `tapete` command. Beside it: processes.py, on which `up` and `demo` stand.

The only place where API and workers meet. What a command needs is imported when it runs: the launcher stays small, and
gunicorn must patch the standard library before anything else is imported.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click
from rich.console import Console

from store.embedded import EmbeddedError, Postgres, postgres
from store.settings import Settings, SettingsError

EMBEDDED = """\b
Environment:
  DATABASE_URL  postgresql://user:password@host/database
                (without it: a Postgres of our own, under TAPETE_HOME)
  REDIS_URL     redis://host:port/number
                (without it: a Valkey of our own, under TAPETE_HOME)
  TAPETE_HOME   the folder of data and logs [.tapete]
"""
GIVEN = """\b
Environment:
  DATABASE_URL  postgresql://user:password@host/database (needed)
  REDIS_URL     redis://host:port/number (needed)
"""
MIGRATING = """\
  MIGRATE_DATABASE_URL  the same database as a user who may create
                        tables and roles [DATABASE_URL]
"""
SERVING = """\
  TAPETE_HOST, TAPETE_PORT  where the API listens [127.0.0.1, 8000]
  TAPETE_API_PROCESSES      [2]
  TAPETE_METRICS_TOKEN      what /metrics asks for as a bearer token
                            (without it: nothing)
"""
LIMITS = """\
  TAPETE_WRITES_PER_SECOND         by one token [100]
  TAPETE_REGISTRATIONS_PER_MINUTE  from one address [10]
  TAPETE_OPEN_REGISTRATION         whether anybody may register [true]
  TAPETE_TRUSTED_PROXIES           so many before it add to X-Forwarded-For [0]
  TAPETE_STREAMS                   open at once, by one API process [1000]
"""
HOOKS = """\
  TAPETE_WEBHOOK_PRIVATE    webhooks may go by http, and anywhere [false]
"""
WORKING = """\
  TAPETE_WORKER_PROCESSES   [1]
"""
TRACED = """\
  OTEL_EXPORTER_OTLP_ENDPOINT  where traces are sent, with tapete[otel]
"""
EVERYTHING = EMBEDDED + MIGRATING + SERVING + WORKING + LIMITS + TRACED + HOOKS

console = Console(soft_wrap=True, highlight=False)
host_option = click.option("--host", envvar="TAPETE_HOST", default="127.0.0.1", help="Where the API listens.")
port_option = click.option("--port", help="Where the API listens; 8000 when nothing is said.")
home_option = click.option("--home", help="The folder of data and logs; .tapete when nothing is said.")


class Tapete(click.Group):
    """Says what went wrong in one line, where the reason is known."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command."""
        from api.processes import StartError

        try:
            return super().invoke(context)
        except (SettingsError, StartError, EmbeddedError) as error:
            raise click.ClickException(str(error)) from None


@click.group(cls=Tapete, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tapete")
def main() -> None:
    """The card-table server that other people's programs play on.

    \b
    Examples:
      tapete demo --once          see it play, from nothing
      TAPETE_PORT=9000 tapete up  a server for your own programs
      tapete COMMAND --help       what a command does and reads
    """


@main.command(epilog=EVERYTHING)
@host_option
@port_option
@home_option
def up(host: str, port: str | None, home: str | None) -> None:
    """Run a whole server until Ctrl-C: database, Redis, API and worker.

    \b
    Examples:
      tapete up
      tapete up --port 9000 --home /srv/tapete
      DATABASE_URL=postgresql://me@db/tapete REDIS_URL=redis://cache tapete up
    """
    from api.processes import running

    with _until_interrupted(), running(_settings(port, home), host, _say) as url:
        _say(f"Tapete is at {url} (its API: {url}/docs); Ctrl-C stops it")
        signal.pause()


@main.command(epilog=EVERYTHING)
@host_option
@port_option
@home_option
@click.option("--once", is_flag=True, help="End when all of it has ended.")
def demo(host: str, port: str | None, home: str | None, once: bool) -> None:
    """Run a whole server and play matches and a season on it, as somebody else's program would.

    \b
    Examples:
      tapete demo
      tapete demo --once --port 9000
    """
    from api import demo as matches
    from api import demo_season as season
    from api.processes import running

    limits = {"TAPETE_WRITES_PER_SECOND": "100000", "TAPETE_REGISTRATIONS_PER_MINUTE": "100000"}
    with _until_interrupted(), running(_settings(port, home), host, _say, **limits) as url:
        farewell = matches.run(url, console)
        season.run(url, console)
        if not once:
            _say(farewell)
            _say(f"Tapete is at {url} (its API: {url}/docs); Ctrl-C stops it")
            signal.pause()


@main.command(epilog=GIVEN + SERVING + LIMITS + TRACED + HOOKS)
@host_option
@port_option
def api(host: str, port: str | None) -> None:
    """Run the API alone, on a database and a Redis that others run.

    \b
    Example:
      DATABASE_URL=postgresql://me@db/tapete REDIS_URL=redis://cache \\
        tapete api --host 0.0.0.0
    """
    from api.house import PYTHON
    from api.processes import API

    settings = _settings(port)
    settings.servers()
    sys.stdout.flush()
    bind = f"[{host}]:{settings.port}" if ":" in host else f"{host}:{settings.port}"
    os.execv(PYTHON[0], [*PYTHON, *API, "--bind", bind])


@main.command(epilog=GIVEN + WORKING + TRACED + HOOKS)
@click.option("--processes", envvar="TAPETE_WORKER_PROCESSES", type=click.IntRange(1), default=1, help="How many.")
def worker(processes: int) -> None:
    """Run a worker alone: bots, clocks, tallies and webhooks. Any number may run, on any machine.

    \b
    Example:
      DATABASE_URL=postgresql://me@db/tapete REDIS_URL=redis://cache \\
        tapete worker --processes 4
    """
    import gc

    from celery.signals import worker_init

    Settings.from_env().servers()
    from workers.app import start

    worker_init.connect(lambda **_: gc.freeze(), weak=False)  # what the processes share need not be copied
    sys.exit(start(processes))


@main.command(epilog=EMBEDDED + MIGRATING)
@home_option
def migrate(home: str | None) -> None:
    """Bring the database to this version's schema, and make the application's role.

    \b
    Example:
      DATABASE_URL=postgresql://me@db/tapete \\
        MIGRATE_DATABASE_URL=postgresql://owner@db/tapete tapete migrate
    """
    from store.migrate import RoleMissingError
    from store.migrate import migrate as bring_up_to_date

    settings = _settings(home=home)
    with _database(settings) as url:
        try:
            bring_up_to_date(settings.migrate_database_url or url, url)
        except RoleMissingError as error:
            raise click.ClickException(str(error)) from None


@main.command(epilog=EMBEDDED)
@home_option
@click.argument("stream", metavar="[ID]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every match and season there is, and all ratings.")
def audit(home: str | None, stream: tuple[str, ...], every: bool) -> None:
    """Recompute matches and seasons from their events; compare words, scores, shuffles, hashes, sums and ledger.

    Ends with 1 when there is a fault.

    \b
    Examples:
      tapete audit 0198f2c4
      tapete audit --all
    """
    if not stream and not every:
        raise click.UsageError("name a match or a season, or say --all")
    from api import audit as books

    with _database(_settings(home=home)) as url:
        sys.exit(books.run(url, stream, every))


@main.command()
@click.argument("file", type=click.File("rb"))
def verify(file: BinaryIO) -> None:
    """Recompute the shuffles of a record, or of events saved from the API: commitments, packs, dealers. No server.

    FILE is a page of events, events or replay frames one a line, or a text record (TOML, JSON); - is what is piped in.
    Ends with 1 when there is a fault.

    \b
    Examples:
      tapete verify match.toml
      curl -s http://127.0.0.1:8000/v1/matches/0198f2c4/replay \\
        | tapete verify -
    """
    from api import verify as shuffles

    sys.exit(shuffles.run(file.read()))


@main.command("export", epilog=EMBEDDED)
@home_option
@click.argument("match", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every match there is.")
def save(home: str | None, match: tuple[str, ...], every: bool) -> None:
    """Write matches to the standard output, event by event, with their times and hashes.

    Seeds and hidden cards of running matches are in it: keep it as you keep the database.

    \b
    Examples:
      tapete export --all > archive.ndjson
      tapete export 0198f2c4 | gzip > match.ndjson.gz
    """
    if bool(match) == every:
        raise click.UsageError("name a MATCH, or say --all")
    from api import archive

    with _database(_settings(home=home)) as url:
        archive.save(url, match, every, sys.stdout)


@main.command("import", epilog=EMBEDDED)
@home_option
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--map", "accounts", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="CSV",
              help="Lines of old,new: ids of accounts there and here.")  # fmt: skip
def load(home: str | None, file: Path, accounts: Path | None) -> None:
    """Store the matches of a file that `tapete export` wrote, under the same ids, each whole or not at all.

    Those that are stored already are skipped. Ends with 1 when a match is refused.

    \b
    Examples:
      tapete import archive.ndjson
      tapete import archive.ndjson --map accounts.csv
    """
    from api import archive

    with _database(_settings(home=home)) as url:
        sys.exit(archive.load(url, file, accounts))


@main.command()
@click.argument("game")
@click.option("--variant", help="The game's first one when nothing is said.")
@click.option("--seats", type=int, help="4 when nothing is said, or the most the variant takes.")
@click.option("--bot", default="rule", show_default=True, help="Whose strength is measured.")
@click.option("--against", default="random", show_default=True, help="Who sits in all the other seats.")
@click.option("--deals", default=500, show_default=True, type=click.IntRange(2), help="Each is played from every seat.")
@click.option("--seed", default="1", show_default=True, help="Names the shuffles and all that is drawn.")
@click.option("-o", "--option", "options", multiple=True, metavar="NAME=VALUE", help="A house rule; may be repeated.")
@click.option("--csv", "file", type=click.Path(dir_okay=False, path_type=Path), help="Where every result is written.")
def arena(game: str, options: tuple[str, ...], **said: Any) -> None:
    """Measure a bot: the same deals played from every seat, over all cores; a table of one kind gives exactly 0.

    \b
    Examples:
      tapete arena polignac
      tapete arena polignac --variant knaves --seats 3 --deals 2000 --csv knaves.csv
      tapete arena polignac -o declarations=none --seed 7
    """
    from api import arena as measure
    from domain.rules import OptionsError

    try:
        measure.run(measure.event(game, options, **said), said["file"], console)
    except OptionsError as error:
        raise click.UsageError(str(error)) from None


@main.command()
def openapi() -> None:
    """Print the API's description, as it is in openapi.yaml.

    \b
    Example:
      tapete openapi > openapi.yaml
    """
    from api.openapi import document

    click.echo(document(), nl=False)


def _say(text: str) -> None:
    console.print(text, markup=False)


def _settings(port: str | None = None, home: str | None = None) -> Settings:
    """The environment's settings, and the command line's over them."""
    said = {"TAPETE_PORT": port, "TAPETE_HOME": home}
    return Settings.from_env({**os.environ, **{name: value for name, value in said.items() if value}})


@contextmanager
def _database(settings: Settings) -> Iterator[str]:
    """The database's URL: as given, or of the embedded one, started if it is not running."""
    with ExitStack() as stack:
        if settings.database_url:
            yield settings.database_url
        elif Postgres(settings.home).answers():
            yield Postgres(settings.home).url
        else:
            yield stack.enter_context(postgres(settings.home)).url


@contextmanager
def _until_interrupted() -> Iterator[None]:
    """Ctrl-C, a closed terminal and a plain kill all end the block in good order."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN:  # nohup has it ignored
            signal.signal(number, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        _say("Tapete has stopped")


if __name__ == "__main__":
    main()
