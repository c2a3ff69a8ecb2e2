"""A list over 100,000 matches: its last page, deep behind a cursor, against its first, with each filter.

The rows are copied into a database of their own, which is dropped again; what they hold are real histories, short ones.
Read beside it: store/matches.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import structlog
from flask import Flask
from psycopg import connect, sql

from api import auth, cursors, wire
from api.app import create_app
from bench.measure import Row, interleaved
from domain import play
from domain.event import Event, History, Job, Listing
from store import db, players
from store.db import Connection
from store.events import ENCODE
from store.migrate import migrate
from store.settings import Settings

MATCHES, PLAYERS, PAGE, REQUESTS = 100_000, 10, 50, 5
BEGAN, NAME = datetime(2026, 1, 1, tzinfo=UTC), "tapete_bench_lists"
GAMES, STATUSES = ("polignac", "mykonos"), ("voided", "voided", "playing", "open")
VISIBILITIES = ("public",) * 8 + ("unlisted", "private")
HOST = "the-host"  # stands in the histories for whoever it is
ME = "p3"  # hosts a tenth of all
PUBLIC = "visibility = 'public'"


class Filter(NamedTuple):
    """What a list is narrowed to: as its query says it, and as our rows do."""

    what: str
    query: dict[str, str]
    where: str
    mine: bool = False  # asked for by ME


FILTERS = [
    Filter("all public", {}, PUBLIC),
    Filter("of a game", {"game": "mykonos"}, f"{PUBLIC} and game = 'mykonos'"),
    Filter("of a status", {"status": "voided"}, f"{PUBLIC} and status = 'voided'"),
    Filter("of a game and a status", {"game": "mykonos", "status": "open"},
           f"{PUBLIC} and game = 'mykonos' and status = 'open'"),
    Filter("of a player", {"player": ME}, f"{PUBLIC} and host = '{ME}'"),
    Filter("until a day", {"until": "2026-02-01T00:00:00Z"}, f"{PUBLIC} and created_at < '2026-02-01 00:00Z'"),
    Filter("as a player finds them", {}, f"({PUBLIC} or host = '{ME}')", mine=True),
]  # fmt: skip


def rows(database_url: str, redis_url: str, rounds: int) -> list[Row]:
    """Milliseconds of a page of 50, the last against the first."""
    with _database(database_url) as url:
        _fill(url)
        token = _token(url)
        environment = {"DATABASE_URL": url, "REDIS_URL": redis_url}
        app = create_app(Settings.from_env(environment))
        wire.log = structlog.wrap_logger(None, [], structlog.make_filtering_bound_logger("error"))  # no line a request
        try:
            return [_row(app, each, token if each.mine else None, rounds) for each in FILTERS]
        finally:
            app.extensions["tapete"].pool.close()


def _row(app: Flask, narrowed: Filter, token: str | None, rounds: int) -> Row:
    query = {**narrowed.query, "limit": str(PAGE)}
    last = {**query, "cursor": _cursor(app, narrowed)}
    ours, peer, ratio = interleaved(
        _milliseconds(app, last, token, last=True), _milliseconds(app, query, token, last=False), rounds
    )
    what = f"the last page of {MATCHES:,} matches, {narrowed.what}"
    return Row(what, "the first page", ours, peer, "ms", ratio, "≤ 1.5")


def _milliseconds(app: Flask, query: dict[str, str], token: str | None, *, last: bool) -> Callable[[], float]:
    client, path = app.test_client(), f"/v1/matches?{urlencode(query)}"
    headers = {"Authorization": f"Bearer {token}"} if token else {}

    def measured() -> float:
        began = time.perf_counter()
        for _ in range(REQUESTS):
            answer = client.get(path, headers=headers).get_json()
        spent = time.perf_counter() - began
        assert len(answer["items"]) == PAGE and (answer["next"] is None) == last, f"{path} is another page"
        return spent * 1000 / REQUESTS

    measured()
    return measured


def _cursor(app: Flask, narrowed: Filter) -> str:
    """What leads to the last page, signed as the API does."""
    query = f"select created_at, id from match where {narrowed.where} order by created_at, id offset %s limit 1"
    with app.test_request_context(f"/v1/matches?{urlencode(narrowed.query)}"):
        backing = app.extensions["tapete"]
        with db.connection(backing.pool) as conn:
            place = cursors.place(db.Place(*conn.execute(query.encode(), [PAGE]).fetchone() or ()))
            return cursors.signed(backing.cursors(conn), place)


# The rows


class Kept:
    """A store of one match, for as long as its history is made."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.listing: Listing | None = None

    def read(self, stream: str) -> History:
        return History(self.events, BEGAN)

    def read_all(self, stream: str, through: int | None = None) -> History:
        return History(self.events[:through], BEGAN)

    def append(
        self, stream: str, history: History, events: Sequence[Event], jobs: Sequence[Job], listing: Listing | None
    ) -> Sequence[Event]:
        fresh = [Event(e.type, e.data, n, BEGAN, "00") for n, e in enumerate(events, len(self.events) + 1)]
        self.events, self.listing = self.events + fresh, listing or self.listing
        return fresh


def _history(game: str, status: str, visibility: str) -> Kept:
    third = {"open": True} if status == "open" else {"bot": "rule"}
    store, seats = Kept(), [{"player": HOST}, {"bot": "rule"}, third]
    play.open_match(store, "m", HOST, play.Proposal(game, seats, visibility=visibility), lambda: bytes(32))
    if status == "voided":
        play.void(store, "m", HOST, None)
    return store


def _fill(url: str) -> None:
    made = {(g, s, v): _history(g, s, v) for g in GAMES for s in STATUSES for v in set(VISIBILITIES)}
    kinds = [
        made[GAMES[n % 3 == 0], STATUSES[n // 10 % len(STATUSES)], VISIBILITIES[n // 7 % len(VISIBILITIES)]]
        for n in range(MATCHES)
    ]
    with connect(url, autocommit=True) as conn:
        for number in range(PLAYERS):
            players.create(conn, f"p{number}", f"player {number}")
        _copy_matches(conn, kinds)
        _copy_events(conn, kinds)
        conn.execute("vacuum analyze match, event")


def _host(number: int) -> str:
    return f"p{number % PLAYERS}"


def _copy_matches(conn: Connection, kinds: Sequence[Kept]) -> None:
    columns = "id, game, variant, status, visibility, host, players, created_at"
    with conn.cursor().copy(f"copy match ({columns}) from stdin".encode()) as copy:
        for number, kept in enumerate(kinds):
            at, host, listed = BEGAN + timedelta(minutes=number), _host(number), kept.listing
            assert listed
            head = (listed.game, listed.variant, listed.status, listed.visibility)
            copy.write_row((f"m{number:06}", *head, host, [host], at))


def _copy_events(conn: Connection, kinds: Sequence[Kept]) -> None:
    texts = {
        id(kept): [(event.version, event.type, ENCODE({"type": event.type, **event.data})) for event in kept.events]
        for kept in kinds
    }
    columns = "stream_id, version, kind, type, text, prev_hash, hash, recorded_at"
    with conn.cursor().copy(f"copy event ({columns}) from stdin".encode()) as copy:
        for number, kept in enumerate(kinds):
            at, host = BEGAN + timedelta(minutes=number), _host(number)
            for version, kind, text in texts[id(kept)]:
                copy.write_row((f"m{number:06}", version, "match", kind, text.replace(HOST, host), b"-", b"-", at))


def _token(url: str) -> str:
    token, token_hash = auth.new_token()
    with connect(url, autocommit=True) as conn:
        players.add_token(conn, "bench", ME, token_hash, "bench", ["read"])
    return token


@contextmanager
def _database(url: str) -> Iterator[str]:
    """A database beside the one of the URL, dropped at the end."""
    drop = sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(NAME))
    with connect(url, autocommit=True) as conn:
        conn.execute(drop)
        conn.execute(sql.SQL("create database {}").format(sql.Identifier(NAME)))
        try:
            own = urlsplit(url)._replace(path=f"/{NAME}").geturl()
            migrate(own)
            yield own
        finally:
            conn.execute(drop)
