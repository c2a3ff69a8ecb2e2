"""What open streams ask of Postgres: for all streams of a process at once, so that a thousand cost what one costs.

Read beside it: wake.py (the hint that saves most of it), api/hub.py (who asks).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import LiteralString

from store.db import Connection

ACTIVE: LiteralString = """
with asked as (select unnest(%(players)s::text[]) as player)
select player, id from asked join match on players @> array[player] and status in ('open', 'playing')
union
select player, id from asked join match on host = player and status in ('open', 'playing')
"""

GOOD: LiteralString = """
select token.id from token join player on player.id = token.player
where token.id = any(%(tokens)s) and token.revoked_at is null and player.erased_at is null
    and (token.expires_at is null or token.expires_at > now())
"""


def versions(conn: Connection, matches: Iterable[str]) -> dict[str, int]:
    """Where each match stands, those that there are."""
    query = """
    select stream.id, (select max(version) from event where stream_id = stream.id)
    from unnest(%s::text[]) as stream (id)
    """
    return {match: version for match, version in conn.execute(query, [list(matches)]) if version}


def active(conn: Connection, players: Iterable[str]) -> list[tuple[str, str]]:
    """Player and match, for each that is open or being played where one of these is host, sits or is invited."""
    return conn.execute(ACTIVE, {"players": list(players)}).fetchall()


def good_tokens(conn: Connection, tokens: Collection[str]) -> set[str]:
    """Those of these tokens, by their ids, that are neither revoked nor expired, and whose player is not erased."""
    return {token for (token,) in conn.execute(GOOD, {"tokens": list(tokens)})}
