"""Rounds and tables: drawn, seated, played here, given up. Beside it: club.py, domain/season_rounds.py."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Response

from api import club, shown
from api.answers import answer, etag
from api.call import Call, draw, new_id
from api.club import Club, Names, club_of, decide, next_note, sitters, wanted, written
from api.league_schemas import LineUp, NewRounds, RoundsQuery, TableMatch, TablesQuery, Why
from api.operation import Blueprint
from api.players import stay
from domain import season_decide, season_play, season_rounds
from domain.event import StaleVersionError
from domain.season import Round, Season, Table
from domain.season_decide import Caller
from domain.season_errors import NotMemberError
from store import leagues
from store.db import long_thought

blueprint = Blueprint("rounds", __name__, url_prefix="/v1/seasons/<id:season>", description="Rounds and tables")


@blueprint.operation("GET", "/rounds", scope="read", public=True, answer="Rounds", problems="not_found")
def list_rounds(call: Call, season: str) -> Response:
    """All rounds, first to last, with their tables."""
    _, s = club.read(call, season)
    names = leagues.names(call.conn, season)
    return club.listed([_round(s, each, names) for each in sorted(s.rounds.values(), key=lambda each: each.number)])


def _round(s: Season, found: Round, names: Names) -> dict[str, Any]:
    return {
        "round": found.number,
        "pairing": found.pairing,
        "seed": found.seed,
        "tables": [_table(s.tables[table], names) for table in found.tables],
        "byes": found.byes,
        "absent": found.absent,
    }


def _table(found: Table, names: Names) -> dict[str, Any]:
    return {
        "id": found.id,
        "round": found.round,
        "seats": sitters(found.seats, names),
        "match": found.match,
        "sheet": found.sheet,
        "status": found.status,
    }


@blueprint.operation("POST", "/rounds", scope="manage", status=201, repeated=200, body=NewRounds(),
                     query=RoundsQuery(), answer="SeasonWritten", headers="ETag", versioned=True,
                     problems="not_found not_allowed season_closed still_open not_member twice_at_table "
                              "no_design")  # fmt: skip
def draw_rounds(call: Call, season: str, body: dict[str, Any], query: dict[str, Any]) -> Response:
    """Draw the next round, or several; `preview=true` draws and records nothing (200). A search takes seconds."""
    found = club_of(call, season)
    if body["seed"] is None and body["pairing"] in ("spread", "swiss"):
        body["seed"] = secrets.token_hex(8)

    def decision(s: Season, who: Caller) -> None:
        with call.conn.transaction():
            long_thought(call.conn)
            season_rounds.draw(s, who, **body)

    if query["preview"] == "true":
        return _previewed(call, found, decision)
    return written(call, found, decide(call, found, decision))


def _previewed(call: Call, found: Club, decision: club.Decision) -> Response:
    s, expected = season_play.load(call.seasons, found.id), wanted(call, found.id)
    before = s.version
    if expected not in (None, before):
        raise StaleVersionError(found.id, expected or 0, before)
    decision(s, found.who)
    content = {"version": before, **club.shown_written(call, found, s, [event._replace(at=None) for event in s.fresh])}
    return answer({**content, "season": {**content["season"], "version": before}}, 200, etag(before))


@blueprint.operation("GET", "/tables", scope="read", public=True, query=TablesQuery(), answer="Tables",
                     problems="not_found")  # fmt: skip
def list_tables(call: Call, season: str, query: dict[str, Any]) -> Response:
    """The tables of all rounds, or of one."""
    _, s = club.read(call, season)
    names = leagues.names(call.conn, season)
    return club.listed([
        _table(table, names)
        for table in sorted(s.tables.values(), key=lambda table: table.round)
        if query["round"] in (None, table.round) and query["status"] in (None, table.status)
    ])  # fmt: skip


@blueprint.operation("GET", "/tables/<id:table>", scope="read", public=True, answer="Table", problems="not_found")
def read_table(call: Call, season: str, table: str) -> Response:
    """One table."""
    _, s = club.read(call, season)
    return answer(_table(season_decide.entry(s.tables, "table", table), leagues.names(call.conn, season)))


@blueprint.operation("POST", "/tables/<id:table>/seats", scope="manage", status=201, body=LineUp(),
                     answer="SeasonWritten", headers="ETag", versioned=True,
                     problems="not_found not_allowed season_closed wrong_status not_member "
                              "twice_at_table")  # fmt: skip
def seat_table(call: Call, season: str, table: str, body: dict[str, Any]) -> Response:
    """Seat a table anew before it is played: the absent left out, substitutes who sit `for` them."""
    found, members = club_of(call, season), line_up(body["members"])
    return written(call, found, decide(call, found, lambda s, who: season_decide.seat(s, who, table, members)))


def line_up(members: list[dict[str, str]]) -> list[dict[str, str]]:
    """Who sits down, as a body says it, for the domain."""
    return [{"member": each["member"], **({"for": each["for_"]} if "for_" in each else {})} for each in members]


@blueprint.operation("POST", "/tables/<id:table>/void", scope="manage", status=201, body=Why(),
                     answer="SeasonWritten", headers="ETag", versioned=True,
                     problems="not_found not_allowed season_closed wrong_status")  # fmt: skip
def void_table(call: Call, season: str, table: str, body: dict[str, Any]) -> Response:
    """The table will not be played: it no longer keeps the round or the season open."""
    found = club_of(call, season)
    outcome = decide(call, found, lambda s, who: season_decide.abandon(s, who, table, next_note(s)), body["note"])
    return written(call, found, outcome)


@blueprint.operation("POST", "/tables/<id:table>/match", scope="play", status=201, body=TableMatch(),
                     answer="TableMatchAnswer", headers="ETag Location", versioned=True,
                     problems="not_found not_allowed season_closed wrong_status guest_at_table "
                              "not_member")  # fmt: skip
def open_table_match(call: Call, season: str, table: str, body: dict[str, Any]) -> Response:
    """Open the table's match, as one of its members or an organiser; its members are invited to their seats.

    Its game, options and visibility are the league's. It begins when all have come, or when an organiser starts it.
    """
    found = club_of(call, season)
    terms = {**body, "visibility": found.league.visibility}
    expected = wanted(call, season)
    with call.conn.transaction():
        s = season_play.load(call.seasons, season)
        _seated_stay(call, s, table)
        outcome, opened = season_play.open_table(
            call.seasons, call.store, season, table, found.who, new_id(), terms, draw, expected
        )
    club.follow(call, outcome)
    call.follow(opened)
    m = opened.match
    content = {"version": outcome.season.version, "match": shown.own(call, m)}
    return answer(content, 201, {"Location": f"/v1/matches/{m.id}", **etag(outcome.season.version)})


def _seated_stay(call: Call, s: Season, table: str) -> None:
    """Until the transaction ends the caller and the accounts at the table cannot leave; raises if one has."""
    seats = s.tables[table].seats if table in s.tables else []
    players = [s.members[sitting.member].player for sitting in seats]
    staying = stay(call, [player for player in players if player])
    gone = [sitting.member for sitting, player in zip(seats, players, strict=True) if player and player not in staying]
    if gone:
        raise NotMemberError(f"no members of this season: {', '.join(gone)}", members=gone)
