"""A tripwire: the rule bot of Polignac plainly beats random ones, in every variant and at every number of seats."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from domain import rules
from tests.games.polignac import GAME, points

TABLES = [(variant, seats) for variant, preset in GAME.VARIANTS.items() for seats in preset.seats]


def played(options: Any, pack: list[str], seats: int, rule: int | None, random: Random) -> list[int]:
    """The points of a deal in which `rule` takes the bot's advice and the others say any word the house may say."""
    d = GAME.deal(options, list(range(seats)), seats - 1, pack[:], [0] * seats)
    while owing := GAME.to_act(d):
        words = GAME.words_of_the_house(d, owing[0])
        advised = owing[0] == rule and len(words) > 1
        GAME.play(d, owing[0], GAME.advise(d, owing[0], words) if advised else random.choice(words))
    return points(d)


def advantage(variant: str, seats: int, deals: int) -> list[float]:
    """For every deal: what the others pay on average less what the rule bot pays, averaged over its seats."""
    random, found = Random(f"{variant} {seats}"), []
    options = rules.effective(GAME, variant, {"declarations": "none"}, seats)
    for _ in range(deals):
        pack = GAME.pack(options, list(range(seats)))
        random.shuffle(pack)
        each = []
        for seat in range(seats):
            paid = played(options, pack, seats, seat, random)
            each.append((sum(paid) - paid[seat]) / (seats - 1) - paid[seat])
        found.append(mean(each))
    return found


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_the_rule_bot_pays_less_than_random_ones_by_five_standard_errors(variant: str, seats: int) -> None:
    gained = advantage(variant, seats, 150)
    assert mean(gained) > 5 * stdev(gained) / sqrt(len(gained))


def test_among_three_random_ones_it_is_better_by_half_a_point_a_deal() -> None:
    gained = advantage("polignac", 4, 300)
    assert mean(gained) - 3 * stdev(gained) / sqrt(len(gained)) > 0.5
