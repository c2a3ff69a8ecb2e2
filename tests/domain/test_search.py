"""The bot that tries words out: strong, reproducible, in time, and without a way to peek."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest

from domain import bots, cards
from domain.arena import play_rotations, strength
from domain.bots.asked import Asked, Said
from domain.bots.asked import Random as RandomStream
from domain.bots.search import play_out, search, tried, worth
from domain.imagine import Frozen, Worlds
from domain.rules import Game, effective, games
from domain.secrecy import view_for

ROOT = Path(__file__).parents[2]
EVERY_TABLE = [
    (game, variant, seats)
    for game, rules in games().items()
    for variant, preset in rules.VARIANTS.items()
    for seats in preset.seats
]


def walked(game: Game, variant: str, seats: int, seed: int, words: int) -> Any:
    """A deal after so many words of the house, or before the last one that is a choice."""
    options, random = effective(game, variant, {}, seats), Random(f"{game.id} {variant} {seats} {seed}")
    pack = cards.shuffled(game.pack(options, list(range(seats))), random.randbytes(32))
    d = game.deal(options, list(range(seats)), 0, pack, [0] * seats)
    choice = Frozen(d)
    for _ in range(words):
        if not (asked := game.to_act(d)):
            break
        said = game.words_of_the_house(d, asked[0])
        if len(said) > 1:
            choice = Frozen(d)
        game.play(d, asked[0], random.choice(said))
    return choice.thawed()


def asked(game: Game, d: Any, **more: Any) -> Asked:
    """What the seat that owes a word is asked; its view has been JSON, as a bot of somebody else would get it."""
    seat = game.to_act(d)[0]
    view = json.loads(json.dumps(view_for(d, seat)))
    return Asked(game, view, seat, game.words_of_the_house(d, seat), [0] * len(view["hands"]), **more)


@pytest.mark.parametrize(("name", "variant", "seats"), EVERY_TABLE)
def test_in_every_phase_of_every_game_it_says_a_legal_word_and_the_same_one_again(
    name: str, variant: str, seats: int
) -> None:
    game = games()[name]
    for words in (0, 2, 7, 19):
        question = asked(game, walked(game, variant, seats, 1, words))
        once, again = (search(question, bots.stream(b"x" * 32), worlds=4) for _ in range(2))
        assert once == again
        assert once.word in question.words


@pytest.mark.parametrize("name", games())
def test_when_the_time_is_up_the_best_so_far_is_said(name: str) -> None:
    game = games()[name]
    question = asked(game, walked(game, next(iter(game.VARIANTS)), 4, 2, 9))
    for most in (0, 1, 3):
        looks = iter([False] * most + [True])
        said = search(question._replace(late=looks.__next__), Random(1).random, 32)
        assert said.word in question.words
        assert (said.worlds, said.truncated) == (most, True)


@pytest.mark.parametrize("name", games())
def test_with_five_milliseconds_a_legal_word_is_said_at_the_first_look_after_them(name: str) -> None:
    game = games()[name]
    for words in (0, 3, 9, 15, 30):
        question, looks = asked(game, walked(game, next(iter(game.VARIANTS)), 4, 3, words)), [False]
        until = monotonic() + 0.005

        def late(until: float = until, looks: list[bool] = looks) -> bool:
            looks.append(monotonic() > until)
            return looks[-1]

        said = search(question._replace(late=late), bots.stream(b"d" * 32), 128)
        assert said.word in question.words
        assert said.truncated == looks[-1] and True not in looks[:-1]
        assert said.worlds == len(looks) - 1 - said.truncated


@pytest.mark.parametrize("name", games())
def test_two_processes_find_the_same_word(name: str) -> None:
    program = f"""
from tests.domain.test_search import *
game = games()[{name!r}]
print([search(asked(game, walked(game, next(iter(game.VARIANTS)), 4, 3, words)), bots.stream(b"s" * 32), 8).word
       for words in (1, 5, 11)])
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": "."},
        ).stdout
        for seed in (1, 2)
    }
    assert len(found) == 1


@pytest.mark.parametrize(("name", "variant", "seats"), EVERY_TABLE)
def test_what_is_hidden_moves_no_bot(name: str, variant: str, seats: int) -> None:
    """Another world behind the same view: the same word, for the same stream."""
    game = games()[name]
    for words in (3, 12):
        d = walked(game, variant, seats, 4, words)
        question = asked(game, d)
        other = Worlds(game, question.view, question.seat).draw(Random(9).random)
        assert json.dumps(view_for(other, question.seat)) == json.dumps(question.view)
        twin = asked(game, other)
        for bot in bots.BOTS:
            if bot != "search_plus":
                said = [bots.choose(bot, each, bots.stream(b"n" * 32)).word for each in (question, twin)]
                assert said[0] == said[1], bot


def test_it_is_given_a_view_as_json_and_a_stream_and_nothing_that_leads_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[Asked] = []

    def spy(question: Asked, random: RandomStream) -> Said:
        given.append(question)
        return Said(question.words[0])

    monkeypatch.setitem(bots.BOTS, "rule", spy)
    game = games()["polignac"]
    play_rotations(game, effective(game, "polignac", {}, 4), 4, "rule", "random", 1, "spied")
    assert given
    for question in given:
        assert question.view["hands"].count(7) + question.view["hands"].count(8) < 4, "another's hand is a size"
        assert all(isinstance(hand, int) for seat, hand in enumerate(question.view["hands"]) if seat != question.seat)


def cheating(question: Asked, d: Any) -> str:
    """Tries its words out in the one world that is so."""
    value = {}
    for word in question.words:
        world = Frozen(d).thawed()
        question.game.play(world, question.seat, word)
        value[word] = worth(question.game, world, question.seat, question.totals, play_out(question.game, world))
    return max(value, key=lambda word: value[word])


def test_a_twin_that_cheats_beats_it() -> None:
    """It would not, if the honest one could see as much."""
    game = games()["polignac"]
    options, gains = effective(game, "polignac", {"declarations": "none"}, 4), {"honest": 0, "cheating": 0}
    for deal in range(12):
        for who in gains:
            for seat in range(4):
                pack = cards.shuffled(game.pack(options, [0, 1, 2, 3]), hashlib.sha256(b"%d" % deal).digest())
                d = game.deal(options, [0, 1, 2, 3], 0, pack, [0] * 4)
                while game.to_act(d):
                    question = asked(game, d)
                    random = bots.stream(hashlib.sha256(f"{deal} {len(d.tricks)}".encode()).digest())
                    if question.seat != seat:
                        word = bots.choose("rule", question, random).word
                    else:
                        word = cheating(question, d) if who == "cheating" else search(question, random, 8).word
                    game.play(d, question.seat, word)
                gains[who] -= sum(p for s, _, p in game.score(options, d.seats, game.tally(d)) if s == seat)
    assert gains["cheating"] > gains["honest"], gains


def test_near_the_target_the_place_counts_and_not_the_points() -> None:
    """Seat 0 leads by far; the match ends with this deal whatever it does, and so does its place."""
    game = games()["polignac"]
    d = walked(game, "polignac", 4, 5, 0)
    far_ahead, behind = [0, 9, 9, 9], [9, 0, 0, 9]
    assert worth(game, d, 0, far_ahead, [2, 1, 1, 1]) > worth(game, d, 0, behind, [1, 2, 1, 1])
    spared, paid = worth(game, d, 0, far_ahead, [0, 5, 0, 0]), worth(game, d, 0, far_ahead, [3, 2, 0, 0])
    assert 0 < spared - paid < 0.1, "all that is left are the points of equal places"


def test_the_words_that_hold_their_own_keep_one_value_a_world() -> None:
    game = games()["polignac"]
    question = asked(game, walked(game, "polignac", 4, 6, 8))
    rule, trial = tried(question, Random(3).random, 16)
    assert rule in trial.values
    assert {len(values) for values in trial.values.values()} == {trial.worlds}


@pytest.mark.parametrize(
    ("name", "given", "seats", "worlds", "deals"),
    [("polignac", {"declarations": "none"}, 4, 32, 40), ("bottle_imp", {}, 3, 8, 6)],
)
def test_it_beats_the_rule_bot(
    name: str, given: dict[str, Any], seats: int, worlds: int, deals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tripwire: the figures of docs/bots.md take longer."""
    monkeypatch.setitem(bots.BOTS, "search", partial(search, worlds=worlds))
    game = games()[name]
    options = effective(game, next(iter(game.VARIANTS)), given, seats)
    played = [
        each for deal in range(deals) for each in play_rotations(game, options, seats, "search", "rule", deal, "t")
    ]
    found = strength(played, seats)
    assert found.gain > 2.5 * found.gain_error, found
