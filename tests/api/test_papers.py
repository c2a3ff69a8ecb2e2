"""What is written on a sheet, for whoever draws a form; deals given by its cells. Beside it: api/papers.py."""

from __future__ import annotations

from typing import Any

from tests.api.clubs import Club, club, drawn
from tests.api.http import Client

CELLS = {"taken.JS": "A", "taken.JH": "B", "taken.JD": "B", "taken.JC": "C"}
LONG: dict[str, Any] = {"options": {"deals": 4, "tie_break": "shared"}}


def sheet(ana: Client) -> tuple[Club, str]:
    made = club(ana, 4, **LONG)
    drawn(made, [0, 1, 2, 3])
    found = ana.made(f"{made.path}/sheets", {"table": "1-1"})["id"]
    return made, f"{made.path}/sheets/{found}"


def test_the_paper_of_each_size_says_its_cells(ana: Client, anybody: Client) -> None:
    made, _ = sheet(ana)
    papers = {each["seats"]: each for each in anybody.read(f"{made.path}/paper")["items"]}
    assert list(papers) == [3, 4, 5, 6]
    four = papers[4]
    assert (four["letters"], four["deals"]) == ("ABCD", 4)
    first = next(cell for cell in four["cells"] if cell["name"] == "taken.JS")
    assert first == {"name": "taken.JS", "path": "taken.JS", "kind": "seat", "choices": [], "seat": None,
                     "label": {"en": "J♠", "es": "J♠"}}  # fmt: skip


def test_a_field_by_seat_is_a_cell_for_each_of_them(ana: Client) -> None:
    made = club(ana, 3, game="bottle_imp", options={})
    cells = made.read("/paper")["items"][0]["cells"]
    assert [(cell["name"], cell["path"], cell["seat"]) for cell in cells[:3]] == [
        ("coins.A", "coins.0", 0), ("coins.B", "coins.1", 1), ("coins.C", "coins.2", 2),
    ]  # fmt: skip


def test_a_deal_by_cells_is_tried_written_and_refused_by_its_cell(ana: Client) -> None:
    made, path = sheet(ana)
    tried = ana.post(f"{path}/deals?preview=true", {"cells": CELLS}, If_Match='"0"')
    assert (tried.status, tried.json["totals"]) == (200, [2, 2, 1, 0])
    wrong = ana.post(f"{path}/deals", {"cells": {**CELLS, "taken.JS": ""}}, If_Match='"0"')
    assert (wrong.status, list(wrong.json["errors"])) == (422, ["cells.taken.JS"])
    assert made.read("/sheets")["items"][0]["deals"] == []
    written = ana.post(f"{path}/deals", {"dealer": 0, "cells": CELLS}, If_Match='"0"')
    assert written.status == 201
    assert written.json["deals"][0]["tally"]["taken"] == {"JS": 0, "JH": 1, "JD": 1, "JC": 2}


def test_cells_that_are_no_texts_are_refused(ana: Client) -> None:
    _, path = sheet(ana)
    wrong = ana.post(f"{path}/deals", {"cells": {"taken.JS": 0}}, If_Match='"0"')
    assert (wrong.status, list(wrong.json["errors"])) == (422, ["cells.taken.JS.value"])


def test_strangers_do_not_see_the_paper_of_a_private_league(ana: Client, eva: Client) -> None:
    made = club(ana, 3, visibility="private")
    assert eva.call("GET", f"{made.path}/paper").status == 404
