"""What one process of the API stands on: settings, pool, publisher, limits. Beside it: app.py, which makes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from flask import current_app
from itsdangerous import URLSafeSerializer
from redis import Redis

from api.limits import Limits
from store import db, secrets
from store.broker import Publisher
from store.settings import Settings

CONNECTIONS = 10  # a process
REDIS_SECONDS = 1.0


@dataclass
class Backing:
    """Made in each process after the fork. Nothing is connected before it is needed."""

    settings: Settings
    cursor_key: bytes = field(default=b"", repr=False)

    @cached_property
    def pool(self) -> db.Pool:
        return db.pool(self.settings.servers()[0], size=CONNECTIONS)

    @cached_property
    def redis(self) -> Redis:
        return Redis.from_url(
            self.settings.servers()[1], socket_timeout=REDIS_SECONDS, socket_connect_timeout=REDIS_SECONDS
        )

    @cached_property
    def publisher(self) -> Publisher:
        return Publisher(self.settings.servers()[1])

    @cached_property
    def limits(self) -> Limits:
        return Limits(self.settings)

    def open(self) -> Backing:
        """Make everything now, while there is one thread."""
        assert self.pool and self.publisher and self.limits and self.redis
        return self

    @contextmanager
    def connection(self) -> Iterator[db.Connection]:
        """A connection for one request. Raises UnavailableError."""
        with db.connection(self.pool) as conn:
            yield conn

    def cursors(self, conn: db.Connection) -> URLSafeSerializer:
        """What signs cursors, with the key that all processes share."""
        self.cursor_key = self.cursor_key or secrets.key(conn, "cursors")
        return URLSafeSerializer(self.cursor_key)


def backing() -> Backing:
    """The one of the running application."""
    return cast(Backing, current_app.extensions["tapete"])
