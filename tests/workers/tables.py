"""What the tests of the workers share: matches to work on, workers to run and kill, and waiting."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from secrets import token_bytes, token_hex
from signal import SIGCONT, SIGTERM
from typing import Any, TypeVar

from domain import audit, play, scoring
from domain.match import Match
from store import ledger
from store.db import Connection
from store.events import Events, chain_faults

ROOT = Path(__file__).parents[2]
HOST = "host"
BOT, HUMAN = {"bot": "rule"}, {"player": HOST}

Answer = TypeVar("Answer")

draw = partial(token_bytes, 32)


def opened(conn: Connection, *seats: dict[str, Any], game: str = "polignac", **options: Any) -> play.Outcome:
    """A new match, with its jobs stored and told to nobody."""
    proposal = play.Proposal(game, seats or [BOT] * 4, options=options)
    return play.open_match(Events(conn), token_hex(8), HOST, proposal, draw)


def say_any(conn: Connection, match: str) -> play.Outcome:
    """The host says the first word he may."""
    m = play.load(Events(conn), match)
    seat = m.seat_of(HOST)
    assert seat is not None
    return play.move(Events(conn), match, HOST, m.game.legal(m.deal, seat)[0], m.version, draw)


def keys(outcome: play.Outcome) -> list[str]:
    """What the one who appended has to publish."""
    return [job.key for job in outcome.jobs if job.due is None]


def state(conn: Connection, key: str) -> str | None:
    """Where a job stands, or None where there is no such job."""
    row = conn.execute("select state from job where key = %s", [key]).fetchone()
    return row[0] if row else None


def unfinished(conn: Connection, match: str) -> list[str]:
    """The jobs of a match that are due and not done."""
    query = "select key from job where split_part(key, ':', 2) = %s and state <> 'done' and due_at <= now()"
    return [key for (key,) in conn.execute(query, [match])]


def take_version(conn: Connection, match: str, version: int) -> None:
    """An event there that is not committed: whoever wants that version waits inside his transaction."""
    conn.execute(
        "insert into event (stream_id, version, kind, type, text, prev_hash, hash, recorded_at)"
        " values (%s, %s, 'match', 'moved', '{}', '', '', now())",
        [match, version],
    )


def blocked(conn: Connection) -> int:
    """How many sessions wait for somebody else's transaction or lock in this database."""
    query = (
        "select count(distinct pid) from pg_locks join pg_stat_activity using (pid)"
        " where not granted and datname = current_database()"
    )
    (waiting,) = conn.execute(query).fetchone() or (0,)
    return int(waiting)


def sound(conn: Connection, match: str) -> Match:
    """The match, after its chain, its rules and its ledger were checked."""
    events = Events(conn).read_all(match).events
    assert chain_faults(conn, match) == []
    assert audit.audit(match, events) == []
    due = scoring.transfers(match, events)
    assert sorted(ledger.transfers_of(conn, match), key=str) == sorted(due, key=str), "the ledger is not the rebuild"
    return play.load(Events(conn), match)


def wait_for(question: Callable[[], Answer | None], seconds: float = 30.0) -> Answer:
    """The first answer that is not nothing; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (answer := question()):
        assert time.monotonic() < deadline, f"nothing in {seconds} s"
        time.sleep(0.01)
    return answer


def finished(conn: Connection, match: str, seconds: float = 60.0) -> Match:
    """The match once it has ended and all its jobs are done."""
    wait_for(lambda: play.load(Events(conn), match).over and not unfinished(conn, match), seconds)
    return sound(conn, match)


@contextmanager
def worker(database_url: str, redis_url: str, log: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A real worker; it is ready when its log says so."""
    environment = {**os.environ, "DATABASE_URL": database_url, "REDIS_URL": redis_url}
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "workers", *words], cwd=ROOT, env=environment, stdout=out, stderr=out
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(SIGCONT)
            process.send_signal(SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def ready(log: Path) -> None:
    """Wait until the worker takes tasks."""
    wait_for(lambda: b"ready." in log.read_bytes())
