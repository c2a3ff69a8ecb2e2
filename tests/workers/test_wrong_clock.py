"""C20: a host whose clock is an hour off changes no order, no lease and no deadline: the database's time counts."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from secrets import token_hex

import pytest

from domain import play
from store import db
from store.broker import Publisher
from store.events import Events
from tests.workers.tables import BOT, HOST, HUMAN, ROOT, draw, finished, keys, ready

TURN_SECONDS = 5
OFF = """
import datetime, time
real, hour = time.time, {seconds}
class Wrong(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + datetime.timedelta(seconds=hour)
time.time = lambda: real() + hour
datetime.datetime = Wrong
from workers.app import start
raise SystemExit(start())
"""


@pytest.mark.parametrize("seconds", [-3600, 3600], ids=["an hour slow", "an hour fast"])
def test_c20_a_worker_whose_clock_is_off_keeps_deadlines_and_order(
    conn: db.Connection, database_url: str, redis_url: str, tmp_path: Path, seconds: int
) -> None:
    log, environment = tmp_path / "log", {**os.environ, "DATABASE_URL": database_url, "REDIS_URL": redis_url}
    clock = {"turn_seconds": TURN_SECONDS, "bank_seconds": 0}
    proposal = play.Proposal("polignac", [HUMAN, BOT, BOT, BOT], options={"deals": 1}, clock=clock)
    outcome = play.open_match(Events(conn), token_hex(8), HOST, proposal, draw)
    with log.open("wb") as out:
        command = [sys.executable, "-c", OFF.format(seconds=seconds)]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out)
    try:
        ready(log)
        Publisher(redis_url).publish(keys(outcome))
        finished(conn, outcome.match.id)
    finally:
        process.kill()
        process.wait()
    history = Events(conn).read_all(outcome.match.id)
    times = [event.at for event in history.events if event.at]
    assert all(before <= after for before, after in pairwise(times))
    assert history.now - times[0] < timedelta(minutes=2), "the events are dated by the database"
    late = [(at, event) for at, event in zip(times, history.events, strict=True) if event.type == "expired"]
    assert len(late) == 3, "then a bot has the seat"
    for at, event in late:
        assert at - times[event.version - 2] >= timedelta(seconds=TURN_SECONDS), (
            "asked by the event before, at the latest"
        )
