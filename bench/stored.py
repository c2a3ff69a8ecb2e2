"""Reading and folding a stored match, against the library's rebuilding an aggregate of as many events."""

from __future__ import annotations

import time

from psycopg import connect

from bench import library
from bench.measure import Row, interleaved
from bench.script import SEATS, script
from domain import decide
from domain.event import History
from domain.house import Draw
from domain.match import Match, fold
from domain.rules import effective, games
from domain.secrecy import options_json
from store.db import Connection
from store.events import Events

SECONDS = 1.5


def row(database_url: str, app: library.Tables, rounds: int) -> Row:
    """One match of five deals, about 180 events, and an aggregate of the same length."""
    with connect(database_url, autocommit=True) as conn:
        match, events = _stored(conn)
        table = library.stored(app, events)
        mine, theirs, ratio = interleaved(
            lambda: _folded_a_second(conn, match, events),
            lambda: library.rebuilt_a_second(app, table, events, SECONDS),
            rounds,
        )
    what = f"reading and folding a stored match of {events} events"
    return Row(what, "eventsourcing, rebuilding an aggregate", mine, theirs, "events/s", ratio, "≥ 5")


def _stored(conn: Connection) -> tuple[str, int]:
    """A known match in the store: its id and its number of events."""
    known, match = script(5, 3), f"bench-{time.time_ns():x}"
    game = games()["polignac"]
    options = effective(game, "polignac", known.opening["options"], SEATS)
    opened = {**known.opening, "rules": game.RULES, "options": options_json(options), "host": "-"}
    store, draw = Events(conn), _no_secret
    history = store.read(match)
    m = Match(match, history.now)
    decide.open_match(m, {**opened, "seats": [{"bot": "random"}] * SEATS}, draw)
    for said in known.words:
        decide.move(m, said.seat, said.word, draw)
    store.append(match, History([], history.now), m.fresh, [], None)
    return match, m.version


def _no_secret() -> bytes:
    raise AssertionError("every pack is prepared")


_: Draw = _no_secret


def _folded_a_second(conn: Connection, match: str, events: int) -> float:
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        assert fold(match, Events(conn).read_all(match).events).version == events
        done += events
    return done / (time.perf_counter() - started)
