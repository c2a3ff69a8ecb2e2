"""`make bench`: every row in one run, printed and written to docs/performance.md with machine, date and basis."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from api.processes import running
from bench import (
    boardgame,
    compiled,
    empty,
    histories,
    leagues,
    ledgers,
    library,
    lists,
    memory,
    playouts,
    rest,
    stored,
    streams,
    tables,
    turns,
)
from bench.http import free_port
from bench.measure import Row
from store import embedded
from store.settings import Settings

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
PARTS = (
    "playouts",
    "compiled",
    "memory",
    "leagues",
    "rest",
    "growth",
    "turns",
    "tables",
    "streams",
    "stored",
    "histories",
    "lists",
    "standings",
    "ledgers",
    "boardgame",
)
LIMITS = {"TAPETE_WRITES_PER_SECOND": "1000000", "TAPETE_REGISTRATIONS_PER_MINUTE": "1000000"}
HEAD = """# Performance

Only the ratios mean something: both sides run in turn, in one process of `make bench`, medians of {rounds} rounds.
Written by `make bench` on {date}: {machine}.

| what | against | ours | peer | ratio | reach |
|---|---|---|---|---|---|
"""
TAIL = """
What is kept where boardgame.io is the peer. Here: a move is answered after its commit, flushed (`synchronous_commit`).
There, either way, it is shown to all players before it is stored, so that a kill -9 loses what was on its way.
bgio-postgres then commits in the same Postgres, likewise flushed; each move writes the whole state and its log again.
FlatFile writes files in place and flushes nothing: one that a kill cuts off cannot be read any more, and its match is
gone. No clocks and no ledger there. Here each move also arms a clock, and each scored deal is posted.
"""
console = Console()


@click.command()
@click.option("--rounds", default=7, show_default=True, help="How often both sides of a row are run in turn.")
@click.option("--only", multiple=True, type=click.Choice(PARTS))
@click.option("--write/--no-write", default=True, show_default=True, help=f"Write {PAGE.name}.")
def main(rounds: int, only: tuple[str, ...], write: bool) -> None:
    """Measure Tapete against its peers: embedded servers of its own, a temporary folder, nothing left behind.

    But for boardgame.io's packages: where node and npm are, they are installed in bench/boardgame_io/.
    """
    wanted, rows = only or PARTS, list[Row]()
    try:
        with Progress(console=console, transient=True) as progress:
            task = progress.add_task("measuring", total=len(wanted))
            for part in _parts(rounds, wanted):
                rows += part()
                progress.advance(task)
    finally:
        _show(rows)  # what there is, whatever became of the rest
    if write and not only:
        PAGE.write_text(_page(rows, rounds), encoding="utf-8")


def _parts(rounds: int, wanted: tuple[str, ...]) -> Iterator[Callable[[], list[Row]]]:
    alone: dict[str, Callable[[], list[Row]]] = {
        "playouts": lambda: playouts.rows(rounds),
        "compiled": lambda: compiled.rows(rounds),
        "memory": lambda: [memory.row()],
        "leagues": leagues.rows,
    }
    yield from (part for name, part in alone.items() if name in wanted)
    if {*wanted} - {*alone}:
        yield from _served(rounds, wanted)


def _served(rounds: int, wanted: tuple[str, ...]) -> Iterator[Callable[[], list[Row]]]:
    """The rows that need servers; those of DATABASE_URL and REDIS_URL when given."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if "DATABASE_URL" not in os.environ or "REDIS_URL" not in os.environ:
            urls = stack.enter_context(embedded.servers(home))
            os.environ.update(DATABASE_URL=urls.database_url, REDIS_URL=urls.redis_url)
        os.environ.update(LIMITS, TAPETE_HOME=str(home), TAPETE_PORT=str(free_port()))
        base = stack.enter_context(running(Settings.from_env(), "127.0.0.1", console.log))
        url = os.environ["DATABASE_URL"]
        empty.prepare(url)
        app = library.application(url)

        def throughput() -> list[Row]:
            with rest.empty_view({"DATABASE_URL": url}) as peer:
                return rest.throughput(base, peer, lambda seconds: library.moves_a_second(app, seconds), rounds)

        parts: dict[str, Callable[[], list[Row]]] = {
            "rest": throughput,
            "growth": lambda: [rest.growth(base, rounds * 3)],
            "turns": lambda: turns.rows(base),
            "tables": lambda: tables.rows(base, url),
            "streams": lambda: streams.rows(base, rounds),
            "stored": lambda: [stored.row(url, app, rounds)],
            "histories": lambda: histories.rows(url, base, rounds),
            "lists": lambda: lists.rows(url, os.environ["REDIS_URL"], rounds),
            "standings": lambda: leagues.stored(url, base),
            "ledgers": lambda: ledgers.rows(url),
            "boardgame": lambda: boardgame.rows(base, url, rounds),  # kills the API at its end
        }
        yield from (part for name, part in parts.items() if name in wanted)


def _show(rows: list[Row]) -> None:
    table = Table("what", "against", "ours", "peer", "ratio", "reach")
    for row in rows:
        table.add_row(*_cells(row))
    console.print(table)


def _cells(row: Row) -> tuple[str, ...]:
    ours, peer = (
        f"{value:,.2f} {row.unit}" if value < 100 else f"{value:,.0f} {row.unit}" for value in (row.ours, row.peer)
    )
    return row.what, row.against, ours, peer, f"{row.ratio:.2f}", row.reach


def _page(rows: list[Row], rounds: int) -> str:
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    head = HEAD.format(rounds=rounds, date=datetime.now(UTC).date(), machine=machine)
    table = "".join(f"| {' | '.join(_cells(row))} |\n" for row in rows)
    return head + table + (TAIL if any("boardgame.io" in row.against for row in rows) else "")


if __name__ == "__main__":
    main()
