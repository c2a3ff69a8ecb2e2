"""From a match's events to ledger transfers: pure, so that the ledger can always be rebuilt and compared.

Every line of a scored deal moves its points from the match's bank to the seat's account. The end moves each seat's
total on to the standing account of whoever sat there; a void moves everything back, line by line.
Read beside it: house.py (scored, ended, voided), store/ledger.py (where they are posted once).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from domain.event import Event
from domain.match import Match, apply


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
    match: str  # or the season
    version: int  # of the event that caused it
    reason: str
    postings: tuple[Posting, ...]
    scale: int = 1
    effective_at: datetime | None = None  # of a season's lines; None: when the event that caused it was recorded


def transfers(match: str, events: Iterable[Event]) -> list[Transfer]:
    """Everything the ledger holds for these events of one match, in order."""
    m, made = Match(match), list[Transfer]()
    for event in events:
        apply(m, event)
        if m.opened.get("imported"):
            return []  # it was somebody else's books
        if event.type == "scored" and not (event.data["extra"] and m.game.EXTRA_AMONG_TIED):  # those are not added
            made += _lines(m, event)
        elif event.type == "ended":
            made += _results(m, event)
        elif event.type == "voided":
            made += [mirror(each, event.version) for each in made]
    return made


def _lines(m: Match, event: Event) -> list[Transfer]:
    return [
        _transfer(
            m, event, "game", number, line["reason"], f"match:{m.id}:bank", _seat(m, line["seat"], line["points"])
        )
        for number, line in enumerate(event.data["lines"])
    ]


def _results(m: Match, event: Event) -> list[Transfer]:
    """The seat's account is closed: what it holds goes to the player's, or the bot's, account for this game."""
    made = []
    for seat, total in enumerate(event.data["totals"]):
        who = m.seats[seat]
        account = f"player:{who.player}:{m.game.id}" if who.player else f"bot:{who.bot}:{m.game.id}"
        posting = Posting(account, total, seat, who.player)
        made += (
            [_transfer(m, event, "result", seat, event.data["reason"], _seat(m, seat, 0).account, posting)]
            if total
            else []
        )
    return made


def _seat(m: Match, seat: int, points: int) -> Posting:
    return Posting(f"match:{m.id}:seat:{seat}", points, seat, m.seats[seat].player)


def _transfer(m: Match, event: Event, kind: str, number: int, reason: str, source: str, to: Posting) -> Transfer:
    giving = Posting(source, -to.amount)
    return Transfer(transfer_id(m.id, event.version, kind, number), kind, m.id, event.version, reason, (giving, to))


def mirror(transfer: Transfer, version: int) -> Transfer:
    """The same transfer the other way round, on every account."""
    back = tuple(replace(posting, amount=-posting.amount) for posting in transfer.postings)
    name = transfer_id(transfer.match, version, "reversal", transfer.id)
    return replace(transfer, id=name, kind="reversal", version=version, postings=back)


def transfer_id(match: str, version: int, kind: str, number: int | str) -> str:
    """From the cause alone, so that the same cause is posted once."""
    return hashlib.sha256(f"{match}/{version}/{kind}/{number}".encode()).hexdigest()[:32]
