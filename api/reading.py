"""What comes in, read strictly: a body is one JSON object in UTF-8, a query has each parameter once.

Read beside it: schemas.py (what the objects hold), errors.py. Postgres keeps no NUL, and UTF-8 no lone surrogate, so
neither gets past here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NoReturn

from flask import Request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from api.errors import ProblemError, invalid

MOST_BYTES = 64 * 1024
MOST_LEVELS = 32  # of nesting, in a body


def read_body(request: Request) -> Any:
    """The body's JSON; no body is an empty object."""
    raw = raw_body(request)
    if not raw:
        return {}
    require_media_type(request, ["application/json"])
    return read_json(raw)


def read_json(raw: bytes) -> Any:
    """The JSON in a body."""
    try:
        value = json.loads(raw.decode(), object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError) as fault:
        raise ProblemError("malformed", f"the body is no JSON: {fault}") from None
    check(value)
    return value


def require_media_type(request: Request, allowed: Iterable[str]) -> None:
    """Raise UnsupportedMediaType unless the body is plainly of one of these types."""
    if request.mimetype not in allowed or request.headers.get("Content-Encoding", "identity") != "identity":
        raise UnsupportedMediaType(f"the body has to be plain {' or '.join(allowed)}")


def raw_body(request: Request) -> bytes:
    """The body's bytes, all of them. Of one without a length the framework reads no more than the beginning."""
    try:
        raw = request.get_data(cache=True)
    except ParseException:
        raise ProblemError("malformed", "the chunks of the body do not fit together") from None
    if len(raw) < (request.content_length or 0):
        raise ProblemError("malformed", "the body broke off")
    if request.content_length is None and len(raw) >= (request.max_content_length or MOST_BYTES):
        raise RequestEntityTooLarge
    return raw


def read_query(request: Request) -> dict[str, str]:
    """The query's parameters."""
    query = {}
    for name, values in request.args.lists():
        if len(values) > 1:
            raise invalid(name, "is given more than once")
        if "\0" in values[0] or "\0" in name:
            raise invalid(name.replace("\0", ""), "contains NUL")
        query[name] = values[0]
    return query


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def check(value: Any) -> None:
    """Level by level, so that no depth can break anything. Raises ProblemError for what could not be kept as text."""
    level = [value]
    for _ in range(MOST_LEVELS):
        if not level:
            return
        below: list[Any] = []
        for each in level:
            if isinstance(each, str):
                _check_text(each)
            elif isinstance(each, dict):
                below += [*each, *each.values()]
            elif isinstance(each, list):
                below += each
        level = below
    raise ProblemError("malformed", f"the body is nested deeper than {MOST_LEVELS} levels")


def _check_text(text: str) -> None:
    if "\0" in text:
        raise ProblemError("malformed", "a text in the body contains NUL (U+0000)")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise ProblemError("malformed", "a text in the body contains half a surrogate pair")


def printable(text: str) -> bool:
    """Whether a header's value is one to 255 printable ASCII characters."""
    return 1 <= len(text) <= 255 and all(" " <= character <= "~" for character in text)
