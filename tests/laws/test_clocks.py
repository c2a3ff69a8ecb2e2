"""Tables that go on: clocks run out, seats resign, are left to a bot and come back, in every phase (C18, C19)."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from domain import decide
from domain.audit import audit
from domain.clocks import MOST_LATE
from domain.match import Match, asked, fold
from tests.laws.matches import drawing, opened, short_rules, state, stored
from tests.laws.tables import DEALS, MOST_WORDS, Table, tables

every_table = pytest.mark.parametrize("table", tables(), ids=str)
TURN_SECONDS = 10


def clocked(table: Table, random: Random, bank_seconds: int = 5) -> Match:
    """A match among persons, each with a clock."""
    clock = {"turn_seconds": TURN_SECONDS, "bank_seconds": bank_seconds}
    seats = [{"player": f"p{seat}"} for seat in range(table.seats)]
    m = Match("m", datetime(2026, 1, 1, tzinfo=UTC))
    rules = opened(table, short_rules(table, random))
    decide.open_match(m, {**rules, "seats": seats, "host": "p0", "clock": clock}, drawing(random))
    for seat in range(1, table.seats):
        decide.sit(m, seat, f"p{seat}", drawing(random))
    return m


def later(m: Match, seconds: float) -> None:
    assert m.now
    m.now += timedelta(seconds=seconds)


def bots_speak(m: Match, random: Random) -> None:
    """What a worker does: the lowest seat that a bot speaks for says what the house may say."""
    while seats := [seat for seat in m.to_act if m.seats[seat].driver]:
        words = m.game.words_of_the_house(m.deal, seats[0])
        decide.say(m, seats[0], random.choice(words), drawing(random))


@every_table
def test_a_table_that_everybody_has_left_plays_itself_to_the_end(table: Table) -> None:
    random = Random(str(table))
    m = clocked(table, random)
    while not m.over:
        assert m.version < MOST_WORDS * 10
        later(m, TURN_SECONDS + 5 + 1)
        decide.expire(m, drawing(random))
        bots_speak(m, random)
    late = Counter(event.data["seat"] for event in m.fresh if event.type == "expired")
    assert late and max(late.values()) <= MOST_LATE
    assert {seat for seat, times in late.items() if times == MOST_LATE} == {
        event.data["seat"] for event in m.fresh if event.type == "replaced"
    }
    assert audit(m.id, m.fresh) == []


@every_table
def test_after_expired_comes_a_word_of_that_seat_and_after_the_third_a_bot(table: Table) -> None:
    random = Random(f"{table} expired")
    m = clocked(table, random)
    late = [0] * table.seats
    while not m.over:
        later(m, random.choice([1, 4, TURN_SECONDS + 40]))
        before = len(m.fresh)
        decide.expire(m, drawing(random))
        new = m.fresh[before:]
        if new:
            seat = new[0].data["seat"]
            late[seat] += 1
            assert [event.type for event in new[:2]] == ["expired", "moved"]
            assert new[1].data["seat"] == seat
            assert (len(new) > 2 and new[2].type == "replaced") == (late[seat] == MOST_LATE)
            late[seat] %= MOST_LATE
        elif people := asked(m):
            seat = random.choice(people)
            decide.move(m, seat, random.choice(m.game.words_of_the_house(m.deal, seat)), drawing(random))
            late[seat] = 0
        bots_speak(m, random)


@every_table
def test_resigning_leaving_and_coming_back_in_any_phase_never_stops_the_table(table: Table) -> None:
    for number in range(DEALS):
        random = Random(f"{table} {number}")
        m = clocked(table, random)
        while not m.over:
            later(m, random.choice([1, 3, 8, 12, 25]))
            seat, what = random.choice(m.to_act), random.random()
            if m.seats[seat].driver:
                bots_speak(m, random)
            elif what < 0.3:
                decide.expire(m, drawing(random))
            elif what < 0.32:
                decide.resign(m, seat)
            else:
                decide.move(m, seat, random.choice(decide.legal(m, seat)), drawing(random))
            for gone in (n for n, place in enumerate(m.seats) if place.replaced_by and random.random() < 0.1):
                if not m.over:
                    decide.sit(m, None, f"p{gone}", drawing(random))
                    assert m.over or m.seats[gone].replaced_by is None
        assert audit(m.id, m.fresh) == [], number
        assert state(fold(m.id, stored(m.fresh))) == state(m), number
        resigned = [n for n, place in enumerate(m.seats) if place.resigned]
        assert m.result
        assert all(m.result["places"][n] == table.seats - len(resigned) + 1 for n in resigned), number


def test_the_bank_is_spent_after_the_turn_and_is_for_the_whole_match() -> None:
    table = next(table for table in tables() if str(table) == "polignac-knaves-3")
    random = Random(1)
    m = clocked(table, random, bank_seconds=30)
    assert m.clocks
    [(at, seat)] = m.clocks.deadlines(asked(m))
    assert at == m.now + timedelta(seconds=TURN_SECONDS + 30) if m.now else False
    later(m, TURN_SECONDS + 12)
    decide.expire(m, drawing(random))
    assert m.fresh[-1].type != "expired"
    decide.move(m, seat, decide.legal(m, seat)[0], drawing(random))
    assert m.clocks.banks[seat] == 18.0
    while m.deals == 0:
        seat = m.to_act[0]
        decide.move(m, seat, decide.legal(m, seat)[0], drawing(random))
    assert sorted(m.clocks.banks) == [18.0, 30.0, 30.0]
    scored = next(event for event in m.fresh if event.type == "scored")
    assert scored.data["clock"]["banks"] == m.clocks.banks


def test_a_player_who_was_replaced_plays_again_by_saying_a_word() -> None:
    table = next(table for table in tables() if str(table) == "polignac-knaves-3")
    random = Random(2)
    m = clocked(table, random)
    while not any(place.replaced_by for place in m.seats):
        later(m, 1000)
        decide.expire(m, drawing(random))
    gone = next(n for n, place in enumerate(m.seats) if place.replaced_by)
    while gone not in m.to_act:
        seat = m.to_act[0]
        decide.say(m, seat, decide.legal(m, seat)[0], drawing(random))
    before = len(m.fresh)
    decide.move(m, gone, decide.legal(m, gone)[0], drawing(random))
    assert [event.type for event in m.fresh[before : before + 2]] == ["replaced", "moved"]
    assert m.fresh[before].data == {"seat": gone, "bot": None}
