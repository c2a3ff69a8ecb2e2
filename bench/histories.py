"""Reading what has happened, over HTTP: a page of events, a whole replay, the match as of a version; and how they grow.

Read beside it: api/history.py, api/replay.py. Each match is stored once and only read.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from http.client import HTTPConnection
from urllib.parse import urlsplit

from psycopg import connect

from bench.measure import Row, interleaved
from bench.script import SEATS
from domain import decide
from domain.event import History
from domain.match import Match
from domain.rules import effective, games
from domain.secrecy import options_json
from store.events import Events

SHORT, LONG = 200, 1000  # events, at least
MOST = 2_000  # words of a match
REQUESTS = 5


def rows(database_url: str, base: str, rounds: int) -> list[Row]:
    """Milliseconds a request: a long match against a short one, and a version against the match as it stands."""
    (few, short), (many, long) = (_stored(database_url, number) for number in (SHORT, LONG))
    against = f"of {few} events"

    def row(what: str, ours: str, peer: str, against: str, reach: str) -> Row:
        return Row(what, against, *_compared(base, ours, peer, rounds), reach)

    return [
        row(f"the last 200 events of {many}", f"{long}/events?after={many - 200}&limit=200",
            f"{short}/events?after={few - 200}&limit=200", against, "≤ 3"),
        row(f"a replay of {many} events", f"{long}/replay", f"{short}/replay", against, f"≤ {many / few:.0f}"),
        row(f"?at={many}", f"{long}?at={many}", f"{short}?at={few}", against, f"≤ {many / few:.0f}"),
        row(f"?at={many}", f"{long}?at={many}", long, "the match as it stands", "printed"),
    ]  # fmt: skip


def _compared(base: str, ours: str, peer: str, rounds: int) -> tuple[float, float, str, float]:
    mine, theirs, ratio = interleaved(_milliseconds(base, ours), _milliseconds(base, peer), rounds)
    return mine, theirs, "ms", ratio


def _milliseconds(base: str, path: str) -> Callable[[], float]:
    def measured() -> float:
        connection = HTTPConnection(urlsplit(base).netloc, timeout=30)
        began = time.perf_counter()
        for _ in range(REQUESTS):
            connection.request("GET", f"/v1/matches/{path}")
            answer = connection.getresponse()
            assert answer.read() and answer.status == 200, (path, answer.status)
        spent = time.perf_counter() - began
        connection.close()
        return spent * 1000 / REQUESTS

    measured()
    return measured


def _stored(database_url: str, least: int) -> tuple[int, str]:
    """A match of Polignac, over, of at least so many events: their number, and its id."""
    draw, game = random.Random(least), games()["polignac"]
    m = Match(f"bench-{least}-{time.time_ns():x}")
    given = {"deals": -(-least // 34), "declarations": "none", "tie_break": "shared"}
    options = options_json(effective(game, "polignac", given, SEATS))
    head = {"game": game.id, "variant": "polignac", "rules": game.RULES, "options": options, "clock": None}
    seats = [{"bot": "random"}] * SEATS
    opened = {**head, "seats": seats, "host": "-", "visibility": "public", "rated": False, "fair": False}
    decide.open_match(m, opened, lambda: draw.randbytes(32))
    while not m.over:
        assert m.version < MOST
        decide.move(m, m.to_act[0], draw.choice(decide.legal(m, m.to_act[0])), lambda: draw.randbytes(32))
    with connect(database_url, autocommit=True) as conn:
        store = Events(conn)
        store.append(m.id, History([], store.read(m.id).now), m.fresh, [], None)
    return m.version, m.id
