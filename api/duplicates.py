"""Events in which everybody plays the same deals, and the deal of the day. Beside it: domain/duplicates.py."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any

from flask import Response, request

from api import cursors
from api.answers import answer
from api.call import Call, draw, new_id
from api.errors import ProblemError, invalid
from api.operation import Blueprint
from api.players import stay
from api.schemas import DuplicatesQuery, NewDuplicate, Nothing
from domain import duplicates, errors, play
from domain.duplicates import Plan
from domain.event import rfc3339
from domain.rules import games
from store import duplicates as events
from store import players
from store.duplicates import Duplicate, Entry

blueprint = Blueprint("duplicates", __name__, url_prefix="/v1/duplicates", description="The same deals for everybody")

MOST_DAYS = 30
MOST_ENTRANTS = 500


@blueprint.operation("POST", "", scope="play", status=201, repeated=200, body=NewDuplicate(), answer="Duplicate",
                     headers="Location", problems="not_found")  # fmt: skip
def open_duplicate(call: Call, body: dict[str, Any]) -> Response:
    """Have packs drawn, committed to and hidden until the event ends; or find the deal of the day of a game."""
    daily, ends_at = body.pop("daily"), body.pop("ends_at", None)
    plan, now = Plan(**body), events.now(call.conn)
    day = now.astimezone(UTC).date() if daily else None
    if day:
        ends_at = datetime.combine(day + timedelta(days=1), time(), UTC)
    ends_at = ends_at or now + timedelta(days=1)
    if ends_at <= now:
        raise invalid("ends_at", "is over")
    if ends_at > now + timedelta(days=MOST_DAYS):
        raise invalid("ends_at", f"an event lasts {MOST_DAYS} days at most")
    made, new = duplicates.prepared(plan, draw), new_id()
    with call.conn.transaction():
        stay(call)
        kept = events.create(
            call.conn,
            Duplicate(new, plan.game, made.variant, made.options, plan.kind, plan.seats, plan.bot, made.packs,
                      made.salt, day, now, ends_at, now),
            call.player,
        )  # fmt: skip
    status = 201 if kept.id == new else 200
    return answer(_whole(call, kept), status, {"Location": f"{request.path}/{kept.id}"})


@blueprint.operation("GET", "", scope="read", public=True, query=DuplicatesQuery(), answer="Duplicates",
                     headers="Link", problems="forged_cursor")  # fmt: skip
def list_duplicates(call: Call, query: dict[str, Any]) -> Response:
    """Events, newest first."""
    limit = query["limit"]
    found = events.page(call.conn, query["game"], limit + 1, cursors.place_after(call, query))
    more = cursors.place(found[limit - 1]) if len(found) > limit else None
    return cursors.page(call, [_head(each) for each in found[:limit]], more)


@blueprint.operation("GET", "/<id:duplicate>", scope="read", public=True, answer="Duplicate",
                     problems="not_found")  # fmt: skip
def read_duplicate(call: Call, duplicate: str) -> Response:
    """The event, where the caller plays, and how all stand on the boards he has played; when it is over, on all."""
    return answer(_whole(call, known(call, duplicate)))


@blueprint.operation("POST", "/<id:duplicate>/entries", scope="play", status=201, body=Nothing(), answer="Duplicate",
                     problems="not_found already_entered event_over not_allowed")  # fmt: skip
def enter_duplicate(call: Call, duplicate: str, body: dict[str, Any]) -> Response:
    """Play in the event, once: `entry` names the match, as soon as there are as many as it takes."""
    found = known(call, duplicate)
    if found.over:
        raise errors.EventOverError("the event has ended")
    with call.conn.transaction():
        stay(call)
        if not events.enter(call.conn, duplicate, call.player):
            raise errors.AlreadyEnteredError("you have entered this event")
        entered = events.entries(call.conn, duplicate)
        if len(entered) > MOST_ENTRANTS:
            raise errors.NotAllowedError(f"an event has {MOST_ENTRANTS} entrants at most")
        _seat(call, found, [entry.player for entry in entered if entry.match is None])
    return answer(_whole(call, found), 201)


def _seat(call: Call, found: Duplicate, waiting: Sequence[str]) -> None:
    """Open the match of those who wait, once they are enough."""
    if len(waiting) < (1 if found.kind == "solo" else found.seats):
        return
    made = duplicates.Event(found.variant, found.options, found.packs, found.salt)
    proposal = duplicates.proposal(_plan(found), made, found.id, rfc3339(found.ends_at), waiting)
    match = new_id()
    call.follow(play.open_match(call.store, match, waiting[0], proposal, draw))
    for number, player in enumerate(waiting[1:], 1):
        call.follow(play.sit(call.store, match, player, number, None, draw))
    events.seat(call.conn, found.id, match, waiting)


def known(call: Call, duplicate: str) -> Duplicate:
    """The event. Raises ProblemError where there is none."""
    found = events.of_id(call.conn, duplicate)
    if found is None:
        raise ProblemError("not_found", f"there is no event {duplicate!r}")
    return found


def _plan(found: Duplicate) -> Plan:
    return Plan(found.game, found.variant, found.options, found.kind, found.seats, len(found.packs), found.bot)


def _head(found: Duplicate) -> dict[str, Any]:
    made = duplicates.Event(found.variant, found.options, found.packs, found.salt)
    return {
        "id": found.id,
        "game": found.game,
        "variant": found.variant,
        "options": duplicates.effective_options(_plan(found), made),
        "kind": found.kind,
        "seats": found.seats,
        "deals": len(found.packs),
        "bot": found.bot,
        "day": found.day.isoformat() if found.day else None,
        "created_at": found.created_at,
        "ends_at": found.ends_at,
        "over": found.over,
        "commitment": duplicates.commitment(found.packs, found.salt),
        "salt": found.salt.hex() if found.over else None,
        "packs": found.packs if found.over else None,
    }


def _whole(call: Call, found: Duplicate) -> dict[str, Any]:
    entered = events.entries(call.conn, found.id)
    mine = next((entry for entry in entered if entry.player == call.viewer), None)
    return {
        **_head(found),
        "entry": {"match": mine.match, "seat": mine.seat} if mine else None,
        "standings": _standings(call, found, entered),
    }


def _standings(call: Call, found: Duplicate, entered: Sequence[Entry]) -> list[dict[str, Any]]:
    """By the boards that the caller has played; when the event is over, by all."""
    seats = {entry.player: (entry.match, entry.seat) for entry in entered
             if entry.match is not None and entry.seat is not None}  # fmt: skip
    scored = duplicates.boards_played(seats, events.scored(call.conn, found))
    boards = range(1, len(found.packs) + 1)
    visible = {each.board for each in scored if each.player == call.viewer} if not found.over else {*boards}
    names = players.names(call.conn, {entry.player for entry in entered})
    order = [entry.player for entry in entered]
    return [
        {
            "player": {"id": each.player, "name": names.get(each.player)},
            "place": each.place,
            "difference": each.difference,
            "match": seats[each.player][0] if found.over and each.player in seats else None,
            "boards": each.boards,
        }
        for each in duplicates.standings(scored, order, visible, games()[found.game].LOW_WINS)
    ]
