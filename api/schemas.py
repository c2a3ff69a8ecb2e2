"""What requests hold, checked by marshmallow: unknown fields are refused, types are strict.

Read beside it: shapes.py (what answers hold), reading.py (what JSON is let in).
"""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema
from marshmallow.validate import Length, OneOf, Range, Regexp

from api.auth import SCOPES
from domain.bots import BOTS
from domain.duplicates import KINDS, MOST_DEALS
from domain.fairness import MOST_BYTES
from domain.play import BANK, TURN
from domain.rules import games
from domain.webhooks import MOST_URL, TYPES

ID = r"[A-Za-z0-9_-]{1,40}"
STATUSES = ("open", "playing", "ended", "voided")
VISIBILITIES = ("public", "unlisted", "private")
MOST_VERSION = 2**31 - 1


class Name(fields.String):
    """1-40 characters after NFC, something of which can be seen; no control characters. RTL and emoji are welcome."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        name = unicodedata.normalize("NFC", super()._deserialize(value, attr, data, **kwargs))
        if not 1 <= len(name) <= 40:
            raise ValidationError("A name has 1 to 40 characters.")
        kinds = {unicodedata.category(character) for character in name}
        if kinds & {"Cc", "Zl", "Zp"}:
            raise ValidationError("A name has no control characters.")
        if all(kind[0] in "CZM" for kind in kinds):
            raise ValidationError("Something of a name can be seen.")
        return name


class Time(fields.AwareDateTime):
    """RFC 3339, with its zone; in UTC once read."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(format="iso", **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        if not isinstance(value, str):
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE)
        try:
            return super()._deserialize(value, attr, data, **kwargs).astimezone(UTC)
        except OverflowError:
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE) from None


def whole(low: int, high: int, **kwargs: Any) -> fields.Integer:
    """A whole number in JSON."""
    return fields.Integer(strict=True, validate=Range(low, high), **kwargs)


class Decimal(fields.Integer):
    """A whole number in a query: digits and nothing else."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 12):
            raise self.make_error("invalid", input=value)
        return int(value)


def decimal(low: int, high: int, **kwargs: Any) -> Decimal:
    return Decimal(validate=Range(low, high), **kwargs)


class Truth(fields.Boolean):
    """true or false, and not what looks like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def identifier(**kwargs: Any) -> fields.String:
    return fields.String(validate=Regexp(rf"^{ID}$", error="This is no id."), **kwargs)


class Strict(Schema):
    """A request's object: what it does not know it refuses."""

    class Meta:
        unknown = RAISE


class Nothing(Strict):
    """No fields at all."""


# Bodies


class PlayerName(Strict):
    name = Name(required=True, metadata={"minLength": 1, "maxLength": 40, "example": "Ana"})


class NewToken(Strict):
    label = fields.String(required=True, validate=Length(1, 80), metadata={"example": "my bot"})
    scopes = fields.List(fields.String(validate=OneOf(SCOPES)), required=True, validate=Length(1, 3))
    expires_at = Time(load_default=None, allow_none=True)


class SeatOffer(Strict):
    """Exactly one of the three."""

    player = identifier(metadata={"description": "an id, or `me`"})
    bot = fields.String(validate=OneOf(list(BOTS)))
    open = Truth(validate=validate.Equal(True), metadata={"enum": [True]})

    @validates_schema
    def _one(self, data: dict[str, Any], **_: Any) -> None:
        if len(data) != 1:
            raise ValidationError("A seat has one of player, bot and open.")


class Clock(Strict):
    """How long a seat may think: a turn, and a bank for the whole match on top of it."""

    turn_seconds = whole(TURN[0], TURN[-1], required=True)
    bank_seconds = whole(BANK[0], BANK[-1], load_default=0)


class NewMatch(Strict):
    game = fields.String(required=True, metadata={"example": "polignac"})
    variant = fields.String(load_default=None, allow_none=True, metadata={"description": "by default the game's first"})
    options = fields.Dict(keys=fields.String(), load_default=dict)
    seats = fields.List(fields.Nested(SeatOffer), required=True)
    clock = fields.Nested(Clock, load_default=None, allow_none=True)
    rated = Truth(load_default=False)
    visibility = fields.String(load_default="public", validate=OneOf(VISIBILITIES))
    fair = Truth(load_default=False, metadata={"description": "whether each seat adds a nonce to each shuffle"})
    packs = fields.List(
        fields.List(fields.String()),
        load_default=None,
        allow_none=True,
        metadata={"description": "of the first deals, top card first"},
    )
    dealer = whole(0, 9, load_default=None, allow_none=True)


class SeatChoice(Strict):
    """Any free seat, a seat by number, entry by code, or a bot put there by the host."""

    seat = whole(0, 9, load_default=None, allow_none=True)
    code = fields.String(load_default=None, allow_none=True, validate=Length(1, 80))
    bot = fields.String(load_default=None, allow_none=True, validate=OneOf(list(BOTS)))

    @validates_schema
    def _mix(self, data: dict[str, Any], **_: Any) -> None:
        if data.get("bot") and data.get("code"):
            raise ValidationError("A bot needs no code.", "code")


class Move(Strict):
    move = fields.String(required=True, metadata={"description": "a word, exactly as `legal` has it", "example": "JS"})


class Takeback(Strict):
    """A word asked back, or the answer to whoever asks."""

    consent = Truth(
        load_default=None,
        allow_none=True,
        metadata={"description": "to what another asks; without it one's own last word is asked for"},
    )


class NewDuplicate(Strict):
    """An event in which all play the same deals, or the deal of the day of a game."""

    game = fields.String(required=True, metadata={"example": "polignac"})
    daily = Truth(load_default=False, metadata={"description": "the deal of the day, the same for whoever asks"})
    variant = fields.String(allow_none=True, metadata={"description": "by default the game's first"})
    options = fields.Dict(keys=fields.String())
    kind = fields.String(validate=OneOf(KINDS), metadata={"description": "`solo`: one person and bots at each table"})
    seats = whole(2, 10)
    deals = whole(1, MOST_DEALS)
    bot = fields.String(validate=OneOf(list(BOTS)))
    ends_at = Time(allow_none=True, metadata={"description": "by default in 24 hours"})

    @validates_schema
    def _alone(self, data: dict[str, Any], **_: Any) -> None:
        if data.get("daily") and data.keys() - {"game", "daily"}:
            raise ValidationError("a deal of the day has nothing else to settle", "daily")


HEX = rf"^([0-9a-fA-F]{{2}}){{0,{MOST_BYTES}}}$(?!\n)"  # where a line ends, Python lets a newline follow


class Nonce(Strict):
    deal = whole(1, MOST_VERSION, required=True, metadata={"description": "the number of the deal that waits for it"})
    nonce = fields.String(
        required=True,
        validate=Regexp(HEX, error=f"A nonce is 0 to {MOST_BYTES} bytes in hex."),
        metadata={"description": "bytes in hex; none are a nonce too", "example": "616e61"},
    )


class NewWebhook(Strict):
    url = fields.String(
        required=True,
        validate=Length(1, MOST_URL),
        metadata={"description": "https, a public host", "example": "https://example.org/tapete"},
    )
    events = fields.List(
        fields.String(validate=OneOf(list(TYPES))),
        required=True,
        validate=Length(1, len(TYPES)),
        metadata={"description": "; ".join(f"`{name}`: {what}" for name, what in TYPES.items()), "example": ["turn"]},
    )


class Note(Strict):
    note = fields.String(load_default=None, allow_none=True, validate=Length(1, 1000))


# Queries


class Paging(Strict):
    limit = decimal(1, 200, load_default=50)
    cursor = fields.String(load_default=None, metadata={"description": "`next` of the page before"})


class PlayersQuery(Paging):
    name = Name(required=True, metadata={"description": "exactly this name"})


class MatchesQuery(Paging):
    game = fields.String(load_default=None)
    status = fields.String(load_default=None, validate=OneOf(STATUSES))
    player = identifier(load_default=None)
    season = identifier(load_default=None)
    since = Time(load_default=None, metadata={"description": "created then or later"})
    until = Time(load_default=None, metadata={"description": "created before"})


class RatingsQuery(Paging):
    game = fields.String(required=True, validate=OneOf(list(games())), metadata={"example": "polignac"})
    pool = fields.String(load_default="players", validate=OneOf(("players", "bots")))
    provisional = fields.String(load_default="true", validate=OneOf(("true", "false")))


class HistoryQuery(Paging):
    game = fields.String(required=True, validate=OneOf(list(games())), metadata={"example": "polignac"})


class DuplicatesQuery(Paging):
    game = fields.String(load_default=None)


class RecordQuery(Strict):
    visibility = fields.String(load_default="private", validate=OneOf(VISIBILITIES))


class ReplayQuery(Strict):
    eyes = fields.String(
        load_default="own",
        validate=Regexp(r"^(own|all|[0-9])$", error="This is neither own, all nor a seat."),
        metadata={"description": "`own`, or of a deal that lies open `all` or a seat"},
    )


class MatchQuery(ReplayQuery):
    at = decimal(1, MOST_VERSION, load_default=None, metadata={"description": "as of this version"})


class EventsQuery(Strict):
    after = decimal(0, MOST_VERSION, load_default=0)
    limit = decimal(1, 200, load_default=50)
