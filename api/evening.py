"""A whole evening of score sheets as CSV: one row a deal; and the blank one that is filled in.

Columns: `table` (of the draw), or the members by seat under `A`, `B` …; `played_at`, `deal`, `dealer`, `misdeal`, and
the cells of the game (domain/paper.py). Empty rows and unplayed tables are left out. What is wrong is said by row and
column, all of it at once, and then nothing is kept. Beside it: sheets.py (the views), docs/leagues.md (an example).
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from api.errors import ProblemError
from api.spreadsheets import plain
from domain import paper
from domain.errors import RefusedError
from domain.paper import LETTERS, Paper
from domain.rules import OptionsError
from domain.season import Season, Sitting
from domain.season_decide import Caller
from domain.season_results import Written, write_sheet
from domain.sheets import on_paper

HEAD = ("table", "played_at", "deal", "dealer", "misdeal")
DELIMITERS = ";,\t"
MOST_ROWS = 5000
NOON = "T12:00:00+00:00"

Faults = dict[str, str]


@dataclass
class Row:
    """A row as a spreadsheet numbers it, its cells by column."""

    number: int
    cells: dict[str, str]

    def get(self, column: str) -> str:
        return self.cells.get(column, "")

    def fault(self, column: str) -> str:
        """The name under which something is wrong: 3.dealer, or 3 of the row as a whole."""
        return f"{self.number}.{column}" if column else str(self.number)


@dataclass
class Sheet:
    """The rows of one table."""

    rows: list[Row] = field(default_factory=list)

    @property
    def first(self) -> Row:
        return self.rows[0]

    def said(self, column: str) -> str:
        """What its rows say in a column that is the same for all of them."""
        return next((row.get(column) for row in self.rows if row.get(column)), "")


# Out


def blank(s: Season, tables: Sequence[str], names: Mapping[str, str | None], deals: int) -> list[list[str | None]]:
    """Head and rows for these tables of the draw, nothing written yet."""
    largest = max((len(s.tables[table].seats) for table in tables), default=s.sizes[0])
    head = ["table", *LETTERS[:largest], *HEAD[1:]]
    for table in tables:
        head += [name for name in _columns(s, len(s.tables[table].seats)) if name not in head]
    rows: list[list[str | None]] = [list(head)]
    for table in tables:
        seats = [names.get(sitting.member) or sitting.member for sitting in s.tables[table].seats]
        for deal in range(1, deals + 1):
            cells = {"table": table, "deal": str(deal), **dict(zip(LETTERS, seats, strict=False))}
            rows.append([cells.get(column) for column in head])
    return rows


def _paper(s: Season, seats: int) -> Paper:
    return on_paper(s.game, s.options(seats), seats)


def _columns(s: Season, seats: int) -> list[str]:
    return [column.name for column in paper.columns(_paper(s, seats), seats)]


# In


def read(body: bytes) -> list[Row]:
    """The rows that are not empty. Raises ProblemError, OptionsError."""
    try:
        text = body.decode("utf-8-sig")
        if "\0" in text:
            raise ValueError("it contains NUL")
        found = list(_records(text))
    except (ValueError, csv.Error) as fault:
        raise ProblemError("malformed", f"the body is no CSV: {fault}") from None
    if not found:
        raise OptionsError({"1": "the first row names the columns"})
    head = [cell.strip() for cell in found[0]]
    _check_head(head)
    return [Row(number, dict(zip(head, cells, strict=False))) for number, cells in _filled(found, len(head))]


def _records(text: str) -> Iterator[list[str]]:
    """Records with their cells trimmed. Excel may name the delimiter in a line before the first."""
    first, _, rest = text.partition("\n")
    named = first.strip().removeprefix("sep=") if first.startswith("sep=") else ""
    if named:
        text, (first, _, _) = rest, rest.partition("\n")
    delimiter = named if named and named in DELIMITERS else max(DELIMITERS, key=first.count)
    for cells in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
        yield [plain(unicodedata.normalize("NFC", cell).strip()) for cell in cells]


def _check_head(head: list[str]) -> None:
    twice = {name for name in head if name and head.count(name) > 1}
    if twice:
        raise OptionsError({f"1.{name}": "stands twice in the first row" for name in twice})


def _filled(found: list[list[str]], width: int) -> Iterator[tuple[int, list[str]]]:
    if len(found) > MOST_ROWS:
        raise OptionsError({str(MOST_ROWS + 1): f"a file has {MOST_ROWS} rows at most"})
    faults: Faults = {}
    for number, cells in enumerate(found[1:], 2):
        if any(cells[width:]):
            faults[str(number)] = f"has more cells than the first row, which names {width}"
        elif any(cells):
            yield number, cells
    if faults:
        raise OptionsError(faults)


def sheets(rows: Sequence[Row]) -> list[Sheet]:
    """The rows by table: a row that names neither table nor members goes with the one before it."""
    found: dict[tuple[str, ...], list[Sheet]] = {}
    key: tuple[str, ...] = ()
    for row in rows:
        named = tuple(row.get(column) for column in ("table", *LETTERS, "played_at"))
        if any(named[:-1]):
            key = (named[0],) if named[0] else named
        own = found.setdefault(key, [])
        if not own or (row.get("deal") == "1" and own[-1].rows):
            own.append(Sheet())
        own[-1].rows.append(row)
    return [sheet for own in found.values() for sheet in own]


def record(s: Season, who: Caller, rows: Sequence[Row], names: Mapping[str, str | None], ids: Iterator[str],
           confirm: bool) -> list[str]:  # fmt: skip
    """Decide all sheets of an evening; answers their ids. Raises OptionsError by row and column."""
    faults = _unknown(s, rows)
    made: list[str] = []
    for sheet in sheets(rows) if not faults else []:
        try:
            written = _sheet(s, sheet, names)
            if written:
                made.append(next(ids))
                write_sheet(s, who, made[-1], written, submit_it=True, confirm_it=confirm)
        except OptionsError as error:
            faults |= _placed(sheet, error.errors)
        except RefusedError as refusal:
            faults[sheet.first.fault("table")] = str(refusal)
    if faults or not made:
        raise OptionsError(faults or {"": "no deal is written in any row"})
    return made


def _unknown(s: Season, rows: Sequence[Row]) -> Faults:
    known = {*HEAD, *LETTERS[: s.sizes[-1]], *(name for size in s.sizes for name in _columns(s, size))}
    named = {column: None for row in rows for column, cell in row.cells.items() if column or cell}
    return {f"1.{column}": "is no column of this game" for column in named if column not in known}


def _sheet(s: Season, sheet: Sheet, names: Mapping[str, str | None]) -> Written | None:
    """What these rows say, or nothing where nothing was played."""
    members = _members(s, sheet, names)
    seats = len(members)
    if seats not in s.sizes:
        what = f"a table has {', '.join(map(str, s.sizes))} seats, not {seats}"
        raise OptionsError({sheet.first.fault("table"): what})
    form, faults, deals = _paper(s, seats), Faults(), []
    played = [row for row in sheet.rows if _is_played(row, form, seats)]
    for number, row in enumerate(played, 1):
        try:
            deals.append(_deal(row, form, seats, number))
        except OptionsError as error:
            faults |= {row.fault(column): what for column, what in error.errors.items()}
    if faults:
        raise OptionsError(faults)
    sheet.rows = played or sheet.rows
    when = sheet.said("played_at")
    return Written(members, deals, sheet.said("table") or None, _time(when) if when else None) if played else None


def _is_played(row: Row, form: Paper, seats: int) -> bool:
    return any(row.get(column.name) for column in paper.columns(form, seats)) or any(map(row.get, HEAD[3:]))


def _time(text: str) -> str:
    """A day alone is its noon."""
    try:
        return date.fromisoformat(text).isoformat() + NOON
    except ValueError:
        return text


def _deal(row: Row, form: Paper, seats: int, number: int) -> dict[str, Any]:
    said, faults = row.get("deal"), Faults()
    if said and said != str(number):
        faults["deal"] = f"{said!r:.40} stands where deal {number} comes next"
    found: dict[str, Any] = {}
    for column, kind in (("dealer", paper.SEAT), ("misdeal", paper.YES)):
        try:
            found[column] = paper.read(kind, row.get(column), seats)
        except OptionsError as error:
            faults[column] = str(error).removeprefix(": ")
    if faults:
        raise OptionsError(faults)
    dealer = {} if found["dealer"] is None else {"dealer": found["dealer"]}
    if found["misdeal"]:
        return {**dealer, "void": True}
    return {**dealer, "tally": paper.tally(form, seats, row.cells)}


def _members(s: Season, sheet: Sheet, names: Mapping[str, str | None]) -> list[dict[str, str]]:
    """Who sat there, by seat: those whom the file names, or else those of the draw."""
    table = s.tables.get(sheet.said("table"))
    drawn = table.seats if table else []
    if sheet.said("table") and not table:
        raise OptionsError({sheet.first.fault("table"): f"the season has no table {sheet.said('table')!r:.40}"})
    said = {letter: sheet.said(letter) for letter in LETTERS}
    letters = [letter for letter, name in said.items() if name]
    if not letters:
        return [sitting.json() for sitting in drawn]
    faults, found = Faults(), []
    for at, letter in enumerate(letters):
        try:
            found.append(_member(s, said[letter], drawn, names))
        except OptionsError as error:
            faults[sheet.first.fault(letter)] = str(error).removeprefix(": ")
        if letter != LETTERS[at]:
            faults[sheet.first.fault(LETTERS[at])] = f"is empty, and {letter} is not"
    if faults:
        raise OptionsError(faults)
    return found


def _member(s: Season, said: str, drawn: Sequence[Sitting], names: Mapping[str, str | None]) -> dict[str, str]:
    """An id, or a name that only one can mean: of those at the table first, then of all members."""
    at_table = [sitting for sitting in drawn if said in (sitting.member, names.get(sitting.member))]
    if len(at_table) == 1:
        return at_table[0].json()
    if said in s.members:
        return {"member": said}
    called = [member for member in s.active() if names.get(member) == said]
    if len(called) != 1:
        raise OptionsError({"": f"{said!r:.60} is the name of {len(called)} members; their id says which"})
    return {"member": called[0]}


def _placed(sheet: Sheet, errors: Mapping[str, str]) -> Faults:
    """Faults of a sheet's deals (deals.1.tally.coins.2) under their row and column (7.coins.C)."""
    found: Faults = {}
    for name, what in errors.items():
        if not name.startswith("deals."):
            row = name if name[:1].isdigit() else sheet.first.fault("played_at" if name == "played_at" else "table")
            found[row] = what
            continue
        _, at, *path = name.split(".")
        steps = path[1:] if path[:1] == ["tally"] else path
        found[sheet.rows[min(int(at), len(sheet.rows) - 1)].fault(_column(steps))] = what
    return found


def _column(steps: Sequence[str]) -> str:
    """A seat's number in a path is its letter in a column."""
    return ".".join(LETTERS[int(step)] if step.isdigit() and int(step) < len(LETTERS) else step for step in steps)
