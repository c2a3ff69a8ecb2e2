"""From a season's events to ledger transfers, in units of 1/60 point: pure, so that the ledger can always be rebuilt.

A result is one transfer from the season's bank to the members whose points they are, by seat. A correction is the
mirror of what stood, on every account, and a new transfer. A changed scheme does the same with every result. Read
beside it: scoring.py (the same for matches), schemes.py (what a result is worth), store/ledger.py (where it is posted).

    season_transfers("se1", events)         # everything the ledger holds for these events, in order
    sums(season)                            # member -> units, as the ledger must have it
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from domain.event import Event
from domain.schemes import SCALE, worth
from domain.scoring import Posting, Transfer, mirror, transfer_id
from domain.season import Adjustment, Result, Season, apply, credited

KINDS = {"raw": "game", "average": "game", "places": "placement", "wins": "placement"}


def season_transfers(season: str, events: Iterable[Event]) -> list[Transfer]:
    """All transfers of a season; `match` is the season's id, `version` that of the event which caused it."""
    s, ledger = Season(season), _Ledger()
    for event in events:
        apply(s, event)
        data = event.data
        if event.type in ("result_recorded", "corrected"):
            ledger.repost(s, s.results[data["result"]])
        elif event.type == "scheme_changed":
            for result in s.results.values():
                ledger.repost(s, result)
        elif event.type == "adjusted":
            ledger.post(_adjustment(s, s.adjustments[data["adjustment"]]))
        elif event.type == "adjustment_cancelled":
            ledger.reverse(f"adjustment:{data['adjustment']}", event.version)
    return ledger.made


class _Ledger:
    """The transfers so far, and which of them stands for each cause."""

    def __init__(self) -> None:
        self.made: list[Transfer] = []
        self.standing: dict[str, Transfer] = {}

    def post(self, transfer: Transfer) -> None:
        self.made.append(transfer)
        self.standing[transfer.reason] = transfer

    def reverse(self, reason: str, version: int) -> None:
        if reason in self.standing:
            self.made.append(mirror(self.standing.pop(reason), version))

    def repost(self, s: Season, result: Result) -> None:
        """What stood for the result goes back; what it is worth now comes instead, if anything."""
        self.reverse(f"result:{result.id}", s.version)
        if not result.now.void:
            self.post(_result(s, result))


def _result(s: Season, result: Result) -> Transfer:
    postings = [
        Posting(_account(s, member), amount, seat, s.members[member].player, member)
        for seat, (member, amount) in enumerate(zip(credited(result.seats), result_worth(s, result), strict=True))
    ]
    return _transfer(s, KINDS[s.scheme["kind"]], f"result:{result.id}", postings, result.ended_at)


def _adjustment(s: Season, made: Adjustment) -> Transfer:
    posting = Posting(_account(s, made.member), made.units, None, s.members[made.member].player, made.member)
    return _transfer(s, made.kind, f"adjustment:{made.id}", [posting], made.effective_at)


def _transfer(s: Season, kind: str, reason: str, to: list[Posting], effective_at: datetime | None) -> Transfer:
    """From the season's bank, so that all of it sums to zero."""
    bank = Posting(f"season:{s.id}:bank", -sum(posting.amount for posting in to))
    name = transfer_id(s.id, s.version, kind, reason)
    return Transfer(name, kind, s.id, s.version, reason, (bank, *to), SCALE, effective_at)


def _account(s: Season, member: str) -> str:
    return f"season:{s.id}:member:{member}"


def result_worth(s: Season, result: Result) -> list[int]:
    """What a result that is not void is worth now under the season's scheme, by seat, in units."""
    now = result.now
    return worth(s.scheme, now.points or [], now.places or [], s.game.LOW_WINS)


def sums(s: Season) -> dict[str, int]:
    """What each member's account must hold: all results and adjustments, nothing dropped, no averages."""
    found = dict.fromkeys(s.members, 0)
    for result in s.results.values():
        if not result.now.void:
            for member, amount in zip(credited(result.seats), result_worth(s, result), strict=True):
                found[member] += amount
    for made in s.adjustments.values():
        found[made.member] += 0 if made.cancelled else made.units
    return found
