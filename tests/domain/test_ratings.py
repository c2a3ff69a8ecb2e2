"""Ratings: independent of order, seats and names; fair to equals; a better place is never worth less; bots apart."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from domain.ratings import MU, PROVISIONAL, Rated, Rating, bot_at, leaderboard, person, ratings

START = datetime(2026, 1, 1, tzinfo=UTC)
SEEDS = range(20)


def some_results(random: Random, number: int, persons: int = 12) -> list[Rated]:
    found = []
    for each in range(number):
        size = random.randint(2, 6)
        seats = tuple(person(f"p{who}") for who in random.sample(range(persons), size))
        scores = [random.randint(0, 5) for _ in seats]
        places = tuple(1 + sum(other < own for other in scores) for own in scores)
        at = START + timedelta(minutes=random.randint(0, number // 2))  # some end at the same moment
        found.append(Rated(at, f"r{each}", random.choice(["polignac", "mykonos"]), seats, places))
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_arrival_changes_nothing(seed: int) -> None:
    random = Random(seed)
    results = some_results(random, 60)
    assert ratings(results) == ratings(random.sample(results, 60)) == ratings(results + results[:9])


@pytest.mark.parametrize("seed", SEEDS)
def test_seats_and_names_change_nothing(seed: int) -> None:
    random = Random(seed)
    results = some_results(random, 60)
    names = {person(f"p{n}"): person(f"q{random.random()}") for n in range(12)}
    moved = []
    for each in results:
        order = random.sample(range(len(each.seats)), len(each.seats))
        seats, places = tuple(names[each.seats[n]] for n in order), tuple(each.places[n] for n in order)
        moved.append(each._replace(seats=seats, places=places))
    before, after = ratings(results), ratings(moved)
    assert {game: {names[name]: r for name, r in pool.items()} for game, pool in before.items()} == after


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_places_and_equal_ratings_stay_equal(seed: int) -> None:
    random = Random(seed)
    size = random.randint(2, 6)
    places = tuple(sorted(random.choices(range(1, size + 1), k=size)))
    table = ratings([Rated(START, "r", "g", tuple(person(f"p{n}") for n in range(size)), places)])["g"]
    for one in range(size):
        for other in range(one):
            mine, theirs = table[person(f"p{one}")], table[person(f"p{other}")]
            assert (mine.mu == theirs.mu) == (places[one] == places[other])
            assert mine.mu <= theirs.mu


@pytest.mark.parametrize("seed", SEEDS)
def test_a_better_place_is_never_rated_lower(seed: int) -> None:
    random = Random(seed)
    before = some_results(random, 30, 6)
    seats = tuple(person(f"p{n}") for n in range(6))
    places = tuple(random.choices(range(1, 7), k=6))
    for seat in range(6):
        found = []
        for place in range(1, 7):
            last = Rated(
                START + timedelta(days=9), "z", "polignac", seats, (*places[:seat], place, *places[seat + 1 :])
            )
            found.append(ratings([*before, last])["polignac"][seats[seat]].mu)
        assert found == sorted(found, reverse=True)


def test_a_void_or_a_correction_is_another_list_and_everything_follows() -> None:
    results = some_results(Random(3), 40)
    corrected = [each._replace(places=tuple(reversed(each.places))) if each.id == "r7" else each for each in results]
    without = [each for each in results if each.id != "r7"]
    assert len({str(ratings(given)) for given in (results, corrected, without)}) == 3


def test_ratings_are_by_game_with_their_history_and_provisional_at_first() -> None:
    results = [
        Rated(START + timedelta(days=n), f"r{n:02}", "polignac", (person("a"), person("b")), (1, 2))
        for n in range(PROVISIONAL)
    ]
    assert set(ratings(results)) == {"polignac"}
    rating = ratings(results)["polignac"][person("a")]
    assert not rating.provisional and ratings(results[1:])["polignac"][person("a")].provisional
    assert [step.result for step in rating.history] == [f"r{n:02}" for n in range(PROVISIONAL)]
    assert (rating.history[-1].mu, rating.history[-1].sigma) == (rating.mu, rating.sigma)
    assert rating.history[0].mu < rating.mu and rating.sigma < Rating().sigma


def test_bots_have_a_pool_of_their_own_and_mixed_tables_rate_nobody() -> None:
    mixed = Rated(START, "r1", "g", (person("a"), bot_at("rule")), (1, 2))
    arena = Rated(START, "r2", "g", (bot_at("rule"), bot_at("random"), bot_at("random")), (1, 2, 3))
    alone = Rated(START, "r3", "g", (bot_at("rule"), bot_at("rule")), (1, 2))
    assert ratings([mixed, alone]) == {}
    table = ratings([mixed, arena, alone])["g"]
    assert set(table) == {bot_at("rule"), bot_at("random")}
    assert table[bot_at("rule")].mu > MU > table[bot_at("random")].mu
    assert table[bot_at("random")].matches == 1


def test_equal_ratings_share_a_place_on_the_leaderboard() -> None:
    results = [Rated(START, "r", "g", (person("a"), person("b"), person("c")), (2, 2, 1))]
    board = leaderboard(ratings(results)["g"])
    assert [(rank.place, rank.name) for rank in board] == [(1, person("c")), (2, person("a")), (2, person("b"))]
    assert leaderboard(ratings(results)["g"], provisional=False) == []


def test_three_thousand_results_take_a_second_at_most() -> None:
    results = some_results(Random(1), 3000, 60)
    took = []
    for _ in range(3):
        began = time.process_time()
        ratings(results)
        took.append(time.process_time() - began)
    assert min(took) < 1
