"""What a bot is asked and what it answers. Beside it: __init__.py, which knows all bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from domain.rules import Game, Word

Random: TypeAlias = Callable[[], float]  # draws from [0, 1), as random.random does


def never() -> bool:
    return False


class Asked(NamedTuple):
    """`view` is the JSON of what the seat sees, `words` what it may say, `totals` everybody's points before this deal.

    `late()` says that the time is up: then the best so far has to do.
    """

    game: Game
    view: dict[str, Any]
    seat: int
    words: list[Word]
    totals: Sequence[int]
    late: Callable[[], bool] = never


class Said(NamedTuple):
    """A word, and of a bot that tries words out: its version, the worlds it tried, whether the time ran out."""

    word: Word
    version: int | None = None
    worlds: int = 0
    truncated: bool = False
