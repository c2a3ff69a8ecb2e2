"""Idempotency keys: one of the twins executes, the others get its answer. Beside it: store/idempotency.py."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from threading import Barrier

import pytest

from domain.event import Event
from store import idempotency
from store.db import Connection, Pool, UnavailableError, connection
from store.events import Events
from store.idempotency import Claim, KeyReusedError, Replay, StillRunningError

numbers = count(1)


@pytest.fixture
def key() -> str:
    """A key that no other test has."""
    return f"k{next(numbers)}"


def claim(conn: Connection, key: str, body: bytes = b"body", path: str = "/v1/matches") -> Claim | Replay:
    return idempotency.claim(conn, player="p1", method="POST", path=path, key=key, body_hash=body)


def request(conn: Connection, key: str, body: bytes = b"body") -> tuple[str, Replay | None]:
    """One that opens a match named by the key; says whether it executed, and what it was given again."""
    with conn.transaction():
        first = claim(conn, key, body)
        if isinstance(first, Replay):
            return "replayed", first
        events = Events(conn)
        events.append(key, events.read(key), [Event("opened", {})], [], None)
        idempotency.answer(conn, first, 201, {"ETag": '"1"'}, '{"id": "ñ"}')
    return "executed", None


def test_the_first_answer_is_given_again(conn: Connection, key: str) -> None:
    # C6
    assert request(conn, key) == ("executed", None)
    assert request(conn, key) == ("replayed", Replay(201, {"ETag": '"1"'}, '{"id": "ñ"}', None))
    assert Events(conn).read(key).version == 1


def test_of_twelve_twins_one_executes_and_the_others_get_its_answer(pool: Pool, conn: Connection, key: str) -> None:
    # C8
    barrier = Barrier(12)

    def twin(_: int) -> tuple[str, Replay | None]:
        with connection(pool) as own:
            barrier.wait()
            return request(own, key)

    with ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(twin, range(12)))
    assert sorted(what for what, _ in answers) == ["executed"] + ["replayed"] * 11
    given = [answer for what, answer in answers if what == "replayed"]
    assert given == [Replay(201, {"ETag": '"1"'}, '{"id": "ñ"}', None)] * 11
    assert Events(conn).read(key).version == 1


def test_the_same_key_with_another_body_is_refused(conn: Connection, key: str) -> None:
    request(conn, key)
    with pytest.raises(KeyReusedError):
        request(conn, key, b"another body")


@pytest.mark.parametrize("path", ["/v1/matches/" + "x" * 9000, "/v1/me/tokens"])
def test_a_key_counts_for_one_path_however_long(conn: Connection, key: str, path: str) -> None:
    request(conn, key)
    with conn.transaction():
        assert isinstance(claim(conn, key, path=path), Claim)


def test_another_players_key_is_another_key(conn: Connection, key: str) -> None:
    request(conn, key)
    with conn.transaction():
        found = idempotency.claim(conn, player="p2", method="POST", path="/v1/matches", key=key, body_hash=b"body")
    assert isinstance(found, Claim)


def test_a_failure_keeps_nothing_and_lets_a_waiting_twin_execute(pool: Pool, conn: Connection, key: str) -> None:
    with ThreadPoolExecutor(1) as threads, connection(pool) as other:
        with pytest.raises(ZeroDivisionError), conn.transaction():
            claim(conn, key)
            twin = threads.submit(request, other, key)
            with pytest.raises(TimeoutError):
                twin.result(timeout=0.2)
            raise ZeroDivisionError
        assert twin.result() == ("executed", None)


def test_the_key_of_a_request_whose_connection_died_is_free(
    pool: Pool, conn: Connection, owner: Connection, key: str
) -> None:
    with pytest.raises(UnavailableError), connection(pool) as doomed, doomed.transaction():
        claim(doomed, key)
        owner.execute("select pg_terminate_backend(%s)", [doomed.info.backend_pid])
        doomed.execute("select 1")
    assert request(conn, key) == ("executed", None)


def test_a_twin_that_takes_too_long_is_said_to_be_running(pool: Pool, conn: Connection, key: str) -> None:
    with conn.transaction():
        claim(conn, key)
        with connection(pool) as other:
            other.execute("set lock_timeout = '100ms'")  # 10 s in earnest
            with pytest.raises(StillRunningError), other.transaction():
                claim(other, key)
            other.execute("reset lock_timeout")


def test_an_answer_that_showed_a_secret_is_kept_as_its_id(conn: Connection, key: str) -> None:
    with conn.transaction():
        first = claim(conn, key)
        assert isinstance(first, Claim)
        idempotency.answer(conn, first, 201, {}, None, "token 7")
    with conn.transaction():
        assert claim(conn, key) == Replay(201, {}, None, "token 7")


def test_a_claim_outside_a_transaction_is_our_own_fault(conn: Connection, key: str) -> None:
    with pytest.raises(AssertionError):
        claim(conn, key)


def test_answers_are_forgotten_after_a_day(conn: Connection, owner: Connection) -> None:
    request(conn, "old")
    owner.execute("update answer set created_at = created_at - interval '25 hours'")
    request(conn, "new")
    assert idempotency.prune(conn) >= 1
    assert request(conn, "new")[0] == "replayed"
    with conn.transaction():
        assert isinstance(claim(conn, "old"), Claim)
    assert idempotency.prune(conn, timedelta(hours=24)) == 0
