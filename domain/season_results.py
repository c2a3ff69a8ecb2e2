"""Results of a season: score sheets, who confirms them, disputes and rulings, matches, corrections.

A sheet counts when somebody else than its submitter confirms it; then `result_recorded` follows in the same decision.
All points of a season come from `result_recorded` and `corrected` alone. Read beside it: season_decide.py, sheets.py.

    open_sheet(s, who, "sh1", [{"member": "me1"}, {"member": "me2"}, {"member": "me3", "for": "me4"}], table="1-2")
    enter_deal(s, who, "sh1", {"dealer": 0, "tally": {…}}, expected=0)      # expected: the deals that the caller saw
    submit(s, who, "sh1"); confirm(s, other, "sh1")
    record_match(s, "m9", "1-3", points=[3, 2, 0], places=[3, 2, 1], ended_at="2026-03-01T22:10:00+00:00")
    correct(s, organiser, "sh1", Amended(points=[3, 2, 1]), note="n5")
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain import cells, sheets
from domain.event import StaleVersionError
from domain.rules import OptionsError
from domain.season import Result, Season, Sheet, Sitting, emit
from domain.season_decide import Caller, at_table, entry, line_up, members_at, organiser, running, time_text, unplayed
from domain.season_errors import OwnResultError, TwiceAtTableError, WrongStatusError

OUTCOMES = ("confirm", "void", "correct")
MOST_POINTS = 10**6  # game points of a seat in a result


@dataclass(frozen=True, slots=True)
class Amended:
    """What a result ought to be: the deals of its sheet written anew, or the points by seat, or nothing (void)."""

    deals: Sequence[Mapping[str, Any]] | None = None
    points: Sequence[int] | None = None
    void: bool = False


# Score sheets


def open_sheet(
    s: Season,
    who: Caller,
    sheet: str,
    members: Iterable[Mapping[str, str]],
    table: str | None = None,
    played_at: str | None = None,
) -> None:
    """A sheet of a table of the draw (absent ones left out), or of any members who met. Times are ISO with a zone."""
    running(s)
    seats = line_up(s, members)
    if sheet in s.sheets or sheet in s.results:
        raise WrongStatusError(f"sheet {sheet} is open already", state="open")
    at_table(s, who, seats)
    if table is not None:
        drawn = entry(s.tables, "table", table)
        unplayed(drawn)
        _drawn_here(drawn.seats, seats)
    emit(
        s, "sheet_opened", sheet=sheet, table=table, members=[sitting.json() for sitting in seats], by=who.player,
        played_at=time_text("played_at", played_at),
    )  # fmt: skip


def _drawn_here(drawn: Iterable[Sitting], seats: Iterable[Sitting]) -> None:
    known = members_at(drawn)
    others = [sitting.credited for sitting in seats if sitting.credited not in known]
    if others:
        raise TwiceAtTableError(f"not drawn to this table, nor sitting for one who is: {others[0]}", members=others)


def preview(s: Season, members: int, deals: Sequence[Mapping[str, Any]]) -> sheets.Filled:
    """What a sheet of so many seats would come to; nothing is recorded. Raises OptionsError by field."""
    return _read(s, members, deals)[1]


def _read(s: Season, members: int, deals: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], sheets.Filled]:
    """The deals with their tallies, wherever they came as cells, and what they come to."""
    if members not in s.sizes:
        raise OptionsError({"members": f"a table has {', '.join(map(str, s.sizes))} seats, not {members}"})
    options = s.options(members)
    written = cells.with_tallies(sheets.on_paper(s.game, options, members), members, deals)
    with cells.said_by_cell(deals):
        return written, sheets.sheet(s.game, options, members, written)


def filled(s: Season, sheet: str) -> sheets.Filled:
    """The sheet worked out as it stands."""
    found = entry(s.sheets, "sheet", sheet)
    return preview(s, len(found.seats), found.deals)


def enter_deal(s: Season, who: Caller, sheet: str, deal: Mapping[str, Any], expected: int | None = None) -> None:
    """One deal more. `expected`: how many the caller saw; raises StaleVersionError when there are others by now."""
    number = len(_writing(s, who, sheet, expected).deals)
    try:
        enter_deals(s, who, sheet, [deal])
    except OptionsError as error:  # by the field of this deal alone
        last = f"deals.{number}."
        raise OptionsError({name.removeprefix(last): what for name, what in error.errors.items()}) from None


def enter_deals(s: Season, who: Caller, sheet: str, deals: Sequence[Mapping[str, Any]]) -> None:
    """Several at once."""
    found = _writing(s, who, sheet, None)
    written, worked_out = _read(s, len(found.seats), [*found.deals, *deals])
    for deal, each in list(zip(written, worked_out.deals, strict=True))[len(found.deals) :]:
        emit(s, "deal_entered", sheet=sheet, number=each.number, deal={**deal, "dealer": each.dealer}, by=who.player)


def drop_deal(s: Season, who: Caller, sheet: str, expected: int | None = None) -> None:
    found = _writing(s, who, sheet, expected)
    if not found.deals:
        raise WrongStatusError("no deal is written down", state=found.status)
    emit(s, "deal_dropped", sheet=sheet, number=len(found.deals), by=who.player)


def _writing(s: Season, who: Caller, sheet: str, expected: int | None) -> Sheet:
    found = entry(s.sheets, "sheet", sheet)
    at_table(s, who, found.seats)
    running(s)
    if found.status != "open":
        raise WrongStatusError(f"the sheet is {found.status}; nothing is written on it any more", state=found.status)
    if expected is not None and expected != len(found.deals):
        raise StaleVersionError(sheet, expected, len(found.deals))
    return found


def submit(s: Season, who: Caller, sheet: str, expected: int | None = None) -> None:
    """The sheet is finished: what it comes to is recorded, and waits for somebody else's word."""
    found = _writing(s, who, sheet, expected)
    worked_out = preview(s, len(found.seats), found.deals)
    if all(deal.void for deal in worked_out.deals):
        raise WrongStatusError("a sheet without a deal is no result; an organiser may void it", state=found.status)
    emit(s, "submitted", sheet=sheet, points=worked_out.totals, places=worked_out.places, by=who.player)


@dataclass(frozen=True, slots=True)
class Written:
    """A sheet that comes as a whole."""

    members: Sequence[Mapping[str, str]]
    deals: Sequence[Mapping[str, Any]]
    table: str | None = None
    played_at: str | None = None


def write_sheet(
    s: Season, who: Caller, sheet: str, written: Written, *, submit_it: bool = False, confirm_it: bool = False
) -> None:
    """Opened, written and, where it is asked for, submitted and confirmed, in one decision."""
    open_sheet(s, who, sheet, written.members, written.table, written.played_at)
    enter_deals(s, who, sheet, written.deals)
    if submit_it or confirm_it:
        submit(s, who, sheet)
    if confirm_it:
        confirm(s, who, sheet)


# A second word


def confirm(s: Season, who: Caller, result: str) -> None:
    """By a second member of the table, or an organiser; one who sits there is a member like any other."""
    found = entry(s.sheets, "sheet", result)
    at_table(s, who, found.seats)
    running(s)
    if found.status != "submitted":
        raise WrongStatusError(f"the sheet is {found.status}", state=found.status)
    sits_there = s.member_of(who.player) in [sitting.member for sitting in found.seats]
    if who.player == found.submitted_by and (sits_there or not who.organises):
        raise OwnResultError("a second member of the table, or an organiser, confirms this")
    emit(s, "confirmed", result=result, by=who.player)
    _record_sheet(s, found, found.points, found.places)


def _record_sheet(s: Season, sheet: Sheet, points: list[int], places: list[int]) -> None:
    emit(
        s, "result_recorded", result=sheet.id, source="sheet", table=sheet.table, points=points, places=places,
        members=[sitting.json() for sitting in sheet.seats],
        ended_at=sheet.played_at.isoformat() if sheet.played_at else None,
    )  # fmt: skip


def dispute(s: Season, who: Caller, result: str, note: str) -> None:
    """A member of the table says it is wrong, before or after it counts. An organiser rules."""
    sheet, recorded = s.sheets.get(result), s.results.get(result)
    about = recorded or entry(s.sheets, "result", result)
    at_table(s, who, about.seats)
    running(s)
    status = recorded.status if recorded else sheet.status if sheet else ""
    if status not in ("submitted", "confirmed"):
        raise WrongStatusError(f"the result is {status}", state=status)
    emit(s, "disputed", result=result, by=who.player, note=note)


def rule(s: Season, who: Caller, result: str, outcome: str, note: str, amended: Amended | None = None) -> None:
    """An organiser settles a sheet that waits, or a dispute: `confirm`, `void`, or `correct` to what is given."""
    organiser(who)
    running(s)
    if outcome not in OUTCOMES:
        raise OptionsError({"outcome": f"{outcome!r:.40} is none of {', '.join(OUTCOMES)}"})
    if (outcome == "correct") != (amended is not None and not amended.void):
        raise OptionsError({"outcome": "correct, and only correct, comes with deals or points"})
    recorded, sheet = s.results.get(result), s.sheets.get(result)
    if recorded:
        return _rule_on_result(s, who, recorded, outcome, note, amended)
    found = sheet or entry(s.sheets, "result", result)
    return _rule_on_sheet(s, who, found, outcome, note, amended)


def _rule_on_result(s: Season, who: Caller, result: Result, outcome: str, note: str, amended: Amended | None) -> None:
    if result.status != "disputed":
        raise WrongStatusError(f"the result is {result.status}; use a correction", state=result.status)
    worth = _amended(s, result, amended) if amended else None
    emit(s, "ruled", result=result.id, outcome=outcome, by=who.player, note=note)
    if worth:
        _correct(s, who, result, *worth, note)
    elif outcome == "void":
        _correct(s, who, result, None, None, note)


def _rule_on_sheet(s: Season, who: Caller, sheet: Sheet, outcome: str, note: str, amended: Amended | None) -> None:
    if sheet.status == "void" or (sheet.status == "open" and outcome != "void"):
        raise WrongStatusError(f"the sheet is {sheet.status}", state=sheet.status)
    points, places = _amended(s, sheet, amended) if amended else (sheet.points, sheet.places)
    emit(s, "ruled", result=sheet.id, outcome=outcome, by=who.player, note=note)
    if outcome != "void" and points is not None and places is not None:
        _record_sheet(s, sheet, points, places)


# Matches played here: what the worker calls, once or twice, in any order


def record_match(
    s: Season, match: str, table: str, points: Sequence[int], places: Sequence[int], ended_at: str | None
) -> None:
    """The match of a table has ended. Does nothing the second time, or when the table was given up meanwhile."""
    found = s.tables.get(table)
    if match in s.results or found is None or found.match != match or found.status != "open":
        return
    emit(
        s, "result_recorded", result=match, source="match", table=table, points=list(points), places=list(places),
        members=[sitting.json() for sitting in found.seats], ended_at=time_text("ended_at", ended_at),
    )  # fmt: skip


def void_match(s: Season, match: str, by: str | None = None, note: str | None = None) -> None:
    """The match was voided. A result is reversed; a table without one waits again. Nothing the second time."""
    result = s.results.get(match)
    if result and not result.now.void:
        _correct(s, Caller(by), result, None, None, note)
    for table in s.tables.values():
        if result is None and table.match == match and table.status == "open":
            members = [sitting.json() for sitting in table.seats]
            emit(s, "seated", table=table.id, members=members, match=None, by=by)
            return


# Corrections


def correct(s: Season, who: Caller, result: str, amended: Amended, note: str) -> None:
    """Another version of a result, also after the season closed; what was void stays void."""
    organiser(who)
    found = entry(s.results, "result", result)
    if found.now.void:
        raise WrongStatusError("the result is void, and stays so", state="void")
    _correct(s, who, found, *_amended(s, found, amended), note)


def _correct(
    s: Season, who: Caller, result: Result, points: list[int] | None, places: list[int] | None, note: str | None
) -> None:
    emit(s, "corrected", result=result.id, points=points, places=places, by=who.player, note=note)


def _amended(s: Season, about: Result | Sheet, amended: Amended) -> tuple[list[int] | None, list[int] | None]:
    given = [amended.deals is not None, amended.points is not None, amended.void]
    if given.count(True) != 1:
        raise OptionsError({"points": "exactly one of deals, points and void"})
    if amended.void:
        return None, None
    seats = len(about.seats)
    if amended.deals is not None:
        worked_out = preview(s, seats, amended.deals)
        return worked_out.totals, worked_out.places
    points = list(amended.points or ())
    if len(points) != seats or not all(type(each) is int and abs(each) <= MOST_POINTS for each in points):
        raise OptionsError({"points": f"a list by seat of {seats} whole numbers, {MOST_POINTS} at most"})
    return points, by_points(points, s.game.LOW_WINS)


def by_points(points: Sequence[int], low_wins: bool) -> list[int]:
    """Places by seat; equal points share: 1 2 2 4."""
    signed = [each if low_wins else -each for each in points]
    return [1 + sum(other < own for other in signed) for own in signed]
