"""Workers, Redis and Postgres really killed, while people play over HTTP. Cases C14-C17. Beside it: house.py."""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from threading import Event as Stop
from typing import Any

import psycopg
import pytest
from redis import Redis

from bench.table import Table
from domain import bots, play
from domain.bots.asked import Asked
from domain.event import Event
from domain.match import fold
from domain.secrecy import view_for
from store import db
from store.broker import Publisher
from store.events import Events
from tests.e2e.house import House, house
from tests.workers.tables import (
    HOST,
    blocked,
    finished,
    keys,
    opened,
    ready,
    sound,
    state,
    take_version,
    unfinished,
    wait_for,
)
from workers.bots import THINK_SECONDS
from workers.work import LEASE_SECONDS, REPUBLISH_AFTER, SWEEP_SECONDS

TAKEN_OVER_SECONDS = LEASE_SECONDS + SWEEP_SECONDS
SWEPT_SECONDS = REPUBLISH_AFTER.total_seconds() + SWEEP_SECONDS
BUSY_SECONDS = 4.0  # what this machine may take for other things, such as to start a worker
AWAY_SECONDS = 8.0
THOUGHT_SECONDS = 0.1  # of computing, after which a bot that searches is in the midst of it

Figures = Callable[[str], None]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Servers and API for all tests of this module; none of them is ever started again by us but the one killed."""
    with house(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture
def conn(running: House) -> Iterator[db.Connection]:
    with psycopg.connect(running.servers.database_url, autocommit=True) as conn:
        yield conn


# Moments at which a worker hangs: the test holds what it needs next.


@contextmanager
def before_its_commit(conn: db.Connection, match: str, version: int) -> Iterator[None]:
    """It has leased the job, and reads."""
    with conn.transaction(force_rollback=True):
        conn.execute("lock table event in access exclusive mode")
        yield


@contextmanager
def during_its_commit(conn: db.Connection, match: str, version: int) -> Iterator[None]:
    """It is inside the transaction of the bot's word."""
    with conn.transaction(force_rollback=True):
        take_version(conn, match, version + 1)
        yield


@contextmanager
def after_its_commit(conn: db.Connection, match: str, version: int) -> Iterator[None]:
    """The word is stored, its message not acknowledged, and the word that follows under way."""
    with conn.transaction(force_rollback=True):
        take_version(conn, match, version + 2)
        yield


MOMENTS = [before_its_commit, during_its_commit, after_its_commit]


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__)
def test_c14_a_worker_killed_at_any_moment_loses_and_doubles_nothing(
    running: House, conn: db.Connection, figures: Figures, moment: Callable[..., object]
) -> None:
    outcome = opened(conn, deals=1)
    match, version = outcome.match.id, outcome.match.version
    with psycopg.connect(running.servers.database_url, autocommit=True) as other, running.workers() as (victim,):
        ready(running.log)
        with moment(other, match, version):  # type: ignore[attr-defined]
            Publisher(running.servers.redis_url).publish(keys(outcome))
            wait_for(lambda: blocked(conn))
            assert state(conn, keys(outcome)[0]) == ("done" if moment is after_its_commit else "leased")
            victim.kill()
            victim.wait()
            killed_at = time.monotonic()
    known = version + (moment is after_its_commit)
    assert latest(conn, match) == known
    with running.workers():
        wait_for(lambda: latest(conn, match) > known, TAKEN_OVER_SECONDS + BUSY_SECONDS)
        delay = time.monotonic() - killed_at
        finished(conn, match)
    figures(f"C14 killed {moment.__name__.replace('_', ' ')}: the bot moved {delay:.1f} s later")


def test_c14_a_worker_killed_in_thought_is_followed_by_another_and_one_word_is_said(
    running: House, conn: db.Connection, figures: Figures
) -> None:
    outcome = opened(conn, *[{"bot": "search_plus"}] * 4, game="pot_de_vin")
    match, version, (turn,) = outcome.match.id, outcome.match.version, keys(outcome)
    with running.workers() as (victim,):
        ready(running.log)
        Publisher(running.servers.redis_url).publish([turn])
        wait_for(lambda: state(conn, turn) == "leased")
        began = cpu_seconds(victim.pid)
        wait_for(lambda: cpu_seconds(victim.pid) - began > THOUGHT_SECONDS)
        victim.kill()
        victim.wait()
        killed_at = time.monotonic()
    assert (state(conn, turn), latest(conn, match)) == ("leased", version), "it had said its word"
    with running.workers():
        ready(running.log)
        wait_for(lambda: latest(conn, match) > version, TAKEN_OVER_SECONDS + THINK_SECONDS + BUSY_SECONDS)
        delay = time.monotonic() - killed_at
        assert state(conn, turn) == "done"
        play.void(Events(conn), match, HOST, None)
        finished(conn, match)
    events = Events(conn).read_all(match).events
    assert [event.version for event in events] == [*range(1, len(events) + 1)]
    said = events[version].data
    assert said["move"] == said_again(match, events[:version], said["seat"], **said["how"])
    figures(f"C14 killed in thought: the bot moved {delay:.1f} s later; its seed and worlds give that word again")


def cpu_seconds(pid: int) -> float:
    """What a process has computed so far."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def said_again(match: str, events: Sequence[Event], seat: int, bot: str, seed: str, worlds: int, **_: Any) -> str:
    """The word that a bot finds by what is recorded of how it was found: the same view, seed and number of worlds."""
    m, looks = fold(match, events), count()
    words, late = m.game.words_of_the_house(m.deal, seat), lambda: next(looks) >= worlds
    question = Asked(m.game, view_for(m.deal, seat), seat, words, m.totals, late)
    return bots.choose(bot, question, bots.stream(bytes.fromhex(seed))).word


@pytest.mark.parametrize("moment", MOMENTS[:2], ids=lambda moment: moment.__name__)
def test_c15_a_worker_frozen_past_its_lease_is_refused_when_it_wakes_and_works_on(
    running: House, conn: db.Connection, figures: Figures, moment: Callable[..., object]
) -> None:
    outcome = opened(conn, deals=1)
    match, version = outcome.match.id, outcome.match.version
    with psycopg.connect(running.servers.database_url, autocommit=True) as other, running.workers() as (sleeper,):
        ready(running.log)
        with moment(other, match, version):  # type: ignore[attr-defined]
            Publisher(running.servers.redis_url).publish(keys(outcome))
            wait_for(lambda: blocked(conn))
            sleeper.send_signal(SIGSTOP)
            frozen_at = time.monotonic()
        slept = running.log.read_bytes()
        with running.workers():
            wait_for(lambda: latest(conn, match) > version, TAKEN_OVER_SECONDS + BUSY_SECONDS)
            delay = time.monotonic() - frozen_at
            finished(conn, match)
        running.log.write_bytes(slept)
        sleeper.send_signal(SIGCONT)
        wait_for(
            lambda: b"too late" in running.log.read_bytes() or b"postgres does not answer" in running.log.read_bytes()
        )
        again = opened(conn, deals=1)
        Publisher(running.servers.redis_url).publish(keys(again))
        finished(conn, again.match.id)
        sound(conn, match)
    figures(
        f"C15 frozen {moment.__name__.replace('_', ' ')}: another moved {delay:.1f} s later, the sleeper was refused"
    )


def latest(conn: db.Connection, match: str) -> int:
    (version,) = conn.execute("select max(version) from event where stream_id = %s", [match]).fetchone() or (0,)
    return int(version)


@contextmanager
def played(tables: list[Table]) -> Iterator[None]:
    """People play at all these tables as long as the block lasts."""
    stop = Stop()
    with ThreadPoolExecutor(len(tables)) as threads:
        playing = [threads.submit(table.play, stop) for table in tables]
        try:
            yield
        finally:
            stop.set()
    for one in playing:
        one.result()


def seconds_until_all_go_on(conn: db.Connection, tables: list[Table]) -> float:
    """How long it takes until every table is some words further."""
    began = time.monotonic()
    known = {table.match: latest(conn, table.match) for table in tables}
    wait_for(lambda: all(latest(conn, match) > version + 4 for match, version in known.items()))
    return time.monotonic() - began


def seated(running: House, persons: int = 3, bots: int = 0) -> Table:
    """A table at which somebody is asked next."""
    table = Table([running.url], persons=persons, bots=bots)
    table.open()
    return table


def total(tables: list[Table]) -> Counter[int]:
    """How often each status was answered."""
    return sum((table.answers for table in tables), Counter())


def check(conn: db.Connection, tables: list[Table], what: str, figures: Figures) -> None:
    """Every acknowledged word is stored once, no other word of a person is, and the books are right."""
    lost = doubled = acknowledged = 0
    for table in tables:
        wait_for(lambda match=table.match: not unfinished(conn, match), SWEPT_SECONDS + BUSY_SECONDS)  # type: ignore[misc]
        said = {(one.version, one.seat, one.word) for one in table.said}
        events = Events(conn).read_all(table.match).events
        moved = [(event.version, event.data["seat"], event.data["move"]) for event in events if event.type == "moved"]
        stored = {move for move in moved if move[1] < table.persons}
        acknowledged, lost, doubled = acknowledged + len(said), lost + len(said - stored), doubled + len(stored - said)
        sound(conn, table.match)
    worst = max(one.seconds for table in tables for one in table.said)
    figures(f"{what}: {acknowledged} writes acknowledged, {lost} lost, {doubled} doubled, worst delay {worst:.2f} s")
    assert (lost, doubled) == (0, 0)


def test_c16_redis_flushed_gone_for_a_while_and_back_empty(
    running: House, conn: db.Connection, figures: Figures
) -> None:
    valkey = running.servers.valkey
    with running.workers(2) as workers:
        wait_for(lambda: running.log.read_bytes().count(b"ready.") == 2)
        people = [seated(running) for _ in range(3)]
        tables = [*people, *(seated(running, 1, 3) for _ in range(3))]
        with played(tables):
            time.sleep(1)
            with Redis.from_url(valkey.url) as redis:
                redis.flushall()
            time.sleep(1)
            valkey.process.kill()
            valkey.process.wait()
            before = sum(len(table.said) for table in people)
            time.sleep(AWAY_SECONDS)
            meanwhile = sum(len(table.said) for table in people) - before
            shutil.rmtree(valkey.folder)
            valkey.start()
            delay = seconds_until_all_go_on(conn, tables)
            time.sleep(1)
        check(
            conn, tables, f"C16 {meanwhile} writes without Redis, all bots on {delay:.1f} s after it; in all", figures
        )
        assert all(worker.poll() is None for worker in workers)
    assert meanwhile > AWAY_SECONDS
    assert delay < SWEPT_SECONDS + BUSY_SECONDS
    assert total(tables).keys() == {200, 201} and sum(table.cut for table in tables) == 0


def test_c17_postgres_killed_twice_under_load_and_started_again(
    running: House, conn: db.Connection, figures: Figures
) -> None:
    postgres = running.servers.postgres
    with running.workers(2) as workers:
        wait_for(lambda: running.log.read_bytes().count(b"ready.") == 2)
        tables = [seated(running) for _ in range(6)] + [seated(running, 1, 3) for _ in range(2)]
        with played(tables):
            for away_seconds in (0.0, 1.5):
                time.sleep(2)
                postgres.process.kill()
                postgres.process.wait()
                time.sleep(away_seconds)
                postgres.start()
                with psycopg.connect(running.servers.database_url, autocommit=True) as fresh:
                    delay = seconds_until_all_go_on(fresh, tables)
        answers = total(tables)
        with psycopg.connect(running.servers.database_url, autocommit=True) as fresh:
            check(fresh, tables, f"C17 {answers[503]} times 503, all on {delay:.1f} s after the last; in all", figures)
        assert all(worker.poll() is None for worker in workers)
    assert answers.keys() == {200, 201, 503}
    assert sum(table.without_retry_after + table.cut for table in tables) == 0
    assert running.api.poll() is None
