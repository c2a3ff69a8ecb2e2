"""Imagined worlds: each that fits is equally likely, what is pinned or barred is heeded, what cannot be is refused."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import pytest

from domain.cards import french
from domain.imagine import cards_in, deal_seen, imagine
from domain.secrecy import UNKNOWN, view_for
from tests.games.polignac import GAME, dealt, match_at, say


def seen(d: Any, seat: int | None) -> dict[str, Any]:
    view: dict[str, Any] = json.loads(json.dumps(view_for(d, seat)))
    return view


def near_the_end() -> Any:
    """Three tricks of 16 are left between seats 1 and 3 of a tie-break deal; everything else has been played."""
    d = match_at([9, 5, 8, 5], {1: "7C 8C 9C TC JC QC KC AC 7D 8D 9D TD JD 7H 9H 8S", 3: "QH JH"}, among=[1, 3]).deal
    while len(d.hands[1]) > 3 or d.trick:
        seat = GAME.to_act(d)[0]
        GAME.play(d, seat, GAME.legal(d, seat)[0])
    return d


def test_a_seat_s_deal_keeps_what_it_sees_and_has_unknown_cards_in_their_number() -> None:
    d = dealt({0: "9H", 1: "7H"})
    say(d, "0 9H, 1 7H")
    view = seen(d, 2)
    mine = deal_seen(GAME, view)
    assert mine.hands == [[UNKNOWN] * 7, [UNKNOWN] * 7, d.hands[2], [UNKNOWN] * 8]
    assert mine.trick == [(0, "9H"), (1, "7H")]
    assert mine.options == d.options
    GAME.play(mine, 2, GAME.legal(mine, 2)[0])
    assert view == seen(d, 2), "playing on in it does not touch the view"


def worlds_behind(d: Any, seat: int) -> list[tuple[str, ...]]:
    """Every way the unseen cards may lie in the other hands, counted one by one."""
    others = [other for other in d.seats if other != seat]
    barred = GAME.barred(d, seat)
    unseen = sorted(card for other in others for card in d.hands[other])
    found: list[tuple[str, ...]] = [()]
    for other in others:
        allowed = [card for card in unseen if card not in barred.get(("hands", other), ())]
        found = [
            (*world, *hand)
            for world in found
            for hand in combinations([card for card in allowed if card not in world], len(d.hands[other]))
        ]
    return found


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_every_world_that_fits_is_drawn_equally_often(seed: int) -> None:
    """Deals in which somebody has shown void in a suit that is still out, so that the worlds are no plain product."""
    random = Random(seed)
    worlds: list[tuple[str, ...]] = []
    while not 10 <= len(worlds) <= 40:
        pack = random.sample(french("AKQJT987"), 32)
        d = dealt({seat: " ".join(pack[seat::4]) for seat in range(4)})
        while len(d.tricks) < 6:
            owing = GAME.to_act(d)[0]
            GAME.play(d, owing, random.choice(GAME.legal(d, owing)))
        worlds = worlds_behind(d, 0)
    view, drawn = seen(d, 0), Counter[tuple[str, ...]]()
    for _ in range(2_000):
        hands = imagine(GAME, view, 0, random.random).hands
        drawn[tuple(card for seat in d.seats if seat for card in sorted(hands[seat]))] += 1
    assert set(drawn) == set(worlds)
    share = 2_000 / len(worlds)
    assert all(abs(count - share) < 5 * share**0.5 for count in drawn.values()), (share, drawn)


def test_who_did_not_follow_is_imagined_without_that_suit() -> None:
    d = dealt({0: "7H 8H 9H", 1: "7S 8S 9S TS JS QS KS AS"})
    say(d, "0 7H, 1 7S")
    random = Random(1)
    for _ in range(50):
        world = imagine(GAME, seen(d, 0), 0, random.random)
        assert not any(card[1] == "H" for card in world.hands[1])


def test_where_revokes_are_possible_nothing_follows_from_an_off_suit_card() -> None:
    d = dealt({0: "7H 8H 9H", 1: "7S 8S 9S TS JS QS KS AS"}, revoke="claim")
    say(d, "0 7H, 1 7S")
    random = Random(1)
    worlds = [imagine(GAME, seen(d, 0), 0, random.random) for _ in range(20)]
    assert any(card[1] == "H" for world in worlds for card in world.hands[1])


def test_a_world_with_one_way_to_lie_is_found_without_a_dead_end() -> None:
    d = near_the_end()
    world = imagine(GAME, seen(d, 1), 1, Random(2).random)
    assert sorted(world.hands[3]) == sorted(d.hands[3])
    assert sorted(cards_in(GAME, world)) == sorted(GAME.pack(d.options, [1, 3]))


def test_a_view_that_cannot_be_is_refused() -> None:
    d = dealt({0: "7H 8H 9H", 1: "7S 8S 9S TS JS QS KS AS"})
    say(d, "0 7H, 1 7S")
    view = seen(d, 2)
    for suit in "CDS":  # seat 1 is made out to have shown void in every suit
        view["tricks"].append([[0, f"7{suit}"], [1, "8H"]])
    with pytest.raises(ValueError, match="no deal fits"):
        imagine(GAME, view, 2, Random(0).random)


def test_the_same_chance_gives_the_same_world() -> None:
    view = seen(dealt({}), 0)
    first, second, third = (imagine(GAME, view, 0, Random(seed).random) for seed in (1, 1, 2))
    assert first == second != third
