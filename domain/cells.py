"""Deals that come as the cells of a sheet ("coins.A": "40") instead of a tally: what nobody writes down is worked out.

What is wrong is said by cell. Pure; read beside it: paper.py (the cells), sheets.py (what deals come to).

    with said_by_cell(deals):
        sheet(game, options, 3, with_tallies(form, 3, deals))    # [{"dealer": 0, "cells": {"coins.A": "40", …}}, …]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from domain import paper
from domain.paper import LETTERS, Paper
from domain.rules import OptionsError


def with_tallies(form: Paper, seats: int, deals: Sequence[Any]) -> list[Any]:
    """The deals, each with a tally where it came as cells. Raises OptionsError by deal and cell."""
    found: list[Any] = []
    faults: dict[str, str] = {}
    for at, deal in enumerate(deals):
        try:
            found.append(_with_tally(form, seats, deal))
        except OptionsError as error:
            faults |= {f"deals.{at}.cells.{name}".rstrip("."): what for name, what in error.errors.items()}
    if faults:
        raise OptionsError(faults)
    return found


def _with_tally(form: Paper, seats: int, deal: Any) -> Any:
    if not isinstance(deal, Mapping) or "cells" not in deal or "tally" in deal:
        return deal  # what is no deal is refused by whoever works the sheet out
    cells = deal["cells"]
    if not isinstance(cells, Mapping):
        raise OptionsError({"": "are texts by name"})
    known = {column.name for column in paper.columns(form, seats)}
    faults = {str(name): "is no cell of this sheet" for name in cells if name not in known}
    faults |= {name: "is text, as it is written" for name, cell in cells.items() if not isinstance(cell, str)}
    if faults:
        raise OptionsError(faults)
    rest = {name: value for name, value in deal.items() if name != "cells"}
    return {**rest, "tally": paper.tally(form, seats, cells)}


@contextmanager
def said_by_cell(deals: Sequence[Any]) -> Iterator[None]:
    """What is wrong with the tally of a deal that came as cells is said by cell: tally.coins.2 is cells.coins.C."""
    try:
        yield
    except OptionsError as refusal:
        raise OptionsError({_by_cell(name, deals): what for name, what in refusal.errors.items()}) from None


def _by_cell(name: str, deals: Sequence[Any]) -> str:
    head, at, rest = (name.split(".", 2) + ["", ""])[:3]
    whole = head == "deals" and at.isdigit() and int(at) < len(deals)
    if not whole or not isinstance(deals[int(at)], Mapping) or "cells" not in deals[int(at)] or rest[:5] != "tally":
        return name
    return ".".join(["deals", at, "cells", *map(_letter, rest.split(".")[1:])])


def _letter(step: str) -> str:
    return LETTERS[int(step)] if step.isdigit() and int(step) < len(LETTERS) else step
