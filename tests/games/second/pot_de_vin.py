"""Pot de Vin, told again from its rules page (domain/games/pot_de_vin.md). What must hold here: __init__.py.

Nothing is kept but what was said in each trick: hands, gems, collections and points are counted from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from itertools import chain
from typing import Any, NamedTuple

from tests.games.second import Lines, Perft, Question, Said, Story, answers

GUILDS = ("nobility", "artists", "merchants", "craftsmen", "knights", "assassins")
COLUMNS = {  # 6.1: the values 4 to 12
    "A": "nobility artists merchants craftsmen knights assassins merchants nobility craftsmen",
    "E": "craftsmen merchants assassins knights nobility artists knights artists merchants",
    "P": "artists nobility knights assassins merchants craftsmen assassins nobility knights",
    "U": "assassins knights craftsmen merchants artists nobility craftsmen artists assassins",
}
HANDS = {3: 12, 4: 10, 5: 8}  # 1.3


class Trick(NamedTuple):
    turned: str
    said: list[Said]

    @property
    def cards(self) -> list[str]:
        return [self.turned, *(word for _, word in self.said if word != "bribe")]

    @property
    def bribes(self) -> int:
        return len(self.said) + 1 - len(self.cards)

    @property
    def winner(self) -> int:
        """2.5"""
        for character in (self.turned[0], self.said[0][1][0]):
            if of_it := [(value(word), seat) for seat, word in self.said if word[0] == character]:
                return max(of_it)[1]
        raise AssertionError("somebody leads")


def story(options: dict[str, Any], seats: list[int], dealer: int, pack: list[str], totals: list[int]) -> Story:
    order = sorted(seats, key=lambda seat: (seat <= dealer, seat))
    deck = HANDS[len(seats)] * len(seats)
    dealt = {seat: pack[at : deck : len(seats)] for at, seat in enumerate(order)}
    tricks: list[Trick] = []
    for turned in pack[deck:]:
        at = order.index(tricks[-1].winner) if tricks else 0
        turn = [seat for seat in order[at:] + order[:at] if hand(dealt[seat], tricks)]  # 2.3, 2.6
        if not turn:
            break  # 3.1
        tricks.append(Trick(turned, []))
        for seat in turn:
            gems = 4 - spent(seat, tricks) + gained(seat, tricks[:-1]) * options["won_gems_reusable"]  # 2.7
            tricks[-1].said.append((yield {seat: choices(tricks[-1].said, hand(dealt[seat], tricks), gems)}))
    laid = yield from jokers(order, tricks)
    return [line for seat in order for line in points(options, seat, tricks, laid)]


def value(card: str) -> int:
    return int(card[1:])


# 2 The trick


def hand(dealt: list[str], tricks: list[Trick]) -> list[str]:
    played = {word for trick in tricks for _, word in trick.said}
    return [card for card in dealt if card not in played]


def choices(said: list[Said], held: list[str], gems: int) -> list[str]:
    """2.2 to 2.4"""
    if not said:
        return held
    following = [card for card in held if card[0] == said[0][1][0]]
    return (following or held) + ["bribe"] * (gems > 0)


def spent(seat: int, tricks: list[Trick]) -> int:
    return sum((seat, "bribe") in trick.said for trick in tricks)


def gained(seat: int, tricks: list[Trick]) -> int:
    return sum(trick.bribes for trick in tricks if trick.winner == seat)


def won(seat: int, tricks: list[Trick]) -> list[str]:
    """2.6"""
    return list(chain.from_iterable(trick.cards for trick in tricks if trick.winner == seat))


# 3 The end


def jokers(order: list[int], tricks: list[Trick]) -> Generator[Question, Said, list[Said]]:
    """3.2"""
    laid: list[Said] = []
    owed = Counter(seat for seat in order for card in won(seat, tricks) if value(card) == 1)
    while len(laid) < owed.total():
        done = Counter(seat for seat, _ in laid)
        laid.append((yield {seat: [f"joker {guild}" for guild in GUILDS] for seat in owed - done}))
    return laid


def points(options: dict[str, Any], seat: int, tricks: list[Trick], laid: list[Said]) -> Lines:
    """3.3"""
    cards = won(seat, tricks)
    values = Counter(value(card) for card in cards)
    symbols = Counter(word.split()[1] for other, word in laid if other == seat)
    for card in cards:
        if 4 <= value(card) <= 12:
            symbols[COLUMNS[card[0]].split()[value(card) - 4]] += 1 + (value(card) >= 10)
    columns = options["columns"]
    paid = {guild: columns[min(symbols[guild], len(columns) - 1)] for guild in GUILDS}
    paid["gems"] = 4 - spent(seat, tricks) + gained(seat, tricks)
    paid |= {"plus_two": 2 * values[2], "minus_two": -2 * values[3]}
    paid["pots"] = options["all_pots_points"] if values[13] == 4 else options["pot_points"] * values[13]
    return [(seat, reason, amount) for reason, amount in paid.items()]


legal, lines = answers(story)
PERFT = [
    Perft("standard", 3, 0, 4, 1507),
    Perft("standard", 3, 14, 4, 448),
    Perft("standard", 3, 28, 5, 174),
    Perft("standard", 3, 35, 4, 756),  # jokers
    Perft("standard", 4, 7, 4, 946),
    Perft("standard", 4, 21, 6, 1198, {"won_gems_reusable": True}),
    Perft("standard", 4, 35, 8, 2799),  # jokers
    Perft("standard", 5, 7, 5, 1812),
    Perft("standard", 5, 21, 7, 643),
    Perft("standard", 5, 28, 7, 366),
    Perft("standard", 5, 35, 8, 2294),  # jokers
]
