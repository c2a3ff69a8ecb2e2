"""Seasons made up for tests: members, results with points drawn at random, corrections, voids and penalties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from domain.season import Season, emit
from domain.season_decide import Caller, add_member, adjust, cancel_adjustment, open_season
from domain.season_results import Amended, by_points, correct, void_match

START = datetime(2026, 1, 1, tzinfo=UTC)
ORGANISER = Caller("organiser", True)
LOT = "5eed"
Step = Callable[[Season], None]
Chain = list[Step]  # steps that must follow each other: a result, its corrections, its end


def season(members: int, game: str = "polignac", guests: int = 0, **asked: Any) -> Season:
    """An open season with members m0, m1 … whose players are p0, p1 …; the last of them are guests."""
    s = Season("se", START)
    open_season(s, ORGANISER, league="l", game=game, lot=LOT, **asked)
    for number in range(members):
        add_member(s, ORGANISER, f"m{number}", f"p{number}" if number < members - guests else None)
    return s


def record(s: Season, result: str, members: Sequence[str], points: Sequence[int], ended: int = 0) -> None:
    """A match between these members, as if it had been played: the event alone."""
    emit(
        s, "result_recorded", result=result, source="match", table=None, members=[{"member": m} for m in members],
        points=list(points), places=by_points(points, s.game.LOW_WINS),
        ended_at=(START + timedelta(minutes=ended)).isoformat(),
    )  # fmt: skip


def chains(s: Season, random: Random, results: int) -> list[Chain]:
    """What happens in a season: results, some corrected once or twice, some voided, and penalties, some cancelled."""
    found = [_result_chain(s, random, f"r{number}") for number in range(results)]
    return found + [_penalty_chain(s, random, f"a{number}") for number in range(random.randint(0, 5))]


def _points(s: Season, random: Random, seats: int) -> list[int]:
    return [random.randint(-4, 6) for _ in range(seats)]


def _result_chain(s: Season, random: Random, name: str) -> Chain:
    seats = random.choice([size for size in s.sizes if size <= len(s.members)])
    members, ended = random.sample(list(s.members), seats), random.randint(0, 99)
    first, second = _points(s, random, seats), _points(s, random, seats)
    steps: Chain = [lambda s: record(s, name, members, first, ended)]
    for points in [second, first, second][: random.choice([0, 0, 1, 2])]:
        steps.append(lambda s, points=points: correct(s, ORGANISER, name, Amended(points=points), "n"))  # type: ignore[misc]
    if random.random() < 0.2:
        steps.append(lambda s: void_match(s, name))
    return steps


def _penalty_chain(s: Season, random: Random, name: str) -> Chain:
    member, kind = random.choice(list(s.members)), random.choice(["penalty", "bonus"])
    units = random.randint(1, 300) * (-1 if kind == "penalty" else 1)
    steps: Chain = [lambda s: adjust(s, ORGANISER, name, member, kind, units, "n")]
    return steps + ([lambda s: cancel_adjustment(s, ORGANISER, name)] if random.random() < 0.3 else [])


def interleaved(found: Sequence[Chain], random: Random) -> list[Step]:
    """All steps in some order that keeps each chain's own."""
    waiting, steps = [list(chain) for chain in found], []
    while waiting := [chain for chain in waiting if chain]:
        steps.append(random.choice(waiting).pop(0))
    return steps


def declared(found: Sequence[Chain]) -> list[Step]:
    """All steps, chain after chain."""
    return [step for chain in found for step in chain]


def told(s: Season, steps: Sequence[Step]) -> Season:
    """The season after these steps, an hour apart."""
    for step in steps:
        assert s.now
        s.now += timedelta(hours=1)
        step(s)
    return s
