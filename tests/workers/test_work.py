"""How jobs are worked off, on a real Postgres and without Celery. Beside it: workers/work.py."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from domain import decide, play
from domain.event import History, Job
from domain.match import Match
from store import db, jobs, ledger
from store.events import Events
from tests.workers.tables import (
    BOT,
    HOST,
    HUMAN,
    blocked,
    draw,
    keys,
    opened,
    say_any,
    sound,
    state,
    take_version,
    wait_for,
)
from workers import bots, work
from workers.work import work_off


def bots_turn(conn: db.Connection) -> tuple[str, str]:
    """A match in which a bot owes a word, and the key of its turn."""
    outcome = opened(conn)
    (key,) = keys(outcome)
    return outcome.match.id, key


def version(conn: db.Connection, match: str) -> int:
    return play.load(Events(conn), match).version


def work_all(conn: db.Connection, due: Sequence[str]) -> int:
    """Work everything off that follows from these, as a single worker would; how many jobs that were."""
    due, done = list(due), 0
    while due:
        due += [job.key for job in work_off(conn, due.pop(0)) if job.due is None]
        done += 1
    return done


def test_a_bot_says_its_word_and_the_turn_that_follows_is_stored_with_it(conn: db.Connection) -> None:
    match, key = bots_turn(conn)
    following = work_off(conn, key)
    assert version(conn, match) == 3
    assert [job.key for job in following] == [f"bot_turn:{match}:3"]
    assert (state(conn, key), state(conn, f"bot_turn:{match}:3")) == ("done", "due")


def test_a_match_of_four_bots_is_played_to_its_end_and_its_ledger_is_the_rebuild(conn: db.Connection) -> None:
    outcome = opened(conn, deals=2)
    assert work_all(conn, keys(outcome)) > 64
    m = sound(conn, outcome.match.id)
    assert (m.status, m.deals) == ("ended", 2)
    assert sum(
        amount for account, amount in ledger.balances(conn, m.id).items() if account != f"match:{m.id}:bank"
    ) == sum(m.totals)


def test_c13_a_job_worked_off_by_twelve_at_once_and_again_later_has_one_effect(
    pool: db.Pool, conn: db.Connection
) -> None:
    match, key = bots_turn(conn)

    def work_it_off(_: int) -> int:
        with pool.connection() as own:
            return len(work_off(own, key))

    with ThreadPoolExecutor(12) as threads:
        assert sorted(threads.map(work_it_off, range(12))) == [0] * 11 + [1]
    assert work_off(conn, key) == []
    assert version(conn, match) == 3


def test_c13_a_job_that_comes_when_the_match_has_moved_on_is_done_without_effect(conn: db.Connection) -> None:
    outcome = opened(conn, HUMAN, BOT, BOT, deals=1, declarations="none")
    while not any(job.kind == "bot_turn" for job in outcome.jobs):
        outcome = say_any(conn, outcome.match.id)
    (key,) = keys(outcome)
    play.resign(Events(conn), outcome.match.id, HOST, None)
    before = version(conn, outcome.match.id)
    assert work_off(conn, key) == []
    assert (state(conn, key), version(conn, outcome.match.id)) == ("done", before)
    (again,) = keys_due(conn, outcome.match.id)
    assert len(work_off(conn, again)) == 1, "the append that came between wrote the next job"


def keys_due(conn: db.Connection, match: str) -> list[str]:
    query = "select key from job where key like %s and state = 'due' and kind = 'bot_turn'"
    return [key for (key,) in conn.execute(query, [f"%:{match}:%"])]


def test_c11_a_job_does_not_exist_for_workers_before_its_events_are_committed(
    pool: db.Pool, conn: db.Connection
) -> None:
    with pool.connection() as own, own.transaction():
        match, key = bots_turn(own)
        assert work_off(conn, key) == []
        assert key not in jobs.take_due(conn, 1000, timedelta())
    assert len(work_off(conn, key)) == 1


def test_c15_who_has_lost_his_lease_leaves_nothing_behind(pool: db.Pool, conn: db.Connection) -> None:
    match, key = bots_turn(conn)
    with pool.connection() as other, ThreadPoolExecutor(1) as threads:
        with other.transaction(force_rollback=True):
            take_version(other, match, 3)
            late = threads.submit(in_own_connection, pool, key)
            wait_for(lambda: blocked(conn) == 1)
            conn.execute("update job set leased_until = now() - interval '1 second' where key = %s", [key])
            lease = jobs.lease(conn, key, 60)
            assert lease and lease.fence == 2
        assert late.result() == []
    assert version(conn, match) == 2
    assert state(conn, key) == "leased"
    jobs.finish(conn, lease)


def in_own_connection(pool: db.Pool, key: str) -> Sequence[Job]:
    with pool.connection() as own:
        return work_off(own, key)


def test_a_bot_that_fails_is_asked_three_times_and_then_the_clocks_word_is_said(conn: db.Connection) -> None:
    match, key = bots_turn_of_a_bot_that_is_gone(conn)
    waits = "due_at >= created_at + make_interval(secs => 2 ^ (attempts - 1))"
    for attempt in range(bots.TRIES):
        assert work_off(conn, key) == []
        row = conn.execute(f"select state, attempts, last_error, {waits} from job where key = %s", [key]).fetchone()
        assert row == ("due", attempt + 1, "KeyError('retired')", True)
        conn.execute("update job set due_at = now() where key = %s", [key])
    m = play.load(Events(conn), match)
    seat = m.to_act[0]
    word = m.game.clock(m.deal, seat)
    assert len(work_off(conn, key)) == 1
    assert Events(conn).read_all(match).events[-1].data == {"seat": seat, "move": word}
    assert state(conn, key) == "done"


def bots_turn_of_a_bot_that_is_gone(conn: db.Connection) -> tuple[str, str]:
    """A match with a bot of a name that this version does not know any more."""
    m = opened_before(conn, timedelta(0), [{"bot": "retired"}] * 4)
    return m.id, f"bot_turn:{m.id}:{m.version}"


def opened_before(conn: db.Connection, ago: timedelta, seats: list[dict[str, str]], **more: Any) -> Match:
    """A match that somebody opened, by other rules of what may be opened or longer ago."""
    given = opened(conn, *[BOT] * len(seats), declarations="none").match
    history = Events(conn).read("none yet")
    history = History((), history.now - ago)
    m = Match(f"{given.id}-old", history.now)
    decide.open_match(m, {**given.opened, "seats": seats, **more}, draw)
    play.Decision(history, m).commit(Events(conn))
    return m


def test_a_job_whose_worker_is_lost_each_time_ends_as_dead_and_is_counted(conn: db.Connection) -> None:
    match, key = bots_turn(conn)
    conn.execute("update job set attempts = %s where key = %s", [work.MOST_ATTEMPTS, key])
    assert work_off(conn, key) == []
    assert (state(conn, key), version(conn, match)) == ("dead", 2)
    assert [(count.state, count.jobs) for count in jobs.counts(conn) if count.state == "dead"] == [("dead", 1)]
    assert work_off(conn, key) == []


def test_an_unknown_kind_of_job_fails_and_is_tried_again_later(conn: db.Connection) -> None:
    jobs.add(conn, [Job("webhook:of:tomorrow")])
    assert work_off(conn, "webhook:of:tomorrow") == []
    assert state(conn, "webhook:of:tomorrow") == "due"


def test_a_tally_done_twice_posts_once_and_a_void_takes_it_all_back(conn: db.Connection) -> None:
    outcome = opened(conn, deals=1)
    work_all(conn, keys(outcome))
    match = outcome.match.id
    posted = ledger.transfers_of(conn, match)
    assert posted
    jobs.add(conn, [Job(f"tally:{match}:again")])
    assert work_off(conn, f"tally:{match}:again") == []
    assert ledger.transfers_of(conn, match) == posted
    work_all(conn, keys(play.void(Events(conn), match, HOST, None)))
    assert set(ledger.balances(conn, match).values()) == {0}
    sound(conn, match)


def test_a_match_that_did_not_fill_is_voided_when_its_time_has_come_and_not_before(conn: db.Connection) -> None:
    match = opened(conn, HUMAN, {"open": True}, {"open": True}).match.id
    assert work_off(conn, f"lapse:{match}") == []
    assert state(conn, f"lapse:{match}") == "due"
    conn.execute("update job set due_at = now() where key = %s", [f"lapse:{match}"])
    assert [job.kind for job in work_off(conn, f"lapse:{match}")] == ["tally"]
    assert play.load(Events(conn), match).status == "voided"


def test_a_match_that_has_filled_does_not_lapse(conn: db.Connection) -> None:
    match = opened(conn, HUMAN, BOT, {"open": True}).match.id
    play.sit(Events(conn), match, "guest", 2, None, draw)
    conn.execute("update job set due_at = now() where key = %s", [f"lapse:{match}"])
    assert work_off(conn, f"lapse:{match}") == []
    assert (state(conn, f"lapse:{match}"), play.load(Events(conn), match).status) == ("done", "playing")


def test_a_match_that_fills_at_the_very_moment_does_not_lapse(pool: db.Pool, conn: db.Connection) -> None:
    match = opened(conn, HUMAN, BOT, {"open": True}).match.id
    conn.execute("update job set due_at = now() where key = %s", [f"lapse:{match}"])
    with pool.connection() as other, ThreadPoolExecutor(1) as threads:
        with other.transaction():
            play.sit(Events(other), match, "guest", 2, None, draw)
            lapse = threads.submit(in_own_connection, pool, f"lapse:{match}")
            wait_for(lambda: blocked(conn) == 1)
        assert lapse.result() == []
    assert (state(conn, f"lapse:{match}"), play.load(Events(conn), match).status) == ("done", "playing")


def test_a_clock_that_has_run_out_speaks_for_the_seat_once(conn: db.Connection) -> None:
    m = opened_before(conn, timedelta(hours=1), [HUMAN] * 3, clock={"turn_seconds": 60, "bank_seconds": 0})
    key = f"clock:{m.id}:{m.version}"
    assert [job.kind for job in work_off(conn, key)] == ["clock"]
    events = Events(conn).read_all(m.id).events
    assert [event.type for event in events] == ["opened", "dealt", "expired", "moved"]
    assert work_off(conn, key) == []
    assert state(conn, key) == "done"
