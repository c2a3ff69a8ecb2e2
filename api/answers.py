"""What goes out. Beside it: domain/encoding.py (how), reading.py (what comes in), errors.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from domain.encoding import ENCODE as ENCODE  # with which lines of streams and frames are written as well


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
