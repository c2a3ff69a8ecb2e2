"""What a server's keeper and a browser need: health, metrics, logs, pages, headers."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import requests

from store import db, embedded, logs
from store.migrate import migrate
from tests.api.conftest import application, serving
from tests.api.described import document, operations
from tests.api.http import Client, over_flask, over_http
from tests.api.tables import BOT, moves, started, turn
from tests.store.frozen import frozen


@pytest.fixture(scope="module")
def logged(database_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The server that really runs, and its log."""
    log = tmp_path_factory.mktemp("api") / "log"
    with serving(database_url, redis_url, log) as base:
        yield base, log


def test_health_asks_nobody(redis_url: str) -> None:
    with application("postgresql://nobody@127.0.0.1:1/nothing", redis_url) as app:
        assert Client(over_flask(app.test_client())).read("/healthz") == {"status": "ok"}


def test_readiness_wants_postgres_migrated_and_redis(
    anybody: Client, database_url: str, redis_url: str, owner: psycopg.Connection[Any]
) -> None:
    assert anybody.read("/readyz") == {"status": "ok"}
    (newest,) = owner.execute("select version_num from alembic_version").fetchone() or ("",)
    owner.execute("update alembic_version set version_num = '0001'")
    unmigrated = anybody.get("/readyz")
    owner.execute("update alembic_version set version_num = %s", [newest])
    assert (unmigrated.status, list(unmigrated.json["errors"])) == (503, ["postgres"])
    with application(database_url, "redis://127.0.0.1:1/0") as app:
        without = Client(over_flask(app.test_client())).get("/readyz")
    assert (without.status, list(without.json["errors"])) == (503, ["redis"])
    assert int(without.headers["Retry-After"]) > 0


def test_metrics_count_requests_appends_and_jobs(logged: tuple[str, Path]) -> None:
    anybody = Client(over_http(logged[0]))
    players = [anybody.player() for _ in range(4)]
    match = started(*players)["id"]
    client, _ = turn(players, match)
    client.post(moves(match), {"move": "pass"})
    client.post(moves(match), {"move": "pass"})
    players[0].made("/v1/matches", {"game": "polignac", "seats": [BOT] * 3})
    answer = anybody.get("/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain")
    moved = r'tapete_requests_total\{method="POST",route="/v1/matches/<id:match>/moves",status="%s"\} 1\.0'
    assert re.search(moved % 201, answer.text) and re.search(moved % 409, answer.text)
    assert re.search(r"tapete_append_seconds_count ([6-9]|1\d)\.0", answer.text)
    assert re.search(r'tapete_request_seconds_bucket\{le="\+Inf",method="POST"', answer.text)
    assert re.search(r'tapete_jobs\{kind="bot_turn",state="due"\} [1-9]', answer.text)
    assert re.search(r'tapete_jobs_late_seconds\{kind="bot_turn",state="due"\} \d', answer.text)
    assert "tapete_stale_appends_total" in answer.text
    assert "tapete_postgres_up 1.0" in answer.text and "tapete_redis_up 1.0" in answer.text
    assert re.search(r"\ntapete_oldest_due_job_seconds \d", answer.text) and "tapete_dead_jobs 0.0" in answer.text
    assert "tapete_connections 0.0" in answer.text and "tapete_connections_most 10.0" in answer.text
    assert re.search(r"tapete_connection_wait_seconds_count [1-9]", answer.text)


def test_a_dead_job_is_counted_and_is_not_the_oldest_that_is_due(
    anybody: Client, owner: psycopg.Connection[Any]
) -> None:
    def shown(name: str) -> float:
        found = re.search(rf"^{name} (\S+)$", anybody.get("/metrics").text, re.MULTILINE)
        assert found, name
        return float(found[1])

    insert = "insert into job (key, kind, state, due_at) values (%s, 'tally', %s, now() - %s::interval)"
    before = shown("tapete_dead_jobs")
    owner.execute(insert, ["tally:dead:1", "dead", "1 day"])
    owner.execute(insert, ["tally:late:1", "leased", "1 hour"])
    owner.execute(insert, ["tally:waits:1", "due", "-1 hour"])
    assert shown("tapete_dead_jobs") == before + 1
    assert 3600 <= shown("tapete_oldest_due_job_seconds") < 7200


def test_metrics_are_there_when_nothing_else_is() -> None:
    with application("postgresql://nobody@127.0.0.1:1/nothing", "redis://127.0.0.1:1/0") as app:
        answer = Client(over_flask(app.test_client())).get("/metrics")
    assert answer.status == 200
    assert "tapete_postgres_up 0.0" in answer.text and "tapete_redis_up 0.0" in answer.text
    assert "tapete_jobs{" not in answer.text and "tapete_dead_jobs" not in answer.text


def test_a_postgres_that_is_frozen_keeps_neither_readiness_nor_metrics_waiting(redis_url: str, tmp_path: Path) -> None:
    with embedded.postgres(tmp_path) as postgres:
        migrate(postgres.url)
        with application(postgres.url, redis_url) as app:
            anybody = Client(over_flask(app.test_client()))
            assert anybody.read("/readyz") == {"status": "ok"}
            with frozen(postgres):
                began = time.monotonic()
                assert anybody.get("/readyz").json["errors"] == {"postgres": "does not answer"}
                assert "tapete_postgres_up 0.0" in anybody.get("/metrics").text
                assert time.monotonic() - began < 2 * (db.LOOK_SECONDS + db.WAIT_SECONDS)
            assert anybody.read("/readyz") == {"status": "ok"}


def test_metrics_want_their_token_where_one_is_set(database_url: str, redis_url: str) -> None:
    token = "a token of sixteen".replace(" ", "-")
    with application(database_url, redis_url, TAPETE_METRICS_TOKEN=token) as app:
        anybody = Client(over_flask(app.test_client()))
        assert anybody.get("/metrics").code == "unauthenticated"
        assert anybody.bearing(f"{token}r").get("/metrics").code == "unauthenticated"
        assert anybody.get("/metrics", Authorization="Basic x").code == "unauthenticated"
        assert anybody.bearing(token).get("/metrics").status == 200
        assert anybody.get("/healthz").status == 200


def test_metrics_do_not_grow_with_what_clients_make_up(anybody: Client) -> None:
    for number in range(3):
        anybody.call(f"MADE{number}", "/v1/games")
        anybody.get(f"/made/up/{number}")
    assert "MADE" not in anybody.get("/metrics").text and "made/up" not in anybody.get("/metrics").text


def test_each_request_is_one_line_of_json_without_token_or_card(logged: tuple[str, Path]) -> None:
    base, log = logged
    anybody = Client(over_http(base))
    players = [anybody.player() for _ in range(4)]
    match = started(*players)["id"]
    client, seen = turn(players, match)
    client.post(moves(match), {"move": "no such word"}, X_Request_ID="the-one")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert any(line["logger"] == "gunicorn.error" for line in lines)
    mine = [line for line in lines if line.get("request_id") == "the-one"]
    assert len(mine) == 1
    assert (mine[0]["method"], mine[0]["path"], mine[0]["status"]) == ("POST", moves(match), 422)
    assert mine[0]["player"] == client.id and mine[0]["milliseconds"] > 0 and mine[0]["timestamp"].endswith("Z")
    whole = log.read_text()
    assert not any(str(each.token) in whole for each in players)
    hand = seen["deal"]["view"]["hands"][players.index(client)]
    assert not any(f'"{card}"' in whole for card in hand) and "no such word" not in whole


def test_a_pool_that_knocks_in_vain_does_not_fill_the_log(redis_url: str, capfd: pytest.CaptureFixture[str]) -> None:
    logs.seldom.next = 0.0  # whatever other tests have logged
    with application("postgresql://nobody@127.0.0.1:1/nothing", redis_url) as app:
        time.sleep(1)
        assert Client(over_flask(app.test_client())).get("/v1/players/x").status == 503
    assert 1 <= capfd.readouterr().err.count("error connecting") <= 2


@pytest.mark.parametrize(("given", "kept"), [("abc-123._X", True), ("x" * 65, False), ("a b", False), ("é", False)])
def test_a_sane_request_id_is_kept(anybody: Client, given: str, kept: bool) -> None:
    answer = anybody.get("/healthz", X_Request_ID=given)
    assert (answer.headers["X-Request-ID"] == given) == kept and answer.headers["X-Request-ID"]


def test_the_page_of_the_description_needs_nobody_else(anybody: Client) -> None:
    page = anybody.get("/docs/")
    assert page.status == 200 and page.headers["Content-Type"].startswith("text/html")
    assert '"/v1/openapi.json"' in page.text and '"validatorUrl": null' in page.text
    assert not re.search(r"(src|href)=[\"'](https?:)?//", page.text)
    for asset in re.findall(r"(?:src|href)=[\"'](/docs/[^\"']+)", page.text):
        assert anybody.get(asset).status == 200
    assert anybody.get("/docs").status in (301, 308)
    assert anybody.get("/docs/nothing.js").code == "not_found"


@pytest.mark.parametrize("path", ["/v1/games", "/v1/nothing", "/v1/me", "/healthz", "/docs/"])
def test_every_answer_carries_what_caches_and_browsers_need(anybody: Client, path: str) -> None:
    headers = anybody.get(path, Origin="https://example.org").headers
    assert headers["Cache-Control"] == "private, no-cache"
    assert headers["Vary"] == "Authorization, Cookie, Accept, Accept-Language"
    assert headers["Access-Control-Allow-Origin"] == "*" and "Access-Control-Allow-Credentials" not in headers
    exposed = headers["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Link", "Retry-After", "RateLimit", "Location", "Idempotent-Replayed"} <= set(exposed)
    assert headers["X-Request-ID"]


def test_a_browser_may_ask_first(anybody: Client) -> None:
    answer = anybody.call("OPTIONS", "/v1/matches/x/moves", Origin="https://example.org",
                          Access_Control_Request_Method="POST")  # fmt: skip
    assert answer.status == 200 and answer.text == ""
    assert set(answer.headers["Access-Control-Allow-Methods"].split(", ")) == {"POST", "OPTIONS"}
    allowed = set(answer.headers["Access-Control-Allow-Headers"].split(", "))
    assert {"Authorization", "If-Match", "Idempotency-Key", "Last-Event-ID", "Content-Type"} <= allowed


def test_a_browser_may_ask_first_for_whatever_there_is(anybody: Client) -> None:
    headers = [name for operation in operations() for name in operation.sent]
    assert {"If-Match", "Idempotency-Key", "Last-Event-ID"} <= {*headers}
    for operation in operations():
        answer = anybody.call("OPTIONS", operation.path(seat=1), Origin="https://example.org",
                              Access_Control_Request_Method=operation.method)  # fmt: skip
        assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (200, "*"), operation
        assert operation.method in answer.headers["Access-Control-Allow-Methods"].split(", "), operation
        allowed = answer.headers["Access-Control-Allow-Headers"].split(", ")
        assert {"Authorization", "Content-Type", *headers} <= {*allowed}
        assert answer.headers["X-Request-ID"]


def test_what_an_answer_says_in_its_headers_a_browser_may_read(anybody: Client) -> None:
    exposed = anybody.get("/healthz").headers["Access-Control-Expose-Headers"].split(", ")
    assert {*document()["components"]["headers"]} <= {*exposed}


def test_what_is_not_done_there_says_what_is(anybody: Client) -> None:
    answer = anybody.call("PATCH", "/v1/matches", {})
    assert answer.code == "method_not_allowed"
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}


def test_a_head_is_a_get_without_its_body(anybody: Client, ana: Client) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [BOT] * 3})["id"]
    for path in ("/v1/games", f"/v1/matches/{match}", "/healthz"):
        head, get = anybody.call("HEAD", path), anybody.get(path)
        assert (head.status, head.text) == (200, "")
        assert head.headers["Content-Length"] == get.headers["Content-Length"]
    assert anybody.call("HEAD", "/v1/me").status == 401


@pytest.mark.parametrize("accept", ["*/*", "application/*", "application/json", "text/html, */*;q=0.1", ""])
def test_who_takes_json_gets_it(anybody: Client, accept: str) -> None:
    assert anybody.get("/v1/games", Accept=accept).status == 200


def test_the_rules_are_served_in_both_languages(anybody: Client) -> None:
    for game in anybody.read("/v1/games")["items"]:
        english = anybody.get(f"/v1/games/{game['id']}/rules")
        assert english.status == 200 and english.headers["Content-Type"] == "text/markdown; charset=utf-8"
        assert english.headers["Content-Language"] == "en" and english.text.startswith("# ")
        spanish = anybody.get(f"/v1/games/{game['id']}/rules", Accept_Language="es")
        assert spanish.headers["Content-Language"] == "es" and spanish.text != english.text


def test_the_catalogue_says_what_can_be_played(anybody: Client) -> None:
    games = {game["id"]: game for game in anybody.read("/v1/games")["items"]}
    assert {"bottle_imp", "mykonos", "polignac", "pot_de_vin"} <= set(games)
    polignac = games["polignac"]
    assert anybody.read("/v1/games/polignac") == polignac
    assert polignac["variants"][0]["seats"] == {"min": 3, "max": 6}
    target = next(option for option in polignac["options"] if option["name"] == "target")
    assert (target["type"], target["default"], target["min"], target["max"]) == ("integer", 10, 1, 100)
    assert target["description"]["es"] and games["bottle_imp"]["tables"]
    assert "costs" not in {option["name"] for option in polignac["options"]}


def test_a_huge_body_is_refused_before_it_is_read_whole(logged: tuple[str, Path]) -> None:
    anybody = Client(over_http(logged[0]))
    answer = anybody.call("POST", "/v1/players", b"x" * 5_000_000)
    assert answer.code == "too_large"

    def chunks() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 10_000

    chunked = requests.post(f"{logged[0]}/v1/players", data=chunks(), timeout=10,
                            headers={"Content-Type": "application/json"})  # fmt: skip
    assert chunked.status_code == 413


@pytest.mark.parametrize(
    ("framing", "body"),
    [
        ("Transfer-Encoding: chunked", b"zz\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", b"-2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", b"2\r\n{}xx0\r\n\r\n"),
        ("Transfer-Encoding: chunked", b"f\r\n{}"),
        ("Content-Length: 100", b'{"name": "Ana"}'),
    ],
)
def test_a_body_that_breaks_off_or_is_framed_wrongly_is_malformed(
    logged: tuple[str, Path], framing: str, body: bytes
) -> None:
    address = urlsplit(logged[0])
    head = f"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{framing}\r\n\r\n"
    with socket.create_connection((address.hostname, address.port), timeout=10) as line:
        line.sendall(head.encode() + body)
        line.shutdown(socket.SHUT_WR)
        said = b""
        while b'"code":"malformed"' not in said and (piece := line.recv(65536)):
            said += piece
    assert said.startswith(b"HTTP/1.1 400") and b'"code":"malformed"' in said
