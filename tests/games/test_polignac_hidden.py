"""Polignac: two worlds that differ only in hidden cards go on side by side, and a seat reads the same in both (C1)."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from domain.imagine import Frozen
from domain.secrecy import view_for
from tests.games.polignac import GAME
from tests.laws.tables import dealt, house_rules, tables

TABLES = [table for table in tables() if table.game is GAME]


def reads(d: Any, seat: int) -> str:
    return json.dumps([view_for(d, seat), GAME.to_act(d), GAME.legal(d, seat), GAME.forfeit(d)])


def changed(d: Any, seat: int, random: Random) -> Any:
    """The same deal, but two of the others have changed a card."""
    other = Frozen(d).thawed()
    one, another = random.sample([hand for holder, hand in enumerate(other.hands) if holder != seat], 2)
    one[0], another[0] = another[0], one[0]
    return other


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("revoke", ["prevent", "claim"])
def test_side_by_side_a_seat_reads_the_same_whatever_the_others_hold(table: Any, revoke: str) -> None:
    """Everybody says the same in both worlds until somebody can't. A claim ends it: what becomes of it may be seen."""
    steps = 0
    for number in range(6):
        random = Random(f"{table} {revoke} {number}")
        given = {**house_rules(table, random), "revoke": revoke, "end_check": "deal"}
        d = dealt(table, given, random).d
        seat = random.choice(d.seats)
        other = changed(d, seat, random)
        while owing := GAME.to_act(d):
            both = [word for word in GAME.legal(d, owing[0]) if word in GAME.legal(other, owing[0])]
            words = [word for word in both if word.split(" ")[0] not in GAME.OUT_OF_TURN]
            if not words:
                break
            word = random.choice(words)
            GAME.play(d, owing[0], word)
            GAME.play(other, owing[0], word)
            assert reads(d, seat) == reads(other, seat), (number, seat)
            steps += 1
    assert steps > 30
