"""What travels by Celery is the key of a job that is stored already, so a lost message only delays it.

The one place that knows Celery's settings. Read beside it: jobs.py (the rows), workers/tasks.py (who works them off).
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

import structlog
from celery import Celery
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from store.settings import celery_url

RUN = "workers.run"  # the task that works a job off, by its key
PATIENCE_SECONDS = 0.1  # what a caller may lose to a Redis that does not answer
AWAY_SECONDS = 1.0  # then nobody knocks for so long

log = structlog.get_logger("broker")


def celery_app(redis_url: str, patience_seconds: float = 5.0) -> Celery:
    """A Celery on this Redis: no results, one message at a time, gone from Redis once taken, reconnecting for ever."""
    app = Celery("tapete", broker=celery_url(redis_url), set_as_current=False)
    app.conf.update(
        accept_content=["json"],
        broker_connection_max_retries=None,
        broker_connection_retry_on_startup=True,
        broker_transport_options={
            "ack_emulation": False,  # the rows keep what is not done; an ack that failed left a worker deaf for ever
            "max_retries": 0,  # of a publisher; the consumer has its own
            "socket_connect_timeout": patience_seconds,
            "socket_timeout": patience_seconds,
        },
        result_backend_thread_safe=True,  # there is none; else each thread and greenlet looks for it anew
        task_acks_late=True,
        task_default_queue="tapete",
        task_ignore_result=True,
        task_publish_retry_policy={"max_retries": 1, "interval_start": 0},
        worker_enable_remote_control=False,
        worker_prefetch_multiplier=1,
    )
    return app


class Publisher:
    """Tells the workers of jobs, after their commit. Never raises and never waits long: the sweeper tells again.

    One a process, made after the fork; its threads and greenlets may share it.
    """

    def __init__(self, redis_url: str) -> None:
        self.app = celery_app(redis_url, PATIENCE_SECONDS)
        self.away_since: float | None = None

    def publish(self, keys: Sequence[str]) -> None:
        """Send each key to whoever works it off, unless Redis is away."""
        if not keys or self._is_away():
            return
        try:
            with self.app.producer_pool.acquire(block=True) as producer:
                for key in keys:
                    if self._is_away():  # somebody found out while this one waited for a connection
                        return
                    self.app.send_task(RUN, [key], producer=producer, retry=False)
        except (KombuError, RedisError, OSError) as fault:
            self._give_up(fault)
        else:
            self._go_on()

    def _is_away(self) -> bool:
        return self.away_since is not None and monotonic() < self.away_since + AWAY_SECONDS

    def _give_up(self, fault: Exception) -> None:
        if self.away_since is None:
            log.warning("redis does not answer; the sweeper will publish", fault=str(fault))
        self.away_since = monotonic()

    def _go_on(self) -> None:
        if self.away_since is not None:
            log.info("redis answers again")
            self.away_since = None
