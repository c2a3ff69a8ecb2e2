"""What may be added to a match: each function refuses by name or emits events, then the house does what follows.

The state is always that of the last event: whoever decides applies what he emits at once. Read beside it: match.py.
"""

from __future__ import annotations

from typing import Any

from domain import errors
from domain.clocks import MOST_LATE
from domain.house import Draw, end, gather, give_nonce, house
from domain.match import Match, deadlines, emit
from domain.rules import OptionsError, Word


def open_match(m: Match, opened: dict[str, Any], draw: Draw) -> None:
    """A new match; it is dealt at once when every seat is ready. `opened` is checked by play.py."""
    emit(m, "opened", **opened)
    house(m, draw)


def sit(m: Match, seat: int | None, player: str, draw: Draw) -> None:
    """The player accepts an invitation, takes an open seat, or comes back to the seat a bot took."""
    mine = m.seat_of(player)
    if mine is not None and seat in (None, mine) and m.seats[mine].replaced_by and not m.over:
        return emit(m, "replaced", seat=mine, bot=None)
    _before_start(m)
    if mine is not None and (m.seats[mine].accepted or seat not in (None, mine)):
        raise errors.AlreadySeatedError(f"you have seat {mine} at this match", seat=mine)
    seat = mine if mine is not None else _free(m, seat, player)
    emit(m, "seated", seat=seat, player=player)
    return house(m, draw)


def _free(m: Match, seat: int | None, player: str | None = None) -> int:
    """A seat that nobody has; in a match of a season each is kept for the member who was drawn to it."""
    free = [n for n, place in enumerate(m.seats) if place.player is None and place.bot is None]
    if m.opened.get("season"):
        free = [n for n in free if m.opened["seats"][n]["player"] == player]
    if seat is None and not free:
        raise errors.SeatTakenError("no seat is free")
    if seat is not None and seat not in free:
        _known_seat(m, seat)
        raise errors.SeatTakenError(f"seat {seat} is taken", seat=seat)
    return free[0] if seat is None else seat


def seat_bot(m: Match, seat: int | None, bot: str, draw: Draw) -> None:
    """The host puts a bot on a seat that nobody has accepted."""
    _before_start(m)
    if seat is None:
        seat = _free(m, None)
    _known_seat(m, seat)
    if m.seats[seat].ready:
        raise errors.SeatTakenError(f"seat {seat} is taken", seat=seat)
    emit(m, "seated", seat=seat, bot=bot)
    house(m, draw)


def start(m: Match, by: str, draw: Draw) -> None:
    """A match of a season begins with whoever is there: those who are not are seated, and the clock plays for them."""
    _before_start(m)
    if not m.opened["clock"]:
        raise OptionsError({"clock": "a match without a clock waits for its players"})
    for seat, place in enumerate(m.seats):
        if not place.ready:
            emit(m, "seated", seat=seat, player=m.opened["seats"][seat]["player"], by=by)
    house(m, draw)


def leave(m: Match, seat: int) -> None:
    """A seat becomes open again, before the start."""
    _before_start(m)
    _known_seat(m, seat)
    if m.seats[seat].player or m.seats[seat].bot:
        emit(m, "left", seat=seat)


def _before_start(m: Match) -> None:
    if m.over:
        raise errors.MatchOverError(f"the match is {m.status}", version=m.version)
    if m.status != "open":
        raise errors.MatchStartedError("the match has started", version=m.version)


def _known_seat(m: Match, seat: int) -> None:
    if seat not in range(len(m.seats)):
        raise errors.NoSuchSeatError(f"the match has seats 0 to {len(m.seats) - 1}, not {seat}")


def _running(m: Match) -> None:
    if m.over:
        raise errors.MatchOverError(f"the match is {m.status}", version=m.version)
    if m.status == "open":
        raise errors.MatchNotStartedError("the match waits for its seats", version=m.version)


def legal(m: Match, seat: int) -> list[Word]:
    """What the seat may say now; nothing unless the match is being played."""
    return m.game.legal(m.deal, seat) if m.status == "playing" and not m.committed else []


def move(m: Match, seat: int, word: Word, draw: Draw) -> None:
    """The seat says a word; the house does what follows. Refused by name when it may not be said."""
    _running(m)
    words = legal(m, seat)
    spelled = m.game.spell(word)
    if spelled not in words:
        _refuse(m, seat, word, words)
    if m.seats[seat].replaced_by:
        emit(m, "replaced", seat=seat, bot=None)
    say(m, seat, spelled, draw)


def say(m: Match, seat: int, word: Word, draw: Draw, how: dict[str, Any] | None = None) -> None:
    """A word that is known to be legal, from a player or the house; `how` a bot has found it."""
    emit(m, "moved", seat=seat, move=word, **({"how": how} if how else {}))
    house(m, draw)


def _refuse(m: Match, seat: int, word: Word, words: list[Word]) -> None:
    facts = {"version": m.version, "legal": words}
    if seat not in m.to_act and word.split(" ")[0] not in m.game.OUT_OF_TURN:
        raise errors.NotYourTurnError(f"seat {seat} owes no word at version {m.version}", **facts)
    raise errors.IllegalMoveError(f"{word[:40]!r} is not legal for seat {seat} at version {m.version}", **facts)


def nonce(m: Match, seat: int, deal: int, given: bytes) -> None:
    """The seat adds a nonce to the shuffle of the deal that waits for it; the last one has it dealt."""
    _running(m)
    if not m.committed or deal != m.committed["deal"] or seat not in m.awaiting:
        raise errors.NotYourTurnError(
            f"seat {seat} owes no nonce for deal {deal} at version {m.version}", version=m.version
        )
    give_nonce(m, seat, given)
    gather(m)


def expire(m: Match, draw: Draw) -> None:
    """The time of a seat is up: the game's own word is said for it; the third time in a row a bot takes the seat.

    Nonces that are awaited are empty then. That is no lateness: nobody has to give one.
    """
    due = deadlines(m)
    if not due or not m.now or due[0][0] > m.now:
        return None
    if m.committed:
        for late in m.awaiting:
            give_nonce(m, late)
        return gather(m)
    seat = due[0][1]
    emit(m, "expired", seat=seat)
    emit(m, "moved", seat=seat, move=m.game.clock(m.deal, seat))
    if m.clocks and m.clocks.late[seat] >= MOST_LATE:
        emit(m, "replaced", seat=seat, bot="rule")
    return house(m, draw)


def resign(m: Match, seat: int) -> None:
    """The seat gives up and a bot sits in for good; the match ends when at most one has not resigned."""
    _running(m)
    if m.seats[seat].resigned:
        raise errors.NotAllowedError(f"seat {seat} has resigned already")
    emit(m, "resigned", seat=seat)
    if sum(not place.resigned for place in m.seats) <= 1:
        end(m, "resignation")
    elif m.committed:
        gather(m)


def void(m: Match, by: str | None, reason: str) -> None:
    """The match counts for nothing. It can be read for ever."""
    if m.status == "voided":
        raise errors.MatchOverError("the match is voided", version=m.version)
    emit(m, "voided", by=by, reason=reason)
