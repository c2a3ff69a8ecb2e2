"""What holds in the history of every match: a table with a clock goes on, doubting finds nothing, nothing leaks."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from domain import decide, seen
from domain.audit import audit
from domain.event import Event
from domain.imagine import cards_in
from domain.match import Match, asked, fold
from domain.scoring import transfers
from tests.laws.matches import drawing, finish, opened, played, short_rules, started, state, stored, turn, unscored
from tests.laws.tables import DEALS, Table, tables
from tests.laws.test_secrecy import known, words_in

every_table = pytest.mark.parametrize("table", tables(), ids=str)
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
CLOCK = {"turn_seconds": 30, "bank_seconds": 20}


def with_people(table: Table, random: Random) -> Match:
    """A match among people, with a clock."""
    m = Match("m-clock", now=NOON)
    places = [{"player": f"p-{seat}"} for seat in range(table.seats)]
    head = {**opened(table, short_rules(table, random)), "seats": places, "host": "p-0", "clock": CLOCK}
    decide.open_match(m, head, drawing(random))
    for seat in range(1, table.seats):
        decide.sit(m, seat, f"p-{seat}", drawing(random))
    return m


def happen(m: Match, random: Random) -> None:
    """Somebody speaks in time, or too late; a bot speaks for whom it has replaced."""
    assert m.now
    driven = [seat for seat in m.to_act if m.seats[seat].driver]
    if driven:
        m.now += timedelta(seconds=1)
        words = m.game.words_of_the_house(m.deal, driven[0])
        decide.say(m, driven[0], random.choice(words), drawing(random))
    elif random.random() < 0.5:
        m.now += timedelta(seconds=random.choice([1, 29, 40]))
        turn(m, random, "what the house may say")
    else:
        m.now += timedelta(minutes=random.choice([1, 60]))
        decide.expire(m, drawing(random))


@every_table
def test_a_table_with_a_clock_goes_on_in_every_phase_and_replays(table: Table) -> None:
    random = Random(f"{table} clock")
    m = with_people(table, random)
    for _ in range(3_000):
        if m.over:
            break
        count = m.version
        happen(m, random)
        assert m.version > count, "the table hangs"
        if random.random() < 0.05:
            events = stored(m.fresh)
            assert state(fold(m.id, events)) == state(fold(m.id, unscored(events))) == state(m)
    assert m.status == "ended"
    assert audit(m.id, stored(m.fresh)) == []
    late = [event for event in m.fresh if event.type == "expired"]
    for event in late:
        assert m.fresh[event.version].type == "moved"
        assert m.fresh[event.version].data["seat"] == event.data["seat"]
    assert late


@every_table
def test_nobody_s_time_is_up_before_its_turn_and_bank_are_used(table: Table) -> None:
    m = with_people(table, Random(f"{table} in time"))
    assert m.now
    for seconds in (0, 30, 49):
        m.now = NOON + timedelta(seconds=seconds)
        decide.expire(m, drawing(Random(0)))
    assert not [event for event in m.fresh if event.type == "expired"]
    waiting = asked(m)
    m.now = NOON + timedelta(seconds=51)
    decide.expire(m, drawing(Random(0)))
    assert [event.data["seat"] in waiting for event in m.fresh if event.type == "expired"] == [True]


@every_table
def test_doubting_an_honest_history_finds_nothing_and_its_ledger_sums_to_zero(table: Table) -> None:
    for number in range(DEALS):
        random = Random(f"{table} audit {number}")
        m = started(table, short_rules(table, random), random)
        for _ in range(random.choice([5, 30, 10_000])):
            if not m.over:
                turn(m, random, "any word")
        if not m.over:
            decide.resign(m, random.randrange(table.seats))
            finish(m, random, "any word")
        events = stored(m.fresh)
        assert audit(m.id, events) == [], number
        posted = transfers(m.id, events)
        assert all(sum(posting.amount for posting in transfer.postings) == 0 for transfer in posted)
        assert len({transfer.id for transfer in posted}) == len(posted)
        assert posted == transfers(m.id, events)


@every_table
def test_a_changed_event_is_found_with_its_version(table: Table) -> None:
    random = Random(f"{table} forged")
    events = stored(played(table, random).fresh)
    last = {event.type: event for event in events}
    wrong: dict[str, dict[str, Any]] = {
        "moved": {"move": "no such word"},
        "dealt": {"pack": last["dealt"].data["pack"][::-1]},
        "ended": {"places": [9] * table.seats},
    }
    if "scored" in last:
        wrong["scored"] = {"points": [99] * table.seats}
    for kind, change in wrong.items():
        at = last[kind].version
        forged = [*deepcopy(events)]
        forged[at - 1] = Event(kind, {**forged[at - 1].data, **change}, at, forged[at - 1].at)
        assert at in {fault.version for fault in audit("m-1", forged)}, kind


def aloud(m: Match) -> set[str]:
    """What has been named in this deal for everybody to hear; a card that was taken back is still known."""
    said = [event.data["move"] for event in m.fresh if event.type == "moved" and event.version > m.dealt_at]
    return {each for word in said if word.split(" ")[0] not in m.game.FACE_DOWN for each in word.split(" ")}


@every_table
def test_events_tell_a_seat_no_card_that_is_hidden_from_it(table: Table) -> None:
    """Of the running deal each seat, and whoever watches, is told what it may see and what was said aloud."""
    random = Random(f"{table} told")
    m = with_people(table, random)
    for _ in range(120):
        if m.over:
            break
        if random.random() < 0.25:
            sure = {seat: known(m.game, m.deal, seat) for seat in m.deal.seats}
            common = set.intersection(*sure.values())
            for seat in (*m.deal.seats, None):
                secret = set(cards_in(m.game, m.deal)) - (common if seat is None else sure[seat]) - aloud(m)
                assert not told(m, seat) & secret, (seat, told(m, seat) & secret, m.fresh)
        turn(m, random, "any word")


def told(m: Match, seat: int | None) -> set[str]:
    """Every word in what this seat, or whoever watches, reads of the match and of the running deal's events."""
    player = None if seat is None else f"p-{seat}"
    shown = seen.match(m, player, seat)
    shown["deal"]["view"] = {**shown["deal"]["view"], "options": None}
    events = [seen.event(m, event, player) for event in m.fresh if event.version >= m.dealt_at]
    return set(words_in(json.loads(json.dumps([events, {**shown, "options": None}], default=str))))
