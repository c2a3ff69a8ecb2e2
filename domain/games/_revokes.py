"""Revokes, for tables that play as with real cards: section 6 of polignac.md. Read beside it: polignac.py.

Whether a card revoked is stored nowhere: it shows in the hand and in what its seat played later.
"""

from __future__ import annotations

from typing import Any, Protocol

from domain.rules import Word

MOST_REJECTED = 3  # (6.5)


class Rules(Protocol):
    @property
    def revoke_penalty(self) -> str: ...


class Table(Protocol):
    """What a claim reads and changes of a Deal."""

    @property
    def options(self) -> Rules: ...

    seats: list[int]
    hands: list[list[str]]
    phase: str
    waiting: list[int]
    trick: list[tuple[int, str]]
    tricks: list[list[tuple[int, str]]]
    winners: list[int]
    taken: dict[str, int]
    bound: list[int]
    settled: list[list[int]]
    rejected: list[int]
    revokes: list[int]
    lost: int | None
    news: list[dict[str, Any]]


def tricks(d: Table) -> list[list[tuple[int, str]]]:
    """Every trick so far, the one on the table included."""
    return [*d.tricks, d.trick] if d.trick else d.tricks


def claims(d: Table, seat: int) -> list[Word]:
    """What the seat may say about revokes: for every off-suit play of another seat, and for its own revokes (6.2)."""
    if d.phase not in ("play", "claims") or seat not in d.seats or (d.phase == "claims" and seat not in d.waiting):
        return []
    plays = _off_suit(d)
    words = [f"admit {number}" for offender, number in plays if offender == seat and _revoked(d, seat, number)]
    if d.rejected[seat] < MOST_REJECTED:
        words += [f"claim {offender} {number}" for offender, number in plays if offender != seat]
    return words


def _off_suit(d: Table) -> list[tuple[int, int]]:
    """(seat, trick) of every play that did not follow and is not settled."""
    return [
        (seat, number)
        for number, trick in enumerate(tricks(d), 1)
        for seat, card in trick
        if card[1] != trick[0][1][1] and [seat, number] not in d.settled
    ]


def _revoked(d: Table, seat: int, number: int) -> bool:
    """Whether the seat held the suit led; a card that had left the hand before is no proof (6.5)."""
    suit = tricks(d)[number - 1][0][1][1]
    later = [card for trick in tricks(d)[number:] for other, card in trick if other == seat]
    return any(card[1] == suit for card in d.hands[seat] + later)


def accuse(d: Table, seat: int, word: Word) -> None:
    """`claim S T` or `admit T`: rejected, taken back, or punished."""
    verb, *numbers = word.split(" ")
    offender, number = (int(numbers[0]), int(numbers[1])) if verb == "claim" else (seat, int(numbers[0]))
    upheld = _revoked(d, offender, number)
    d.news = [{"what": "revoke" if upheld else "no_revoke", "seat": offender, "trick": number}]
    if not upheld:
        d.rejected[seat] += 1
        d.settled.append([offender, number])
    elif number == len(tricks(d)):
        _take_back(d, offender, number)
    else:
        _punish(d, offender, number)


def _take_back(d: Table, offender: int, number: int) -> None:
    """The next trick is not led yet: the card goes back, and all that were played after it in the trick (6.3)."""
    if not d.trick:
        _undo_trick(d)
    at = next(index for index, (seat, _) in enumerate(d.trick) if seat == offender)
    back, d.trick = d.trick[at:], d.trick[:at]
    for seat, card in back:
        d.hands[seat].append(card)
    d.settled = [[seat, trick] for seat, trick in d.settled if trick != number or seat not in dict(back)]
    d.bound.append(offender)
    d.waiting = [seat for seat, _ in back] + d.waiting


def _undo_trick(d: Table) -> None:
    d.trick = d.tricks.pop()
    d.winners.pop()
    for _, card in d.trick:
        d.taken.pop(card, None)
    d.waiting = []


def _punish(d: Table, offender: int, number: int) -> None:
    """Too late to play anew: points, or the match (6.4)."""
    d.settled.append([offender, number])
    if d.options.revoke_penalty == "match":
        d.lost, d.phase, d.waiting = offender, "over", []
    else:
        d.revokes.append(offender)
