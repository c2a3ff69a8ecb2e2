"""Tables for spreadsheets, opened by real readers. Beside it: api/spreadsheets.py."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest
from flask import Flask
from openpyxl import load_workbook

from api.spreadsheets import XLSX, Value, plain, to_csv, to_xlsx
from store.db import Connection
from tests.api.clubs import Club, club, joined
from tests.api.http import Client
from tests.api.test_standings import played, post_all

NAMES = ['=HYPERLINK("http://x","click")', "+1", "-Ana", "@SUM(A1)", 'a"b;c,d', "Zoë 🎉", "12", "'quoted"]


@pytest.fixture
def made(ana: Client) -> Club:
    found = club(ana, 0, guests=0, scoring={"scheme": "raw", "tie_breaks": ["wins", "points"]})
    found.ids.extend(joined(found, name=name) for name in NAMES)
    played(found, [12, 0, 1], [0, 1, 2])
    return found


def test_c40_a_formula_as_a_name_stays_text_and_minus_12_a_number_in_csv(made: Club) -> None:
    answer = made.organiser.get(f"{made.path}/standings", Accept="text/csv")
    assert 'filename="standings.csv"' in answer.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert {"points", "tie-break points", "tie-break wins"} <= rows[0].keys()  # no column hides another
    by_id = {row["member"]: row for row in rows}
    cells = [by_id[member]["name"] for member in made.ids]
    assert [plain(cell) for cell in cells] == NAMES
    assert all(not cell.startswith(("=", "+", "-", "@")) for cell in cells)
    first = by_id[made.ids[0]]
    assert (first["points"], first["place"], first["results"]) == ("-12", "3", "1")
    assert (by_id[made.ids[1]]["decided_by"], by_id[made.ids[3]]["points"]) == ("score", "")


def test_c40_a_formula_as_a_name_stays_text_and_minus_12_a_number_in_xlsx(made: Club, app: Flask) -> None:
    headers = {"Authorization": f"Bearer {made.organiser.token}", "Accept": XLSX}
    answer = app.test_client().get(f"{made.path}/standings", headers=headers)
    assert answer.status_code == 200 and answer.mimetype == XLSX
    page = load_workbook(io.BytesIO(answer.get_data())).active
    assert page is not None
    head, *rows = list(page.iter_rows())
    at = {str(cell.value): column for column, cell in enumerate(head)}
    by_id = {row[at["member"]].value: row for row in rows}
    found = [by_id[member][at["name"]] for member in made.ids]
    assert [cell.value for cell in found] == NAMES and {cell.data_type for cell in found} == {"s"}
    points = by_id[made.ids[0]][at["points"]]
    assert (points.value, points.data_type) == (-12, "n")


def test_the_ledger_is_a_table_with_a_row_a_posting(made: Club, conn: Connection) -> None:
    post_all(conn, made)
    text = made.organiser.get(f"{made.path}/ledger", Accept="text/csv").text
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == 3 * 4 and sum(Fraction(row["points"]) for row in rows) == 0
    own = [row for row in rows if row["member"] == made.ids[0] and row["cause"] == "corrected"]
    assert {row["kind"]: row["points"] for row in own}["game"] == "-12"
    assert {row["note"] for row in own} == {"read wrongly"}


@pytest.mark.parametrize("text", ["=1", "\t=1", "-", "a\r\nb", 'q"q', "\ufffe", "'=1", "5"])
def test_any_text_comes_back_from_either_reader(text: str) -> None:
    rows: list[list[Value]] = [["name", "points"], [text, Fraction(-25, 2)]]
    cells = list(csv.reader(io.StringIO(to_csv(rows), newline="")))[1]
    assert (plain(cells[0]) if text[0] != "'" else cells[0], cells[1]) == (text, "-12.5")
    page = load_workbook(io.BytesIO(to_xlsx("a/b", rows))).active
    assert page is not None
    name, points = list(page.iter_rows(min_row=2))[0]
    assert (name.data_type, points.value) == ("s", -12.5)
    assert name.value in (text, "\ufffd", text.replace("\r\n", "\n"))
