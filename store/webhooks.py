"""Webhooks as their owners have them. Beside it: deliveries.py (what is sent), schema/0010_webhooks.sql."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString, NamedTuple

from store.db import Connection, Place


class Webhook(NamedTuple):
    """A hook as its owner may see it: all but its secret."""

    id: str
    url: str
    events: list[str]
    created_at: datetime
    disabled_at: datetime | None
    disabled_reason: str | None
    failing_since: datetime | None
    delivered: int  # messages
    failed: int  # attempts
    dropped: int  # messages that were not made, because too many waited


class Listener(NamedTuple):
    """Who is to be told of what."""

    webhook: str
    player: str
    events: list[str]


class Health(NamedTuple):
    """All hooks together; the last three count since they were made."""

    hooks: int
    disabled: int
    failing: int
    delivered: int
    failed: int
    dropped: int


COLUMNS: LiteralString = """
id, url, events, created_at, disabled_at, disabled_reason, failing_since, delivered, failed, dropped
"""

CREATE: LiteralString = f"""
insert into webhook (id, player, url, events, secret)
select %(id)s, player.id, %(url)s, %(events)s, %(secret)s from player
where player.id = %(player)s and erased_at is null
    and (select count(*) from webhook where webhook.player = %(player)s) < %(most)s
returning {COLUMNS}
"""

HEALTH: LiteralString = """
select count(*), count(disabled_at), count(failing_since), coalesce(sum(delivered), 0)::bigint,
    coalesce(sum(failed), 0)::bigint, coalesce(sum(dropped), 0)::bigint
from webhook
"""


def create(
    conn: Connection, webhook: str, player: str, url: str, events: Sequence[str], secret: bytes, most: int
) -> Webhook | None:
    """A new hook of the player's; None when he has `most` of them, or has left."""
    values = {"id": webhook, "player": player, "url": url, "events": list(events), "secret": secret, "most": most}
    with conn.transaction():
        conn.execute("select from player where id = %s for no key update", [player])  # two at once are counted in turn
        row = conn.execute(CREATE, values).fetchone()
    return Webhook(*row) if row else None


def get(conn: Connection, player: str, webhook: str) -> Webhook | None:
    """One of the player's hooks."""
    query: LiteralString = f"select {COLUMNS} from webhook where id = %s and player = %s"
    row = conn.execute(query, [webhook, player]).fetchone()
    return Webhook(*row) if row else None


def page(conn: Connection, player: str, limit: int, after: Place | None = None) -> list[Webhook]:
    """The player's hooks, newest first."""
    query: LiteralString = f"select {COLUMNS} from webhook where player = %(player)s"
    if after:
        query += " and (created_at, id) < (%(created_at)s, %(id)s)"
    query += " order by created_at desc, id desc limit %(limit)s"
    values = {"player": player, "limit": limit, **(after._asdict() if after else {})}
    return [Webhook(*row) for row in conn.execute(query, values)]


def delete(conn: Connection, player: str, webhook: str) -> bool:
    """Forget one of the player's hooks and all it was to send; whether there was one."""
    return conn.execute("delete from webhook where id = %s and player = %s", [webhook, player]).rowcount == 1


def erase(conn: Connection, player: str) -> None:
    """Forget all hooks of a player."""
    query = "delete from webhook where id in (select id from webhook where player = %s order by id for update)"
    conn.execute(query, [player])  # locked in the order in which messages are added


def listening(conn: Connection, players: Sequence[str]) -> list[Listener]:
    """The hooks of these players that are not disabled, in the order in which they were made."""
    query = """
    select id, player, events from webhook where player = any(%s) and disabled_at is null order by created_at, id
    """
    return [Listener(*row) for row in conn.execute(query, [list(players)])]


def health(conn: Connection) -> Health:
    """What there is and how it does."""
    ((*counted,),) = conn.execute(HEALTH)
    return Health(*counted)
