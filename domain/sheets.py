"""Score sheets: what the deals written on paper are worth, by the same `score`, totals and places as a match.

A sheet is folded like a match of which only the scores are known, so an end by target or deals, tie-break deals and
shared places are those of the game. Read beside it: match.py (`_scored`), house.py (`places`), tallies.py.

    filled = sheet(game, options, 4, [{"dealer": 0, "tally": {…}}, {"dealer": 1, "void": True}])  # or OptionsError
    filled.deals[0].points; filled.deals[0].totals; filled.totals; filled.places; filled.over
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from domain import house
from domain.event import Event
from domain.match import Match, apply
from domain.paper import Paper, by_shape
from domain.rules import Game, OptionsError, Tally
from domain.secrecy import options_json
from domain.tallies import Faults, field_faults

MOST_DEALS = 200


@dataclass(frozen=True, slots=True)
class DealOnPaper:
    """One deal of a sheet. A void one (misdeal) has no points; `totals` are those after it, by seat."""

    number: int  # from 1, misdeals counted
    dealer: int
    void: bool
    extra: bool  # a tie-break deal; where it is among the tied only, its points are not in the totals
    lines: list[dict[str, Any]]
    points: list[int] | None
    totals: list[int]


@dataclass(frozen=True, slots=True)
class Filled:
    """A sheet worked out: `places` are those that the totals make now; `over` says why the match has ended, or None."""

    deals: list[DealOnPaper]
    totals: list[int]
    places: list[int]
    over: str | None


def sheet(game: Game, options: Any, seats: int, entries: Sequence[Mapping[str, Any]]) -> Filled:
    """The sheet with these deals: {"dealer", "tally"} or {"dealer", "void": true}. Raises OptionsError by field.

    `dealer` may be left out: the seat after the last one, or 0; after a misdeal the same seat deals again.
    """
    if len(entries) > MOST_DEALS:
        raise OptionsError({"deals": f"a sheet holds {MOST_DEALS} deals"})
    m = _blank(game, options, seats)
    deals: list[DealOnPaper] = []
    for at, entry in enumerate(entries):
        faults = _entry_faults(m, entry) or _tally_faults(m, entry)
        if faults:
            raise OptionsError({f"deals.{at}.{name}".rstrip("."): what for name, what in faults.items()})
        deals.append(_entered(m, entry, at + 1, _dealer(deals, entry, seats)))
    return Filled(deals, m.totals[:], house.places(m), m.verdict if _due(m) is None else None)


def _blank(game: Game, options: Any, seats: int) -> Match:
    m = Match("paper")
    opened: dict[str, Any] = {
        "game": game.id, "options": options_json(options), "seats": [{} for _ in range(seats)], "host": None,
        "clock": None, "fair": False,
    }  # fmt: skip
    apply(m, Event("opened", opened, 1))
    return m


def _due(m: Match) -> house.Due | None:
    """The deal that may be entered now, or None when the match is over."""
    return house.next_deal(m)


def _entry_faults(m: Match, entry: Any) -> Faults:
    if not isinstance(entry, Mapping):
        return {"": "a deal has dealer, and tally or void"}
    faults = {str(name): "is none of dealer, tally, void" for name in entry if name not in ("dealer", "tally", "void")}
    dealer, void = entry.get("dealer", 0), entry.get("void", False)
    if type(dealer) is not int or dealer not in range(len(m.seats)):
        faults["dealer"] = f"the table has seats 0 to {len(m.seats) - 1}"
    if type(void) is not bool or void == ("tally" in entry):
        faults["void"] = "a deal has a tally, or is a misdeal with void: true"
    if _due(m) is None:
        faults[""] = f"the match was over before this deal ({m.verdict})"
    return faults


def _tally_faults(m: Match, entry: Mapping[str, Any]) -> Faults:
    seats, extra = _due(m) or ([], False)
    if "tally" not in entry:
        return {}
    options = m.game.for_extra(m.options) if extra else m.options
    faults = check(m.game, options, seats, len(m.seats), entry["tally"])
    return {f"tally.{name}".rstrip("."): what for name, what in faults.items()}


def _dealer(deals: Sequence[DealOnPaper], entry: Mapping[str, Any], seats: int) -> int:
    last = deals[-1] if deals else None
    usual = 0 if last is None else last.dealer if last.void else (last.dealer + 1) % seats
    return int(entry.get("dealer", usual))


def _entered(m: Match, entry: Mapping[str, Any], number: int, dealer: int) -> DealOnPaper:
    if "tally" not in entry:
        return DealOnPaper(number, dealer, True, False, [], None, m.totals[:])
    seats, extra = _due(m) or ([], False)
    options = m.game.for_extra(m.options) if extra else m.options
    lines = m.game.score(options, seats, entry["tally"])
    points = [sum(worth for who, _, worth in lines if who == seat) for seat in range(len(m.seats))]
    m.dealt = {"extra": extra}  # whose places house.py asks for
    data = {"extra": extra, "tally": entry["tally"], "points": points, "seats": seats}
    apply(m, Event("scored", data, m.version + 1))
    shown = [{"seat": seat, "reason": reason, "points": worth} for seat, reason, worth in lines if worth]
    return DealOnPaper(number, dealer, False, extra, shown, points, m.totals[:])


def on_paper(game: Game, options: Any, seats: int) -> Paper:
    """What is written down after a deal of this game."""
    if game.paper:
        return cast(Paper, game.paper(options, seats))
    return by_shape(blank_tally(game, options, range(seats), seats), seats)


# What is no tally of this game


def check(game: Game, options: Any, playing: Sequence[int], seats: int, tally: Any) -> Faults:
    """What is impossible in a tally, by field; empty when a deal of `playing` at a table of `seats` can end with it."""
    if game.check:
        return game.check(options, list(playing), tally)
    faults = _unlike(blank_tally(game, options, playing, seats), tally)
    return faults or _indigestible(game, options, playing, tally)


def blank_tally(game: Game, options: Any, playing: Sequence[int], seats: int) -> Tally:
    """What a scorer would write before the first word: the shape of this game's tally."""
    seated = list(playing)
    return game.tally(game.deal(options, seated, seated[0], game.pack(options, seated), [0] * seats))


def _unlike(example: Tally, tally: Any) -> Faults:
    """A game that does not doubt tallies itself: the same fields, lists by seat as long, numbers where they are."""
    faults = field_faults(tally, list(example))
    return faults or {
        name: "is not of the kind of a tally" for name in example if not _alike(example[name], tally[name])
    }


def _alike(example: Any, given: Any) -> bool:
    if isinstance(example, list) and example:
        return (
            isinstance(given, list)
            and len(given) == len(example)
            and all(_alike(each, other) for each, other in zip(example, given, strict=True))
        )
    return example is None or type(given) is type(example)


def _indigestible(game: Game, options: Any, playing: Sequence[int], tally: Tally) -> Faults:
    try:
        lines = game.score(options, list(playing), tally)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        return {"": f"cannot be scored: {error!r:.80}"}
    fits = all(seat in playing and type(points) is int for seat, _, points in lines)
    return {} if fits else {"": "cannot be scored in whole points for these seats"}
