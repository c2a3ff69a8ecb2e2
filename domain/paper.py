"""What is written on a score sheet of paper, and in a row of a spreadsheet: the fields of a tally, cell by cell.

A game says which fields a deal asks for (`paper`); everything else of its tally follows from them (`rest`). Seats are
letters, as on the printed sheet: A is seat 0. Read beside it: rules.py (`Game.paper`), sheets.py (what is checked),
api/sheet_pages.py (prints them), api/evening.py (reads them out of CSV).

    paper = Paper([Field("coins.*", NUMBER, "Coins", "Monedas"), Field("holder", SEAT, "Bottle", "Botella")])
    [column.name for column in columns(paper, 3)]      # ["coins.A", "coins.B", "coins.C", "holder"]
    tally(paper, 3, {"coins.A": "40", …, "holder": "B"})    # {"coins": [40, …], "holder": 1}, or OptionsError by column
    cells(paper, 3, {"coins": [40, …], "holder": 1})        # the same cells again
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from domain.rules import OptionsError, Tally

LETTERS = "ABCDEFGHIJ"
SEAT, SEATS, NUMBER, WORDS, YES, JSON = "seat", "seats", "number", "words", "yes", "json"
YESES, NOES = ("x", "yes", "sí", "si", "true", "1"), ("", "no", "false", "0")
MOST_DIGITS = 9


class Field(NamedTuple):
    """One thing to write down after a deal. A `*` in its path stands for the seat: one number for each player.

    `kind`: SEAT (a letter or nothing), SEATS (letters), NUMBER, WORDS, YES (a tick), JSON, or the words to choose from.
    """

    path: str
    kind: str | tuple[str, ...]
    en: str
    es: str

    @property
    def by_seat(self) -> bool:
        return "*" in self.path


def _as_it_is(tally: Tally) -> Tally:
    return tally


class Paper(NamedTuple):
    """The fields of a deal, and how what nobody writes down follows from them. `more`: places that are no seats."""

    fields: Sequence[Field]
    rest: Callable[[Tally], Tally] = _as_it_is
    more: int = 0


class Column(NamedTuple):
    """A cell of a row: `coins.A` of the field `coins.*`."""

    name: str
    field: Field
    seat: int | None


def columns(paper: Paper, seats: int) -> list[Column]:
    """All cells of a deal, in the order in which they are written."""
    return [
        Column(name_of(field.path, seat), field, seat)
        for field in paper.fields
        for seat in (range(seats) if field.by_seat else [None])
    ]


def name_of(path: str, seat: int | None) -> str:
    return path if seat is None else path.replace("*", LETTERS[seat])


def by_shape(example: Tally, seats: int) -> Paper:
    """For a game that says nothing of paper: numbers by seat where its tally has them, JSON for all the rest."""
    numbers = {name for name, value in example.items() if _is_by_seat(value, seats)}
    return Paper(
        [Field(f"{name}.*", NUMBER, name, name) if name in numbers else Field(name, JSON, name, name)
         for name in example]
    )  # fmt: skip


def _is_by_seat(value: Any, seats: int) -> bool:
    return isinstance(value, list) and len(value) == seats and all(type(each) is int for each in value)


# From a tally to cells


def cells(paper: Paper, seats: int, tally: Tally) -> dict[str, str]:
    """What stands in each column for this tally."""
    return {
        column.name: text(column.field.kind, _found(tally, _steps(column.field.path, column.seat)))
        for column in columns(paper, seats)
    }


def _steps(path: str, seat: int | None) -> list[str | int]:
    return [seat if step == "*" and seat is not None else step for step in path.split(".")]


def _found(tally: Any, steps: Sequence[str | int]) -> Any:
    """None where the tally does not have it: no declaration, a card that nobody took."""
    for step in steps:
        if isinstance(step, int):
            tally = tally[step] if isinstance(tally, list) and step < len(tally) else None
        else:
            tally = tally.get(step) if isinstance(tally, dict) else None
    return tally


def text(kind: str | tuple[str, ...], value: Any) -> str:
    """A value as it is written down."""
    if value is None:
        return ""
    if kind == SEAT:
        return LETTERS[value]
    if kind == SEATS:
        return " ".join(LETTERS[seat] for seat in value)
    if kind == WORDS:
        return " ".join(value)
    if kind == YES:
        return "x" if value else ""
    return json.dumps(value) if kind == JSON else str(value)


# From cells to a tally


def tally(paper: Paper, seats: int, written: Mapping[str, str]) -> Tally:
    """The whole tally. Raises OptionsError by column."""
    found: Tally = {}
    faults: dict[str, str] = {}
    for column in columns(paper, seats):
        value = None
        try:
            value = read(column.field.kind, written.get(column.name, "").strip(), seats + paper.more)
        except OptionsError as error:
            faults[column.name] = str(error).removeprefix(": ")
        _put(found, _steps(column.field.path, column.seat), value)
    if faults:
        raise OptionsError(faults)
    return paper.rest(found)


def read(kind: str | tuple[str, ...], text: str, seats: int) -> Any:
    """What a cell says. Raises OptionsError under the name ""."""
    if isinstance(kind, tuple):
        return _choice(kind, text.lower())
    return _READ[kind](text, seats)


def _seat(text: str, seats: int) -> int | None:
    if not text:
        return None
    at = LETTERS[:seats].find(text.upper()) if len(text) == 1 else -1
    if at < 0:
        raise OptionsError({"": f"{text!r:.40} is no letter of a seat, A to {LETTERS[seats - 1]}"})
    return at


def _seats(text: str, seats: int) -> list[int | None]:
    return [_seat(letter, seats) for letter in text if letter not in " ,"]


def _number(text: str, seats: int) -> int:
    digits = text.replace("\u2212", "-").removeprefix("+")
    if not (digits.removeprefix("-").isdecimal() and digits.isascii() and len(digits) <= MOST_DIGITS):
        raise OptionsError({"": f"{text!r:.40} is no whole number" if text else "is missing"})
    return int(digits)


def _yes(text: str, seats: int) -> bool:
    if text.lower() not in (*YESES, *NOES):
        raise OptionsError({"": f"{text!r:.40} is neither x nor empty"})
    return text.lower() in YESES


def _words(text: str, seats: int) -> list[str]:
    return text.replace(",", " ").split()


def _json(text: str, seats: int) -> Any:
    try:
        found = json.loads(text) if text else None
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()  # what cannot be stored is refused here
        return found
    except (ValueError, RecursionError):
        raise OptionsError({"": f"{text!r:.40} is no JSON"}) from None


def _choice(words: Sequence[str], text: str) -> str | None:
    if text and text not in words:
        raise OptionsError({"": f"{text!r:.40} is none of {', '.join(words)}"})
    return text or None


_READ: dict[str, Callable[[str, int], Any]] = {
    SEAT: _seat, SEATS: _seats, NUMBER: _number, WORDS: _words, YES: _yes, JSON: _json,
}  # fmt: skip


def _put(found: Any, steps: Sequence[str | int], value: Any) -> None:
    """Lists grow seat by seat, for columns come in this order."""
    for step, following in zip(steps, steps[1:], strict=False):
        found = _entry(found, step, [] if isinstance(following, int) else {})
    if isinstance(found, list):
        found.append(value)
    else:
        found[steps[-1]] = value


def _entry(found: Any, step: str | int, fresh: Any) -> Any:
    if isinstance(step, str):
        return found.setdefault(step, fresh)
    if step == len(found):
        found.append(fresh)
    return found[step]
