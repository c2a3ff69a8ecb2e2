"""`tally:<match>:<version>`: what a match has earned so far, posted into the ledger. Beside it: domain/scoring.py."""

from __future__ import annotations

from collections.abc import Sequence

from domain import scoring
from domain.event import Job
from store import ledger
from store.db import Connection
from store.events import Events
from store.jobs import Lease
from workers.matches import Effect


def tally(conn: Connection, lease: Lease) -> Effect:
    """All transfers of the match as it stands; those that are posted already stay as they are."""
    match = lease.key.split(":")[1]
    transfers = scoring.transfers(match, Events(conn).read_all(match).events)

    def post(conn: Connection) -> Sequence[Job]:
        ledger.post(conn, transfers)
        return []

    return post
