"""Seasons: read, scored another way, joined, left, claimed, closed. Beside it: club.py, rounds.py, results.py.

Who a member is stands in rows, that he is one in an event; both are written in one transaction.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from flask import Response

from api import club
from api.answers import answer, etag, nothing
from api.call import Call, new_id
from api.club import Club, club_of, decide, next_note, own_fields, written
from api.errors import ProblemError
from api.league_schemas import Claim, LogQuery, MemberQuery, NewMember, NewScheme, Why
from api.leagues import scheme
from api.operation import Blueprint
from api.players import stay
from api.schemas import Nothing
from domain import season_decide, season_play
from domain.rules import OptionsError
from domain.season import Season
from domain.season_decide import organiser
from domain.season_errors import MemberTakenError
from domain.season_scoring import season_transfers, sums
from store import leagues, ledger

blueprint = Blueprint("seasons", __name__, url_prefix="/v1", description="Seasons and their members")

CODE_LASTS = timedelta(days=14)


@blueprint.operation("GET", "/seasons/<id:season>", scope="read", public=True, answer="Season", headers="ETag",
                     problems="not_found")  # fmt: skip
def read_season(call: Call, season: str) -> Response:
    """The season as it stands. Members, rounds, tables and results are listed apart."""
    found, s = club.read(call, season)
    return answer(club.season(found, s, club.notes_of(call, found, s)), headers=etag(s.version))


@blueprint.operation("GET", "/seasons/<id:season>/events", scope="read", public=True, query=LogQuery(),
                     answer="SeasonEvents", problems="not_found")  # fmt: skip
def list_season_events(call: Call, season: str, query: dict[str, Any]) -> Response:
    """A page of everything that happened in the season, oldest first."""
    found = club_of(call, season)
    history = call.seasons.read_all(season)
    said = club.notes_of(call, found, season_play.folded(season, history))
    first, limit = query["after"], query["limit"]
    page = history.events[first : first + limit]
    more = page[-1].version if page and first + limit < len(history.events) else None
    return answer({"items": [club.event(each, said) for each in page], "next": more})


@blueprint.operation("POST", "/seasons/<id:season>/scheme", scope="manage", status=201, body=NewScheme(),
                     answer="SeasonWritten", headers="ETag", versioned=True,
                     problems="not_found not_allowed season_closed")  # fmt: skip
def change_scheme(call: Call, season: str, body: dict[str, Any]) -> Response:
    """Count results another way, those that are in as well. The change stays in sight, with its note."""
    found = club_of(call, season)
    with own_fields():
        outcome = decide(
            call,
            found,
            lambda s, who: season_decide.change_scheme(s, who, scheme(body), body["tie_breaks"], next_note(s)),
            body["note"],
        )
    return written(call, found, outcome)


# Members


@blueprint.operation("GET", "/seasons/<id:season>/members", scope="read", public=True, answer="Members",
                     problems="not_found")  # fmt: skip
def list_members(call: Call, season: str) -> Response:
    """Everybody who is or was a member, in the order in which they came."""
    _, s = club.read(call, season)
    names = leagues.names(call.conn, season)
    return club.listed([_member(s, member, names, call.viewer) for member in s.members])


def _member(s: Season, member: str, names: club.Names, viewer: str | None) -> dict[str, Any]:
    found = s.members[member]
    return {
        "id": member,
        "player": found.player,
        "name": names.get(member),
        "guest": found.player is None,
        "active": found.active,
        "you": viewer is not None and found.player == viewer,
    }


@blueprint.operation("POST", "/seasons/<id:season>/members", scope="manage", status=201, body=NewMember(),
                     answer="NewMemberAnswer", headers="ETag", versioned=True,
                     problems="not_found not_allowed season_closed member_taken")  # fmt: skip
def add_member(call: Call, season: str, body: dict[str, Any]) -> Response:
    """Add a player, or a guest by name; or take back one who left. Whoever joins late is drawn from the next round."""
    found, player, member = club_of(call, season), body.get("player"), body.get("member") or new_id()
    chosen: list[str] = []

    def decision(s: Season, who: season_decide.Caller) -> None:
        before = s.member_of(player) or member
        if "member" in body and member not in s.members:
            raise OptionsError({"member": f"the season has no member {member!r}"})
        season_decide.add_member(s, who, before, player)
        chosen[:] = [before]

    with call.conn.transaction():
        if player and player not in stay(call, [player]):
            raise OptionsError({"player": "there is no such player"})
        outcome = decide(call, found, decision)
        leagues.add_member(call.conn, season, chosen[0], player, body.get("name"))
    s = outcome.season
    shown = _member(s, chosen[0], leagues.names(call.conn, season), call.viewer)
    return answer({"version": s.version, "member": shown}, 201, etag(s.version))


@blueprint.operation("DELETE", "/seasons/<id:season>/members/<id:member>", scope="play", status=204,
                     query=MemberQuery(), headers="ETag", versioned=True,
                     problems="not_found not_allowed season_closed not_member")  # fmt: skip
def remove_member(call: Call, season: str, member: str, query: dict[str, Any]) -> Response:
    """Withdraw, or remove somebody as an organiser; what was played stays. `erase=true` forgets a guest's name."""
    found = club_of(call, season)
    erase = query["erase"] == "true"

    def decision(s: Season, who: season_decide.Caller) -> None:
        if erase:
            organiser(who)
        if not erase or season_decide.entry(s.members, "member", member).active:
            season_decide.remove_member(s, who, member)

    with call.conn.transaction():
        outcome = decide(call, found, decision)
        if erase:
            leagues.forget(call.conn, season, member)
    return nothing(etag(outcome.season.version))


@blueprint.operation("POST", "/seasons/<id:season>/members/<id:member>/claim-code", scope="manage", status=201,
                     body=Nothing(), answer="ClaimCode", secret=True,
                     problems="not_found not_allowed member_taken")  # fmt: skip
def make_claim_code(call: Call, season: str, member: str, body: dict[str, Any]) -> Response:
    """A code, shown this once, by which an account becomes this guest; the code before it holds no more."""
    found, s = club.read(call, season)
    organiser(found.who)
    if season_decide.entry(s.members, "member", member).player:
        raise MemberTakenError(f"{member} has an account", member=member)
    code = secrets.token_urlsafe(12)
    return answer({"code": code, "expires_at": leagues.offer(call.conn, season, member, code, CODE_LASTS)}, 201)


@blueprint.operation("POST", "/claims", scope="manage", status=201, body=Claim(), answer="ClaimAnswer",
                     problems="not_found member_taken")  # fmt: skip
def claim(call: Call, body: dict[str, Any]) -> Response:
    """Become the guest for whom an organiser has made this code, results and all."""
    with call.conn.transaction():
        stay(call)
        used = leagues.use(call.conn, body["code"])
        if used is None:
            raise ProblemError("not_found", "this code is unknown, used or expired")
        season, member = used
        outcome = season_play.decided(call.seasons, season, lambda s: season_decide.claim_guest(s, member, call.player))
        leagues.claim(call.conn, season, member, call.player)
    club.follow(call, outcome)
    shown = _member(outcome.season, member, leagues.names(call.conn, season), call.viewer)
    return answer({"season": season, "member": shown}, 201)


# The end


@blueprint.operation("POST", "/seasons/<id:season>/close", scope="manage", status=201, body=Nothing(),
                     answer="SeasonWritten", headers="ETag", versioned=True,
                     problems="not_found not_allowed season_closed still_open")  # fmt: skip
def close_season(call: Call, season: str, body: dict[str, Any]) -> Response:
    """Close the season when nothing is open: its table is final. The ledger is held against the events first."""
    found = club_of(call, season)

    def decision(s: Season, who: season_decide.Caller) -> None:
        season_decide.close(s, who)
        _balance(call, found, s)

    with call.conn.transaction():
        outcome = decide(call, found, decision)
    return written(call, found, outcome)


def _balance(call: Call, found: Club, s: Season) -> None:
    """Every line is posted, and each member's account holds what the events say."""
    ledger.post(call.conn, season_transfers(found.id, call.seasons.read_all(found.id).events))
    posted = ledger.balances(call.conn, found.id)
    expected = sums(s)
    held = {member: posted.get(f"season:{found.id}:member:{member}", 0) for member in expected}
    assert held == expected, f"the ledger of season {found.id} is not what its events say"


@blueprint.operation("POST", "/seasons/<id:season>/reopen", scope="manage", status=201, body=Why(),
                     answer="SeasonWritten", headers="ETag", versioned=True,
                     problems="not_found not_allowed wrong_status")  # fmt: skip
def reopen_season(call: Call, season: str, body: dict[str, Any]) -> Response:
    """Open a closed season again. Its final tables stay readable as revisions."""
    found = club_of(call, season)
    outcome = decide(call, found, lambda s, who: season_decide.reopen(s, who, next_note(s)), body["note"])
    return written(call, found, outcome)
