"""What every request and answer has on the wire, of whatever kind: a name, headers, a count, a line in the log.

Around the application rather than in it, where each of these would cost several times as much. The log has one JSON
line a request, without tokens, bodies or cards. Beside it: app.py; store/logs.py (the form of all other lines).
"""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, TypeAlias

import structlog
from prometheus_client import Counter, Histogram

Environ: TypeAlias = dict[str, Any]
Headers: TypeAlias = list[tuple[str, str]]

# In the environ of a request
REQUEST_ID, ROUTE, PLAYER, LIMITS = "tapete.request_id", "tapete.route", "tapete.player", "tapete.limits"
SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
METHODS = {"GET", "HEAD", "OPTIONS", "POST", "PATCH", "PUT", "DELETE"}

REQUESTS = Counter("tapete_requests", "Requests answered", ["route", "method", "status"])
LATENCY = Histogram("tapete_request_seconds", "How long requests take", ["route", "method"])

EXPOSED = "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, X-Request-ID"
ALLOWED = "Authorization, Content-Type, If-Match, Idempotency-Key, Last-Event-ID, X-Request-ID"
CARRIED = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", EXPOSED),
    ("Cache-Control", "private, no-cache"),
    ("Vary", "Authorization, Cookie, Accept, Accept-Language"),
    ("X-Content-Type-Options", "nosniff"),
]

# Without the library's detour through the standard library: a third of the time, which is spent on every request.
log = structlog.wrap_logger(
    structlog.WriteLogger(sys.stderr),
    [structlog.processors.add_log_level, structlog.processors.TimeStamper("iso"), structlog.processors.JSONRenderer()],
    structlog.make_filtering_bound_logger("info"),
).bind(logger="api")


class Wire:
    """A WSGI application around another."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        self.app = app

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        began = perf_counter()
        given = environ.get("HTTP_X_REQUEST_ID", "")
        name = environ[REQUEST_ID] = given if SANE_ID.fullmatch(given) else secrets.token_hex(8)

        def start(status: str, headers: Headers, exc_info: Any = None) -> Any:
            _note(environ, int(status[:3]), perf_counter() - began)
            own = [header for header in headers if header[0] != "Cache-Control"]
            more = _preflight(headers) if environ["REQUEST_METHOD"] == "OPTIONS" else []
            return start_response(status, [*own, *CARRIED, *more, ("X-Request-ID", name)], exc_info)

        return self.app(environ, start)


def _note(environ: Environ, status: int, seconds: float) -> None:
    route, said = environ.get(ROUTE, "none"), environ["REQUEST_METHOD"]
    method = said if said in METHODS else "other"  # labels are not for clients to make up
    REQUESTS.labels(route, method, status).inc()
    LATENCY.labels(route, method).observe(seconds)
    log.info(
        "request",
        request_id=environ[REQUEST_ID],
        method=said,
        path=environ["PATH_INFO"].encode("latin-1").decode(errors="replace"),
        route=route,
        status=status,
        milliseconds=round(seconds * 1000, 1),
        player=environ.get(PLAYER),
    )


def _preflight(headers: Headers) -> Headers:
    return [
        ("Access-Control-Allow-Methods", dict(headers).get("Allow", "")),
        ("Access-Control-Allow-Headers", ALLOWED),
        ("Access-Control-Max-Age", "86400"),
    ]
