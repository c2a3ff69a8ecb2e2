"""`make chaos`: all four games are played over HTTP while everything is killed with -9; then everything is compared.

Two APIs, three workers, Postgres and Redis stand under the house that `tapete up` has, which starts again what dies. It
ends with 1 when an acknowledged write is lost or doubled, a chain or a ledger is not whole, a match does not end, a
client sees what it need not expect, or a table stands still. Read beside it: table.py (who plays), api/house.py.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from threading import Event

import click
import psycopg
from rich.console import Console
from rich.table import Table as Grid

from api.house import PYTHON, House, Program
from api.processes import API, WORKER, listening
from bench.table import Table
from store import embedded
from store.events import Events
from store.migrate import migrate

ROOT = Path(__file__).parents[1]
UNLIMITED = {"TAPETE_WRITES_PER_SECOND": "1000000", "TAPETE_REGISTRATIONS_PER_MINUTE": "1000000"}
APIS, WORKERS = 2, 3
GAMES = {"polignac": {"deals": 2}, "bottle_imp": {"deals": 3}, "pot_de_vin": {}, "mykonos": {}}
PERSONS = (1, 2)  # the rest of four seats are bots: a table of each kind for each game
SAME_SECONDS = 16.0  # between two deaths of one thing: the house gives up what dies five times a minute
STILL_SECONDS = 30.0  # at which a table does not recover any more
END_SECONDS = 60.0  # for all matches, when nobody is killed any more

console = Console(soft_wrap=True, highlight=False)


@dataclass
class Server:
    """All of it, and how each part is killed."""

    house: House
    bases: list[str]
    database_url: str
    victims: dict[str, Callable[[], bool]]  # answers whether there was something to kill


@dataclass
class Storm:
    """What was killed when, and how long it took until every table had been answered again."""

    server: Server
    guests: list[Guest]
    draw: random.Random
    killed: Counter[str] = field(default_factory=Counter)
    recoveries: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    last: dict[str, float] = field(default_factory=dict)

    def rage(self, seconds: float) -> None:
        """Kill one thing, and now and then a second on its heels; wait until all tables go on; and again."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(self.draw.uniform(0.2, 1.5))
            kinds = [kind for kind in (self._kill() for _ in range(self.draw.choice((1, 1, 2)))) if kind]
            if kinds:
                self.recoveries[" and ".join(sorted(kinds))].append(self.wait(STILL_SECONDS))

    def _kill(self) -> str | None:
        now = time.monotonic()
        fit = [name for name in self.server.victims if now - self.last.get(name, -SAME_SECONDS) >= SAME_SECONDS]
        if not fit:
            return None
        name = self.draw.choice(fit)
        time.sleep(self.draw.uniform(0, 0.3))
        self.last[name] = time.monotonic()
        if not self.server.victims[name]():
            return None
        kind = name.rstrip(" 0123456789")
        self.killed[kind] += 1
        return kind

    def wait(self, most_seconds: float) -> float:
        """Until every table has been answered what it has begun to write from now on; how long that took."""
        began = time.monotonic()
        while still := [guest for guest in self.guests if guest.heard() < began]:
            for guest in still:
                guest.check()
            if time.monotonic() - began > most_seconds:
                raise AssertionError(f"{[guest.place() for guest in still]} stand still after {self.last}")
            time.sleep(0.02)
        return time.monotonic() - began


@dataclass
class Guest:
    """Plays one match after the other, all of one kind, until told that it was the last."""

    bases: list[str]
    game: str
    persons: int
    draw: random.Random
    last: Event
    tables: list[Table] = field(default_factory=list)
    playing: Future[None] | None = None

    def heard(self) -> float:
        """When the newest write was begun that was acknowledged."""
        return max((table.heard for table in self.tables), default=0.0)

    def play(self) -> None:
        while not (self.last.is_set() and self.tables):
            options, bots = GAMES[self.game], 4 - self.persons
            table = Table(self.bases, self.game, options, self.persons, bots, self.draw)
            self.tables.append(table)
            table.run()

    def place(self) -> str:
        """The match that is played, or what is to be played next."""
        return next((table.match for table in reversed(self.tables) if table.match), self.game)

    def check(self) -> None:
        """Raise what it has met, if it has ended by that."""
        if self.playing and self.playing.done():
            self.playing.result()


@contextmanager
def serving(home: Path) -> Iterator[Server]:
    """Everything under `home`, ready; whatever dies is started again."""
    with ExitStack() as stack:
        house = House(lambda text: console.print(f"  {text.partition(';')[0]}", style="dim"))
        stack.callback(house.close)
        postgres, valkey = embedded.Postgres(home), embedded.Valkey(home)
        house.start(postgres)
        house.start(valkey)
        migrate(postgres.url)
        given = {"DATABASE_URL": postgres.url, "REDIS_URL": valkey.url, "PYTHONPATH": str(ROOT)}
        programs, bases = [], []
        for number in range(1, APIS + 1):
            listener = stack.enter_context(listening("127.0.0.1", 0))
            bases.append(f"http://127.0.0.1:{listener.getsockname()[1]}")
            words = (*API, "--bind", f"fd://{listener.fileno()}")
            counted = {"PROMETHEUS_MULTIPROC_DIR": str(home / f"metrics {number}")}
            programs.append(_program(house, f"api {number}", words, home, given | counted, [listener.fileno()]))
        programs += [_program(house, f"worker {number}", WORKER, home, given) for number in range(1, WORKERS + 1)]
        house.keep()
        yield Server(house, bases, postgres.url, _victims(postgres, valkey, programs))


def _program(
    house: House, name: str, words: Sequence[str], home: Path, given: dict[str, str], keep: Sequence[int] = ()
) -> Program:
    program = Program(name, words, home / "log", {**os.environ, **UNLIMITED, **given}, keep)
    house.start(program)
    return program


def _victims(
    postgres: embedded.Postgres, valkey: embedded.Valkey, programs: Sequence[Program]
) -> dict[str, Callable[[], bool]]:
    """How to kill each part; answers whether there was something to kill."""
    found = {"postgres": _killer(postgres), "redis": _killer(valkey)}
    for program in programs:
        found[program.name] = _killer(program)
        if program.name.startswith("api"):
            found[program.name.replace("api", "api process")] = partial(_kill_one_below, program)
    return found


def _killer(one: Program | embedded.Server) -> Callable[[], bool]:
    def kill() -> bool:
        there = one.running()
        if one.child:
            one.child.process.kill()
        return there

    return kill


def _kill_one_below(program: Program) -> bool:
    """One of gunicorn's own processes, while the others go on."""
    pid = program.child.process.pid if program.child else 0
    with suppress(OSError, IndexError):
        os.kill(int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0]), signal.SIGKILL)
        return True
    return False


def compared(database_url: str, tables: list[Table]) -> list[str]:
    """What is wrong, of all that was written; nothing when all is well."""
    faults = []
    with psycopg.connect(database_url, autocommit=True) as conn:
        deadline = time.monotonic() + END_SECONDS
        query = "select count(*), count(*) filter (where state = 'dead') from job where state <> 'done'"
        while (found := conn.execute(f"{query} and due_at <= now()".encode()).fetchone()) != (0, 0):
            if time.monotonic() > deadline:
                faults.append(f"{found} jobs are not done, and dead")
                break
            time.sleep(0.1)
        for table in tables:
            stored = Counter(
                (event.version, event.data["seat"], event.data["move"])
                for event in Events(conn).read_all(table.match).events
                if event.type == "moved" and event.data["seat"] < table.persons
            )
            said = Counter((one.version, one.seat, one.word) for one in table.said)
            if said != stored:
                faults.append(f"{table.match}: lost {[*(said - stored)]}, doubled or not said {[*(stored - said)]}")
        uneven = conn.execute("select count(*) from transfer where (select sum(amount) from posting"
                              " where transfer = seq) <> 0").fetchone()  # fmt: skip
        faults += [] if uneven == (0,) else [f"{uneven} transfers do not sum to zero"]
    return faults + _audited(database_url)


def _audited(database_url: str) -> list[str]:
    """`tapete audit --all`, which doubts chains, words, scores, shuffles and ledgers of all matches."""
    ended = subprocess.run(
        [*PYTHON, "api.cli", "audit", "--all"],
        env={**os.environ, "DATABASE_URL": database_url, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    console.print(ended.stdout.strip())
    return [f"tapete audit --all ends with {ended.returncode}: {ended.stderr}"] if ended.returncode else []


def seen(tables: list[Table]) -> list[str]:
    """What clients saw that they need not expect."""
    faults = [f"{table.match} has not ended" for table in tables if not table.over]
    without = sum(table.without_retry_after for table in tables)
    return faults + ([f"{without} times 503 without Retry-After"] if without else [])


def shown(storm: Storm, tables: list[Table]) -> Grid:
    answers = sum((table.answers for table in tables), Counter[int]())
    grid = Grid("what", "", title="chaos")
    grid.add_row("killed", ", ".join(f"{kind} {number}" for kind, number in storm.killed.most_common()))
    grid.add_row("matches played to their end", str(sum(table.over for table in tables)))
    grid.add_row("moves acknowledged", str(sum(len(table.said) for table in tables)))
    grid.add_row("answers", ", ".join(f"{status}: {number}" for status, number in sorted(answers.items())))
    grid.add_row("connections cut or refused", str(sum(table.cut for table in tables)))
    grid.add_row("slowest request with its repetitions", f"{max(table.slowest for table in tables):.1f} s")
    for kind, seconds in sorted(storm.recoveries.items()):
        grid.add_row(f"all tables go on after {kind}", f"median {median(seconds):.1f} s, worst {max(seconds):.1f} s")
    return grid


def run(home: Path, seconds: float, seed: int) -> list[str]:
    """The whole of it; answers what is wrong."""
    draw, last = random.Random(seed), Event()
    with serving(home) as server, ThreadPoolExecutor(len(GAMES) * len(PERSONS)) as threads:
        guests = [
            Guest(server.bases, game, persons, random.Random(draw.random()), last)
            for game in GAMES
            for persons in PERSONS
        ]
        storm = Storm(server, guests, draw)
        for guest in guests:
            guest.playing = threads.submit(guest.play)
        try:
            storm.wait(END_SECONDS)
            storm.rage(seconds)
        finally:
            last.set()
        for guest in guests:
            assert guest.playing
            guest.playing.result(END_SECONDS)
        tables = [table for guest in guests for table in guest.tables]
        console.print(shown(storm, tables))
        return seen(tables) + compared(server.database_url, tables)


@click.command()
@click.option("--seconds", default=100.0, show_default=True, type=click.FloatRange(1, 150), help="How long to kill.")
@click.option("--seed", type=int, help="Of what is killed and said; drawn when nothing is said.")
@click.option(
    "--home", type=click.Path(path_type=Path), help="Where data and logs stay; a temporary folder without it."
)
def main(seconds: float, seed: int | None, home: Path | None) -> None:
    """Kill everything at random while four games are played, then compare what is stored with what was said."""
    seed = random.randrange(10**6) if seed is None else seed
    console.print(f"chaos for {seconds:.0f} s, --seed {seed}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # how a house says that it has given up
    with tempfile.TemporaryDirectory(prefix="chaos ") as folder:
        try:
            faults = run(home or Path(folder), seconds, seed)
        except (AssertionError, TimeoutError) as broken:
            faults = [f"{type(broken).__name__}: {broken}"]
    for fault in faults:
        console.print(fault, style="red", markup=False)
    console.print("[red]at fault[/]" if faults else "[green]all is there, once, and whole[/]")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
