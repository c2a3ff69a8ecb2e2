"""What a season refuses, and by which name; nothing is half done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from domain import errors
from domain import season_errors as no
from domain.rules import OptionsError
from domain.season import Season
from domain.season_decide import (
    Caller,
    add_member,
    adjust,
    cancel_adjustment,
    change_scheme,
    claim_guest,
    close,
    open_season,
    remove_member,
    reopen,
    seat,
    seat_match,
)
from domain.season_results import Amended, confirm, correct, dispute, drop_deal, enter_deal, open_sheet, rule, submit
from domain.season_rounds import draw
from tests.domain.clubs import (
    DEAL,
    STRANGER,
    TALLY,
    at,
    by,
    closed,
    club,
    confirmed,
    deal,
    disputed,
    finished,
    playing,
    submitted,
    voided,
    with_sheet,
)
from tests.domain.seasons import LOT
from tests.domain.seasons import ORGANISER as BOSS

Attempt = Callable[[Season], object]
REFUSED: list[tuple[str, Callable[[], Season], Attempt, type[errors.RefusedError]]] = [
    ("a member adds a member", club, lambda s: add_member(s, by(0), "x"), no.NotOrganiserError),
    ("a member twice", club, lambda s: add_member(s, BOSS, "m0"), no.MemberTakenError),
    ("a player twice", club, lambda s: add_member(s, BOSS, "x", "p0"), no.MemberTakenError),
    ("an account claims a member who has one", club, lambda s: claim_guest(s, "m0", "x"), no.MemberTakenError),
    ("a member claims a guest", club, lambda s: claim_guest(s, "m7", "p0"), no.MemberTakenError),
    ("a guest of another season", club, lambda s: claim_guest(s, "x", "px"), no.NoSuchEntryError),
    ("another member is removed", club, lambda s: remove_member(s, by(0), "m1"), no.NotOrganiserError),
    ("a guest removed by nobody", club, lambda s: remove_member(s, Caller(None), "m7"), no.NotOrganiserError),
    ("a stranger removed", club, lambda s: remove_member(s, BOSS, "x"), no.NoSuchEntryError),
    ("a member draws", club, lambda s: draw(s, by(0), pairing="cyclic"), no.NotOrganiserError),
    ("the next round before the last result", with_sheet, lambda s: _draw(s), no.StillOpenError),
    ("a round that has begun drawn anew", playing, lambda s: _draw(s, first=1), no.StillOpenError),
    ("no design", finished, lambda s: draw(s, BOSS, pairing="cyclic", seats=4), no.NoDesignError),
    ("an absent stranger", finished, lambda s: _draw(s, absent=["x"]), no.NotMemberError),
    (
        "two tables at once",
        finished,
        lambda s: _by_hand(s, [["m0", "m1", "m2"], ["m2", "m3", "m4"]]),
        no.TwiceAtTableError,
    ),
    ("a foreign member at a table", finished, lambda s: _by_hand(s, [["m0", "m1", "x"]]), no.NotMemberError),
    ("a member changes the table", club, lambda s: seat(s, by(0), "1-1", at(0, 1, 2)), no.NotOrganiserError),
    ("a table that is none", club, lambda s: seat(s, BOSS, "9-9", at(0, 1, 2)), no.NoSuchEntryError),
    ("a table that is played", playing, lambda s: seat(s, BOSS, "1-1", at(0, 1, 2)), no.WrongStatusError),
    (
        "for one who is there",
        club,
        lambda s: seat(s, BOSS, "1-1", [*at(0, 1), {"member": "m2", "for": "m0"}]),
        no.TwiceAtTableError,
    ),
    (
        "one of another table",
        club,
        lambda s: seat(s, BOSS, "1-1", at(0, 1, 2, 4)),
        no.TwiceAtTableError,
    ),
    (
        "a substitute for a stranger",
        club,
        lambda s: seat(s, BOSS, "1-1", [*at(0, 1), {"member": "m2", "for": "x"}]),
        no.NotMemberError,
    ),
    (
        "two for one",
        club,
        lambda s: seat(s, BOSS, "1-1", [{"member": f"m{n}", "for": "m3"} for n in range(3)]),
        no.TwiceAtTableError,
    ),
    ("a match with a guest", club, lambda s: seat_match(s, by(4), "1-2", "x"), no.GuestAtTableError),
    ("a match at another's table", club, lambda s: seat_match(s, by(4), "1-1", "x"), no.NotAtTableError),
    ("a second match at a table", playing, lambda s: seat_match(s, by(0), "1-1", "x"), no.WrongStatusError),
    (
        "a sheet where a match is played",
        playing,
        lambda s: open_sheet(s, by(0), "x", at(0, 1, 2), "1-1"),
        no.WrongStatusError,
    ),
    ("a sheet of others", club, lambda s: open_sheet(s, by(0), "x", at(1, 2, 3)), no.NotAtTableError),
    ("a sheet by a stranger", club, lambda s: open_sheet(s, STRANGER, "x", at(1, 2, 3)), no.NotAtTableError),
    (
        "a sheet with a foreign member",
        club,
        lambda s: open_sheet(s, by(0), "x", [*at(0, 1), {"member": "x"}]),
        no.NotMemberError,
    ),
    ("a sheet with one twice", club, lambda s: open_sheet(s, by(0), "x", at(0, 1, 1)), no.TwiceAtTableError),
    (
        "a sheet of a table he is not drawn to",
        club,
        lambda s: open_sheet(s, by(4), "x", at(0, 1, 4), "1-1"),
        no.TwiceAtTableError,
    ),
    ("the same sheet twice", with_sheet, lambda s: open_sheet(s, by(0), "sh", at(0, 1, 2)), no.WrongStatusError),
    ("a deal by another table", with_sheet, lambda s: enter_deal(s, by(4), "sh", DEAL), no.NotAtTableError),
    ("a deal on a submitted sheet", submitted, lambda s: enter_deal(s, by(0), "sh", DEAL), no.WrongStatusError),
    ("a deal dropped from it", submitted, lambda s: drop_deal(s, by(0), "sh"), no.WrongStatusError),
    ("submitted twice", submitted, lambda s: submit(s, by(1), "sh"), no.WrongStatusError),
    ("an empty sheet dropped from", club, lambda s: _empty(s, drop_deal), no.WrongStatusError),
    ("an empty sheet submitted", club, lambda s: _empty(s, submit), no.WrongStatusError),
    ("one's own sheet confirmed", submitted, lambda s: confirm(s, by(0), "sh"), no.OwnResultError),
    (
        "his own by an organiser who sits there",
        submitted,
        lambda s: confirm(s, Caller("p0", True), "sh"),
        no.OwnResultError,
    ),
    ("confirmed from another table", submitted, lambda s: confirm(s, by(4), "sh"), no.NotAtTableError),
    ("confirmed twice", confirmed, lambda s: confirm(s, by(2), "sh"), no.WrongStatusError),
    ("confirmed before it is submitted", with_sheet, lambda s: confirm(s, by(1), "sh"), no.WrongStatusError),
    ("a disputed one confirmed", disputed, lambda s: confirm(s, by(1), "sh"), no.WrongStatusError),
    ("disputed by another table", confirmed, lambda s: dispute(s, by(4), "sh", "n"), no.NotAtTableError),
    ("disputed twice", disputed, lambda s: dispute(s, by(1), "sh", "n"), no.WrongStatusError),
    ("a member rules", disputed, lambda s: rule(s, by(0), "sh", "confirm", "n"), no.NotOrganiserError),
    ("a ruling without a dispute", confirmed, lambda s: rule(s, BOSS, "sh", "void", "n"), no.WrongStatusError),
    ("a ruling on nothing", club, lambda s: rule(s, BOSS, "x", "void", "n"), no.NoSuchEntryError),
    ("a member corrects", confirmed, lambda s: correct(s, by(0), "sh", Amended(void=True), "n"), no.NotOrganiserError),
    (
        "a void one corrected",
        voided,
        lambda s: correct(s, BOSS, "sh", Amended(points=[0] * 4), "n"),
        no.WrongStatusError,
    ),
    (
        "a correction of a correction",
        confirmed,
        lambda s: correct(s, BOSS, "12", Amended(void=True), "n"),
        no.NoSuchEntryError,
    ),
    (
        "an unconfirmed sheet corrected",
        submitted,
        lambda s: correct(s, BOSS, "sh", Amended(void=True), "n"),
        no.NoSuchEntryError,
    ),
    ("a member punishes", club, lambda s: adjust(s, by(0), "a", "m1", "penalty", -1, "n"), no.NotOrganiserError),
    ("a stranger punished", club, lambda s: adjust(s, BOSS, "a", "x", "penalty", -1, "n"), no.NoSuchEntryError),
    ("an adjustment cancelled that is none", club, lambda s: cancel_adjustment(s, BOSS, "a"), no.NoSuchEntryError),
    ("closed with a sheet waiting", submitted, lambda s: close(s, BOSS), no.StillOpenError),
    ("closed with a table not played", confirmed, lambda s: close(s, BOSS), no.StillOpenError),
    ("closed with a dispute", disputed, lambda s: close(s, BOSS), no.StillOpenError),
    ("closed by a member", finished, lambda s: close(s, by(0)), no.NotOrganiserError),
    ("closed twice", closed, lambda s: close(s, BOSS), no.SeasonClosedError),
    ("an open one reopened", finished, lambda s: reopen(s, BOSS, "n"), no.WrongStatusError),
    ("a sheet after the end", closed, lambda s: open_sheet(s, by(0), "x", at(0, 1, 2)), no.SeasonClosedError),
    ("a member after the end", closed, lambda s: add_member(s, BOSS, "x"), no.SeasonClosedError),
    ("a round after the end", closed, lambda s: _draw(s), no.SeasonClosedError),
    (
        "another scheme after the end",
        closed,
        lambda s: change_scheme(s, BOSS, {"kind": "raw"}, None, "n"),
        no.SeasonClosedError,
    ),
    ("a dispute after the end", closed, lambda s: dispute(s, by(0), "sh", "n"), no.SeasonClosedError),
]


def _draw(s: Season, **more: Any) -> object:
    return draw(s, BOSS, pairing="spread", seats=4, seed="s", **more)


def _by_hand(s: Season, tables: list[list[str]]) -> object:
    return draw(s, BOSS, pairing="manual", tables=tables)


def _empty(s: Season, attempt: Callable[[Season, Caller, str], None]) -> None:
    open_sheet(s, by(0), "empty", at(0, 1, 2))
    s.fresh.clear()
    attempt(s, by(0), "empty")


@pytest.mark.parametrize(("case", "start", "attempt", "refusal"), REFUSED, ids=[case[0] for case in REFUSED])
def test_refused_by_name_and_nothing_recorded(
    case: str, start: Callable[[], Season], attempt: Attempt, refusal: type[errors.RefusedError]
) -> None:
    s = start()
    s.fresh.clear()
    with pytest.raises(refusal) as refused:
        attempt(s)
    assert type(refused.value) is refusal
    assert s.fresh == []


FAULTS: list[tuple[str, Callable[[], Season], Attempt, str]] = [
    ("no such game", club, lambda s: _opened(game="whist"), "game"),
    ("no such variant", club, lambda s: _opened(game="polignac", variant="x"), "variant"),
    ("no such option", club, lambda s: _opened(game="polignac", options={"x": 1}), "options.x"),
    ("no such scheme", club, lambda s: _opened(game="polignac", scheme={"kind": "x"}), "scheme.kind"),
    ("no such tie-break", club, lambda s: _opened(game="polignac", tie_breaks=["x"]), "tie_breaks"),
    ("a tie-break twice", club, lambda s: _opened(game="polignac", tie_breaks=["wins", "wins"]), "tie_breaks"),
    ("no such pairing", finished, lambda s: draw(s, BOSS, pairing="x"), "pairing"),
    ("tables of two", finished, lambda s: draw(s, BOSS, pairing="swiss", seats=2, seed="s"), "seats"),
    ("no seed", finished, lambda s: draw(s, BOSS, pairing="spread"), "seed"),
    ("manual without tables", finished, lambda s: draw(s, BOSS, pairing="manual"), "tables"),
    ("many swiss rounds", finished, lambda s: draw(s, BOSS, pairing="swiss", seed="s", rounds=2), "rounds"),
    ("a round too far", finished, lambda s: _draw(s, first=3), "first"),
    ("no table at all", finished, lambda s: _by_hand(s, []), "tables"),
    ("too few are there", finished, lambda s: _draw(s, absent=[f"m{n}" for n in range(6)]), "tables"),
    ("a table of two by hand", finished, lambda s: _by_hand(s, [["m0", "m1"]]), "members"),
    ("a sheet of two", club, lambda s: open_sheet(s, by(0), "x", at(0, 1)), "members"),
    (
        "a time without a zone",
        club,
        lambda s: open_sheet(s, by(0), "x", at(0, 1, 2), played_at="2026-01-01T10:00"),
        "played_at",
    ),
    ("no time", club, lambda s: open_sheet(s, by(0), "x", at(0, 1, 2), played_at="soon"), "played_at"),
    (
        "a jack taken by nobody here",
        with_sheet,
        lambda s: enter_deal(s, by(0), "sh", deal(taken={**TALLY["taken"], "JS": 4})),
        "tally.taken.JS",
    ),
    (
        "three jacks",
        with_sheet,
        lambda s: enter_deal(s, by(0), "sh", deal(taken={"JS": 0, "JH": 1, "JD": 1})),
        "tally.taken.JC",
    ),
    ("a dealer who is not there", with_sheet, lambda s: enter_deal(s, by(0), "sh", {**DEAL, "dealer": 4}), "dealer"),
    ("a misdeal with a tally", with_sheet, lambda s: enter_deal(s, by(0), "sh", {**DEAL, "void": True}), "void"),
    ("neither", with_sheet, lambda s: enter_deal(s, by(0), "sh", {"dealer": 0}), "void"),
    ("something else", with_sheet, lambda s: enter_deal(s, by(0), "sh", {**DEAL, "note": "x"}), "note"),
    ("no such outcome", disputed, lambda s: rule(s, BOSS, "sh", "x", "n"), "outcome"),
    ("corrected to nothing", disputed, lambda s: rule(s, BOSS, "sh", "correct", "n"), "outcome"),
    ("points for three", confirmed, lambda s: correct(s, BOSS, "sh", Amended(points=[1, 2, 3]), "n"), "points"),
    (
        "points that are none",
        confirmed,
        lambda s: correct(s, BOSS, "sh", Amended(points=[1, 2, 3, True]), "n"),
        "points",
    ),
    ("points and void", confirmed, lambda s: correct(s, BOSS, "sh", Amended(points=[0] * 4, void=True), "n"), "points"),
    ("no correction", confirmed, lambda s: correct(s, BOSS, "sh", Amended(), "n"), "points"),
    ("a positive penalty", club, lambda s: adjust(s, BOSS, "a", "m0", "penalty", 60, "n"), "points"),
    ("a bonus of nothing", club, lambda s: adjust(s, BOSS, "a", "m0", "bonus", 0, "n"), "points"),
    ("a fine", club, lambda s: adjust(s, BOSS, "a", "m0", "fine", -60, "n"), "kind"),
]


def _opened(**asked: Any) -> None:
    open_season(Season("x"), BOSS, league="l", lot=LOT, **asked)


@pytest.mark.parametrize(("case", "start", "attempt", "field"), FAULTS, ids=[case[0] for case in FAULTS])
def test_refused_by_the_name_of_the_field(case: str, start: Callable[[], Season], attempt: Attempt, field: str) -> None:
    s = start()
    s.fresh.clear()
    with pytest.raises(OptionsError) as refused:
        attempt(s)
    assert field in refused.value.errors
    assert s.fresh == []
