"""Messages to webhooks: made in the transaction of a `notify` job, taken by a sender, recorded attempt by attempt.

A hook is taken with the first of its messages that is due; nobody else has it until that is recorded or the lease has
run out. Whoever writes to both tables locks the hook first. Read beside it: schema/0010_webhooks.sql, webhooks.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, LiteralString, NamedTuple

from domain.encoding import ENCODE
from store.db import Connection, Place

MOST_PENDING = 1000  # of one hook
MOST_TAKEN = 2  # hooks of one player at a time, so that nobody keeps all senders busy


class Message(NamedTuple):
    """A message to be stored. `source` names what it tells of: one hook is told once."""

    id: str
    webhook: str
    source: str
    type: str
    body: str


class Delivery(NamedTuple):
    """A message as its owner may see it. Each attempt is {"number", "at", "status", "milliseconds", "error"}."""

    id: str
    type: str
    state: str  # pending | delivered | failed
    created_at: datetime
    next_at: datetime | None  # when it is tried again
    body: str
    attempts: list[dict[str, Any]]


class Taken(NamedTuple):
    """A message in the hands of a sender, until his lease runs out. `attempts` and `failures` are those before."""

    webhook: str
    fence: int
    url: str
    secret: bytes
    failures: int  # of the hook, in a row
    failing_since: datetime | None
    delivery: str
    body: str
    attempts: int
    now: datetime


class Verdict(NamedTuple):
    """What an attempt comes to. Without `error` it was delivered. `retry_in` None: never; `disable`: why, if so."""

    status: int | None
    milliseconds: int
    error: str | None
    retry_in: float | None = None  # seconds
    rest: float = 0.0  # seconds for which the hook is left alone
    disable: str | None = None


ADD: LiteralString = """
with new as (
    select *, row_number() over (partition by webhook order by place) as number
    from rows from (
        json_to_recordset(%(rows)s::json) as (id text, webhook text, source text, type text, body text)
    ) with ordinality as row (id, webhook, source, type, body, place)
), hook as (
    select id, %(most)s - (select count(*) from delivery where webhook = webhook.id and state = 'pending') as room
    from webhook where id in (select webhook from new) and disabled_at is null
    order by id for update
), added as (
    insert into delivery (id, webhook, source, type, body)
    select new.id, webhook, source, type, body from new join hook on hook.id = webhook where number <= room
    order by place
    on conflict (webhook, source) do nothing
)
update webhook set
    dropped = dropped + (select count(*) from new where webhook = webhook.id and number > room),
    next_at = case when taken_until > now() then next_at
        else least(coalesce(next_at, 'infinity'), greatest(rests_until, now())) end
from hook where webhook.id = hook.id
"""

TAKE: LiteralString = """
with ready as materialized (
    select id from webhook
    where next_at <= now() and (
        select count(*) from webhook as other where other.player = webhook.player and other.taken_until > now()
    ) < %(most)s
    order by next_at limit 1
    for update skip locked
), taken as (
    update webhook set fence = fence + 1, taken_until = now() + make_interval(secs => %(seconds)s),
        next_at = now() + make_interval(secs => %(seconds)s)
    from ready where webhook.id = ready.id
    returning webhook.id, fence, url, secret, failures, failing_since
)
select taken.id, fence, url, secret, failures, failing_since, first.id, body, attempts, now()
from taken left join lateral (
    select id, body, attempts from delivery where webhook = taken.id and state = 'pending' and due_at <= now()
    order by seq limit 1
) as first on true
"""

LOCK: LiteralString = "select fence from webhook where id = %s for update"

RECORD: LiteralString = """
with attempt as (
    insert into attempt (delivery, number, status, milliseconds, error)
    select id, attempts + 1, %(status)s, %(milliseconds)s, %(error)s from delivery where id = %(delivery)s
)
update delivery set attempts = attempts + 1,
    state = case when %(error)s::text is null then 'delivered'
        when %(retry_in)s::float8 is null then 'failed' else 'pending' end,
    due_at = now() + make_interval(secs => coalesce(%(retry_in)s::float8, 0))
where id = %(delivery)s
"""

JUDGE: LiteralString = """
update webhook set
    delivered = delivered + (%(error)s::text is null)::integer,
    failed = failed + (%(error)s::text is not null)::integer,
    failures = case when %(error)s::text is null then 0 else failures + 1 end,
    failing_since = case when %(error)s::text is not null then coalesce(failing_since, now()) end,
    rests_until = now() + make_interval(secs => %(rest)s),
    disabled_at = case when %(disable)s::text is not null then coalesce(disabled_at, now()) end,
    disabled_reason = %(disable)s
where id = %(webhook)s
"""

# What waits may have changed since the hook was locked, so this is a statement of its own, behind the lock.
SETTLE: LiteralString = """
update webhook set taken_until = '-infinity', next_at = case when disabled_at is null then (
    select greatest(rests_until, min(due_at)) from delivery where webhook = webhook.id and state = 'pending'
    having count(*) > 0
) end
where id = %s
"""

LOG: LiteralString = """
select id, type, state, created_at, case when state = 'pending' then due_at end, body, (
    select coalesce(json_agg(json_build_object('number', number, 'at', at, 'status', status,
        'milliseconds', milliseconds, 'error', error) order by number), '[]')
    from attempt where delivery = delivery.id
)
from delivery where webhook = %(webhook)s
"""

AGAIN: LiteralString = """
update delivery set state = 'pending', due_at = now() where id = %s and webhook = %s
"""

ENABLE: LiteralString = """
update webhook set disabled_at = null, disabled_reason = null, failures = 0, failing_since = null,
    rests_until = '-infinity'
where id = %s
"""


def message(webhook: str, source: str, kind: str, at: datetime, data: Mapping[str, Any]) -> Message:
    """A message with an id of its own, as Standard Webhooks advises: {"type", "timestamp", "data"}."""
    return Message(f"msg_{token_hex(12)}", webhook, source, kind, ENCODE({"type": kind, "timestamp": at, "data": data}))


def add(conn: Connection, messages: Sequence[Message]) -> None:
    """Store messages in order; those that a hook has already, or has no room for, are left out."""
    if messages:
        rows = json.dumps([message._asdict() for message in messages])
        conn.execute(ADD, {"rows": rows, "most": MOST_PENDING})


def take(conn: Connection, seconds: float) -> Taken | None:
    """The next message to send, for so long; None when nothing is to be sent now."""
    while row := conn.execute(TAKE, {"seconds": seconds, "most": MOST_TAKEN}).fetchone():
        if row[6] is not None:
            return Taken(*row)
        with conn.transaction():  # what was due was deleted, or sent already
            conn.execute(LOCK, [row[0]])
            conn.execute(SETTLE, [row[0]])
    return None


def record(conn: Connection, taken: Taken, verdict: Verdict) -> bool:
    """Write down how it went; whether the sender still had the hook: if not, it counts for nothing."""
    with conn.transaction():
        if conn.execute(LOCK, [taken.webhook]).fetchone() != (taken.fence,):
            return False
        values = {**verdict._asdict(), "delivery": taken.delivery, "webhook": taken.webhook}
        conn.execute(RECORD, values)
        conn.execute(JUDGE, values)
        conn.execute(SETTLE, [taken.webhook])
    return True


def log(conn: Connection, webhook: str, limit: int, after: Place | None = None) -> list[Delivery]:
    """A hook's messages, newest first, with every attempt."""
    query = LOG
    if after:
        query += " and (created_at, id) < (%(created_at)s, %(id)s)"
    query += " order by created_at desc, id desc limit %(limit)s"
    values = {"webhook": webhook, "limit": limit, **(after._asdict() if after else {})}
    return [Delivery(*row) for row in conn.execute(query, values)]


def one(conn: Connection, webhook: str, delivery: str) -> Delivery | None:
    """One message of a hook."""
    row = conn.execute(LOG + " and id = %(id)s", {"webhook": webhook, "id": delivery}).fetchone()
    return Delivery(*row) if row else None


def again(conn: Connection, webhook: str, delivery: str) -> bool:
    """Send a message once more, at once, and enable its hook; whether there is such a message."""
    with conn.transaction():
        conn.execute(LOCK, [webhook])
        if not conn.execute(AGAIN, [delivery, webhook]).rowcount:
            return False
        enable(conn, webhook)
    return True


def enable(conn: Connection, webhook: str) -> None:
    """Let a hook go on at once, whatever has become of it."""
    with conn.transaction():
        conn.execute(ENABLE, [webhook])
        conn.execute("update webhook set next_at = now() where id = %s and taken_until <= now()", [webhook])


def pending(conn: Connection) -> int:
    """How many messages wait."""
    ((count,),) = conn.execute("select count(*) from delivery where state = 'pending'")
    return int(count)


def prune(conn: Connection, older_than: timedelta) -> int:
    """Forget messages of that age; how many."""
    return conn.execute("delete from delivery where created_at < now() - %s", [older_than]).rowcount
