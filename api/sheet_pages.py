"""A score sheet as a page that prints on A4: blank for a table that is about to play, or filled in.

Pure of requests: the page follows from the game's Paper and what is written. No scripts, nothing from elsewhere; all
names are escaped by the template. Beside it: domain/paper.py (the fields), templates/sheet.html, sheets.py (the views).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from flask import render_template

from domain import paper
from domain.paper import LETTERS, Field, Paper
from domain.rules import Game
from domain.season import Sitting
from domain.sheets import DealOnPaper, Filled, on_paper

WORDS = {
    "en": {
        "number": "No.", "dealer": "Dealer", "points": "Points", "total": "Total", "place": "Place",
        "date": "Date", "sits_for": "for", "misdeal": "misdeal", "written_by": "Written by",
        "confirmed_by": "Confirmed by a second player", "round": "Round {}, table {}", "table": "Table {}",
        "letters": "Under Dealer, and in columns without letters, write a player's letter.",
        "ticks": "Under {}: a tick for yes.", "extra": "tie-break",
        "open": "being written", "submitted": "submitted, not confirmed yet", "confirmed": "confirmed",
        "disputed": "disputed", "void": "void",
    },
    "es": {
        "number": "N.º", "dealer": "Reparte", "points": "Puntos", "total": "Total", "place": "Puesto",
        "date": "Fecha", "sits_for": "por", "misdeal": "mal repartido", "written_by": "Anotado por",
        "confirmed_by": "Confirmado por otro jugador", "round": "Ronda {}, mesa {}", "table": "Mesa {}",
        "letters": "En Reparte, y en las columnas sin letras, se escribe la letra de un jugador.",
        "ticks": "En {}: una marca si es que sí.", "extra": "desempate",
        "open": "se está escribiendo", "submitted": "entregada, sin confirmar", "confirmed": "confirmada",
        "disputed": "discutida", "void": "anulada",
    },
}  # fmt: skip
SPARE, TO_A_TARGET = 2, 16  # rows of a blank sheet beyond those that are due; rows where the end is a target
WIDE = 20  # columns, from which the page lies on its side
PAGE_MM = {False: 172, True: 92}  # what upright and wide pages have for rows
PRINTED = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}


@dataclass(frozen=True)
class Facts:
    """What a sheet says of itself: texts, who sits where, and the deals if there are any."""

    league: str
    season: str
    game: Game
    variant: str
    options: Any
    seats: Sequence[Sitting]
    names: Mapping[str, str | None]
    round: int | None = None
    table: str | None = None
    date: str | None = None
    status: str | None = None
    deals: Sequence[Mapping[str, Any]] = ()
    filled: Filled | None = None


class Cell(NamedTuple):
    text: str = ""
    span: int = 1
    rows: int = 1
    edge: bool = False  # a group begins here
    card: bool = False
    red: bool = False
    misdeal: bool = False


class Row(NamedTuple):
    head: str
    cells: list[Cell]
    total: bool = False
    head_span: int = 0


class Grid(NamedTuple):
    """A table: heads, rows, and how wide the columns are, in parts."""

    heads: list[list[Cell]]
    rows: list[Row]
    parts: list[float]
    block: bool = False


def document(sheets: Sequence[Facts], language: str) -> str:
    """The sheets, each on a page of its own."""
    pages = [_page(facts, language) for facts in sheets]
    return render_template("sheet.html", language=language, words=WORDS[language], pages=pages)


def _page(facts: Facts, language: str) -> dict[str, Any]:
    words, sheet = WORDS[language], on_paper(facts.game, facts.options, len(facts.seats))
    grid = (_block if _is_block(facts, sheet) else _pad)(facts, sheet, language)
    wide, seats = len(grid.parts) > WIDE, len(facts.seats)
    return {
        "title": facts.game.VARIANTS[facts.variant].name[language],
        "subtitle": f"{facts.league} · {facts.season}",
        "place": _place(facts, words),
        "date": facts.date,
        "status": words[facts.status] if facts.status else None,
        "players": _players(facts),
        "abreast": seats if wide or seats in (2, 4) else 3,
        "wide": wide,
        "row_height": max(5.6, min(13 if grid.block else 9, PAGE_MM[wide] / max(1, len(grid.rows)))),
        "widths": [round(100 * part / sum(grid.parts), 3) for part in grid.parts],
        "hints": [] if grid.block else _hints(sheet, language),
        **grid._asdict(),
    }


def _place(facts: Facts, words: Mapping[str, str]) -> str | None:
    if facts.table is None:
        return None
    number = facts.table.rpartition("-")[2]
    return words["round"].format(facts.round, number) if facts.round else words["table"].format(facts.table)


def _players(facts: Facts) -> list[dict[str, str | None]]:
    return [
        {
            "letter": LETTERS[seat],
            "name": facts.names.get(sitting.member),
            "sits_for": facts.names.get(sitting.for_) if sitting.for_ else None,
        }
        for seat, sitting in enumerate(facts.seats)
    ]


def _hints(sheet: Paper, language: str) -> list[str]:
    words = WORDS[language]
    ticks = [getattr(field, language) for field in sheet.fields if field.kind == paper.YES]
    return [words["letters"] + "".join(" " + words["ticks"].format(tick) for tick in ticks)]


def due(options: Any) -> int:
    """How many deals a match with these options has; one where it has neither a number nor a target."""
    if getattr(options, "deals", None):
        return int(options.deals)
    return TO_A_TARGET if getattr(options, "target", None) else 1


def _is_block(facts: Facts, sheet: Paper) -> bool:
    """One deal of which everybody has his own numbers: players stand side by side."""
    one = due(facts.options) == 1 and len(facts.deals) <= 1
    return one and all(field.by_seat for field in sheet.fields)


# A block: a row for each field, a column for each player


def _block(facts: Facts, sheet: Paper, language: str) -> Grid:
    seats, words = len(facts.seats), WORDS[language]
    played = bool(facts.filled and facts.filled.deals and not facts.filled.deals[0].void)
    written = _cells(facts, sheet, 0) if played else {}
    rows = [
        Row(getattr(field, language), [_of_seat(written, field, seat) for seat in range(seats)])
        for field in sheet.fields
    ]
    filled = facts.filled if played else None
    rows.append(Row(words["points"], _numbers(filled.totals if filled else None, seats), True))
    rows.append(Row(words["place"], _numbers(filled.places if filled else None, seats), True))
    heads = [[Cell(), *(Cell(LETTERS[seat], edge=True) for seat in range(seats))]]
    return Grid(heads, rows, [2.2, *[1.0] * seats], True)


def _of_seat(written: Mapping[str, str], field: Field, seat: int) -> Cell:
    return Cell(written.get(paper.name_of(field.path, seat), ""), edge=True)


def _numbers(values: Sequence[int] | None, seats: int) -> list[Cell]:
    return [Cell("" if values is None else _shown(values[seat]), edge=True) for seat in range(seats)]


def _shown(number: int) -> str:
    return str(number).replace("-", "\u2212")


# A pad: a row for each deal


def _pad(facts: Facts, sheet: Paper, language: str) -> Grid:
    seats, words = len(facts.seats), WORDS[language]
    found = facts.filled.deals if facts.filled else []
    blank = 0 if facts.filled and facts.status != "open" else max(0, due(facts.options) + SPARE - len(found))
    rows = [_deal(facts, sheet, each, words) for each in found]
    width = _width(sheet, seats)
    rows += [Row(str(len(found) + n + 1), _empty(sheet, seats)) for n in range(blank)]
    if facts.filled and any(not each.void for each in found):
        rows.append(Row(words["place"], [Cell("", width - seats, edge=True), *_group(map(str, facts.filled.places))],
                        True, 2))  # fmt: skip
    return Grid(_heads(sheet, seats, language), rows, _parts(sheet, seats))


def _width(sheet: Paper, seats: int) -> int:
    """Cells behind number and dealer."""
    return len(paper.columns(sheet, seats)) + 2 * seats


def _parts(sheet: Paper, seats: int) -> list[float]:
    fields = [_part(column.field) for column in paper.columns(sheet, seats)]
    return [0.9, 1.7, *fields, *[1.0] * (2 * seats)]


def _part(field: Field) -> float:
    """As wide as what is written there, and as the longest word above it."""
    if field.by_seat:
        return 1.0
    word = max(map(len, " ".join(field[2:]).split()))
    return max({paper.WORDS: 3.5, paper.JSON: 4.0}.get(str(field.kind), 1.2), 0.25 * word)


def _heads(sheet: Paper, seats: int, language: str) -> list[list[Cell]]:
    words, letters = WORDS[language], [Cell(LETTERS[seat], edge=not seat) for seat in range(seats)]
    top, below = [Cell(words["number"], rows=2), Cell(words["dealer"], rows=2)], []
    for field in sheet.fields:
        text = getattr(field, language)
        if field.by_seat:
            top.append(Cell(text, seats, edge=True))
            below += letters
        else:
            top.append(Cell(text, rows=2, edge=True, card=text[-1] in "♠♥♦♣", red=text[-1] in "♥♦"))
    top += [Cell(words[name], seats, edge=True) for name in ("points", "total")]
    return [top, below + letters + letters]


def _group(texts: Any) -> list[Cell]:
    return [Cell(text, edge=not at) for at, text in enumerate(texts)]


def _empty(sheet: Paper, seats: int) -> list[Cell]:
    return [Cell(), *_written(sheet, seats, {}), *_group([""] * seats), *_group([""] * seats)]


def _written(sheet: Paper, seats: int, cells: Mapping[str, str]) -> list[Cell]:
    return [
        Cell(cells.get(column.name, "").replace("-", "\u2212").replace("x", "✓"), edge=not column.seat)
        for column in paper.columns(sheet, seats)
    ]


def _deal(facts: Facts, sheet: Paper, deal: DealOnPaper, words: Mapping[str, str]) -> Row:
    seats, dealer = len(facts.seats), Cell(LETTERS[deal.dealer])
    if deal.void or deal.points is None:
        return Row(str(deal.number), [dealer, Cell(words["misdeal"], _width(sheet, seats), edge=True, misdeal=True)])
    cells = _written(sheet, seats, _cells(facts, sheet, deal.number - 1))
    worth = [*_group(map(_shown, deal.points)), *_group(map(_shown, deal.totals))]
    return Row(f"{deal.number}*" if deal.extra else str(deal.number), [dealer, *cells, *worth])


def _cells(facts: Facts, sheet: Paper, at: int) -> dict[str, str]:
    return paper.cells(sheet, len(facts.seats), facts.deals[at]["tally"])
