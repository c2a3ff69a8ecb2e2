"""Every code of the contract is reached, with its status, by what a client can do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import psycopg
import pytest
from flask import Flask

from api.errors import PROBLEMS
from api.hub import Watcher
from store.db import Connection
from tests.api.conftest import application
from tests.api.http import Answer, Client, over_flask
from tests.api.tables import BOT, moves, opened, say, started, turn

NEVER = {"internal"}  # not for clients to reach
BODY = {"game": "polignac", "seats": [{"player": "me"}, BOT, BOT, BOT]}


class Scene(NamedTuple):
    """Who and what there is: four players at a match that has begun, and nobody in particular."""

    anybody: Client
    four: list[Client]
    match: str


@pytest.fixture(scope="module")
def scene(anybody: Client) -> Scene:
    four = [anybody.player() for _ in range(4)]
    return Scene(anybody, four, started(*four)["id"])


def weak(scene: Scene, *scopes: str) -> Client:
    """One of the four with a token that may do less."""
    host = scene.four[0]
    return host.bearing(host.made("/v1/me/tokens", {"label": "weak", "scopes": scopes})["token"])


def illegal_move(s: Scene) -> Answer:
    return turn(s.four, s.match)[0].post(moves(s.match), {"move": "JJ"})


def not_your_turn(s: Scene) -> Answer:
    due, seen = turn(s.four, s.match)
    other = next(client for client in s.four if client is not due)
    return other.post(moves(s.match), {"move": seen["deal"]["legal"][0]})


def stale_version(s: Scene) -> Answer:
    return turn(s.four, s.match)[0].post(moves(s.match), {"move": "pass"}, If_Match='"1"')


def match_over(s: Scene) -> Answer:
    match = started(*s.four)["id"]
    s.four[0].made(f"/v1/matches/{match}/void")
    return s.four[1].post(moves(match), {"move": "pass"})


def revealed(s: Scene) -> Answer:
    """Cards passed on in The Bottle Imp, until those of the others have come."""
    ana, luis = s.four[:2]
    seats = [{"player": "me"}, {"player": luis.id}]
    match = ana.made("/v1/matches", {"game": "bottle_imp", "variant": "lopaka", "seats": seats})["id"]
    luis.made(f"/v1/matches/{match}/seats", {"seat": 1})
    while True:
        mover, _ = turn((ana, luis), match)
        say((ana, luis), match)
        asked = mover.post(f"/v1/matches/{match}/takeback")
        if asked.status != 201:
            return asked


def entered_twice(s: Scene) -> Answer:
    event = s.four[0].made("/v1/duplicates", {"game": "polignac"})["id"]
    s.four[0].made(f"/v1/duplicates/{event}/entries")
    return s.four[0].post(f"/v1/duplicates/{event}/entries")


def event_over(s: Scene) -> Answer:
    ends_at = datetime.now(UTC) + timedelta(seconds=0.5)
    event = s.four[0].made("/v1/duplicates", {"game": "polignac", "ends_at": ends_at.isoformat()})["id"]
    time.sleep(0.6)
    return s.four[0].post(f"/v1/duplicates/{event}/entries")


def already_done(s: Scene) -> Answer:
    asked = {"label": "one", "scopes": ["read"]}
    s.four[0].made("/v1/me/tokens", asked, Idempotency_Key="token")
    return s.four[0].post("/v1/me/tokens", asked, Idempotency_Key="token")


def idempotency_conflict(s: Scene) -> Answer:
    s.four[0].made("/v1/matches", BODY, Idempotency_Key="match")
    return s.four[0].post("/v1/matches", {**BODY, "rated": False}, Idempotency_Key="match")


def full(s: Scene) -> Answer:
    seats = [{"player": "me"}, {"player": s.four[1].id}, {"bot": "rule"}]
    match = s.four[0].made("/v1/matches", {"game": "polignac", "seats": seats})["id"]
    return s.four[2].post(f"/v1/matches/{match}/seats")


REACHED: list[tuple[str, Callable[[Scene], Answer]]] = [
    ("malformed", lambda s: s.four[0].call("POST", "/v1/matches", b"{")),
    ("malformed", lambda s: s.four[0].post("/v1/matches", BODY, Idempotency_Key="é")),
    ("malformed", lambda s: s.four[0].post("/v1/matches", BODY, Idempotency_Key="k" * 256)),
    ("unauthenticated", lambda s: s.anybody.get("/v1/me")),
    ("unauthenticated", lambda s: s.anybody.bearing("tpt_nobody").get(f"/v1/matches/{s.match}")),
    ("unauthenticated", lambda s: s.anybody.get("/v1/me", Authorization="Basic YTpi")),
    ("missing_scope", lambda s: weak(s, "read").post(moves(s.match), {"move": "pass"})),
    ("missing_scope", lambda s: weak(s, "play").get(f"/v1/matches/{s.match}")),
    ("missing_scope", lambda s: weak(s, "manage").post("/v1/me/tokens", {"label": "more", "scopes": ["play"]})),
    ("not_allowed", lambda s: s.anybody.player().post(moves(s.match), {"move": "pass"})),
    ("not_allowed", lambda s: s.four[1].post(f"/v1/matches/{s.match}/void")),
    ("not_yet_open", lambda s: s.four[0].get(f"/v1/matches/{s.match}?eyes=all")),
    ("not_yet_open", lambda s: s.four[0].get(f"/v1/matches/{s.match}?eyes=1")),
    ("not_found", lambda s: s.anybody.get("/v1/matches/nothing")),
    ("not_found", lambda s: s.anybody.get("/v1/nothing")),
    ("not_found", lambda s: s.anybody.get("/v1/games/chess/rules")),
    ("not_found", lambda s: s.four[0].delete(f"/v1/matches/{opened(*s.four)['id']}/seats/7")),
    ("method_not_allowed", lambda s: s.anybody.call("PUT", "/v1/games")),
    ("not_acceptable", lambda s: s.anybody.get("/v1/games", Accept="text/html")),
    ("not_acceptable", lambda s: s.anybody.get(f"/v1/matches/{s.match}/events", Accept="text/html")),
    ("not_acceptable", lambda s: s.four[0].get("/v1/stream", Accept="application/json")),
    ("not_your_turn", not_your_turn),
    ("match_not_started", lambda s: s.four[0].post(moves(opened(*s.four)["id"]), {"move": "pass"})),
    ("match_started", lambda s: s.four[1].delete(f"/v1/matches/{s.match}/seats/1")),
    ("match_over", match_over),
    ("match_not_over", lambda s: s.four[0].post(f"/v1/matches/{s.match}/analysis")),
    ("already_entered", entered_twice),
    ("event_over", event_over),
    ("nothing_to_take_back", lambda s: s.four[0].post(f"/v1/matches/{started(*s.four)['id']}/takeback")),
    ("revealed", revealed),
    ("seat_taken", full),
    ("already_seated", lambda s: s.four[0].post(f"/v1/matches/{opened(*s.four)['id']}/seats")),
    ("already_done", already_done),
    ("stale_version", stale_version),
    ("too_large", lambda s: s.four[0].post("/v1/matches", {"game": "x" * 70_000, "seats": []})),
    (
        "unsupported_media_type",
        lambda s: s.four[0].call("POST", "/v1/matches", b"game=x", Content_Type="application/x-www-form-urlencoded"),
    ),
    ("unsupported_media_type", lambda s: s.four[0].post("/v1/matches", BODY, Content_Type="text/plain")),
    ("unsupported_media_type", lambda s: s.four[0].post("/v1/matches", BODY, Content_Encoding="gzip")),
    ("illegal_move", illegal_move),
    ("invalid", lambda s: s.four[0].post("/v1/matches", {"game": "chess", "seats": []})),
    ("idempotency_conflict", idempotency_conflict),
    ("forged_cursor", lambda s: s.anybody.get("/v1/matches?cursor=WyJhIl0.forged")),
]


OF_LEAGUES = {  # reached in test_leagues.py, test_leagues_rounds.py and test_leagues_results.py
    "season_closed", "still_open", "wrong_status", "member_taken", "not_member", "twice_at_table", "guest_at_table",
    "no_design", "own_result",
}  # fmt: skip


@pytest.mark.parametrize(("code", "reach"), REACHED, ids=[code for code, _ in REACHED])
def test_the_code_is_answered_with_its_status(scene: Scene, code: str, reach: Callable[[Scene], Answer]) -> None:
    answer = reach(scene)
    assert (answer.code, answer.status) == (code, PROBLEMS[code].status), answer.text
    problem = answer.json
    assert problem["type"] == f"urn:tapete:problem:{code}" and problem["status"] == answer.status
    assert problem["title"] and problem["detail"] and problem["instance"].startswith("/")


def test_a_twin_that_runs_too_long_is_in_progress(scene: Scene, owner: psycopg.Connection[Any]) -> None:
    """The row of the first is there and not committed; it is waited for as long as locks are."""
    client = scene.four[0]
    client.made("/v1/matches", BODY, Idempotency_Key="slow")
    with owner.transaction(force_rollback=True):
        owner.execute("update answer set status = status")
        owner.execute("delete from answer")
        answer = client.post("/v1/matches", BODY, Idempotency_Key="slow")
    assert answer.code == "in_progress"


def test_too_many_writes_are_limited(database_url: str, redis_url: str) -> None:
    with application(database_url, redis_url, TAPETE_WRITES_PER_SECOND="2") as app:
        client = Client(over_flask(app.test_client())).player()
        codes = [client.post("/v1/matches", BODY).code for _ in range(5)]
    assert codes.count("rate_limited") >= 1


def test_a_stream_too_many_is_refused(database_url: str, redis_url: str) -> None:
    with application(database_url, redis_url, TAPETE_STREAMS="1") as app:
        hub = app.extensions["tapete"].hub
        hub.open(Watcher("somebody", None, None))
        client = Client(over_flask(app.test_client())).player()
        answer = client.get("/v1/stream")
        hub.stop()
    assert answer.code == "too_many_streams" and int(answer.headers["Retry-After"]) > 0


def test_nothing_is_available_without_the_database(redis_url: str) -> None:
    with application("postgresql://nobody@127.0.0.1:1/nothing", redis_url) as app:
        client = Client(over_flask(app.test_client()), "tpt_any")
        answers: list[Answer] = []
        asked = threading.Thread(target=lambda: answers.append(client.get("/v1/me")))
        asked.start()
        asked.join(20)
        ready = client.get("/readyz")
    assert [answer.code for answer in answers] == ["unavailable"]
    assert int(answers[0].headers["Retry-After"]) > 0
    assert ready.code == "unavailable" and list(ready.json["errors"]) == ["postgres"]


def test_no_code_is_left_out() -> None:
    elsewhere = {"in_progress", "rate_limited", "too_many_streams", "unavailable"} | OF_LEAGUES
    assert {code for code, _ in REACHED} | elsewhere | NEVER == set(PROBLEMS)


def test_a_problem_speaks_spanish_where_it_is_asked_to(scene: Scene) -> None:
    spanish = scene.anybody.get("/v1/me", Accept_Language="es-AR,es;q=0.9,en;q=0.1")
    english = scene.anybody.get("/v1/me", Accept_Language="fr")
    assert (spanish.json["title"], spanish.headers["Content-Language"]) == ("Sin identificar", "es")
    assert (english.json["title"], english.headers["Content-Language"]) == ("Unauthenticated", "en")


def test_an_illegal_word_is_answered_with_the_legal_ones(scene: Scene) -> None:
    client, seen = turn(scene.four, scene.match)
    problem = client.post(moves(scene.match), {"move": "JJ"}).json
    assert problem["legal"] == seen["deal"]["legal"] and problem["version"] == seen["version"]


def test_a_fault_of_ours_is_noted_and_not_told(app: Flask, anybody: Client, conn: Connection, ana: Client,
                                               owner: psycopg.Connection[Any]) -> None:  # fmt: skip
    match = started(ana, *(anybody.player() for _ in range(3)))["id"]
    owner.execute("set session_replication_role = replica; alter table event disable trigger event_is_append_only")
    owner.execute("update event set text = replace(text, 'polignac', 'gone') where stream_id = %s", [match])
    owner.execute("alter table event enable always trigger event_is_append_only")
    answer = over_flask(app.test_client())("GET", f"/v1/matches/{match}", None, {})
    assert (answer.status, answer.json["code"]) == (500, "internal") and "gone" not in answer.text
