"""The Celery application of the workers: its schedule, its connection to Redis, its logs, its start.

`tapete worker`, with DATABASE_URL and REDIS_URL set; any number may run, on any machine. Read beside it: tasks.py,
store/broker.py (the settings that API and workers share).
"""

from __future__ import annotations

import logging
import warnings
from itertools import count
from typing import Any

import structlog
from celery import bootsteps, signals
from celery.beat import EmbeddedService
from celery.exceptions import CPendingDeprecationWarning
from celery.worker.consumer import Consumer
from celery.worker.state import maybe_shutdown

from store import logs
from store.broker import celery_app
from workers import process
from workers.senders import Senders
from workers.work import SWEEP_SECONDS

PRUNE_SECONDS = 3600.0
KNOCK_SECONDS = 1

log = structlog.get_logger("workers")


class Clock(bootsteps.StartStopStep):  # type: ignore[misc]
    """Celery's beat as a thread, its schedule in memory: as a process it would outlive a worker that is killed.

    Every worker has one: one sweep more does no harm, and there is none without which nothing would be swept.
    """

    def start(self, worker: Any) -> None:
        """Begin to send what is scheduled."""
        self.beat = EmbeddedService(worker.app, thread=True, scheduler_cls="celery.beat:Scheduler")
        self.beat.start()

    def stop(self, worker: Any) -> None:
        """Send no more. The thread is not waited for: it may be waiting for Redis itself."""
        self.beat.service.stop(wait=False)


class Patient(Consumer):  # type: ignore[misc]
    """Knocks at Redis every second for as long as it is away, where Celery's own waits up to half a minute."""

    def ensure_connected(self, conn: Any) -> Any:
        """The connection, once there is one."""
        tries = count()

        def say(fault: Exception, interval: float) -> None:
            if next(tries) == 0:
                log.warning("redis does not answer", fault=str(fault))

        return conn.ensure_connection(say, None, KNOCK_SECONDS, 0, KNOCK_SECONDS, callback=maybe_shutdown)


app = celery_app(process.redis_url)
app.conf.update(
    imports=["workers.tasks"],
    worker_consumer=Patient,
    beat_schedule={  # without expiry: a sweep too many costs a millisecond, and hosts' clocks are not to be trusted
        "sweep": {"task": "workers.sweep", "schedule": SWEEP_SECONDS},
        "prune": {"task": "workers.prune", "schedule": PRUNE_SECONDS},
        "tonight": {"task": "workers.tonight", "schedule": PRUNE_SECONDS},
    },
)
app.steps["worker"].update([Clock, Senders])


@signals.setup_logging.connect  # type: ignore[untyped-decorator]
def _log_as_json(loglevel: int, **_: object) -> None:
    logs.to_json(logging.getLevelName(loglevel))
    for chatty in ("celery.worker.strategy", "celery.app.trace"):  # two lines a task
        logging.getLogger(chatty).setLevel(max(loglevel, logging.WARNING))
    logging.getLogger("celery.beat").setLevel(logging.CRITICAL)  # a page for each sweep while Redis is away
    warnings.simplefilter("ignore", CPendingDeprecationWarning)


@signals.worker_process_init.connect  # type: ignore[untyped-decorator]
def _connect(**_: object) -> None:
    process.pool()


def start(processes: int = 1) -> int:
    """Work until SIGTERM or Ctrl-C, then finish what is being done; answers the exit code.

    One process works alone, without a parent: half the memory of a pool of two, and no slower for a single table.
    """
    worker = app.Worker(
        pool_cls="solo" if processes == 1 else "prefork",
        concurrency=processes,
        loglevel="INFO",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    return int(worker.exitcode or 0)
