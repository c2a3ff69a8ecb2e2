"""Positions and random walks for the three files of tests of the Bottle Imp; suits and coins as the page has them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from domain import decide, rules
from domain.match import Match
from domain.rules import OptionsError
from tests.laws.matches import drawing, started
from tests.laws.tables import Table, house_rules

GAME = rules.games()["bottle_imp"]
PACK = [str(rank) for rank in range(1, 38) if rank != 19]
KINDS = [("standard", 3), ("standard", 4), ("lopaka", 2), ("bright_house", 2)]
YELLOW = ["1", "2", "3", "5", "7", "9", "12", "15", "18", "22", "25", "28"]
BLUE = ["4", "6", "8", "10", "13", "17", "20", "24", "27", "30", "32", "34"]
RED = ["11", "14", "16", "21", "23", "26", "29", "31", "33", "35", "36", "37"]
COINS = {card: 1 + at // 2 for suit in (YELLOW, BLUE, RED) for at, card in enumerate(suit)}
LOPAKA = 2  # its place


def suit_of(card: str) -> list[str]:
    return next(suit for suit in (YELLOW, BLUE, RED) if card in suit)


def options(variant: str = "standard", seats: int = 3, **given: Any) -> Any:
    return rules.effective(GAME, variant, given, seats)


def fresh(variant: str, seats: int, dealer: int | None = None, pack: list[str] | None = None, **given: Any) -> Any:
    """A deal before the first word; seat 0 leads unless another dealer is named."""
    chosen = options(variant, seats, **given)
    dealer = seats - 1 if dealer is None else dealer
    return GAME.deal(chosen, list(range(seats)), dealer, pack or PACK[:], [0] * seats)


def position(*hands: str, price: int = 19, bottle: int | None = None, **given: Any) -> Any:
    """Seat 0 leads with these hands; nothing else is on the table."""
    d = fresh("standard", len(hands), **given)
    d.hands, d.phase, d.price, d.bottle = [hand.split() for hand in hands], "play", price, bottle
    return d


def with_lopaka(hand: str, lopaka: str, dealer: str, price: int = 19) -> Any:
    """Seat 0 leads, then Lopaka, then seat 1, who dealt."""
    d = fresh("lopaka", 2)
    d.hands, d.open, d.phase, d.price = [hand.split(), dealer.split(), []], [[], [], lopaka.split()], "play", price
    d.waiting = [0, LOPAKA, 1]
    return d


def with_piles(opened: tuple[str, str], hidden: tuple[str, str], price: int = 19) -> Any:
    """The bright house; seat 0 leads."""
    d = fresh("bright_house", 2)
    d.open, d.hands = [pile.split() for pile in opened], [pile.split() for pile in hidden]
    d.phase, d.price, d.waiting = "play", price, [0, 1, 0, 1]
    return d


def say(d: Any, *words: str) -> Any:
    """Each word by the seat whose turn it is, if it may say it."""
    for word in words:
        seat = GAME.to_act(d)[0]
        assert word in GAME.legal(d, seat), (seat, word, GAME.legal(d, seat))
        GAME.play(d, seat, word)
    return d


def tell(d: Any, seat: int, *words: str) -> Any:
    """Words of one seat among those that may speak."""
    for word in words:
        assert word in GAME.legal(d, seat), (seat, word)
        GAME.play(d, seat, word)
    return d


def spoken(d: Any, random: Random, until: str = "over") -> Any:
    """Words at random until the deal is in this phase."""
    while d.phase != until:
        seat = random.choice(GAME.to_act(d))
        GAME.play(d, seat, random.choice(GAME.legal(d, seat)))
    return d


def random_deal(variant: str, seats: int, seed: int, **given: Any) -> Any:
    random = Random(seed)
    return fresh(variant, seats, random.randrange(seats), random.sample(PACK, len(PACK)), **given)


def walks(variant: str, seats: int, deals: int = 30) -> Iterator[Any]:
    """Every position of some deals with house rules and words at random."""
    for seed in range(deals):
        random = Random(f"{variant} {seats} {seed}")
        given = house_rules(Table(GAME, variant, seats), random)
        d = random_deal(variant, seats, seed, **given)
        yield d
        while GAME.to_act(d):
            seat = random.choice(GAME.to_act(d))
            GAME.play(d, seat, random.choice(GAME.legal(d, seat)))
            yield d


def points(d: Any) -> list[int]:
    paid = {seat: owed for seat, _, owed in GAME.score(d.options, d.seats, GAME.tally(d))}
    return [paid[seat] for seat in range(len(paid))]


def with_people(variant: str, seats: int, random: Random) -> Match:
    """A match of one deal, in which the player p-0 sits on seat 0 and so on."""
    people = [{"player": f"p-{seat}", "bot": None} for seat in range(seats)]
    m = started(Table(GAME, variant, seats), {"deals": 1}, random, seats=people)
    for seat in range(seats):
        decide.sit(m, seat, f"p-{seat}", drawing(random))
    return m


def tally(coins: list[int], holder: int | None, imp: str = "", **more: Any) -> dict[str, Any]:
    return {"coins": coins, "holder": holder, "imp": imp.split(), "lopaka": None, "lopaka_points": None, **more}


def refused(variant: str, seats: int, **given: Any) -> list[str]:
    with pytest.raises(OptionsError) as problem:
        rules.effective(GAME, variant, given, seats)
    return sorted(problem.value.errors)


def slow_winner(price: int, trick: list[Any]) -> Any:
    """A second opinion: sort by (below the price?, rank)."""
    return sorted(trick, key=lambda laid: (int(laid[1]) < price, int(laid[1])))[-1]
