"""`analysis:<match>:<after>:<step>`: a slice of an analysis, so short that no bot has to wait for it long.

Each slice leaves the next one as a job of its own, behind whatever else is waiting. Beside it: domain/analysis.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from domain.analysis import Progress, go_on
from domain.event import Job
from store import analysis
from store.db import Connection
from store.events import Events
from store.jobs import Lease
from workers.matches import Effect

SLICE_SECONDS = 0.1
TRIES = 5  # then it has failed, and the next one has its turn


def analyse(conn: Connection, lease: Lease) -> Effect:
    """Judge on where the analysis stopped, until the time of a slice is up."""
    match, step = lease.key.split(":")[1], int(lease.key.split(":")[3])
    stands, progress = analysis.of_match(conn, match), Progress()
    assert stands, f"nobody asked for an analysis of {match}"
    progress.after, progress.underway, progress.looked = stands.after, stands.underway, stands.looked
    failed, over = lease.attempts > TRIES, True
    if not failed:
        events, until = Events(conn).read_all(match).events, monotonic() + SLICE_SECONDS
        go_on(match, events, progress, lambda: monotonic() > until)
        over = progress.after == events[-1].version

    def keep(conn: Connection) -> Sequence[Job]:
        return analysis.keep(conn, match, step, progress, finished=failed or over, failed=failed)

    return keep
