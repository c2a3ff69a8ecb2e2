"""What holds of fair matches at every table: the secret first, then the nonces, then the deal (C1, C2, C22)."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from domain import decide, errors, fairness, news, play, seen
from domain.audit import audit
from domain.event import Event, Job
from domain.match import Match, deadlines, fold
from tests.laws.fair import CLOCK, NOON, fair_match, give, go_on, too_late
from tests.laws.matches import drawing, started, state, stored, unscored
from tests.laws.tables import Table, tables

every_table = pytest.mark.parametrize("table", tables(), ids=str)


def no_more() -> bytes:
    raise AssertionError("a replay never draws")


def to_the_end(m: Match, random: Random) -> None:
    for _ in range(3_000):
        if m.over:
            return
        go_on(m, random)
    raise AssertionError("the table hangs")


@every_table
def test_a_fair_match_replays_at_every_version_and_doubting_it_finds_nothing(table: Table) -> None:
    random = Random(f"{table} fair")
    m = fair_match(table, random)
    while not m.over:
        go_on(m, random)
        if m.committed or random.random() < 0.03:
            events = stored(m.fresh)
            assert state(fold(m.id, events)) == state(m), m.version
            assert state(fold(m.id, unscored(events))) == state(m), m.version
            assert audit(m.id, events) == []
    assert audit(m.id, stored(m.fresh)) == []


@every_table
def test_each_deal_is_committed_then_every_seat_adds_a_nonce_then_it_is_dealt(table: Table) -> None:
    random = Random(f"{table} order")
    m = fair_match(table, random)
    to_the_end(m, random)
    committed: dict[str, Any] = {}
    nonces: dict[int, str] = {}
    for event in m.fresh:
        data = event.data
        if event.type == "committed":
            committed, nonces = data, {}
        elif event.type == "nonce":
            assert data["seat"] not in nonces and data["deal"] == committed["deal"]
            nonces[data["seat"]] = data["nonce"]
        elif event.type == "dealt":
            assert sorted(nonces) == committed["seats"] == data["seats"]
            assert data["commitment"] == committed["commitment"]
            given = [bytes.fromhex(nonces[seat]) for seat in data["seats"]]
            options = m.game.for_extra(m.options) if data["extra"] else m.options
            canonical, seed = m.game.pack(options, data["seats"]), bytes.fromhex(data["seed"])
            assert fairness.verify(data["pack"], canonical, seed, m.id, data["deal"], data["commitment"], given) == []
            assert fairness.verify(data["pack"], canonical, seed, m.id, data["deal"], data["commitment"]) != []


@every_table
def test_nothing_that_is_secret_leaves_while_nonces_are_awaited_or_the_deal_is_played(table: Table) -> None:
    """C2: neither the seed nor the pack nor a hash, to any seat or watcher, at any version."""
    random = Random(f"{table} secret")
    m = fair_match(table, random)
    for _ in range(150):
        if m.over:
            break
        if not m.committed and random.random() < 0.7:
            go_on(m, random)
            continue
        secret = next(event.data["seed"] for event in reversed(m.fresh) if event.type in ("committed", "dealt"))
        sealed = next(event.version for event in reversed(m.fresh) if event.type == "committed")
        for seat in (*range(table.seats), None):
            player = None if seat is None else f"p-{seat}"
            events = [seen.event(m, event, player) for event in m.fresh]
            told = json.dumps([events, seen.match(m, player, seat)], default=str)
            assert secret not in told and '"pack"' not in json.dumps(events[sealed - 1 :], default=str)
            assert {event["hash"] for event in events[sealed - 1 :]} == {None}
        go_on(m, random)


@every_table
def test_worlds_with_another_seed_look_alike_until_the_cards_are_dealt(table: Table) -> None:
    """C1: but for the commitment, which is a hash of the secret and nothing else."""
    worlds = []
    for seed in "ab":
        random = Random(str(table))
        given = fair_match(table, random)
        head, seats = given.opened, [event for event in given.fresh if event.type == "seated"]
        m, draw = Match("m-1", now=NOON), drawing(Random(seed))
        decide.open_match(m, head, draw)
        for event in seats:
            decide.sit(m, event.data["seat"], event.data["player"], draw)
        for seat in range(table.seats - 1):
            decide.nonce(m, seat, 1, bytes([seat]))
        assert m.committed
        shown = [seen.match(m, "p-0", 0), [seen.event(m, event, "p-0") for event in m.fresh]]
        worlds.append(json.dumps(shown, default=str).replace(m.committed["commitment"], "#"))
    assert worlds[0] == worlds[1]


@every_table
def test_bots_alone_wait_for_nobody(table: Table) -> None:
    random = Random(f"{table} bots")
    m = started(table, {}, random, fair=True)
    kinds = [event.type for event in m.fresh]
    assert kinds == ["opened", "committed", *["nonce"] * table.seats, "dealt"]
    assert {event.data["nonce"] for event in m.fresh if event.type == "nonce"} == {""}


@every_table
def test_while_nonces_are_awaited_nobody_owes_or_may_say_a_word(table: Table) -> None:
    random = Random(f"{table} waiting")
    m = fair_match(table, random)
    waits = 0
    while not m.over and waits < 10:
        if m.committed:
            waits += 1
            assert (m.status, m.to_act) == ("playing", [])
            shown = seen.match(m, "p-0", 0)["deal"]
            assert (shown["to_act"], shown["legal"], shown["awaiting_nonces"]) == ([], [], m.awaiting)
            assert "view" not in shown
            for seat in range(table.seats):
                assert decide.legal(m, seat) == []
                with pytest.raises((errors.NotYourTurnError, errors.IllegalMoveError)):
                    decide.move(m, seat, "no word", no_more)
                with pytest.raises(errors.MatchStartedError):
                    decide.leave(m, seat)
        go_on(m, random)


@every_table
def test_a_seat_that_gives_up_or_is_too_late_gives_the_empty_nonce_and_the_table_goes_on(table: Table) -> None:
    for late in (False, True):
        random = Random(f"{table} {late}")
        m = fair_match(table, random)
        for _ in range(table.seats - 1):
            give(m, random)
        (last,) = m.awaiting
        due = next(job for job in play.follow_ups(m) if job.kind == "clock")
        assert due == Job(f"clock:{m.id}:{m.version}", NOON + timedelta(seconds=CLOCK["turn_seconds"]))
        if late:
            assert m.now and m.clocks
            assert [seat for _, seat in deadlines(m)] == [last]
            too_late(m, random)
            assert m.clocks.late == [0] * table.seats and m.clocks.banks == [CLOCK["bank_seconds"]] * table.seats
        else:
            decide.resign(m, last)
        if m.over:
            assert table.seats == 2
            shown = seen.match(m, None, "all")["deal"]
            assert shown["awaiting_nonces"] == [] and seen.event(m, committed(m), None)["seed"]
            assert audit(m.id, stored(m.fresh)) == []
            continue
        empty = next(event for event in m.fresh if event.type == "nonce" and event.data["seat"] == last)
        assert empty.data["nonce"] == "" and m.fresh[-1].type == "dealt"
        to_the_end(m, random)
        assert audit(m.id, stored(m.fresh)) == []


def committed(m: Match) -> Event:
    return next(event for event in m.fresh if event.type == "committed")


@every_table
def test_whoever_owes_a_nonce_is_told_so_and_nobody_else(table: Table) -> None:
    random = Random(str(table))
    m = fair_match(table, random)
    while m.awaiting:
        for seat in range(table.seats):
            told = [*news.owed(m, f"p-{seat}")]
            due = {"type": "nonce", "match": m.id, "version": m.version, "seat": seat, "deal": 1}
            assert told == ([due] if seat in m.awaiting else [])
        give(m, random)
    assert {item["type"] for seat in range(table.seats) for item in news.owed(m, f"p-{seat}")} == {"turn"}


@every_table
def test_a_void_while_nonces_are_awaited_opens_the_promise(table: Table) -> None:
    m = fair_match(table, Random(str(table)), clock=None)
    decide.void(m, "p-0", "host")
    assert m.awaiting == [] and m.status == "voided"
    seed = bytes.fromhex(seen.event(m, committed(m), None)["seed"])
    assert fairness.commitment(seed, m.id, 1) == seen.match(m, None, None)["deal"]["commitment"]
    assert audit(m.id, stored(m.fresh)) == []


@every_table
def test_a_replay_of_a_fair_match_never_draws(table: Table) -> None:
    """C22: with the nonces of the record the promised seed makes the same deal, and nothing is asked of chance."""
    random = Random(f"{table} draws")
    m = fair_match(table, random)
    while m.awaiting:
        give(m, random)
    promise = next(event for event in m.fresh if event.type == "committed")
    again = fold(m.id, stored(m.fresh[: promise.version]))
    again.now = NOON
    for event in m.fresh[promise.version :]:
        if event.type == "nonce":
            decide.nonce(again, event.data["seat"], 1, bytes.fromhex(event.data["nonce"]))
    assert again.fresh[-1].data == m.fresh[-1].data


FORGED: dict[str, dict[str, Any]] = {
    "committed": {"shuffled_as": "m-0"},
    "nonce": {"nonce": "ffff"},
    "dealt": {"seed": "0" * 64},
}


@every_table
@pytest.mark.parametrize("kind", FORGED)
def test_a_changed_promise_nonce_or_deal_is_found(table: Table, kind: str) -> None:
    random = Random(f"{table} forged")
    m = fair_match(table, random)
    while m.awaiting:
        give(m, random)
    events = stored(m.fresh)
    at = next(event.version for event in reversed(events) if event.type == kind)
    forged = deepcopy(events)
    forged[at - 1] = Event(kind, {**forged[at - 1].data, **FORGED[kind]}, at, forged[at - 1].at)
    assert {fault.version for fault in audit(m.id, forged)} & {at, events[-1].version}
    gone = [Event(event.type, event.data, version, event.at)
            for version, event in enumerate([*events[: at - 1], *events[at:]], 1)]  # fmt: skip
    assert kind == "dealt" or audit(m.id, gone)
