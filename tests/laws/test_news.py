"""What everybody is told, append by append, in every match of every game: all he may read, and nothing else."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from domain import decide, seen
from domain.match import Match
from domain.news import before, concerned, news
from tests.laws.matches import drawing, opened, short_rules, turn
from tests.laws.tables import MANNERS, Table, tables


def people(table: Table) -> list[str]:
    return [f"p{seat}" for seat in range(table.seats)]


def opening(table: Table, random: Random) -> Match:
    """A private match to which everybody is invited by a host who only looks on."""
    m = Match(f"m-{random.randint(0, 10**9)}")
    seats = [{"player": player} for player in people(table)]
    facts = opened(table, short_rules(table, random), seats=seats, visibility="private")
    decide.open_match(m, facts, drawing(random))
    return m


def told(m: Match, since: int) -> dict[str, list[dict[str, Any]]]:
    """What each is told of what came since that version; a stranger nothing."""
    assert news(m, m.fresh[since:], "stranger") == news(m, m.fresh[since:], None) == []
    return {player: news(m, m.fresh[since:], player) for player in concerned(m)}


@pytest.mark.parametrize("table", tables(), ids=str)
def test_everybody_is_told_what_he_may_read_and_when_he_owes_a_word(table: Table) -> None:
    random = Random(f"{table} news")
    m, since = opening(table, random), 0
    kinds: dict[str, list[str]] = {player: [] for player in ["p-host", *people(table)]}
    steps = [lambda player=player: decide.sit(m, None, player, drawing(random)) for player in people(table)]
    while True:
        for player, items in told(m, since).items():
            kinds[player] += [item["type"] for item in items]
            check(m, since, player, items)
        if m.over:
            break
        since = len(m.fresh)
        steps.pop(0)() if steps else turn(m, random, random.choice(MANNERS))
    for player, found in kinds.items():
        assert found.count("invited") == (player != "p-host")
        assert (found.count("started"), found.count("ended")) == (1, 1)
        assert ("turn" in found) == (player != "p-host")


def check(m: Match, since: int, player: str, items: list[dict[str, Any]]) -> None:
    events = [item["event"] for item in items if item["type"] == "event"]
    assert events == [seen.event(m, event, player) for event in m.fresh[since:]]
    seat = m.seat_of(player)
    turns = [(item["seat"], item["legal"], item["version"]) for item in items if item["type"] == "turn"]
    assert turns == ([(seat, decide.legal(m, seat), m.version)] if seat in m.to_act and seat is not None else [])
    if m.status == "playing" and m.dealt and m.dealt.get("seed"):
        assert m.dealt["seed"] not in json.dumps(items, default=str)


def test_who_left_a_private_match_is_told_nothing_of_it() -> None:
    random = Random(1)
    m = opening(tables()[0], random)
    since = len(m.fresh)
    decide.leave(m, 1)
    assert news(m, m.fresh[since:], "p1") == []
    assert [item["type"] for item in news(m, m.fresh[since:], "p0")] == ["event"]


def test_where_somebody_came_is_found_in_the_events() -> None:
    random = Random(2)
    m = Match("m-came")
    facts = opened(tables()[0], short_rules(tables()[0], random), seats=[{"player": "p0"}, {}, {}, {}])
    decide.open_match(m, facts, drawing(random))
    decide.sit(m, 1, "p1", drawing(random))
    decide.leave(m, 1)
    for seat in range(2, 4):
        decide.sit(m, seat, f"p{seat}", drawing(random))
    assert [before(m.id, m.fresh, player) for player in ("p-host", "p0", "p2", "p3")] == [0, 0, 3, 4]
    decide.sit(m, 1, "p1", drawing(random))
    assert before(m.id, m.fresh, "p1") == 5, "he left and came back"
