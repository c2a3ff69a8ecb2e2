"""What the table refuses, by name. api/errors.py maps each to a status and a problem; `facts` travel with it."""

from __future__ import annotations

from typing import Any


class RefusedError(Exception):
    """Something the rules or the state of a match do not allow. Nothing was recorded."""

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.facts = facts


class IllegalMoveError(RefusedError):
    """The word is not one that this seat may say now; `legal` lists those."""


class NotYourTurnError(RefusedError):
    """The seat owes no word now."""


class NotAllowedError(RefusedError):
    """The caller has no right to this."""


class NotYetOpenError(RefusedError):
    """The deal does not lie open yet."""


class NoSuchMatchError(RefusedError):
    """There is no such match, or the caller may not know of it."""


class NoSuchSeatError(RefusedError):
    """The match has no such seat."""


class MatchNotStartedError(RefusedError):
    """The cards are not dealt yet."""


class MatchStartedError(RefusedError):
    """The match has started."""


class MatchOverError(RefusedError):
    """The match has ended or was voided."""


class MatchNotOverError(RefusedError):
    """The match is still being played, or has not begun."""


class NothingToTakeBackError(RefusedError):
    """There is no word that could be taken back, or nobody has asked for one."""


class RevealedError(RefusedError):
    """The word has shown its player something that he did not know before."""


class AlreadyEnteredError(RefusedError):
    """The player has entered the event."""


class EventOverError(RefusedError):
    """The event has ended."""


class SeatTakenError(RefusedError):
    """Somebody sits there, or no seat is free."""


class AlreadySeatedError(RefusedError):
    """The player has a seat at this match."""
