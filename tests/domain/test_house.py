"""What the house does unasked, and the places: one key by which seats are ranked."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain import decide, rules
from domain.house import house, next_dealer, places, scored, tied
from domain.match import Match, Seat, emit
from tests.games.polignac import match_at, move, play_deal
from tests.laws.matches import drawing, opened
from tests.laws.tables import Table

POLIGNAC = rules.games()["polignac"]
DRAW = drawing(Random(4))


def standing(totals: list[int], low_wins: bool = True, **more: Any) -> Match:
    """A match that stands so: `resigned` seats, `extras` of tie-break deals, `ties`; `extra`: one is being played."""
    m = Match("m-1")
    m.game = next(game for game in rules.games().values() if low_wins == game.LOW_WINS)
    m.totals, m.dealt = totals, {"extra": more.get("extra", False)}
    m.seats = [Seat(resigned=seat in more.get("resigned", [])) for seat in range(len(totals))]
    m.extras, m.ties = more.get("extras", [[] for _ in totals]), more.get("ties", [])
    return m


@pytest.mark.parametrize(
    ("case", "m", "forfeited", "expected"),
    [
        ("fewest points win", standing([3, 0, 7, 5]), None, [2, 1, 4, 3]),
        ("most points win", standing([3, 0, 7, 5], low_wins=False), None, [3, 4, 1, 2]),
        ("equal points share, and count", standing([1, 5, 5, 9]), None, [1, 2, 2, 4]),
        ("all equal", standing([4, 4, 4]), None, [1, 1, 1]),
        ("zero is a score", standing([0, 0, -1]), None, [2, 2, 1]),
        ("all negative, most win", standing([-3, -1, -7], low_wins=False), None, [2, 1, 3]),
        ("all negative, fewest win", standing([-3, -1, -7]), None, [2, 3, 1]),
        ("who resigned is last, whatever his points", standing([0, 9, 5], resigned=[0]), None, [3, 2, 1]),
        ("two who resigned share the last place", standing([0, 9, 5, 1], resigned=[0, 1]), None, [3, 3, 2, 1]),
        ("who forfeits is last", standing([0, 9, 5]), 0, [3, 2, 1]),
        ("but before who resigned", standing([0, 9, 5], resigned=[1]), 0, [2, 3, 1]),
        ("the tied by their extra deals", standing([9, 3, 3, 3], extras=[[], [0], [2], [3]]), None, [4, 1, 2, 3]),
        ("equal in them share", standing([9, 3, 3, 3], extras=[[], [0], [2], [2]]), None, [4, 1, 2, 2]),
        ("the first extra deal, then the next", standing([3, 3, 3], extras=[[0, 5], [0, 0], [5]]), None, [2, 1, 3]),
        ("in an extra deal the forfeiter is last of the tied",
         standing([9, 3, 3, 3], extras=[[], [], [], []], extra=True), 2, [4, 1, 3, 1]),
        ("of those still tied",
         standing([9, 3, 3, 3], extras=[[], [0], [0], [5]], extra=True), 2, [4, 1, 2, 3]),
        ("more is better in ties", standing([5, 5, 7], ties=[[1, 0], [1, 2], [9, 9]]), None, [2, 1, 3]),
        ("ties that are equal share", standing([5, 5], low_wins=False, ties=[[1], [1]]), None, [1, 1]),
    ],
)  # fmt: skip
def test_places(case: str, m: Match, forfeited: int | None, expected: list[int]) -> None:
    assert places(m, forfeited) == expected, case


def test_the_tied_are_those_who_share_the_first_place_and_have_not_resigned() -> None:
    assert tied(standing([3, 3, 5, 3])) == [0, 1, 3]
    assert tied(standing([3, 3, 5, 3], resigned=[0])) == [1, 3]
    assert tied(standing([3, 3, 3], extras=[[0], [0], [1]])) == [0, 1]


@pytest.mark.parametrize(
    ("last", "seats", "dealer"),
    [
        (None, [0, 1, 2, 3], 2),
        (0, [0, 1, 2, 3], 1),
        (3, [0, 1, 2, 3], 0),
        (1, [0, 1, 3], 3),
        (3, [1, 3], 1),
        (2, [2], 2),
    ],
)
def test_the_deal_moves_to_the_next_playing_seat(last: int | None, seats: list[int], dealer: int) -> None:
    m = Match("m-1")
    m.dealt = None if last is None else {"dealer": last}
    assert next_dealer(m, seats, first=2) == dealer


def test_the_house_deals_when_the_last_seat_is_ready_and_not_before() -> None:
    seats: list[dict[str, Any]] = [{"player": "p-host"}, {"player": "p-1"}, {}, {"bot": "rule"}]
    m = Match("m-1")
    decide.open_match(m, {**opened(Table(POLIGNAC, "polignac", 4), {}), "seats": seats}, DRAW)
    assert (m.status, m.version) == ("open", 1)
    decide.sit(m, None, "p-1", DRAW)
    assert (m.status, m.version) == ("open", 2)
    decide.seat_bot(m, None, "random", DRAW)
    assert m.status == "playing"
    assert [event.type for event in m.fresh] == ["opened", "seated", "seated", "dealt"]
    dealt = m.fresh[-1].data
    assert (dealt["deal"], dealt["extra"], dealt["seats"], dealt["shuffled_as"]) == (1, False, [0, 1, 2, 3], "m-1")
    assert len(bytes.fromhex(dealt["seed"])) == 32


def test_a_deal_that_is_over_is_scored_once_and_the_next_is_dealt() -> None:
    m = match_at([0, 0, 0, 0], {})
    play_deal(m)
    assert [event.type for event in m.fresh][-3:] == ["moved", "scored", "dealt"]
    before = m.version
    house(m, DRAW)
    assert m.version == before, "the house has nothing more to do"


def test_a_scored_deal_tells_lines_without_zeros_and_points_by_seat() -> None:
    m = match_at([0, 0, 0, 0], {0: "KH", 1: "JH", 2: "JS 7S 8S 9S TS QS KS AS", 3: "TH"})
    move(m, "0 KH, 1 JH, 2 JS, 3 TH")
    found = scored(m)
    assert found["lines"] == [
        {"seat": 0, "reason": "JH", "points": 1}, {"seat": 0, "reason": "JS", "points": 2},
    ]  # fmt: skip
    assert (found["points"], found["deal"], found["extra"]) == ([3, 0, 0, 0], 2, False)


def test_the_secret_of_every_deal_is_drawn_anew() -> None:
    m = match_at([0, 0, 0, 0], {}, deals=4, tie_break="shared")
    for _ in range(3):
        play_deal(m)
    seeds = [event.data["seed"] for event in m.fresh if event.type == "dealt" and "seed" in event.data]
    assert len(seeds) == len(set(seeds)) == 2


def test_an_event_keeps_its_own_totals() -> None:
    m = match_at([9, 1, 2, 3], {0: "KS QS JS AS TS 9S 8S 7S"})
    play_deal(m)
    ended = m.fresh[-1]
    emit(m, "voided", by="p-0", reason="a slip")
    assert (ended.type, ended.data["totals"]) == ("ended", [14, 1, 2, 3])
    assert ended.data["totals"] is not m.totals
