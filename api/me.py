"""What a player does with his own account: name, tokens, farewell. Beside it: auth.py, store/players.py."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from flask import Response, request

from api import auth, cursors, export
from api.answers import answer, nothing
from api.call import Call, new_id
from api.errors import ProblemError, invalid
from api.operation import Blueprint
from api.players import stay
from api.schemas import NewToken, Paging, PlayerName
from domain import play, season_decide, season_play
from domain.errors import MatchNotStartedError, MatchOverError, MatchStartedError, NotAllowedError
from domain.season import Season
from domain.season_decide import Caller
from store import leagues, matches, notes, players, records, webhooks
from store.matches import Filters
from store.players import Player

blueprint = Blueprint("me", __name__, url_prefix="/v1/me", description="One's own account")

NDJSON = "application/x-ndjson"
OVERTAKEN = (MatchStartedError, MatchNotStartedError, MatchOverError, NotAllowedError)


@blueprint.operation("GET", "", scope="read", answer="Me")
def read_me(call: Call) -> Response:
    """Who I am, and what this token may do."""
    return answer(_shown(call, players.get(call.conn, call.player)))


@blueprint.operation("PATCH", "", scope="manage", body=PlayerName(), answer="Me")
def rename_me(call: Call, body: dict[str, Any]) -> Response:
    """Take another name."""
    return answer(_shown(call, players.rename(call.conn, call.player, body["name"])))


def _shown(call: Call, player: Player | None) -> dict[str, Any]:
    if player is None or call.bearer is None:
        raise ProblemError("unauthenticated", "this player has left")
    return {
        "id": player.id,
        "name": player.name,
        "created_at": player.created_at,
        "scopes": call.bearer.scopes,
    }


@blueprint.operation("DELETE", "", scope="manage", status=204)
def erase_me(call: Call) -> Response:
    """Leave for good: name, tokens and own words are erased, running matches resigned, seats not yet played at freed.

    Seasons are left, and leagues organised no more. What was played stays, under an id without a name. So do matches
    that are hosted; one that does not start lapses.
    """
    with call.conn.transaction():
        players.erase(call.conn, call.player)
        notes.erase(call.conn, call.player)
        records.erase(call.conn, call.player)
        leagues.leave(call.conn, call.player)
        webhooks.erase(call.conn, call.player)
        for season, member in leagues.seasons_of(call.conn, call.player):
            _withdraw(call, season, member)
        for match in sorted({*_seats_at(call, "open"), *_seats_at(call, "playing")}):  # the order in which all wait
            _give_up(call, match)
    return nothing()


def _withdraw(call: Call, season: str, member: str) -> None:
    """From a season that goes on: nobody is drawn to a table who has left. What was played stays."""

    def decision(s: Season) -> None:
        if s.status == "open" and s.members[member].active:
            season_decide.remove_member(s, Caller(call.player), member)

    call.jobs += [job.key for job in season_play.decided(call.seasons, season, decision).jobs]


def _seats_at(call: Call, status: str) -> list[str]:
    """Every match of that status in which the caller sits or is invited."""
    found: list[str] = []
    filters, after = Filters(player=call.player, status=status), None
    while True:
        page = matches.page(call.conn, call.player, filters, 200, after)
        found += [place.id for place in page]
        if len(page) < 200:
            return found
        after = page[-1]


def _give_up(call: Call, match: str) -> None:
    """Others go on playing meanwhile: what is refused because of that is looked at again."""
    while True:
        m = play.load(call.store, match)
        seat = m.seat_of(call.player)
        if seat is None or m.over or m.seats[seat].resigned:
            return
        with suppress(*OVERTAKEN):
            if m.status == "open":
                call.follow(play.leave(call.store, match, call.player, seat, None))
            else:
                call.follow(play.resign(call.store, match, call.player, None))
            return


@blueprint.operation("GET", "/export", scope="manage", answer="Export", mimetype=NDJSON)
def export_me(call: Call) -> Response:
    """Everything that is kept of me, one JSON object a line; its `kind` says what it is."""
    return Response(export.lines(call.backing.pool, call.player), mimetype=NDJSON)


@blueprint.operation("GET", "/tokens", scope="manage", query=Paging(), answer="Tokens",
                     headers="Link", problems="forged_cursor")  # fmt: skip
def list_tokens(call: Call, query: dict[str, Any]) -> Response:
    """My tokens that are not revoked, newest first; what they are is shown to nobody again."""
    limit = query["limit"]
    found = players.tokens_of(call.conn, call.player, limit + 1, cursors.place_after(call, query))
    more = cursors.place(found[limit - 1]) if len(found) > limit else None
    return cursors.page(call, [token._asdict() for token in found[:limit]], more)


@blueprint.operation("POST", "/tokens", scope="manage", status=201, body=NewToken(), answer="NewTokenAnswer",
                     headers="Location", secret=True)  # fmt: skip
def add_token(call: Call, body: dict[str, Any]) -> Response:
    """Make a token, shown this once. It may do what the token that asks for it may do, or less."""
    for scope in body["scopes"]:
        auth.require(call.bearer, scope, public=False)
    if body["expires_at"] and body["expires_at"] <= datetime.now(UTC):
        raise invalid("expires_at", "is over")
    secret, token_hash = auth.new_token()
    scopes = list(dict.fromkeys(body["scopes"]))
    with call.conn.transaction():
        stay(call)
        expires_at = body["expires_at"]
        token = players.add_token(call.conn, new_id(), call.player, token_hash, body["label"], scopes, expires_at)
    call.made = token.id
    return answer({**token._asdict(), "token": secret}, 201, {"Location": f"{request.path}/{token.id}"})


@blueprint.operation("DELETE", "/tokens/<id:token>", scope="manage", status=204, problems="not_found")
def revoke_token(call: Call, token: str) -> Response:
    """Revoke one of my tokens, at once."""
    if not players.revoke(call.conn, call.player, token):
        raise ProblemError("not_found", f"you have no token {token!r}")
    return nothing()
