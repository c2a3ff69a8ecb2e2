"""Tables, positions and random walks for the three files of tests of Pot de Vin."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from domain import rules
from domain.imagine import deal_seen
from domain.secrecy import view_for
from tests.laws.tables import Table, house_rules

GAME = rules.games()["pot_de_vin"]
PACK = [f"{character}{value}" for character in "AEPU" for value in range(1, 14)]
GUILDS = ("nobility", "artists", "merchants", "craftsmen", "knights", "assassins")
SEATS = (3, 4, 5)
JOKERS = [f"joker {guild}" for guild in GUILDS]
NO_WORDS = [
    "", " ", "a12", "A 12", "A012", "12A", "A0", "A14", "X5", "A5 A6", "Bribe", "BRIBE", "bribe ", " bribe", "bribe 1",
    "bribe bribe", "joker", "joker ", "joker  knights", "Joker knights", "joker Knights", "knights joker", "joker none",
    "joker knights knights", "joker knights artists", "joker nobleza", "joker pot_de_vin", "knights", "pass", "done",
    "capot", "JS", "7H", "17", "imp 5", "place 2", "claim 1 2", "joker\tknights", "Á5", "??",
]  # fmt: skip


def table(seats: int) -> Table:
    return Table(GAME, "standard", seats)


def options(seats: int = 4, **given: Any) -> Any:
    return rules.effective(GAME, "standard", given, seats)


def position(hands: Sequence[str], turned: str, deck: str = "", **given: Any) -> Any:
    """A deal in which seat 0 leads, with these hands, this card turned and these to follow."""
    seats = len(hands)
    d = GAME.deal(options(seats, **given), list(range(seats)), seats - 1, PACK[:], [0] * seats)
    d.hands = [hand.split() for hand in hands]
    d.turned, d.deck = [turned], deck.split()
    d.waiting = [seat for seat in range(seats) if d.hands[seat]]
    return d


def say(d: Any, *words: str) -> Any:
    """Each word by the seat that owes one, if it may say it."""
    for word in words:
        seat = GAME.to_act(d)[0]
        assert word in GAME.legal(d, seat), (seat, word)
        GAME.play(d, seat, word)
    return d


def next_word(d: Any, random: Random) -> tuple[int, str]:
    """Somebody who may speak, and a word: a bribe in half of the cases where one may be said."""
    seat = random.choice(GAME.to_act(d))
    words = GAME.legal(d, seat)
    return seat, "bribe" if "bribe" in words and random.random() < 0.5 else random.choice(words)


def walk(seats: int, seed: int) -> Iterator[tuple[Any, int, str]]:
    """A deal played at random with house rules at random: before each word the Deal, the seat, the word."""
    random = Random(seed)
    given = house_rules(table(seats), random)
    pack = random.sample(PACK, len(PACK))
    d = GAME.deal(options(seats, **given), list(range(seats)), random.randrange(seats), pack, [0] * seats)
    while GAME.to_act(d):
        seat, word = next_word(d, random)
        yield d, seat, word
        GAME.play(d, seat, word)
    yield d, -1, ""


def walks(seats: int, deals: int = 25) -> Iterator[tuple[Any, int, str]]:
    for seed in range(deals):
        yield from walk(seats, seed)


def after_word(d: Any, seat: int, word: str) -> Any:
    """The Deal after this word, on a copy that has been through JSON."""
    copy = deal_seen(GAME, json.loads(json.dumps(view_for(d, "all"))))
    GAME.play(copy, seat, word)
    return copy
