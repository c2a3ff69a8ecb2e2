"""What an append means for one player: what his streams tell and his webhooks are sent, redacted as everywhere.

Read beside it: seen.py (what of an event leaves), match.py. An item is {"type", "match", "version", "seat"?, "legal"?,
"deal"?, "event"?}; `version` is that of the event it is about, and of a `turn` that at which the word is owed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from domain import decide, seen
from domain.event import Event
from domain.match import Match, apply, asked

Item = dict[str, Any]

TYPES = {
    "event": "an event of a match in which you have to do",
    "invited": "a seat is kept for you",
    "started": "the first deal is dealt",
    "turn": "you owe a word; told again at each version at which you still do",
    "nonce": "a deal of a fair match waits for your nonce; told again at each version at which it still does",
    "ended": "the match is over, played or voided",
}


def concerned(m: Match) -> list[str]:
    """Whoever is told of a match: its host, and the accounts that sit or are invited."""
    return list(dict.fromkeys([m.opened["host"], *seen.people(m)]))


def before(match: str, events: Iterable[Event], player: str | None) -> int:
    """The last version at which the player had nothing to do with a match, which he has by now; 0 if he always had.

    `events` are the match's from the first on; those after the first deal are not looked at, for nobody comes then.
    """
    m, version = Match(match), 0
    for event in events:
        if m.status != "open":
            break
        apply(m, event)
        if player not in concerned(m):
            version = m.version
    return version


def news(m: Match, events: Sequence[Event], player: str | None) -> list[Item]:
    """What these events of one append mean for the player; `m` stands where the last of them left it.

    Nothing for whoever has nothing to do with the match, any more.
    """
    if player not in concerned(m):
        return []
    return [item for event in events for item in _of_event(m, event, player)] + [*owed(m, player)]


def owed(m: Match, player: str | None) -> Iterator[Item]:
    """The `turn` of a player who owes a word now, or the `nonce` of one who owes that."""
    seat = m.seat_of(player)
    if seat is not None and m.committed and seat in m.awaiting:
        yield _item(m, "nonce", m.version, seat=seat, deal=m.committed["deal"])
    if seat is not None and seat in asked(m):
        yield _item(m, "turn", m.version, seat=seat, legal=decide.legal(m, seat))


def offered(m: Match, player: str | None, version: int = 1) -> Iterator[Item]:
    """The `invited` of a player for whom a seat is kept."""
    seat = m.seat_of(player)
    if seat is not None and m.status == "open" and not m.seats[seat].accepted:
        yield _item(m, "invited", version, seat=seat)


def _of_event(m: Match, event: Event, player: str | None) -> Iterator[Item]:
    shown = seen.event(m, event, player)
    yield _item(m, "event", event.version, event=shown)
    if event.type == "opened":
        yield from offered(m, player, event.version)
    if event.type == "dealt" and event.data["deal"] == 1:
        yield _item(m, "started", event.version)
    if event.type in ("ended", "voided"):
        yield _item(m, "ended", event.version, event=shown)


def _item(m: Match, kind: str, version: int, **facts: Any) -> Item:
    return {"type": kind, "match": m.id, "version": version, **facts}
