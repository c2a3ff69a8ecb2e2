"""What requests to leagues and seasons hold; the same as schemas.py for everything else."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema
from marshmallow.validate import Length, OneOf

from api.schemas import (
    MOST_VERSION,
    VISIBILITIES,
    Clock,
    Name,
    Strict,
    Time,
    Truth,
    decimal,
    identifier,
    whole,
)
from domain.schemes import KINDS, units
from domain.season_decide import ADJUSTMENTS
from domain.season_results import OUTCOMES
from domain.season_rounds import MOST_ROUNDS, PAIRINGS
from domain.tie_breaks import TIE_BREAKS

NAME = {"minLength": 1, "maxLength": 40, "example": "Thursday club"}
WHY = {"description": "why, for the members; can be erased", "example": "A jack was counted twice."}


def words() -> fields.String:
    """A note that has to be given."""
    return fields.String(required=True, validate=Length(1, 1000), metadata=WHY)


class Points(fields.Field[int]):
    """Points in JSON (3, -2.5, "1/3") as whole units of 1/60 point."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValidationError("Not a valid number.")
        try:
            return units(value)
        except ValueError as error:
            raise ValidationError(str(error)) from None


# Leagues


class NewLeague(Strict):
    name = Name(required=True, metadata=NAME)
    game = fields.String(required=True, metadata={"example": "polignac"})
    variant = fields.String(load_default=None, allow_none=True, metadata={"description": "by default the game's first"})
    options = fields.Dict(keys=fields.String(), load_default=dict)
    visibility = fields.String(load_default="public", validate=OneOf(VISIBILITIES))


class PlayerId(Strict):
    player = identifier(required=True, metadata={"example": "3f9c0a51b7e24d68a0c1"})


# Seasons


class Scoring(Strict):
    """How results become standings."""

    scheme = fields.String(load_default="places", validate=OneOf(KINDS), metadata={"example": "places"})
    points = fields.Dict(
        keys=fields.String(),
        load_default=None,
        allow_none=True,
        metadata={"description": "of `places`: points by place, for each size of table", "example": {"3": [9, 5, 1]}},
    )
    drop_worst = whole(0, 1000, load_default=0)
    min_results = whole(0, 1000, load_default=None, allow_none=True)
    tie_breaks = fields.List(fields.String(validate=OneOf(list(TIE_BREAKS))), load_default=None, allow_none=True)


class NewSeason(Scoring):
    name = Name(required=True, metadata={**NAME, "example": "Spring 2026"})
    starts = fields.Date(load_default=None, allow_none=True)
    ends = fields.Date(load_default=None, allow_none=True)

    @validates_schema
    def _in_order(self, data: dict[str, Any], **_: Any) -> None:
        if data.get("starts") and data.get("ends") and data["ends"] < data["starts"]:
            raise ValidationError("A season ends after it starts.", "ends")


class NewScheme(Scoring):
    note = words()


# Members


class NewMember(Strict):
    """Exactly one of the three."""

    player = identifier(metadata={"description": "an account"})
    name = Name(metadata={"description": "a guest, who has none", "minLength": 1, "maxLength": 40})
    member = identifier(metadata={"description": "one who left and comes back"})

    @validates_schema
    def _one(self, data: dict[str, Any], **_: Any) -> None:
        if len(data) != 1:
            raise ValidationError("A member has one of player, name and member.")


class Claim(Strict):
    code = fields.String(required=True, validate=Length(1, 80), metadata={"example": "tMk0Cw8yQ2bNfB1z"})


class MemberQuery(Strict):
    erase = fields.String(
        load_default="false",
        validate=OneOf(["true", "false"]),
        metadata={"description": "also forget the name of a guest"},
    )


# Rounds and tables


class Sitter(Strict):
    member = identifier(required=True)
    for_ = identifier(data_key="for", metadata={"description": "the member whose substitute this is"})


class LineUp(Strict):
    members = fields.List(fields.Nested(Sitter), required=True, validate=Length(1, 10))


class NewRounds(Strict):
    pairing = fields.String(required=True, validate=OneOf(PAIRINGS))
    seats = whole(2, 10, load_default=4, metadata={"description": "the size of table that is wanted"})
    rounds = whole(1, MOST_ROUNDS, load_default=1)
    seed = fields.String(
        load_default=None,
        allow_none=True,
        validate=Length(1, 80),
        metadata={"description": "of `spread` and `swiss`: the same seed draws the same; by default a fresh one"},
    )
    absent = fields.List(identifier(), load_default=list, validate=Length(0, 1000))
    tables = fields.List(
        fields.List(identifier(), validate=Length(1, 10)),
        load_default=None,
        allow_none=True,
        validate=Length(0, 500),
        metadata={"description": "of `manual`: members by table and seat"},
    )
    first = whole(
        1, MOST_VERSION, load_default=None, allow_none=True, metadata={"description": "draws anew from this round on"}
    )


class RoundsQuery(Strict):
    preview = fields.String(
        load_default="false", validate=OneOf(["true", "false"]), metadata={"description": "draw, and record nothing"}
    )


class TablesQuery(Strict):
    round = decimal(1, MOST_VERSION, load_default=None)
    status = fields.String(load_default=None, validate=OneOf(("open", "done", "void")))


class TableMatch(Strict):
    clock = fields.Nested(Clock, load_default=None, allow_none=True)
    rated = Truth(load_default=True)
    fair = Truth(load_default=False, metadata={"description": "whether each seat adds a nonce to each shuffle"})


class Why(Strict):
    note = words()


# Results

DEALS: dict[str, Any] = {
    "description": "all deals of a sheet: `dealer`, and `tally` or `void`",
    "example": [{"dealer": 0, "void": True}],
}


class Amendment(Strict):
    """What a result ought to be."""

    tally = fields.Dict(keys=fields.String(), metadata={"description": "of its one deal"})
    deals = fields.List(fields.Dict(keys=fields.String()), validate=Length(1, 200), metadata=DEALS)
    points = fields.List(
        whole(-(10**6), 10**6),
        validate=Length(1, 10),
        metadata={"description": "game points by seat", "example": [2, 0, 2]},
    )
    note = words()


class Ruling(Amendment):
    outcome = fields.String(required=True, validate=OneOf(OUTCOMES))


class Correction(Amendment):
    result = identifier(required=True)
    void = Truth(validate=validate.Equal(True), metadata={"enum": [True]})


class NewAdjustment(Strict):
    member = identifier(required=True)
    kind = fields.String(required=True, validate=OneOf(list(ADJUSTMENTS)))
    points = Points(
        required=True,
        metadata={
            "description": "a whole number of 1/60 points: a number, or a fraction as text; a penalty is negative",
            "type": ["number", "string"],
            "example": -2.5,
        },
    )
    note = words()
    effective_at = Time(load_default=None, allow_none=True, metadata={"description": "by default now"})


class LogQuery(Strict):
    after = decimal(0, MOST_VERSION, load_default=0)
    limit = decimal(1, 200, load_default=50)
