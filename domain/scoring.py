"""From a match's events to ledger transfers: pure, so that the ledger can always be rebuilt and compared.

Read beside it: match.py (scored, ended, voided), store/ledger.py (where they are posted once).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Posting:
    """One side of a transfer. `amount` is an integer in units of 1/scale point of its transfer."""

    account: str
    amount: int
    seat: int | None = None
    player: str | None = None
    member: str | None = None


@dataclass(frozen=True, slots=True)
class Transfer:
    """Points that move at once: the postings sum to zero. `id` is derived from the cause, so posting twice is one."""

    id: str
    kind: str  # game | result | reversal, and those of leagues
    match: str
    version: int  # of the event that caused it
    reason: str
    postings: tuple[Posting, ...]
    scale: int = 1
