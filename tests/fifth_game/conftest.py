"""The fifth game, found as any other is: its folder is one more of `domain.games`, for these tests only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import domain.games
from domain import rules

FOLDER = str(Path(__file__).parent / "games")


@pytest.fixture(autouse=True)
def fifth_game() -> Iterator[None]:
    domain.games.__path__.append(FOLDER)
    rules.games.cache_clear()
    yield
    domain.games.__path__.remove(FOLDER)
    rules.games.cache_clear()
