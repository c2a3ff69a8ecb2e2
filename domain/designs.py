"""Cyclic schedules: seasons of one-table sittings in which every pair meets equally often. Read beside it: pairing.py.

v members, tables of k: sitting i is the base block plus i modulo v, the seat is the position in the block. Every pair
meets λ times, and everybody sits once in every seat. Any two sittings share a member, so no two are ever at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.pairing import Draw
from domain.season_errors import NoDesignError

BLOCKS = {  # (v, k): the base block; λ = k (k - 1) / (v - 1)
    (7, 3): (0, 1, 3),
    (7, 4): (2, 4, 5, 6),
    (13, 4): (0, 1, 3, 9),
    (11, 5): (1, 3, 4, 5, 9),
    (21, 5): (3, 6, 7, 12, 14),
    (11, 6): (0, 2, 6, 7, 8, 10),
    (31, 6): (1, 5, 11, 24, 25, 27),
}


def cyclic(members: Sequence[str], seats: int) -> list[Draw]:
    """One sitting of one table a member; the others sit out. Raises NoDesignError."""
    block = BLOCKS.get((len(members), seats))
    if block is None:
        known = [{"members": v, "seats": k} for v, k in BLOCKS]
        raise NoDesignError(f"no cyclic schedule for {len(members)} members at tables of {seats}", designs=known)
    sittings = [[members[(place + turn) % len(members)] for place in block] for turn in range(len(members))]
    return [Draw([table], [member for member in members if member not in table]) for table in sittings]
