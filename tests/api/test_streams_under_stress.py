"""Streams when things go wrong: clients that vanish or dawdle, a Redis that dies, one too many, the end of all."""

from __future__ import annotations

import os
import re
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import requests
from redis import Redis

from api.hub import _bound
from bench.memory import family
from store import embedded
from store.migrate import migrate
from store.wake import CHANNEL
from tests.api.conftest import serving
from tests.api.http import Client, over_http
from tests.api.streams import NDJSON, SSE, Reader, events, reading, waited
from tests.api.tables import opened, say, started, turn
from tests.api.test_streams import streams_open

SOON = 10.0  # seconds, on a busy machine


@pytest.fixture(scope="module")
def logged(database_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The server that really runs, one process of it, and its log."""
    log = tmp_path_factory.mktemp("api") / "log"
    with serving(database_url, redis_url, log, TAPETE_API_PROCESSES="1") as base:
        yield base, log


@pytest.fixture
def base(logged: tuple[str, Path]) -> str:
    return logged[0]


@pytest.fixture
def four(base: str) -> list[Client]:
    return [Client(over_http(base)).player() for _ in range(4)]


def connected(base: str, path: str, token: str | None = None, receive_bytes: int | None = None) -> socket.socket:
    """A connection by which a stream comes that nobody reads."""
    url = urlsplit(base)
    client = socket.socket()
    if receive_bytes:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    client.settimeout(20)
    client.connect((url.hostname, url.port))
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: {NDJSON}\r\n{bearer}\r\n".encode())
    return client


def held(owner: psycopg.Connection, redis_url: str) -> tuple[int, int, int, int]:
    """Connections to Postgres, subscriptions and clients of Redis, threads of the server."""
    query = "select count(*) from pg_stat_activity where datname = current_database()"
    (connections,) = owner.execute(query).fetchone() or (0,)
    with Redis.from_url(redis_url) as redis:
        clients = len(redis.client_list())
    subscriptions = listeners(redis_url)
    return connections, subscriptions, clients, sum(map(threads, family(os.getpid(), b"api.serving")))


def listeners(redis_url: str) -> int:
    with Redis.from_url(redis_url) as redis:
        return sum(number for _, number in redis.pubsub_numsub(CHANNEL))


def threads(pid: int) -> int:
    return int(re.findall(r"Threads:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0])


def test_three_hundred_clients_that_vanish_leave_nothing_behind(
    base: str, four: list[Client], owner: psycopg.Connection, redis_url: str
) -> None:
    """C28: some say goodbye, some are cut off."""
    match = started(*four)["id"]
    with reading(four[0], base, events(match)) as one:
        one.wait(lambda: len(one.items) == 5)
        before = held(owner, redis_url)
        clients = [connected(base, (events(match), "/v1/stream")[n % 2], four[n % 4].token) for n in range(300)]
        for client in clients:
            assert client.recv(12) == b"HTTP/1.1 200"
        assert streams_open(base) == 301
        during = held(owner, redis_url)
        for number, client in enumerate(clients):
            if number % 3:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset, no farewell
            client.close()
        waited(lambda: streams_open(base) == 1, SOON)
        after = held(owner, redis_url)
    for later in (during, after):  # the pool's connections are ten at most, and threads those that look names up
        assert later[1:3] == before[1:3] and later[0] <= 11 and later[3] <= before[3] + 10, (before, later)


def test_who_is_given_up_by_the_network_is_given_up_by_us() -> None:
    """Packets that are lost for ever cannot be had here; what the kernel is told to do about them can be read."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        _bound(client)
        assert client.gettimeout() == 30 and client.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000
        assert client.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    left, right = socket.socketpair()
    with left, right:
        _bound(left)  # no TCP, no fault


def test_one_who_does_not_read_keeps_nobody_waiting(base: str, four: list[Client]) -> None:
    match = started(*four, options={"deals": 4})["id"]
    slow = [connected(base, events(match), receive_bytes=2048) for _ in range(20)]
    with reading(four[0], base, events(match)) as one:
        lateness = []
        for choice in range(60):
            began = time.monotonic()
            version = say(four, match, choice).json["version"]
            one.reaches(version)
            lateness.append(time.monotonic() - began)
        assert one.versions == list(range(1, one.versions[-1] + 1))
    assert sorted(lateness)[30] < 1.0
    for client in slow:
        client.close()


def test_a_stream_too_many_is_told_when_to_come_again(database_url: str, redis_url: str, tmp_path: Path) -> None:
    with serving(database_url, redis_url, tmp_path / "log", TAPETE_STREAMS="3", TAPETE_API_PROCESSES="1") as base:
        four = [Client(over_http(base)).player() for _ in range(4)]
        match = opened(*four)["id"]
        readers = [Reader(base, events(match)) for _ in range(3)]
        for path, accept in ((events(match), SSE), (events(match), NDJSON), ("/v1/stream", NDJSON)):
            refused = four[0].get(path, Accept=accept)
            assert refused.code == "too_many_streams" and int(refused.headers["Retry-After"]) > 0
        assert four[0].get("/v1/matches/nothing/events", Accept=SSE).status in (404, 503)
        assert four[0].read(events(match))["items"]
        readers[0].close()
        waited(lambda: streams_open(base) == 2, SOON)
        with reading(four[0], base, "/v1/stream"):
            pass


def test_without_redis_streams_go_on_and_it_is_heard_again_when_it_is_back(database_url: str, tmp_path: Path) -> None:
    with (
        embedded.valkey(tmp_path / "home") as valkey,
        serving(database_url, valkey.url, tmp_path / "log") as base,
        ExitStack() as stack,
    ):
        four = [Client(over_http(base)).player() for _ in range(4)]
        match = started(*four)["id"]
        live = stack.enter_context(reading(four[0], base, events(match)))
        mine = stack.enter_context(reading(four[1], base, "/v1/stream"))
        live.wait(lambda: len(live.items) == 5)
        heard = waited(lambda: listeners(valkey.url))  # one, or two when both processes have got round to it
        valkey.process.kill()
        valkey.process.wait()
        for choice in range(3):
            version = say(four, match, choice).json["version"]
            live.reaches(version)
            mine.tells(match, version)
        new = opened(*four)["id"]
        mine.wait(lambda: mine.types(new) == ["event", "invited"])
        hosted = four[1].made("/v1/matches", {"game": "polignac", "seats": [{"bot": "rule"}] * 3})["id"]
        mine.wait(lambda: mine.types(hosted) == ["event", "event", "started"])
        valkey.start()
        waited(lambda: heard <= listeners(valkey.url) <= 2)
        quick = 0
        for choice in range(8):
            time.sleep(0.3)
            began = time.monotonic()
            version = say(four, match, choice).json["version"]
            live.reaches(version)
            quick += time.monotonic() - began < 0.3
        assert quick >= 4, "it is not heard again"
        assert live.versions == list(range(1, live.versions[-1] + 1))


def test_streams_outlive_a_postgres_that_is_started_again(redis_url: str, tmp_path: Path) -> None:
    with embedded.postgres(tmp_path / "home") as postgres:
        migrate(postgres.url)
        with serving(postgres.url, redis_url, tmp_path / "log") as base:
            four = [Client(over_http(base)).player() for _ in range(4)]
            match = started(*four)["id"]
            asked, seen = turn(four, match)
            with (
                reading(four[0], base, events(match)) as live,
                reading(asked, base, "/v1/stream") as mine,
            ):
                live.reaches(seen["version"])
                mine.tells(match, seen["version"], "turn")
                with reading(asked, base, "/v1/stream") as beginning:
                    postgres.restart()
                    beginning.tells(match, seen["version"], "turn")
                    waited(lambda: four[0].get("/v1/me").status == 200)
                    version = say(four, match).json["version"]
                    live.reaches(version)
                    for each in (mine, beginning):
                        each.tells(match, version)
                    assert not live.closed and not mine.closed and not beginning.closed


def test_five_hundred_streams_end_with_the_server_in_two_seconds(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        server = ExitStack()
        base = server.enter_context(serving(database_url, redis_url, tmp_path / "log"))
        four = [Client(over_http(base)).player() for _ in range(4)]
        match = opened(*four)["id"]
        clients = [stack.enter_context(connected(base, events(match))) for _ in range(500)]
        for client in clients:
            assert client.recv(12) == b"HTTP/1.1 200"
        began = time.monotonic()
        server.close()
        seconds = time.monotonic() - began
        last = []
        for client in clients:
            text = b""
            while piece := client.recv(65536):
                text += piece
            last.append(text[-5:])
        assert set(last) == {b"0\r\n\r\n"}, "each was ended in good order"
    assert seconds < 3.5, seconds


def test_a_stream_is_one_line_in_the_log_at_its_beginning(logged: tuple[str, Path], four: list[Client]) -> None:
    base, log = logged
    with reading(four[0], base, "/v1/stream", X_Request_ID="a-stream") as mine:
        assert mine.response.headers["X-Request-ID"] == "a-stream"
        lines = waited(lambda: [line for line in log.read_text().splitlines() if "a-stream" in line])
    assert len(lines) == 1 and '"status": 200' in lines[0] and four[0].token not in lines[0]


def test_whose_origin_is_another_may_read_too(base: str) -> None:
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET",
             "Access-Control-Request-Headers": "last-event-id, authorization"}  # fmt: skip
    allowed = requests.options(f"{base}/v1/stream", headers=asked, timeout=5).headers
    assert "Last-Event-ID" in allowed["Access-Control-Allow-Headers"]
    player = Client(over_http(base)).player()
    with reading(player, base, "/v1/stream", SSE) as mine:
        headers = mine.response.headers
    assert headers["Access-Control-Allow-Origin"] == "*" and "Accept" in headers["Vary"].split(", ")
    assert "no-cache" in headers["Cache-Control"] and headers["X-Accel-Buffering"] == "no"
