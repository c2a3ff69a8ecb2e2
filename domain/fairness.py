"""The promise behind a shuffle: commitment, key, verification. docs/fairness.md gives the bytes and test vectors."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from domain import cards

MOST_BYTES = 64  # of a nonce


def _sized(text: bytes) -> bytes:
    return len(text).to_bytes(2, "big") + text


def _name(match: str, deal: int) -> bytes:
    return _sized(match.encode()) + deal.to_bytes(4, "big")


def commitment(seed: bytes, match: str, deal: int) -> str:
    """What is shown before the first move: a hash (hex) that fixes the seed (32 bytes) without telling it."""
    return hashlib.sha256(cards.SCHEME + b"/commit\0" + _name(match, deal) + seed).hexdigest()


def key(seed: bytes, match: str, deal: int, nonces: Sequence[bytes] = ()) -> bytes:
    """The shuffle's key: the server's seed with the players' nonces, by seat; none unless the match asks for them."""
    text = cards.SCHEME + b"/deal\0" + _name(match, deal) + bytes([len(nonces)]) + b"".join(map(_sized, nonces))
    return hmac.digest(seed, text, hashlib.sha256)


def verify(
    pack: Sequence[str],
    canonical: Sequence[str],
    seed: bytes,
    match: str,
    deal: int,
    committed: str,
    nonces: Sequence[bytes] = (),
) -> list[str]:
    """What does not fit between a shown pack, its seed and its commitment; nothing when all is well."""
    faults = []
    if commitment(seed, match, deal) != committed:
        faults.append("the seed does not give the commitment")
    if cards.shuffled(canonical, key(seed, match, deal, nonces)) != list(pack):
        faults.append("the seed does not give the pack")
    return faults
