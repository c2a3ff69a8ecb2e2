"""Leagues, their organisers and seasons, and who the members of a season are: what the events leave out.

Read beside it: schema/0012_leagues.sql; domain/season.py (the events, a stream under the season's id).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, LiteralString, NamedTuple, cast

from store.db import Connection, Place, planned_anew


class League(NamedTuple):
    """A league, and whether whoever looks may organise it. `options` are those that were given."""

    id: str
    name: str
    game: str
    variant: str
    options: dict[str, Any]
    visibility: str
    created_by: str
    created_at: datetime
    organises: bool


class SeasonRow(NamedTuple):
    """What a season is called, and whose it is."""

    id: str
    league: str
    name: str
    created_at: datetime


class MemberRow(NamedTuple):
    """A member: an account, or a guest's name until it is erased."""

    id: str
    player: str | None
    label: str | None


COLUMNS: LiteralString = """
league.id, name, game, variant, options, visibility, created_by, created_at,
    exists (select from organiser where league = league.id and player = %(viewer)s)
"""

# Private ones are for organisers and for whoever is, or was, a member of a season.
OWN: LiteralString = """(
    exists (select from organiser where league = league.id and player = %(viewer)s)
    or exists (
        select from season join season_member on season_member.season = season.id
        where season.league = league.id and season_member.player = %(viewer)s
    )
)"""

MINE: LiteralString = """(
    select league from organiser where player = %(viewer)s
    union
    select season.league from season_member join season on season.id = season_member.season
    where season_member.player = %(viewer)s
)"""

ORDER: LiteralString = " order by created_at desc, id desc limit %(limit)s"
BEHIND: LiteralString = " and (created_at, id) < (%(after_at)s, %(after_id)s)"


# Leagues


def create(
    conn: Connection, league: str, name: str, game: str, variant: str, options: Mapping[str, Any], visibility: str,
    player: str,
) -> None:  # fmt: skip
    """A new league under an id that the caller made; the player is its first organiser."""
    query = """
    insert into league (id, name, game, variant, options, visibility, created_by) values (%s, %s, %s, %s, %s, %s, %s)
    """
    conn.execute(query, [league, name, game, variant, json.dumps(options), visibility, player])
    add_organiser(conn, league, player)


def get(conn: Connection, league: str, viewer: str | None) -> League | None:
    """The league, if `viewer` may know of it."""
    query: LiteralString = f"""
    select {COLUMNS} from league where id = %(league)s and (visibility <> 'private' or {OWN})
    """
    row = conn.execute(query, {"league": league, "viewer": viewer}).fetchone()
    return League(*row) if row else None


def page(conn: Connection, viewer: str | None, limit: int, after: Place | None = None) -> list[League]:
    """The next leagues after a place, newest first: public ones, and those that the viewer has to do with."""
    values = {"viewer": viewer, "limit": limit, **_after(after)}
    behind: LiteralString = BEHIND if after else ""
    query: LiteralString = f"""
    select {COLUMNS} from league where (visibility = 'public' or id in {MINE}) {behind} {ORDER}
    """
    return [League(*row) for row in planned_anew(conn).execute(query, values)]


def of_player(conn: Connection, player: str, limit: int, after: Place | None = None) -> list[League]:
    """The next leagues that a player organises, plays in, or has played in."""
    values = {"viewer": player, "limit": limit, **_after(after)}
    behind: LiteralString = BEHIND if after else ""
    query: LiteralString = f"select {COLUMNS} from league where id in {MINE} {behind} {ORDER}"
    return [League(*row) for row in planned_anew(conn).execute(query, values)]


def _after(after: Place | None) -> dict[str, Any]:
    return {"after_at": after.created_at, "after_id": after.id} if after else {}


# Organisers


def organisers(conn: Connection, league: str) -> list[str]:
    """The players who organise the league, in the order in which they came to it."""
    query = "select player from organiser where league = %s order by added_at, player"
    return [player for (player,) in conn.execute(query, [league])]


def add_organiser(conn: Connection, league: str, player: str) -> bool:
    """Whether he was none before."""
    query = "insert into organiser (league, player) values (%s, %s) on conflict do nothing"
    return conn.execute(query, [league, player]).rowcount == 1


def remove_organiser(conn: Connection, league: str, player: str) -> None:
    conn.execute("delete from organiser where league = %s and player = %s", [league, player])


def hold_organisers(conn: Connection, league: str) -> list[str]:
    """The same as `organisers`; until the transaction ends nobody else removes one."""
    query = "select player from organiser where league = %s order by added_at, player for update"
    return [player for (player,) in conn.execute(query, [league])]


def organises_match(conn: Connection, match: str, player: str | None) -> bool:
    """Whether the player organises the league in a season of which the match is played."""
    query = """
    select from match join season on season.id = match.season join organiser on organiser.league = season.league
    where match.id = %s and organiser.player = %s
    """
    return conn.execute(query, [match, player]).fetchone() is not None


# Seasons


def add_season(conn: Connection, season: str, league: str, name: str) -> SeasonRow:
    query = "insert into season (id, league, name) values (%s, %s, %s) returning id, league, name, created_at"
    (row,) = conn.execute(query, [season, league, name])
    return SeasonRow(*row)


def season(conn: Connection, season: str, viewer: str | None) -> tuple[SeasonRow, League] | None:
    """The season and its league, if `viewer` may know of them."""
    query = "select id, league, name, created_at from season where id = %s"
    row = conn.execute(query, [season]).fetchone()
    found = SeasonRow(*row) if row else None
    league = get(conn, found.league, viewer) if found else None
    return (found, league) if found and league else None


def seasons(conn: Connection, league: str, limit: int, after: Place | None = None) -> list[SeasonRow]:
    """The next seasons of a league, newest first."""
    behind: LiteralString = BEHIND if after else ""
    query: LiteralString = f"select id, league, name, created_at from season where league = %(league)s {behind} {ORDER}"
    return [SeasonRow(*row) for row in conn.execute(query, {"league": league, "limit": limit, **_after(after)})]


# Members


def add_member(conn: Connection, season: str, member: str, player: str | None, label: str | None) -> None:
    """Who the member is; one who comes back is known already."""
    query = """
    insert into season_member (season, id, player, label) values (%s, %s, %s, %s) on conflict (season, id) do nothing
    """
    conn.execute(query, [season, member, player, label])


def members(conn: Connection, season: str) -> dict[str, MemberRow]:
    """Everybody who is or was a member, by id."""
    query = "select id, player, label from season_member where season = %s"
    return {row[0]: MemberRow(*row) for row in conn.execute(query, [season])}


def names(conn: Connection, season: str) -> dict[str, str | None]:
    """What each member is called: the account's name, or the guest's; None where it is erased."""
    query = """
    select season_member.id, coalesce(player.name, label) from season_member
    left join player on player.id = season_member.player where season = %s
    """
    return dict(conn.execute(query, [season]).fetchall())


def forget(conn: Connection, season: str, member: str) -> None:
    """Erase a guest's name; he stays a member under his id."""
    conn.execute("update season_member set label = null where season = %s and id = %s", [season, member])


def seasons_of(conn: Connection, player: str) -> list[tuple[str, str]]:
    """Every season in which the player is or was a member, and as which one, in order of id."""
    query = "select season, id from season_member where player = %s order by season"
    return [(season, member) for season, member in conn.execute(query, [player])]


# Claims


def offer(conn: Connection, season: str, member: str, code: str, lasts: timedelta) -> datetime:
    """Keep the hash of the one code by which an account may become this guest; answers when it expires."""
    query = """
    insert into claim_code (season, member, code_hash, expires_at) values (%s, %s, %s, now() + %s)
    on conflict (season, member) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at
    returning expires_at
    """
    ((expires_at,),) = conn.execute(query, [season, member, _hash(code), lasts])
    return cast(datetime, expires_at)


def use(conn: Connection, code: str) -> tuple[str, str] | None:
    """The season and guest that the code is for; it is for nobody any more. None when it is unknown or over."""
    query = "delete from claim_code where code_hash = %s and expires_at > now() returning season, member"
    row = conn.execute(query, [_hash(code)]).fetchone()
    return (row[0], row[1]) if row else None


def claim(conn: Connection, season: str, member: str, player: str) -> None:
    """The guest is an account from now on, and goes by its name."""
    query = "update season_member set player = %s, label = null where season = %s and id = %s"
    conn.execute(query, [player, season, member])


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()


# Erasing


def leave(conn: Connection, player: str) -> None:
    """The player organises nothing any more. What he was a member of knows his id, which has no name now."""
    conn.execute("delete from organiser where player = %s", [player])


def memberships(conn: Connection, player: str, limit: int, after: str = "") -> list[dict[str, Any]]:
    """The next seasons in which the player is or was a member, in order of the season's id."""
    query = """
    select season.id, season.name, season.league, season_member.id from season_member
    join season on season.id = season_member.season
    where player = %s and season.id > %s order by season.id limit %s
    """
    names: Iterable[str] = ("season", "name", "league", "member")
    return [dict(zip(names, row, strict=True)) for row in conn.execute(query, [player, after, limit])]
