"""Mýkonos, told again from its rules page (domain/games/mykonos.md). What must hold here: __init__.py.

A match is one story of rounds. Money is not kept: it is the sum of an account with the reason of every dollar. Packs
are put together from a hand, rank by rank and suit by suit; what a set of cards is worth is the dearest that they make.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, permutations, product
from typing import Any

from tests.games.second import Perft, Question, Said, Story, answers

RANKS = "A23456789TJQK"
SUITS = "CDHS"
REASONS = ("start", "purchases", "sales", "income", "no_purchase", "figure_income")
NEUTRAL_TURNS = "A BX AX BX AX B A B"  # 4.1
NEUTRAL = -1

Column = list[int]  # the seats of the workers on a card, base first
Sale = tuple[tuple[str, ...], int]  # cards and dollars


@dataclass
class Table:
    options: dict[str, Any]
    hands: dict[int, list[str]]
    account: Counter[tuple[int, str]]

    def money(self, seat: int) -> int:
        return sum(self.account[seat, reason] for reason in REASONS)


def story(options: dict[str, Any], seats: list[int], dealer: int, pack: list[str], totals: list[int]) -> Story:
    order = sorted(seats, key=lambda seat: (seat <= dealer, seat))
    row, dealt = len(order) + 1, len(order) * 2
    hands = {seat: pack[at : dealt : row - 1] for at, seat in enumerate(order)}  # 1.1
    table = Table(options, hands, Counter({(seat, "start"): 5 for seat in order}))
    for top in range(dealt, len(pack) - row + 1, row):  # 2.1
        columns = yield from demand(options, order)
        buyers = yield from purchases(table, pack[top : top + row], columns)
        for seat in order:
            yield from sale(table, seat)
        income(table, buyers)
        yield from discards(table)
        order = order[1:] + order[:1]  # 2.6
    return [(seat, reason, table.account[seat, reason]) for seat in order for reason in REASONS]


# 2 A round


def demand(options: dict[str, Any], order: list[int]) -> Generator[Question, Said, list[Column]]:
    """2.2, 4.1"""
    turns = [(seat, "place") for _ in range(4) for seat in order]
    if options["neutral"]:
        pairs = [(order["AB".index(turn[0])], worker) for turn in NEUTRAL_TURNS.split() for worker in turn]
        turns = [(seat, "neutral" if worker == "X" else "place") for seat, worker in pairs]
    columns: list[Column] = [[] for _ in range(len(order) + 1)]
    for seat, verb in turns:
        _, word = yield {seat: [f"{verb} {at}" for at, column in enumerate(columns) if len(column) < 4]}
        columns[int(word.split()[1])].append(seat if verb == "place" else NEUTRAL)
    return columns


def purchases(table: Table, offer: list[str], columns: list[Column]) -> Generator[Question, Said, set[int]]:
    """2.3; answers who bought."""
    buyers = set()
    for card, column in zip(offer, columns, strict=True):
        bought = yield from purchase(table, column)
        if bought:
            seat, price = bought
            buyers.add(seat)
            table.hands[seat].append(card)
            table.account[seat, "purchases"] -= price
    return buyers


def purchase(table: Table, column: Column) -> Generator[Question, Said, tuple[int, int] | None]:
    """2.3, 4.2: who buys a card and for how much."""
    at_base = table.options["neutral_at_base"]
    while any(worker != NEUTRAL for worker in column):
        at = next(at for at, worker in enumerate(column) if worker != NEUTRAL)
        if at and at_base == "takes":
            return None
        if at_base == "steps_aside":
            column, at = column[at:], 0
        seat, price = column[at], len(column)
        if table.money(seat) >= price:
            said = yield {seat: ["buy", "pass"]}
            if said == (seat, "buy"):
                return seat, price
        column = column[:at] + column[at + 1 :]
    return None


def sale(table: Table, seat: int) -> Generator[Question, Said, None]:
    """2.4, 2.7"""
    hand, more = table.hands[seat], bool(table.hands[seat])
    sold: list[str] = []
    while more:
        single = [((card,), 1) for card in hand]
        words = (spelled(cards) for cards, _ in (single if sold else packs(hand)))
        _, word = yield {seat: chain(["pass"], words)}
        sold = word.split()[1:]
        table.account[seat, "sales"] += worth(sold)
        hand[:] = [card for card in hand if card not in sold]
        more = bool(sold) and table.options["sell_singles"] == "surplus" and len(hand) > 5


def income(table: Table, buyers: set[int]) -> None:
    """2.5"""
    for seat, hand in table.hands.items():
        table.account[seat, "income"] += 2
        table.account[seat, "no_purchase"] += seat not in buyers
        table.account[seat, "figure_income"] += sum(card[0] in "JQK" for card in hand)


def discards(table: Table) -> Generator[Question, Said, None]:
    """2.6"""
    while over := {seat: hand for seat, hand in table.hands.items() if len(hand) > 5}:
        seat, word = yield {seat: [f"discard {card}" for card in hand] for seat, hand in over.items()}
        table.hands[seat].remove(word.split()[1])


# 2.4 Packs


def spelled(cards: tuple[str, ...]) -> str:
    return " ".join(["sell", *sorted(cards, key=lambda card: (RANKS.index(card[0]), card[1]))])


def worth(cards: list[str]) -> int:
    """The best category of exactly these cards; nothing for none."""
    return max((dollars for pack, dollars in packs(cards) if len(pack) == len(cards)), default=0)


def packs(cards: list[str]) -> Iterator[Sale]:
    """Everything that can be put together from these cards; one set may be found in several categories."""
    ranks = [[card for card in cards if card[0] == rank] for rank in RANKS]
    for size, dollars in ((1, 1), (2, 2), (3, 5), (4, 11)):
        yield from ((pack, dollars) for rank in ranks for pack in combinations(rank, size))
    several = [rank for rank in ranks if len(rank) > 1]
    for one, other in combinations(several, 2):
        yield from ((a + b, 4) for a, b in product(combinations(one, 2), combinations(other, 2)))
    for one, other in permutations(several, 2):
        yield from ((a + b, 8) for a, b in product(combinations(one, 3), combinations(other, 2)))
    for lowest in range(len(RANKS) - 4):
        for pack in product(*ranks[lowest : lowest + 5]):
            yield pack, 15 if len({card[1] for card in pack}) == 1 else 6
    for suit in SUITS:
        yield from ((pack, 7) for pack in combinations([card for card in cards if card[1] == suit], 5))


legal, lines = answers(story)
PERFT = [
    Perft("standard", 2, 0, 6, 690),
    Perft("standard", 2, 46, 6, 373),
    Perft("standard", 2, 115, 6, 167),
    Perft("standard", 3, 46, 6, 605),
    Perft("standard", 3, 92, 7, 312),
    Perft("standard", 3, 138, 5, 645),
    Perft("standard", 3, 45, 6, 483, {"sell_singles": "surplus"}),
    Perft("standard", 4, 23, 7, 704),
    Perft("standard", 4, 69, 5, 675),
    Perft("standard", 4, 161, 7, 301),
    Perft("standard", 2, 0, 7, 1890, {"neutral": True}),
    Perft("standard", 2, 14, 7, 908, {"neutral": True}),
    Perft("standard", 2, 14, 7, 968, {"neutral": True, "neutral_at_base": "stays"}),
    Perft("standard", 2, 14, 7, 2160, {"neutral": True, "neutral_at_base": "takes"}),
    Perft("standard", 2, 56, 7, 743, {"neutral": True}),
    Perft("standard", 2, 98, 6, 470, {"neutral": True, "neutral_at_base": "takes"}),
]
