"""What a scorer writes down is enough: the cells of any deal's tally make a tally that scores the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from domain import paper
from domain.sheets import check, on_paper
from tests.laws.tables import Dealt, Table, some_deals, tables, walk

every_table = pytest.mark.parametrize("table", tables(), ids=str)


@every_table
def test_the_cells_of_a_deal_are_enough_for_its_score(table: Table) -> None:
    for deal, random in some_deals(table):
        for _ in walk(deal, random):
            pass
        if table.game.forfeit(deal.d) is not None:
            continue
        tally = json.loads(json.dumps(table.game.tally(deal.d)))
        sheet = on_paper(table.game, deal.options, table.seats)
        cells = paper.cells(sheet, table.seats, tally)
        again = paper.tally(sheet, table.seats, cells)
        assert check(table.game, deal.options, deal.seats, table.seats, again) == {}, (deal, cells)
        assert worth(table, deal, again) == worth(table, deal, tally), (deal, cells)
        assert paper.cells(sheet, table.seats, again) == cells


def worth(table: Table, deal: Dealt, tally: Any) -> list[int]:
    """Points by seat."""
    lines = table.game.score(deal.options, deal.seats, tally)
    return [sum(points for who, _, points in lines if who == seat) for seat in range(table.seats)]
