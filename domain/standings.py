"""Standings of a season: who stands where, and by which criterion. Nothing depends on seats, ids or order of arrival.

Members are ranked by score; equal ones by the season's tie-breaks, each a named function of tie_breaks.py. A criterion
splits a group where its values differ, and the parts start again from the first one; who is split by none shares the
place. Drops and averages are made here, in exact fractions of points; postings hold what results are worth. Read beside
it: schemes.py, season.py, season_scoring.py.

    standings(season)                                     # now
    standings(fold(id, as_known(events, at)))             # what the table showed at that time
    standings(season, until=at)                           # results played by then, with everything known since
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

from domain import tie_breaks
from domain.event import Event
from domain.schemes import SCALE
from domain.season import Result, Season, credited
from domain.season_scoring import result_worth
from domain.tie_breaks import TIE_BREAKS, Played, Value

SCORE = "score"  # the first criterion: what the scheme says


@dataclass(slots=True)
class Row:
    """A member's line. `score` is None without results (0 is a score), `place` is None below `min_results`.

    `places` are the numbers of first, second … places. `ties` are the values of the tie-breaks as they were compared;
    `decided_by` names what put this member before the next row, `shared` where nothing did, None in the last row.
    """

    member: str
    score: Fraction | None
    results: int
    places: list[int]
    counted: list[str]  # the results in the score
    dropped: list[str]  # and those that are not
    adjustments: Fraction
    place: int | None = None
    ties: dict[str, Value] = field(default_factory=dict)
    decided_by: str | None = None


@dataclass(frozen=True, slots=True)
class Standings:
    """Rows by place; those without one last. `provisional`: something is still open. `final`: the season is closed."""

    rows: list[Row]
    provisional: bool
    final: bool
    open: list[str]


def as_known(events: Iterable[Event], at: datetime) -> list[Event]:
    """The events that were recorded by then."""
    return [event for event in events if event.at is None or event.at <= at]


def standings(s: Season, until: datetime | None = None) -> Standings:
    """The table; `until`: of results and adjustments effective by then."""
    played = _members(s, until)
    for result in s.results.values():
        if not (until and result.ended_at and result.ended_at > until):
            _add(s, played, result)
    return _table(s, played)


def _table(s: Season, everybody: dict[str, Played]) -> Standings:
    """Members who left stay as long as they have played."""
    played = {m: each for m, each in everybody.items() if each.results or each.adjusted or s.members[m].active}
    rows = {member: _row(s, each) for member, each in played.items()}
    ranked = [rows[member] for member in rows if rows[member].results >= s.scheme["min_results"]]
    order = _Order(s, played, rows)
    order.place(ranked)
    _global_values(order, rows)
    waiting = s.open_work()
    unplaced = [row for row in rows.values() if row.place is None]
    listed = sorted(ranked, key=lambda row: (row.place or 0, row.member))
    listed += sorted(unplaced, key=lambda row: (row.score is None, -(row.score or 0), row.member))
    return Standings(listed, bool(waiting), s.status == "closed" and not waiting, waiting)


def _members(s: Season, until: datetime | None) -> dict[str, Played]:
    """Everybody, with nothing but adjustments so far."""
    found = {member: Played(member) for member in s.members}
    for made in s.adjustments.values():
        if not made.cancelled and not (until and made.effective_at and made.effective_at > until):
            found[made.member].adjust(made.units, made.kind)
    return found


def _add(s: Season, played: dict[str, Played], result: Result) -> None:
    now = result.now
    if now.points is None or now.places is None:
        return
    members = credited(result.seats)
    for member, worth, place, points in zip(members, result_worth(s, result), now.places, now.points, strict=True):
        played[member].add(result.id, worth, place, points, members)


def _row(s: Season, played: Played) -> Row:
    """The member's score: what the scheme keeps of his results, and all adjustments."""
    kept, dropped = _drop(played, s.scheme["drop_worst"])
    units: Fraction | None = None
    if kept:
        total = Fraction(sum(played.worth[result] for result in kept))
        units = (total / len(kept) if s.scheme["kind"] == "average" else total) + played.adjusted
    elif played.adjusted:
        units = Fraction(played.adjusted)
    highest = max(played.places.values(), default=0)
    places = [list(played.places.values()).count(place) for place in range(1, highest + 1)]
    score = None if units is None else units / SCALE
    return Row(played.member, score, played.results, places, kept, dropped, Fraction(played.adjusted, SCALE))


def _drop(played: Played, most: int) -> tuple[list[str], list[str]]:
    """The worst are dropped, and at least one result is kept; which of equal ones makes no difference to the score."""
    by_worth = sorted(played.worth, key=lambda result: (played.worth[result], result))
    number = max(0, min(most, len(by_worth) - 1))
    return sorted(by_worth[number:]), by_worth[:number]


class _Order:
    """Puts groups of equals in order, criterion by criterion."""

    def __init__(self, s: Season, played: dict[str, Played], rows: dict[str, Row]) -> None:
        self.s, self.played, self.rows = s, played, rows
        self.known: dict[str, Callable[[Sequence[str]], dict[str, Value] | None]] = {
            name: self._asking(TIE_BREAKS[name]) for name in s.tie_breaks
        }

    def _asking(self, criterion: tie_breaks.TieBreak) -> Callable[[Sequence[str]], dict[str, Value] | None]:
        return lambda group: criterion(group, self.played, self.s.opened["lot"])

    def place(self, rows: Sequence[Row]) -> None:
        """Numbers the rows 1 2 2 4, and says what decided each against the next."""
        groups = self._parts(rows, lambda row: row.score, SCORE)
        ordered = [part for group, how in groups for part in self._split(group, how)]
        place = 1
        for number, (group, how) in enumerate(ordered):
            for row in group:
                row.place, row.decided_by = place, "shared"
            last = max(group, key=lambda row: row.member)  # the one that is listed before the next group
            last.decided_by = how if number + 1 < len(ordered) else None
            place += len(group)

    def _parts(
        self, rows: Sequence[Row], value: Callable[[Row], Any], how: str, low: bool = False
    ) -> list[tuple[list[Row], str]]:
        """Rows with equal values together, best first, each with what parts it from the next."""
        by_value: dict[Any, list[Row]] = {}
        for row in rows:
            by_value.setdefault(value(row), []).append(row)
        return [(by_value[each], how) for each in sorted(by_value, reverse=not low)]

    def _split(self, group: list[Row], how: str) -> list[tuple[list[Row], str]]:
        """The group in order. The last part is parted from what follows by `how`, as the group was."""
        if len(group) == 1:
            return [(group, how)]
        for name in self.s.tie_breaks:
            values = self.known[name]([row.member for row in group])
            if values is None:
                continue
            for row in group:
                row.ties[name] = values[row.member]
            low = tie_breaks.fewer_is_better(name, self.s.game.LOW_WINS)
            parts = self._parts(group, lambda row: row.ties[name], name, low)  # noqa: B023  called at once
            if len(parts) > 1:
                parts[-1] = (parts[-1][0], how)
                return [each for part, by in parts for each in self._split(part, by)]
        return [(group, how)]


def _global_values(order: _Order, rows: dict[str, Row]) -> None:
    """Values that do not depend on who is tied are shown for everybody."""
    for name in order.s.tie_breaks:
        if name in tie_breaks.OF_A_MEMBER:
            values = order.known[name](list(rows)) or {}
            for member, row in rows.items():
                row.ties[name] = values[member]


def history(s: Season) -> list[tuple[int, Standings]]:
    """The standings after each round in which something counts, for charts. What is in no round counts throughout."""
    played, rounds = _members(s, None), sorted({r.round for r in s.results.values() if r.round and not r.now.void})
    found = []
    for number in [0, *rounds]:
        for result in s.results.values():
            if (result.round or 0) == number:
                _add(s, played, result)
        if number:
            found.append((number, _table(s, played)))
    return found
