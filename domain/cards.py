"""Cards are words ("JS", "17", "A13"); packs stand in one fixed order; a shuffle is a function of its key.

Read beside it: fairness.py, which makes the key, and docs/fairness.md, which says every byte.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence

SUITS = "CDHS"
RANKS = "A23456789TJQK"
SCHEME = b"tapete-1"


def french(ranks: Iterable[str] = RANKS) -> list[str]:
    """The French pack of these ranks in canonical order: suits C D H S, in each A 2 3 … T J Q K."""
    kept = set(ranks)
    return [rank + suit for suit in SUITS for rank in RANKS if rank in kept]


def numbers(key: bytes, label: bytes) -> Iterator[int]:
    """An endless stream of 32-bit words: HMAC-SHA256(key, scheme label counter), big-endian."""
    counter = 0
    while True:
        block = hmac.digest(key, SCHEME + label + counter.to_bytes(4, "big"), hashlib.sha256)
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


def uniform(stream: Iterator[int], below: int) -> int:
    """A whole number from 0 to `below` - 1, each equally likely: words that would favour some are skipped."""
    limit = 2**32 - 2**32 % below
    return next(word for word in stream if word < limit) % below


def shuffled(pack: Sequence[str], key: bytes) -> list[str]:
    """The pack as the key shuffles it; index 0 is the top card."""
    cards, stream = list(pack), numbers(key, b"/pack\0")
    for last in range(len(cards) - 1, 0, -1):
        other = uniform(stream, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def drawn_dealer(key: bytes, seats: int) -> int:
    """The dealer of the first deal, drawn with the first shuffle."""
    return uniform(numbers(key, b"/dealer\0"), seats)
