"""Words taken back, over all games: the match stands as before, and nobody has learned anything by it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from domain import decide, errors, play, takebacks
from domain.audit import audit
from domain.house import Draw
from domain.imagine import Worlds
from domain.match import Match, deadlines, fold
from domain.record import to_toml, tree
from domain.record_reading import replay
from domain.record_shape import from_toml
from domain.rules import games
from domain.secrecy import EVERYTHING, view_for
from domain.seen import event as seen_event
from domain.seen import match as seen_match
from tests.laws.matches import drawing, state, stored, unscored

VARIANTS = [(game, variant) for game, rules in games().items() for variant in rules.VARIANTS]
SHORT: dict[str, dict[str, Any]] = {"polignac": {"deals": 2, "tie_break": "shared"}, "bottle_imp": {"deals": 2}}
START = datetime(2026, 1, 1, tzinfo=UTC)


def table(game: str, variant: str, random: Random, **facts: Any) -> tuple[Match, Draw]:
    """A match of persons, dealt."""
    count, draw = random.choice(list(games()[game].VARIANTS[variant].seats)), drawing(random)
    m = Match("m", START)
    seats = [{"player": f"p{n}"} for n in range(count)]
    decide.open_match(m, play._opened("p0", play.Proposal(game, seats, variant, SHORT.get(game, {}), **facts)), draw)
    for seat in range(1, count):
        decide.sit(m, seat, f"p{seat}", draw)
    return m, draw


def seen(m: Match) -> str:
    """All that anybody sees of the match but its version."""
    eyes: list[Any] = [None, EVERYTHING, *range(len(m.seats))]
    shown = [{**seen_match(m, f"p{each}", each), "version": None} for each in eyes]
    return json.dumps(shown, sort_keys=True, default=str)


def any_word(m: Match, random: Random) -> tuple[int, str]:
    seat = random.choice(m.to_act)
    return seat, random.choice(m.game.words_of_the_house(m.deal, seat))


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_word_taken_back_leaves_the_match_as_it_was(game: str, variant: str) -> None:
    random = Random(f"back {game} {variant}")
    m, draw = table(game, variant, random)
    back = 0
    while not m.over:
        seat, word = any_word(m, random)
        before, deal = seen(m), view_for(m.replayed(m.words), EVERYTHING)
        decide.say(m, seat, word, draw)
        if random.random() < 0.4:
            continue
        others = [n for n in range(len(m.seats)) if n != seat]
        try:
            takebacks.ask(m, seat)
        except errors.RefusedError:
            continue
        for other in random.sample(others, len(others)):
            takebacks.answer(m, other, True)
        assert seen(m) == before and view_for(m.deal, EVERYTHING) == deal, m.fresh[-8:]
        assert state(fold("m", unscored(stored(m.fresh)))) == state(m)
        back += 1
    assert back > 5
    assert audit("m", stored(m.fresh)) == []
    events = (seen_event(m, event, None) for event in m.fresh)
    again, _ = replay(from_toml(to_toml(tree(m, events, [None] * len(m.seats)))), "p0", "public")
    assert again.result == m.result and not any(event.type == "taken_back" for event in again.fresh)


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_word_that_can_be_taken_back_showed_its_player_nothing(game: str, variant: str) -> None:
    """In every deal that could have lain behind what he saw, he would have seen the same after his word."""
    random = Random(f"peek {game} {variant}")
    m, draw = table(game, variant, random)
    while not m.over:
        seat, word = any_word(m, random)
        view, deals = json.loads(json.dumps(view_for(m.deal, seat))), m.deals
        worlds = [Worlds(m.game, view, seat).draw(random.random) for _ in range(3)]
        decide.say(m, seat, word, draw)
        if m.last is None:
            assert m.over or m.deals > deals, "a word is the last one until something comes of it"
            continue
        could_have = []
        for d in worlds:
            m.game.play(d, seat, word)
            could_have.append((json.dumps(view_for(d, seat)), m.game.to_act(d)))
        if not takebacks.shows_something(m, m.last):
            assert could_have == [(json.dumps(view_for(m.deal, seat)), m.to_act)] * 3, (seat, word, view)


def test_it_is_refused_by_name_when_something_has_come_of_the_word() -> None:
    random = Random(1)
    m, draw = table("polignac", "polignac", random)
    with pytest.raises(errors.NothingToTakeBackError):
        takebacks.ask(m, 0)
    first, word = any_word(m, random)
    decide.say(m, first, word, draw)
    other = next(seat for seat in range(len(m.seats)) if seat != first)
    with pytest.raises(errors.NothingToTakeBackError):
        takebacks.ask(m, other)
    with pytest.raises(errors.NothingToTakeBackError):
        takebacks.answer(m, other, True)
    takebacks.ask(m, first)
    with pytest.raises(errors.NothingToTakeBackError):
        takebacks.ask(m, first)
    with pytest.raises(errors.NothingToTakeBackError):
        takebacks.answer(m, first, True)
    takebacks.answer(m, other, False)
    with pytest.raises(errors.NothingToTakeBackError):
        takebacks.ask(m, first)
    second, word = any_word(m, random)
    decide.say(m, second, word, draw)
    takebacks.ask(m, second)
    third, word = any_word(m, random)
    decide.say(m, third, word, draw)  # and with it the answer
    assert m.takeback is None
    with pytest.raises(errors.NothingToTakeBackError):
        takebacks.answer(m, first, True)
    decide.resign(m, first)
    with pytest.raises(errors.NothingToTakeBackError):
        takebacks.ask(m, third)


def test_rated_matches_and_those_of_seasons_keep_every_word() -> None:
    for facts in ({"rated": True}, {"season": "s", "table": "1"}):
        m, draw = table("polignac", "polignac", Random(1), **facts)
        decide.say(m, *any_word(m, Random(1)), draw)
        assert m.last
        with pytest.raises(errors.NotAllowedError):
            takebacks.ask(m, m.last.seat)


def test_the_clock_goes_on_where_it_stood() -> None:
    """What he had thought counts; what the others took to consent does not, and no turn begins anew."""
    random = Random(3)
    m, draw = table("polignac", "polignac", random, clock={"turn_seconds": 60, "bank_seconds": 100})

    def after(seconds: int) -> None:
        m.now = (m.now or START) + timedelta(seconds=seconds)

    seat, word = any_word(m, random)
    after(70)
    decide.say(m, seat, word, draw)
    clocks = m.clocks
    assert clocks and clocks.banks[seat] == 90
    after(500)
    takebacks.ask(m, seat)
    for other in range(len(m.seats)):
        if other != seat:
            takebacks.answer(m, other, True)
    assert clocks.banks[seat] == 100
    assert deadlines(m)[0] == (m.now + timedelta(seconds=60 + 100 - 70), seat)  # type: ignore[operator]
    after(5)
    decide.say(m, seat, word, draw)
    assert clocks.banks[seat] == 85
    assert state(fold("m", stored(m.fresh))) == state(m)


def test_a_takeback_that_did_not_have_to_be_is_found_by_the_audit() -> None:
    random = Random(5)
    m, draw = table("polignac", "polignac", random)
    seat, word = any_word(m, random)
    decide.say(m, seat, word, draw)
    takebacks.ask(m, seat)
    takebacks.answer(m, next(n for n in range(len(m.seats)) if n != seat), False)
    sound = stored(m.fresh)
    assert audit("m", sound) == []
    forged = sound[-1]._replace(type="taken_back", data={"seat": seat, "word": m.words[-1].version})
    assert [fault.what for fault in audit("m", [*sound[:-1], forged])] == ["nobody had to give this word back"]
