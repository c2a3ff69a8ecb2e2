"""Results: listed, confirmed, disputed, ruled on, corrected; adjustments. Beside it: club.py, docs/leagues.md.

A result has the id of the match or sheet that it came from. Nothing is edited: what stood before stays in `versions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Response

from api import club, cursors
from api.answers import answer, etag, nothing
from api.call import Call, new_id
from api.club import Names, club_of, decide, in_the_body, next_note, sitters, text_of, written
from api.league_schemas import Correction, NewAdjustment, Ruling, Why
from api.operation import Blueprint
from api.schemas import Nothing, Paging
from domain import season_decide, season_results
from domain.rules import OptionsError
from domain.schemes import SCALE
from domain.season import Adjustment, Result, Season, Sheet, Version
from domain.season_results import Amended
from domain.season_scoring import result_worth
from store import leagues

blueprint = Blueprint("results", __name__, url_prefix="/v1/seasons/<id:season>", description="Results of a season")

AT_RESULTS = "not_found not_allowed season_closed wrong_status"


@blueprint.operation("GET", "/results", scope="read", public=True, query=Paging(), answer="SeasonResults",
                     headers="Link", problems="not_found forged_cursor")  # fmt: skip
def list_results(call: Call, season: str, query: dict[str, Any]) -> Response:
    """Results, those recorded last first; before them, sheets that wait for somebody's word."""
    found, s = club.read(call, season)
    after, limit = cursors.after(call, query), query["limit"]
    waiting = [sheet for sheet in s.sheets.values() if sheet.id not in s.results and sheet.status in _WAITING]
    every: list[Result | Sheet] = [*reversed(waiting), *reversed(s.results.values())]
    ids = [each.id for each in every]
    first = ids.index(after) + 1 if after in ids else 0
    names, said = leagues.names(call.conn, season), club.notes_of(call, found, s)
    page = every[first : first + limit]
    more = page[-1].id if page and first + limit < len(every) else None
    return cursors.page(call, [_result(s, each, names, said) for each in page], more)


_WAITING = ("submitted", "disputed")


@blueprint.operation("GET", "/results/<id:result>", scope="read", public=True, answer="SeasonResult",
                     problems="not_found")  # fmt: skip
def read_result(call: Call, season: str, result: str) -> Response:
    """One result, with everything that it ever was."""
    found, s = club.read(call, season)
    about = s.results.get(result) or season_decide.entry(s.sheets, "result", result)
    return answer(_result(s, about, leagues.names(call.conn, season), club.notes_of(call, found, s)))


def _result(s: Season, found: Result | Sheet, names: Names, said: dict[int, str]) -> dict[str, Any]:
    sheet = s.sheets.get(found.id)
    shown = {
        "id": found.id,
        "status": found.status,
        "table": found.table,
        "seats": sitters(found.seats, names),
        "scale": SCALE,
        "submitted_by": sheet.submitted_by if sheet else None,
    }
    if isinstance(found, Sheet):
        table = s.tables.get(found.table or "")
        counts = {"points": found.points or None, "places": found.places or None, "worth": None, "versions": []}
        return {**shown, "source": "sheet", "round": table and table.round, "ended_at": found.played_at, **counts}
    now = found.now
    return {
        **shown,
        "source": found.source,
        "round": found.round,
        "ended_at": found.ended_at,
        "points": now.points,
        "places": now.places,
        "worth": None if now.void else result_worth(s, found),
        "versions": [_version(each, said) for each in found.versions],
    }


def _version(found: Version, said: dict[int, str]) -> dict[str, Any]:
    return {**found._asdict(), "note": text_of(said, found.note)}


@blueprint.operation("POST", "/results/<id:result>/confirm", scope="play", status=201, body=Nothing(),
                     answer="SeasonWritten", headers="ETag", versioned=True,
                     problems=f"{AT_RESULTS} own_result")  # fmt: skip
def confirm_result(call: Call, season: str, result: str, body: dict[str, Any]) -> Response:
    """Confirm a sheet that somebody else has submitted, as a member of its table or an organiser: it counts."""
    found = club_of(call, season)
    return written(call, found, decide(call, found, lambda s, who: season_results.confirm(s, who, result)))


@blueprint.operation("POST", "/results/<id:result>/dispute", scope="play", status=201, body=Why(),
                     answer="SeasonWritten", headers="ETag", versioned=True, problems=AT_RESULTS)  # fmt: skip
def dispute_result(call: Call, season: str, result: str, body: dict[str, Any]) -> Response:
    """Say that a result is wrong, as a member of its table; an organiser rules."""
    found = club_of(call, season)
    outcome = decide(call, found, lambda s, who: season_results.dispute(s, who, result, next_note(s)), body["note"])
    return written(call, found, outcome)


@blueprint.operation("POST", "/results/<id:result>/ruling", scope="manage", status=201, body=Ruling(),
                     answer="SeasonWritten", headers="ETag", versioned=True, problems=AT_RESULTS)  # fmt: skip
def rule_on_result(call: Call, season: str, result: str, body: dict[str, Any]) -> Response:
    """Settle a sheet that waits, or a dispute: it counts as it is, not at all, or as it is corrected to."""
    found, amended = club_of(call, season), _amended(body)
    with _by_field(body):
        outcome = decide(
            call,
            found,
            lambda s, who: season_results.rule(s, who, result, body["outcome"], next_note(s), amended),
            body["note"],
        )
    return written(call, found, outcome)


@contextmanager
def _by_field(body: dict[str, Any]) -> Iterator[None]:
    """What is wrong with a result, by the fields of the body that says it."""
    try:
        yield
    except OptionsError as refusal:
        alone = "deals.0." if "tally" in body else ""
        raise OptionsError({name.removeprefix(alone): what for name, what in refusal.errors.items()}) from None


def _amended(body: dict[str, Any]) -> Amended | None:
    """What a body says that a result ought to be; None when it says nothing."""
    given = [name for name in ("tally", "deals", "points", "void") if name in body]
    if not given:
        return None
    if len(given) > 1:
        raise OptionsError({given[1]: "exactly one of tally, deals, points and void"})
    deals = [{"tally": body["tally"]}] if "tally" in body else body.get("deals")
    return Amended(deals, body.get("points"), "void" in body)


@blueprint.operation("POST", "/corrections", scope="manage", status=201, body=Correction(), answer="SeasonWritten",
                     headers="ETag", versioned=True, problems="not_found not_allowed wrong_status")  # fmt: skip
def correct_result(call: Call, season: str, body: dict[str, Any]) -> Response:
    """Correct a result, also after the season closed: the old lines are mirrored, new ones follow."""
    found, amended = club_of(call, season), _amended(body) or Amended()
    with _by_field(body), in_the_body():
        outcome = decide(
            call,
            found,
            lambda s, who: season_results.correct(s, who, body["result"], amended, next_note(s)),
            body["note"],
        )
    return written(call, found, outcome)


# Adjustments


@blueprint.operation("GET", "/adjustments", scope="read", public=True, answer="Adjustments", problems="not_found")
def list_adjustments(call: Call, season: str) -> Response:
    """Penalties, bonuses and other adjustments, cancelled ones too."""
    found, s = club.read(call, season)
    said = club.notes_of(call, found, s)
    return club.listed([_adjustment(each, said) for each in s.adjustments.values()])


def _adjustment(made: Adjustment, said: dict[int, str]) -> dict[str, Any]:
    return {
        "id": made.id,
        "member": made.member,
        "kind": made.kind,
        "amount": made.units,
        "scale": SCALE,
        "version": made.version,
        "at": made.at,
        "effective_at": made.effective_at,
        "by": made.by,
        "note": text_of(said, made.note),
        "cancelled": made.cancelled,
        "cancelled_at": made.cancelled_at,
    }


@blueprint.operation("POST", "/adjustments", scope="manage", status=201, body=NewAdjustment(), answer="SeasonWritten",
                     headers="ETag Location", versioned=True, problems="not_found not_allowed")  # fmt: skip
def adjust(call: Call, season: str, body: dict[str, Any]) -> Response:
    """Give a member a penalty, a bonus or another adjustment."""
    found, adjustment = club_of(call, season), new_id()
    effective = body["effective_at"] and body["effective_at"].isoformat()
    with in_the_body():
        outcome = decide(
            call,
            found,
            lambda s, who: season_decide.adjust(
                s, who, adjustment, body["member"], body["kind"], body["points"], next_note(s), effective
            ),
            body["note"],
        )
    response = written(call, found, outcome)
    response.headers["Location"] = f"/v1/seasons/{season}/adjustments/{adjustment}"
    return response


@blueprint.operation("DELETE", "/adjustments/<id:adjustment>", scope="manage", status=204, headers="ETag",
                     versioned=True, problems="not_found not_allowed wrong_status")  # fmt: skip
def cancel_adjustment(call: Call, season: str, adjustment: str) -> Response:
    """Cancel an adjustment: it is reversed, and stays in sight."""
    found = club_of(call, season)
    outcome = decide(call, found, lambda s, who: season_decide.cancel_adjustment(s, who, adjustment))
    return nothing(etag(outcome.season.version))
