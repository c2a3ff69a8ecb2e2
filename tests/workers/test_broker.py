"""The publisher, on a real Valkey that is frozen, killed and emptied. Beside it: store/broker.py."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from signal import SIGCONT, SIGSTOP

import pytest
from redis import Redis

from store import embedded
from store.broker import AWAY_SECONDS, PATIENCE_SECONDS, Publisher

BUSY_SECONDS = 0.4  # what this machine may take for other things


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[embedded.Valkey]:
    """A Valkey of the test's own, behind a socket with a space in its path."""
    with embedded.valkey(tmp_path / "a home") as server:
        yield server


def waiting(server: embedded.Valkey) -> int:
    """How many messages nobody has taken."""
    with Redis.from_url(server.url) as redis:
        return int(redis.llen("tapete"))


def seconds_of_publishing(publisher: Publisher) -> float:
    began = time.monotonic()
    publisher.publish(["bot_turn:a:1"])
    return time.monotonic() - began


def test_keys_arrive_by_a_unix_socket_and_after_a_flush_too(valkey: embedded.Valkey) -> None:
    publisher = Publisher(valkey.url)
    publisher.publish(["bot_turn:a:1", "tally:a:1"])
    assert waiting(valkey) == 2
    with Redis.from_url(valkey.url) as redis:
        redis.flushall()
    publisher.publish(["bot_turn:a:2"])
    assert waiting(valkey) == 1


def test_a_redis_that_hangs_costs_a_tenth_of_a_second_and_then_nothing_for_a_second(valkey: embedded.Valkey) -> None:
    publisher = Publisher(valkey.url)
    publisher.publish(["bot_turn:a:0"])
    valkey.process.send_signal(SIGSTOP)
    try:
        with ThreadPoolExecutor(16) as threads:
            together = list(threads.map(seconds_of_publishing, [publisher] * 16))
        assert PATIENCE_SECONDS <= max(together) < PATIENCE_SECONDS + BUSY_SECONDS
        assert seconds_of_publishing(publisher) < PATIENCE_SECONDS / 2
    finally:
        valkey.process.send_signal(SIGCONT)
    time.sleep(AWAY_SECONDS)
    before = waiting(valkey)
    publisher.publish(["bot_turn:a:2"])
    assert waiting(valkey) == before + 1


def test_a_redis_that_is_gone_raises_nothing_and_is_found_again(valkey: embedded.Valkey) -> None:
    publisher = Publisher(valkey.url)
    publisher.publish(["bot_turn:a:1"])
    valkey.process.kill()
    valkey.process.wait()
    assert seconds_of_publishing(publisher) < PATIENCE_SECONDS + BUSY_SECONDS
    valkey.start()
    before = waiting(valkey)
    time.sleep(AWAY_SECONDS)
    publisher.publish(["bot_turn:a:2"])
    assert waiting(valkey) == before + 1


def test_a_redis_that_never_was_there_raises_nothing_either() -> None:
    Publisher("unix:///nowhere/valkey.sock?db=0").publish(["bot_turn:a:1"])
