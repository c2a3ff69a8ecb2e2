"""What one process of the API stands on: settings, pool, publisher, limits. Beside it: app.py, which makes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Self, cast

from flask import current_app
from itsdangerous import URLSafeSerializer
from prometheus_client import Gauge, Histogram

from api.hub import Hub
from api.limits import Limit
from store import db, secrets
from store.broker import Publisher
from store.settings import Settings
from store.wake import Teller, impatient

CONNECTIONS = 10  # a process

IN_USE = Gauge("tapete_connections", "Connections to Postgres that requests hold", multiprocess_mode="livesum")
WAITS = Histogram("tapete_connection_wait_seconds", "How long requests wait for a connection to Postgres")


@dataclass
class Backing:
    """Made in each process after the fork. A server that is away is no hindrance: it is asked when it is needed."""

    settings: Settings
    pool: db.Pool
    publisher: Publisher
    teller: Teller
    hub: Hub
    writes: Limit  # of a token
    registrations: Limit  # from an address
    cursor_key: bytes = field(default=b"", repr=False)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """All of it on the servers that the settings name. Raises SettingsError."""
        database_url, redis_url = settings.servers()
        redis = impatient(redis_url)
        pool = db.pool(database_url, size=CONNECTIONS)
        return cls(
            settings,
            pool,
            Publisher(redis_url),
            Teller(redis_url),
            Hub(pool, redis_url, settings.streams),
            Limit("writes", settings.writes_per_second, 1, redis),
            Limit("registrations", settings.registrations_per_minute, 60, redis),
        )

    @contextmanager
    def connection(self) -> Iterator[db.Connection]:
        """One to Postgres, for a request. Raises UnavailableError."""
        with ExitStack() as stack:
            with WAITS.time():
                conn = stack.enter_context(db.connection(self.pool))
            with IN_USE.track_inprogress():
                yield conn

    def cursors(self, conn: db.Connection) -> URLSafeSerializer:
        """What signs cursors, with the key that all processes share."""
        self.cursor_key = self.cursor_key or secrets.key(conn, "cursors")
        return URLSafeSerializer(self.cursor_key)


def backing() -> Backing:
    """The one of the running application."""
    return cast(Backing, current_app.extensions["tapete"])
