"""The same events, doubted: every word, score, shuffle and place recomputed under the match's own rules number.

What was recorded stands; a fault is a mismatch between what was recorded and what these rules make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from domain import cards, fairness, house
from domain.event import Event
from domain.match import Match, apply


class Fault(NamedTuple):
    """What is wrong, at which version."""

    version: int
    what: str


def audit(match: str, events: Iterable[Event]) -> list[Fault]:
    """Every fault of a whole history, in order; nothing when all is well. Stops where an event cannot be applied."""
    m, faults = Match(match), []
    for event in events:
        try:
            faults += [Fault(event.version, what) for what in _doubts(m, event)]
            apply(m, event)
        except (LookupError, TypeError, ValueError, AttributeError) as broken:
            return [*faults, Fault(event.version, f"{event.type} cannot be applied: {broken!r}")]
    return faults


def _doubts(m: Match, event: Event) -> list[str]:
    if event.version != m.version + 1:
        return [f"version {m.version + 1} is missing"]
    if (m.version == 0) != (event.type == "opened"):
        return ["a history begins with opened, once"]
    owed = _owed(m)
    if owed and event.type not in (owed, "voided", "resigned", "replaced"):
        return [f"{owed} is missing"]
    return _DOUBT.get(event.type, _no_doubt)(m, event.data)


def _owed(m: Match) -> str | None:
    """The event that the house had to add at once."""
    if m.status != "playing" or m.to_act:
        return None
    if m.game.forfeit(m.deal) is not None:
        return "ended"
    if m.open_through < m.dealt_at:
        return "scored"
    return "dealt" if house.next_deal(m) else "ended"


def _no_doubt(m: Match, data: dict[str, Any]) -> list[str]:
    return []


def _moved(m: Match, data: dict[str, Any]) -> list[str]:
    words = m.game.legal(m.deal, data["seat"]) if m.status == "playing" else []
    return [] if data["move"] in words else [f"{data['move']!r} was not legal for seat {data['seat']}"]


def _dealt(m: Match, data: dict[str, Any]) -> list[str]:
    found = house.next_deal(m) if m.status == "playing" else house.first_deal(m)
    if found is None:
        return ["no deal was due"]
    seats, extra = found
    options = m.game.for_extra(m.options) if extra else m.options
    canonical = m.game.pack(options, seats)
    faults = [] if (data["seats"], data["extra"]) == (seats, extra) else [f"the deal was due to seats {seats}"]
    if data["seed"] is None:
        prepared = (m.opened.get("packs") or [])[m.deals : m.deals + 1]
        faults += [] if [data["pack"]] == prepared else ["the pack is not the one that was prepared"]
        first = m.opened.get("dealer", 0)
    else:
        seed, name = bytes.fromhex(data["seed"]), data["shuffled_as"]
        faults += fairness.verify(data["pack"], canonical, seed, name, data["deal"], data["commitment"])
        first = cards.drawn_dealer(fairness.key(seed, name, data["deal"]), len(m.seats))
    dealer = house.next_dealer(m, seats, first)
    return faults if data["dealer"] == dealer else [*faults, f"seat {dealer} was due to deal"]


def _scored(m: Match, data: dict[str, Any]) -> list[str]:
    due = house.scored(m)
    return [f"{name} should be {due[name]!r}" for name in due if _plain(data[name]) != _plain(due[name])]


def _ended(m: Match, data: dict[str, Any]) -> list[str]:
    loser = m.game.forfeit(m.deal) if data["reason"] == "revoke" else None
    due = {"places": house.places(m, loser), "totals": m.totals}
    return [f"{name} should be {due[name]}" for name in due if data[name] != due[name]]


def _plain(value: Any) -> Any:
    """Tuples as JSON has them."""
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return {name: _plain(entry) for name, entry in value.items()} if isinstance(value, dict) else value


_DOUBT: dict[str, Callable[[Match, dict[str, Any]], list[str]]] = {
    "moved": _moved, "dealt": _dealt, "scored": _scored, "ended": _ended,
}  # fmt: skip
