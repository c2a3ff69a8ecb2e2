"""The Bottle Imp for two, section 5 of domain/games/bottle_imp.md: Lopaka and the bright house."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from domain.secrecy import view_for
from tests.games.bottle_imp import (
    COINS,
    GAME,
    LOPAKA,
    PACK,
    fresh,
    points,
    random_deal,
    refused,
    say,
    slow_winner,
    spoken,
    suit_of,
    tell,
    with_lopaka,
    with_piles,
)
from tests.laws.matches import finish, started
from tests.laws.tables import Table

# 5 Two seats


def test_two_seats_need_a_variant_for_two_and_those_take_no_others() -> None:
    assert refused("standard", 2) == ["seats"]
    assert refused("standard", 5) == ["seats"]
    for seats in (1, 3, 4):
        assert refused("lopaka", seats) == refused("bright_house", seats) == ["seats"]
    assert refused("no such", 2) == ["variant"]


@pytest.mark.parametrize("dealer", [0, 1])
def test_lopaka_sits_on_the_dealers_right_and_passes_the_first_three_cards_it_was_dealt(dealer: int) -> None:
    other = 1 - dealer
    d = fresh("lopaka", 2, dealer)
    assert d.table == [other, LOPAKA, dealer]
    assert (d.hands[other], d.hands[dealer]) == (PACK[0::3], PACK[2::3])
    imp, left, right = PACK[1::3][:3]
    tell(d, other, f"imp {PACK[0]}", f"left {PACK[3]}", f"right {PACK[6]}")
    assert d.open[LOPAKA] == []
    tell(d, dealer, f"imp {PACK[2]}", f"left {PACK[5]}", f"right {PACK[8]}")
    assert d.down[LOPAKA] == [imp]
    assert d.hands[dealer] == [*PACK[11::3], left, PACK[6]]  # Lopaka is its right, the other its left
    assert d.hands[other] == [*PACK[9::3], PACK[5], right]
    assert d.open[LOPAKA] == sorted([*PACK[10::3], PACK[3], PACK[8]], key=int)
    assert GAME.to_act(d) == [other]


def test_lopakas_open_hand_does_not_tell_which_card_it_was_given() -> None:
    """The other seat gives 13 or was dealt it by Lopaka: the dealer reads the same."""
    views = []
    for swap in (False, True):
        pack = PACK[:]
        mine, theirs = pack.index("13"), pack.index("17")  # one of the other seat's, one of Lopaka's
        assert (mine % 3, theirs % 3) == (0, 1)
        if swap:
            pack[mine], pack[theirs] = pack[theirs], pack[mine]
        d = fresh("lopaka", 2, 1, pack)
        tell(d, 0, "imp 1", f"left {pack[mine]}", "right 7")
        tell(d, 1, "imp 3", "left 6", "right 9")
        assert {"13", "17"} <= set(d.open[LOPAKA])
        views.append((json.dumps(view_for(d, 1)), json.dumps(view_for(d, None))))
    assert views[0] == views[1]


def test_lopakas_buried_card_stays_hidden_from_everybody() -> None:
    d = spoken(random_deal("lopaka", 2, 3), Random(3), until="play")
    for eyes in (0, 1, None):
        assert view_for(d, eyes)["down"][LOPAKA] == 1
        assert view_for(d, eyes)["said"][LOPAKA] == 3
        assert view_for(d, eyes)["open"][LOPAKA] == d.open[LOPAKA]


@pytest.mark.parametrize(("hand", "played", "bottle"), [("30 18", "30", None), ("24 18", "18", LOPAKA)])
def test_B14_lopaka_plays_its_highest_card_that_wins_as_the_table_lies(hand: str, played: str, bottle: int) -> None:
    d = with_lopaka("1 2", hand, "3 5")
    d.trick, d.waiting, d.table = [(1, "21")], [0, LOPAKA], [1, 0, LOPAKA]
    d.hands[0] = ["25", "1"]
    say(d, "25")
    assert d.tricks == [[(1, "21"), (0, "25"), (LOPAKA, played)]]
    assert (d.winners, d.bottle) == ([LOPAKA], bottle)
    assert d.news[0] == {"what": "lopaka", "card": played, "why": "wins"}


def test_lopaka_plays_its_lowest_legal_card_when_it_cannot_win() -> None:
    d = say(with_lopaka("36 1", "24 26 35", "3 37"), "36")
    assert d.trick == [(0, "36"), (LOPAKA, "26")]  # it must follow red
    assert d.news == [{"what": "lopaka", "card": "26", "why": "loses"}]
    d = say(with_lopaka("36 1", "24 22 20", "3 37", price=5), "36")
    assert d.trick == [(0, "36"), (LOPAKA, "20")]


def test_lopaka_leads_its_highest_card_and_the_next_seat_owes_a_word_at_once() -> None:
    d = say(with_lopaka("36 1 2", "37 24 12", "33 3 5"), "36", "33")
    assert d.winners == [LOPAKA]
    assert d.trick == [(LOPAKA, "24")]
    assert d.news == [{"what": "lopaka", "card": "24", "why": "leads"}]
    assert GAME.to_act(d) == [1]  # the dealer sits on Lopaka's left
    say(d, "3")
    assert d.news == []


def lopakas_card(price: int, trick: list[Any], hand: list[str]) -> str:
    """A second opinion on what Lopaka plays."""
    follow = [card for card in hand if trick and card in suit_of(trick[0][1])] or hand
    winning = [card for card in follow if slow_winner(price, [*trick, (LOPAKA, card)])[1] == card]
    return max(winning, key=int) if winning else min(follow, key=int)


def test_lopaka_always_plays_by_its_rule_and_is_never_asked() -> None:
    played = 0
    for seed in range(40):
        d = random_deal("lopaka", 2, seed)
        random = Random(seed)
        assert d.seats == [1 - d.dealer, d.dealer]
        spoken(d, random, until="play")
        hand, before = d.open[LOPAKA][:], 0
        while GAME.to_act(d):
            assert LOPAKA not in GAME.to_act(d)
            assert GAME.legal(d, LOPAKA) == []
            seat = GAME.to_act(d)[0]
            GAME.play(d, seat, random.choice(GAME.legal(d, seat)))
        price = 19
        for trick in d.tricks:
            at = [place for place, _ in trick].index(LOPAKA)
            assert trick[at][1] == lopakas_card(price, trick[:at], hand), (seed, trick)
            hand.remove(trick[at][1])
            price = min(price, int(slow_winner(price, trick)[1]))
            before += 1
        played += before
    assert played == 40 * 11


def test_lopaka_keeps_a_score_but_is_no_contender() -> None:
    holders = set()
    for seed in range(60):
        for holder_scores in ("negate_tricks", "imp_trick"):
            d = spoken(random_deal("lopaka", 2, seed, holder_scores=holder_scores), Random(seed))
            found = GAME.tally(d)
            holders.add(found["holder"])
            assert found["lopaka"] == d.coins[LOPAKA]
            assert len(found["coins"]) == len(points(d)) == 2
            under = sum(COINS[card] for card in found["imp"])
            lost = -d.coins[LOPAKA] if holder_scores == "negate_tricks" else -under
            assert found["lopaka_points"] == (lost if found["holder"] == LOPAKA else d.coins[LOPAKA])
            if found["holder"] == LOPAKA:
                assert points(d) == found["coins"]  # nobody else is negative
    assert holders == {0, 1, LOPAKA}


def test_a_match_with_lopaka_has_two_of_everything_and_no_event_of_its_plays() -> None:
    random = Random(1)
    m = started(Table(GAME, "lopaka", 2), {}, random)
    finish(m, random, "any word")
    assert m.result
    assert len(m.totals) == len(m.result["places"]) == len(m.result["totals"]) == 2
    assert {event.data["seat"] for event in m.fresh if event.type == "moved"} == {0, 1}
    for event in m.fresh:
        if event.type == "scored":
            assert len(event.data["points"]) == 2
            assert {line["seat"] for line in event.data["lines"]} <= {0, 1}
        if event.type == "dealt":
            assert event.data["seats"] == [0, 1]


def test_the_bright_house_deals_four_piles_and_each_seat_sees_its_second_only_after_its_first() -> None:
    d = fresh("bright_house", 2, dealer=0)
    assert (d.hands[1], d.hands[0], d.unseen[1], d.unseen[0]) == (PACK[0::4], PACK[1::4], PACK[2::4], PACK[3::4])
    tell(d, 1, f"give {PACK[0]}")
    assert {word.split(" ")[0] for word in GAME.legal(d, 1)} == {"imp"}
    for eyes in (0, 1, None):
        assert view_for(d, eyes)["unseen"] == [9, 9]
    tell(d, 1, f"imp {PACK[4]}")
    assert view_for(d, 1)["second"] == [0, PACK[2::4]]
    assert view_for(d, 0)["second"] == [[], 9]
    assert view_for(d, 0)["unseen"] == [9, 0]
    assert {word.split(" ")[1] for word in GAME.legal(d, 1)} == set(PACK[2::4])
    tell(d, 1, f"imp {PACK[2]}", f"give {PACK[6]}")  # at its own pace
    assert GAME.to_act(d) == [0]
    assert {word.split(" ")[1] for word in GAME.legal(d, 0)} == set(PACK[1::4])


def given_in_the_bright_house() -> Any:
    """Seat 1 dealt; 9 cards a pile, from each the lowest is buried and the next one given."""
    d = fresh("bright_house", 2)
    for seat, (first, second) in enumerate(((0, 2), (1, 3))):
        for pile in (PACK[first::4], PACK[second::4]):
            tell(d, seat, f"imp {pile[0]}", f"give {pile[1]}")
    return d


def test_in_the_bright_house_a_given_card_joins_the_pile_of_the_same_step() -> None:
    d = given_in_the_bright_house()
    assert (d.phase, GAME.to_act(d)) == ("open", [0, 1])
    assert d.hands == [[*PACK[0::4][2:], PACK[1::4][1]], [*PACK[1::4][2:], PACK[0::4][1]]]
    assert d.second == [[*PACK[2::4][2:], PACK[3::4][1]], [*PACK[3::4][2:], PACK[2::4][1]]]
    assert d.down == [[PACK[0], PACK[2]], [PACK[1], PACK[3]]]


@pytest.mark.parametrize("choices", [("first", "second"), ("second", "first"), ("second", "second")])
def test_in_the_bright_house_piles_are_chosen_face_down_and_shown_together(choices: tuple[str, str]) -> None:
    d = given_in_the_bright_house()
    piles = [{"first": set(d.hands[seat]), "second": set(d.second[seat])} for seat in (0, 1)]
    assert GAME.legal(d, 1) == ["open first", "open second"]
    tell(d, 1, f"open {choices[1]}")
    assert GAME.to_act(d) == [0]
    view = view_for(d, 0)
    assert (view["open"], view["said"][1], view["news"]) == ([[], []], 5, [])
    tell(d, 0, f"open {choices[0]}")
    for seat in (0, 1):
        assert set(d.open[seat]) == piles[seat][choices[seat]]
        assert d.open[seat] == sorted(d.open[seat], key=int)
        assert set(d.hands[seat]) == set.union(*piles[seat].values()) - set(d.open[seat])
        assert view_for(d, 1 - seat)["hands"][seat] == 8
        assert {"what": "open", "seat": seat, "why": choices[seat]} in d.news
    assert GAME.to_act(d) == [0]  # seat 1 dealt


def test_a_trick_of_the_bright_house_is_open_open_hidden_hidden() -> None:
    d = with_piles(("36 20", "35 22"), ("33 24", "37 25"))
    asked = []
    for _ in range(4):
        asked.append((GAME.to_act(d)[0], set(GAME.legal(d, GAME.to_act(d)[0]))))
        say(d, max(GAME.legal(d, GAME.to_act(d)[0]), key=int))
    assert asked == [(0, {"36", "20"}), (1, {"35"}), (0, {"33"}), (1, {"37"})]
    assert d.winners == [1]
    assert GAME.to_act(d) == [1]


def test_B15_following_is_judged_within_the_pile_the_card_must_come_from() -> None:
    d = say(with_piles(("36 20", "22 24"), ("1 2", "37 35")), "36")
    assert GAME.legal(d, 1) == ["22", "24"]


def test_in_the_bright_house_a_seat_may_overtake_itself_from_its_hidden_pile() -> None:
    d = say(with_piles(("33 20", "31 22"), ("36 24", "35 25")), "33", "31", "36", "35")
    assert (d.winners, d.bottle) == ([0], None)
    d = say(with_piles(("12 20", "31 24"), ("18 24", "35 27")), "12", "31", "18", "35")
    assert (d.winners, d.bottle, d.price) == ([0], 0, 18)
