"""The clocks of one match: since when each asked seat thinks, its bank, how often it was late in a row.

A seat's time starts when it is asked, and after each of its own words. Time is what the events say, no host's clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from domain.event import Event

MOST_LATE = 3  # in a row; then a bot takes the seat


class Thought(NamedTuple):
    """Where a seat's clock stood when it said a word: how long it had thought, its bank, how often it had been late."""

    time: timedelta | None
    bank: float
    late: int


@dataclass(slots=True)
class Clocks:
    """`banks` are seconds left for the whole match, by seat; `late` counts words said by the clock in a row."""

    turn_seconds: int
    banks: list[float]
    late: list[int] = field(init=False)
    since: dict[int, datetime | None] | None = None  # None from `dealt` until somebody asks who owes a word
    dealt_at: datetime | None = None
    expiring: int | None = None

    def __post_init__(self) -> None:
        self.late = [0] * len(self.banks)

    def start(self, asked: Sequence[int]) -> None:
        """The first seats asked in a deal think since it was dealt."""
        if self.since is None:
            self.since = dict.fromkeys(asked, self.dealt_at)

    def ask(self, asked: Sequence[int], at: datetime | None) -> None:
        """Who was not asked before thinks from now on."""
        self.start(asked)
        before = self.since or {}
        self.since = {seat: before.get(seat, at) for seat in asked}

    def follow(self, event: Event) -> None:
        """What an event means for the clocks."""
        data = event.data
        if event.type == "moved":
            self._said(data["seat"], event.at)
        elif event.type == "expired":
            self.expiring = data["seat"]
            self.late[data["seat"]] += 1
        elif event.type == "replaced":
            self.late[data["seat"]] = 0
        elif event.type == "dealt":
            self.since, self.dealt_at = None, event.at
        elif event.type == "scored":  # the words that led here need not be read again
            self.banks, self.late = data["clock"]["banks"][:], data["clock"]["late"][:]
            self.expiring = None

    def _said(self, seat: int, at: datetime | None) -> None:
        since = (self.since or {}).pop(seat, None)
        if since and at:
            over = (at - since).total_seconds() - self.turn_seconds
            self.banks[seat] = round(max(0.0, self.banks[seat] - max(0.0, over)), 3)
        if self.expiring != seat:
            self.late[seat] = 0
        self.expiring = None

    def thought(self, seat: int, at: datetime | None) -> Thought:
        """How it stands with the seat just before the word that it says at this time."""
        since = (self.since or {}).get(seat)
        return Thought(at - since if at and since else None, self.banks[seat], self.late[seat])

    def think_on(self, seat: int, thought: Thought, at: datetime | None) -> None:
        """The seat has its word back: it thinks on from where it stood. What others took to consent is not its time."""
        self.banks[seat], self.late[seat] = thought.bank, thought.late
        if at and thought.time is not None:
            self.since = {**(self.since or {}), seat: at - thought.time}

    def deadlines(self, asked: Sequence[int]) -> list[tuple[datetime, int]]:
        """When the time of each asked seat is up, the first one first."""
        self.start(asked)
        return sorted(
            (since + timedelta(seconds=self.turn_seconds + self.banks[seat]), seat)
            for seat, since in (self.since or {}).items()
            if since
        )

    def nonces_due(self, seats: Sequence[int], since: datetime | None) -> list[tuple[datetime, int]]:
        """When the nonces of these seats are due: a turn after they were asked for, whatever is in the banks."""
        return [(since + timedelta(seconds=self.turn_seconds), seat) for seat in seats] if since else []

    def state(self) -> dict[str, Any]:
        """What `scored` records of them."""
        return {"banks": self.banks[:], "late": self.late[:]}
