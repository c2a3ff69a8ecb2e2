"""How often one may write: counted in this process first, and beyond a tenth of the limit on Redis for all together.

So whoever plays at a human pace costs no round trip, and while Redis is away each process goes by its own count. A
window is a whole second or minute of the clock. Read beside it: store/settings.py (how much is allowed).
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from time import monotonic, time

from redis import Redis
from redis.exceptions import RedisError

from api.errors import ProblemError

AWAY_SECONDS = 1.0  # then nobody asks for so long


class Limit:
    """So many `most` in a window, for each who asks. With n processes it may be n - 1 tenths more."""

    def __init__(self, name: str, most: int, window_seconds: int, redis: Redis) -> None:
        self.name, self.most, self.window_seconds, self.redis = name, most, window_seconds, redis
        self.policy = f'"{name}";q={most};w={window_seconds}'
        self.window, self.here = 0, Counter[str]()
        self.away_until = 0.0

    def count(self, who: str) -> dict[str, str]:
        """Count one more by `who`; the headers that say what is left. Raises ProblemError when it is one too many."""
        window, into = divmod(time(), self.window_seconds)
        used = self._used(who, int(window))
        reset = max(1, ceil(self.window_seconds - into))
        left = f'"{self.name}";r={max(0, self.most - used)};t={reset}'
        headers = {"RateLimit-Policy": self.policy, "RateLimit": left}
        if used > self.most:
            what = f"{self.most} {self.name} in {self.window_seconds} s are the most"
            raise ProblemError("rate_limited", what, {**headers, "Retry-After": str(reset)})
        return headers

    def _used(self, who: str, window: int) -> int:
        if window != self.window:
            self.window, self.here = window, Counter()
        self.here[who] += 1
        here, free = self.here[who], self.most // 10
        if here <= free or monotonic() < self.away_until:
            return here
        try:
            return self._shared(f"tapete:{self.name}:{who}:{window}", here if here == free + 1 else 1)
        except (RedisError, OSError):
            self.away_until = monotonic() + AWAY_SECONDS
            return here

    def _shared(self, key: str, more: int) -> int:
        with self.redis.pipeline(transaction=False) as both:
            both.incrby(key, more)
            both.expire(key, 2 * self.window_seconds)
            return int(both.execute()[0])


def network(address: str) -> str:
    """Whom an address belongs to: with IPv6 a line has 2^64 of them, which count as one."""
    with suppress(ValueError):
        found = ip_address(address.partition("%")[0])
        if isinstance(found, IPv6Address):
            return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
        return str(found)
    return address[:40]
