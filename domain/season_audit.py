"""A season's events, doubted: whether they can be applied, and whether what was recorded of sums is what follows.

Read beside it: audit.py (the same for matches), store/audits.py (ledger and ratings, held against the events).
"""

from __future__ import annotations

from collections.abc import Iterable

from domain.audit import Fault
from domain.event import Event
from domain.schemes import SCALE
from domain.season import Season, apply
from domain.season_scoring import sums
from domain.standings import standings


def audit(season: str, events: Iterable[Event]) -> list[Fault]:
    """Every fault of a whole history; nothing when all is well. Stops where an event cannot be applied."""
    s, faults = Season(season), list[Fault]()
    for event in events:
        if event.version != s.version + 1:
            return [*faults, Fault(s.version + 1, f"version {s.version + 1} is missing")]
        if (s.version == 0) != (event.type == "opened"):
            return [*faults, Fault(event.version, "a history begins with opened, once")]
        try:
            apply(s, event)
        except (LookupError, TypeError, ValueError, AttributeError) as broken:
            return [*faults, Fault(event.version, f"{event.type} cannot be applied: {broken!r}")]
        if event.type == "closed" and event.data["sums"] != sums(s):
            faults.append(Fault(event.version, f"closed with {event.data['sums']}, not with {sums(s)}"))
    return faults + _table(s)


def _table(s: Season) -> list[Fault]:
    """Where nothing is dropped and no mean is taken, a member's score is the sum of his lines."""
    if not s.version or s.scheme["drop_worst"] or s.scheme["kind"] == "average":
        return []
    held = sums(s)
    return [
        Fault(s.version, f"{row.member} stands at {row.score}, his lines come to {held[row.member]}/{SCALE}")
        for row in standings(s).rows
        if (row.score or 0) * SCALE != held[row.member]
    ]
