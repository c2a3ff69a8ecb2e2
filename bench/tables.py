"""Two hundred tables at which only bots sit: opened over REST, played to their end by the workers, none left standing.

Times are the database's: from the event before a bot's word to that word. Beside it: turns.py (a bot's turn in an idle
house), memory.py.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any, NamedTuple

from psycopg import connect

from bench import memory
from bench.http import Connection
from bench.measure import Row
from store import db

TABLES, FEW = 200, 4
OPTIONS: dict[str, dict[str, int]] = {
    "polignac": {"deals": 1},
    "bottle_imp": {"deals": 1},
    "pot_de_vin": {},
    "mykonos": {},
}
STILL_SECONDS = 60.0  # without a word at any table: then they are stuck
SEARCHED = 8  # words of each game, by bots that search

ENDED = "select count(*) filter (where type = 'ended'), count(*) from event where stream_id = any(%s)"
WAITS = """
select extract(epoch from recorded_at)::float, extract(epoch from recorded_at - before)::float
from (
    select type, recorded_at, lag(recorded_at) over (partition by stream_id order by version) as before
    from event where stream_id = any(%s)
) as each
where type = 'moved'
order by 2
"""


class Played(NamedTuple):
    """Words a second of all tables together, and p99 of what one took, in milliseconds."""

    a_second: float
    p99: float


def rows(base: str, database_url: str) -> list[Row]:
    """Two hundred tables against one of each game. Raises RuntimeError where any of them stands still."""
    few, many = (_played(base, database_url, number) for number in (FEW, TABLES))
    what, against = f"{TABLES} tables of rule bots, all four games", f"{FEW} tables"
    return [
        Row(f"{what}: moves", against, many.a_second, few.a_second, "moves/s", many.a_second / few.a_second, "printed"),
        Row(f"{what}: a bot's turn, p99", against, many.p99, few.p99, "ms", many.p99 / few.p99, "printed"),
        _memory(base),
    ]


def _played(base: str, database_url: str, number: int) -> Played:
    connection = Connection(base)
    token = connection.post("/v1/players", {"name": "host"})["token"]
    ids = [_opened(connection, token, game, "rule") for game in islice(cycle(OPTIONS), number)]
    with connect(database_url, autocommit=True) as conn:
        until_over(conn, ids)
        waits = conn.execute(WAITS, [ids]).fetchall()
    said = [at for at, _ in waits]
    return Played(len(waits) / (max(said) - min(said)), waits[int(len(waits) * 0.99)][1] * 1000)


def until_over(conn: db.Connection, matches: Sequence[str]) -> None:
    """Until all of them have ended. Raises RuntimeError where they stand still."""
    seen, since, ended = 0, time.monotonic(), 0
    while ended < len(matches):
        time.sleep(0.1)
        ended, events = conn.execute(ENDED, [matches]).fetchone() or (0, 0)
        if events > seen:
            seen, since = events, time.monotonic()
        elif time.monotonic() - since > STILL_SECONDS:
            raise RuntimeError(f"{len(matches) - ended} tables of {len(matches)} stand still")


def _opened(connection: Connection, token: str, game: str, bot: str) -> str:
    seats: list[dict[str, Any]] = [{"bot": bot}] * 4
    return str(connection.post("/v1/matches", {"game": game, "options": OPTIONS[game], "seats": seats}, token)["id"])


def _memory(base: str) -> Row:
    """The worker alone, before and after bots that search have said some words of each game."""
    connection = Connection(base)
    token, before = connection.post("/v1/players", {"name": "host"})["token"], _worker_mb()
    for game in OPTIONS:
        path = f"/v1/matches/{_opened(connection, token, game, 'search')}"
        while connection.get(path, token)["version"] < SEARCHED:
            time.sleep(0.1)
        connection.post(f"{path}/void", {}, token)
    after = _worker_mb()
    return Row(
        "a worker that has played search turns, PSS", "before them", after, before, "MB", after / before, "printed"
    )


def _worker_mb() -> float:
    return sum(memory.pss_mb(pid) for pid in memory.family(os.getpid(), b"api.cli\0worker"))
