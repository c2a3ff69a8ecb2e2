"""What holds of the record of every match: it is the match, byte by byte, both ways; and it tells no secret."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import jsonschema_rs
import pytest

from domain import decide, rules, seen
from domain.audit import audit
from domain.event import Event
from domain.match import Match
from domain.record import SCHEMA, Tree, to_json, to_toml, tree
from domain.record_reading import replay
from domain.record_shape import from_toml
from tests.laws.fair import fair_match, go_on
from tests.laws.matches import drawing, finish, played, short_rules, started, stored, turn
from tests.laws.tables import Table, tables
from tests.laws.test_histories import happen, with_people

every_table = pytest.mark.parametrize("table", tables(), ids=str)
VALID = jsonschema_rs.Draft202012Validator(json.loads(SCHEMA.read_text()))
WHERE_IT_WAS = ("opened", "seated")  # who came to the table, and how, is not in a record


def record_of(m: Match, player: str | None = None) -> Tree:
    """The record as a player sees it, once it has been held against the schema and both spellings."""
    events = [seen.event(m, event, player) for event in m.fresh]
    found = tree(m, events, [None if seat.bot else f"Pía {number}" for number, seat in enumerate(m.seats)])
    assert from_toml(to_toml(found)) == json.loads(to_json(found)) == found
    fault = next(VALID.iter_errors(found), None)
    assert fault is None, fault
    return found


def facts(m: Match) -> list[tuple[str, str]]:
    """What happened at the table, without what concerns only the place where it was played."""
    return [
        (event.type, json.dumps({name: value for name, value in event.data.items() if name not in ("by", "clock")}))
        for event in m.fresh
        if event.type not in WHERE_IT_WAS
    ]


def there_and_back(m: Match) -> None:
    text = to_toml(record_of(m))
    again, found = replay(from_toml(text), "p-importer", "private")
    assert to_toml(found) == text
    assert facts(again) == facts(m)
    assert (again.status, again.totals, again.result) == (m.status, m.totals, m.result)
    assert audit("elsewhere", stored(again.fresh)) == []
    kept = seen.match(again, None, None)
    assert kept["imported"]
    assert kept["prepared"] == bool(m.opened.get("packs"))
    assert not any(seat["open"] or seat["player"] for seat in kept["seats"])


@every_table
def test_a_match_among_bots_is_its_record(table: Table) -> None:
    there_and_back(played(table, Random(f"{table} record")))


def among_people(table: Table, random: Random) -> Match:
    m = with_people(table, random)
    while not m.over:
        happen(m, random)
        befall(m, random)
    return m


def fair(table: Table, random: Random) -> Match:
    m = fair_match(table, random)
    while not m.over:
        go_on(m, random)
        befall(m, random)
    return m


def befall(m: Match, random: Random) -> None:
    """Now and then somebody gives up, comes back, or voids it all."""
    seat = random.randrange(len(m.seats))
    if m.over or random.random() > 0.03:
        return
    if m.seats[seat].replaced_by:
        decide.sit(m, seat, f"p-{seat}", drawing(random))
    elif random.random() < 0.3 and not m.seats[seat].resigned:
        decide.resign(m, seat)
    elif random.random() < 0.1:
        decide.void(m, "p-0", "host")


@pytest.mark.parametrize("play", [among_people, fair])
@every_table
def test_clocks_bots_farewells_nonces_and_voids_are_in_the_record_where_they_happened(
    table: Table, play: Callable[[Table, Random], Match]
) -> None:
    for number in range(3):
        there_and_back(play(table, Random(f"{table} {play.__name__} {number}")))


@every_table
def test_prepared_packs_are_in_the_record_and_then_the_shuffle_takes_over(table: Table) -> None:
    random = Random(f"{table} prepared record")
    options = short_rules(table, random)
    canonical = table.game.pack(
        rules.effective(table.game, table.variant, options, table.seats), list(range(table.seats))
    )
    packs = [random.sample(canonical, len(canonical)) for _ in range(random.choice([1, 2]))]
    m = started(table, options, random, packs=packs, dealer=random.randrange(table.seats))
    finish(m, random, "any word")
    there_and_back(m)


@every_table
def test_a_match_that_is_voided_after_its_end_keeps_both_in_its_record(table: Table) -> None:
    m = played(table, Random(f"{table} voided record"))
    decide.void(m, "p-host", "host")
    there_and_back(m)
    assert {"result", "voided"} <= record_of(m).keys()


@every_table
def test_the_record_of_a_running_match_shows_no_more_than_its_reader_sees(table: Table) -> None:
    random = Random(f"{table} redacted record")
    m = with_people(table, random)
    for _ in range(150):
        if m.over:
            break
        if random.random() < 0.2:
            look(m, [None, *(f"p-{seat}" for seat in range(table.seats))])
        turn(m, random, "any word")


def look(m: Match, players: list[str | None]) -> None:
    """Each reader is told the words of others that were said face down in this deal as `??`, and no pack or seed."""
    said = [event for event in m.fresh if event.type == "moved" and event.version > m.dealt_at]
    for player in players:
        deal = record_of(m, player)["deals"][-1]
        assert deal.keys() == {"number", "extra", "dealer", "seats", "commitment", "words"}
        assert deal["words"] == [shown(m, event, m.seat_of(player)) for event in said]


def shown(m: Match, event: Event, reader: int | None) -> str:
    seat, word = event.data["seat"], event.data["move"]
    hidden = word.split(" ")[0] in m.game.FACE_DOWN and reader != seat
    return f"{seat} ??" if hidden else f"{seat} {word}"
