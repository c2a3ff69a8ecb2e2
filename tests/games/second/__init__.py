"""Second opinions: each game's rules page read again, slowly, by somebody who has not seen its module.

One file a game, `tests/games/second/<game>.py`, which imports nothing of `domain/games/`. It holds three names; all are
pure functions of what has been said, for one deal:

    legal(options, seats, dealer, pack, totals, words) -> {seat: {word, …}}
        everything that each seat may say now, out of turn too; seats that may say nothing are absent or empty
    lines(options, seats, dealer, pack, totals, words) -> [(seat, reason, points), …] or None
        what the deal costs or pays, in any order, without zeros; None while it goes on, and when it is never scored
    PERFT = [Perft(…), …]
        how many sequences of words there are from fixed deals

`options` are the effective ones as JSON, `seats` the match seats that play in match order, `pack` the cards from the
top, `totals` every match seat's points before this deal, `words` [(seat, word), …] in order. A game's file is found by
its name, compared with the engine at every step of many deals, and its counts with those of the engine
(tests/games/test_second_opinions.py).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

Said = tuple[int, str]  # a seat and its word
Question = Mapping[int, Iterable[str]]  # what each seat may say; looked into only while nobody has answered
Lines = list[tuple[int, str, int]]
Story = Generator[Question, Said, Lines]


@dataclass(frozen=True)
class Perft:
    """From a fixed pack (key of 32 zero bytes, dealer 0, totals 0), after `after` words of the clock: how many
    sequences of `depth` words may follow. A sequence that ends the deal sooner is not counted.
    """

    variant: str
    seats: int
    after: int
    depth: int
    count: int
    given: dict[str, Any] = field(default_factory=dict)


def opinions() -> dict[str, ModuleType]:
    """Every second opinion, by game."""
    names = sorted(found.name for found in pkgutil.iter_modules(__path__))
    return {name: importlib.import_module(f"{__name__}.{name}") for name in names}


def told(story: Story, words: list[Said]) -> tuple[Question, Lines | None]:
    """The question that a story stops at when these are the answers, or its lines if it comes to its end."""
    try:
        question = next(story)
        for seat, word in words:
            assert word in question[seat], (seat, word)
            question = story.send((seat, word))
    except StopIteration as end:
        return {}, [line for line in end.value if line[2]]
    return question, None


def answers(story: Callable[..., Story]) -> tuple[Callable[..., dict[int, set[str]]], Callable[..., Lines | None]]:
    """`legal` and `lines` of a game whose deal is one story from the first card to the score, each time told anew.

    `story` takes what they take, without the words: it yields every question in turn, is sent who answered it and how,
    and returns the lines.
    """

    def legal(*at: Any) -> dict[int, set[str]]:
        return {seat: set(words) for seat, words in told(story(*at[:-1]), at[-1])[0].items()}

    def lines(*at: Any) -> Lines | None:
        return told(story(*at[:-1]), at[-1])[1]

    return legal, lines
