"""Whole matches known beforehand: prepared packs, and every word with its seat and the version it is said at."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from domain import decide
from domain.match import Match
from domain.rules import effective, games
from domain.secrecy import options_json

SEATS = 4


class Said(NamedTuple):
    """A word, who says it, and the version of the match before it."""

    seat: int
    word: str
    version: int


class Script(NamedTuple):
    """A match of Polignac without declarations: what opens it, every word up to its end, and the points at the end."""

    opening: dict[str, Any]
    words: list[Said]
    points: list[int]


def script(deals: int, seed: int) -> Script:
    """A match of so many prepared deals, its words drawn at random."""
    draw = random.Random(seed)
    game, given = games()["polignac"], {"deals": deals, "declarations": "none", "tie_break": "shared"}
    options = effective(game, "polignac", given, SEATS)
    packs = [sorted(game.pack(options, list(range(SEATS))), key=lambda card: draw.random()) for _ in range(deals)]
    opening = {"game": "polignac", "variant": "polignac", "options": given, "packs": packs, "dealer": 0}
    m = Match("script")
    recorded = {**opening, "rules": game.RULES, "options": options_json(options), "host": "-"}
    decide.open_match(m, {**recorded, "seats": [{"bot": "random"}] * SEATS}, lambda: b"")
    words = []
    while not m.over:
        seat = m.to_act[0]
        word = draw.choice(decide.legal(m, seat))
        words.append(Said(seat, word, m.version))
        decide.move(m, seat, word, lambda: b"")
    return Script(opening, words, m.totals)
