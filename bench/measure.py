"""How everything here is measured: both sides in turn, several times, and the median of each.

Flush times and a shared machine's mood swing by a factor; what is compared runs minutes apart at the most.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `reach` says what is aimed at; `ours` and `peer` are in `unit`."""

    what: str
    against: str
    ours: float
    peer: float
    unit: str
    ratio: float
    reach: str


def interleaved(ours: Callable[[], float], peer: Callable[[], float], rounds: int) -> tuple[float, float, float]:
    """Medians of both sides and the median of their ratios, pair by pair."""
    pairs = [(ours(), peer()) if number % 2 else _turned(peer, ours) for number in range(rounds)]
    mine, theirs = zip(*pairs, strict=True)
    return statistics.median(mine), statistics.median(theirs), statistics.median(a / b for a, b in pairs)


def _turned(first: Callable[[], float], second: Callable[[], float]) -> tuple[float, float]:
    theirs = first()
    return second(), theirs
