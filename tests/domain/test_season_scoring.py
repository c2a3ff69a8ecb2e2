"""The ledger of a season: exact, rebuilt from events, mirrored by corrections, the same in any order (C34-C36)."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from domain import schemes
from domain.ratings import rated_in, ratings
from domain.rules import OptionsError, games
from domain.schemes import KINDS, PLACE_POINTS, SCALE, complete, units, worth
from domain.scoring import Transfer
from domain.season import Season, fold
from domain.season_decide import adjust, cancel_adjustment, change_scheme
from domain.season_results import Amended, correct, void_match
from domain.season_scoring import season_transfers, sums
from domain.standings import standings
from tests.domain.clubs import paper_chain
from tests.domain.seasons import ORGANISER, chains, declared, interleaved, record, season, told

SEEDS = range(40)
SCHEMES: list[dict[str, Any]] = [
    {"kind": "raw"}, {"kind": "places"}, {"kind": "wins"}, {"kind": "average", "min_results": 2},
    {"kind": "raw", "drop_worst": 2}, {"kind": "places", "drop_worst": 1},
    {"kind": "average", "min_results": 1, "drop_worst": 3},
]  # fmt: skip
NO_LOT = ["points", "head_to_head", "wins", "seconds", "raw_total", "fewest_penalties"]


def balances(transfers: list[Transfer]) -> Counter[str]:
    found: Counter[str] = Counter()
    for transfer in transfers:
        assert sum(posting.amount for posting in transfer.postings) == 0
        found.update({posting.account: posting.amount for posting in transfer.postings})
    return found


def in_ledger(s: Season) -> dict[str, int]:
    """What the accounts of the members hold."""
    found = balances(season_transfers("se", s.fresh))
    return {member: found[f"season:se:member:{member}"] for member in s.members}


@pytest.mark.parametrize("game", list(games()))
@pytest.mark.parametrize("seed", SEEDS)
def test_any_interleaving_gives_the_same_ledger_standings_and_ratings(seed: int, game: str) -> None:
    random = Random(f"{seed} {game}")
    asked: dict[str, Any] = {"game": game, "scheme": random.choice(SCHEMES), "tie_breaks": random.sample(NO_LOT, 4)}
    members = random.randint(4, 9)
    found = chains(season(members, **asked), random, random.randint(1, 15))
    changed = random.choice(SCHEMES)
    found += [[lambda s: change_scheme(s, ORGANISER, changed, None, "n")]] * (seed % 2)
    found += [paper_chain(f"s{number}") for number in range(2)] if game == "polignac" else []
    one = told(season(members, **asked), declared(found))
    other = told(season(members, **asked), interleaved(found, random))
    assert in_ledger(one) == in_ledger(other) == sums(one) == sums(other)
    assert standings(one).rows == standings(other).rows
    assert ratings(rated_in(one)) == ratings(rated_in(other))


@pytest.mark.parametrize("seed", SEEDS)
def test_recalculating_after_every_event_posts_what_a_rebuild_posts(seed: int) -> None:
    random = Random(seed)
    s = season(7, scheme=random.choice(SCHEMES))
    told(s, interleaved(chains(s, random, 10), random))
    live: dict[str, Transfer] = {}
    for version in range(1, len(s.fresh) + 1):
        for transfer in season_transfers("se", s.fresh[:version]):
            assert live.setdefault(transfer.id, transfer) == transfer
    assert list(live.values()) == season_transfers("se", s.fresh)
    assert standings(fold("se", s.fresh)) == standings(s)


def test_a_correction_mirrors_what_stood_on_every_account_and_posts_anew() -> None:
    s = season(4)
    record(s, "r1", ["m0", "m1", "m2"], [0, 2, 2])
    correct(s, ORGANISER, "r1", Amended(points=[2, 0, 2]), "n1")
    posted, reversal, anew = season_transfers("se", s.fresh)
    assert [each.kind for each in (posted, reversal, anew)] == ["placement", "reversal", "placement"]
    assert [(p.account, -p.amount, p.seat, p.member) for p in reversal.postings] == [
        (p.account, p.amount, p.seat, p.member) for p in posted.postings
    ]
    assert {p.member: p.amount for p in anew.postings if p.member} == {
        "m0": 3 * SCALE,
        "m1": 9 * SCALE,
        "m2": 3 * SCALE,
    }
    assert posted.effective_at == reversal.effective_at == anew.effective_at
    assert len({each.id for each in (posted, reversal, anew)}) == 3


def test_a_void_leaves_nothing_and_a_zero_is_a_line() -> None:
    s = season(4, scheme={"kind": "raw"})
    record(s, "r1", ["m0", "m1", "m2"], [0, 0, 0])
    assert [posting.amount for posting in season_transfers("se", s.fresh)[0].postings] == [0, 0, 0, 0]
    record(s, "r2", ["m0", "m1", "m2"], [1, 2, 3])
    void_match(s, "r2")
    void_match(s, "r2")
    assert in_ledger(s) == dict.fromkeys(s.members, 0)
    assert [each.kind for each in season_transfers("se", s.fresh)] == ["game", "game", "reversal"]


def test_penalties_and_bonuses_survive_everything_and_are_cancelled_by_reversal() -> None:
    s = season(4)
    adjust(s, ORGANISER, "a1", "m0", "penalty", -90, "n1")
    adjust(s, ORGANISER, "a2", "m1", "bonus", 20, "n2")
    record(s, "r1", ["m0", "m1", "m2"], [0, 1, 2])
    change_scheme(s, ORGANISER, {"kind": "wins"}, None, "n3")
    assert in_ledger(s) == sums(s) == {"m0": 60 - 90, "m1": 20, "m2": 0, "m3": 0}
    cancel_adjustment(s, ORGANISER, "a1")
    assert in_ledger(s)["m0"] == 60
    kinds = [each.kind for each in season_transfers("se", s.fresh)]
    assert kinds == ["penalty", "bonus", "placement", "reversal", "placement", "reversal"]


def test_who_sat_for_somebody_earns_for_him() -> None:
    s = season(5)
    record(s, "r1", ["m0", "m1", "m2"], [0, 1, 2])
    s.fresh[-1].data["members"][0]["for"] = "m4"
    again = fold("se", s.fresh)
    assert sums(again)["m4"] == 9 * SCALE and sums(again)["m0"] == 0


@pytest.mark.parametrize("seats", range(2, 7))
def test_shared_places_share_exactly_at_every_size_of_table(seats: int) -> None:
    scheme = complete({"kind": "places"})
    for points in ([1] * seats, [*[1] * (seats - 1), 2], list(range(seats)), [0, *[1] * (seats - 1)]):
        places = [1 + sum(other < own for other in points) for own in points]
        found = worth(scheme, points, places, low_wins=True)
        assert sum(found) == SCALE * sum(PLACE_POINTS[str(seats)])
        assert sum(worth(complete({"kind": "wins"}), points, places, low_wins=True)) == SCALE
        assert all((a < b) == (found[x] > found[y]) for x, a in enumerate(points) for y, b in enumerate(points))
    assert sum(PLACE_POINTS[str(seats)]) == 5 * seats


def test_few_points_win_where_the_game_says_so() -> None:
    for scheme in ("raw", "average"):
        low, high = (worth({"kind": scheme}, [3, -2, 0], [], low_wins=low) for low in (True, False))
        assert low == [-180, 120, 0] and high == [180, -120, 0]


@pytest.mark.parametrize(
    ("scheme", "field"),
    [
        ({}, "kind"), ({"kind": "elo"}, "kind"), ({"kind": None}, "kind"), ({"kind": "average"}, "min_results"),
        ({"kind": "average", "min_results": 0}, "min_results"), ({"kind": "raw", "drop_worst": -1}, "drop_worst"),
        ({"kind": "raw", "drop_worst": True}, "drop_worst"), ({"kind": "raw", "bonus": 1}, "bonus"),
        ({"kind": "raw", "points": {"3": [3, 2, 1]}}, "points"),
        ({"kind": "places", "points": {"3": [3, 2]}}, "points"),
        ({"kind": "places", "points": {"7": [1] * 7}}, "points"), ({"kind": "places", "points": [3, 2, 1]}, "points"),
        ({"kind": "places", "points": {"3": [1, 2, 3]}}, "points"),
        ({"kind": "places", "points": {"3": [3, 2, 0.5]}}, "points"),
    ],
)  # fmt: skip
def test_an_unknown_scheme_is_refused_by_the_name_of_the_field(scheme: dict[str, Any], field: str) -> None:
    with pytest.raises(OptionsError) as refused:
        complete(scheme)
    assert f"scheme.{field}" in refused.value.errors


def test_own_points_for_places_stand_beside_the_usual_ones() -> None:
    scheme = complete({"kind": "places", "points": {"3": [3, 1, -1]}})
    assert scheme["points"]["3"] == [3, 1, -1] and scheme["points"]["4"] == PLACE_POINTS["4"]
    assert set(KINDS) == {"raw", "places", "wins", "average"}


@pytest.mark.parametrize(
    ("written", "found"), [(3, 180), (-2.5, -150), ("1/3", 20), ("-0.75", -45), (0, 0), ("7", 420)]
)
def test_points_are_read_exactly(written: object, found: int) -> None:
    assert units(written) == found


@pytest.mark.parametrize(
    "written", [0.01, "1/7", "x", None, True, float("nan"), float("inf"), 10**12, "1e9999999", 10**400]
)
def test_what_is_no_number_of_sixtieths_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match="number"):
        units(written)


def test_the_number_of_units_in_a_point_splits_among_up_to_six() -> None:
    assert all(schemes.SCALE % seats == 0 for seats in range(1, 7))
