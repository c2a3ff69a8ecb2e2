"""Who sends webhooks: threads of each worker, so that a slow receiver keeps no bot waiting.

They look for work in the database; Celery and Redis have no part in it. Read beside it: store/deliveries.py (how a hook
is taken), webhooks.py (what is sent).
"""

from __future__ import annotations

from threading import BoundedSemaphore, Event, Thread
from time import monotonic
from typing import Any

import structlog
from celery import bootsteps

from store import db, deliveries, jobs
from store.db import UnavailableError, connection
from store.deliveries import Taken
from store.settings import Settings
from workers.webhooks import sent
from workers.work import work_off

LOOK_SECONDS = 0.25  # how often work is looked for
LEASE_SECONDS = 20.0  # longer than a post can take
SENDERS = 8  # threads of a worker
PARTING_SECONDS = 1.0
MOST_NOTICES = 20  # in one look

log = structlog.get_logger("webhooks")


class Sender:
    """Looks for work until it is stopped, and sends with up to SENDERS threads."""

    def __init__(self, database_url: str, *, private: bool) -> None:
        self.pool = db.pool(database_url, size=3)
        self.private = private
        self.free, self.more, self.over = BoundedSemaphore(SENDERS), Event(), False

    def start(self) -> None:
        """Begin."""
        self.looking = Thread(target=self._look, name="webhooks", daemon=True)
        self.looking.start()

    def stop(self) -> None:
        """Take no more. What is not sent within a moment is sent again, when its lease has run out."""
        self.over = True
        self.more.set()
        deadline = monotonic() + PARTING_SECONDS
        self.looking.join(PARTING_SECONDS)
        all(self.free.acquire(timeout=max(deadline - monotonic(), 0)) for _ in range(SENDERS))
        self.pool.close()

    def _look(self) -> None:
        while not self.over:
            self.more.clear()
            try:
                self._notices()
                self._take_all()
            except UnavailableError as fault:
                log.warning("postgres does not answer", fault=str(fault))
            except Exception as fault:
                log.error("webhooks were not looked after", exc_info=fault)
            self.more.wait(LOOK_SECONDS)

    def _notices(self) -> None:
        with connection(self.pool) as conn:
            keys = jobs.due(conn, "notify", MOST_NOTICES)
            for key in keys:
                work_off(conn, key)
        if len(keys) == MOST_NOTICES:  # there are more, and what was made of these is sent first
            self.more.set()

    def _take_all(self) -> None:
        while not self.over and self.free.acquire(blocking=False):
            taken = None
            try:
                with connection(self.pool) as conn:
                    taken = deliveries.take(conn, LEASE_SECONDS)
                if taken is None:
                    return
                Thread(target=self._send, args=[taken], name="sender", daemon=True).start()
            finally:
                if taken is None:
                    self.free.release()

    def _send(self, taken: Taken) -> None:
        try:
            verdict = sent(taken, private=self.private)
            with connection(self.pool) as conn:
                deliveries.record(conn, taken, verdict)
        except UnavailableError as fault:
            log.warning("postgres does not answer", delivery=taken.delivery, fault=str(fault))
        finally:
            self.free.release()
            self.more.set()


class Senders(bootsteps.StartStopStep):  # type: ignore[misc]
    """The sender of a worker; begun after its pool of processes, since a fork would take our connections along."""

    requires = ("celery.worker.components:Pool",)

    def start(self, worker: Any) -> None:
        """Begin to send."""
        settings = Settings.from_env()
        self.sender = Sender(settings.servers()[0], private=settings.webhook_private)
        self.sender.start()

    def stop(self, worker: Any) -> None:
        """Send no more."""
        self.sender.stop()
