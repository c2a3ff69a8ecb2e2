"""The first answer to an Idempotency-Key, kept in the transaction of what it answers and given again to twins.

Read beside it: schema/0006_answers.sql. A request with a key holds one transaction open from `claim` to `answer`; a
twin waits on the unique index until that ends. Failures roll back, so that only successes are kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import LiteralString, NamedTuple

from psycopg.errors import LockNotAvailable
from psycopg.pq import TransactionStatus

from store.db import Connection


class KeyReusedError(Exception):
    """The key came before with another body."""


class StillRunningError(Exception):
    """A twin has been at work for as long as we wait for locks. The transaction that asked is lost."""


class Claim(NamedTuple):
    """The right to be the one request of its key that executes."""

    request: bytes


class Replay(NamedTuple):
    """The first answer. `body` is None where it showed a secret; `result_id` then says what was made."""

    status: int
    headers: dict[str, str]
    body: str | None
    result_id: str | None


ANSWER: LiteralString = """
update answer set status = %s, headers = %s, body = %s, result_id = %s where request = %s
"""


def claim(conn: Connection, *, player: str, method: str, path: str, key: str, body_hash: bytes) -> Claim | Replay:
    """Claim a key inside a transaction, or get the answer that it has. Raises KeyReusedError, StillRunningError."""
    assert conn.info.transaction_status == TransactionStatus.INTRANS, "a claim lives in a transaction"
    request = sha256(json.dumps([player, method, path, key]).encode()).digest()
    while not _claimed(conn, request, body_hash):
        query = "select body_hash, status, headers, body, result_id from answer where request = %s"
        row = conn.execute(query, [request]).fetchone()
        if row and row[0] != body_hash:
            raise KeyReusedError(f"{key} came before with another body")
        if row:
            return Replay(*row[1:])
        # It was pruned between the two statements: the key is free again.
    return Claim(request)


def answer(
    conn: Connection,
    claim: Claim,
    status: int,
    headers: Mapping[str, str],
    body: str | None,
    result_id: str | None = None,
) -> None:
    """Keep the answer that the claim led to, in its transaction. A body that shows a secret is left out."""
    conn.execute(ANSWER, [status, json.dumps(dict(headers)), body, result_id, claim.request], prepare=True)


def prune(conn: Connection, older_than: timedelta = timedelta(hours=24)) -> int:
    """Forget answers of that age; how many."""
    return conn.execute("delete from answer where created_at < now() - %s", [older_than]).rowcount


def _claimed(conn: Connection, request: bytes, body_hash: bytes) -> bool:
    query = "insert into answer (request, body_hash) values (%s, %s) on conflict (request) do nothing returning true"
    try:
        return conn.execute(query, [request, body_hash], prepare=True).fetchone() is not None
    except LockNotAvailable as waited:
        raise StillRunningError("the first request with this key is still running") from waited
