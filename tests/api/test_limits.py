"""How often one may write: told, kept, and kept without Redis too (C30)."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from redis import Redis

from api.limits import AWAY_SECONDS, Limit
from tests.api.conftest import application
from tests.api.http import Answer, Client, over_flask
from tests.api.tables import BOT

BODY = {"game": "polignac", "seats": [BOT] * 3}
NOWHERE = "redis://127.0.0.1:1/0"


@pytest.fixture
def strict(database_url: str, redis_url: str) -> Iterator[Client]:
    """Somebody without a token, at an application that allows five writes a second and three registrations a minute."""
    limits = {"TAPETE_WRITES_PER_SECOND": "5", "TAPETE_REGISTRATIONS_PER_MINUTE": "3"}
    with application(database_url, redis_url, **limits) as app, Redis.from_url(redis_url) as redis:
        redis.flushdb()
        yield Client(over_flask(app.test_client()))


def wait_for_a_second_to_begin() -> None:
    time.sleep(1 - time.time() % 1)


def wait_for_most_of_a_minute() -> None:
    """A test that takes seconds must not see the minute change."""
    if time.time() % 60 > 50:
        time.sleep(61 - time.time() % 60)


def test_of_seven_writes_in_a_second_five_are_done(strict: Client) -> None:
    client = strict.player()
    wait_for_a_second_to_begin()
    answers = [client.post("/v1/me/tokens", {"label": "x", "scopes": ["read"]}) for _ in range(7)]
    assert [answer.code for answer in answers] == [None] * 5 + ["rate_limited"] * 2
    left = [re.fullmatch(r'"writes";r=(\d);t=1', answer.headers["RateLimit"]) for answer in answers]
    assert [each and each[1] for each in left] == ["4", "3", "2", "1", "0", "0", "0"]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"writes";q=5;w=1'}
    retry_after = answers[-1].headers["Retry-After"]
    assert re.fullmatch(r"\d+", retry_after)
    time.sleep(int(retry_after))
    assert client.post("/v1/me/tokens", {"label": "x", "scopes": ["read"]}).status == 201


def test_reads_are_not_counted(strict: Client) -> None:
    client = strict.player()
    answers = [client.get("/v1/me") for _ in range(12)]
    assert {answer.status for answer in answers} == {200} and "RateLimit" not in answers[0].headers


def test_one_token_does_not_use_up_anothers(strict: Client) -> None:
    one, other = strict.player(), strict.player()
    wait_for_a_second_to_begin()
    for _ in range(6):
        last = one.post("/v1/matches", BODY)
    assert last.code == "rate_limited" and other.post("/v1/matches", BODY).status == 201


def test_of_four_registrations_in_a_minute_three_are_done(strict: Client) -> None:
    wait_for_most_of_a_minute()
    answers = [strict.post("/v1/players", {"name": "Ana"}) for _ in range(4)]
    assert [answer.code for answer in answers] == [None] * 3 + ["rate_limited"]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
    assert answers[-1].headers["RateLimit-Policy"] == '"registrations";q=3;w=60'


def test_processes_count_together(redis_url: str) -> None:
    with Redis.from_url(redis_url) as redis:
        one, other = (Limit("writes", 100, 60, redis) for _ in range(2))
        wait_for_most_of_a_minute()
        done = 0
        for number in range(200):
            try:
                (one if number % 2 else other).count("somebody")
            except Exception as refusal:  # noqa: BLE001
                assert "rate_limited" in repr(vars(refusal))
            else:
                done += 1
    assert 100 <= done <= 110


def test_without_redis_a_process_goes_by_its_own_count_and_waits_for_nobody(database_url: str) -> None:
    with application(database_url, NOWHERE, TAPETE_WRITES_PER_SECOND="5") as app:
        client = Client(over_flask(app.test_client())).player()
        wait_for_a_second_to_begin()
        began = time.monotonic()
        answers: list[Answer] = [client.post("/v1/matches", BODY) for _ in range(7)]
        assert time.monotonic() - began < AWAY_SECONDS
    assert [answer.code for answer in answers] == [None] * 5 + ["rate_limited"] * 2
