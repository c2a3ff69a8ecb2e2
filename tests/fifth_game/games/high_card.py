"""High card: the smallest game that is one, to show what a game needs. Rules: high_card.md. It lives in tests only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from domain.cards import french
from domain.rules import Line, Tally, Variant, Word, option
from domain.secrecy import counted, own, shown

NAME = {"en": "High card", "es": "Carta alta"}
RULES = 1
LOW_WINS = False
PLACES = ("hands", "table", "out", "rest")
VARIANTS = {"standard": Variant(range(2, 7), {}, {"en": "High card", "es": "Carta alta"})}
HAND = 3
RANKS = "A23456789TJQK"


@dataclass(frozen=True, slots=True)
class Options:
    deals: int | None = option(2, range(1, 101), "How many deals are played", "Cuántos repartos se juegan")


@dataclass(slots=True)
class Deal:
    options: Options = shown()
    seats: list[int] = shown()  # who plays, from the dealer's left on
    hands: list[list[str]] = own()
    table: list[list[str]] = shown()  # what each seat has played this round, one card at most
    out: list[str] = shown()  # what was played before
    rest: list[str] = counted()  # the cards not dealt
    won: list[int] = shown()  # rounds, by seat
    news: list[dict[str, Any]] = shown()


def pack(options: Options, seats: list[int]) -> list[str]:
    return french()


def deal(options: Options, seats: list[int], dealer: int, pack: list[str], totals: list[int]) -> Deal:
    order = [seat for seat in seats if seat > dealer] + [seat for seat in seats if seat <= dealer]
    hands = [pack[seat * HAND : seat * HAND + HAND] if seat in seats else [] for seat in range(len(totals))]
    nobody: list[list[str]] = [[] for _ in totals]
    return Deal(options, order, hands, nobody, [], pack[len(totals) * HAND :], [0] * len(totals), [])  # (1)


def to_act(d: Deal) -> list[int]:
    return [seat for seat in d.seats if d.hands[seat] and not d.table[seat]][:1]


def legal(d: Deal, seat: int) -> list[Word]:
    return d.hands[seat][:] if seat in to_act(d) else []  # (2)


def play(d: Deal, seat: int, word: Word) -> None:
    d.news = []
    d.hands[seat].remove(word)
    d.table[seat].append(word)
    if all(d.table[other] for other in d.seats):
        best = max(RANKS.index(d.table[other][0][0]) for other in d.seats)
        for other in d.seats:
            d.won[other] += RANKS.index(d.table[other][0][0]) == best  # (3)
            d.out.append(d.table[other].pop())


def tally(d: Deal) -> Tally:
    return {"won": d.won[:]}


def score(options: Options, seats: list[int], tally: Tally) -> list[Line]:
    return [(seat, "rounds", tally["won"][seat]) for seat in seats]  # (4)


def clock(d: Deal, seat: int) -> Word:
    return d.hands[seat][0]
