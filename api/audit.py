"""What `tapete audit` does: every word, score, shuffle, hash and transfer of matches, doubted and recomputed.

Read beside it: domain/audit.py (the rules), store/events.py (the chain), domain/scoring.py (what the ledger is due).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from domain.audit import Fault, audit
from domain.event import Event
from domain.scoring import Transfer, transfers
from store import db, jobs, ledger
from store.db import Connection
from store.events import Events, chain_faults


def run(database_url: str, matches: Sequence[str], every: bool) -> int:
    """Audit these matches, or every one there is, and show what is wrong; the exit code is 1 where there is a fault."""
    try:
        with db.pool(database_url, size=1) as pool, db.connection(pool) as conn:
            ids = list(_all(conn)) if every else list(dict.fromkeys(matches))
            found = [(match, fault) for match in _counted(ids) for fault in faults(conn, match)]
    except db.UnavailableError as away:
        raise click.ClickException(f"the database does not answer: {away}") from None
    console = Console(soft_wrap=True, highlight=False)
    if found:
        console.print(_table(found))
    console.print(f"audited: {len(ids)}, at fault: {len({match for match, _ in found})}")
    return 1 if found else 0


def faults(conn: Connection, match: str) -> list[Fault]:
    """Everything that is wrong with a match at one moment, whatever is being played meanwhile."""
    with conn.transaction():
        conn.execute("set transaction isolation level repeatable read, read only")
        broken = [Fault(*fault) for fault in chain_faults(conn, match)]
        try:
            events = Events(conn).read_all(match).events
        except ValueError as fault:
            return [*broken, Fault(0, f"the events cannot be read: {fault}")]
        if not events:
            return [*broken, Fault(0, "there is no such match")]
        broken += audit(match, events)
        return sorted(broken) if broken else list(_ledger_faults(conn, match, events))


def _ledger_faults(conn: Connection, match: str, events: Sequence[Event]) -> Iterator[Fault]:
    """Where the ledger and the events disagree; what a tally is still going to post may be missing."""
    due = {transfer.id: transfer for transfer in transfers(match, events)}
    posted = {transfer.id: transfer for transfer in ledger.transfers_of(conn, match)}
    tallied = max((int(key.rpartition(":")[2]) for key in jobs.awaited(conn, f"tally:{match}:")), default=0)
    for transfer in due.values():
        if transfer.id not in posted and transfer.version > tallied:
            yield Fault(transfer.version, f"the ledger lacks {_said(transfer)}")
        elif posted.get(transfer.id, transfer) != transfer:
            yield Fault(transfer.version, f"the ledger has {_said(posted[transfer.id])} instead of {_said(transfer)}")
    for transfer in posted.values():
        if transfer.id not in due:
            yield Fault(transfer.version, f"the ledger has {_said(transfer)}, which follows from no event")


def _said(transfer: Transfer) -> str:
    amounts = ", ".join(f"{posting.amount:+} {posting.account}" for posting in transfer.postings)
    return f"{transfer.kind} {transfer.reason} ({amounts})"


def _all(conn: Connection) -> Iterator[str]:
    events, page = Events(conn), [""]
    while page := events.streams(page[-1]):
        yield from page


def _counted(ids: Sequence[str]) -> Iterator[str]:
    """The same, with a bar that says how far it is."""
    with Progress(console=Console(stderr=True), transient=True) as bar:
        yield from bar.track(ids, description="auditing")


def _table(found: Sequence[tuple[str, Fault]]) -> Table:
    table = Table("match", "version", "fault")
    for match, fault in found:
        table.add_row(Text(match, no_wrap=True), str(fault.version or ""), Text(fault.what))
    return table
