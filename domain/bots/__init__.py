"""The house's players. A bot is given a view, the words it may say and a random stream; never a Deal, never a seed.

`choose` is all that play.py calls. Read beside it: docs/bots.md, and `advise` in a game module (the rule bot).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

from domain.imagine import deal_seen
from domain.rules import Game, Word

Random = Callable[[], float]


def at_random(game: Game, view: dict[str, Any], seat: int, words: list[Word], random: Random) -> Word:
    """Any word, each equally likely."""
    return words[int(random() * len(words))]


def by_rule(game: Game, view: dict[str, Any], seat: int, words: list[Word], random: Random) -> Word:
    """What a decent player would say at a glance: the game's own advice, from what the seat sees."""
    return game.advise(deal_seen(game, view), seat, words) if game.advise else words[0]


BOTS: dict[str, Callable[[Game, dict[str, Any], int, list[Word], Random], Word]] = {
    "random": at_random,
    "rule": by_rule,
}


def choose(bot: str, game: Game, view: dict[str, Any], seat: int, words: list[Word], random: Random) -> Word:
    """The bot's word, one of `words`."""
    word = words[0] if len(words) == 1 else BOTS[bot](game, view, seat, words, random)
    assert word in words, f"{bot} said {word!r} at {game.id}"
    return word


def stream(secret: bytes) -> Random:
    """A random stream in [0, 1) of its own for one decision, from 32 secret bytes."""
    counter = iter(range(1 << 62))
    return lambda: int.from_bytes(hmac.digest(secret, b"%d" % next(counter), hashlib.sha256)[:6], "big") / 2**48
