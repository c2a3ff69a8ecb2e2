"""What goes out: JSON by the standard library, times in UTC. Beside it: reading.py (what comes in), errors.py."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from flask import Response


def rfc3339(time: datetime) -> str:
    """A time in UTC, to the microsecond: 2026-01-31T18:04:05.000000Z."""
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _default(value: Any) -> Any:
    if isinstance(value, datetime):
        return rfc3339(value)
    raise TypeError(f"{value!r} is no JSON")


ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_default).encode


def answer(
    content: Any, status: int = 200, headers: Mapping[str, str] | None = None, mimetype: str = "application/json"
) -> Response:
    """A response with `content` as its JSON text."""
    return Response(ENCODE(content), status, headers, mimetype)


def nothing(headers: Mapping[str, str] | None = None) -> Response:
    """204: it is done, and there is nothing to show."""
    response = Response(status=204, headers=headers)
    del response.headers["Content-Type"]
    return response


def etag(version: int) -> dict[str, str]:
    """The header that names a match's version."""
    return {"ETag": f'"{version}"'}
