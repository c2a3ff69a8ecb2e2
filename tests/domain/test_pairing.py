"""Rounds: few repeats, even seats, every size of club, the seven cyclic designs, and the same seed draws the same."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from domain.designs import BLOCKS, cyclic
from domain.pairing import Draw, Past, swiss, table_sizes
from domain.season_errors import NoDesignError
from domain.spread import spread


def members(number: int) -> list[str]:
    return [f"m{each:03}" for each in range(number)]


def repeated(draws: list[Draw]) -> int:
    """Pairs that meet more than once."""
    return sum(times > 1 for times in Past.of(draws).met.values())


def is_whole(draw: Draw, everybody: list[str]) -> bool:
    """Everybody is at one table, or sits out."""
    return sorted([*(member for table in draw.tables for member in table), *draw.byes]) == sorted(everybody)


@pytest.mark.parametrize(
    ("number", "seats", "rounds", "most"), [(20, 4, 5, 4), (28, 4, 6, 1), (40, 4, 8, 0), (9, 3, 4, 0)]
)
def test_spread_repeats_as_few_meetings_as_promised(number: int, seats: int, rounds: int, most: int) -> None:
    draws = spread(members(number), [seats], seats, rounds, "evening")
    assert repeated(draws) <= most
    assert all(is_whole(draw, members(number)) and not draw.byes for draw in draws)


@pytest.mark.parametrize(("number", "seats", "rounds"), [(16, 4, 4), (9, 3, 4), (12, 4, 8)])
def test_everybody_sits_in_each_seat_about_as_often(number: int, seats: int, rounds: int) -> None:
    sat = Past.of(spread(members(number), [seats], seats, rounds, "seats")).sat
    times = [sat[member, seat] for member in members(number) for seat in range(seats)]
    assert max(times) - min(times) <= 2
    assert sum(abs(each - rounds / seats) > 1 for each in times) <= number // 4


@pytest.mark.parametrize("number", range(3, 41))
def test_any_number_of_members_gets_tables_that_the_game_knows(number: int) -> None:
    for allowed in ([3, 4, 5, 6], [3, 4], [2, 3, 4], [4]):
        draws = spread(members(number), allowed, 4, 1, f"{number}")
        draws.append(swiss(members(number), allowed, 4, f"{number}", Past()))
        for draw in draws:
            assert is_whole(draw, members(number))
            assert {len(table) for table in draw.tables} <= set(allowed)
            assert len(draw.byes) < min(allowed)


def test_sizes_are_close_to_what_is_wanted_and_few_sit_out() -> None:
    assert table_sizes(22, [3, 4, 5, 6], 4) == ([4, 4, 4, 4, 3, 3], 0)
    assert table_sizes(9, [3, 4, 5, 6], 4) == ([5, 4], 0)
    assert table_sizes(9, [3, 4], 4) == ([3, 3, 3], 0)
    assert table_sizes(5, [3, 4], 4) == ([4], 1)
    assert table_sizes(5, [3, 4, 5], 4) == ([5], 0)
    assert table_sizes(2, [3, 4], 4) == ([], 2)
    assert table_sizes(0, [3, 4], 4) == ([], 0)


def test_nobody_sits_out_twice_before_everybody_has() -> None:
    draws = spread(members(9), [4], 4, 9, "byes")
    assert Counter(member for draw in draws for member in draw.byes) == dict.fromkeys(members(9), 1)
    past, order = Past.of(draws[:3]), members(9)
    for number in range(6):
        past.add(swiss(order, [4], 4, f"{number}", past))
    assert set(past.byes.values()) == {1}


def test_the_same_seed_draws_the_same_and_the_order_of_members_does_not_matter() -> None:
    shuffled = Random(1).sample(members(14), 14)
    once, again, other = (
        spread(given, [3, 4], 4, 3, seed) for given, seed in ((members(14), "s"), (shuffled, "s"), (members(14), "t"))
    )
    assert once == again != other


def test_a_seed_draws_for_ever_what_it_drew_first() -> None:
    assert spread(members(7), [3], 3, 1, "golden") == [
        Draw([["m001", "m004", "m006"], ["m000", "m005", "m002"]], ["m003"])
    ]


def test_what_was_played_before_is_not_repeated_and_late_joiners_are_drawn() -> None:
    first = spread(members(16), [4], 4, 2, "first")
    later = spread(members(20)[3:], [3, 4, 5], 4, 2, "later", Past.of(first))
    assert all(is_whole(draw, members(20)[3:]) for draw in later)
    assert repeated(first + later) <= 1


def test_swiss_seats_neighbours_and_avoids_rematches() -> None:
    everybody = members(16)
    fresh = swiss(everybody, [4], 4, "s", Past())
    assert [sorted(table) for table in fresh.tables] == [everybody[at : at + 4] for at in range(0, 16, 4)]
    again = swiss(everybody, [4], 4, "s", Past.of([fresh]))
    assert repeated([fresh, again]) == 0
    distance = [
        abs(everybody.index(one) - everybody.index(other)) for t in again.tables for one, other in combinations(t, 2)
    ]
    assert max(distance) < 16


@pytest.mark.parametrize(("size", "seats"), BLOCKS)
def test_in_a_cyclic_schedule_every_pair_meets_equally_often_and_each_sits_once_in_each_seat(
    size: int, seats: int
) -> None:
    draws = cyclic(members(size), seats)
    past = Past.of(draws)
    assert len(draws) == size and all(len(draw.tables) == 1 and is_whole(draw, members(size)) for draw in draws)
    assert set(past.met.values()) == {seats * (seats - 1) // (size - 1)}
    assert len(past.met) == size * (size - 1) // 2
    assert set(past.sat.values()) == {1} and len(past.sat) == size * seats
    assert all(set(one.tables[0]) & set(other.tables[0]) for one, other in combinations(draws, 2))


@pytest.mark.parametrize(("size", "seats"), [(8, 4), (7, 5), (0, 3), (13, 3)])
def test_where_there_is_no_design_it_says_which_there_are(size: int, seats: int) -> None:
    with pytest.raises(NoDesignError) as refused:
        cyclic(members(size), seats)
    assert {"members": 13, "seats": 4} in refused.value.facts["designs"]


def test_two_hundred_members_are_drawn() -> None:
    draws = spread(members(200), [4], 4, 4, "big")
    assert repeated(draws) == 0
