"""Tie-breaks: what parts members who stand equal, each a named function. Read beside it: standings.py (`_split`).

Each takes the tied members, what everybody has played, and the season's lot; it answers a value for each of them, or
None where it has nothing to say. More is better, unless `fewer_is_better`. `lot` alone depends on ids, by a seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from domain.schemes import SCALE

Value: TypeAlias = Fraction | int


@dataclass(slots=True)
class Played:
    """What counts for a member, by result: its worth in units, the place, the game points, who met there."""

    member: str
    worth: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    met: dict[str, Sequence[str]] = field(default_factory=dict)
    adjusted: int = 0  # units
    penalties: int = 0

    @property
    def results(self) -> int:
        return len(self.worth)

    def add(self, result: str, worth: int, place: int, points: int, members: Sequence[str]) -> None:
        self.worth[result], self.places[result] = worth, place
        self.points[result], self.met[result] = points, members

    def adjust(self, units: int, kind: str) -> None:
        self.adjusted += units
        self.penalties += kind == "penalty"


TieBreak: TypeAlias = Callable[[Sequence[str], Mapping[str, Played], str], dict[str, Value] | None]


def points(group: Sequence[str], played: Mapping[str, Played], lot: str) -> dict[str, Value] | None:
    """All points of the scheme, before any are dropped, with adjustments."""
    return {m: Fraction(sum(played[m].worth.values()) + played[m].adjusted, SCALE) for m in group}


def wins(group: Sequence[str], played: Mapping[str, Played], lot: str) -> dict[str, Value] | None:
    return {m: list(played[m].places.values()).count(1) for m in group}


def seconds(group: Sequence[str], played: Mapping[str, Played], lot: str) -> dict[str, Value] | None:
    """Results with place 1 or 2."""
    return {m: sum(place <= 2 for place in played[m].places.values()) for m in group}


def head_to_head(group: Sequence[str], played: Mapping[str, Played], lot: str) -> dict[str, Value] | None:
    """Points of the scheme in the results in which all of the tied met; nothing when they never did."""
    first = played[group[0]]
    together = [result for result, members in first.met.items() if set(group) <= set(members)]
    if not together:
        return None
    return {m: Fraction(sum(played[m].worth[result] for result in together), SCALE) for m in group}


def raw_total(group: Sequence[str], played: Mapping[str, Played], lot: str) -> dict[str, Value] | None:
    """The sum of game points."""
    return {m: sum(played[m].points.values()) for m in group}


def fewest_penalties(group: Sequence[str], played: Mapping[str, Played], lot: str) -> dict[str, Value] | None:
    return {m: played[m].penalties for m in group}


def by_lot(group: Sequence[str], played: Mapping[str, Played], lot: str) -> dict[str, Value] | None:
    """Drawn with the season's recorded seed, so that anybody can draw it again."""
    return {m: int.from_bytes(hashlib.sha256(f"{lot}/{m}".encode()).digest()[:6], "big") for m in group}


TIE_BREAKS: dict[str, TieBreak] = {
    "points": points, "wins": wins, "seconds": seconds, "head_to_head": head_to_head, "raw_total": raw_total,
    "fewest_penalties": fewest_penalties, "lot": by_lot,
}  # fmt: skip
OF_A_MEMBER = frozenset({"points", "wins", "seconds", "raw_total", "fewest_penalties"})


def fewer_is_better(name: str, low_wins: bool) -> bool:
    return name == "fewest_penalties" or (name == "raw_total" and low_wins)
