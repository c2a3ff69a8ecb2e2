"""Matches: opened, listed, read, moved at, given up, voided. Beside it: domain/play.py, through which all of it goes.

Coming to a match is in seats.py, what has happened in history.py.
"""

from __future__ import annotations

from typing import Any

from flask import Response, request

from api import cursors, knowing, shown
from api.answers import answer, etag
from api.call import Call, draw, new_id
from api.errors import invalid
from api.etag import expected
from api.operation import Blueprint
from api.players import stay
from api.schemas import MatchesQuery, MatchQuery, Move, NewMatch, Note, Nothing
from domain import errors, play, seen
from domain.match import Match, fold
from domain.play import Proposal
from domain.rules import OptionsError
from store import matches, notes
from store.matches import Filters

blueprint = Blueprint("matches", __name__, url_prefix="/v1/matches", description="Matches, and what is said there")


@blueprint.operation("POST", "", scope="play", status=201, body=NewMatch(), answer="Match", headers="ETag Location")
def open_match(call: Call, body: dict[str, Any]) -> Response:
    """Open a match; the caller is its host. It is dealt as soon as every seat is ready."""
    seats = [_offer(seat, call.player) for seat in body["seats"]]
    with call.conn.transaction():
        _check_players(call, seats)
        outcome = play.open_match(call.store, new_id(), call.player, Proposal(**{**body, "seats": seats}), draw)
    call.follow(outcome)
    m = outcome.match
    return answer(shown.own(call, m), 201, {"Location": f"{request.path}/{m.id}", **etag(m.version)})


def _offer(seat: dict[str, Any], player: str) -> dict[str, Any]:
    return {"player": player} if seat.get("player") == "me" else seat


def _check_players(call: Call, seats: list[dict[str, Any]]) -> None:
    known = stay(call, {seat["player"] for seat in seats if "player" in seat})
    faults = {f"seats.{n}.player": "there is no such player" for n, seat in enumerate(seats)
              if "player" in seat and seat["player"] not in known}  # fmt: skip
    if faults:
        raise OptionsError(faults)


@blueprint.operation("GET", "", scope="read", public=True, query=MatchesQuery(), answer="Matches", headers="Link",
                     problems="forged_cursor")  # fmt: skip
def list_matches(call: Call, query: dict[str, Any]) -> Response:
    """Public matches, and all others in which the caller is host or has a seat; newest first."""
    after, limit = cursors.place_after(call, query), query.pop("limit")
    query.pop("cursor")
    found = matches.page(call.conn, call.viewer, Filters(**query), limit + 1, after)
    more = cursors.place(found[limit - 1]) if len(found) > limit else None
    histories = call.store.read_many([place.id for place in found[:limit]])
    folded = [fold(place.id, histories[place.id].events) for place in found[:limit]]
    names = shown.names(call, folded)
    return cursors.page(call, [_item(m, call.viewer, names) for m in folded], more)


def _item(m: Match, viewer: str | None, names: shown.Names) -> dict[str, Any]:
    item = shown.match(m, viewer, None, names)
    del item["deal"]
    return item


@blueprint.operation("GET", "/<id:match>", scope="read", public=True, ahead=True, query=MatchQuery(), answer="Match",
                     headers="ETag", problems="not_found not_yet_open")  # fmt: skip
def read_match(call: Call, match: str, query: dict[str, Any]) -> Response:
    """The match as the caller may see it, now or as of a version."""
    latest, then = _at(call, match, query["at"])
    try:
        eyes = seen.chosen_eyes(latest, then, call.viewer, query["eyes"])
    except errors.NoSuchSeatError as refusal:
        raise invalid("eyes", str(refusal)) from None
    return answer(shown.match(then, call.viewer, eyes, shown.names(call, [then])), headers=etag(then.version))


def _at(call: Call, match: str, version: int | None) -> tuple[Match, Match]:
    """The match as it stands, and as it stood."""
    if version is None:
        latest = knowing.load(call, match)
        return latest, latest
    latest, events = knowing.history(call, match)
    if version > latest.version:
        raise invalid("at", f"the match is at version {latest.version}")
    return latest, fold(match, events[:version])


@blueprint.operation(
    "POST",
    "/<id:match>/moves",
    scope="play",
    ahead=True,
    status=201,
    body=Move(),
    answer="Written",
    headers="ETag",
    versioned=True,
    problems="not_found not_allowed illegal_move not_your_turn match_not_started match_over stale_version",
)
def say_move(call: Call, match: str, body: dict[str, Any]) -> Response:
    """Say a word. What the house does then is in the answer too."""
    version = expected(call, match, call.player)
    return shown.written(call, play.move(call.store, match, call.player, body["move"], version, draw))


@blueprint.operation("POST", "/<id:match>/resignation", scope="play", status=201, body=Nothing(), answer="Written",
                     headers="ETag", versioned=True,
                     problems="not_found not_allowed match_not_started match_over")  # fmt: skip
def resign_match(call: Call, match: str, body: dict[str, Any]) -> Response:
    """Give up: a bot sits in for good, and the seat shares the last place."""
    return shown.written(call, play.resign(call.store, match, call.player, expected(call, match, call.player)))


@blueprint.operation("POST", "/<id:match>/start", scope="play", status=201, body=Nothing(), answer="Written",
                     headers="ETag", versioned=True,
                     problems="not_found not_allowed match_started match_over")  # fmt: skip
def start_match(call: Call, match: str, body: dict[str, Any]) -> Response:
    """Have a match of a season begin, as an organiser, without those who are absent: the clock plays for them."""
    if not knowing.organises(call, match):
        knowing.load(call, match)
        raise errors.NotAllowedError("only an organiser of the season may do this")
    version = expected(call, match, play.EVERYBODY)
    return shown.written(call, play.start(call.store, match, call.player, version, draw))


@blueprint.operation("POST", "/<id:match>/void", scope="play", status=201, body=Note(), answer="Written",
                     headers="ETag", versioned=True, problems="not_found not_allowed match_over")  # fmt: skip
def void_match(call: Call, match: str, body: dict[str, Any]) -> Response:
    """Void the match, as its host, or as an organiser of its season. The note is for those who have to do with it, and
    can be erased.
    """
    organises = knowing.organises(call, match)
    version = expected(call, match, play.EVERYBODY if organises else call.player)
    with call.conn.transaction():
        outcome = play.void(call.store, match, call.player, version, organises=organises)
        if body["note"]:
            stay(call)
            notes.add(call.conn, match, outcome.match.version, call.player, body["note"])
    return shown.written(call, outcome)
