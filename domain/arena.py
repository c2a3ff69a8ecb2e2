"""Bot against bot: one deal played once for every rotation of the seats, so that the luck of the cards cancels.

A table of one kind gives exactly 0: every bot draws from a stream named by deal, seat and turn, whoever sits there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from domain import bots, cards
from domain.bots.asked import Asked
from domain.rules import Game
from domain.secrecy import view_for


class Played(NamedTuple):
    """What the challenger made of one deal from one seat. `gain` > 0 is better than the mean of the table."""

    deal: int
    seat: int
    points: int
    place: Fraction  # shared places count as their mean
    gain: Fraction
    won: Fraction  # 1 for the first place, its share of a shared one


class Strength(NamedTuple):
    """Means over deals, with standard errors; each deal counts once, as the mean of its rotations."""

    deals: int
    gain: float
    gain_error: float
    place: float  # better than chance by, in places
    place_error: float
    won: float  # the share of deals won
    won_error: float


def play_rotations(
    game: Game, options: Any, seats: int, challenger: str, field: str, deal: int, seed: str
) -> list[Played]:
    """One deal, with the challenger in each seat in turn and the field in all others."""
    played = []
    for seat in range(seats):
        table = [challenger if other == seat else field for other in range(seats)]
        points = play_deal(game, options, table, f"{seed}/{deal}")
        sign = -1 if game.LOW_WINS else 1
        own = [sign * each for each in points]
        better, equal = sum(each > own[seat] for each in own), own.count(own[seat])
        place = better + Fraction(equal + 1, 2)
        gain, won = Fraction(seats * own[seat] - sum(own), seats), Fraction(not better, equal)
        played.append(Played(deal, seat, points[seat], place, gain, won))
    return played


def play_deal(game: Game, options: Any, table: Sequence[str], name: str) -> list[int]:
    """The points of one deal, by seat; `table` are the bots, `name` names the shuffle and all that is drawn."""
    seats = list(range(len(table)))
    key = hashlib.sha256(name.encode()).digest()
    pack, nothing = cards.shuffled(game.pack(options, seats), key), [0] * len(table)
    d = game.deal(options, seats, cards.drawn_dealer(key, len(table)), pack, nothing[:])
    turn = 0
    while asked := game.to_act(d):
        seat, turn = asked[0], turn + 1
        stream = bots.stream(hashlib.sha256(f"{name}/{seat}/{turn}".encode()).digest())
        asked_seat = Asked(game, view_for(d, seat), seat, game.words_of_the_house(d, seat), nothing)
        game.play(d, seat, bots.choose(table[seat], asked_seat, stream).word)
    lines = game.score(options, seats, game.tally(d))
    return [sum(points for who, _, points in lines if who == seat) for seat in seats]


def strength(played: Sequence[Played], seats: int) -> Strength:
    """Means and standard errors over the deals in `played`, all rotations of each."""
    deals: dict[int, list[Played]] = {}
    for each in played:
        deals.setdefault(each.deal, []).append(each)
    chance = Fraction(seats + 1, 2)
    gains = [_mean([each.gain for each in turn]) for turn in deals.values()]
    places = [chance - _mean([each.place for each in turn]) for turn in deals.values()]
    won = [_mean([each.won for each in turn]) for turn in deals.values()]
    return Strength(len(deals), *_estimate(gains), *_estimate(places), *_estimate(won))


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _estimate(values: Sequence[Fraction]) -> tuple[float, float]:
    """The mean and its standard error."""
    mean = _mean(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return float(mean), sqrt(spread / len(values))
