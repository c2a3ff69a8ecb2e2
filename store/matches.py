"""Finding matches: pages of the list, and the codes that admit to a private match.

Read beside it: schema/0002_matches.sql (the indexes these queries walk), events.py (writes the rows it reads).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from typing import LiteralString, NamedTuple, cast

from store.db import Connection, Place, planned_anew


class Filters(NamedTuple):
    """What a list is narrowed to; None narrows nothing. `since` is included, `until` is not."""

    game: str | None = None
    status: str | None = None
    player: str | None = None
    season: str | None = None
    since: datetime | None = None
    until: datetime | None = None


NARROWED: dict[str, LiteralString] = {
    "game": "game = %(game)s",
    "status": "status = %(status)s",
    "player": "players @> array[%(player)s]",
    "season": "season = %(season)s",
    "since": "created_at >= %(since)s",
    "until": "created_at < %(until)s",
    "created_at": "(created_at, id) < (%(created_at)s, %(id)s)",
}

EVERYBODY: LiteralString = "visibility = 'public'"
HOST: LiteralString = "visibility <> 'public' and host = %(viewer)s"
SEATED: LiteralString = "visibility <> 'public' and players @> array[%(viewer)s]"
ORGANISED: LiteralString = """visibility <> 'public' and season = any(array(
    select season.id from season join organiser on organiser.league = season.league where organiser.player = %(viewer)s
))"""
ORDER: LiteralString = " order by created_at desc, id desc limit %(limit)s"


def page(conn: Connection, viewer: str | None, filters: Filters, limit: int, after: Place | None = None) -> list[Place]:
    """The next matches after a place, newest first: public ones, and those of `viewer`: as host, seated, organiser."""
    values = filters._asdict() | (after._asdict() if after else {})
    narrowed = [condition for name, condition in NARROWED.items() if values.get(name) is not None]
    parts = [
        f"(select created_at, id from match where {' and '.join([seen, *narrowed])}{ORDER})"
        for seen in ([EVERYBODY, HOST, SEATED, ORGANISED] if viewer else [EVERYBODY])
    ]
    query = f"select created_at, id from ({' union '.join(parts)}) as seen {ORDER}"
    rows = planned_anew(conn).execute(query, {**values, "viewer": viewer, "limit": limit})
    return [Place(*row) for row in rows]


def of_player(conn: Connection, player: str, limit: int, after: Place | None = None) -> list[Place]:
    """The next matches that a player hosts or has a seat at, whatever their visibility, newest first."""
    values = {"player": player, "limit": limit, **(after._asdict() if after else {})}
    narrowed: LiteralString = f" and {NARROWED['created_at']}" if after else ""
    parts = [
        f"(select created_at, id from match where {mine}{narrowed}{ORDER})"
        for mine in (
            f"visibility = 'public' and {NARROWED['player']}",
            f"visibility <> 'public' and {NARROWED['player']}",
            "host = %(player)s",
        )
    ]
    query = f"select created_at, id from ({' union '.join(parts)}) as mine {ORDER}"
    return [Place(*row) for row in planned_anew(conn).execute(query, values)]


def findable(conn: Connection, match: str, viewer: str | None) -> bool:
    """Whether `viewer` may know of the match by its row in the list, even where its events cannot be read."""
    query = """
    select from match where id = %(match)s
        and (visibility <> 'private' or host = %(viewer)s or players @> array[%(viewer)s])
    """
    return conn.execute(query, {"match": match, "viewer": viewer}).fetchone() is not None


def invite(conn: Connection, match: str, code: str, lasts: timedelta) -> datetime:
    """Keep the hash of a code that admits to the match; answers when it expires, by the database's clock."""
    query = "insert into invitation (match, code_hash, expires_at) values (%s, %s, now() + %s) returning expires_at"
    ((expires_at,),) = conn.execute(query, [match, _hash(code), lasts])
    return cast(datetime, expires_at)


def admitted(conn: Connection, match: str, code: str) -> bool:
    """Whether the code admits to the match, and still does."""
    query = "select from invitation where match = %s and code_hash = %s and expires_at > now()"
    return conn.execute(query, [match, _hash(code)]).fetchone() is not None


def prune_invitations(conn: Connection) -> int:
    """Forget the codes that have expired; how many."""
    return conn.execute("delete from invitation where expires_at <= now()").rowcount


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()
