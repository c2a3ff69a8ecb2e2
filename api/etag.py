"""If-Match against a match's version. Beside it: domain/play.py, which takes one expected version."""

from __future__ import annotations

import re

from api.call import Call
from domain import play
from domain.event import StaleVersionError

VERSION = re.compile("[1-9][0-9]{0,8}")


def expected(call: Call, match: str, viewer: str | None) -> int | None:
    """The version at which a write has to find the match, or None when it may be any.

    A list is settled by what is stored now. Raises StaleVersionError when none of its tags can be the current one, and
    NoSuchMatchError when `viewer` may not know of the match.
    """
    if "If-Match" not in call.request.headers:
        return None
    tags = call.request.if_match
    if tags.star_tag:
        return None
    named = [tag for tag in tags if tag and VERSION.fullmatch(tag)]  # strong ones: weak ones match nothing
    if len(named) == 1:
        return int(named[0])
    current = play.load_for(call.store, match, viewer).version
    if str(current) in named:
        return current
    raise StaleVersionError(match, int(max(named, key=int, default="0")), current)
