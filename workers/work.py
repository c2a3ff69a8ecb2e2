"""How a job is worked off: leased, worked out, and done in one transaction together with its row.

So twice is once: whoever comes late finds the row leased or done, the version taken, or its lease lost, and nothing of
his stays. Free of Celery. Read beside it: store/jobs.py, tasks.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

import psycopg
import structlog

from domain.event import Job, StaleVersionError
from domain.play import Outcome
from store import jobs
from store.db import Connection
from workers import analysis, audit, bots, matches, ratings, season, tally, webhooks
from workers.matches import Effect

LEASE_SECONDS = 5.0  # then the job of a worker that was killed or frozen goes to another
LONG_LEASES = {"audit": 60.0, "ratings": 60.0, "season": 30.0}  # what may have years to read
SWEEP_SECONDS = 2.0  # how often that is looked for
REPUBLISH_AFTER = timedelta(seconds=3)  # when a message that had no effect counts as lost
MOST_ATTEMPTS = 10  # then the job is dead
MOST_RETRY_SECONDS = 60.0

KINDS: dict[str, Callable[[Connection, jobs.Lease], Effect]] = {
    "analysis": analysis.analyse,
    "audit": audit.audit,
    "bot_turn": bots.turn,
    "clock": matches.clock,
    "lapse": matches.lapse,
    "notify": webhooks.notify,
    "ratings": ratings.ratings,
    "season": season.season,
    "tally": tally.tally,
}

log = structlog.get_logger("work")


def work_off(conn: Connection, key: str, tell: Callable[[Outcome], None] = lambda outcome: None) -> Sequence[Job]:
    """Do this job, if it is due and in nobody's hands; answers the jobs that follow, which are stored already.

    `tell` is called with what was appended, once it is committed; it must not raise.

    Raises psycopg.OperationalError when the database breaks off: the lease then runs out and the job comes again.
    """
    lease = jobs.lease(conn, key, LONG_LEASES.get(key.split(":", 1)[0], LEASE_SECONDS))
    if lease is None:
        return []
    try:
        return _done(conn, lease, tell)
    except psycopg.OperationalError:
        raise
    except jobs.LostLeaseError as lost:
        log.warning("too late", job=key, why=str(lost))
    except Exception as fault:  # noqa: BLE001  whatever it was, the row keeps it and the worker goes on
        _failed(conn, lease, fault)
    return []


def _done(conn: Connection, lease: jobs.Lease, tell: Callable[[Outcome], None]) -> Sequence[Job]:
    if lease.attempts > MOST_ATTEMPTS:
        raise RuntimeError("every worker that tried it was lost")
    while True:
        effect = KINDS[lease.kind](conn, lease)
        try:
            with conn.transaction():
                came = effect(conn)
                jobs.finish(conn, lease)
        except StaleVersionError:
            continue  # somebody was first: look again, there may be nothing left to do
        if not isinstance(came, Outcome):
            return came
        tell(came)
        return came.jobs


def _failed(conn: Connection, lease: jobs.Lease, fault: Exception) -> None:
    wait = min(2.0 ** (lease.attempts - 1), MOST_RETRY_SECONDS)
    try:
        state = jobs.fail(conn, lease, repr(fault), wait, MOST_ATTEMPTS)
    except jobs.LostLeaseError:
        state = "somebody else's"
    log.error("job failed", job=lease.key, attempt=lease.attempts, state=state, exc_info=fault)
