"""Tables for spreadsheets: CSV and XLSX in which a text stays a text, whatever it begins with, and a number a number.

A name that begins with = + - @ would be a formula to a spreadsheet: in CSV it gets an apostrophe before it, in XLSX its
cell says that it is text. `plain` takes the apostrophe off again. Read beside it: standings.py, evening.py.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from typing import TypeAlias

from flask import Response
from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.styles import Font

from domain.standing_rows import number

CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV_SHAPE = {"type": "string", "description": "RFC 4180 in UTF-8; the first row names the columns"}
XLSX_SHAPE = {"type": "string", "format": "binary", "description": "a workbook of one sheet"}
FORMULA = ("=", "+", "-", "@", "\t", "\r")
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
MOST_TITLE = 31  # characters, as Excel has it

Value: TypeAlias = str | int | Fraction | datetime | None


def in_xml(text: str) -> str:
    """A text without what no XML can hold."""
    return NO_XML.sub("\ufffd", text)


def plain(text: str) -> str:
    """What a cell says, without the apostrophe that keeps it a text."""
    return text[1:] if text[:1] == "'" and text[1:2] in FORMULA else text


def to_csv(rows: Iterable[Sequence[Value]]) -> str:
    """Rows, the first of which is the head, as CSV."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerows([_text(value) for value in row] for row in rows)
    return out.getvalue()


def _text(value: Value) -> str:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(FORMULA) else value
    if isinstance(value, datetime):
        return value.isoformat()
    return "" if value is None else f"{number(value)}"


def to_xlsx(title: str, rows: Sequence[Sequence[Value]]) -> bytes:
    """The same as a workbook, its head bold and always in sight."""
    book = Workbook(write_only=True)
    page = book.create_sheet("".join("-" if character in "[]:*?/\\" else character for character in title)[:MOST_TITLE])
    page.freeze_panes = "A2"
    for at, column in enumerate(zip(*rows, strict=True)):
        width = max((len(_text(value)) for value in column), default=0)
        page.column_dimensions[_letters(at)].width = min(40, max(8, width + 2))
    for at, row in enumerate(rows):
        page.append([_cell(page, value, head=not at) for value in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _letters(at: int) -> str:
    """0 -> A, 26 -> AA."""
    return (_letters(at // 26 - 1) if at >= 26 else "") + chr(ord("A") + at % 26)


def _cell(page: object, value: Value, head: bool) -> Cell:
    if isinstance(value, datetime | str):
        value = in_xml(_text(value) if isinstance(value, datetime) else value)
    cell: Cell = WriteOnlyCell(page, number(value) if isinstance(value, int | Fraction) else value)  # type: ignore[arg-type]
    if isinstance(value, str):
        cell.data_type = "s"  # never a formula
    if head:
        cell.font = Font(bold=True)
    return cell


def answered(rows: Sequence[Sequence[Value]], mimetype: str, name: str) -> Response:
    """The answer that a browser keeps as a file: name.csv or name.xlsx."""
    content: str | bytes = to_xlsx(name, rows) if mimetype == XLSX else to_csv(rows)
    ending = "xlsx" if mimetype == XLSX else "csv"
    return Response(content, headers={"Content-Disposition": f'attachment; filename="{name}.{ending}"'},
                    mimetype=mimetype)  # fmt: skip
