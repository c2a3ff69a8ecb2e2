"""The tasks: work a job off, publish what is due, forget what is old. Beside it: work.py, app.py."""

from __future__ import annotations

from datetime import timedelta

import structlog

from store import audits, deliveries, idempotency, jobs, matches
from store.broker import RUN
from store.db import UnavailableError, connection
from store.tracing import span
from workers import process
from workers.app import app
from workers.work import REPUBLISH_AFTER, work_off

MOST_TURNS = 8  # in one go; then other tables have a turn
KEEP_DONE = timedelta(hours=24)
KEEP_MESSAGES = timedelta(days=7)  # to webhooks, with their attempts
MOST_PUBLISHED = 500  # a sweep

log = structlog.get_logger("tasks")


@app.task(name=RUN)  # type: ignore[untyped-decorator]
def run(key: str) -> None:
    """Work a job off, and go on with the bot's turn that follows it.

    The turn that follows is a row of its own before it is begun, with its own lease and transaction, and it counts as
    published. Going on with it only saves the message: if this worker is killed here, the sweeper sends it.
    """
    try:
        for _ in range(MOST_TURNS):
            with connection(process.pool()) as conn, span("job", job=key):
                following = [job for job in work_off(conn, key, process.teller().tell) if job.due is None]
            turn = next((job.key for job in following if job.kind == "bot_turn"), None)
            process.publisher().publish([job.key for job in following if job.key != turn])
            if turn is None:
                return
            key = turn
        process.publisher().publish([key])
    except UnavailableError as fault:
        log.warning("postgres does not answer; the sweeper will publish", job=key, fault=str(fault))


@app.task(name="workers.sweep")  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Publish what is due and in nobody's hands: what was lost, what was left, and what had to wait for its time."""
    try:
        with connection(process.pool()) as conn:
            keys = jobs.take_due(conn, MOST_PUBLISHED, REPUBLISH_AFTER)
    except UnavailableError as fault:
        log.warning("postgres does not answer", fault=str(fault))
    else:
        process.publisher().publish(keys)


@app.task(name="workers.prune")  # type: ignore[untyped-decorator]
def prune() -> None:
    """Forget the answers to old Idempotency-Keys, jobs that are done, old messages to webhooks, expired invitations."""
    with connection(process.pool()) as conn:
        answers, done = idempotency.prune(conn), jobs.prune(conn, KEEP_DONE)
        messages, invitations = deliveries.prune(conn, KEEP_MESSAGES), matches.prune_invitations(conn)
    log.info("pruned", answers=answers, jobs=done, messages=messages, invitations=invitations)


@app.task(name="workers.tonight")  # type: ignore[untyped-decorator]
def tonight() -> None:
    """See to it that tonight all ledgers are audited."""
    with connection(process.pool()) as conn:
        audits.tonight(conn)
