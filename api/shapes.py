"""What answers hold, as JSON Schema. What a game shows is read off its Deal: types and secrecy marks.

Read beside it: domain/seen.py (makes matches and events), domain/secrecy.py (the marks), description.py (who uses it).
"""

from __future__ import annotations

import json
from dataclasses import MISSING, Field, fields
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from api.auth import SCOPES
from api.errors import PROBLEMS
from api.schemas import ID, STATUSES, VISIBILITIES
from domain import news, webhooks
from domain.bots import BOTS
from domain.record import SCHEMA
from domain.rules import Game, games
from domain.secrecy import marks

Shape: TypeAlias = dict[str, Any]

TEXT: Shape = {"type": "string"}
WHOLE: Shape = {"type": "integer"}
NUMBER: Shape = {"type": "number"}
TRUTH: Shape = {"type": "boolean"}
TIME: Shape = {"type": "string", "format": "date-time"}
IDENTIFIER: Shape = {"type": "string", "pattern": f"^{ID}$"}
SEAT: Shape = {"type": "integer", "minimum": 0}
VERSION: Shape = {"type": "integer", "minimum": 1}
DIGEST: Shape = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
JSON: Shape = {}


def one_of(*values: Any) -> Shape:
    return {"enum": list(values)}


def nullable(shape: Shape) -> Shape:
    if isinstance(shape.get("type"), str):
        return {**shape, "type": [shape["type"], "null"]}
    return {"anyOf": [shape, {"type": "null"}]}


def listed(shape: Shape) -> Shape:
    return {"type": "array", "items": shape}


def table(shape: Shape) -> Shape:
    return {"type": "object", "additionalProperties": shape}


def ref(name: str) -> Shape:
    return {"$ref": f"#/components/schemas/{name}"}


def record(**properties: Shape) -> Shape:
    """An object with all these properties."""
    return {"type": "object", "required": list(properties), "properties": properties}


def maybe(shape: Shape, **properties: Shape) -> Shape:
    """The same object, with properties that it may have."""
    return {**shape, "properties": {**shape["properties"], **properties}}


def paged(shape: Shape) -> Shape:
    return record(items=listed(shape), next=nullable(TEXT))


# From types


def typed(hint: Any) -> Shape:
    """The shape of a field's JSON by its type."""
    if hint in (int, str, bool, NoneType):
        return {int: WHOLE, str: TEXT, bool: TRUTH, NoneType: {"type": "null"}}[hint]
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        several = [typed(each) for each in inside if each is not NoneType]
        shape = several[0] if len(several) == 1 else {"anyOf": several}
        return nullable(shape) if NoneType in inside else shape
    if origin is Literal:
        return one_of(*inside)
    if origin is dict:
        return table(typed(inside[1]))
    if origin is list or (origin is tuple and inside[-1] is Ellipsis):
        return listed(typed(inside[0]))
    if origin is tuple:
        items = [typed(each) for each in inside]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    return JSON


def view(game: Game) -> Shape:
    """What eyes may see of a Deal: its own fields, where hidden things stand as sizes."""
    hints, options = get_type_hints(game.Deal), ref(f"{title(game)}Options")
    properties = {
        name: options if hints[name] is game.Options else _marked(mark, hints[name])
        for name, mark in marks(game.Deal).items()
    }
    return {"additionalProperties": False, **record(**properties)}


def _marked(mark: str, hint: Any) -> Shape:
    whole = typed(hint)
    if mark == "shown":
        return whole
    size = {"type": ["integer", "null"], "minimum": 0}
    if mark == "counted":
        return {"anyOf": [whole, size, listed(size)]}
    return listed({"anyOf": [whole["items"], size]})


def options(game: Game) -> Shape:
    """All effective options of a match."""
    hints = get_type_hints(game.Options)
    return record(**{f.name: _option(f, hints[f.name]) for f in fields(game.Options)})


def _option(field: Field[Any], hint: Any) -> Shape:
    rule = field.metadata
    if rule.get("fixed"):
        return {**typed(hint), "readOnly": True}
    shape = {**typed(hint), "description": rule["en"]}
    if rule["choices"]:
        shape["enum"] = list(rule["choices"])
    if rule["bounds"]:
        shape = _within(shape, *rule["bounds"])
    return shape if field.default is MISSING else {**shape, "default": _plain(field.default)}


def _within(shape: Shape, low: int, high: int) -> Shape:
    if "items" in shape:
        return {**shape, "items": _within(shape["items"], low, high)}
    return {**shape, "minimum": low, "maximum": high}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def title(game: Game) -> str:
    """pot_de_vin -> PotDeVin."""
    return "".join(word.capitalize() for word in game.id.split("_"))


# The answers

NAMES = record(en=TEXT, es=TEXT)
NAMED = record(id=IDENTIFIER, name=nullable(TEXT))
BY_SEAT = listed(WHOLE)
SEATS_TAKEN = record(min=WHOLE, max=WHOLE)
BOT = one_of(*BOTS)
DEADLINES = listed(record(seat=SEAT, at=TIME, bank_seconds={"type": "number"}))
REPLACED_BY = {"enum": [*BOTS, None]}

MATCH_HEAD = record(
    id=IDENTIFIER,
    game=one_of(*games()),
    variant=TEXT,
    rules=WHOLE,
    options={"anyOf": [ref(f"{title(game)}Options") for game in games().values()]},
    status=one_of(*STATUSES),
    version=VERSION,
    host=IDENTIFIER,
    visibility=one_of(*VISIBILITIES),
    rated=TRUTH,
    clock=nullable(ref("MatchClock")),
    fair=TRUTH,
    prepared=TRUTH,
    imported=TRUTH,
    season=nullable(IDENTIFIER),
    table=nullable(IDENTIFIER),
    seats=listed(ref("Seat")),
    totals=BY_SEAT,
    deals=WHOLE,
    result=nullable(ref("Result")),
    created_at=TIME,
    started_at=nullable(TIME),
    ended_at=nullable(TIME),
)
TOKEN = record(id=IDENTIFIER, label=TEXT, scopes=listed(one_of(*SCOPES)), created_at=TIME, expires_at=nullable(TIME))
RECORD = {name: value for name, value in json.loads(SCHEMA.read_text("utf-8")).items() if name != "$schema"}
RATING = record(
    game=TEXT,
    place=VERSION,
    player=nullable(NAMED),
    bot=nullable(TEXT),
    rating={**NUMBER, "description": "mu - 3 sigma: what somebody is worth at least"},
    mu=NUMBER,
    sigma=NUMBER,
    matches=VERSION,
    provisional=TRUTH,
    updated_at={**TIME, "description": "when the last match that counts ended"},
)

WEBHOOK = record(
    id=IDENTIFIER,
    url=TEXT,
    events=listed(one_of(*webhooks.TYPES)),
    enabled=TRUTH,
    created_at=TIME,
    disabled_at=nullable(TIME),
    disabled_reason=nullable(TEXT),
    failing_since={**nullable(TIME), "description": "since when every attempt has failed"},
    delivered={**WHOLE, "description": "messages that arrived"},
    failed={**WHOLE, "description": "attempts that did not"},
    dropped={**WHOLE, "description": "messages that were never made, because too many waited"},
)

DUPLICATE_HEAD = record(
    id=IDENTIFIER,
    game=TEXT,
    variant=TEXT,
    options=table(JSON),
    kind=one_of("solo", "tables"),
    seats=WHOLE,
    deals=WHOLE,
    bot=BOT,
    day={**nullable({"type": "string", "format": "date"}), "description": "of a deal of the day: which one"},
    created_at=TIME,
    ends_at=TIME,
    over=TRUTH,
    commitment={**DIGEST, "description": "SHA-256 of salt and packs"},
    salt={**nullable(DIGEST), "description": "once the event is over"},
    packs={**nullable(listed(listed(TEXT))), "description": "once the event is over"},
)
ENTRY = record(match={**nullable(IDENTIFIER), "description": "null while others are awaited"}, seat=nullable(SEAT))
STANDING = record(
    player=NAMED,
    place={"type": "integer", "minimum": 1},
    difference={**NUMBER, "description": "how much better than the field, on average over the boards that are shown"},
    match={**nullable(IDENTIFIER), "description": "once the event is over"},
    boards={
        **listed(record(board=WHOLE, seat=SEAT, points=WHOLE, difference=NUMBER)),
        "description": "those that the caller has played, too; all of them once the event is over",
    },
)

JUDGED = {
    **listed(record(move=TEXT, value=NUMBER, error=NUMBER, worlds=WHOLE)),
    "description": "best first. `value`: points better than the mean of the others, or the place where the match may "
    "end; the mean of so many worlds, `error` its standard error",
}

# In full where one holds more than another: what is made of allOf is lost on some generators of clients.
SCHEMAS: dict[str, Shape] = {
    "Problem": maybe(
        record(
            type={"type": "string", "format": "uri"},
            title=TEXT,
            status={"type": "integer", "minimum": 400, "maximum": 599},
            detail=TEXT,
            instance=TEXT,
            code=one_of(*(code for code in PROBLEMS if code != "internal")),
        ),
        legal={**listed(TEXT), "description": "what the caller may say now"},
        version={**WHOLE, "minimum": 0, "description": "where the match, season or sheet stands"},
        errors={**table(TEXT), "description": "what is wrong, by field"},
        seat=SEAT,
        scope=one_of(*SCOPES),
        id=IDENTIFIER,
        what={**TEXT, "description": "of what a season has none with this id"},
        state={**TEXT, "description": "in which a table, sheet, result or adjustment is"},
        open={**listed(TEXT), "description": "tables, sheets and results that wait, by id"},
        member=nullable(IDENTIFIER),
        members={**listed(IDENTIFIER), "description": "of a season, whom it is about"},
        designs=listed(record(members=WHOLE, seats=WHOLE)),
    ),
    "Game": record(
        id=IDENTIFIER,
        name=NAMES,
        rules={**WHOLE, "description": "the rules' number, raised when stored matches would be read differently"},
        low_wins=TRUTH,
        seats=SEATS_TAKEN,
        variants=listed(record(id=TEXT, name=NAMES, seats=SEATS_TAKEN, options=table(JSON))),
        options=listed(
            maybe(
                record(
                    name=TEXT,
                    type=one_of("integer", "boolean", "string", "integers"),
                    nullable=TRUTH,
                    default=JSON,
                    description=NAMES,
                ),
                min=WHOLE,
                max=WHOLE,
                choices=listed(TEXT),
            )
        ),
        bots=listed(BOT),
        tables=table(JSON),
    ),
    "Games": record(items=listed(ref("Game")), next={"type": "null"}),
    "NewPlayerAnswer": record(
        id=IDENTIFIER, name=TEXT, token={"type": "string", "description": "shown this once, with all scopes"}
    ),
    "Player": NAMED,
    "Players": paged(ref("Player")),
    "Me": record(id=IDENTIFIER, name=TEXT, created_at=TIME, scopes=listed(one_of(*SCOPES))),
    "Export": {"type": "string", "description": "a JSON object a line: `kind`, and the fields of its kind"},
    "Token": TOKEN,
    "Tokens": paged(ref("Token")),
    "NewTokenAnswer": record(**TOKEN["properties"], token={"type": "string", "description": "shown this once"}),
    "Seat": record(
        seat=SEAT,
        player=nullable(NAMED),
        label={**nullable(TEXT), "description": "of an imported match: the name of who sat there, no account"},
        bot=REPLACED_BY,
        open=TRUTH,
        accepted=TRUTH,
        resigned=TRUTH,
        replaced_by=REPLACED_BY,
        you=TRUTH,
    ),
    "Deal": record(
        number=WHOLE,
        extra=TRUTH,
        dealer=SEAT,
        seats=BY_SEAT,
        commitment=nullable(DIGEST),
        to_act=BY_SEAT,
        your_turn=TRUTH,
        deadlines=DEADLINES,
        legal=listed(TEXT),
        view={"oneOf": [ref(f"{title(game)}View") for game in games().values()]},
    ),
    "AwaitedDeal": {
        **record(
            number=WHOLE,
            extra=TRUTH,
            seats=BY_SEAT,
            commitment=DIGEST,
            awaiting_nonces=BY_SEAT,
            to_act={**BY_SEAT, "maxItems": 0},
            your_turn=TRUTH,
            deadlines=DEADLINES,
            legal={**listed(TEXT), "maxItems": 0},
        ),
        "description": "A deal of a fair match before it is dealt: who has still to give a nonce.",
    },
    "Result": record(places=BY_SEAT, totals=BY_SEAT, reason=one_of("target", "deals", "revoke", "resignation")),
    "MatchClock": record(turn_seconds=WHOLE, bank_seconds=WHOLE),
    "MatchHead": MATCH_HEAD,
    "Match": record(**MATCH_HEAD["properties"], deal={"anyOf": [ref("Deal"), ref("AwaitedDeal"), {"type": "null"}]}),
    "Matches": paged(ref("MatchHead")),
    "Event": {
        **record(version=VERSION, type=TEXT, at=TIME, hash=nullable(DIGEST)),
        "description": "Fields of its type. `hash` is null from `committed` or `dealt` until the deal is open.",
        "additionalProperties": True,
    },
    "Notice": {
        **maybe(
            record(type=one_of(*news.TYPES), match=IDENTIFIER, version=VERSION),
            seat=SEAT,
            legal=listed(TEXT),
            deal=WHOLE,
            event=ref("Event"),
        ),
        "description": "; ".join(f"`{kind}`: {what}" for kind, what in news.TYPES.items()),
    },
    "Events": record(items=listed(ref("Event")), next=nullable(VERSION)),
    "Frame": record(version=VERSION, event=ref("Event"), match=ref("Match")),
    "Frames": {"type": "string", "description": "a Frame a line"},
    "Record": RECORD,
    "Written": record(version=VERSION, events=listed(ref("Event")), match=ref("Match")),
    "Invitation": record(code=TEXT, expires_at=TIME),
    "Webhook": WEBHOOK,
    "Webhooks": paged(ref("Webhook")),
    "NewWebhookAnswer": record(
        **WEBHOOK["properties"], secret={"type": "string", "pattern": "^whsec_", "description": "shown this once"}
    ),
    "Delivery": record(
        id={**IDENTIFIER, "description": "the webhook-id under which it is sent"},
        type=one_of(*webhooks.TYPES, webhooks.TEST),
        state=one_of("pending", "delivered", "failed"),
        created_at=TIME,
        next_at={**nullable(TIME), "description": "when it is tried next"},
        message=record(type=TEXT, timestamp=TIME, data={"type": "object"}),
        attempts=listed(
            record(number=WHOLE, at=TIME, status=nullable(WHOLE), milliseconds=WHOLE, error=nullable(TEXT))
        ),
    ),
    "Deliveries": paged(ref("Delivery")),
    "Analysis": record(
        match=IDENTIFIER,
        state=one_of("waiting", "running", "done", "failed"),
        ahead={**WHOLE, "description": "how many analyses come before it"},
        asked_at=TIME,
        finished_at=nullable(TIME),
        looked_at={**WHOLE, "description": "how many words of the match have been looked at"},
        words={**WHOLE, "description": "how many were said; those without a choice are not judged"},
        worlds={**WHOLE, "description": "in which each candidate is tried, unless it is clearly worse"},
        items=listed(record(version=VERSION, seat=SEAT, move=TEXT, loss=nullable(NUMBER), candidates=JUDGED)),
        next=nullable(VERSION),
    ),
    "Hint": record(version=VERSION, seat=SEAT, move=TEXT, candidates=JUDGED, worlds=WHOLE, truncated=TRUTH),
    "Duplicate": record(**DUPLICATE_HEAD["properties"], entry=nullable(ENTRY), standings=listed(STANDING)),
    "DuplicateHead": DUPLICATE_HEAD,
    "Duplicates": paged(ref("DuplicateHead")),
    "PendingTakeback": record(
        seat=SEAT,
        word={**VERSION, "description": "that is asked back: the version at which it was said"},
        awaiting={**BY_SEAT, "description": "who has still to consent"},
    ),
    "Audit": record(ok=TRUTH, faults=listed(record(version=VERSION, what=TEXT))),
    "Rating": RATING,
    "Ratings": paged(ref("Rating")),
    "PlayerRatings": record(items=listed(record(**RATING["properties"], history=listed(ref("RatingStep"))))),
    "RatingStep": record(
        match={**nullable(IDENTIFIER), "description": "null for whoever does not find it in lists"},
        at={**TIME, "description": "when the match ended"},
        number={**VERSION, "description": "of his matches that rate"},
        rating=NUMBER,
        mu=NUMBER,
        sigma=NUMBER,
    ),
    "RatingSteps": paged(ref("RatingStep")),
    "Transfer": record(
        id=IDENTIFIER,
        kind=TEXT,
        match=IDENTIFIER,
        version=VERSION,
        reason=TEXT,
        recorded_at=TIME,
        postings=listed(
            record(
                account=TEXT,
                seat=nullable(SEAT),
                player=nullable(IDENTIFIER),
                member=nullable(IDENTIFIER),
                amount=WHOLE,
                scale={"type": "integer", "minimum": 1},
            )
        ),
    ),
    "Transfers": paged(ref("Transfer")),
    "Health": record(status=one_of("ok")),
    **{f"{title(game)}Options": options(game) for game in games().values()},
    **{f"{title(game)}View": view(game) for game in games().values()},
}
