"""Polignac by its page: target, cut deals, places, ties, the bound (5), P10 to P14. Beside it: polignac.py."""

from __future__ import annotations

from math import ceil
from random import Random
from typing import Any

import pytest

from domain import decide
from domain.match import Match, emit
from domain.rules import OptionsError
from tests.games.polignac import GAME, dealt, lead, match_at, move, play_deal, points, rules_of, say, until_trick
from tests.laws.matches import finish, started
from tests.laws.tables import Table

SPADES = "7S 8S 9S TS JS QS KS AS"
# Seat 0 takes JS with the first trick; seat 1 takes JH, JD and JC with the next three.
IN_TURN = {0: "KS QS AS TS 9S 8S 7S 7H", 1: "JS KH KD KC", 2: "JH JD JC TH TD TC 9D 9C", 3: "8H 7D 7C"}
FIRST, SECOND = "0 KS, 1 JS, 2 9C, 3 8H", "0 7H, 1 KH, 2 JH, 3 QH"
THIRD, FOURTH = "1 KD, 2 JD, 3 7D, 0 7S", "1 KC, 2 JC, 3 7C, 0 8S"


def in_turn(totals: list[int], **given: Any) -> Match:
    return match_at(totals, {**IN_TURN, 3: "8H 7D 7C QH"}, **{"tie_break": "shared", **given})


def ended(m: Match) -> dict[str, Any]:
    assert m.status == "ended"
    assert m.result
    return m.result


# 5.1 The target


def test_p10_a_deal_goes_on_though_seats_pass_the_target() -> None:
    m = in_turn([9, 9, 0, 0])
    move(m, f"{FIRST}, {SECOND}")
    assert points(m.deal)[:2] == [2, 1]
    assert (m.status, len(m.deal.tricks)) == ("playing", 2)
    play_deal(m)
    assert min(ended(m)["totals"][:2]) >= 10


def test_p10_nine_and_two_ends_it() -> None:
    m = in_turn([9, 0, 0, 0])
    move(m, f"{FIRST}, {SECOND}, {THIRD}, {FOURTH}")
    play_deal(m)
    assert ended(m) == {"places": [4, 3, 1, 1], "totals": [11, 3, 0, 0], "reason": "target"}


def test_the_target_is_reached_by_exactly_its_number_and_not_by_one_less() -> None:
    for before, status in ((8, "ended"), (7, "playing")):
        m = in_turn([before, 0, 0, 0])
        move(m, f"{FIRST}, {SECOND}, {THIRD}, {FOURTH}")
        play_deal(m)
        assert (m.status, m.totals[0]) == (status, before + 2)


def test_p11_of_two_who_reach_the_target_the_higher_is_last() -> None:
    m = in_turn([9, 9, 3, 4])
    move(m, f"{FIRST}, {SECOND}, {THIRD}, {FOURTH}")
    play_deal(m)
    assert ended(m) == {"places": [3, 4, 1, 2], "totals": [11, 12, 3, 4], "reason": "target"}


def test_the_seat_that_reached_the_target_is_not_last_for_that_alone() -> None:
    """(5.2) A general made takes another seat over the target; the declarer's own total goes below zero."""
    m = match_at([0, 9, 5, 1], {0: SPADES}, declarations="general", deals=None, target=10)
    move(m, "0 general")
    play_deal(m)
    assert ended(m) == {"places": [1, 4, 3, 2], "totals": [-5, 14, 10, 6], "reason": "target"}


def test_a_number_of_deals_is_played_whatever_the_totals() -> None:
    m = match_at([30, 0, 7, 7], {}, deals=2, tie_break="shared")
    assert m.options.target is None
    play_deal(m)
    assert ended(m)["reason"] == "deals"
    assert m.deals == 2


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"target": 10, "deals": 5}, "options.deals"),
        ({"target": None}, "options.target"),
        ({"target": 0}, "options.target"),
        ({"target": 101}, "options.target"),
        ({"end_check": "trick", "deals": 3}, "options.end_check"),
        ({"end_check": "exact", "deals": 3}, "options.end_check"),
        ({"end_check": "trick", "revoke": "claim"}, "options.end_check"),
        ({"end_check": "exact", "revoke": "claim"}, "options.end_check"),
        ({"end_check": "never"}, "options.end_check"),
        ({"costs": {"JS": 9}}, "options.costs"),
    ],
)
def test_mixes_that_cannot_be_played_are_refused(given: dict[str, Any], field: str) -> None:
    with pytest.raises(OptionsError) as refused:
        rules_of("polignac", 4, **given)
    assert field in refused.value.errors


# 5.1 end_check


def test_trick_cuts_the_deal_by_the_trick_that_reaches_or_exceeds_the_target() -> None:
    m = in_turn([9, 0, 0, 0], end_check="trick")
    move(m, FIRST)
    assert ended(m) == {"places": [4, 1, 1, 1], "totals": [11, 0, 0, 0], "reason": "target"}


def test_exact_cuts_only_by_exactly_the_target() -> None:
    m = in_turn([9, 8, 0, 0], end_check="exact")
    move(m, f"{FIRST}, {SECOND}")  # 11 and 9
    assert m.status == "playing"
    move(m, THIRD)
    assert ended(m) == {"places": [4, 3, 1, 1], "totals": [11, 10, 0, 0], "reason": "target"}


def test_exact_whoever_jumps_over_the_target_ends_the_match_when_the_deal_is_scored() -> None:
    m = in_turn([9, 0, 0, 0], end_check="exact")
    move(m, f"{FIRST}, {SECOND}, {THIRD}, {FOURTH}")
    assert m.status == "playing"
    play_deal(m)
    assert ended(m)["totals"] == [11, 3, 0, 0]


@pytest.mark.parametrize(
    ("end_check", "before", "cut"),
    [
        ("trick", 9, True),
        ("exact", 7, False),
        ("exact", 2, True),
    ],  # 12, 10, 5 while it lives; 17, 15, 10 once it failed
)
def test_p12_no_jack_is_final_while_a_capot_is_alive(end_check: str, before: int, cut: bool) -> None:
    """Seat 0 takes 3 by jacks with the first trick; his capot fails in the second, and its 5 counts at once."""
    hands = {0: "KS QS JS AS TS 9S 8S 7H", 1: "7S KH 8H", 2: "JC 9H TC 9C", 3: "TH TD"}
    m = match_at([before, 0, 0, 0], hands, declarations="capot", end_check=end_check, tie_break="shared")
    d = m.deal
    move(m, "0 capot, 0 JS, 1 7S, 2 JC, 3 TD")
    assert GAME.tally(d)["taken"] == {"JS": 0, "JC": 0}
    assert (m.status, m.to_act) == ("playing", [0])
    move(m, "0 7H, 1 KH, 2 9H, 3 TH")
    assert points(d)[0] == 5 + 3
    assert (m.status, len(d.tricks)) == ("ended" if cut else "playing", 2)
    assert m.totals[0] == (before + 8 if cut else before)


def test_p12_a_capot_that_lives_to_the_end_of_the_deal_is_never_cut() -> None:
    m = match_at([9, 0, 0, 4], {0: SPADES}, declarations="capot", end_check="trick", tie_break="shared")
    move(m, "0 capot")
    play_deal(m)
    assert m.totals == [9, 5, 5, 9]
    assert m.status == "playing"


def test_the_five_of_a_failed_capot_cuts_at_once() -> None:
    m = match_at([5, 0, 0, 1], {0: "QH", 1: "KH", 2: "7H", 3: "8H"}, declarations="capot", end_check="exact",
                 tie_break="shared")  # fmt: skip
    move(m, "0 capot, 0 QH, 1 KH, 2 7H, 3 8H")
    assert ended(m) == {"places": [4, 1, 1, 3], "totals": [10, 0, 0, 1], "reason": "target"}


def test_a_cut_deal_of_slobberhannes_has_no_last_trick() -> None:
    m = match_at([8, 0, 0, 0], {0: "AC", 1: "QC", 2: "7C", 3: "8C"}, "slobberhannes", end_check="trick",
                 tie_break="shared")  # fmt: skip
    move(m, "0 AC, 1 QC, 2 7C, 3 8C")
    assert ended(m)["totals"] == [10, 0, 0, 0]
    assert m.fresh[-2].data["tally"]["last"] is None


def test_a_deal_cut_by_its_real_last_trick_has_one() -> None:
    hand = "AC KC AS KS QS AH KH AD"
    d = dealt({0: hand, 1: "QC"}, "slobberhannes", totals=[6, 0, 0, 0], end_check="trick")
    say(d, "0 AC, 1 QC")
    until_trick(d, 1)
    lead(d, 0, "KC AS KS QS AH KH AD")
    assert (d.phase, len(d.tricks)) == ("over", 8)
    assert points(d) == [4, 0, 0, 0]


# 5.3 Ties


def test_p13_two_tied_for_the_first_place_play_an_extra_deal_of_sixteen_cards_each() -> None:
    m = match_at([9, 5, 8, 5], {0: SPADES})
    play_deal(m)
    assert (m.status, m.totals) == ("playing", [14, 5, 8, 5])
    assert m.dealt
    assert {name: m.dealt[name] for name in ("deal", "extra", "seats", "dealer")} == {
        "deal": 3, "extra": True, "seats": [1, 3], "dealer": 1,
    }  # fmt: skip
    assert [len(hand) for hand in m.deal.hands] == [0, 16, 0, 16]
    assert m.to_act == [3]
    assert decide.legal(m, 0) == decide.legal(m, 2) == []
    play_deal(m)
    assert m.totals == [14, 5, 8, 5], "an extra deal is not added"
    scored = next(event.data for event in reversed(m.fresh) if event.type == "scored")
    assert scored["extra"] is True
    assert sum(scored["points"]) == 5
    assert scored["points"][0] == scored["points"][2] == 0
    winner, loser = (1, 3) if scored["points"][1] < scored["points"][3] else (3, 1)
    assert ended(m)["places"][winner] == 1
    assert ended(m)["places"][loser] == 2
    assert (ended(m)["places"][2], ended(m)["places"][0]) == (3, 4)


@pytest.mark.parametrize(("seats", "hand"), [(2, 16), (3, 10), (4, 8), (5, 6), (6, 5)])
def test_the_tied_have_even_hands_even_where_surplus_is_unequal(seats: int, hand: int) -> None:
    m = match_at([12] + [3] * seats if seats < 6 else [3] * 6, {}, among=list(range(seats < 6, seats + (seats < 6))),
                 surplus="unequal")  # fmt: skip
    assert sorted(len(held) for held in m.deal.hands if held) == [hand] * seats


def test_two_black_sevens_leave_the_pack_of_three_tied_whatever_the_surplus_of_the_match() -> None:
    m = match_at([9, 5, 5, 5], {0: SPADES}, surplus="unequal")
    play_deal(m)
    assert m.dealt
    assert (m.dealt["extra"], m.dealt["seats"], len(m.dealt["pack"])) == (True, [1, 2, 3], 30)
    assert not {"7S", "7C"} & set(m.dealt["pack"])


def test_in_an_extra_deal_nothing_is_declared_and_nothing_is_cut() -> None:
    m = match_at([12, 3, 3, 9], {1: SPADES}, among=[1, 2], declarations="both", end_check="trick")
    assert m.deal.phase == "play"
    assert m.deal.options.declarations == "none"
    play_deal(m)
    assert len(m.deal.tricks) == 16
    assert ended(m)["places"][3] == 3


def test_p14_who_is_still_tied_plays_again_without_the_others() -> None:
    m = match_at([12, 3, 3, 3], {1: "KS QS JS AS TS 9S 8S KH QH JH"}, among=[1, 2, 3])
    for card in ["KS", "QS", "JS", "AS", "TS", "9S", "8S", "KH", "QH", "JH"]:
        move(m, f"1 {card}")
        for seat in (2, 3):
            move(m, f"{seat} {GAME.clock(m.deal, seat)}")
    assert m.extras == [[], [5], [0], [0]]
    assert m.dealt
    assert (m.dealt["seats"], m.dealt["dealer"], m.dealt["deal"]) == ([2, 3], 2, 3)
    assert [len(hand) for hand in m.deal.hands] == [0, 0, 16, 16]
    finish(m, Random(1), "what the house may say")
    assert ended(m)["places"][:2] == [4, 3]
    assert m.totals == [12, 3, 3, 3]


ZERO_TWO = {1: "8S JH JD JC", 2: "KS KH 8H 8D 8C", 3: "JS KD KC 7H QH"}


@pytest.mark.parametrize(
    ("variant", "words", "places"),
    [  # polignac: 0-2-3; quatre_valets: 0-2-2
        ("polignac", "1 8S, 2 KS, 3 JS, 2 8H, 3 QH, 1 JH", [4, 1, 2, 3]),
        ("quatre_valets", "1 8S, 2 KS, 3 JS, 2 KH, 3 7H, 1 JH", [4, 1, 2, 2]),
    ],
)
def test_the_tied_are_placed_by_their_extra_deals_in_order(variant: str, words: str, places: list[int]) -> None:
    m = match_at([12, 3, 3, 3], ZERO_TWO, variant, among=[1, 2, 3])
    move(m, words)
    seat = m.to_act[0]
    for card in ("D", "C"):
        if seat == 2:
            move(m, f"2 8{card}, 3 K{card}, 1 J{card}")
        else:
            move(m, f"3 K{card}, 1 J{card}, 2 8{card}")
        seat = m.to_act[0]
    play_deal(m)
    assert m.extras[1:] == ([[0], [2], [3]] if variant == "polignac" else [[0], [2], [2]])
    assert ended(m) == {"places": places, "totals": [12, 3, 3, 3], "reason": "target"}


def test_after_twenty_extra_deals_the_place_is_shared() -> None:
    m = match_at([12, 3, 3, 3], {1: "KS QS JS AS TS 9S 8S KH QH JH"}, among=[1, 2, 3])
    for number in range(19):
        emit(
            m,
            "scored",
            deal=2 + number,
            extra=True,
            tally=GAME.tally(m.deal),
            lines=[],
            points=[0, 0, 0, 0],
            seats=[1, 2, 3],
        )
    assert m.extra_deals == 19
    for card in ["KS", "QS", "JS", "AS", "TS", "9S", "8S", "KH", "QH", "JH"]:
        move(m, f"1 {card}")
        for seat in (2, 3):
            move(m, f"{seat} {GAME.clock(m.deal, seat)}")
    assert m.extra_deals == 20
    assert ended(m)["places"] == [4, 3, 1, 1]


def test_a_tie_is_shared_at_once_where_that_is_the_option() -> None:
    m = match_at([9, 5, 8, 5], {0: SPADES}, tie_break="shared")
    play_deal(m)
    assert ended(m)["places"] == [4, 1, 3, 1]


def test_a_tie_for_another_place_is_shared() -> None:
    m = match_at([9, 5, 5, 4], {0: SPADES})
    play_deal(m)
    assert ended(m)["places"] == [4, 2, 2, 1]


def test_a_seat_that_resigned_plays_no_extra_deal() -> None:
    m = match_at([9, 5, 5, 7], {0: SPADES})
    decide.resign(m, 1)
    play_deal(m)
    assert ended(m)["places"] == [3, 4, 1, 2]


# 5.4 The bound


@pytest.mark.parametrize(
    ("variant", "given", "least", "most"),
    [
        ("polignac", {}, 5, 5),
        ("bassadewitz", {}, 5, 5),
        ("eichel_obern", {}, 5, 5),
        ("eichel_obern", {"doubled_queen": "none"}, 4, 4),
        ("quatre_valets", {}, 4, 4),
        ("knaves", {}, 3, 3),
        ("slobberhannes", {}, 3, 4),
        ("slobberhannes", {"all_three_bonus": 0}, 3, 3),
    ],
)
def test_a_match_to_a_target_has_a_bounded_number_of_deals(
    variant: str, given: dict[str, Any], least: int, most: int
) -> None:
    """ceil(T / m) <= deals <= floor(n (T - 1) / a) + 1"""
    for seed in range(12):
        random = Random(f"{variant} {seed}")
        seats, target = random.choice(list(GAME.VARIANTS[variant].seats)), random.choice([1, 2, 5, 10, 20])
        more = {"target": target, "declarations": "none", "tie_break": "shared"}
        m = started(Table(GAME, variant, seats), {**given, **more}, random)
        finish(m, random, "what the house may say")
        assert ceil(target / most) <= m.deals <= seats * (target - 1) // least + 1, (seed, seats, target)


def test_the_bound_is_reached_from_both_sides() -> None:
    """One seat pays everything: 10 points in 2 deals; or everybody stands at 9 before the last."""
    m = match_at([5, 0, 0, 0], {0: SPADES})
    play_deal(m)
    assert (m.totals[0], m.deals, ceil(10 / 5)) == (10, 2, 2)
    m = match_at([9, 9, 9, 9], {0: SPADES}, tie_break="shared")
    play_deal(m)
    assert ended(m)["totals"] == [14, 9, 9, 9]


def test_the_prepared_packs_of_a_match_are_dealt_in_order() -> None:
    pack = GAME.pack(rules_of("polignac", 4), [0, 1, 2, 3])
    packs = [pack, pack[8:] + pack[:8]]
    m = started(Table(GAME, "polignac", 4), {"deals": 3, "declarations": "none"}, Random(3), packs=packs, dealer=2)
    assert (m.deal.dealer, m.deal.hands[3][:3]) == (2, packs[0][:3])
    play_deal(m)
    assert (m.deal.dealer, m.deal.hands[0][:3]) == (3, packs[1][:3])
    play_deal(m)
    assert m.dealt
    assert m.dealt["seed"] is not None
