"""Follow-ups as rows: leased by a worker, finished in the transaction of what they did, published again when late.

Read beside it: schema/0003_jobs.sql, events.py (writes jobs with the events that cause them). All times are Postgres's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import LiteralString, NamedTuple

from domain.event import Job
from store.db import Connection


class LostLeaseError(Exception):
    """The lease ran out and the job went to somebody else, or is done: nothing this worker did may stay."""

    def __init__(self, lease: Lease) -> None:
        super().__init__(f"lease {lease.fence} of {lease.key} is no longer the job's")


class Lease(NamedTuple):
    """A worker's hold on a job. `attempts` counts this one: a job whose worker dies each time never calls `fail`."""

    key: str
    kind: str
    fence: int
    attempts: int


class Count(NamedTuple):
    """Jobs of one kind in one state; `late_seconds` is how long the first of them has been due, 0 if none is."""

    kind: str
    state: str
    jobs: int
    late_seconds: float


# The same columns and rules as in events.py: what is due at once is published by who wrote it, as soon as it commits.
ADD: LiteralString = """
insert into job (key, kind, due_at, published_at)
select key, kind, coalesce(due, now()), case when due is null then now() end
from json_to_recordset(%s::json) as job (key text, kind text, due timestamptz)
on conflict (key) do nothing
"""

# Not waited for on disk: a crash that undoes a lease has broken off the connection that the work would be done on.
LEASE: LiteralString = """
update job set state = 'leased', fence = fence + 1, attempts = attempts + 1,
    leased_until = now() + make_interval(secs => %(seconds)s)
from (select set_config('synchronous_commit', 'off', true)) as unhurried
where key = (
    select key from job
    where key = %(key)s and due_at <= now() and (state = 'due' or state = 'leased' and leased_until < now())
    for update skip locked
)
returning key, kind, fence, attempts
"""

FINISH: LiteralString = """
update job set state = 'done', leased_until = null where key = %s and fence = %s and state = 'leased' returning key
"""

FAIL: LiteralString = """
update job set state = case when attempts >= %(most)s then 'dead' else 'due' end, last_error = %(error)s,
    leased_until = null, published_at = null, due_at = now() + make_interval(secs => %(seconds)s)
where key = %(key)s and fence = %(fence)s and state = 'leased'
returning state
"""

TAKE_DUE: LiteralString = """
with late as materialized (
    select key from job
    where state <> 'done' and due_at <= now() and (state = 'due' or state = 'leased' and leased_until < now())
        and (published_at is null or published_at < now() - %(republish_after)s)
    order by due_at limit %(limit)s
    for update skip locked
)
update job set published_at = now() from late where job.key = late.key returning job.key
"""

DUE: LiteralString = """
select key from job
where state <> 'done' and kind = %(kind)s and due_at <= now() and (state = 'due' or leased_until < now())
order by due_at limit %(limit)s
"""

COUNTS: LiteralString = """
select kind, state, count(*), greatest(extract(epoch from now() - min(due_at)), 0)::float8
from job where state <> 'done' group by kind, state order by kind, state
"""


def add(conn: Connection, jobs: Sequence[Job]) -> None:
    """Write jobs whose cause is no event; those whose key exists already are left as they are."""
    rows = [{"key": job.key, "kind": job.kind, "due": job.due.isoformat() if job.due else None} for job in jobs]
    conn.execute(ADD, [json.dumps(rows)])


def lease(conn: Connection, key: str, seconds: float) -> Lease | None:
    """Take the job on for so long; None when it is not due, done, dead, unknown, or in somebody's hands."""
    row = conn.execute(LEASE, {"key": key, "seconds": seconds}).fetchone()
    return Lease(*row) if row else None


def finish(conn: Connection, lease: Lease) -> None:
    """The job is done. Said in the transaction that appends: a late worker's events are undone by LostLeaseError."""
    if not conn.execute(FINISH, [lease.key, lease.fence]).fetchone():
        raise LostLeaseError(lease)


def fail(conn: Connection, lease: Lease, error: str, retry_in_seconds: float, most_attempts: int) -> str:
    """Give the job back to be tried later, or for good; answers its state, due or dead. Raises LostLeaseError."""
    values = {**lease._asdict(), "error": error, "seconds": retry_in_seconds, "most": most_attempts}
    row = conn.execute(FAIL, values).fetchone()
    if not row:
        raise LostLeaseError(lease)
    return str(row[0])


def take_due(conn: Connection, limit: int, republish_after: timedelta) -> list[str]:
    """Keys to publish: due, in nobody's hands, and not published within `republish_after`; many sweepers may ask."""
    return [key for (key,) in conn.execute(TAKE_DUE, {"limit": limit, "republish_after": republish_after})]


def due(conn: Connection, kind: str, limit: int) -> list[str]:
    """Keys of one kind that are due and in nobody's hands, for whoever looks for them himself."""
    return [key for (key,) in conn.execute(DUE, {"kind": kind, "limit": limit}, prepare=True)]


def counts(conn: Connection) -> list[Count]:
    """What is not done, by kind and state."""
    return [Count(*row) for row in conn.execute(COUNTS)]


def awaited(conn: Connection, prefix: str) -> list[str]:
    """Keys with this beginning of jobs that will still be done: neither done nor dead."""
    query = "select key from job where state in ('due', 'leased') and starts_with(key, %s)"
    return [key for (key,) in conn.execute(query, [prefix])]


def prune(conn: Connection, older_than: timedelta) -> int:
    """Forget done jobs written so long ago; answers how many."""
    query = "delete from job where state = 'done' and created_at < now() - %s"
    return conn.execute(query, [older_than]).rowcount
