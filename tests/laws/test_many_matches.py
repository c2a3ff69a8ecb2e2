"""A thousand matches of each game, all options drawn at random: audited clean, replayed, their ledgers zero-sum.

MATCHES in the environment plays that many instead.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from random import Random

import pytest

from domain.audit import audit
from domain.match import fold
from domain.rules import games
from domain.scoring import transfers
from tests.laws.matches import finish, short_rules, started, stored
from tests.laws.tables import MANNERS, tables

MATCHES = int(os.environ.get("MATCHES", "1000"))
AT_ONCE = 50


def faults(game: str, first: int) -> list[str]:
    """What is wrong with some matches of a game; each is named by its number."""
    found = []
    of_game = [table for table in tables() if table.game.id == game]
    for number in range(first, min(first + AT_ONCE, MATCHES)):
        random = Random(f"{game} {number}")
        m = started(of_game[number % len(of_game)], short_rules(of_game[number % len(of_game)], random), random)
        finish(m, random, random.choice(MANNERS[:-1]))
        events = stored(m.fresh)
        found += [f"{number}: version {fault.version}: {fault.what}" for fault in audit(m.id, events)]
        if fold(m.id, events).result != m.result:
            found.append(f"{number}: replayed to another result")
        made = transfers(m.id, events)
        if any(sum(posting.amount for posting in transfer.postings) for transfer in made):
            found.append(f"{number}: a transfer does not sum to zero")
        held = sum(
            post.amount for each in made for post in each.postings if post.account.startswith(("bot:", "player:"))
        )
        if held != sum(m.totals):
            found.append(f"{number}: the accounts hold {held}, not {sum(m.totals)}")
    return found


@pytest.mark.parametrize("game", games())
def test_a_thousand_matches_are_sound(game: str) -> None:
    with ProcessPoolExecutor(2) as pool:
        found = pool.map(faults, [game] * MATCHES, range(0, MATCHES, AT_ONCE))
        assert [fault for some in found for fault in some] == []
