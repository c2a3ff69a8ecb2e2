"""Random playouts through the public contract, against OpenSpiel's hearts driven from Python: decisions a second."""

from __future__ import annotations

import random
import time

import pyspiel

from bench.measure import Row, interleaved
from domain.rules import Game, effective, games

REACH = {"polignac": "≥ 1.0"}


def rows(rounds: int) -> list[Row]:
    return [_row(game, rounds) for game in games().values()]


def _row(game: Game, rounds: int) -> Row:
    hearts = pyspiel.load_game("hearts")
    ours, peer, ratio = interleaved(lambda: _ours(game), lambda: _hearts(hearts), rounds)
    what = f"random playouts of {game.id}"
    return Row(what, "OpenSpiel's hearts", ours, peer, "decisions/s", ratio, REACH.get(game.id, "≥ 0.3"))


def _ours(game: Game, seconds: float = 0.6) -> float:
    variant, preset = next(iter(game.VARIANTS.items()))
    seats = list(range(4 if 4 in preset.seats else preset.seats[-1]))
    options = effective(game, variant, {}, len(seats))
    canonical, draw = game.pack(options, seats), random.Random(1).random
    legal, play, to_act = game.legal, game.play, game.to_act
    decisions, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        pack = sorted(canonical, key=lambda card: draw())
        d = game.deal(options, seats, decisions % len(seats), pack, [0] * len(seats))
        while asked := to_act(d):
            words = legal(d, asked[0])
            play(d, asked[0], words[int(draw() * len(words))])
            decisions += 1
    return decisions / (time.perf_counter() - started)


def _hearts(game: pyspiel.Game, seconds: float = 0.6) -> float:
    draw, decisions, started = random.Random(1).random, 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(actions[int(draw() * len(actions))])
    return decisions / (time.perf_counter() - started)
