"""What an append to a season means to those who have to do with it, as their webhooks are told.

Read beside it: news.py (the same for matches), season.py. An item is {"type", "season", "league", "version", …}.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from domain.event import Event
from domain.season import MOVES_POINTS, Season

Item = dict[str, Any]

TYPES = {
    "result": "a result of a season in which you have to do counts, was corrected, or is void",
    "standings": "points of such a season moved, its scheme changed, or it was closed or opened again",
}
MOVES_TABLE = MOVES_POINTS | {"scheme_changed", "closed", "reopened"}


def players(s: Season) -> list[str]:
    """The accounts of the active members."""
    return [member.player for member in s.members.values() if member.active and member.player]


def news(s: Season, events: Sequence[Event]) -> list[Item]:
    """What these events say; `s` stands at the last of them, or later. The table is told of once, with the last."""
    items = [item for event in events for item in _of_event(s, event)]
    moved = [event for event in events if event.type in MOVES_TABLE]
    if moved:
        closed = [event for event in moved if event.type in ("closed", "reopened")]
        status = {"closed": "closed", "reopened": "open"}.get(closed[-1].type) if closed else None
        items.append(_item(s, "standings", moved[-1].version, status=status or s.status))
    return items


def _of_event(s: Season, event: Event) -> Iterator[Item]:
    if event.type in ("result_recorded", "corrected"):
        name = event.data["result"]
        result = s.results[name]
        yield _item(
            s, "result", event.version, result=name, source=result.source, table=result.table,
            void=event.data["points"] is None, points=event.data["points"], places=event.data["places"],
            members=[sitting.json() for sitting in result.seats],
        )  # fmt: skip


def _item(s: Season, kind: str, version: int, **facts: Any) -> Item:
    return {"type": kind, "season": s.id, "league": s.opened["league"], "version": version, **facts}
