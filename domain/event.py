"""What is appended: events, the history they make, and the jobs and index row that travel with them.

Read beside it: match.py (what each type means), play.py (who appends), store/events.py (where it is kept).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple, Protocol


class Event(NamedTuple):
    """One immutable fact of a stream. `data` is JSON without `type`; `version` counts from 1; `at` is database time.

    `version`, `at` and `hash` are set when the event is appended or read; a fresh event has 0, None, None.
    """

    type: str
    data: dict[str, Any]
    version: int = 0
    at: datetime | None = None
    hash: str | None = None


def rfc3339(time: datetime) -> str:
    """A time in UTC, to the microsecond: 2026-01-31T18:04:05.000000Z."""
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class History:
    """What a stream holds, in order, and the database's time when it was read."""

    events: Sequence[Event]
    now: datetime

    @property
    def version(self) -> int:
        return self.events[-1].version if self.events else 0

    @property
    def hash(self) -> str | None:
        return self.events[-1].hash if self.events else None


@dataclass(frozen=True, slots=True)
class Job:
    """A follow-up, written in the transaction of the events that caused it. `due` None means at once.

    `key` is unique for ever, such as `bot_turn:<match>:<version>`; `kind` is the part before the first colon.
    """

    key: str
    due: datetime | None = None
    listeners: tuple[str, ...] | None = None  # written only if one of these players has a webhook; due at once

    @property
    def kind(self) -> str:
        return self.key.split(":", 1)[0]


@dataclass(frozen=True, slots=True)
class Listing:
    """The row by which a match is found in lists. It can be rebuilt from the match's events."""

    game: str
    variant: str
    status: str  # open | playing | ended | voided
    visibility: str  # public | unlisted | private
    host: str
    players: tuple[str, ...] = field(default=())  # seated or invited, and who were: everybody who may find it as theirs
    season: str | None = None


class StaleVersionError(Exception):
    """Somebody else appended first. `version` is the last one known to be stored (it may have moved on since)."""

    def __init__(self, stream: str, expected: int, version: int) -> None:
        super().__init__(f"{stream} is at version {version}, not {expected}")
        self.stream, self.expected, self.version = stream, expected, version


class Store(Protocol):
    """What play.py needs of a store. One append is one transaction: all of it or none."""

    def read(self, stream: str) -> History:
        """All a move needs; empty when there is no such stream.

        Of the deals that were scored before the last one was dealt nothing is read but what became of them: no
        `moved`, `nonce`, `committed` or `dealt`. The very first `committed` or `dealt` is: it tells when play began.
        """

    def read_all(self, stream: str, through: int | None = None) -> History:
        """Every event, through a version when given."""

    def append(
        self, stream: str, history: History, events: Sequence[Event], jobs: Sequence[Job], listing: Listing | None
    ) -> Sequence[Event]:
        """Store `events` after `history`, at its database time, hash-chained; with them `jobs`, and `listing` if given.

        Answers the events as stored. Raises StaleVersionError when the stream has moved on since `history`.
        """
