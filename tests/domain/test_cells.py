"""Deals that come as cells of a sheet: the same tally, the same faults, said by cell. Beside it: domain/cells.py."""

from __future__ import annotations

from typing import Any

import pytest

from domain.rules import OptionsError
from domain.season_results import Amended, correct, enter_deal, preview
from tests.domain.clubs import DEAL, TALLY, by, confirmed, with_sheet
from tests.domain.seasons import ORGANISER, season

CELLS = {"taken.JS": "A", "taken.JH": "B", "taken.JD": "B", "taken.JC": "C"}


def faults(deals: list[Any], seats: int = 4, game: str = "polignac") -> dict[str, str]:
    with pytest.raises(OptionsError) as refused:
        preview(season(seats, game), seats, deals)
    return refused.value.errors


def test_a_deal_by_cells_is_kept_as_its_tally() -> None:
    s = with_sheet()
    enter_deal(s, by(0), "sh", {"cells": CELLS})
    first, second = s.sheets["sh"].deals
    assert second == {"dealer": 1, "tally": first["tally"]}
    assert first["tally"] == TALLY


def test_a_correction_may_mix_tallies_and_cells() -> None:
    s = confirmed()
    correct(s, ORGANISER, "sh", Amended(deals=[DEAL, {"cells": CELLS}]), "n")
    assert s.results["sh"].now.points == preview(s, 4, [DEAL, DEAL]).totals


WRONG: list[tuple[str, Any, list[str]]] = [
    ("no such seat", {"cells": {**CELLS, "taken.JS": "Q"}}, ["deals.0.cells.taken.JS"]),
    ("no such cell", {"cells": {**CELLS, "taken.AS": "A"}}, ["deals.0.cells.taken.AS"]),
    ("no text", {"cells": {**CELLS, "taken.JS": 0}}, ["deals.0.cells.taken.JS"]),
    ("no cells", {"cells": ["A"]}, ["deals.0.cells"]),
    ("a jack that nobody took", {"cells": {**CELLS, "taken.JS": ""}}, ["deals.0.cells.taken.JS"]),
    ("cells and a tally", {"cells": CELLS, "tally": TALLY}, ["deals.0.cells"]),
    ("cells of a misdeal", {"cells": CELLS, "void": True}, ["deals.0.void"]),
    ("no deal", "cells", ["deals.0"]),
]


@pytest.mark.parametrize(("deal", "names"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_what_is_wrong_is_said_by_cell(deal: Any, names: list[str]) -> None:
    assert list(faults([deal])) == names


def test_faults_of_a_tally_name_the_cell_by_its_letter() -> None:
    coins = {"coins.A": "60", "coins.B": "60", "coins.C": "-1", "holder": "A"}
    assert list(faults([{"cells": coins}], 3, "bottle_imp")) == ["deals.0.cells.coins.C"]
