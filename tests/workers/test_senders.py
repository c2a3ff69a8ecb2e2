"""Webhooks by real workers: one that is killed, and receivers that would like to keep the bots waiting."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

import pytest

from domain import play
from domain.webhooks import TYPES
from store import db, deliveries, players, webhooks
from store.broker import Publisher
from store.events import Events
from tests.workers.receiver import Receiver, dripping, receiver, silent
from tests.workers.tables import BOT, HOST, HUMAN, finished, keys, opened, ready, say_any, wait_for, worker


@pytest.fixture(autouse=True)
def private(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPETE_WEBHOOK_PRIVATE", "true")


@pytest.fixture
def there() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


def hooked(conn: db.Connection, player: str, to: Receiver) -> str:
    """A webhook of a player who may be new."""
    if not players.get(conn, player):
        players.create(conn, player, player)
    hook = webhooks.create(conn, token_hex(8), player, to.url, list(TYPES), bytes(32), 10)
    assert hook
    return hook.id


def told(conn: db.Connection, hook: str) -> str:
    """A message to send; its id."""
    message = deliveries.message(hook, token_hex(8), "test", datetime.now(UTC), {})
    deliveries.add(conn, [message])
    return message.id


def state(conn: db.Connection, hook: str, message: str) -> str | None:
    found = deliveries.one(conn, hook, message)
    return found and found.state


def test_what_a_killed_worker_was_sending_comes_again_under_the_same_id(
    conn: db.Connection, database_url: str, redis_url: str, there: Receiver, tmp_path: Path
) -> None:
    there.reactions = [silent]
    hook = hooked(conn, "killed", there)
    message = told(conn, hook)
    with worker(database_url, redis_url, tmp_path / "first.log") as process:
        there.wait(1, 30)
        process.kill()
    assert state(conn, hook, message) == "pending"
    conn.execute("update webhook set next_at = now(), taken_until = now() where id = %s", [hook])  # its lease is over
    with worker(database_url, redis_url, tmp_path / "second.log"):
        first, second = there.wait(2, 30)
        wait_for(lambda: state(conn, hook, message) == "delivered")
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == message
    assert first.body == second.body


def test_receivers_that_take_their_time_keep_no_bot_waiting(
    conn: db.Connection, database_url: str, redis_url: str, tmp_path: Path, figures: Callable[[str], None]
) -> None:
    log, publisher = tmp_path / "worker.log", Publisher(redis_url)
    with worker(database_url, redis_url, log), receiver() as slow:
        ready(log)
        calm = turns(conn, publisher)
        slow.reaction = dripping
        for player in range(10):
            for _ in range(2):
                told(conn, hooked(conn, f"hostile{player}", slow))
        hooked(conn, HOST, slow)
        slow.wait(8)
        busy = turns(conn, publisher)
    worst = f"{calm[-1]:.0f} ms in peace, {busy[-1]:.0f} ms beside {len(slow.received)} slow receivers"
    figures(f"a bot's turn, median {calm[len(calm) // 2]:.0f} and {busy[len(busy) // 2]:.0f} ms; worst {worst}")
    assert busy[-1] < 1000


def turns(conn: db.Connection, publisher: Publisher) -> list[float]:
    """How long bots let the host wait through a match, in ms, in order of size."""
    outcome = opened(conn, HUMAN, BOT, BOT, BOT, deals=4)
    match = outcome.match.id
    found: list[float] = []
    publisher.publish(keys(outcome))
    while True:
        wait_for(lambda: 0 in (m := play.load(Events(conn), match)).to_act or m.over)
        if play.load(Events(conn), match).over:
            finished(conn, match)
            return sorted(found)
        outcome = say_any(conn, match)
        began = time.monotonic()
        publisher.publish(keys(outcome))
        if any(job.kind == "bot_turn" for job in outcome.jobs):
            moved_on(conn, match, outcome.match.version)
            found.append((time.monotonic() - began) * 1000)


def moved_on(conn: db.Connection, match: str, version: int) -> None:
    wait_for(lambda: play.load(Events(conn), match).version > version)
