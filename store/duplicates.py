"""Duplicate events and who has entered them. Beside it: schema/0018_duplicates.sql, domain/duplicates.py."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, LiteralString, NamedTuple, cast

from store.db import Connection, Place

COLUMNS: LiteralString = """
id, game, variant, options, kind, seats, bot, packs, salt, day, created_at, ends_at, now() as now
"""


class Duplicate(NamedTuple):
    """An event. `options` are those that were given and its ending; `now` is when it was read."""

    id: str
    game: str
    variant: str
    options: dict[str, Any]
    kind: str
    seats: int
    bot: str
    packs: list[list[str]]
    salt: bytes
    day: date | None
    created_at: datetime
    ends_at: datetime
    now: datetime

    @property
    def over(self) -> bool:
        return self.now >= self.ends_at


class Entry(NamedTuple):
    """Who has entered, and where he plays; nowhere while others are awaited."""

    player: str
    match: str | None
    seat: int | None


def create(conn: Connection, made: Duplicate, by: str) -> Duplicate:
    """Keep an event, or answer the one that there is of its game and day."""
    query = """
    insert into duplicate (id, game, variant, options, kind, seats, bot, packs, salt, day, created_by, ends_at)
    values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) on conflict (day, game) do nothing
    """
    texts = json.dumps(made.options), json.dumps(made.packs)
    values = [made.id, made.game, made.variant, texts[0], made.kind, made.seats, made.bot, texts[1], made.salt]
    conn.execute(query, [*values, made.day, by, made.ends_at])
    kept = of_day(conn, made.game, made.day) if made.day else of_id(conn, made.id)
    assert kept
    return kept


def of_id(conn: Connection, event: str) -> Duplicate | None:
    """The event of this id."""
    row = conn.execute(f"select {COLUMNS} from duplicate where id = %s", [event]).fetchone()
    return Duplicate(*row) if row else None


def of_day(conn: Connection, game: str, day: date) -> Duplicate | None:
    """The deal of the day of a game."""
    row = conn.execute(f"select {COLUMNS} from duplicate where day = %s and game = %s", [day, game]).fetchone()
    return Duplicate(*row) if row else None


def page(conn: Connection, game: str | None, limit: int, after: Place | None) -> list[Duplicate]:
    """The next events after a place, newest first."""
    query = f"""
    select {COLUMNS} from duplicate
    where game = coalesce(%s, game) and (created_at, id) < (coalesce(%s, 'infinity'::timestamptz), coalesce(%s, ''))
    order by created_at desc, id desc limit %s
    """
    return [Duplicate(*row) for row in conn.execute(query, [game, *(after or (None, None)), limit])]


def now(conn: Connection) -> datetime:
    """The database's time."""
    ((found,),) = conn.execute("select now()")
    return cast(datetime, found)


def enter(conn: Connection, event: str, player: str) -> bool:
    """Enter a player, inside a transaction in which nobody else enters; whether he had not before."""
    conn.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"duplicate {event}"])
    query = "insert into entry (duplicate, player) values (%s, %s) on conflict do nothing"
    return bool(conn.execute(query, [event, player]).rowcount)


def entries(conn: Connection, event: str) -> list[Entry]:
    """Everybody who has entered, in order."""
    query = "select player, match, seat from entry where duplicate = %s order by entered_at, player"
    return [Entry(*row) for row in conn.execute(query, [event])]


def seat(conn: Connection, event: str, match: str, players: Sequence[str]) -> None:
    """Where these entrants play, by seat."""
    query = """
    update entry set match = %s, seat = seated.number - 1
    from unnest(%s::text[]) with ordinality as seated (player, number)
    where duplicate = %s and entry.player = seated.player
    """
    conn.execute(query, [match, list(players), event])


def scored(conn: Connection, duplicate: Duplicate) -> list[tuple[str, dict[str, Any]]]:
    """The `scored` and `resigned` events of its matches until it ended, match by match in order."""
    query = """
    select stream_id, text from event
    where stream_id = any(select match from entry where duplicate = %s) and type in ('scored', 'resigned')
        and type not in ('moved', 'dealt', 'committed', 'nonce') and recorded_at <= %s
    order by stream_id, version
    """
    return [(match, json.loads(text)) for match, text in conn.execute(query, [duplicate.id, duplicate.ends_at])]
