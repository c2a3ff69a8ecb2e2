"""Leagues: made, listed, read, organised, and their seasons opened. Beside it: club.py, seasons.py, docs/leagues.md."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Response, request

from api import club, cursors
from api.answers import answer, etag, nothing
from api.call import Call, new_id
from api.club import Club, league_of, own_fields
from api.errors import ProblemError
from api.league_schemas import NewLeague, NewSeason, PlayerId
from api.operation import Blueprint
from api.players import stay
from api.schemas import Paging
from domain import season_decide, season_play
from domain.errors import NotAllowedError
from domain.rules import OptionsError
from domain.season import Season
from domain.season_decide import Caller
from store import leagues, players
from store.leagues import League

blueprint = Blueprint("leagues", __name__, url_prefix="/v1/leagues", description="Leagues, and who organises them")


@blueprint.operation("POST", "", scope="manage", status=201, body=NewLeague(), answer="League", headers="Location")
def add_league(call: Call, body: dict[str, Any]) -> Response:
    """Found a league; the caller organises it. Its seasons play this game and variant with these options."""
    variant = season_decide.played(body["game"], body["variant"], body["options"]).variant
    name, game, options, visibility = body["name"], body["game"], body["options"], body["visibility"]
    league = new_id()
    with call.conn.transaction():
        stay(call)
        leagues.create(call.conn, league, name, game, variant, options, visibility, call.player)
    shown = _shown(call, league_of(call, league))
    return answer(shown, 201, {"Location": f"{request.path}/{league}"})


def _shown(call: Call, league: League) -> dict[str, Any]:
    organisers = leagues.organisers(call.conn, league.id)
    names = players.names(call.conn, organisers)
    facts = league._asdict()
    del facts["created_by"]
    return {**facts, "organisers": [{"id": player, "name": names.get(player)} for player in organisers]}


@blueprint.operation("GET", "", scope="read", public=True, query=Paging(), answer="Leagues", headers="Link",
                     problems="forged_cursor")  # fmt: skip
def list_leagues(call: Call, query: dict[str, Any]) -> Response:
    """Public leagues, and those that the caller organises or plays in; newest first."""
    limit = query["limit"]
    found = leagues.page(call.conn, call.viewer, limit + 1, cursors.place_after(call, query))
    more = cursors.place(found[limit - 1]) if len(found) > limit else None
    return cursors.page(call, [_shown(call, league) for league in found[:limit]], more)


@blueprint.operation("GET", "/<id:league>", scope="read", public=True, answer="League", problems="not_found")
def read_league(call: Call, league: str) -> Response:
    """One league."""
    return answer(_shown(call, league_of(call, league)))


# Organisers


def _organised(call: Call, league: str) -> League:
    """The league, which the caller organises. Raises ProblemError, NotAllowedError."""
    found = league_of(call, league)
    if not found.organises:
        raise NotAllowedError("only an organiser of the league may do this")
    return found


@blueprint.operation("POST", "/<id:league>/organisers", scope="manage", status=201, body=PlayerId(), answer="League",
                     problems="not_found not_allowed")  # fmt: skip
def add_organiser(call: Call, league: str, body: dict[str, Any]) -> Response:
    """Make a player an organiser, with all that the caller may do."""
    _organised(call, league)
    with call.conn.transaction():
        if body["player"] not in stay(call, [body["player"]]):
            raise OptionsError({"player": "there is no such player"})
        leagues.add_organiser(call.conn, league, body["player"])
    return answer(_shown(call, league_of(call, league)), 201)


@blueprint.operation("DELETE", "/<id:league>/organisers/<id:player>", scope="manage", status=204,
                     problems="not_found not_allowed")  # fmt: skip
def remove_organiser(call: Call, league: str, player: str) -> Response:
    """Remove an organiser, or step down; the last one stays."""
    _organised(call, league)
    with call.conn.transaction():
        organisers = leagues.hold_organisers(call.conn, league)
        if player not in organisers:
            raise ProblemError("not_found", f"{player!r} does not organise this league")
        if len(organisers) == 1:
            raise NotAllowedError("the last organiser stays; make another one first")
        leagues.remove_organiser(call.conn, league, player)
    return nothing()


# Seasons


@blueprint.operation("POST", "/<id:league>/seasons", scope="manage", status=201, body=NewSeason(), answer="Season",
                     headers="ETag Location", problems="not_found not_allowed")  # fmt: skip
def open_season(call: Call, league: str, body: dict[str, Any]) -> Response:
    """Open a season of the league. How results count is recorded in full; a later change takes a note."""
    found = _organised(call, league)
    season, who = new_id(), Caller(call.player, True)

    def decision(s: Season) -> None:
        season_decide.open_season(
            s, who, league=league, game=found.game, variant=found.variant, options=found.options,
            lot=secrets.token_hex(8), scheme=scheme(body), tie_breaks=body["tie_breaks"],
            starts=body["starts"] and body["starts"].isoformat(), ends=body["ends"] and body["ends"].isoformat(),
        )  # fmt: skip

    with call.conn.transaction(), own_fields():
        stay(call)
        row = leagues.add_season(call.conn, season, league, body["name"])
        outcome = season_play.opened(call.seasons, season, decision)
    club.follow(call, outcome)
    shown = club.season(Club(row, found, who), outcome.season, {})
    return answer(shown, 201, {"Location": f"/v1/seasons/{season}", **etag(outcome.season.version)})


def scheme(body: dict[str, Any]) -> dict[str, Any]:
    """The scheme that a body asks for."""
    parts = {name: body[name] for name in ("points", "drop_worst", "min_results") if body[name] is not None}
    return {"kind": body["scheme"], **parts}


@blueprint.operation("GET", "/<id:league>/seasons", scope="read", public=True, query=Paging(), answer="Seasons",
                     headers="Link", problems="not_found forged_cursor")  # fmt: skip
def list_seasons(call: Call, league: str, query: dict[str, Any]) -> Response:
    """The seasons of a league, newest first."""
    league_of(call, league)
    limit = query["limit"]
    found = leagues.seasons(call.conn, league, limit + 1, cursors.place_after(call, query))
    more = cursors.place(found[limit - 1]) if len(found) > limit else None
    return cursors.page(call, [row._asdict() for row in found[:limit]], more)
