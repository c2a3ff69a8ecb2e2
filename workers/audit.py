"""`audit:<day>:<stream>`: each night all ledgers are held against their events, a few streams at a time.

What is found is logged, counted in a row of the day, and shown by /metrics. Beside it: store/audits.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic

import structlog

from domain.event import Job
from store import audits, jobs
from store.audits import Stream
from store.db import Connection
from store.jobs import Lease
from workers.matches import Effect

GO_SECONDS = 0.25  # then bots and clocks have a turn

log = structlog.get_logger("audit")


def audit(conn: Connection, lease: Lease) -> Effect:
    """The streams behind the one that the key names, as many as there is time for; then the next job."""
    _, day, after = lease.key.split(":")
    found = list(_some(conn, after))
    at_fault = sum(faulty for _, faulty in found)

    def store(conn: Connection) -> Sequence[Job]:
        audits.count(conn, day, len(found), at_fault, over=not found)
        following = [Job(f"audit:{day}:{found[-1][0].id}")] if found else []
        jobs.add(conn, following)
        return following

    return store


def _some(conn: Connection, after: str) -> Iterator[tuple[Stream, bool]]:
    until = monotonic() + GO_SECONDS
    for stream in audits.streams(conn, after):
        faults = audits.ledger_faults(conn, stream)
        for fault in faults:
            log.error("the ledger is at fault", kind=stream.kind, stream=stream.id, **fault._asdict())
        yield stream, bool(faults)
        if monotonic() > until:
            return
