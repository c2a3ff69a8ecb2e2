"""What each worker process has of its own, made after the fork: connections to Postgres, a publisher."""

from __future__ import annotations

import atexit
from functools import cache

from store import db, tracing
from store.broker import Publisher
from store.settings import Settings
from store.wake import Teller

database_url, redis_url = Settings.from_env().servers()


@cache
def pool() -> db.Pool:
    """Connections for the tasks of this process: one at a time."""
    tracing.start("tapete-worker")
    pool = db.pool(database_url, size=2)
    atexit.register(pool.close)
    return pool


@cache
def publisher() -> Publisher:
    """Where this process tells of the jobs that follow."""
    return Publisher(redis_url)


@cache
def teller() -> Teller:
    """Where this process tells whoever watches."""
    return Teller(redis_url)
