"""The same events, doubted: every word, score, shuffle and place recomputed under the match's own rules number.

What was recorded stands; a fault is a mismatch between what was recorded and what these rules make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from domain import cards, errors, fairness, house, takebacks
from domain.decide import legal
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
    if m.takeback and not m.takeback["awaiting"] and event.type != "taken_back":
        return ["taken_back is missing"]
    owed = _owed(m)
    if owed and event.type not in (owed, "voided", "resigned", "replaced"):
        return [f"{owed} is missing"]
    if m.awaiting and event.type not in ("nonce", "voided", "resigned", "replaced", "ended"):
        return [f"{event.type} while nonces were awaited"]
    return _DOUBT.get(event.type, _no_doubt)(m, event.data)


def _owed(m: Match) -> str | None:
    """The event that the house had to add at once."""
    if m.status == "playing" and sum(not seat.resigned for seat in m.seats) <= 1:
        return "ended"
    if m.status != "playing" or m.to_act:
        return None
    if m.committed:
        at_once = any(m.seats[seat].driver for seat in m.awaiting)
        return "nonce" if at_once else None if m.awaiting else "dealt"
    if m.game.forfeit(m.deal) is not None:
        return "ended"
    if m.open_through < m.dealt_at:
        return "scored"
    return ("committed" if m.opened.get("fair") else "dealt") if house.next_deal(m) else "ended"


def _no_doubt(m: Match, data: dict[str, Any]) -> list[str]:
    return []


def _moved(m: Match, data: dict[str, Any]) -> list[str]:
    return [] if data["move"] in legal(m, data["seat"]) else [f"{data['move']!r} was not legal for seat {data['seat']}"]


def _takeback_asked(m: Match, data: dict[str, Any]) -> list[str]:
    try:
        due = takebacks.asked(m, data["seat"])
    except errors.RefusedError as refusal:
        return [str(refusal)]
    return [f"{name} should be {due[name]}" for name in due if data[name] != due[name]]


def _takeback_answered(m: Match, data: dict[str, Any]) -> list[str]:
    awaited = m.takeback and data["seat"] in m.takeback["awaiting"]
    return [] if awaited else [f"nobody awaited what seat {data['seat']} says"]


def _taken_back(m: Match, data: dict[str, Any]) -> list[str]:
    asked = m.takeback or {"seat": None, "word": None, "awaiting": []}
    said = [asked["seat"], asked["word"], asked["awaiting"]]
    return [] if said == [data["seat"], data["word"], []] else ["nobody had to give this word back"]


def _committed(m: Match, data: dict[str, Any]) -> list[str]:
    found = _due(m, data) + _own_name(m, data)
    if not m.opened.get("fair"):
        found.append("this match asks for no nonces")
    if fairness.commitment(bytes.fromhex(data["seed"]), data["shuffled_as"], data["deal"]) != data["commitment"]:
        found.append("the seed does not give the commitment")
    return found


def _nonce(m: Match, data: dict[str, Any]) -> list[str]:
    if not m.committed or data["deal"] != m.committed["deal"] or data["seat"] not in m.awaiting:
        return [f"seat {data['seat']} owed no nonce for deal {data['deal']}"]
    given = bytes.fromhex(data["nonce"])
    return [] if len(given) <= fairness.MOST_BYTES else [f"a nonce has at most {fairness.MOST_BYTES} bytes"]


def _dealt(m: Match, data: dict[str, Any]) -> list[str]:
    if m.committed:
        kept = ("deal", "extra", "seats", "commitment", "seed", "shuffled_as")
        faults = [f"{name} is not what was committed" for name in kept if data[name] != m.committed[name]]
        return faults + _shuffle(m, data, [bytes.fromhex(m.nonces[seat]) for seat in m.committed["seats"]])
    faults = ["the deal was not committed"] if m.opened.get("fair") else []
    if data["seed"] is not None:
        return faults + _due(m, data) + _own_name(m, data) + _shuffle(m, data, ())
    prepared = (m.opened.get("packs") or [])[m.deals : m.deals + 1]
    faults += [] if [data["pack"]] == prepared else ["the pack is not the one that was prepared"]
    return faults + _due(m, data) + _dealer(m, data, m.opened.get("dealer", 0))


def _due(m: Match, data: dict[str, Any]) -> list[str]:
    found = house.next_deal(m) if m.status == "playing" else house.first_deal(m)
    if found is None:
        return ["no deal was due"]
    number = m.dealt["deal"] + 1 if m.dealt else 1
    faults = [] if (data["seats"], data["extra"]) == found else [f"the deal was due to seats {found[0]}"]
    return faults if data["deal"] == number else [*faults, f"the deal was number {number}"]


def _own_name(m: Match, data: dict[str, Any]) -> list[str]:
    """A shuffle of another match, whose seed may be known already; an imported record keeps the original's name."""
    return [] if data["shuffled_as"] == m.id or m.opened.get("imported") else ["the shuffle is another match's"]


def _shuffle(m: Match, data: dict[str, Any], nonces: Sequence[bytes]) -> list[str]:
    canonical = m.game.pack(m.game.for_extra(m.options) if data["extra"] else m.options, data["seats"])
    seed, name = bytes.fromhex(data["seed"]), data["shuffled_as"]
    faults = fairness.verify(data["pack"], canonical, seed, name, data["deal"], data["commitment"], nonces)
    return faults + _dealer(m, data, cards.drawn_dealer(fairness.key(seed, name, data["deal"], nonces), len(m.seats)))


def _dealer(m: Match, data: dict[str, Any], first: int) -> list[str]:
    dealer = house.next_dealer(m, data["seats"], first)
    return [] if data["dealer"] == dealer else [f"seat {dealer} was due to deal"]


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
    "committed": _committed, "nonce": _nonce, "dealt": _dealt, "moved": _moved, "scored": _scored,
    "takeback_asked": _takeback_asked, "takeback_consented": _takeback_answered,
    "takeback_refused": _takeback_answered, "taken_back": _taken_back, "ended": _ended,
}  # fmt: skip
