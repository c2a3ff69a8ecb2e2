"""How often one may write: told, kept, and kept without Redis too (C30)."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from redis import Redis

from api.errors import ProblemError
from api.limits import AWAY_SECONDS, Limit, network
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


def test_what_was_refused_tells_the_limit_too(strict: Client) -> None:
    client = strict.player()
    wait_for_a_second_to_begin()
    refused = [
        client.post("/v1/matches", {"game": "chess", "seats": []}),
        client.delete("/v1/me/tokens/none"),
        client.call("PATCH", "/v1/me", b"{"),
        strict.post("/v1/players", {"name": "Ana"}),
    ]
    assert [answer.status for answer in refused] == [422, 404, 400, 201]
    names = [re.fullmatch(r'"(\w+)";r=(\d);t=\d+', answer.headers["RateLimit"]) for answer in refused]
    assert [each and each.groups() for each in names[:3]] == [("writes", "4"), ("writes", "3"), ("writes", "2")]
    assert names[3] and names[3][1] == "registrations"
    assert "RateLimit" not in client.get("/v1/matches/nothing").headers


@pytest.mark.parametrize("window_seconds", [1, 2, 3])
def test_what_retry_after_says_suffices(redis_url: str, window_seconds: int) -> None:
    """C30, for a window of any length, wherever in it the last one was."""
    with Redis.from_url(redis_url) as redis:
        limit = Limit(f"waits{window_seconds}", 2, window_seconds, redis)
        time.sleep(0.37)
        with pytest.raises(ProblemError) as refused:
            for _ in range(3):
                limit.count("somebody")
        retry_after = refused.value.headers["Retry-After"]
        assert re.fullmatch(r"[1-9]\d*", retry_after) and int(retry_after) <= window_seconds
        time.sleep(int(retry_after))
        assert limit.count("somebody")["RateLimit"].startswith(f'"waits{window_seconds}";r=1;')


FORWARDED = [
    (0, None, "10.0.0.9"),
    (0, "203.0.113.1", "10.0.0.9"),
    (0, "203.0.113.1, 203.0.113.2", "10.0.0.9"),
    (1, None, "10.0.0.9"),
    (1, "203.0.113.1", "203.0.113.1"),
    (1, "198.51.100.7, 203.0.113.1", "203.0.113.1"),
    (2, "198.51.100.7, 203.0.113.1, 203.0.113.2", "203.0.113.1"),
    (2, "203.0.113.2", "10.0.0.9"),
]


@pytest.mark.parametrize(("proxies", "forwarded", "counted"), FORWARDED)
def test_an_address_is_what_trusted_proxies_say_and_nobody_else(
    database_url: str, redis_url: str, proxies: int, forwarded: str | None, counted: str
) -> None:
    """So many from the right: what stands before that was said by whoever asked."""
    limits = {"TAPETE_REGISTRATIONS_PER_MINUTE": "9", "TAPETE_TRUSTED_PROXIES": str(proxies)}
    with application(database_url, redis_url, **limits) as app:
        asker, peer = app.test_client(), {"REMOTE_ADDR": "10.0.0.9"}
        headers = {"X-Forwarded-For": forwarded} if forwarded else {}
        answer = asker.post("/v1/players", json={"name": "Ana"}, headers=headers, environ_base=peer)
        assert answer.status_code == 201
        assert list(app.extensions["tapete"].registrations.here) == [counted]


def test_who_says_another_address_each_time_is_counted_as_one(strict: Client) -> None:
    wait_for_most_of_a_minute()
    sent = [{"X_Forwarded_For": f"203.0.113.{n}", "Forwarded": f"for=203.0.113.{n}", "X_Real_IP": f"203.0.113.{n}"}
            for n in range(5)]  # fmt: skip
    codes = [strict.post("/v1/players", {"name": "Ana"}, **headers).code for headers in sent]
    assert codes == [None] * 3 + ["rate_limited"] * 2


ADDRESSES = [
    ("203.0.113.1", "203.0.113.1"),
    ("::ffff:203.0.113.1", "203.0.113.1"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8:1:2::", "2001:db8:1:2::/64"),
    ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
    ("fe80::1%eth0", "fe80::/64"),
    ("", ""),
    ("unix:", "unix:"),
    ("x" * 500, "x" * 40),
]


@pytest.mark.parametrize(("address", "whose"), ADDRESSES)
def test_a_line_with_many_addresses_is_one(address: str, whose: str) -> None:
    assert network(address) == whose


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
