"""A season of 200 members and 5,000 results, and 3,000 rated matches, each from nothing, in memory
alone; and the standings over HTTP, from nothing and as they are stored."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from psycopg import Connection, connect

from bench.measure import Row
from domain.event import Event, History
from domain.ratings import Rated, person, ratings
from domain.season import Season, emit, fold
from domain.season_decide import Caller, add_member, open_season
from domain.season_results import by_points
from domain.season_scoring import season_transfers
from domain.standings import standings
from store import leagues
from store.events import Events

MEMBERS, RESULTS, MATCHES = 200, 5000, 3000
START = datetime(2026, 1, 1, tzinfo=UTC)


def rows() -> list[Row]:
    events, rated = season_events(), matches()
    s = fold("bench", events)
    return [
        _row(
            f"standings of {MEMBERS} members and {RESULTS:,} results from nothing", 3.0,
            lambda: standings(fold("bench", events)),
        ),
        _row("the same from the folded season", 0.5, lambda: standings(s)),
        _row("its ledger lines from nothing", 3.0, lambda: season_transfers("bench", events)),
        _row(f"{MATCHES:,} ratings recomputed", 1.0, lambda: ratings(rated)),
    ]  # fmt: skip


def stored(database_url: str, base: str) -> list[Row]:
    """The same season in the database, asked for over HTTP: milliseconds of one request."""
    season = f"bench-{time.time_ns():x}"
    with connect(database_url, autocommit=True) as conn:
        _keep(conn, season)
    what = f"GET standings of {MEMBERS} members and {RESULTS:,} results"
    return [
        _asked(f"{what}, from nothing", base, season, 3000.0, 1),
        _asked(f"{what}, stored", base, season, 50.0, 20),
    ]


def _keep(conn: Connection[Any], season: str) -> None:
    """The season as its league's organiser and workers would have left it, with names, without stored standings."""
    leagues.create(conn, season, "bench", "polignac", "polignac", {}, "public", "organiser")
    leagues.add_season(conn, season, season, "bench")
    for number in range(MEMBERS):
        leagues.add_member(conn, season, f"m{number}", None, f"Member number {number}")
    store = Events(conn, "season")
    store.append(season, History([], store.read_all(season).now), season_events(), [], None)


def _asked(what: str, base: str, season: str, reach: float, times: int) -> Row:
    took = []
    for _ in range(times):
        connection = HTTPConnection(urlsplit(base).netloc, timeout=30)
        began = time.perf_counter()
        connection.request("GET", f"/v1/seasons/{season}/standings")
        answer = connection.getresponse()
        assert answer.read() and answer.status == 200, answer.status
        took.append((time.perf_counter() - began) * 1000)
        connection.close()
    return Row(what, "what is asked", median(took), reach, "ms", median(took) / reach, "≤ 1.0")


def _row(what: str, reach_seconds: float, work: Callable[[], object]) -> Row:
    """The best of three: what the machine does beside it is not ours."""
    took = []
    for _ in range(3):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return Row(what, "what is asked", min(took), reach_seconds, "s", min(took) / reach_seconds, "≤ 1.0")


def season_events(results: int = RESULTS) -> list[Event]:
    """The events of a season under the id `bench`."""
    draw, s = random.Random(1), Season("bench", START)
    organiser = Caller("organiser", True)
    open_season(
        s, organiser, league="l", game="polignac", lot="bench", scheme={"kind": "places", "drop_worst": 2},
        tie_breaks=["wins", "seconds", "head_to_head", "raw_total", "lot"],
    )  # fmt: skip
    for number in range(MEMBERS):
        add_member(s, organiser, f"m{number}", f"p{number}")
    for number in range(results):
        members = draw.sample(list(s.members), draw.randint(3, 6))
        points = [draw.randint(0, 12) for _ in members]
        emit(
            s, "result_recorded", result=f"r{number}", source="match", table=None, points=points,
            places=by_points(points, low_wins=True), members=[{"member": member} for member in members],
            ended_at=(START + timedelta(minutes=number)).isoformat(),
        )  # fmt: skip
    return s.fresh


def matches() -> list[Rated]:
    """Rated matches of 60 players."""
    draw, found = random.Random(1), []
    for number in range(MATCHES):
        seats = tuple(person(f"p{each}") for each in draw.sample(range(60), draw.randint(3, 6)))
        places = tuple(draw.randint(1, len(seats)) for _ in seats)
        found.append(Rated(START + timedelta(minutes=number), f"r{number}", "polignac", seats, places))
    return found
