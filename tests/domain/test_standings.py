"""Standings: places from points alone, what decided, drops, averages, then and now (C32, C33, C35, C38)."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from domain.rules import games
from domain.schemes import SCALE
from domain.season import Season, credited, fold
from domain.season_decide import adjust, cancel_adjustment, close, remove_member
from domain.season_results import Amended, correct
from domain.season_scoring import result_worth
from domain.standings import Standings, as_known, history, standings
from domain.tie_breaks import TIE_BREAKS
from tests.domain.seasons import ORGANISER, START, chains, declared, record, season, told

SEEDS = range(30)
SCHEMES = [
    {"kind": kind, "drop_worst": drop, "min_results": 1}
    for kind in ("raw", "places", "wins", "average")
    for drop in (0, 2)
]


def places(table: Standings) -> dict[str, int | None]:
    return {row.member: row.place for row in table.rows}


def score(s: Season, member: str) -> Fraction | None:
    return next(row.score for row in standings(s).rows if row.member == member)


def turned(values: list[Any] | None) -> list[Any] | None:
    """Everybody one seat on."""
    return values and values[1:] + values[:1]


def renamed(s: Season, names: dict[str, str]) -> Season:
    """The same season with other ids, the seats of every result turned, and everything else in its place."""
    found = []
    for event in s.fresh:
        data = dict(event.data)
        if "member" in data:
            data["member"] = names[data["member"]]
        if event.type in ("result_recorded", "corrected"):
            members = [{"member": names[each["member"]]} for each in data.get("members", [])]
            data |= {"points": turned(data["points"]), "places": turned(data["places"])}
            data |= {"members": turned(members)} if members else {}
        found.append(event._replace(data=data))
    return fold("se", found)


@pytest.mark.parametrize("game", list(games()))
@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_seats_and_ids_change_no_place(scheme: dict[str, Any], game: str) -> None:
    for seed in range(6):
        random = Random(seed)
        breaks = [name for name in TIE_BREAKS if name != "lot"]
        s = season(8, game=game, scheme=scheme, tie_breaks=random.sample(breaks, 4))
        told(s, declared(chains(s, random, 12)))
        names = dict(zip(s.members, random.sample([f"x{n}" for n in range(8)], 8), strict=True))
        before, after = standings(s), standings(renamed(s, names))
        assert {names[member]: place for member, place in places(before).items()} == places(after)
        by_score = sorted((row for row in before.rows if row.place), key=lambda row: row.place or 0)
        assert all((a.score or 0) >= (b.score or 0) for a, b in zip(by_score, by_score[1:], strict=False))


@pytest.mark.parametrize("seed", SEEDS)
def test_shared_places_count_everybody_above_and_what_decided_is_true(seed: int) -> None:
    random = Random(seed)
    s = season(9, scheme={"kind": "wins"}, tie_breaks=random.sample(list(TIE_BREAKS), 3))
    told(s, declared(chains(s, random, 8)))
    rows = [row for row in standings(s).rows if row.place is not None]
    for at, row in enumerate(rows):
        above = [other for other in rows if (other.place or 0) < (row.place or 0)]
        assert row.place == len(above) + 1
        following = rows[at + 1] if at + 1 < len(rows) else None
        if following is None:
            assert row.decided_by is None
        elif row.decided_by == "shared":
            assert row.place == following.place and row.score == following.score
        elif row.decided_by == "score":
            assert row.score is not None and following.score is not None and row.score > following.score
        else:
            assert row.score == following.score and row.place != following.place
            assert row.decided_by in s.tie_breaks


def test_few_points_win_in_one_game_and_many_in_another_and_zero_is_a_score() -> None:
    for game, first in (("polignac", "m0"), ("pot_de_vin", "m2")):
        s = season(4, game=game, scheme={"kind": "raw"})
        record(s, "r1", ["m0", "m1", "m2"], [0, 4, 9])
        rows = {row.member: row for row in standings(s).rows}
        assert standings(s).rows[0].member == first
        assert rows["m0"].score == 0 and rows["m0"].place is not None
        assert rows["m3"].score is None and rows["m3"].place is None


def test_a_table_in_which_everybody_is_below_zero_is_ranked() -> None:
    s = season(3, game="bottle_imp", scheme={"kind": "raw"}, tie_breaks=[])
    record(s, "r1", ["m0", "m1", "m2"], [-12, -3, -3])
    assert places(standings(s)) == {"m1": 1, "m2": 1, "m0": 3}
    adjust(s, ORGANISER, "a", "m1", "penalty", -30 * 60, "n")
    assert places(standings(s)) == {"m2": 1, "m0": 2, "m1": 3}
    assert score(s, "m1") == -33


def test_the_worst_are_dropped_and_one_result_always_stays() -> None:
    s = season(3, scheme={"kind": "raw", "drop_worst": 2})
    for number, points in enumerate([[5, 1, 0], [3, 1, 0], [9, 1, 0]]):
        record(s, f"r{number}", ["m0", "m1", "m2"], points)
    row = next(row for row in standings(s).rows if row.member == "m0")
    assert (row.score, row.counted, row.dropped) == (Fraction(-3), ["r1"], ["r2", "r0"])
    s = season(3, scheme={"kind": "raw", "drop_worst": 5})
    record(s, "r0", ["m0", "m1", "m2"], [5, 1, 0])
    assert score(s, "m0") == -5


@pytest.mark.parametrize("seed", SEEDS)
def test_no_other_choice_of_results_to_drop_would_give_more(seed: int) -> None:
    random, drop = Random(seed), seed % 4
    for kind in ("raw", "places", "average"):
        s = season(5, scheme={"kind": kind, "drop_worst": drop, "min_results": 1})
        told(s, declared(chains(s, random, 10)))
        for row in standings(s).rows:
            results = [*row.counted, *row.dropped]
            worth = {r: result_worth(s, s.results[r])[credited(s.results[r].seats).index(row.member)] for r in results}
            kept = max(1, len(results) - drop)
            sums = [sum(worth[r] for r in choice) for choice in combinations(results, min(kept, len(results)))]
            best = Fraction(max(sums), SCALE * (kept if kind == "average" else 1)) if results else None
            assert (row.score or 0) == (best or 0) + row.adjustments


def test_an_average_is_an_exact_fraction_of_the_results_that_are_kept() -> None:
    s = season(3, game="mykonos", scheme={"kind": "average", "min_results": 2, "drop_worst": 1})
    for number, points in enumerate([[10, 1, 0], [11, 1, 0], [0, 1, 0], [12, 1, 0]]):
        record(s, f"r{number}", ["m0", "m1", "m2"], points)
    assert score(s, "m0") == Fraction(33, 3)
    s = season(4, game="mykonos", scheme={"kind": "average", "min_results": 2})
    for number in range(3):
        record(s, f"r{number}", ["m0", "m1", "m2"], [number, 0, 1])
    record(s, "once", ["m3", "m1"], [99, 0])
    assert places(standings(s)) == {"m0": 1, "m2": 1, "m1": 3, "m3": None}
    assert score(s, "m0") == 1


# Tie-breaks


def one_tie(tie_breaks: list[str], **more: Any) -> Season:
    """m0 and m1 have 9 + 1 and 5 + 5 points in places; m0 has won once."""
    s = season(6, tie_breaks=tie_breaks, **more)
    record(s, "r1", ["m0", "m1", "m2"], [0, 3, 9])
    record(s, "r2", ["m0", "m3", "m4"], [9, 0, 3])
    record(s, "r3", ["m1", "m3", "m5"], [3, 0, 9])
    return s


@pytest.mark.parametrize(
    ("tie_breaks", "first", "decided"),
    [
        (["wins"], "m0", "wins"),
        (["seconds"], "m1", "seconds"),
        (["head_to_head"], "m0", "head_to_head"),
        (["raw_total"], "m1", "raw_total"),  # 6 against 9, where few win
        (["points", "raw_total", "wins"], "m1", "raw_total"),
        ([], "m0", "shared"),
        (["points", "fewest_penalties"], "m0", "shared"),
    ],
)
def test_the_criterion_that_decided_is_named(tie_breaks: list[str], first: str, decided: str) -> None:
    s = one_tie(tie_breaks)
    rows = [row for row in standings(s).rows if row.member in ("m0", "m1")]
    assert [row.score for row in rows] == [10, 10]
    assert (rows[0].member, rows[0].decided_by) == (first, decided)


def test_the_parts_of_a_group_start_again_from_the_first_criterion() -> None:
    """Four are tied and never met all together; wins parts two and two; of the last two, their meeting decides."""
    s = season(7, scheme={"kind": "places", "points": {"3": [6, 3, 0]}}, tie_breaks=["head_to_head", "wins"])
    record(s, "r1", ["m0", "m1", "m3"], [1, 2, 0])  # m0 3, m1 0
    record(s, "r2", ["m1", "m4", "m5"], [1, 0, 2])  # m1 3
    record(s, "r3", ["m2", "m4", "m6"], [0, 1, 2])  # m2 6: one win
    record(s, "r4", ["m0", "m5", "m6"], [1, 0, 2])  # m0 3 more
    record(s, "r5", ["m1", "m5", "m6"], [1, 0, 2])  # m1 3 more
    rows = [row for row in standings(s).rows if row.score == 6]
    assert [(row.member, row.decided_by) for row in rows[:3]] == [
        ("m2", "shared"), ("m3", "wins"), ("m0", "head_to_head"),
    ]  # fmt: skip
    assert rows[2].ties["head_to_head"] == 3 and rows[3].ties["head_to_head"] == 0


def test_penalties_are_counted_and_cancelled_ones_are_not() -> None:
    s = one_tie(["fewest_penalties"])
    adjust(s, ORGANISER, "a1", "m0", "penalty", -60, "n")
    adjust(s, ORGANISER, "a2", "m0", "bonus", 60, "n")
    rows = standings(s).rows
    assert [(r.member, r.decided_by) for r in rows if r.score == 10] == [("m1", "fewest_penalties"), ("m0", "score")]
    cancel_adjustment(s, ORGANISER, "a1")
    cancel_adjustment(s, ORGANISER, "a2")
    assert next(row for row in standings(s).rows if row.member == "m0").decided_by == "shared"


def test_a_lot_is_drawn_once_by_the_recorded_seed() -> None:
    s = one_tie(["lot"])
    assert standings(s) == standings(fold("se", s.fresh))
    assert s.opened["lot"] and [r.decided_by for r in standings(s).rows if r.score == 10][0] == "lot"


# Then and now


def test_the_table_as_it_was_known_and_as_it_is_corrected() -> None:
    s = season(3, scheme={"kind": "raw"}, tie_breaks=[])
    record(s, "r1", ["m0", "m1", "m2"], [0, 1, 2], ended=0)
    assert s.now
    s.now += timedelta(days=1)
    record(s, "r2", ["m0", "m1", "m2"], [5, 0, 0], ended=24 * 60)
    evening = START + timedelta(hours=12)
    s.now += timedelta(days=7)
    correct(s, ORGANISER, "r1", Amended(points=[9, 1, 2]), "n")
    known = standings(fold("se", as_known(s.fresh, evening)))
    corrected = standings(s, until=evening)
    assert [(row.member, str(row.score)) for row in known.rows] == [("m0", "0"), ("m1", "-1"), ("m2", "-2")]
    assert [(row.member, str(row.score)) for row in corrected.rows] == [("m1", "-1"), ("m2", "-2"), ("m0", "-9")]
    assert score(s, "m0") == -14


def test_a_revision_of_the_final_table_stays_readable() -> None:
    s = season(3, scheme={"kind": "raw"}, tie_breaks=[])
    record(s, "r1", ["m0", "m1", "m2"], [0, 1, 2])
    assert not standings(s).final
    close(s, ORGANISER)
    assert standings(s).final and not standings(s).provisional
    correct(s, ORGANISER, "r1", Amended(points=[2, 1, 0]), "n")
    assert len(s.revisions) == 2
    first, second = (standings(fold("se", s.fresh[:version])) for version in s.revisions)
    assert [row.member for row in first.rows] == ["m0", "m1", "m2"]
    assert [row.member for row in second.rows] == ["m2", "m1", "m0"]
    assert first.final and second.final


def test_who_left_stays_in_the_table_if_he_has_played() -> None:
    s = season(5, tie_breaks=[])
    record(s, "r1", ["m0", "m1", "m2"], [0, 1, 2])
    remove_member(s, ORGANISER, "m0")
    remove_member(s, ORGANISER, "m4")
    assert places(standings(s)) == {"m0": 1, "m1": 2, "m2": 3, "m3": None}


def test_the_history_has_a_table_for_each_round() -> None:
    s = season(3, scheme={"kind": "raw"})
    record(s, "r1", ["m0", "m1", "m2"], [0, 1, 2])
    record(s, "r2", ["m0", "m1", "m2"], [9, 0, 0])
    for number, result in enumerate(s.results.values(), 1):
        result.round = number
    assert [(n, table.rows[0].member, len(table.rows)) for n, table in history(s)] == [(1, "m0", 3), (2, "m1", 3)]


@pytest.mark.parametrize("members", [3, 7, 60, 200])
def test_leagues_of_three_to_two_hundred_members(members: int) -> None:
    random = Random(members)
    s = season(members, tie_breaks=["points", "head_to_head", "wins", "lot"])
    told(s, declared(chains(s, random, members)))
    table = standings(s)
    assert sorted(row.member for row in table.rows) == sorted(s.members)
    found = [row.place for row in table.rows if row.place]
    assert found == list(range(1, len(found) + 1))  # a lot parts everybody
