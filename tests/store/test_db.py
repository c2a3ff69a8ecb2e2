"""The pool, while Postgres is there, while it is not, and when it comes back. Beside it: store/db.py."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from threading import Event as Flag

import psycopg
import pytest

from domain.event import Event, StaleVersionError
from store import db, embedded
from store.db import Connection, Pool, UnavailableError, connection
from store.events import Events, chain_faults
from store.migrate import migrate
from tests.store.frozen import frozen


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[embedded.Postgres]:
    """A Postgres of one test's own, to be killed."""
    with embedded.postgres(tmp_path_factory.mktemp("killed")) as server:
        migrate(server.url)
        with psycopg.connect(server.url, autocommit=True) as conn:
            conn.execute("checkpoint")  # or each start after a kill would do the whole migration over
        yield server


def test_every_connection_works_as_the_applications_role(conn: Connection) -> None:
    ((role, login),) = conn.execute("select current_user, session_user")
    assert role == "tapete_app" != login


def test_a_pool_that_is_used_up_is_unavailable_after_three_seconds(database_url: str) -> None:
    with db.pool(database_url, size=1) as pool, connection(pool):
        start = time.monotonic()
        with pytest.raises(UnavailableError), connection(pool):
            pass
        assert 2.5 < time.monotonic() - start < 5


def test_a_database_that_is_not_there_is_unavailable() -> None:
    with db.pool("postgresql://127.0.0.1:1/nowhere", size=1) as pool:
        with pytest.raises(UnavailableError), connection(pool):
            pass
        assert UnavailableError.retry_after_seconds > 0


def test_connections_that_were_ended_while_idle_are_replaced_unnoticed(pool: Pool, owner: Connection) -> None:
    def work(_: int) -> int:
        with connection(pool) as conn:
            conn.execute("select pg_sleep(0.05)")
            return conn.info.backend_pid

    with ThreadPoolExecutor(8) as threads:
        before = set(threads.map(work, range(8)))
        for pid in before:
            owner.execute("select pg_terminate_backend(%s, 5000)", [pid])
        start = time.monotonic()
        assert work(0) not in before
        assert time.monotonic() - start < 1  # the first to ask need not pay for them all
        assert not before & set(threads.map(work, range(8)))


def test_an_error_of_the_work_itself_passes_and_the_connection_goes_on(pool: Pool) -> None:
    with pytest.raises(ZeroDivisionError), connection(pool) as conn, conn.transaction():
        conn.execute("insert into account (id) values ('half done')")
        raise ZeroDivisionError
    with connection(pool) as conn:
        assert conn.execute("select from account where id = 'half done'").fetchone() is None


def test_a_transaction_of_a_frozen_process_is_ended_and_frees_those_who_wait(pool: Pool) -> None:
    with pytest.raises(UnavailableError), connection(pool) as frozen:
        ((seconds,),) = frozen.execute("show idle_in_transaction_session_timeout")
        assert seconds == "5s"
        frozen.execute("set idle_in_transaction_session_timeout = '300ms'")
        with frozen.transaction(), connection(pool) as conn:
            Events(frozen).append("frozen", Events(frozen).read("frozen"), [Event("opened", {})], [], None)
            stored = Events(conn).append("frozen", Events(conn).read("frozen"), [Event("opened", {})], [], None)
            assert [event.version for event in stored] == [1]


def test_after_kill_9_every_acknowledged_event_is_there_once_and_the_pool_recovers(server: embedded.Postgres) -> None:
    # C17
    ended, refused, acknowledged = Flag(), Flag(), dict[str, list[str]]()

    def write(stream: str) -> None:
        done, number = acknowledged.setdefault(stream, []), 0
        while not ended.is_set():
            number += 1
            try:
                with connection(pool) as conn:
                    events = Events(conn)
                    events.append(stream, events.read(stream), [Event("moved", {"move": str(number)})], [], None)
                done.append(str(number))
            except UnavailableError:
                refused.set()

    with db.pool(server.url, size=6) as pool, ThreadPoolExecutor(8) as threads:
        writers = [threads.submit(write, f"m{number}") for number in range(8)]
        wait_for(acknowledged, 20)
        server.process.kill()
        server.process.wait()
        assert refused.wait(5)
        server.start()
        back = time.monotonic()
        wait_for(acknowledged, 20)
        assert time.monotonic() - back < 10
        ended.set()
        for writer in writers:
            writer.result()
        with connection(pool) as conn:
            for stream, moves in acknowledged.items():
                stored = [event.data["move"] for event in Events(conn).read_all(stream).events]
                assert [move for move in stored if move in set(moves)] == moves
                assert len(stored) == len(set(stored)) <= len(moves) + 1  # committed, but the answer was lost
                assert chain_faults(conn, stream) == []


def wait_for(acknowledged: dict[str, list[str]], more: int) -> None:
    """Until every writer has so many more acknowledged."""
    goals = {stream: len(moves) + more for stream, moves in dict(acknowledged).items()}
    deadline = time.monotonic() + 30
    while len(acknowledged) < 8 or any(len(acknowledged[stream]) < goal for stream, goal in goals.items()):
        assert time.monotonic() < deadline, acknowledged
        time.sleep(0.01)


def test_a_server_that_is_frozen_is_unavailable_and_used_again_when_it_goes_on(server: embedded.Postgres) -> None:
    with db.pool(server.url, size=2) as pool:
        pool.wait()
        with frozen(server):
            for transaction in (False, True):
                start = time.monotonic()
                with (
                    pytest.raises(UnavailableError),
                    connection(pool, 0.5) as conn,
                    conn.transaction() if transaction else nullcontext(),
                ):
                    conn.execute("select 1")
                assert time.monotonic() - start < db.WAIT_SECONDS + 2
        with connection(pool) as conn:
            assert conn.execute("select 1").fetchone() == (1,)
            with pytest.raises(psycopg.errors.LockNotAvailable):  # which leaves the connection as it was
                conn.execute("do $$ begin raise lock_not_available; end $$")
            assert conn.execute("select 2").fetchone() == (2,)


def test_who_waits_is_served_as_soon_as_postgres_is_back(server: embedded.Postgres) -> None:
    with db.pool(server.url, size=2) as pool, ThreadPoolExecutor() as threads:
        server.process.kill()
        server.process.wait()

        def wait() -> float:
            with connection(pool) as conn:
                conn.execute("select")
            return time.monotonic()

        waiting = threads.submit(wait)
        time.sleep(1.2)  # between the second look of a pool that looks ever more seldom, and its third
        server.start()
        back = time.monotonic()
        assert waiting.result() - back < 0.8


def test_a_race_lost_is_no_fault_of_the_database(pool: Pool) -> None:
    with connection(pool) as conn:
        events = Events(conn)
        old = events.read("race")
        events.append("race", old, [Event("opened", {})], [], None)
    with pytest.raises(StaleVersionError), connection(pool) as conn:
        Events(conn).append("race", old, [Event("opened", {})], [], None)


def test_a_transaction_that_could_not_commit_is_unavailable_and_leaves_nothing(pool: Pool, owner: Connection) -> None:
    with pytest.raises(UnavailableError), connection(pool) as conn, conn.transaction():
        events = Events(conn)
        events.append("lost", events.read("lost"), [Event("opened", {})], [], None)
        owner.execute("select pg_terminate_backend(%s, 5000)", [conn.info.backend_pid])
    with connection(pool) as conn:
        assert Events(conn).read("lost").version == 0
