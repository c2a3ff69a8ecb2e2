"""Fair matches at every table: seats give nonces, or say nothing, before each deal. Read beside it: matches.py."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

from domain import decide
from domain.match import Match
from tests.laws.matches import drawing, opened, short_rules, turn
from tests.laws.tables import Table

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
CLOCK = {"turn_seconds": 30, "bank_seconds": 20}


def fair_match(table: Table, random: Random, clock: dict[str, int] | None = CLOCK) -> Match:
    """A fair match among people, with the first deal committed."""
    m = Match(f"m-{random.randint(0, 10**9)}", now=NOON)
    places = [{"player": f"p-{seat}"} for seat in range(table.seats)]
    head = {**opened(table, short_rules(table, random)), "seats": places, "host": "p-0", "clock": clock, "fair": True}
    decide.open_match(m, head, drawing(random))
    for seat in range(1, table.seats):
        decide.sit(m, seat, f"p-{seat}", drawing(random))
    return m


def give(m: Match, random: Random) -> None:
    """One of those who owe a nonce gives one."""
    assert m.committed
    decide.nonce(m, random.choice(m.awaiting), m.committed["deal"], random.randbytes(random.choice([0, 1, 32, 64])))


def too_late(m: Match, random: Random) -> None:
    """The clock says what it says."""
    assert m.now
    m.now += timedelta(hours=1)
    decide.expire(m, drawing(random))


def go_on(m: Match, random: Random) -> None:
    """Whatever is due at the table: a nonce, a word, or the clock; a bot speaks for whom it has replaced."""
    assert m.now
    m.now += timedelta(seconds=1)
    driven = [seat for seat in m.to_act if m.seats[seat].driver]
    if driven:
        words = m.game.words_of_the_house(m.deal, driven[0])
        decide.say(m, driven[0], random.choice(words), drawing(random))
    elif random.random() < 0.03 and m.clocks:
        too_late(m, random)
    elif m.awaiting:
        give(m, random)
    else:
        turn(m, random, "what the house may say")
