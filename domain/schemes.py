"""What a result is worth to each seat, in whole units of 1/60 point, so that places shared by 2 to 6 split exactly.

A scheme is JSON, recorded in full when a season opens: {"kind", "points": {"4": [10, 6, 3, 1], …}, "drop_worst",
"min_results"}. Read beside it: standings.py (drops and averages are made when reading), season_scoring.py (the ledger).

    scheme = complete({"kind": "places"})                       # raises OptionsError by field
    worth(scheme, points=[3, 2, 0, 0], places=[4, 3, 1, 1], low_wins=True)   # [60, 180, 480, 480] in 1/60 points
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, TypeAlias

from domain.rules import OptionsError

Scheme: TypeAlias = dict[str, Any]

SCALE = 60  # units a point
KINDS = ("raw", "places", "wins", "average")
PLACE_POINTS = {  # the same mean at every size of table
    "2": [8, 2],
    "3": [9, 5, 1],
    "4": [10, 6, 3, 1],
    "5": [10, 7, 5, 2, 1],
    "6": [11, 8, 5, 3, 2, 1],
}
MOST = 1000  # points for a place, and results that may be dropped or asked for
MOST_POINTS = 10**9  # of an adjustment
MOST_CHARACTERS = 25  # of a number


def complete(given: Mapping[str, Any]) -> Scheme:
    """The whole scheme: what was given, and the defaults. Raises OptionsError that names each field at fault."""
    faults = {f"scheme.{name}": "no such part of a scheme" for name in set(given) - set(_FAULTS)}
    faults |= {f"scheme.{name}": what for name, fault in _FAULTS.items() if (what := fault(given.get(name)))}
    kind = given.get("kind")
    if kind == "average" and not given.get("min_results"):
        faults["scheme.min_results"] = "an average needs a least number of results, from 1"
    if kind != "places" and given.get("points") is not None:
        faults["scheme.points"] = "only the scheme places has points for places"
    if faults:
        raise OptionsError(faults)
    scheme = {"kind": kind, "drop_worst": given.get("drop_worst") or 0, "min_results": given.get("min_results") or 1}
    return {**scheme, "points": {**PLACE_POINTS, **(given.get("points") or {})}} if kind == "places" else scheme


def _kind_fault(kind: Any) -> str | None:
    return None if kind in KINDS else f"{kind!r} is none of {', '.join(KINDS)}"


def _count_fault(value: Any) -> str | None:
    if value is None or (type(value) is int and 0 <= value <= MOST):
        return None
    return f"{value!r} is no whole number from 0 to {MOST}"


def _points_fault(points: Any) -> str | None:
    if points is None:
        return None
    if not isinstance(points, dict) or not set(points) <= set(PLACE_POINTS):
        return f"the points for places stand by size of table: {', '.join(PLACE_POINTS)}"
    wrong = [size for size, row in points.items() if not _is_row(row, int(size))]
    return f"{', '.join(wrong)}: one whole number a place, none higher than the one before" if wrong else None


def _is_row(row: Any, size: int) -> bool:
    whole = isinstance(row, list) and len(row) == size and all(type(each) is int and abs(each) <= MOST for each in row)
    return whole and row == sorted(row, reverse=True)


_FAULTS = {"kind": _kind_fault, "drop_worst": _count_fault, "min_results": _count_fault, "points": _points_fault}


def worth(scheme: Scheme, points: Sequence[int], places: Sequence[int], low_wins: bool) -> list[int]:
    """What a result is worth, by seat, in units. More is better. Equal places (1 1 3 …) share exactly."""
    if scheme["kind"] in ("raw", "average"):
        return [(-SCALE if low_wins else SCALE) * each for each in points]
    row = scheme["points"][str(len(places))] if scheme["kind"] == "places" else [1] + [0] * (len(places) - 1)
    return [SCALE * sum(row[place - 1 : place - 1 + places.count(place)]) // places.count(place) for place in places]


def units(value: object) -> int:
    """Points as written (3, -2.5, "1/3") in units. Raises ValueError where they are no whole number of 1/60 points."""
    text = repr(value) if isinstance(value, float) else str(value)
    try:
        if len(text) > MOST_CHARACTERS:  # and an exponent may not make a number of a million digits
            raise ValueError
        exact = Fraction(Decimal(text) if isinstance(value, float) else text.lower().replace("e", "?")) * SCALE
    except (ValueError, InvalidOperation, OverflowError, ZeroDivisionError):
        raise ValueError(f"{text[:MOST_CHARACTERS]!r} is no number of points") from None
    if isinstance(value, bool) or exact.denominator != 1 or abs(exact) > MOST_POINTS * SCALE:
        raise ValueError(f"{text!r} is no whole number of 1/{SCALE} points")
    return int(exact)


def points(amount: int | Fraction) -> Fraction:
    """Units as exact points."""
    return Fraction(amount) / SCALE
