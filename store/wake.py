"""Says that a match has moved on, to whoever watches it, by Redis: after the commit, and only as a hint.

Redis wakes, Postgres is the truth: a message that is lost costs a watcher until the next look at the database. Read
beside it: watching.py (that look), broker.py (the same for jobs), api/hub.py (who listens).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Event, Lock, Thread
from time import sleep
from typing import NamedTuple

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from domain import news
from domain.play import Outcome
from store.broker import AWAY_SECONDS, PATIENCE_SECONDS

CHANNEL = "tapete:wake"
TOGETHER_SECONDS = 0.02  # what comes within so long of a message goes with the next
MOST_WAITING = 10_000  # matches
LOOK_SECONDS = 0.5  # how soon a listener notices that it shall stop

log = structlog.get_logger("wake")


class Wake(NamedTuple):
    """A match has got the events `first` to `version`; `people` are its host and those who sit or are invited."""

    match: str
    first: int
    version: int
    people: tuple[str, ...] = ()


def wake_of(outcome: Outcome) -> Wake | None:
    """What is to be said once this is committed; nothing when nothing was appended."""
    if not outcome.events:
        return None
    m = outcome.match
    return Wake(m.id, outcome.events[0].version, m.version, tuple(news.concerned(m)))


class Teller:
    """Tells of wakes in a thread of its own, many at once when they come fast: who calls it waits for nothing.

    One a process, made after the fork.
    """

    def __init__(self, redis_url: str) -> None:
        self.redis = impatient(redis_url)
        self.waiting: dict[str, Wake] = {}
        self.lock, self.something = Lock(), Event()
        self.thread: Thread | None = None
        self.away = False

    def tell(self, outcome: Outcome) -> None:
        """Say what became of an append that is committed. Never raises."""
        wake = wake_of(outcome)
        if wake is None:
            return
        with self.lock:
            before = self.waiting.get(wake.match)
            if before or len(self.waiting) < MOST_WAITING:
                self.waiting[wake.match] = wake._replace(first=min(before.first, wake.first)) if before else wake
            if self.thread is None:
                self.thread = Thread(target=self._run, name="wake-teller", daemon=True)
                self.thread.start()
        self.something.set()

    def _run(self) -> None:
        while True:
            self.something.wait()
            self.something.clear()
            with self.lock:
                wakes, self.waiting = list(self.waiting.values()), {}
            if wakes:
                self._send(wakes)
                sleep(AWAY_SECONDS if self.away else TOGETHER_SECONDS)

    def _send(self, wakes: list[Wake]) -> None:
        try:
            self.redis.publish(CHANNEL, json.dumps(wakes))
        except (RedisError, OSError) as fault:
            if not self.away:
                log.warning("redis does not answer; whoever watches will look", fault=str(fault))
            self.away = True
        else:
            self.away = False


class Listener:
    """Hears every wake by one subscription, in a thread of its own; knocks for as long as Redis is away."""

    def __init__(self, redis_url: str, hear: Callable[[Iterable[Wake]], None]) -> None:
        self.redis, self.hear = impatient(redis_url), hear
        self.listening = False
        self.stopped = Event()
        Thread(target=self._run, name="wake-listener", daemon=True).start()

    def stop(self) -> None:
        """Hear nothing more."""
        self.stopped.set()

    def _run(self) -> None:
        while not self.stopped.is_set():
            try:
                self._listen()
            except (RedisError, OSError) as fault:
                if self.listening:
                    log.warning("redis does not answer; streams look at the database", fault=str(fault))
                self.listening = False
                self.stopped.wait(AWAY_SECONDS)

    def _listen(self) -> None:
        with self.redis.pubsub(ignore_subscribe_messages=True) as subscription:  # type: ignore[no-untyped-call]
            subscription.subscribe(CHANNEL)
            self.listening = True
            while not self.stopped.is_set():
                message = subscription.get_message(timeout=LOOK_SECONDS)
                if message:
                    self.hear(_read(message["data"]))


def _read(text: bytes) -> list[Wake]:
    """The wakes of a message; of another's message none."""
    with suppress(ValueError, TypeError):
        return [Wake(str(match), int(first), int(version), tuple(people)) for match, first, version, people in
                json.loads(text)]  # fmt: skip
    return []


def impatient(redis_url: str) -> Redis:
    """A Redis that is not waited for."""
    return Redis.from_url(
        redis_url,
        socket_timeout=PATIENCE_SECONDS,
        socket_connect_timeout=PATIENCE_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
