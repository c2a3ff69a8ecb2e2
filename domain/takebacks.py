"""A word taken back, on the consent of the others, as long as nothing has come of it and it has shown nothing.

What a word shows is found out by the rules themselves: it is said in a deal as its player saw it, hidden cards and all.
If he then sees in the real deal just what he sees there, then all of it followed from what he knew. Read beside it:
match.py (the events), decide.py.
"""

from __future__ import annotations

from typing import Any

from domain import errors
from domain.imagine import deal_seen
from domain.match import Match, Said, emit
from domain.secrecy import view_for


def ask(m: Match, seat: int) -> None:
    """The player asks for his last word; it is his at once where only bots would have to consent.

    Raises NotAllowedError, MatchOverError, NothingToTakeBackError, RevealedError.
    """
    emit(m, "takeback_asked", **asked(m, seat))
    _take_back(m)


def answer(m: Match, seat: int, consent: bool) -> None:
    """A player whose consent is awaited gives it or does not. Raises NothingToTakeBackError."""
    if not m.takeback or seat not in m.takeback["awaiting"]:
        raise errors.NothingToTakeBackError(f"no takeback awaits the consent of seat {seat}", version=m.version)
    emit(m, "takeback_consented" if consent else "takeback_refused", seat=seat)
    if consent:
        _take_back(m)


def _take_back(m: Match) -> None:
    if m.takeback and not m.takeback["awaiting"]:
        emit(m, "taken_back", seat=m.takeback["seat"], word=m.takeback["word"])


def asked(m: Match, seat: int) -> dict[str, Any]:
    """What is asked of whom, if it may be asked."""
    head = m.opened
    if head.get("rated") or head.get("season") or head.get("event"):
        raise errors.NotAllowedError("words are taken back in unrated matches only")
    if m.over:
        raise errors.MatchOverError(f"the match is {m.status}", version=m.version)
    said = m.last
    if said is None or said.seat != seat or not said.own or m.takeback:
        raise errors.NothingToTakeBackError(f"seat {seat} has no word to take back", version=m.version)
    if shows_something(m, said):
        raise errors.RevealedError("this word has shown something", version=m.version)
    others = [n for n, place in enumerate(m.seats) if n != seat and place.driver is None]
    return {"seat": seat, "word": said.version, "awaiting": others}


def shows_something(m: Match, said: Said) -> bool:
    """Whether the player knows more after his last word than before it."""
    before, game, seat = m.replayed(m.words[:-1]), m.game, said.seat
    known = deal_seen(game, view_for(before, seat))
    try:
        game.play(known, seat, said.move)
        followed = view_for(known, seat), game.to_act(known), game.legal(known, seat)
    except Exception:  # noqa: BLE001  a rule that looked at a hidden card stumbles over it in its own way
        return True
    return followed != (view_for(m.deal, seat), game.to_act(m.deal), game.legal(m.deal, seat))
