"""How often one may write: counted on Redis for all processes together, in this process while Redis is away.

A window is a whole second or a whole minute of the clock, so that one count is one round trip, and what is left of the
window is known without asking. Read beside it: store/settings.py (how much is allowed).
"""

from __future__ import annotations

from math import ceil
from time import monotonic, time
from typing import NamedTuple

from limits.storage import MemoryStorage, RedisStorage
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from api.errors import ProblemError
from store.settings import Settings, limits_url

PATIENCE_SECONDS = 0.1  # what a caller may lose to a Redis that does not answer
AWAY_SECONDS = 1.0  # then nobody asks for so long


class Limit(NamedTuple):
    """So many in a window of so many seconds."""

    name: str
    most: int
    window_seconds: int


class Limits:
    """The limits of one process, and where it counts."""

    def __init__(self, settings: Settings) -> None:
        self.writes = Limit("writes", settings.writes_per_second, 1)
        self.registrations = Limit("registrations", settings.registrations_per_minute, 60)
        self.away_until = 0.0
        self.here = MemoryStorage()
        self.shared = RedisStorage(
            limits_url(settings.servers()[1]),
            key_prefix="tapete:limits",
            socket_timeout=PATIENCE_SECONDS,  # type: ignore[arg-type]
            socket_connect_timeout=PATIENCE_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )

    def count(self, limit: Limit, who: str) -> dict[str, str]:
        """Count one more by `who`; the headers that say what is left. Raises ProblemError when it is one too many."""
        now = time()
        window, into = divmod(now, limit.window_seconds)
        used = self._incremented(f"{limit.name}:{who}:{int(window)}", limit.window_seconds)
        reset = max(1, ceil(limit.window_seconds - into))
        headers = {
            "RateLimit-Policy": f'"{limit.name}";q={limit.most};w={limit.window_seconds}',
            "RateLimit": f'"{limit.name}";r={max(0, limit.most - used)};t={reset}',
        }
        if used > limit.most:
            raise ProblemError(
                "rate_limited",
                f"{limit.most} {limit.name} in {limit.window_seconds} s are the most",
                {**headers, "Retry-After": str(reset)},
            )
        return headers

    def _incremented(self, key: str, seconds: int) -> int:
        if monotonic() >= self.away_until:
            try:
                return self.shared.incr(key, 2 * seconds)
            except (RedisError, OSError):
                self.away_until = monotonic() + AWAY_SECONDS
        return self.here.incr(key, 2 * seconds)
