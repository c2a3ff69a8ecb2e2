"""Whoever leaves leaves nothing behind, not even what was begun at the same moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, TypeAlias

import psycopg
import pytest
from flask import Flask

from domain import play
from store import db, players, webhooks
from store.events import Events
from tests.api.http import Answer, Client, over_flask
from tests.api.tables import BOT, opened, started
from tests.api.test_races import at_once

ROUNDS = 12
WAIT_SECONDS = 0.3
Waiting: TypeAlias = Callable[..., Future[Answer]]
OPEN: dict[str, Any] = {"open": True}


@pytest.fixture
def beside(app: Flask, database_url: str) -> Iterator[db.Connection]:
    """Another process's connection."""
    with psycopg.connect(database_url, autocommit=True) as conn:
        yield conn


@pytest.fixture
def waiting(app: Flask) -> Iterator[Waiting]:
    """Begins a request that has to wait for what the test holds; the answer is in the future."""
    with ThreadPoolExecutor() as pool:

        def ask(client: Client, *request: Any) -> Future[Answer]:
            own = Client(over_flask(app.test_client()), client.token)
            answer = pool.submit(own.call, *request)
            assert not wait([answer], WAIT_SECONDS).done, "it did not wait"
            return answer

        yield ask


def seats(client: Client, match: str) -> list[Any]:
    found: list[Any] = client.read(f"/v1/matches/{match}")["seats"]
    return found


def test_a_seat_that_is_being_taken_is_given_up(
    waiting: Waiting, ana: Client, luis: Client, beside: db.Connection
) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, OPEN, OPEN]})["id"]
    with beside.transaction():
        assert players.hold(beside, [luis.id]) == {luis.id}
        play.sit(Events(beside), match, luis.id, None, None, lambda: bytes(32))
        answer = waiting(luis, "DELETE", "/v1/me")
    assert answer.result().status == 204
    assert [seat["open"] for seat in seats(ana, match)] == [False, True, True]


BEGUN: dict[str, Callable[[str, str], tuple[str, Any]]] = {
    "a seat": lambda match, _: (f"/v1/matches/{match}/seats", {}),
    "a match": lambda _, player: ("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, OPEN, OPEN]}),
    "a match of others": lambda _, player: ("/v1/matches", {"game": "polignac", "seats": [BOT] * 3}),
    "a token": lambda _, player: ("/v1/me/tokens", {"label": "Luis again", "scopes": ["read"]}),
    "a note": lambda match, _: (f"/v1/matches/{match}/void", {"note": "Luis was here"}),
}


@pytest.mark.parametrize("what", BEGUN)
def test_nothing_is_begun_by_whoever_is_leaving(
    waiting: Waiting, anybody: Client, luis: Client, beside: db.Connection, what: str
) -> None:
    match = luis.made("/v1/matches", {"game": "polignac", "seats": [OPEN] * 3})["id"]
    path, body = BEGUN[what](match, luis.id)
    with beside.transaction():
        players.erase(beside, luis.id)
        answer = waiting(luis, "POST", path, body)
    assert answer.result().code == "unauthenticated"
    assert anybody.read(f"/v1/matches/{match}")["status"] == "open"
    assert all(seat["open"] for seat in seats(anybody, match))


def test_nobody_is_invited_while_he_is_leaving(
    waiting: Waiting, ana: Client, luis: Client, beside: db.Connection
) -> None:
    body = {"game": "polignac", "seats": [{"player": "me"}, {"player": luis.id}, OPEN]}
    with beside.transaction():
        players.erase(beside, luis.id)
        answer = waiting(ana, "POST", "/v1/matches", body)
    assert answer.result().json["errors"] == {"seats.1.player": "there is no such player"}


def test_whoever_has_left_is_told_of_nothing(ana: Client, conn: db.Connection) -> None:
    assert webhooks.create(conn, "w1", ana.id, "https://example.org", ["turn"], b"secret", most=5)
    ana.delete("/v1/me")
    assert webhooks.page(conn, ana.id, 5) == []
    assert webhooks.create(conn, "w2", ana.id, "https://example.org", ["turn"], b"secret", most=5) is None


def test_whoever_joins_and_leaves_at_once_has_no_seat_in_the_end(server: Client) -> None:
    """Over the server that really runs, whichever comes first."""
    host = server.player()
    for _ in range(ROUNDS):
        leaver = server.player()
        body = {"game": "polignac", "seats": [{"player": "me"}, OPEN, OPEN]}
        match, other = (host.made("/v1/matches", body)["id"] for _ in range(2))
        invited = {"game": "polignac", "seats": [{"player": "me"}, {"player": leaver.id}, OPEN]}
        answers = at_once(
            partial(leaver.delete, "/v1/me"),
            partial(leaver.post, f"/v1/matches/{match}/seats"),
            partial(leaver.post, f"/v1/matches/{other}/seats"),
            partial(host.post, "/v1/matches", invited),
        )
        assert answers[0].status == 204
        made = [match, other, *([answers[3].json["id"]] if answers[3].status == 201 else [])]
        left = [seat for match in made for seat in seats(host, match) if seat["player"] and not seat["player"]["name"]]
        assert left == []


def test_a_table_that_goes_on_meanwhile_hinders_nobody_from_leaving(server: Client) -> None:
    """The last seat is taken, the match is voided, a word is said, at the moment of the farewell."""
    for number in range(ROUNDS):
        players_ = [server.player() for _ in range(3)]
        host, leaver, last = players_
        unstarted, running = opened(host, leaver, last)["id"], started(*players_)["id"]
        leaver.made(f"/v1/matches/{unstarted}/seats", {"seat": 1})
        answers = at_once(
            partial(leaver.delete, "/v1/me"),
            partial(last.post, f"/v1/matches/{unstarted}/seats"),
            partial(host.post, f"/v1/matches/{running}/{('void', 'resignation')[number % 2]}"),
        )
        assert answers[0].status == 204, answers[0]
        for match in (unstarted, running):
            seen = host.read(f"/v1/matches/{match}")
            seat = seen["seats"][1]
            assert seat["open"] or seat["resigned"] or seen["status"] in ("voided", "ended"), seen


def test_all_of_a_table_leave_at_once(server: Client) -> None:
    for _ in range(ROUNDS // 3):
        everybody = [server.player() for _ in range(3)]
        matches = [started(*everybody)["id"] for _ in range(3)]
        answers = at_once(*(partial(each.delete, "/v1/me") for each in everybody))
        assert [answer.status for answer in answers] == [204] * 3
        assert {server.read(f"/v1/matches/{match}")["status"] for match in matches} == {"ended"}
