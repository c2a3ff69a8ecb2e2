"""What `tapete audit` does: every word, score, shuffle, hash and transfer of matches and seasons, doubted.

Read beside it: domain/audit.py, domain/season_audit.py (the rules), store/events.py (the chain), store/audits.py (what
ledger and ratings are due).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from domain import season_audit
from domain.audit import Fault, audit
from store import audits, db
from store.audits import Stream
from store.db import Connection
from store.events import Events, chain_faults

MOST_SHOWN = 1000  # faults; more are counted


def run(database_url: str, ids: Sequence[str], every: bool) -> int:
    """Audit these streams, or every one there is, and show what is wrong; the exit code is 1 where there is a fault."""
    shown, number, at_fault = list[tuple[str, Fault]](), 0, 0
    try:
        with db.pool(database_url, size=1) as pool, db.connection(pool) as conn:
            for stream in _counted(_all(conn) if every else dict.fromkeys(ids)):
                number += 1
                found = faults(conn, stream)
                at_fault += bool(found)
                shown += [(stream, fault) for fault in found][: MOST_SHOWN - len(shown)]
            pools = audits.pool_faults(conn) if every else []
    except db.UnavailableError as away:
        raise click.ClickException(f"the database does not answer: {away}") from None
    shown += [(f"ratings of {game}", Fault(0, what)) for game, what in pools]
    console = Console(soft_wrap=True, highlight=False)
    if shown:
        console.print(_table(shown))
    console.print(f"audited: {number}, at fault: {at_fault + len(pools)}")
    return 1 if shown else 0


def faults(conn: Connection, stream: str) -> list[Fault]:
    """Everything that is wrong with a match or a season at one moment, whatever is being played meanwhile."""
    with conn.transaction():
        conn.execute("set transaction isolation level repeatable read, read only")
        kind, broken = audits.kind_of(conn, stream), [Fault(*fault) for fault in chain_faults(conn, stream)]
        try:
            events = Events(conn).read_all(stream).events
        except ValueError as fault:
            return [*broken, Fault(0, f"the events cannot be read: {fault}")]
        if kind is None:
            return [*broken, Fault(0, "there is no such match or season")]
        broken += (season_audit.audit if kind == "season" else audit)(stream, events)
        return sorted(broken) if broken else audits.faults(conn, Stream(stream, kind), events)


def _all(conn: Connection) -> Iterator[str]:
    page = [Stream("", "")]
    while page := audits.streams(conn, page[-1].id):
        yield from (stream.id for stream in page)


def _counted(streams: Iterable[str]) -> Iterator[str]:
    """The same, with a bar that says how far it is."""
    with Progress("{task.description}", "{task.completed}", console=Console(stderr=True), transient=True) as bar:
        yield from bar.track(streams, description="audited")


def _table(found: Sequence[tuple[str, Fault]]) -> Table:
    table = Table("match or season", "version", "fault")
    for stream, fault in found:
        table.add_row(Text(stream, no_wrap=True), str(fault.version or ""), Text(fault.what))
    return table
