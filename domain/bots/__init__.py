"""The house's players. A bot is asked what a seat may see, and draws from a random stream; never a Deal, never a seed.

`choose` is all that play.py calls. Read beside it: docs/bots.md; `advise` in a game module (the rule bot), search.py.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from functools import partial

from domain.bots.asked import Asked, Random, Said
from domain.bots.search import search
from domain.imagine import deal_seen


def at_random(asked: Asked, random: Random) -> Said:
    """Any word, each equally likely."""
    return Said(asked.words[int(random() * len(asked.words))])


def by_rule(asked: Asked, random: Random) -> Said:
    """What a decent player would say at a glance: the game's own advice, from what the seat sees."""
    return Said(asked.game.advise(deal_seen(asked.game, asked.view), asked.seat, asked.words))


BOTS: dict[str, Callable[[Asked, Random], Said]] = {
    "random": at_random,
    "rule": by_rule,
    "search": partial(search, worlds=32),
    "search_plus": partial(search, worlds=128),
}


def choose(bot: str, asked: Asked, random: Random) -> Said:
    """The bot's word, one of `asked.words`."""
    said = Said(asked.words[0]) if len(asked.words) == 1 else BOTS[bot](asked, random)
    assert said.word in asked.words, f"{bot} said {said.word!r} at {asked.game.id}"
    return said


def stream(secret: bytes) -> Random:
    """A random stream in [0, 1) of its own for one decision, from 32 secret bytes."""
    counter = iter(range(1 << 62))
    return lambda: int.from_bytes(hmac.digest(secret, b"%d" % next(counter), hashlib.sha256)[:6], "big") / 2**48
