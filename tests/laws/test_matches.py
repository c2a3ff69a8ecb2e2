"""What holds in every match of every game: its events are the match, the books are right, places depend on points."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from domain import decide, errors, fairness, rules
from domain.house import places, scored
from domain.match import Match, Seat, fold
from domain.rules import Game
from domain.secrecy import options_json
from tests.laws.matches import drawing, finish, played, short_rules, started, state, stored, turn, unscored
from tests.laws.tables import DEALS, Table, tables

every_table = pytest.mark.parametrize("table", tables(), ids=str)
every_game = pytest.mark.parametrize("game", rules.games().values(), ids=rules.games())
CHANGED: tuple[Callable[[str], str], ...] = (
    str.lower, str.upper, str.title, lambda word: f" {word}", lambda word: f"{word} ", lambda word: f"{word} {word}",
    lambda word: word.replace(" ", "  ") + "\n", lambda word: word[::-1], lambda word: word[:-1], lambda word: "",
)  # fmt: skip


def chance(table: Table, law: str) -> Random:
    return Random(f"{table} {law}")


@every_table
def test_replay_reaches_the_live_state_at_every_version(table: Table) -> None:
    for number in range(DEALS):
        random = chance(table, f"replay {number}")
        m = started(table, short_rules(table, random), random)
        while not m.over:
            if random.random() < 0.05:
                events = stored(m.fresh)
                assert state(fold(m.id, events)) == state(m), (number, m.version)
                assert state(fold(m.id, unscored(events))) == state(m), (number, m.version)
            turn(m, random, "any word")
        assert [event.version for event in m.fresh] == list(range(1, m.version + 1))
        assert state(fold(m.id, stored(m.fresh))) == state(m), number
        assert state(fold(m.id, unscored(stored(m.fresh)))) == state(m), number


@every_table
def test_every_match_ends_with_a_place_for_every_seat(table: Table) -> None:
    m = played(table, chance(table, "end"))
    assert m.status == "ended"
    assert m.result
    ranked = m.result["places"]
    assert len(ranked) == table.seats
    assert ranked == [1 + sum(other < place for other in ranked) for place in ranked]
    assert m.result["totals"] == m.totals
    assert m.result["reason"] in ("target", "deals", "revoke")


@every_table
def test_totals_are_the_points_of_the_lines(table: Table) -> None:
    m = played(table, chance(table, "books"))
    totals = [0] * table.seats
    for event in m.fresh:
        if event.type != "scored":
            continue
        lines, points = event.data["lines"], event.data["points"]
        assert all(line["points"] for line in lines)
        assert points == [sum(line["points"] for line in lines if line["seat"] == seat) for seat in range(table.seats)]
        if not (event.data["extra"] and table.game.EXTRA_AMONG_TIED):
            totals = [total + more for total, more in zip(totals, points, strict=True)]
    assert totals == m.totals


@every_table
def test_every_shuffle_fits_its_commitment_and_the_deal_moves_round(table: Table) -> None:
    m = played(table, chance(table, "shuffles"))
    dealings = [event.data for event in m.fresh if event.type == "dealt"]
    for number, dealt in enumerate(dealings, 1):
        assert dealt["deal"] == number
        options = table.game.for_extra(m.options) if dealt["extra"] else m.options
        canonical, seed = table.game.pack(options, dealt["seats"]), bytes.fromhex(dealt["seed"])
        assert fairness.verify(dealt["pack"], canonical, seed, m.id, number, dealt["commitment"]) == []
    for before, dealt in pairwise(dealings):
        round_the_table = [(before["dealer"] + step) % table.seats for step in range(1, table.seats + 1)]
        assert dealt["dealer"] == next(seat for seat in round_the_table if seat in dealt["seats"])


@every_table
def test_prepared_packs_and_the_same_words_make_the_same_match(table: Table) -> None:
    random = chance(table, "prepared")
    m = played(table, random)
    dealings = [event.data for event in m.fresh if event.type == "dealt" and not event.data["extra"]]
    packs = [dealt["pack"] for dealt in dealings]
    given = {**m.opened, "packs": packs, "dealer": dealings[0]["dealer"]}
    again = Match(m.id)
    decide.open_match(again, given, drawing(random))
    for event in m.fresh:
        if event.type == "moved" and again.extra_deals == 0 and not (again.dealt or {})["extra"]:
            decide.move(again, event.data["seat"], event.data["move"], drawing(random))
    ordinary = [[e.data for e in match.fresh if e.type == "scored" and not e.data["extra"]] for match in (m, again)]
    assert ordinary[0] == ordinary[1]


@every_table
def test_a_refused_word_changes_nothing_and_is_refused_by_name(table: Table) -> None:
    random = chance(table, "refused")
    m = started(table, short_rules(table, random), random)
    refused = 0
    for _ in range(60):
        if m.over:
            break
        seat = random.randrange(table.seats)
        said = [word for other in range(table.seats) for word in m.game.legal(m.deal, other)]
        word = random.choice(CHANGED)(random.choice(said)) if random.random() < 0.7 else random.choice(said)
        before, events = state(m), len(m.fresh)
        if m.game.spell(word) not in m.game.legal(m.deal, seat):
            with pytest.raises((errors.IllegalMoveError, errors.NotYourTurnError)) as refusal:
                decide.move(m, seat, word, drawing(random))
            assert refusal.value.facts == {"version": m.version, "legal": m.game.legal(m.deal, seat)}
            assert (state(m), len(m.fresh)) == (before, events), word
            refused += 1
        turn(m, random, "any word")
    assert refused


@every_table
def test_a_seat_that_resigns_in_any_phase_ranks_last_and_the_table_goes_on(table: Table) -> None:
    for number in range(DEALS):
        random = chance(table, f"resigned {number}")
        m = started(table, short_rules(table, random), random)
        for _ in range(random.choice([0, 1, 5, 20, 60])):
            if not m.over:
                turn(m, random, "any word")
        if m.over:
            continue
        seat = random.randrange(table.seats)
        decide.resign(m, seat)
        finish(m, random, "what the house may say")
        assert m.result
        assert m.result["places"][seat] == table.seats
        assert m.result["places"].count(table.seats) == 1
        assert m.result["reason"] == "resignation" or table.seats > 2


@every_table
def test_nothing_follows_the_end_but_a_void(table: Table) -> None:
    random = chance(table, "over")
    m = played(table, random)
    before = state(m)
    late: list[tuple[Callable[..., Any], Any]] = [
        (decide.move, ("pass", drawing(random))), (decide.resign, ()), (decide.leave, ()),
        (decide.sit, ("p-late", drawing(random))), (decide.seat_bot, ("rule", drawing(random))),
    ]  # fmt: skip
    for seat in range(table.seats):
        assert decide.legal(m, seat) == []
        for attempt, more in late:
            with pytest.raises(errors.MatchOverError):
                attempt(m, seat, *more)
    assert state(m) == before
    decide.void(m, "p-host", "played in the wrong round")
    assert (m.status, m.result) == ("voided", None)
    with pytest.raises(errors.MatchOverError):
        decide.void(m, "p-host", "again")


@every_game
@pytest.mark.parametrize("seed", range(40))
def test_permuting_the_seats_permutes_the_places(game: Game, seed: int) -> None:
    random = Random(seed)
    seats = random.randint(2, 6)
    m = Match("m-1")
    m.game, m.totals = game, [random.randint(-2, 2) for _ in range(seats)]
    m.dealt = {"extra": random.random() < 0.5}
    m.seats = [Seat(resigned=random.random() < 0.1) for _ in range(seats)]
    m.extras = [[random.randint(0, 1)] * (random.random() < 0.5) for _ in range(seats)]
    m.ties = random.choice([[], [[random.randint(0, 1), random.randint(0, 1)] for _ in range(seats)]])
    forfeited = random.choice([None, random.randrange(seats)])
    order = random.sample(range(seats), seats)
    other = Match("m-2")
    other.game, other.totals, other.dealt = game, [m.totals[seat] for seat in order], m.dealt
    other.seats, other.extras = [m.seats[seat] for seat in order], [m.extras[seat] for seat in order]
    other.ties = [m.ties[seat] for seat in order] if m.ties else []
    lost = order.index(forfeited) if forfeited is not None else None
    assert places(other, lost) == [places(m, forfeited)[seat] for seat in order]


@every_table
def test_the_score_of_a_deal_can_be_made_again_from_its_recorded_tally(table: Table) -> None:
    m = played(table, chance(table, "tally"))
    dealings = {event.data["deal"]: event.data for event in m.fresh if event.type == "dealt"}
    for event in stored(m.fresh):
        if event.type == "scored":
            dealt = dealings[event.data["deal"]]
            options = rules.recorded(m.game, json.loads(json.dumps(options_json(m.options))))
            options = m.game.for_extra(options) if dealt["extra"] else options
            lines = m.game.score(options, dealt["seats"], event.data["tally"])
            told = [{"seat": seat, "reason": reason, "points": points} for seat, reason, points in lines if points]
            assert told == event.data["lines"]


@every_table
def test_a_running_deal_can_be_scored_as_it_stands(table: Table) -> None:
    random = chance(table, "running")
    m = started(table, short_rules(table, random), random)
    for _ in range(10):
        before = state(m)
        assert len(scored(m)["points"]) == table.seats
        assert state(m) == before
        turn(m, random, "what the house may say")
        if m.over:
            break
