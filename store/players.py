"""Players and the tokens by which their programs speak.

Read beside it: schema/0005_players.sql. A name lives here alone and can be erased; everything else knows ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import LiteralString, NamedTuple

from store.db import Connection, Place


class Player(NamedTuple):
    """An account; `name` is None once it is erased."""

    id: str
    name: str | None
    created_at: datetime


class Token(NamedTuple):
    """A token as its owner may see it: what it opens, never what it is."""

    id: str
    label: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None


class Bearer(NamedTuple):
    """Who speaks, by which token, and what that token may do; and the names of those at the match he speaks of."""

    player: str
    token: str
    scopes: list[str]
    names: dict[str, str | None]


ERASE: LiteralString = """
with revoked as (
    update token set label = '', revoked_at = coalesce(revoked_at, now()) where player = %(player)s
)
update player set name = null, erased_at = coalesce(erased_at, now()) where id = %(player)s
"""

# The names come along, so that a move is answered without asking once more.
BEARER: LiteralString = """
select player.id, token.id, token.scopes, (
    select json_object_agg(other.id, other.name) from player as other
    where other.id = player.id or other.id = any(array(select unnest(players) from match where id = %(match)s))
)
from token join player on player.id = token.player
where token.hash = %(hash)s and token.revoked_at is null and player.erased_at is null
    and (token.expires_at is null or token.expires_at > now())
"""


def create(conn: Connection, player: str, name: str) -> Player:
    """A new player under an id that the caller made."""
    query = "insert into player (id, name) values (%s, %s) returning id, name, created_at"
    (row,) = conn.execute(query, [player, name])
    return Player(*row)


def get(conn: Connection, player: str) -> Player | None:
    """The player of an id, erased or not."""
    row = conn.execute("select id, name, created_at from player where id = %s", [player]).fetchone()
    return Player(*row) if row else None


def by_name(conn: Connection, name: str, limit: int, after: Place | None = None) -> list[Player]:
    """Players of exactly this name, newest first; names are not unique."""
    query: LiteralString = "select id, name, created_at from player where name = %(name)s"
    if after:
        query += " and (created_at, id) < (%(created_at)s, %(id)s)"
    query += " order by created_at desc, id desc limit %(limit)s"
    values = {"name": name, "limit": limit, **(after._asdict() if after else {})}
    return [Player(*row) for row in conn.execute(query, values)]


def names(conn: Connection, ids: Iterable[str]) -> dict[str, str | None]:
    """The name of each player that exists; None for the erased."""
    return dict(conn.execute("select id, name from player where id = any(%s)", [list(ids)]).fetchall())


def hold(conn: Connection, ids: Iterable[str]) -> set[str]:
    """Those who have not left, and now cannot before the transaction ends; whoever is leaving is waited for."""
    query = "select id from player where id = any(%s) and erased_at is null order by id for share"
    return {player for (player,) in conn.execute(query, [list(ids)])}


def rename(conn: Connection, player: str, name: str) -> Player | None:
    """Give a player another name; None when there is none of that id, or he is erased."""
    query = "update player set name = %s where id = %s and erased_at is null returning id, name, created_at"
    row = conn.execute(query, [name, player]).fetchone()
    return Player(*row) if row else None


def erase(conn: Connection, player: str) -> None:
    """Forget the name and the tokens' labels, and revoke the tokens; the id stays where events and ledger have it.

    Whatever held the player is over by then and can be seen by the transaction's next statement.
    """
    conn.execute(ERASE, {"player": player})


def add_token(
    conn: Connection,
    token: str,
    player: str,
    token_hash: bytes,
    label: str,
    scopes: Sequence[str],
    expires_at: datetime | None = None,
) -> Token:
    """Keep a new token by its SHA-256."""
    query = """
    insert into token (id, player, hash, label, scopes, expires_at) values (%s, %s, %s, %s, %s, %s)
    returning id, label, scopes, created_at, expires_at
    """
    (row,) = conn.execute(query, [token, player, token_hash, label, list(scopes), expires_at])
    return Token(*row)


def bearer(conn: Connection, token_hash: bytes, match: str | None = None) -> Bearer | None:
    """Who bears the token of this hash; None when it is unknown, revoked or expired, or its player erased."""
    row = conn.execute(BEARER, {"hash": token_hash, "match": match}, prepare=True).fetchone()
    return Bearer(*row) if row else None


def tokens_of(conn: Connection, player: str, limit: int, after: Place | None = None) -> list[Token]:
    """A player's tokens that are not revoked, newest first."""
    query: LiteralString = """
    select id, label, scopes, created_at, expires_at from token where player = %(player)s and revoked_at is null
    """
    if after:
        query += " and (created_at, id) < (%(created_at)s, %(id)s)"
    query += " order by created_at desc, id desc limit %(limit)s"
    values = {"player": player, "limit": limit, **(after._asdict() if after else {})}
    return [Token(*row) for row in conn.execute(query, values)]


def revoke(conn: Connection, player: str, token: str) -> bool:
    """Revoke one of a player's tokens; whether there was one to revoke."""
    query = "update token set revoked_at = now() where id = %s and player = %s and revoked_at is null"
    return conn.execute(query, [token, player]).rowcount == 1
