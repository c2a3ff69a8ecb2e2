"""Streams of events in Postgres: read for a move, appended in one statement, hash-chained over the stored text.

Read beside it: domain/event.py (the Store that this is), schema/0001_events.sql (what guards the rows).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import cache
from hashlib import sha256
from itertools import groupby
from typing import Any, LiteralString, NamedTuple

from domain.event import Event, History, Job, Listing, StaleVersionError
from store.db import Connection

ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode

# Index scans that never touch what was dealt and said in deals scored before the last one was dealt.
# The first row is the database's clock.
READ: LiteralString = """
with dealt as materialized (
    select min(version) as first, max(version) as last from event where stream_id = %(stream)s and type = 'dealt'
), bounds as materialized (
    select coalesce((
        select version from event
        where stream_id = %(stream)s and version < dealt.first and type not in ('moved', 'dealt') and type = 'committed'
        order by version limit 1
    ), dealt.first) as began, coalesce((
        select version from event
        where stream_id = %(stream)s and version < dealt.last and type not in ('moved', 'dealt') and type = 'scored'
        order by version desc limit 1
    ), 0) as scored from dealt
)
select clock_timestamp() as now, null::integer as version, null as text, null::bytea as hash, null::timestamptz as at
union all
select null, version, text, hash, recorded_at from event
where stream_id = %(stream)s and type not in ('moved', 'dealt', 'committed', 'nonce')
union all
select null, version, text, hash, recorded_at from event
where stream_id = %(stream)s and version = (select began from bounds where began <= scored)
union all
select null, version, text, hash, recorded_at from event
where stream_id = %(stream)s and version > (select scored from bounds)
    and type in ('moved', 'dealt', 'committed', 'nonce')
order by version nulls first
"""

READ_MANY: LiteralString = """
select clock_timestamp(), stream.id, event.version, event.text, event.hash, event.recorded_at
from unnest(%(streams)s::text[]) as stream (id) cross join lateral (
    select min(version) as first, max(version) as last from event where stream_id = stream.id and type = 'dealt'
) as dealt cross join lateral (
    select coalesce((
        select version from event
        where stream_id = stream.id and version < dealt.first and type not in ('moved', 'dealt') and type = 'committed'
        order by version limit 1
    ), dealt.first) as began, coalesce((
        select version from event
        where stream_id = stream.id and version < dealt.last and type not in ('moved', 'dealt') and type = 'scored'
        order by version desc limit 1
    ), 0) as scored
) as bounds cross join lateral (
    select version, text, hash, recorded_at from event
    where stream_id = stream.id and type not in ('moved', 'dealt', 'committed', 'nonce')
    union all
    select version, text, hash, recorded_at from event
    where stream_id = stream.id and version = bounds.began and bounds.began <= bounds.scored
    union all
    select version, text, hash, recorded_at from event
    where stream_id = stream.id and version > bounds.scored and type in ('moved', 'dealt', 'committed', 'nonce')
) as event
order by stream.id, event.version
"""

READ_ALL: LiteralString = """
select clock_timestamp() as now, null::integer as version, null as text, null::bytea as hash, null::timestamptz as at
union all
select null, version, text, hash, recorded_at from event
where stream_id = %(stream)s and version <= coalesce(%(through)s::integer, 2147483647)
order by version nulls first
"""

# Who gets the first row in has the version; everything else in the statement hangs on that row.
FIRST = """
with first as (
    insert into event (stream_id, version, kind, type, text, prev_hash, hash, recorded_at)
    values (%(stream)s, %(version)s, %(kind)s, %(type)s, %(text)s, %(prev_hash)s, %(hash)s, %(at)s)
    on conflict (stream_id, version) do nothing
    returning version
)"""

REST = """, rest as (
    insert into event (stream_id, version, kind, type, text, prev_hash, hash, recorded_at)
    select %(stream)s, later.version, %(kind)s, type, text, decode(prev_hash, 'hex'), decode(hash, 'hex'), %(at)s
    from first, json_to_recordset(%(rest)s::json)
        as later (version integer, type text, text text, prev_hash text, hash text)
)"""

# A parameter for each value: taking JSON or arrays apart would cost more than the row.
JOB = """, job{0} as (
    insert into job (key, kind, due_at, published_at)
    select %(key{0})s, split_part(%(key{0})s, ':', 1), coalesce(%(due{0})s::timestamptz, now()),
        case when %(due{0})s::timestamptz is null then now() end
    from first
    on conflict (key) do nothing
)"""

# Where somebody listens; whoever sends looks for it himself, so that it counts as published.
NOTICE = """, notice{0} as (
    insert into job (key, kind, due_at, published_at)
    select %(key{0})s, split_part(%(key{0})s, ':', 1), now(), now() from first
    where exists (
        select from webhook where player = any(string_to_array(%(listeners{0})s, ',')) and disabled_at is null
    )
    on conflict (key) do nothing
)"""

LISTING = """, listing as (
    insert into match (id, game, variant, status, visibility, host, players, season, created_at, started_at, ended_at)
    select %(stream)s, %(game)s, %(variant)s, %(status)s, %(visibility)s, %(host)s, %(players)s, %(season)s, %(at)s,
        case when %(status)s in ('playing', 'ended') then %(at)s end,
        case when %(status)s in ('ended', 'voided') then %(at)s end
    from first
    on conflict (id) do update set
        game = excluded.game, variant = excluded.variant, status = excluded.status, visibility = excluded.visibility,
        host = excluded.host, players = excluded.players, season = excluded.season,
        started_at = coalesce(match.started_at, excluded.started_at),
        ended_at = coalesce(match.ended_at, excluded.ended_at)
)"""


@cache
def _append(rest: bool, jobs: tuple[bool, ...], listing: bool) -> bytes:
    """The statement that appends; `jobs` tells of each whether it has listeners."""
    parts = [NOTICE.format(n) if listened else JOB.format(n) for n, listened in enumerate(jobs)]
    return "".join([FIRST, REST * rest, *parts, LISTING * listing, " select count(*) from first"]).encode()


class Fault(NamedTuple):
    """Where a stored stream is not what was appended."""

    version: int
    what: str


class Link(NamedTuple):
    """An event to be stored: its text and its place in the chain."""

    version: int
    type: str
    text: str
    prev_hash: str
    hash: str


class Events:
    """Implements domain.event.Store for streams of one kind, match or season, over one connection."""

    def __init__(self, conn: Connection, kind: str = "match") -> None:
        self.conn, self.kind = conn, kind

    def read(self, stream: str) -> History:
        """Every event but how earlier deals were dealt and played: domain.event.Store says exactly which."""
        rows = self.conn.execute(READ, {"stream": stream}, prepare=True, binary=True).fetchall()
        return history(rows[0][0], [row[1:] for row in rows[1:]])

    def read_many(self, streams: Sequence[str]) -> dict[str, History]:
        """What `read` gives, of many streams at once; those that do not exist are left out."""
        rows = self.conn.execute(READ_MANY, {"streams": list(streams)}, binary=True).fetchall()
        owned = {stream: list(own) for stream, own in groupby(rows, key=lambda row: row[1])}
        return {stream: history(own[0][0], [row[2:] for row in own]) for stream, own in owned.items()}

    def read_all(self, stream: str, through: int | None = None) -> History:
        """Every event, through a version when given."""
        rows = self.conn.execute(READ_ALL, {"stream": stream, "through": through}, binary=True).fetchall()
        return history(rows[0][0], [row[1:] for row in rows[1:]])

    def append(
        self, stream: str, history: History, events: Sequence[Event], jobs: Sequence[Job], listing: Listing | None
    ) -> Sequence[Event]:
        """Store at least one event after `history`, with its jobs and its row in the list: one statement, all or none.

        Raises StaleVersionError when another event has that version; a transaction around it can go on all the same.
        """
        links = list(_chain(stream, history, events))
        first, rest = links[0], links[1:]
        values: dict[str, Any] = {"stream": stream, "kind": self.kind, "at": history.now, **first._asdict()}
        values |= {"prev_hash": bytes.fromhex(first.prev_hash), "hash": bytes.fromhex(first.hash)}
        if rest:
            values["rest"] = json.dumps([link._asdict() for link in rest])
        for n, job in enumerate(jobs):
            values[f"key{n}"] = job.key
            if job.listeners is None:
                values[f"due{n}"] = job.due
            else:
                values[f"listeners{n}"] = ",".join(job.listeners)
        if listing:
            values |= asdict(listing) | {"players": list(listing.players)}
        statement = _append(bool(rest), tuple(job.listeners is not None for job in jobs), listing is not None)
        (won,) = self.conn.execute(statement, values, prepare=True).fetchone() or (0,)
        if not won:
            raise StaleVersionError(stream, history.version, _version(self.conn, stream))
        return [
            Event(event.type, event.data, link.version, history.now, link.hash)
            for event, link in zip(events, links, strict=True)
        ]

    def streams(self, after: str = "", limit: int = 1000) -> list[str]:
        """Ids of all streams of this kind, in order of id, those behind `after`."""
        query = "select stream_id from event where version = 1 and kind = %s and stream_id > %s order by 1 limit %s"
        return [stream for (stream,) in self.conn.execute(query, [self.kind, after, limit])]


def chain_faults(conn: Connection, stream: str) -> list[Fault]:
    """Every place where the stored text, its type or its hashes do not hang together; none of them in a sound stream.

    Events cut off at the end leave no trace in the chain.
    """
    query = "select version, type, text, prev_hash, hash from event where stream_id = %s order by version"
    faults, expected, before = [], 1, genesis(stream)
    for version, type_, text, prev_hash, own_hash in conn.execute(query, [stream], binary=True):
        if version != expected:
            faults.append(Fault(expected, f"missing: the next event stored is {version}"))
        elif prev_hash != before:
            faults.append(Fault(version, "the hash of the event before is another"))
        if own_hash != chained(prev_hash, text):
            faults.append(Fault(version, "the text is not the one that was hashed"))
        elif json.loads(text)["type"] != type_:
            faults.append(Fault(version, f"stored as {type_}, which is not what its text says"))
        expected, before = version + 1, own_hash
    return faults


def genesis(stream: str) -> bytes:
    """What stands before the hash of a stream's first event."""
    return sha256(b"tapete\0" + stream.encode()).digest()


def chained(prev_hash: bytes, text: str) -> bytes:
    """The hash of an event's text behind another."""
    return sha256(prev_hash + text.encode()).digest()


def _chain(stream: str, history: History, events: Iterable[Event]) -> Iterator[Link]:
    before = bytes.fromhex(history.hash) if history.hash else genesis(stream)
    for version, event in enumerate(events, history.version + 1):
        assert "type" not in event.data, f"event {version} of {stream} says its type twice"
        text = ENCODE({"type": event.type, **event.data})
        own = chained(before, text)
        yield Link(version, event.type, text, before.hex(), own.hex())
        before = own


def history(now: datetime, rows: Sequence[tuple[int, str, bytes, datetime]]) -> History:
    """What `rows` of version, text, hash and time hold. A clock that was set back never makes a stream's go back."""
    texts = json.loads("[" + ",".join([row[1] for row in rows]) + "]")  # a quarter faster than one by one
    events = [
        Event(text.pop("type"), text, version, at, own_hash.hex())
        for (version, _, own_hash, at), text in zip(rows, texts, strict=True)
    ]
    return History(events, max(now, rows[-1][3]) if rows else now)


def _version(conn: Connection, stream: str) -> int:
    row = conn.execute("select max(version) from event where stream_id = %s", [stream]).fetchone()
    return (row and row[0]) or 0
