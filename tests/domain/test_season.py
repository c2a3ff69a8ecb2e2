"""A season decided: sheets, disputes, substitutes, late joiners, corrections after the end (C31, C37, C39)."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from domain.event import Event, StaleVersionError
from domain.rules import OptionsError
from domain.season import Season, fold
from domain.season_decide import (
    Caller,
    add_member,
    adjust,
    cancel_adjustment,
    claim_guest,
    close,
    remove_member,
    reopen,
    seat,
    seat_match,
)
from domain.season_results import (
    Amended,
    confirm,
    correct,
    dispute,
    drop_deal,
    enter_deal,
    filled,
    open_sheet,
    preview,
    record_match,
    rule,
    submit,
    void_match,
)
from domain.season_rounds import draw, past_of
from tests.domain.clubs import (
    DEAL,
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
from tests.domain.seasons import LOT, ORGANISER, record, season

STARTS: list[Callable[[], Season]] = [
    club, with_sheet, submitted, confirmed, disputed, finished, closed, playing, voided,
]  # fmt: skip


@pytest.mark.parametrize("start", STARTS)
def test_the_fold_of_the_events_is_the_season_that_decided(start: Callable[[], Season]) -> None:
    s = start()
    stored = [Event(e.type, json.loads(json.dumps(e.data)), e.version, e.at) for e in s.fresh]
    again, names = fold("se", stored), [name for name in Season.__slots__ if name not in ("fresh", "now", "game")]
    assert [getattr(again, name) for name in names] == [getattr(s, name) for name in names]


def test_everything_is_recorded_in_full_for_every_size_of_table() -> None:
    s = season(3, game="mykonos", options={"neutral": True})
    assert s.sizes == [2] and s.opened["given"] == {"neutral": True}
    s = season(3, game="bottle_imp")
    assert s.sizes == [3, 4] and [s.options(size).deals for size in s.sizes] == [6, 8]
    assert s.opened["scheme"]["points"] and s.opened["tie_breaks"] and s.opened["lot"] == LOT


def test_a_sheet_counts_once_a_second_member_has_confirmed_it() -> None:
    s = submitted()
    assert s.results == {} and s.open_work() == ["1-1", "1-2", "sh"]
    confirm(s, by(3), "sh")
    result = s.results["sh"]
    assert (result.now.points, result.now.places, result.round) == ([2, 2, 1, 0], [3, 3, 2, 1], 1)
    assert [event.type for event in s.fresh[-2:]] == ["confirmed", "result_recorded"]
    assert s.tables["1-1"].status == "done" and s.open_work() == ["1-2"]


def test_an_organiser_who_does_not_sit_there_confirms_what_he_wrote_himself() -> None:
    s = club()
    open_sheet(s, ORGANISER, "sh", at(4, 5, 6, 7), table="1-2")
    enter_deal(s, ORGANISER, "sh", DEAL)
    submit(s, ORGANISER, "sh")
    confirm(s, ORGANISER, "sh")
    assert s.results["sh"].status == "confirmed"


def test_two_phones_write_one_deal_and_one_drop_succeeds() -> None:
    s = with_sheet()
    enter_deal(s, by(1), "sh", DEAL, expected=1)
    with pytest.raises(StaleVersionError) as stale:
        enter_deal(s, by(2), "sh", DEAL, expected=1)
    assert stale.value.version == 2
    drop_deal(s, by(1), "sh", expected=2)
    with pytest.raises(StaleVersionError):
        drop_deal(s, by(2), "sh", expected=2)
    assert len(s.sheets["sh"].deals) == 1


def test_a_misdeal_scores_nothing_and_the_same_dealer_deals_again() -> None:
    s = with_sheet()
    enter_deal(s, by(0), "sh", {"dealer": 1, "void": True})
    enter_deal(s, by(0), "sh", {"tally": TALLY})
    assert [(deal.dealer, deal.points) for deal in filled(s, "sh").deals] == [
        (0, [2, 2, 1, 0]),
        (1, None),
        (1, [2, 2, 1, 0]),
    ]
    assert filled(s, "sh").totals == [4, 4, 2, 0]


def test_a_preview_computes_and_records_nothing() -> None:
    s = club()
    before = len(s.fresh)
    worked_out = preview(s, 4, [DEAL, DEAL])
    assert (worked_out.totals, worked_out.places, worked_out.over) == ([4, 4, 2, 0], [3, 3, 2, 1], None)
    assert len(s.fresh) == before


def test_no_deal_is_written_after_the_end_of_the_match_but_a_tie_break_deal_that_is_due() -> None:
    s = season(4, options={"deals": 1})
    tied = deal(taken={"JS": 2, "JH": 3, "JD": 2, "JC": 3})
    assert preview(s, 4, [DEAL]).over == "deals"
    with pytest.raises(OptionsError, match="over"):
        preview(s, 4, [DEAL, DEAL])
    assert preview(s, 4, [tied]).over is None
    again = preview(s, 4, [tied, deal(taken={"JS": 1, "JH": 1, "JD": 1, "JC": 1})])
    assert again.deals[1].extra and again.totals == [0, 0, 3, 2] and again.places == [1, 2, 4, 3]


@pytest.mark.parametrize("outcome", ["confirm", "void", "correct"])
def test_an_organiser_rules_on_a_dispute(outcome: str) -> None:
    for start in (disputed, _disputed_before_it_counts):
        s = start()
        rule(s, ORGANISER, "sh", outcome, "n9", Amended(points=[0, 1, 2, 2]) if outcome == "correct" else None)
        result = s.results.get("sh")
        assert s.sheets["sh"].status == ("void" if outcome == "void" else "confirmed")
        if outcome == "void":
            assert result is None or result.status == "void"
        else:
            assert result and result.now.points == ([0, 1, 2, 2] if outcome == "correct" else [2, 2, 1, 0])
        assert "sh" not in s.open_work()


def _disputed_before_it_counts() -> Season:
    s = submitted()
    dispute(s, by(1), "sh", "n1")
    return s


def test_a_sheet_that_was_voided_before_it_counted_leaves_the_table_to_another() -> None:
    s = _disputed_before_it_counts()
    rule(s, ORGANISER, "sh", "void", "n")
    open_sheet(s, by(0), "sh2", at(0, 1, 2, 3), table="1-1")
    assert s.tables["1-1"].sheet == "sh2"


def test_a_match_is_recorded_once_and_its_void_reverses_it_once() -> None:
    s = playing()
    for _ in range(2):
        record_match(s, "match", "1-1", [3, 1, 0, 1], [4, 2, 1, 2], "2026-01-01T20:00:00+00:00")
    assert [event.type for event in s.fresh].count("result_recorded") == 1
    assert s.tables["1-1"].status == "done"
    for _ in range(2):
        void_match(s, "match")
    assert [event.type for event in s.fresh].count("corrected") == 1
    assert s.results["match"].status == "void"


def test_a_match_that_is_voided_before_its_end_leaves_the_table_open() -> None:
    s = playing()
    void_match(s, "match")
    record_match(s, "match", "1-1", [3, 1, 0, 1], [4, 2, 1, 2], None)
    assert s.results == {} and s.tables["1-1"].match is None
    assert seat_match(s, by(0), "1-1", "again") == ["p0", "p1", "p2", "p3"]


def test_a_substitute_sits_for_a_member_who_gets_the_points() -> None:
    s = club()
    add_member(s, ORGANISER, "m8", "p8")
    seat(s, ORGANISER, "1-1", [*at(0, 1, 2), {"member": "m8", "for": "m3"}])
    assert seat_match(s, by(8), "1-1", "match") == ["p0", "p1", "p2", "p8"]
    record_match(s, "match", "1-1", [3, 1, 1, 0], [4, 2, 2, 1], None)
    assert s.results["match"].seats[3].json() == {"member": "m8", "for": "m3"}
    assert s.results["match"].seats[3].credited == "m3"


def test_an_absent_member_is_left_out_and_a_late_one_is_drawn_next() -> None:
    s = finished()
    add_member(s, ORGANISER, "late", "plate")
    remove_member(s, by(5), "m5")
    assert draw(s, ORGANISER, pairing="swiss", seats=4, seed="s", absent=["m6"]) == [2]
    seated = {sitting.member for table in s.rounds[2].tables for sitting in s.tables[table].seats}
    assert seated == {"m0", "m1", "m2", "m3", "m4", "m7", "late"} and s.rounds[2].absent == ["m6"]


def test_a_table_that_was_not_played_is_no_meeting() -> None:
    s = finished()
    past = past_of(s)
    assert past.meetings("m0", "m1") == 1 and past.meetings("m4", "m5") == 0


def test_rounds_that_nobody_has_begun_are_drawn_anew() -> None:
    s = finished()
    assert draw(s, ORGANISER, pairing="spread", seats=4, rounds=3, seed="s") == [2, 3, 4]
    remove_member(s, ORGANISER, "m7")
    assert draw(s, ORGANISER, pairing="spread", seats=4, rounds=3, seed="t", first=2) == [2, 3, 4]
    assert {table.round for table in s.tables.values()} == {1, 2, 3, 4} and len(s.tables) == 2 + 3 * 2


def test_a_cyclic_season_is_drawn_at_once() -> None:
    s = season(7)
    assert draw(s, ORGANISER, pairing="cyclic", seats=3) == list(range(1, 8))
    assert len(s.tables) == 7 and all(len(each.byes) == 4 for each in s.rounds.values())


def test_a_guest_is_claimed_with_all_he_has_played_and_then_may_play_here() -> None:
    s = club()
    claim_guest(s, "m7", "newcomer")
    assert s.member_of("newcomer") == "m7"
    assert seat_match(s, Caller("newcomer"), "1-2", "match")[3] == "newcomer"


def test_who_left_comes_back_as_himself() -> None:
    s = finished()
    remove_member(s, by(0), "m0")
    assert "m0" not in s.active()
    add_member(s, ORGANISER, "m0")
    assert s.member_of("p0") == "m0" and "m0" in s.active()


def test_a_correction_after_the_end_is_a_revision_with_its_reason() -> None:
    s = closed()
    assert len(s.revisions) == 1
    correct(s, ORGANISER, "sh", Amended(deals=[deal(taken=dict.fromkeys(TALLY["taken"], 3))]), "n7")
    assert len(s.revisions) == 2
    assert (s.results["sh"].now.points, s.results["sh"].now.note) == ([0, 0, 0, 5], "n7")
    assert [version.points for version in s.results["sh"].versions] == [[2, 2, 1, 0], [0, 0, 0, 5]]
    adjust(s, ORGANISER, "a", "m0", "penalty", -60, "n8")
    cancel_adjustment(s, ORGANISER, "a")
    assert len(s.revisions) == 4
    reopen(s, ORGANISER, "n9")
    record(s, "late", ["m0", "m1", "m2"], [0, 0, 0])
    close(s, ORGANISER)
    assert len(s.revisions) == 5 and s.fresh[-1].data["revision"] == 5


def test_events_hold_ids_and_figures_and_no_free_text() -> None:
    s = closed()
    for event in s.fresh:
        assert not {"name", "text", "reason"} & set(event.data), event
