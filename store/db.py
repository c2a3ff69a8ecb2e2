"""The pool of connections, and the one place where a database that does not answer becomes UnavailableError.

Read beside it: migrate.py (makes schema and role), embedded.py (a Postgres of our own). Every function of store/ takes
a connection first, which is in autocommit; inside `with conn.transaction()` they all belong to that transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from fcntl import ioctl
from pathlib import Path
from termios import FIONREAD
from typing import Any, LiteralString, NamedTuple, TypeAlias

import psycopg
from psycopg.abc import RV, PQGen
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool
from psycopg_pool.base import AttemptWithBackoff

Connection: TypeAlias = psycopg.Connection[Any]

SCHEMA = sorted((Path(__file__).parent / "schema").glob("*.sql"))
ROLE: LiteralString = "tapete_app"  # may not change what is append-only
WAIT_SECONDS = 3.0
ANSWER_SECONDS = 20.0  # for one statement; more than its wait for a lock
LOOK_SECONDS = 2.0  # the same for whoever only wants to know whether the server answers
RETRY_SECONDS = 2

# Those who wait are served at once when Postgres is back; as the pool comes, it knocks after 1 s and then after 3.
AttemptWithBackoff.INITIAL_DELAY, AttemptWithBackoff.DELAY_BACKOFF = 0.1, 1.0

# A transaction that a frozen process left open is ended before those who wait for its rows give up. A plan is made
# once, not at each of a thousand moves a second; so it must not be one that suits tables only while they are small.
SESSION: LiteralString = f"""
set role {ROLE};
set idle_in_transaction_session_timeout = '5s';
set lock_timeout = '10s';
set plan_cache_mode = force_generic_plan;
set enable_seqscan = off;
set jit = off
"""


class UnavailableError(Exception):
    """The database did not answer, or broke off. Whether a commit then under way took place is unknown."""

    retry_after_seconds = RETRY_SECONDS


class Patient(psycopg.Connection[Any]):
    """It waits for an answer so long and no longer: a server that is frozen sends none, and breaks nothing off."""

    patience_seconds = ANSWER_SECONDS

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        """What the server answers. Raises psycopg.OperationalError; the connection is then closed."""
        try:
            return super().wait(gen, interval, self.patience_seconds if timeout is None else timeout)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:  # nobody knows when its answer will come
                self.pgconn.finish()
            raise


Pool: TypeAlias = ConnectionPool[Patient]


class Place(NamedTuple):
    """Where a row stands in a list; lists go from the newest to the oldest, and equal times by id."""

    created_at: datetime
    id: str


def pool(url: str, *, size: int) -> Pool:
    """An open pool of at most `size` connections, each as the application's role; it outlives a restart of Postgres."""
    return ConnectionPool(
        url,
        connection_class=Patient,
        kwargs={"autocommit": True, "connect_timeout": 3, "tcp_user_timeout": 10_000},
        min_size=1,
        max_size=size,
        open=True,
        configure=_configure,
        timeout=WAIT_SECONDS,
        reconnect_timeout=WAIT_SECONDS,  # then the next request tries again, however long the database was away
    )


@contextmanager
def connection(pool: Pool, patience_seconds: float = ANSWER_SECONDS) -> Iterator[Connection]:
    """A connection for one piece of work. Raises UnavailableError for whatever is the database's fault."""
    try:
        conn = _live(pool)
        conn.patience_seconds = patience_seconds
        try:
            yield conn
        finally:
            pool.putconn(conn)
    except (psycopg.OperationalError, psycopg.errors.IdleInTransactionSessionTimeout) as fault:
        raise UnavailableError(str(fault)) from fault


def planned_anew(conn: Connection) -> psycopg.ClientCursor[Any]:
    """A cursor for queries whose best plan depends on the values asked for: they are planned each time."""
    return psycopg.ClientCursor(conn)


def long_thought(conn: Connection) -> None:
    """Inside a transaction that holds nobody's rows yet: it is not ended while what it will write is worked out."""
    conn.execute("set local idle_in_transaction_session_timeout = '60s'")


def is_migrated(conn: Connection) -> bool:
    """Whether the database has this code's schema, or a newer one."""
    try:
        row = conn.execute("select version_num from alembic_version").fetchone()
    except psycopg.errors.UndefinedTable:
        return False
    return row is not None and row[0] >= number(SCHEMA[-1])


def number(file: Path) -> str:
    """What counts a schema file: 0001."""
    return file.name.split("_", 1)[0]


def _configure(conn: Connection) -> None:
    conn.execute(SESSION)


def _live(pool: Pool) -> Patient:
    """Not by the pool's own `check`, which sleeps between one dead connection and the next."""
    while not _lives(conn := pool.getconn()):
        conn.close()
        pool.putconn(conn)
    return conn


def _lives(conn: Connection) -> bool:
    """Two looks that wait for nothing: for a server's farewell, which is mostly the end, so ask; and for a cut line."""
    with suppress(psycopg.OperationalError):
        if any(ioctl(conn.fileno(), FIONREAD, bytes(4))):
            conn.execute("")
        else:
            conn.pgconn.consume_input()
        return True
    return False
