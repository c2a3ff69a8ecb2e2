"""What each word of a match was worth, and what would have been better, as the seat could have judged it then.

A decision is judged by the view of its seat alone, in worlds that fit that view: never by how the cards did lie. The
worlds are drawn from match and version, so that the same match is always judged alike. Read beside it: bots/search.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import sqrt
from random import Random as Twister
from typing import NamedTuple

from domain import bots, errors
from domain.bots.asked import Asked, Random, never
from domain.bots.search import Trial, candidates, drop, settled, tried, try_out
from domain.event import Event
from domain.imagine import Frozen, Worlds, deal_seen
from domain.match import Match, apply
from domain.rules import Word
from domain.secrecy import view_for

WORLDS = 32
DROPPING = (4, 8, 16)  # worlds after which words that are clearly worse are tried no more


class Judged(NamedTuple):
    """What a word comes to: points better than the others' mean, or where the match may end a place; and how sure.

    `value` is the mean of so many worlds, `error` its standard error.
    """

    move: Word
    value: float
    error: float
    worlds: int


class Judgement(NamedTuple):
    """A decision: what was said at which version, the candidates, best first, and what the word cost beside the best.

    A candidate that was clearly worse in the first worlds stands behind those that were tried in all. `loss` is None
    where it was no word that the house would say.
    """

    version: int
    seat: int
    move: Word
    candidates: list[Judged]
    loss: float | None


Underway = dict[str, dict[Word, list[float]]]  # a decision half judged: `tried` and `gone`, each word's values by world


@dataclass
class Progress:
    """How far an analysis is: behind which version it goes on, and the decision there that is half judged."""

    after: int = 0
    underway: Underway | None = None
    looked: int = 0  # words looked at
    found: list[Judgement] = field(default_factory=list)


def words_said(events: Sequence[Event]) -> int:
    """How many words were said: all that an analysis has to look at."""
    return sum(event.type == "moved" for event in events)


def go_on(match: str, events: Sequence[Event], progress: Progress, enough: Callable[[], bool]) -> None:
    """Judge on from where `progress` is until it is `enough`, which is asked before each world but the first.

    What is found hangs on match and version alone, not on how often it stopped.
    """
    m = Match(match)
    for event in _recent(events, progress.after):
        if event.version > progress.after:
            if event.type == "moved" and not _looked_at(m, event, progress, enough):
                return
            progress.after = event.version
        apply(m, event)


def _recent(events: Sequence[Event], after: int) -> list[Event]:
    """Without the words of deals that were scored by then, as a store would read them."""
    scored = max((event.version for event in events if event.type == "scored" and event.version <= after), default=0)
    return [event for event in events if event.version > scored or event.type != "moved"]


def _looked_at(m: Match, event: Event, progress: Progress, enough: Callable[[], bool]) -> bool:
    """Whether the word has been judged to the end; one without a choice, or that nobody asked for, needs no time."""
    seat, move = event.data["seat"], event.data["move"]
    words = m.game.words_of_the_house(m.deal, seat) if seat in m.to_act else []
    if len(words) > 1:
        first = move if move in words else words[0]
        progress.underway = _tried_on(m, event.version, _asked(m, seat, words), first, progress.underway, enough)
        if len(progress.underway["tried"][first]) < WORLDS:
            return False
        progress.found.append(_judgement(event, progress.underway))
        progress.underway = None
    progress.looked += 1
    return True


def _tried_on(
    m: Match, version: int, asked: Asked, first: Word, underway: Underway | None, enough: Callable[[], bool]
) -> Underway:
    """More worlds for a decision; in each the words that are not clearly worse, and always the one that was said."""
    game, view, seat, words, *_ = asked
    if underway is None:
        random = _stream("analysis", m.id, version)
        kinds = candidates(game, deal_seen(game, view), seat, words, first, random)
        underway = {"tried": {word: [] for word in kinds}, "gone": {}}
    trial, behind = Trial(underway["tried"], len(underway["tried"][first])), Worlds(game, view, seat)
    while trial.worlds < WORLDS:
        draw = Twister(f"{m.id}/{version}/{trial.worlds}").random
        try_out(asked, Frozen(behind.draw(draw)), trial)
        if trial.worlds in DROPPING:
            before = dict(trial.values)
            drop(trial, first)
            underway["gone"] |= {word: values for word, values in before.items() if word not in trial.values}
        if enough():
            break
    return underway


def _judgement(event: Event, underway: Underway) -> Judgement:
    ranked = _ranked({**underway["tried"], **underway["gone"]})
    worth = {each.move: each.value for each in ranked}
    said = event.data["move"]
    loss = round(ranked[0].value - worth[said], 3) if said in worth else None
    return Judgement(event.version, event.data["seat"], said, ranked, loss)


def _asked(m: Match, seat: int, words: list[Word], late: Callable[[], bool] = never) -> Asked:
    return Asked(m.game, view_for(m.deal, seat), seat, words, m.totals, late)


def _ranked(tried: Mapping[Word, Sequence[float]]) -> list[Judged]:
    judged = [Judged(word, *_mean(values), len(values)) for word, values in tried.items()]
    return sorted(judged, key=lambda each: (-each.worlds, -each.value))


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error, to the thousandth."""
    count = len(values)
    mean = sum(values) / count
    spread = sum((each - mean) ** 2 for each in values) / max(1, count - 1)
    return round(mean, 3), round(sqrt(spread / count), 3)


def _stream(purpose: str, match: str, version: int) -> Random:
    return bots.stream(sha256(f"{purpose}/{match}/{version}".encode()).digest())


class Hint(NamedTuple):
    """What the `search` bot would say in the player's place, and what it found out: words that held their own."""

    seat: int
    move: Word
    candidates: list[Judged]
    worlds: int
    truncated: bool


def hint(m: Match, player: str, late: Callable[[], bool]) -> Hint:
    """Advice for the player who owes a word, asked at the same version always the same unless `late()` cuts it short.

    Raises NotAllowedError in a rated match or where anybody else but bots plays, MatchNotStartedError, MatchOverError,
    NotYourTurnError.
    """
    seat = m.seat_of(player)
    if seat is None or m.seats[seat].resigned:
        raise errors.NotAllowedError("you have no seat at this match")
    counts = m.opened["rated"] or m.opened.get("season") or m.opened.get("event")
    if counts or any(n != seat and not place.bot for n, place in enumerate(m.seats)):
        raise errors.NotAllowedError("hints are for unrated matches against bots")
    if m.over:
        raise errors.MatchOverError(f"the match is {m.status}", version=m.version)
    if m.status == "open":
        raise errors.MatchNotStartedError("the match waits for its seats", version=m.version)
    if seat not in m.to_act:
        raise errors.NotYourTurnError(f"seat {seat} owes no word at version {m.version}", version=m.version)
    asked = _asked(m, seat, m.game.words_of_the_house(m.deal, seat), late)
    rule, trial = tried(asked, _stream("hint", m.id, m.version), WORLDS)
    said = settled(rule, trial)
    return Hint(seat, said.word, _ranked(trial.values) if trial.worlds else [], trial.worlds, trial.truncated)
