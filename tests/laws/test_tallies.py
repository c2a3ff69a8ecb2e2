"""A tally that a real deal ended with is always accepted; one that no deal can end with is refused by its field."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from domain.sheets import check, sheet
from tests.laws.matches import played
from tests.laws.tables import Dealt, Table, some_deals, tables, walk

WRONG: list[Any] = ["7", -1, 1.5, True, {"a": 1}, [[]], [None]]
WRONG_ENTRIES: list[Any] = [-99, True, 1.5, "x", None, 10**9]
every_table = pytest.mark.parametrize("table", tables(), ids=str)


def ended(table: Table) -> list[tuple[Dealt, Random, Any]]:
    """Deals of this table that were scored, each with its tally as a store gives it back."""
    found = []
    for deal, random in some_deals(table):
        for _ in walk(deal, random):
            pass
        if table.game.forfeit(deal.d) is None:
            found.append((deal, random, json.loads(json.dumps(table.game.tally(deal.d)))))
    return found


def faults(deal: Dealt, tally: Any) -> dict[str, str]:
    return check(deal.table.game, deal.options, deal.seats, deal.table.seats, tally)


@every_table
def test_the_tally_of_a_deal_that_was_played_is_accepted(table: Table) -> None:
    for deal, _, tally in ended(table):
        assert faults(deal, tally) == {}, deal


def broken(tally: Any, random: Random) -> list[tuple[str, Any]]:
    """The tally with one thing in it that can be in none."""
    name = random.choice(list(tally))
    lacking = {field: value for field, value in tally.items() if field != name}
    found: list[tuple[str, Any]] = [
        (name, lacking),
        ("unheard_of", {**tally, "unheard_of": 1}),
        ("", None),
        ("", []),
        ("", "7"),
    ]
    for field, value in tally.items():
        found += [(field, {**tally, field: wrong}) for wrong in WRONG]
        if isinstance(value, list) and value and field != "revokes":  # as many as there were
            found += [(field, {**tally, field: value + value[-1:]})]
            found += [(field, {**tally, field: [*value[:-1], wrong]}) for wrong in WRONG_ENTRIES]
    return found


@every_table
def test_a_tally_with_something_impossible_in_it_is_refused_by_the_name_of_the_field(table: Table) -> None:
    for deal, random, tally in ended(table):
        for field, wrong in broken(tally, random):
            found = faults(deal, wrong)
            assert found, (field, wrong, deal)
            assert any(name.split(".")[0] == field for name in found), (field, found, wrong)


@every_table
def test_a_sheet_with_the_deals_of_a_match_comes_to_its_totals_and_places(table: Table) -> None:
    for number in range(4):
        m = played(table, Random(f"{table} sheet {number}"))
        deals = [event.data for event in m.fresh if event.type == "scored"]
        written = sheet(m.game, m.options, table.seats, [{"tally": each["tally"]} for each in deals])
        assert written.totals == m.totals
        assert [deal.points for deal in written.deals] == [each["points"] for each in deals]
        assert m.result
        if m.result["reason"] != "revoke":  # a match lost by a revoke has no deal that says so
            assert (written.places, written.over) == (m.result["places"], m.result["reason"])


JUNK: list[Any] = [None, True, 0, -1, 10**30, 1.5, "", "JS", [], [[]], {}, {"seat": []}, {"JS": {}}, [None] * 3]


@every_table
def test_nothing_a_client_may_send_breaks_a_check(table: Table) -> None:
    for deal, random, tally in ended(table):
        for _ in range(40):
            faults(deal, spoiled(tally, random))


def spoiled(value: Any, random: Random) -> Any:
    """The same with something somewhere in it replaced by anything."""
    if random.random() < 0.1 or not value or not isinstance(value, dict | list):
        return random.choice(JUNK)
    if isinstance(value, dict):
        name = random.choice(list(value))
        return {**value, name: spoiled(value[name], random)}
    at = random.randrange(len(value))
    return [*value[:at], spoiled(value[at], random), *value[at + 1 :]]
