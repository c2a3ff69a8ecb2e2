"""What leagues keep in Postgres: a million postings against bare INSERTs, ratings made again, one season among many.

The million are the lines of seasons of 5,000 results, posted as a tally does, a transfer of each result. Beside it:
leagues.py (the same seasons, in memory alone), rebuild.py (the memory that a rebuild takes).
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from secrets import token_hex
from typing import Any

from psycopg import connect

from bench import leagues
from bench.measure import Row, interleaved
from domain.event import Event
from domain.ratings import ratings as fold_ratings
from domain.scoring import Transfer
from domain.season import fold
from domain.season_scoring import season_transfers
from domain.standings import standings
from store import ledger, ratings
from store.db import Connection
from store.events import Events

POSTINGS = 1_000_000
BATCH = 25  # transfers at once
READS = 200
SMALL, LARGE = 2, 10  # seasons that a rebuild goes through


def rows(database_url: str) -> list[Row]:
    """All of it on one database, which is larger afterwards."""
    with connect(database_url, autocommit=True) as conn:
        small = _small(conn)
        events = leagues.season_events()
        posted, bare, seasons = _million(conn, events)
        with connect(database_url, autocommit=True) as alone:
            alone.execute("set search_path = alone, public")
            found = [_rated(conn), _posted(posted, bare), *_unaffected(conn, alone, small)]
        for season in sorted(seasons)[:LARGE]:
            _store(conn, season, events)
        return [*found, _memory(database_url)]


# A million postings


def _posted(posted: float, bare: float) -> Row:
    what = f"{POSTINGS:,} ledger postings, checked, once each"
    return Row(what, "bare INSERTs of the same rows", posted, bare, "postings/s", posted / bare, "printed")


def _million(conn: Connection, events: Sequence[Event]) -> tuple[float, float, list[str]]:
    """Postings a second through the ledger and into tables without any rule, in turn; and the seasons they are of."""
    conn.execute("create table bare_transfer as select * from transfer with no data")
    conn.execute("create table bare_posting as select * from posting with no data")
    ours, peer, count, seasons = 0.0, 0.0, 0, list[str]()
    while count < POSTINGS:
        seasons.append(f"ledger{token_hex(6)}")
        for batch in _batches(season_transfers(seasons[-1], events)):
            ours += _timed(lambda batch=batch: ledger.post(conn, batch))  # type: ignore[misc]
            peer += _timed(lambda batch=batch: _insert(conn, batch))  # type: ignore[misc]
            count += sum(len(transfer.postings) for transfer in batch)
    conn.execute("drop table bare_transfer, bare_posting")
    return count / ours, count / peer, seasons


def _batches(transfers: Sequence[Transfer]) -> Iterator[list[Transfer]]:
    rest = iter(transfers)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _insert(conn: Connection, transfers: Sequence[Transfer]) -> None:
    """The same rows in the same number of transactions: no key, no index, no trigger, no second look."""
    heads = [(t.id, t.kind, t.match, t.version, t.reason, t.scale, t.effective_at) for t in transfers]
    lines = [
        (number, line, p.account, p.amount, p.seat, p.player, p.member)
        for number, transfer in enumerate(transfers)
        for line, p in enumerate(transfer.postings)
    ]
    with conn.transaction(), conn.cursor() as cursor:
        cursor.executemany(
            "insert into bare_transfer (id, kind, match, version, reason, scale, effective_at)"
            " values (%s, %s, %s, %s, %s, %s, %s)",
            heads,
        )
        cursor.executemany(
            "insert into bare_posting (transfer, line, account, amount, seat, player, member)"
            " values (%s, %s, %s, %s, %s, %s, %s)",
            lines,
        )


# One season among many


def _small(conn: Connection) -> str:
    """A season of 200 members and 100 results, with its lines; and the same in tables that hold nothing else."""
    season = f"small{token_hex(6)}"
    events = leagues.season_events(100)
    _store(conn, season, events)
    ledger.post(conn, season_transfers(season, events))
    conn.execute("create schema alone")
    for table, where in (
        ("event", "stream_id = %(season)s"),
        ("transfer", "match = %(season)s"),
        ("posting", "transfer in (select seq from transfer where match = %(season)s)"),
    ):
        conn.execute(f"create table alone.{table} (like public.{table} including all)")
        conn.execute(
            f"insert into alone.{table} overriding system value select * from public.{table} where {where}",
            {"season": season},
        )
    return season


def _store(conn: Connection, season: str, events: Sequence[Event]) -> None:
    """As if all of it had been played on paper, which rates nobody."""
    store = Events(conn, "season")
    paper = [each._replace(data={**each.data, "source": "sheet"}) if "source" in each.data else each for each in events]
    store.append(season, store.read_all(season), paper, [], None)


def _unaffected(conn: Connection, alone: Connection, season: str) -> list[Row]:
    """What a season is asked for, of the large tables and of those where it is alone, in turn."""
    for each in (conn, alone):
        each.execute("set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off")
        each.execute("analyze event, transfer, posting")
    asked: dict[str, Callable[[Connection], object]] = {
        "standings from its events": lambda on: standings(fold(season, Events(on, "season").read_all(season).events)),
        "a page of its ledger": lambda on: ledger.of_match(on, season, 50),
    }
    return [_beside(name, ask, conn, alone) for name, ask in asked.items()]


def _beside(name: str, ask: Callable[[Connection], object], conn: Connection, alone: Connection) -> Row:
    ours, peer, ratio = interleaved(lambda: _milliseconds(ask, conn), lambda: _milliseconds(ask, alone), READS)
    what = f"a season of 200 members, {name}, beside {POSTINGS:,} postings of others"
    return Row(what, "the same, alone", ours, peer, "ms", ratio, "≤ 1.2")


def _milliseconds(ask: Callable[[Connection], object], conn: Connection) -> float:
    return _timed(lambda: ask(conn)) * 1000


# Ratings


def _rated(conn: Connection) -> Row:
    """The pool of a game, made again from its first result as after a correction of that one."""
    results = leagues.matches()
    said = [(1, result._replace(game="bench")) for result in results]
    ratings.note(conn, "bench", said)
    took = []
    for version in range(2, 5):
        ratings.note(conn, "bench", [(version, said[0][1])])
        took.append(_timed(lambda: _made(conn)))
    what = f"{len(results):,} ratings recomputed in the database"
    return Row(what, "what is asked", min(took), 1.0, "s", min(took), "≤ 1.0")


def _made(conn: Connection) -> None:
    due = ratings.due(conn, "bench", 1 << 40)
    assert due and len(due.results) == leagues.MATCHES
    pool = fold_ratings(due.results, {"bench": due.start})["bench"]
    with conn.transaction():
        assert ratings.make(conn, "bench", due, pool)


# Memory


def _memory(database_url: str) -> Row:
    """The most that a process takes which holds ledgers against their events."""
    small, large = (_peak(database_url, seasons) for seasons in (SMALL, LARGE))
    what = f"a rebuild of {LARGE} seasons of {leagues.RESULTS:,} results, peak memory"
    return Row(what, f"of {SMALL} seasons", large, small, "MB", large / small, "≤ 1.1")


def _peak(database_url: str, seasons: int) -> float:
    said = subprocess.check_output([sys.executable, "-m", "bench.rebuild", database_url, str(seasons)])
    return float(json.loads(said)["peak_mb"])


def _timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
