"""Real workers on a real Postgres and Redis, as `tapete worker` runs them. Beside it: workers/app.py, tasks.py."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path
from signal import SIGTERM
from statistics import median

import pytest

from bench.tables import OPTIONS, until_over
from domain import play
from domain.match import Match
from domain.rules import games
from store import db, ledger, matches
from store.broker import Publisher
from store.events import Events
from tests.workers.tables import BOT, HOST, HUMAN, draw, finished, keys, opened, ready, say_any, state, wait_for, worker
from workers.work import REPUBLISH_AFTER, SWEEP_SECONDS

SWEPT_SECONDS = REPUBLISH_AFTER.total_seconds() + SWEEP_SECONDS
TABLES = 32
BUSY_SECONDS = 2.0  # what this machine may take for other things


@pytest.fixture(scope="module", autouse=True)
def log(database_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two workers for all tests of this module, and what they log."""
    log = tmp_path_factory.mktemp("workers") / "worker.log"
    with worker(database_url, redis_url, log), worker(database_url, redis_url, log):
        wait_for(lambda: log.read_text().count("ready.") == 2)
        yield log


@pytest.fixture
def publisher(redis_url: str) -> Publisher:
    return Publisher(redis_url)


@pytest.mark.parametrize("game", games())
def test_c18_bots_play_every_game_through_all_its_phases_to_the_end(
    conn: db.Connection, publisher: Publisher, game: str
) -> None:
    seats = games()[game].VARIANTS[next(iter(games()[game].VARIANTS))].seats[0]
    outcome = opened(conn, *[BOT] * seats, game=game)
    publisher.publish(keys(outcome))
    assert finished(conn, outcome.match.id).status == "ended"


def test_many_tables_of_bots_finish_with_none_stuck_and_every_ledger_sums_to_zero(
    conn: db.Connection, publisher: Publisher
) -> None:
    """As many as fit into half a minute; `make bench` has two hundred."""
    outcomes = [opened(conn, game=game, **OPTIONS[game]) for game in islice(cycle(OPTIONS), TABLES)]
    publisher.publish([key for outcome in outcomes for key in keys(outcome)])
    until_over(conn, [outcome.match.id for outcome in outcomes])
    for outcome in outcomes:
        m = finished(conn, outcome.match.id)
        balances = ledger.balances(conn, m.id)
        assert m.result and f"match:{m.id}:bank" in balances
        assert sum(balances.values()) == 0


def test_c18_bots_answer_a_person_in_calls_and_tricks(
    conn: db.Connection, publisher: Publisher, figures: Callable[[str], None]
) -> None:
    outcome = opened(conn, HUMAN, BOT, BOT, BOT, deals=2, declarations="both")  # who all pass
    match, phases, seconds = outcome.match.id, set(), []
    publisher.publish(keys(outcome))
    while not (m := wait_for_host(conn, match)).over:
        phases.add(m.deal.phase)
        outcome = say_any(conn, match)
        began = time.monotonic()
        publisher.publish(keys(outcome))
        if any(job.kind == "bot_turn" for job in outcome.jobs):
            wait_for_more(conn, match, outcome.match.version)
            seconds.append(time.monotonic() - began)
    assert phases == {"call", "play"}
    finished(conn, match)
    figures(f"from a move to the bot's: {median(seconds) * 1000:.0f} ms median, {max(seconds) * 1000:.0f} ms worst")
    assert median(seconds) < 0.5


def wait_for_host(conn: db.Connection, match: str) -> Match:
    """The match once its host owes a word, or it is over."""

    def asked() -> Match | None:
        m = play.load(Events(conn), match)
        return m if m.over or 0 in m.to_act else None

    return wait_for(asked)


def wait_for_more(conn: db.Connection, match: str, version: int) -> None:
    wait_for(lambda: latest(conn, match) > version)


def latest(conn: db.Connection, match: str) -> int:
    (version,) = conn.execute("select max(version) from event where stream_id = %s", [match]).fetchone() or (0,)
    return int(version)


def test_c13_every_message_forty_times_to_two_workers_has_one_effect(conn: db.Connection, publisher: Publisher) -> None:
    outcome = opened(conn, deals=1)
    for _ in range(40):
        publisher.publish(keys(outcome))
    m = finished(conn, outcome.match.id)
    assert latest(conn, m.id) == m.version
    publisher.publish(keys(outcome))  # late
    time.sleep(0.5)
    assert latest(conn, m.id) == m.version


def test_a_message_that_was_never_sent_delays_by_a_sweep_at_most(conn: db.Connection) -> None:
    outcome = opened(conn, deals=1)
    began = time.monotonic()
    wait_for_more(conn, outcome.match.id, outcome.match.version)
    assert time.monotonic() - began < SWEPT_SECONDS + BUSY_SECONDS
    finished(conn, outcome.match.id)


def test_a_job_that_becomes_due_is_done_without_anybody_saying_so(conn: db.Connection) -> None:
    match = opened(conn, HUMAN, {"open": True}, BOT).match.id
    conn.execute("update job set due_at = now() where key = %s", [f"lapse:{match}"])
    wait_for(lambda: play.load(Events(conn), match).status == "voided", SWEPT_SECONDS + BUSY_SECONDS)
    finished(conn, match)


def test_a_seat_that_is_given_up_is_played_on_by_a_bot(conn: db.Connection, publisher: Publisher) -> None:
    outcome = opened(conn, HUMAN, {"player": "guest"}, BOT, deals=1, declarations="none")
    outcome = play.sit(Events(conn), outcome.match.id, "guest", 1, None, draw)
    publisher.publish(keys(outcome))
    wait_for_host(conn, outcome.match.id) if outcome.match.to_act != [1] else None
    publisher.publish(keys(play.resign(Events(conn), outcome.match.id, HOST, None)))
    wait_for(lambda: play.load(Events(conn), outcome.match.id).to_act == [1])
    publisher.publish(keys(play.resign(Events(conn), outcome.match.id, "guest", None)))
    assert finished(conn, outcome.match.id).result


def test_old_answers_done_jobs_and_expired_codes_are_forgotten(conn: db.Connection, publisher: Publisher) -> None:
    outcome, waits = opened(conn, deals=1), opened(conn, HUMAN, {"open": True}, BOT).match.id
    publisher.publish(keys(outcome))
    finished(conn, outcome.match.id)
    conn.execute("update job set created_at = now() - interval '25 hours' ")
    conn.execute(
        "insert into answer (request, body_hash, status, created_at)"
        " values ('old', '', 201, now() - interval '25 hours')"
    )
    matches.invite(conn, waits, "over", timedelta(0))
    publisher.app.send_task("workers.prune")
    wait_for(lambda: conn.execute("select from job where state = 'done'").fetchone() is None)
    wait_for(lambda: conn.execute("select from invitation").fetchone() is None)
    wait_for(lambda: conn.execute("select from answer").fetchone() is None)
    assert state(conn, f"lapse:{waits}") == "due"


def test_a_worker_ends_within_two_seconds_of_being_told_and_logs_json(
    database_url: str, redis_url: str, conn: db.Connection, tmp_path: Path
) -> None:
    log = tmp_path / "worker.log"
    with worker(database_url, redis_url, log) as process:
        ready(log)
        process.send_signal(SIGTERM)
        began = time.monotonic()
        assert process.wait(20) == 0
        assert time.monotonic() - began < 2 + BUSY_SECONDS
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    assert any(line["event"].endswith("ready.") for line in lines)


def test_two_processes_under_one_parent_work_as_well(
    database_url: str, redis_url: str, conn: db.Connection, publisher: Publisher, tmp_path: Path
) -> None:
    log = tmp_path / "worker.log"
    with worker(database_url, redis_url, log, "2"):
        ready(log)
        outcome = opened(conn, deals=1)
        publisher.publish(keys(outcome))
        finished(conn, outcome.match.id)
