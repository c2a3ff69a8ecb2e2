"""`ratings:<game>:<change>`: a game's ratings are made again from the earliest result that has changed.

Many changes become one: whoever comes when his is in already has nothing to do. Beside it: domain/ratings.py,
store/ratings.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.event import Job
from domain.ratings import ratings as fold
from store import ratings as store
from store.db import Connection
from store.jobs import Lease
from workers.matches import Effect


def ratings(conn: Connection, lease: Lease) -> Effect:
    """What changed by this moment is in; what another has made meanwhile stays."""
    _, game, change = lease.key.split(":")
    due = store.due(conn, game, int(change))
    pool = fold(due.results, {game: due.start})[game] if due else {}

    def write(conn: Connection) -> Sequence[Job]:
        if due:
            store.make(conn, game, due, pool)
        return []

    return write
