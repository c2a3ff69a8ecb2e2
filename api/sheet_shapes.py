"""What requests and answers about score sheets, standings, history and the ledger of a season hold.

Beside it: league_schemas.py and league_shapes.py (all else of a season), whose words these are.
"""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate
from marshmallow.validate import Length, OneOf

from api.league_schemas import DEALS, Sitter
from api.league_shapes import NOTE, OPEN, SITTER
from api.schemas import MOST_VERSION, Paging, Strict, Time, Truth, decimal, identifier, whole
from api.shapes import (
    BY_SEAT,
    IDENTIFIER,
    SEAT,
    TEXT,
    TIME,
    TRUTH,
    VERSION,
    WHOLE,
    Shape,
    listed,
    nullable,
    one_of,
    paged,
    record,
    ref,
)
from domain.schemes import KINDS
from domain.season_decide import ADJUSTMENTS
from domain.sheets import MOST_DEALS
from domain.standings import SCORE
from domain.tie_breaks import TIE_BREAKS

YES_NO = OneOf(["true", "false"])


def yes(description: str) -> fields.String:
    return fields.String(load_default="false", validate=YES_NO, metadata={"description": description})


# Requests


class NewSheet(Strict):
    members = fields.List(
        fields.Nested(Sitter),
        load_default=None,
        allow_none=True,
        validate=Length(1, 10),
        metadata={"description": "by seat; by default those who are drawn to the table"},
    )
    table = identifier(load_default=None, allow_none=True)
    played_at = Time(load_default=None, allow_none=True, metadata={"description": "by default when it is confirmed"})
    deals = fields.List(
        fields.Dict(keys=fields.String()), load_default=list, validate=Length(0, MOST_DEALS), metadata=DEALS
    )
    submit = Truth(load_default=False, metadata={"description": "whether it is finished"})


CELLS = {"taken.JS": "A", "taken.JH": "B", "taken.JD": "B", "taken.JC": "C"}


class NewDeal(Strict):
    """A deal with its tally, or its cells, or a misdeal."""

    dealer = whole(0, 9, metadata={"description": "a seat; by default the one whose turn it is"})
    tally = fields.Dict(keys=fields.String(), metadata={"description": "as the game's rules page says", "example": {}})
    cells = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata={"description": "instead of the tally: what is written in each cell of `paper`", "example": CELLS},
    )
    void = Truth(validate=validate.Equal(True), metadata={"enum": [True]})


class SheetsQuery(Strict):
    preview = yes("work it out, and record nothing (200)")
    confirm = yes("submit and confirm it at once, as an organiser who does not sit there may")


class PreviewQuery(Strict):
    preview = yes("work it out, and record nothing (200)")


class SheetPaging(Paging):
    status = fields.String(load_default=None, validate=OneOf(("open", "submitted", "confirmed", "disputed", "void")))


class StandingsQuery(Strict):
    as_of = Time(load_default=None, metadata={"description": "the table at that time"})
    view = fields.String(
        load_default="corrected",
        validate=OneOf(("known", "corrected")),
        metadata={"description": "of a time: as it was known then, or with everything that is known by now"},
    )
    revision = decimal(
        1, MOST_VERSION, load_default=None, metadata={"description": "a final table by its number, from 1"}
    )


class HistoryQuery(Strict):
    chart = fields.String(
        load_default="places", validate=OneOf(("places", "points")), metadata={"description": "what a chart shows"}
    )
    top = decimal(1, 50, load_default=12, metadata={"description": "of how many members a chart shows lines"})


# Answers

EXACT: Shape = {
    **TEXT,
    "pattern": r"^-?[0-9]+(/[0-9]+)?$",
    "description": "exactly: a whole number, or a fraction",
}
NUMBER: Shape = {"type": "number"}
DECIDED: Shape = {
    **nullable(one_of(SCORE, "shared", *TIE_BREAKS)),
    "description": "what puts this row before the next one: `score`, a tie-break, or `shared` where nothing does",
}

TALLIED_DEAL = record(
    number=WHOLE,
    dealer=SEAT,
    void=TRUTH,
    extra={**TRUTH, "description": "a tie-break deal"},
    tally=nullable({"type": "object"}),
    lines=listed(record(seat=SEAT, reason=TEXT, points=WHOLE)),
    points=nullable(BY_SEAT),
    totals=BY_SEAT,
)

SHEET_SHAPES: dict[str, Shape] = {
    "Sheet": record(
        id={**nullable(IDENTIFIER), "description": "null where it was only tried"},
        table=nullable(IDENTIFIER),
        round=nullable(WHOLE),
        status=one_of("open", "submitted", "confirmed", "disputed", "void"),
        seats=listed(SITTER),
        deals=listed(TALLIED_DEAL),
        totals=BY_SEAT,
        places=BY_SEAT,
        over={
            **nullable(TEXT),
            "description": "why the match has ended; null while it goes on",
        },
        played_at=nullable(TIME),
        submitted_by=nullable(IDENTIFIER),
    ),
    "Sheets": paged(ref("Sheet")),
    "SheetOrSheets": {"anyOf": [ref("Sheet"), ref("Sheets")], "description": "of one JSON, or of a whole evening"},
    "Paper": record(
        seats=WHOLE,
        letters={**TEXT, "description": "of the seats, and of places that are none (Lopaka)"},
        deals={**nullable(WHOLE), "description": "that a match has; null where a target ends it, or one deal"},
        target=nullable(WHOLE),
        cells=listed(
            record(
                name={**TEXT, "description": "the key in `cells`; the column in CSV", "example": "coins.A"},
                path={**TEXT, "description": "where it stands in a tally", "example": "coins.0"},
                kind={
                    **one_of("seat", "seats", "number", "words", "yes", "json", "choice"),
                    "description": "a letter or nothing, letters, a whole number, words, `x` for yes, JSON, a word",
                },
                choices=listed(TEXT),
                seat=nullable(SEAT),
                label={**record(en=TEXT, es=TEXT), "description": "the same for every seat of a field"},
            )
        ),
    ),
    "Papers": paged(ref("Paper")),
    "StandingRow": record(
        place={**nullable(WHOLE), "description": "shared where equal; null below `min_results`"},
        member=IDENTIFIER,
        name=nullable(TEXT),
        points={**nullable(NUMBER), "description": "for reading, six decimals at most; null without results, 0 is 0"},
        exact=nullable(EXACT),
        results=WHOLE,
        places={**listed(WHOLE), "description": "numbers of first, second … places"},
        adjustments=NUMBER,
        dropped={**listed(IDENTIFIER), "description": "results that `drop_worst` leaves out"},
        ties={
            **listed(record(criterion=one_of(*TIE_BREAKS), value=NUMBER, exact=EXACT)),
            "description": "values of the tie-breaks, as far as they were compared, in order",
        },
        decided_by=DECIDED,
    ),
    "Standings": record(
        season=IDENTIFIER,
        version={**VERSION, "description": "of the season"},
        view=one_of("now", "known", "corrected", "revision"),
        as_of=nullable(TIME),
        revision={**nullable(WHOLE), "description": "the number of this final table; null where it is none"},
        revisions={**WHOLE, "description": "how many final tables there have been"},
        reason={**NOTE, "description": "why this revision differs from the one before"},
        scheme=one_of(*KINDS),
        drop_worst=WHOLE,
        min_results=WHOLE,
        tie_breaks=listed(one_of(*TIE_BREAKS)),
        lot={**TEXT, "description": "the seed of the tie-break `lot`"},
        provisional={**TRUTH, "description": "something is not finished"},
        final={**TRUTH, "description": "the season is closed, and every tally was in"},
        open=OPEN,
        rows=listed(ref("StandingRow")),
    ),
    "SeasonHistory": record(
        rounds=listed(WHOLE),
        members=listed(
            record(
                member=IDENTIFIER,
                name=nullable(TEXT),
                places={**listed(nullable(WHOLE)), "description": "after each round; null below `min_results`"},
                points=listed(nullable(NUMBER)),
                exact=listed(nullable(EXACT)),
            )
        ),
    ),
    "SeasonTransfer": record(
        id=IDENTIFIER,
        kind=one_of("game", "placement", *ADJUSTMENTS, "reversal"),
        season=IDENTIFIER,
        version={**VERSION, "description": "of the event that caused it"},
        cause=record(
            type={**TEXT, "description": "of the event"},
            result=nullable(IDENTIFIER),
            adjustment=nullable(IDENTIFIER),
            by=nullable(IDENTIFIER),
            note=NOTE,
        ),
        effective_at=TIME,
        recorded_at=TIME,
        postings=listed(
            record(
                account=TEXT,
                seat=nullable(SEAT),
                member=nullable(IDENTIFIER),
                name=nullable(TEXT),
                amount={**WHOLE, "description": "in 1/`scale` points"},
                scale=WHOLE,
            )
        ),
    ),
    "SeasonTransfers": paged(ref("SeasonTransfer")),
}


def true(query: dict[str, Any], name: str) -> bool:
    return bool(query[name] == "true")
