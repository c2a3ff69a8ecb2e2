"""`season:<id>:<version>`: what results, corrections and adjustments of a season are worth, posted into the ledger.

Whatever is not posted yet, so that any number of workers may come in any order. Beside it: domain/season_scoring.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.event import Job
from domain.season_scoring import season_transfers
from store import ledger
from store.db import Connection
from store.events import Events
from store.jobs import Lease
from workers.matches import Effect


def season(conn: Connection, lease: Lease) -> Effect:
    """The season's ledger is brought up to its events."""
    stream = lease.key.split(":")[1]
    transfers = season_transfers(stream, Events(conn, "season").read_all(stream).events)
    through = ledger.posted_through(conn, stream)
    fresh = [transfer for transfer in transfers if transfer.version > through]

    def post(conn: Connection) -> Sequence[Job]:
        ledger.post(conn, fresh)
        return []

    return post
