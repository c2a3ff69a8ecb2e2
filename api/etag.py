"""If-Match against the version of a match, or of something else. Beside it: domain/play.py, which takes one of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from api.call import Call
from domain import play
from domain.event import StaleVersionError

VERSION = re.compile("0|[1-9][0-9]{0,8}")


def expected(call: Call, match: str, viewer: str | None) -> int | None:
    """The version at which a write has to find the match, or None when it may be any.

    Raises NoSuchMatchError when `viewer` may not know of the match, and StaleVersionError.
    """
    return stated(call, match, lambda: play.load_for(call.store, match, viewer).version)


def stated(call: Call, stream: str, now: Callable[[], int]) -> int | None:
    """The same for whatever has a version: `now` tells the current one where a list has to be settled by it.

    Raises StaleVersionError when none of the tags can be the current one.
    """
    if "If-Match" not in call.request.headers:
        return None
    tags = call.request.if_match
    if tags.star_tag:
        return None
    named = [tag for tag in tags if tag and VERSION.fullmatch(tag)]  # strong ones: weak ones match nothing
    if len(named) == 1:
        return int(named[0])
    current = now()
    if str(current) in named:
        return current
    raise StaleVersionError(stream, int(max(named, key=int, default="0")), current)
