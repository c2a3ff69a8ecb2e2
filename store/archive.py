"""Whole streams, moved between databases: read a page at a time, stored by COPY, which asks for no more than INSERT.

Read beside it: events.py (the chain), api/archive.py (the file and its checks).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import LiteralString, NamedTuple

from domain.event import Job, Listing
from store import jobs
from store.db import Connection


class Row(NamedTuple):
    """An event exactly as it is stored."""

    stream: str
    version: int
    type: str
    text: str
    prev_hash: bytes
    hash: bytes
    at: datetime


class Entry(NamedTuple):
    """A match's row in the list, with its times."""

    match: str
    listing: Listing
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


class Stored(NamedTuple):
    """How far a stream is stored, and its hash at the version asked about, if it has got there."""

    version: int
    hash: bytes | None


STORED: LiteralString = """
select wanted.stream, last.version, asked.hash
from unnest(%(streams)s::text[], %(versions)s::integer[]) as wanted (stream, version)
cross join lateral (select max(version) as version from event where stream_id = wanted.stream) as last
left join event as asked on asked.stream_id = wanted.stream and asked.version = wanted.version
where last.version is not null
"""

COPY_EVENTS: LiteralString = """
copy event (stream_id, version, kind, type, text, prev_hash, hash, recorded_at) from stdin
"""

COPY_LIST: LiteralString = """
copy match (id, game, variant, status, visibility, host, players, season, created_at, started_at, ended_at) from stdin
"""


def count(conn: Connection, matches: Sequence[str] | None) -> int:
    """How many events there are of these matches, or of all."""
    query = "select count(*) from event where kind = 'match' and (%(ids)s::text[] is null or stream_id = any(%(ids)s))"
    ((events,),) = conn.execute(query, {"ids": None if matches is None else list(matches)})
    return int(events)


def rows(conn: Connection, matches: Sequence[str]) -> list[Row]:
    """Every event of these matches, match by match."""
    query = """
    select stream_id, version, type, text, prev_hash, hash, recorded_at from event
    where stream_id = any(%s) and kind = 'match' order by stream_id, version
    """
    return [Row(*row) for row in conn.execute(query, [list(matches)], binary=True)]


def stored(conn: Connection, ends: Mapping[str, int]) -> dict[str, Stored]:
    """Of those streams that are stored already, how far; `ends` is the version of each that is asked about."""
    found = conn.execute(STORED, {"streams": list(ends), "versions": list(ends.values())})
    return {stream: Stored(version, hash_) for stream, version, hash_ in found}


def store(conn: Connection, events: Iterable[Row], entries: Iterable[Entry], following: Sequence[Job]) -> None:
    """Store whole matches with their rows in the list and their follow-ups: all or none.

    Raises psycopg.errors.UniqueViolation when somebody else has stored one of them.
    """
    with conn.transaction(), conn.cursor() as cursor:
        with cursor.copy(COPY_EVENTS) as copy:
            for row in events:
                copy.write_row((row.stream, row.version, "match", *row[2:]))
        with cursor.copy(COPY_LIST) as copy:
            for match, listing, *times in entries:
                head = (listing.game, listing.variant, listing.status, listing.visibility, listing.host)
                copy.write_row((match, *head, list(listing.players), listing.season, *times))
        jobs.add(conn, following)
