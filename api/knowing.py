"""Matches for somebody who may know of them; a private one of a season is for its organisers too.

Beside it: domain/play.py, which hides private matches from all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from api.call import Call
from domain import play
from domain.errors import NoSuchMatchError
from domain.event import Event
from domain.match import Match
from store import leagues

Found = TypeVar("Found")


def load(call: Call, match: str) -> Match:
    """The match as it stands. Raises NoSuchMatchError."""
    return _known(call, match, lambda asker: play.load_for(call.store, match, asker))


def history(call: Call, match: str) -> tuple[Match, Sequence[Event]]:
    """The match as it stands and its whole history. Raises NoSuchMatchError."""
    return _known(call, match, lambda asker: play.history_for(call.store, match, asker))


def _known(call: Call, match: str, read: Callable[[str | None], Found]) -> Found:
    """What is read, once more for an organiser where nobody else finds anything."""
    try:
        return read(call.viewer)
    except NoSuchMatchError:
        if not organises(call, match):
            raise
        return read(play.EVERYBODY)


def organises(call: Call, match: str) -> bool:
    """Whether the caller organises the league in a season of which the match is played."""
    return call.viewer is not None and leagues.organises_match(call.conn, match, call.viewer)
