"""The standings of a season, kept as they came to at one version of it. Beside it: domain/standing_rows.py."""

from __future__ import annotations

import json
from typing import Any, LiteralString

from store.db import Connection

FRESH: LiteralString = """
select content from standing
where season = %(season)s and version = (select max(version) from event where stream_id = %(season)s)
"""

KEEP: LiteralString = """
insert into standing (season, version, content) values (%s, %s, %s)
on conflict (season) do update set version = excluded.version, content = excluded.content
where standing.version < excluded.version
"""


def fresh(conn: Connection, season: str) -> dict[str, Any] | None:
    """What was kept, if nothing has happened in the season since."""
    row = conn.execute(FRESH, {"season": season}).fetchone()
    return json.loads(row[0]) if row else None


def keep(conn: Connection, season: str, version: int, content: dict[str, Any]) -> None:
    """Keep what the standings are at this version, unless a later one is kept."""
    conn.execute(KEEP, [season, version, json.dumps(content)])
