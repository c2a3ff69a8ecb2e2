"""Whole matches played at random through decide.py, as every door does. Read beside it: tables.py."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from random import Random
from typing import Any

from domain import decide, rules
from domain.event import Event
from domain.house import Draw
from domain.match import Match, deadlines
from domain.secrecy import EVERYTHING, options_json, view_for
from tests.laws.tables import MANNERS, Table, house_rules, next_word


def short_rules(table: Table, random: Random) -> dict[str, Any]:
    """House rules drawn at random, but with few deals where their number is an option."""
    given = house_rules(table, random)
    return {**given, "deals": 1 + given["deals"] % 3} if given.get("deals") else given


def opened(table: Table, given: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The `opened` of a match among bots that everybody may read."""
    options = options_json(rules.effective(table.game, table.variant, given, table.seats))
    seats = [{"player": None, "bot": "random"} for _ in range(table.seats)]
    return {
        "game": table.game.id, "variant": table.variant, "rules": table.game.RULES, "options": options,
        "seats": seats, "host": "p-host", "visibility": "public", "rated": False, "clock": None, "fair": False, **more,
    }  # fmt: skip


def drawing(random: Random) -> Draw:
    """Secrets that are none: the same ones for the same `random`."""
    return lambda: random.randbytes(32)


def started(table: Table, given: dict[str, Any], random: Random, **more: Any) -> Match:
    m = Match(f"m-{random.randint(0, 10**9)}")
    decide.open_match(m, opened(table, given, **more), drawing(random))
    return m


def turn(m: Match, random: Random, manner: str) -> None:
    """Somebody who may speak says a word."""
    decide.move(m, *next_word(m.game, m.deal, random, manner), drawing(random))


def finish(m: Match, random: Random, manner: str) -> None:
    while not m.over:
        turn(m, random, manner)


def played(table: Table, random: Random) -> Match:
    """A match played to its end, everybody speaking in one manner."""
    m = started(table, short_rules(table, random), random)
    finish(m, random, random.choice(MANNERS))
    return m


def stored(events: Iterable[Event]) -> list[Event]:
    """The events as a store gives them back: through JSON."""
    return [Event(event.type, json.loads(json.dumps(event.data)), event.version, event.at) for event in events]


def unscored(events: list[Event]) -> list[Event]:
    """All a move needs: of deals scored before the last was dealt, nothing but that, and where the first began."""
    began = next((event.version for event in events if event.type in ("committed", "dealt")), 0)
    dealt = max((event.version for event in events if event.type == "dealt"), default=0)
    scored = max((event.version for event in events if event.type == "scored" and event.version < dealt), default=0)
    left_out = ("moved", "dealt", "committed", "nonce")
    return [event for event in events if event.type not in left_out or event.version > scored or event.version == began]


def state(m: Match) -> str:
    """Everything a match is, as text; the Deal only while it is being played."""
    kept = {f.name: getattr(m, f.name) for f in fields(m) if f.name not in ("fresh", "game", "table", "now", "clocks")}
    kept["options"] = options_json(m.options)
    kept["seats"] = [asdict(seat) for seat in m.seats]
    kept["deal"] = view_for(m.deal, EVERYTHING) if m.status == "playing" and not m.committed else None
    kept["clocks"] = [m.clocks.state(), deadlines(m)] if m.clocks and not m.over else None
    return json.dumps(kept, sort_keys=True, default=str)
