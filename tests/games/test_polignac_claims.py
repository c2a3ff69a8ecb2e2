"""Polignac by its page: claims that come later or are wrong, the window, declarations (6.4 to 6.7).

Beside it: polignac.py, test_polignac_revokes.py.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from domain import decide, errors
from domain.imagine import imagine
from domain.match import Match
from domain.secrecy import view_for
from tests.games.polignac import (
    B_IS_VOID,
    B_REVOKES,
    GAME,
    OPENING,
    claimed,
    claims,
    dealt,
    lead,
    match_at,
    move,
    play_out,
    points,
    say,
    until_trick,
)  # fmt: skip
from tests.laws.matches import state

# 6.4 Later


@pytest.mark.parametrize("cost", [0, 3, 20])
def test_a_revoke_costs_the_option_s_points_once(cost: int) -> None:
    d = claimed(B_REVOKES, revoke_points=cost)
    say(d, f"{OPENING}, 2 TC, 3 claim 1 1")
    assert points(d) == [0, cost, 2, 0]
    assert not any("1 1" in word or word == "admit 1" for seat in range(4) for word in claims(d, seat))


def playing_for_the_match(totals: list[int], hands: dict[int, str], **more: Any) -> Match:
    return match_at(totals, hands, revoke="claim", revoke_penalty="match", **more)


@pytest.mark.parametrize(
    ("totals", "places"), [([3, 1, 2, 0], [3, 4, 2, 1]), ([2, 0, 2, 2], [1, 4, 1, 1]), ([0, 9, 5, 5], [1, 4, 2, 2])]
)
def test_the_match_may_be_the_penalty(totals: list[int], places: list[int]) -> None:
    m = playing_for_the_match(totals, B_REVOKES)
    move(m, f"{OPENING}, 2 TC, 3 claim 1 1")
    assert m.result == {"places": places, "totals": totals, "reason": "revoke"}
    assert m.fresh[-2].type == "moved", "the running deal is not scored"


def test_before_the_next_lead_even_that_match_goes_on() -> None:
    m = playing_for_the_match([0, 0, 0, 0], B_REVOKES)
    move(m, f"{OPENING}, 3 claim 1 1")
    assert (m.status, m.to_act) == ("playing", [1])


def test_in_an_extra_deal_the_offender_is_last_among_the_tied() -> None:
    m = playing_for_the_match([12, 3, 3, 3], {1: "9H", 2: "7H JS", 3: "KH TC"}, among=[1, 2, 3])
    move(m, "1 9H, 2 JS, 3 KH, 3 TC, 1 claim 2 1")
    assert m.result == {"places": [4, 1, 3, 1], "totals": [12, 3, 3, 3], "reason": "revoke"}


# 6.5 What is no revoke


def test_after_three_rejected_claims_a_seat_claims_no_more_in_this_deal() -> None:
    hands = {0: "KC QC AC 9C TC 8C 7C 9H", 1: "KS QS JS AS TS 9S 8S 7S", 2: "JC"}
    d = claimed(hands)
    lead(d, 0, "KC QC AC")
    for number in (1, 2, 3):
        assert f"claim 1 {number}" in claims(d, 2)
        say(d, f"2 claim 1 {number}")
    assert (d.rejected[2], claims(d, 2)) == (3, [])
    lead(d, 0, "9C")
    assert claims(d, 2) == []
    assert "claim 1 4" in claims(d, 3), "the others may"


def test_a_claim_that_is_upheld_does_not_count_as_rejected() -> None:
    d = claimed(B_REVOKES)
    say(d, f"{OPENING}, 2 TC, 3 claim 1 1")
    assert d.rejected == [0, 0, 0, 0]


def test_a_card_that_had_left_the_hand_before_the_trick_is_no_proof() -> None:
    d = claimed(B_REVOKES)
    say(d, "0 9H, 1 7H, 2 KH, 3 8H, 2 QH, 3 AH, 0 TH, 1 JS, 3 claim 1 2")
    assert d.rejected == [0, 0, 0, 1]


def test_a_card_played_later_is_proof() -> None:
    d = claimed(B_REVOKES)
    say(d, f"{OPENING}, 2 QH, 3 AH, 0 TH, 1 7H")
    assert "7H" not in d.hands[1]
    assert "admit 1" in claims(d, 1)
    until_trick(d, 4)
    say(d, "3 claim 1 1")
    assert d.revokes == [1]


@pytest.mark.parametrize(
    "word",
    [
        "claim 2 1",  # who followed
        "claim 0 1",  # who led
        "claim 1 2",  # a trick that has not been played
        "claim 1 0", "claim 1 -1", "claim 3 1",
        "claim 4 1", "claim 1", "claim", "claim 1 1 1", "claim  1 1", "claim 1 1 ", "claim 01 1", "Claim 1 1",
        "claim B 1", "admit 1", "admit", "done",
    ],
)  # fmt: skip
def test_a_claim_that_cannot_be_is_refused_and_not_counted(word: str) -> None:
    m = match_at([0, 0, 0, 0], B_REVOKES, revoke="claim")
    move(m, OPENING)
    before = state(m)
    with pytest.raises((errors.IllegalMoveError, errors.NotYourTurnError)):
        move(m, f"3 {word}")
    assert state(m) == before
    assert m.deal.rejected == [0, 0, 0, 0]


@pytest.mark.parametrize(("hands", "claim"), [(B_REVOKES, "2 TC, 3 claim 1 1"), (B_IS_VOID, "3 claim 1 1")])
def test_a_settled_revoke_cannot_be_claimed_again(hands: dict[int, str], claim: str) -> None:
    m = match_at([0, 0, 0, 0], hands, revoke="claim")
    move(m, f"{OPENING}, {claim}")
    for seat in (0, 2, 3):
        with pytest.raises(errors.IllegalMoveError):
            decide.move(m, seat, "claim 1 1", lambda: b"")
    assert sum(m.deal.rejected) == (hands is B_IS_VOID)


def test_a_settled_revoke_stays_settled_in_an_imagined_world() -> None:
    d = claimed(B_IS_VOID)
    say(d, f"{OPENING}, 3 claim 1 1")
    for seat in range(4):
        world = imagine(GAME, json.loads(json.dumps(view_for(d, seat))), seat, Random(seat).random)
        assert GAME.legal(world, seat) == GAME.legal(d, seat)
        assert not claims(world, seat)


# 6.6 The window


def test_bots_and_the_clock_always_follow_and_say_done() -> None:
    """(6.6)"""
    d = claimed(B_REVOKES)
    say(d, "0 9H")
    assert GAME.honest
    assert (GAME.honest(d, 1), GAME.clock(d, 1)) == (["7H"], "7H")
    play_out_to_claims(d)
    assert all(GAME.honest(d, seat) == ["done"] and GAME.clock(d, seat) == "done" for seat in range(4))


def play_out_to_claims(d: Any) -> None:
    while d.phase == "play":
        until_trick(d, len(d.tricks) + 1)


def window() -> Any:
    """All cards are played; B has revoked in the first trick."""
    d = claimed(B_REVOKES)
    say(d, OPENING)
    play_out_to_claims(d)
    return d


def test_after_the_last_trick_everybody_may_still_claim_until_he_is_done() -> None:
    d = window()
    assert d.phase == "claims"
    assert GAME.to_act(d) == [0, 1, 2, 3]
    say(d, "2 done")
    assert GAME.to_act(d) == [0, 1, 3]
    assert GAME.legal(d, 2) == [], "done is final"
    say(d, "0 claim 1 1, 3 done, 1 done")
    assert GAME.to_act(d) == [0]
    say(d, "0 done")
    assert GAME.to_act(d) == []
    assert GAME.tally(d)["revokes"] == [1]


def test_an_unclaimed_revoke_costs_nothing() -> None:
    d = window()
    play_out(d)
    assert GAME.tally(d)["revokes"] == []
    assert sum(points(d)) == 5


def test_the_last_done_scores_the_deal() -> None:
    m = match_at([0, 0, 0, 0], B_REVOKES, revoke="claim")
    move(m, OPENING)
    while m.deal.phase == "play":
        move(m, f"{m.to_act[0]} {GAME.clock(m.deal, m.to_act[0])}")
    move(m, "3 done, 1 admit 1, 1 done, 0 done")
    assert m.deals == 1
    move(m, "2 done")
    assert m.deals == 2
    assert m.totals[1] >= 5


def test_without_claims_there_is_no_window() -> None:
    d = dealt(B_REVOKES)
    play_out_to_claims(d)
    assert (d.phase, GAME.to_act(d)) == ("over", [])


# 6.7 Declarations


def test_an_opponent_s_established_revoke_voids_a_capot_that_was_made() -> None:
    d = claimed({0: "KH QH KS QS AS TS 9S 8S", 1: "7H JS"}, declarations="capot")
    say(d, "0 capot, 0 KH, 1 JS")
    until_trick(d, 1)
    lead(d, 0, "QH KS QS AS TS 9S 8S")
    assert GAME.tally(d)["declaration"] == {"seat": 0, "kind": "capot", "made": True, "void": False}
    say(d, "0 claim 1 1")
    play_out(d)
    assert GAME.tally(d)["declaration"] == {"seat": 0, "kind": "capot", "made": True, "void": True}
    assert points(d) == [5, 5, 0, 0], "jacks as usual, and the revoke"


@pytest.mark.parametrize("jacks", ["all", "opponents"])
def test_it_voids_even_a_capot_that_had_already_failed(jacks: str) -> None:
    d = claimed({**B_REVOKES, 0: "9H TH"}, declarations="capot", failed_slam_jacks=jacks)
    say(d, f"0 capot, {OPENING}")
    assert points(d) == [5, 0, 2, 0]
    say(d, "2 TC, 3 claim 1 1")
    assert points(d) == [0, 5, 2, 0]
    assert GAME.tally(d)["declaration"]["void"] is True
