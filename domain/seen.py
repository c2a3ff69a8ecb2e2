"""Matches and events as somebody sees them: what REST, streams, records and bots are given, and nothing else.

A deal lies open once it is scored, or once the match has ended or was voided. Read beside it: secrecy.py, api.md.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from domain import decide, errors
from domain.event import Event
from domain.match import Match, Seat, deadlines
from domain.secrecy import EVERYTHING, Eyes, options_json, view_for


def eyes_of(m: Match, player: str | None) -> int | None:
    """The seat whose cards this player may see: one that sits, and has not resigned."""
    seat = m.seat_of(player)
    return seat if seat is not None and m.seats[seat].accepted and not m.seats[seat].resigned else None


def may_know(m: Match, player: str | None) -> bool:
    """Whether the player may know of the match at all: private ones are for those who have to do with it."""
    if m.opened["visibility"] != "private" or player in (m.opened["host"], *people(m)):
        return True
    opens_at = m.opened.get("opens_at")  # of a match of an event
    return m.now is not None and opens_at is not None and m.now >= datetime.fromisoformat(opens_at)


def people(m: Match) -> list[str]:
    """The accounts that sit or are invited."""
    return [seat.player for seat in m.seats if seat.player]


def is_open(m: Match, version: int) -> bool:
    """Whether the deal to which an event of this version belongs lies open by now."""
    return m.over or version <= m.open_through


def chosen_eyes(latest: Match, then: Match, player: str | None, asked: str) -> Eyes:
    """What `?eyes=` means at a version: `own` what the caller could see; a seat's number or `all` of an open deal.

    Raises NotYetOpenError, or NoSuchSeatError for a seat that the match has not.
    """
    if asked == "own":
        return EVERYTHING if is_open(then, then.dealt_at) else eyes_of(then, player)
    if not is_open(latest, then.dealt_at):
        raise errors.NotYetOpenError("this deal does not lie open yet", version=latest.version)
    if asked == EVERYTHING:
        return EVERYTHING
    if not asked.isdecimal() or int(asked) >= len(latest.seats):
        raise errors.NoSuchSeatError(f"the match has seats 0 to {len(latest.seats) - 1}, not {asked[:20]!r}")
    return int(asked)


def match(m: Match, player: str | None, eyes: Eyes) -> dict[str, Any]:
    """A match as the API shows it; players are ids. `eyes` see the deal, `player` is the caller."""
    head = m.opened
    return {
        "id": m.id,
        "game": m.game.id,
        "variant": head["variant"],
        "rules": head["rules"],
        "options": options_json(m.options),
        "status": m.status,
        "version": m.version,
        "host": head["host"],
        "visibility": head["visibility"],
        "rated": head["rated"],
        "clock": head["clock"],
        "fair": head["fair"],
        "prepared": bool(head.get("packs")),
        "imported": bool(head.get("imported")),
        "season": head.get("season"),
        "table": head.get("table"),
        "seats": [_seat(number, seat, player) for number, seat in enumerate(m.seats)],
        "totals": m.totals[:],
        "deals": m.deals,
        "deal": _awaited(m) if m.committed else _deal(m, player, eyes) if m.dealt else None,
        "result": m.result,
        "created_at": m.times.get("created"),
        "started_at": m.times.get("started"),
        "ended_at": m.times.get("ended"),
    }


def _seat(number: int, seat: Seat, player: str | None) -> dict[str, Any]:
    return {
        "seat": number,
        "player": seat.player,
        "label": None,  # of an imported match: kept where it can be erased
        "bot": seat.bot,
        "open": seat.player is None and not seat.ready,
        "accepted": seat.ready,
        "resigned": seat.resigned,
        "replaced_by": seat.replaced_by,
        "you": player is not None and seat.player == player,
    }


def _deal(m: Match, player: str | None, eyes: Eyes) -> dict[str, Any]:
    dealt, seat, asked = m.dealt or {}, eyes_of(m, player), m.to_act
    return {
        "number": dealt["deal"],
        "extra": dealt["extra"],
        "dealer": dealt["dealer"],
        "seats": dealt["seats"],
        "commitment": dealt["commitment"],
        "to_act": asked,
        "your_turn": seat in asked,
        "deadlines": _deadlines(m),
        "legal": decide.legal(m, seat) if seat is not None else [],
        "view": view_for(m.deal, eyes),
    }


def _awaited(m: Match) -> dict[str, Any]:
    """A deal that is promised and waits for nonces, or did when the match ended: nobody has a card."""
    promise = m.committed or {}
    return {
        "number": promise["deal"],
        "extra": promise["extra"],
        "seats": promise["seats"],
        "commitment": promise["commitment"],
        "awaiting_nonces": m.awaiting,
        "to_act": [],
        "your_turn": False,
        "deadlines": _deadlines(m),
        "legal": [],
    }


def _deadlines(m: Match) -> list[dict[str, Any]]:
    banks = m.clocks.banks if m.clocks else []
    return [{"seat": seat, "at": at, "bank_seconds": banks[seat]} for at, seat in deadlines(m)]


def event(m: Match, stored: Event, player: str | None) -> dict[str, Any]:
    """An event as the API shows it to the caller, given the match as it stands now."""
    return {
        "version": stored.version,
        "type": stored.type,
        "at": stored.at,
        **_SHOW[stored.type](m, stored, player),
        "hash": stored.hash if _hash_is_safe(m, stored.version) else None,
    }


def _all_of_it(m: Match, stored: Event, player: str | None) -> dict[str, Any]:
    return stored.data


def _opened(m: Match, stored: Event, player: str | None) -> dict[str, Any]:
    return {name: value for name, value in stored.data.items() if name != "packs" or packs_used(m)}


def _dealt(m: Match, stored: Event, player: str | None) -> dict[str, Any]:
    if is_open(m, stored.version):
        return stored.data
    return {name: value for name, value in stored.data.items() if name in _ON_THE_TABLE}


_ON_THE_TABLE = {"deal", "extra", "dealer", "seats", "commitment"}  # seed, pack and whatever else is not


def _moved(m: Match, stored: Event, player: str | None) -> dict[str, Any]:
    seat, word = stored.data["seat"], stored.data["move"]
    face_down = word.split(" ")[0] in m.game.FACE_DOWN and not is_open(m, stored.version) and eyes_of(m, player) != seat
    how = {"how": stored.data["how"]} if "how" in stored.data and is_open(m, stored.version) else {}
    return {"seat": seat, "move": None if face_down else word, **how}


# A type that is not here is shown to nobody.
_SHOW: dict[str, Callable[[Match, Event, str | None], dict[str, Any]]] = {
    "opened": _opened, "seated": _all_of_it, "left": _all_of_it, "committed": _dealt, "nonce": _all_of_it,
    "dealt": _dealt, "moved": _moved, "scored": _all_of_it, "resigned": _all_of_it, "replaced": _all_of_it,
    "takeback_asked": _all_of_it, "takeback_consented": _all_of_it, "takeback_refused": _all_of_it,
    "taken_back": _all_of_it, "expired": _all_of_it, "ended": _all_of_it, "voided": _all_of_it,
}  # fmt: skip


def packs_used(m: Match) -> bool:
    """Whether every prepared pack lies open: until then none is served, nor any hash that depends on them."""
    return m.over or m.deals >= len(m.opened.get("packs") or [])


def _hash_is_safe(m: Match, version: int) -> bool:
    """A face-down word has few candidates, and a hash would give it away: none is shown until the deal is open."""
    return packs_used(m) and (is_open(m, version) or version < m.sealed_at or not m.sealed_at)
