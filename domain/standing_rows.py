"""Standings and their history as they are stored and served: JSON, members by id. Beside it: standings.py.

A number of points is there twice: for reading, with six decimals at most, and exactly, as a whole number or a fraction.

    table(season, standings(season))["rows"][0]   # {"place": 1, "member": …, "points": 12.5, "exact": "25/2", …}
    series(season)                                # points and places after each round, by member
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from domain.event import Event
from domain.season import Season
from domain.standings import Row, Standings, history, standings

PLACES = 6  # decimals of a number that is no whole one


def number(value: int | Fraction) -> int | float:
    """A number for reading."""
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else round(float(exact), PLACES)


def table(s: Season, found: Standings) -> dict[str, Any]:
    """The whole table. A closed season's is the last of its revisions."""
    return {
        "season": s.id,
        "version": s.version,
        "revision": len(s.revisions) if s.status == "closed" else None,
        "revisions": len(s.revisions),
        "scheme": s.scheme["kind"],
        "drop_worst": s.scheme["drop_worst"],
        "min_results": s.scheme["min_results"],
        "tie_breaks": s.tie_breaks,
        "lot": s.opened["lot"],
        "provisional": found.provisional,
        "final": found.final,
        "open": found.open,
        "rows": [_row(s, row) for row in found.rows],
    }


def current(s: Season, events: Sequence[Event]) -> dict[str, Any]:
    """The table as it stands, and the id of the note that says why this revision differs from the one before."""
    note = events[s.revisions[-1] - 1].data.get("note") if s.status == "closed" else None
    return {**table(s, standings(s)), "note": note}


def _row(s: Season, row: Row) -> dict[str, Any]:
    return {
        "place": row.place,
        "member": row.member,
        **_points(row.score),
        "results": row.results,
        "places": row.places,
        "adjustments": number(row.adjustments),
        "dropped": row.dropped,
        "ties": [
            {"criterion": name, "value": number(row.ties[name]), "exact": str(row.ties[name])}
            for name in s.tie_breaks
            if name in row.ties
        ],
        "decided_by": row.decided_by,
    }


def _points(score: Fraction | None) -> dict[str, Any]:
    """0 is a score; nothing played is none."""
    return {"points": None if score is None else number(score), "exact": None if score is None else str(score)}


def series(s: Season) -> dict[str, Any]:
    """After each round in which something counts: every member's points and place, in the order of the last table."""
    rounds = history(s)
    by_round = [{row.member: row for row in found.rows} for _, found in rounds]
    members = [row.member for row in rounds[-1][1].rows] if rounds else []
    return {
        "rounds": [number for number, _ in rounds],
        "members": [_series(member, [found.get(member) for found in by_round]) for member in members],
    }


def _series(member: str, rows: list[Row | None]) -> dict[str, Any]:
    points = [_points(row.score if row else None) for row in rows]
    return {
        "member": member,
        "places": [row.place if row else None for row in rows],
        "points": [each["points"] for each in points],
        "exact": [each["exact"] for each in points],
    }
