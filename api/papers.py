"""What is written down after a deal, for whoever draws a form: the cells of a season's sheets.

A deal may come as these cells ("coins.A": "40") instead of a tally; they are the columns of CSV as well. Beside it:
domain/paper.py, domain/cells.py, evening.py, sheets.py.
"""

from __future__ import annotations

from typing import Any

from flask import Response

from api import club
from api.call import Call
from api.operation import Blueprint
from domain import paper
from domain.paper import LETTERS, Column
from domain.season import Season
from domain.sheets import on_paper

blueprint = Blueprint("papers", __name__, url_prefix="/v1", description="What is written on a score sheet")


@blueprint.operation("GET", "/seasons/<id:season>/paper", scope="read", public=True, answer="Papers",
                     problems="not_found")  # fmt: skip
def list_papers(call: Call, season: str) -> Response:
    """The cells of a deal, for each size of table: what a form asks for. Deals may be posted as `cells` by name."""
    _, s = club.read(call, season)
    return club.listed([_paper(s, seats) for seats in s.sizes])


def _paper(s: Season, seats: int) -> dict[str, Any]:
    options = s.options(seats)
    form = on_paper(s.game, options, seats)
    return {
        "seats": seats,
        "letters": LETTERS[: seats + form.more],
        "deals": getattr(options, "deals", None) or None,
        "target": getattr(options, "target", None) or None,
        "cells": [_cell(column) for column in paper.columns(form, seats)],
    }


def _cell(column: Column) -> dict[str, Any]:
    field, kind = column.field, column.field.kind
    return {
        "name": column.name,
        "path": field.path if column.seat is None else field.path.replace("*", str(column.seat)),
        "kind": "choice" if isinstance(kind, tuple) else kind,
        "choices": list(kind) if isinstance(kind, tuple) else [],
        "seat": column.seat,
        "label": {"en": field.en, "es": field.es},
    }
