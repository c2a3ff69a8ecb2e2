"""Who bears a token and what has happened at the match he speaks of, in one round trip: two would cost a tenth more.

Read beside it: players.py and events.py, whose queries these are.
"""

from __future__ import annotations

import json
from typing import LiteralString

from domain.event import History
from store.db import Connection
from store.events import READ, history
from store.players import BEARER, Bearer

WHO: LiteralString = f"""
(select json_build_array(player, token, scopes, names)::text from ({BEARER}) as bearer (player, token, scopes, names))
"""

BOTH: LiteralString = READ.replace("null as text", f"{WHO} as text", 1)  # in the row of the clock, which has no text


def read(conn: Connection, token_hash: bytes, match: str) -> tuple[Bearer | None, History]:
    """What players.bearer and Events.read say of them."""
    values = {"hash": token_hash, "match": match, "stream": match}
    first, *rows = conn.execute(BOTH, values, prepare=True, binary=True).fetchall()
    who = Bearer(*json.loads(first[2])) if first[2] else None
    return who, history(first[0], [row[1:] for row in rows])
