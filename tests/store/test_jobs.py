"""Jobs: leased, finished once, given back, published again. Beside it: store/jobs.py."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest

from domain.event import Event, Job
from store import jobs
from store.db import Connection, Pool, connection
from store.events import Events
from store.jobs import Count, Lease, LostLeaseError

AT_ONCE = timedelta(0)
LATER = timedelta(minutes=1)


@pytest.fixture
def database_url(database: str) -> str:
    """A database for each test: a sweeper sees every job there is."""
    return database


def pass_time(owner: Connection, seconds: int) -> None:
    """Let the jobs believe that so much time has passed."""
    step = timedelta(seconds=seconds)
    owner.execute(
        """
        update job set due_at = due_at - %(step)s, leased_until = leased_until - %(step)s,
            published_at = published_at - %(step)s, created_at = created_at - %(step)s
        """,
        {"step": step},
    )


def leased(conn: Connection, key: str, seconds: float = 30) -> Lease:
    lease = jobs.lease(conn, key, seconds)
    assert lease is not None
    return lease


def test_a_job_is_leased_worked_and_finished(conn: Connection) -> None:
    jobs.add(conn, [Job("tally:m:4")])
    lease = leased(conn, "tally:m:4")
    assert lease == Lease("tally:m:4", "tally", fence=1, attempts=1)
    jobs.finish(conn, lease)
    assert jobs.lease(conn, "tally:m:4", 30) is None
    assert jobs.counts(conn) == []


def test_nobody_leases_what_is_held_or_unknown_or_not_yet_due(conn: Connection, owner: Connection) -> None:
    ((now,),) = conn.execute("select now()")
    jobs.add(conn, [Job("tally:m:4"), Job("clock:m:5", now + timedelta(seconds=40))])
    leased(conn, "tally:m:4", seconds=100)
    assert [jobs.lease(conn, key, 30) for key in ("tally:m:4", "tally:m:9", "clock:m:5")] == [None, None, None]
    pass_time(owner, 50)
    assert leased(conn, "clock:m:5").fence == 1 and jobs.lease(conn, "tally:m:4", 30) is None


def test_a_key_makes_one_job_for_ever(conn: Connection) -> None:
    jobs.add(conn, [Job("tally:m:4"), Job("tally:m:4")])
    jobs.finish(conn, leased(conn, "tally:m:4"))
    jobs.add(conn, [Job("tally:m:4")])
    assert jobs.lease(conn, "tally:m:4", 30) is None


def test_of_12_workers_who_get_the_same_message_one_works(pool: Pool, conn: Connection) -> None:
    # C13
    jobs.add(conn, [Job("bot_turn:m:1")])
    barrier = Barrier(12)

    def work(_: int) -> Lease | None:
        with connection(pool) as own:
            barrier.wait()
            return jobs.lease(own, "bot_turn:m:1", 30)

    with ThreadPoolExecutor(12) as threads:
        leases = list(threads.map(work, range(12)))
    assert [lease for lease in leases if lease] == [Lease("bot_turn:m:1", "bot_turn", 1, 1)]


def test_the_result_of_a_worker_frozen_past_his_lease_is_refused(conn: Connection, owner: Connection) -> None:
    # C15
    events = Events(conn)
    start = events.append("m", events.read("m"), [Event("opened", {})], [Job("bot_turn:m:1")], None)
    frozen, seen = leased(conn, "bot_turn:m:1"), events.read("m")
    pass_time(owner, 31)
    other = leased(conn, "bot_turn:m:1")
    assert (other.fence, other.attempts) == (2, 2)
    with pytest.raises(LostLeaseError), conn.transaction():
        events.append("m", seen, [Event("moved", {"move": "JS"})], [Job("bot_turn:m:2")], None)
        jobs.finish(conn, frozen)
    assert list(events.read("m").events) == list(start)
    with conn.transaction():
        events.append("m", seen, [Event("moved", {"move": "7H"})], [], None)
        jobs.finish(conn, other)
    assert [event.data for event in events.read_all("m").events] == [{}, {"move": "7H"}]
    for refused in (lambda: jobs.finish(conn, other), lambda: jobs.fail(conn, frozen, "?", 0, 9)):
        with pytest.raises(LostLeaseError):
            refused()


def test_a_worker_late_but_not_replaced_may_finish(conn: Connection, owner: Connection) -> None:
    jobs.add(conn, [Job("tally:m:4")])
    lease = leased(conn, "tally:m:4")
    pass_time(owner, 31)
    jobs.finish(conn, lease)
    assert jobs.counts(conn) == []


def test_a_job_that_fails_is_tried_later_and_in_the_end_is_dead(conn: Connection, owner: Connection) -> None:
    jobs.add(conn, [Job("webhook:m:4")])
    for attempt, state in ((1, "due"), (2, "due"), (3, "dead")):
        lease = leased(conn, "webhook:m:4")
        assert lease.attempts == attempt
        assert jobs.fail(conn, lease, f"no answer {attempt}", retry_in_seconds=10, most_attempts=3) == state
        assert jobs.take_due(conn, 10, AT_ONCE) == []
        pass_time(owner, 11)
        assert jobs.take_due(conn, 10, AT_ONCE) == (["webhook:m:4"] if state == "due" else [])
    assert jobs.lease(conn, "webhook:m:4", 30) is None
    ((error,),) = conn.execute("select last_error from job")
    assert error == "no answer 3"


def test_the_sweeper_takes_what_is_late_and_nothing_twice_at_once(conn: Connection, owner: Connection) -> None:
    ((now,),) = conn.execute("select now()")
    late = now - timedelta(seconds=1)
    jobs.add(conn, [Job("a:fresh"), Job("b:late", late), Job("c:soon", now + LATER), Job("d:held", late)])
    leased(conn, "d:held", seconds=40)
    assert jobs.take_due(conn, 10, LATER) == ["b:late"]  # who wrote a:fresh publishes it himself
    assert jobs.take_due(conn, 10, LATER) == []
    pass_time(owner, 59)
    assert jobs.take_due(conn, 10, LATER) == ["d:held"]
    pass_time(owner, 2)
    assert sorted(jobs.take_due(conn, 10, LATER)) == ["a:fresh", "b:late", "c:soon"]


def test_sweepers_at_the_same_time_share_what_is_due(pool: Pool, conn: Connection) -> None:
    ((now,),) = conn.execute("select now()")
    keys = [f"clock:m:{number}" for number in range(200)]
    jobs.add(conn, [Job(key, now - LATER) for key in keys])
    barrier = Barrier(8)

    def sweep(_: int) -> list[str]:
        with connection(pool) as own:
            barrier.wait()
            return [key for _ in range(10) for key in jobs.take_due(own, 10, LATER)]

    with ThreadPoolExecutor(8) as threads:
        taken = [key for part in threads.map(sweep, range(8)) for key in part]
    assert sorted(taken) == sorted(keys)


def test_a_limit_is_a_limit_and_the_oldest_go_first(conn: Connection) -> None:
    ((now,),) = conn.execute("select now()")
    jobs.add(conn, [Job(f"clock:m:{number}", now - timedelta(minutes=number)) for number in range(50)])
    assert sorted(jobs.take_due(conn, 2, LATER)) == ["clock:m:48", "clock:m:49"]


def test_what_is_not_done_is_counted_by_kind_and_state(conn: Connection, owner: Connection) -> None:
    ((now,),) = conn.execute("select now()")
    jobs.add(conn, [Job("a:1"), Job("a:2"), Job("b:1"), Job("c:1", now + LATER), Job("d:1")])
    jobs.finish(conn, leased(conn, "d:1"))
    jobs.fail(conn, leased(conn, "b:1"), "no", retry_in_seconds=0, most_attempts=1)
    pass_time(owner, 30)
    counts = jobs.counts(conn)
    assert [count[:3] for count in counts] == [("a", "due", 2), ("b", "dead", 1), ("c", "due", 1)]
    assert [30 <= count.late_seconds < 40 for count in counts] == [True, True, False]
    assert counts[2] == Count("c", "due", 1, 0)


def test_done_jobs_are_forgotten_in_time_and_no_others(conn: Connection, owner: Connection) -> None:
    jobs.add(conn, [Job("a:done"), Job("a:due")])
    jobs.finish(conn, leased(conn, "a:done"))
    pass_time(owner, 100)
    jobs.add(conn, [Job("a:new")])
    jobs.finish(conn, leased(conn, "a:new"))
    assert jobs.prune(conn, timedelta(seconds=90)) == 1
    assert sorted(key for (key,) in conn.execute("select key from job")) == ["a:due", "a:new"]


def test_the_sweeper_reads_no_done_jobs(conn: Connection, owner: Connection) -> None:
    owner.execute(
        """
        insert into job (key, kind, state, due_at)
        select 'a:' || number, 'a', 'done', now() from generate_series(1, 5000) as number
        """
    )
    owner.execute("analyze job")
    query = jobs.TAKE_DUE.replace("%(republish_after)s", "interval '1 minute'").replace("%(limit)s", "10")
    plan = "\n".join(line for (line,) in owner.execute(f"explain {query}".encode()))
    assert "job_not_done" in plan and "Seq Scan" not in plan, plan
