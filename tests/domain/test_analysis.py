"""Analysis and hints: by what a seat could see, always alike, in slices as small as one likes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import count
from random import Random
from typing import Any

import pytest

from domain import analysis, decide, errors, play
from domain.analysis import Judgement, Progress, go_on, hint
from domain.bots.asked import never
from domain.event import Event
from domain.match import Match, fold
from domain.rules import games
from domain.secrecy import view_for

SHORT: dict[str, dict[str, Any]] = {"polignac": {"deals": 1, "tie_break": "shared"}, "bottle_imp": {"deals": 1}}
BOT = {"bot": "rule"}


def opened(game: str, *seats: dict[str, Any], seed: str = "", **facts: Any) -> Match:
    random, m = Random(f"{game} {seed}"), Match("m", datetime.now(UTC))
    proposal = play.Proposal(game, seats, options=SHORT.get(game, {}), **facts)
    decide.open_match(m, play._opened("ana", proposal), lambda: random.randbytes(32))
    return m


def played(game: str, seed: str = "", words: int = 10**9) -> Match:
    """A match at which any word is said, with a choice or without."""
    m, random = opened(game, BOT, BOT, BOT, seed=seed), Random(f"words {game} {seed}")
    for _ in range(words):
        if m.over:
            break
        said = m.game.words_of_the_house(m.deal, m.to_act[0])
        decide.say(m, m.to_act[0], random.choice(said), lambda: random.randbytes(32))
    return m


def _reached(tick: Iterator[int], most: int) -> bool:
    return next(tick) >= most


def judged(events: list[Event], decisions: int, worlds: int = 10**9) -> list[Judgement]:
    """The first decisions, in slices of so many worlds, everything between them having been JSON."""
    progress, found = Progress(), list[Judgement]()
    while progress.after < events[-1].version and len(found) < decisions:
        progress = Progress(progress.after, json.loads(json.dumps(progress.underway)), progress.looked)
        go_on("m", events, progress, partial(_reached, count(1), worlds))
        found += progress.found
    return found[:decisions]


@pytest.mark.parametrize("game", games())
def test_a_decision_is_judged_alike_in_one_go_or_in_slices(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "WORLDS", 8)
    events = played(game, words=8).fresh
    whole = judged(events, 3)
    assert whole == judged(events, 3, worlds=3) and len(whole) == 3
    for each in whole:
        assert each.loss is not None and each.loss >= 0
        assert each.candidates[0].worlds == 8 and each.move in [candidate.move for candidate in each.candidates]
        best = [(-candidate.worlds, -candidate.value) for candidate in each.candidates]
        assert best == sorted(best)


@pytest.mark.parametrize("game", games())
def test_how_the_hidden_cards_did_lie_does_not_change_a_judgement(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another pack that gives the seat the same view of its first decision gives the same judgement."""
    monkeypatch.setattr(analysis, "WORLDS", 4)
    m = played(game, words=1)
    events = m.fresh
    dealt, moved = (next(event for event in events if event.type == kind) for kind in ("dealt", "moved"))
    before = fold("m", events[: moved.version - 1])
    seat, random = moved.data["seat"], Random(7)
    for _ in range(20_000):
        pack = dealt.data["pack"][:]
        one, other = random.sample(range(len(pack)), 2)
        pack[one], pack[other] = pack[other], pack[one]
        twin = [event._replace(data={**event.data, "pack": pack}) if event is dealt else event for event in events]
        then = fold("m", twin[: moved.version - 1])
        if view_for(then.deal, seat) == view_for(before.deal, seat) and then.to_act == before.to_act:
            assert judged(twin, 1) == judged(events, 1)
            return
    raise AssertionError("no such pack")


def test_all_words_are_looked_at_and_those_without_a_choice_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "WORLDS", 1)
    events, progress = played("polignac").fresh, Progress()
    go_on("m", events, progress, never)
    assert progress.looked == analysis.words_said(events) > len(progress.found) > 10
    assert progress.after == events[-1].version


@pytest.mark.parametrize("game", games())
def test_a_hint_is_a_legal_word_and_the_same_one_again(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "WORLDS", 4)
    m = opened(game, {"player": "ana"}, BOT, BOT)
    random = Random(1)
    while m.to_act[0] != 0:
        decide.say(m, m.to_act[0], m.game.words_of_the_house(m.deal, m.to_act[0])[0], lambda: random.randbytes(32))
    first = hint(m, "ana", never)
    assert first == hint(m, "ana", never) and first.seat == 0
    in_a_hurry = hint(m, "ana", lambda: True)
    assert in_a_hurry.candidates == [] and in_a_hurry.move in decide.legal(m, 0)
    assert first.move in decide.legal(m, 0)


def test_a_hint_is_refused_by_name() -> None:
    seats = [{"player": "ana"}, BOT, {"player": "luis"}]
    with_another, rated = (
        opened("polignac", *seats),
        opened("polignac", {"player": "ana"}, {"player": "luis"}, {"player": "eva"}, rated=True),
    )
    for m in (with_another, rated):
        with pytest.raises(errors.NotAllowedError, match="unrated matches against bots"):
            hint(m, "ana", never)
    alone = opened("polignac", {"player": "ana"}, BOT, BOT)
    with pytest.raises(errors.NotAllowedError, match="no seat"):
        hint(alone, "eva", never)
    waiting = opened("polignac", {"player": "ana"}, BOT, {"bot": "rule"}, seed="2")
    while 0 in waiting.to_act:
        decide.say(waiting, 0, decide.legal(waiting, 0)[0], lambda: bytes(32))
    with pytest.raises(errors.NotYourTurnError):
        hint(waiting, "ana", never)
    decide.void(waiting, "ana", "host")
    with pytest.raises(errors.MatchOverError):
        hint(waiting, "ana", never)
