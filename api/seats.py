"""Coming to a match and leaving it before it starts. Beside it: matches.py, domain/decide.py (who may sit where)."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from flask import Response

from api import shown
from api.answers import answer, etag, nothing
from api.call import Call, draw
from api.errors import ProblemError
from api.etag import expected
from api.operation import Blueprint
from api.players import stay
from api.schemas import Nothing, SeatChoice
from domain import errors, play
from store import matches

blueprint = Blueprint("seats", __name__, url_prefix="/v1/matches/<id:match>", description="Coming to a match")

CODE_LASTS = timedelta(hours=24)  # as long as an open match


@blueprint.operation("POST", "/seats", scope="play", status=201, body=SeatChoice(), answer="Written", headers="ETag",
                     versioned=True,
                     problems="not_found not_allowed seat_taken already_seated match_started match_over")  # fmt: skip
def take_seat(call: Call, match: str, body: dict[str, Any]) -> Response:
    """Accept an invitation, take a free seat, come back to one's own, enter by a code; or, as host, seat a bot."""
    seat, code, bot = body["seat"], body["code"], body["bot"]
    if bot:
        version = expected(call, match, call.player)
        return shown.written(call, play.seat_bot(call.store, match, call.player, seat, bot, version, draw))
    admitted = bool(code) and matches.admitted(call.conn, match, code)
    version = expected(call, match, play.EVERYBODY if admitted else call.player)
    with call.conn.transaction():
        stay(call)
        outcome = play.sit(call.store, match, call.player, seat, version, draw, admitted=admitted)
    return shown.written(call, outcome)


@blueprint.operation("DELETE", "/seats/<seat:seat>", scope="play", status=204, headers="ETag", versioned=True,
                     problems="not_found not_allowed match_started match_over")  # fmt: skip
def free_seat(call: Call, match: str, seat: int) -> Response:
    """Leave or decline, or free somebody's seat as host, before the start."""
    version = expected(call, match, call.player)
    try:
        outcome = play.leave(call.store, match, call.player, seat, version)
    except errors.NoSuchSeatError as refusal:
        raise ProblemError("not_found", str(refusal)) from None
    call.follow(outcome)
    return nothing(etag(outcome.match.version))


@blueprint.operation("POST", "/invitations", scope="play", status=201, body=Nothing(), answer="Invitation",
                     secret=True, problems="not_found not_allowed match_started match_over")  # fmt: skip
def invite(call: Call, match: str, body: dict[str, Any]) -> Response:
    """A code that admits to the match whoever says it, shown this once to the host."""
    m = play.load_for(call.store, match, call.player)
    if call.player != m.opened["host"]:
        raise errors.NotAllowedError("only the host of the match may do this")
    if m.status != "open":
        raise (errors.MatchOverError if m.over else errors.MatchStartedError)(f"the match is {m.status}")
    code = secrets.token_urlsafe(12)
    return answer({"code": code, "expires_at": matches.invite(call.conn, match, code, CODE_LASTS)}, 201)
