"""What the words of a match that is over were worth, and advice in one's own. Beside it: domain/analysis.py."""

from __future__ import annotations

from time import monotonic
from typing import Any

from flask import Response

from api import knowing
from api.answers import answer
from api.call import Call
from api.errors import ProblemError
from api.operation import Blueprint
from api.schemas import EventsQuery, Nothing
from domain import analysis, errors, play
from store import analysis as analyses

blueprint = Blueprint("analysis", __name__, url_prefix="/v1/matches/<id:match>", description="What words are worth")

HINT_SECONDS = 0.15  # then the best so far has to do


@blueprint.operation("POST", "/analysis", scope="play", status=201, repeated=200, body=Nothing(), answer="Analysis",
                     headers="Location", problems="not_found match_not_over")  # fmt: skip
def analyse_match(call: Call, match: str, body: dict[str, Any]) -> Response:
    """Have every decision of a match that is over judged by what its seat could see. Asked again, it is the same one.

    Analyses are worked on one after the other; reading it tells how far it is.
    """
    m, events = knowing.history(call, match)
    if not m.over:
        raise errors.MatchNotOverError(f"the match is {m.status}", version=m.version)
    with call.conn.transaction():
        new, following = analyses.begin(call.conn, match, analysis.words_said(events))
    call.jobs += [job.key for job in following]
    where = {"Location": f"/v1/matches/{match}/analysis"}
    return answer(_shown(call, match, {"after": 0, "limit": 50}), 201 if new else 200, where)


@blueprint.operation("GET", "/analysis", scope="read", public=True, query=EventsQuery(), answer="Analysis",
                     problems="not_found")  # fmt: skip
def read_analysis(call: Call, match: str, query: dict[str, Any]) -> Response:
    """How far the analysis is, and a page of what it has found, oldest decision first."""
    knowing.load(call, match)
    return answer(_shown(call, match, query))


def _shown(call: Call, match: str, query: dict[str, Any]) -> dict[str, Any]:
    found = analyses.of_match(call.conn, match)
    if found is None:
        raise ProblemError("not_found", "nobody has asked for an analysis of this match")
    items = analyses.judged(call.conn, match, query["after"], query["limit"] + 1)
    more = len(items) > query["limit"]
    items = items[: query["limit"]]
    return {
        "match": match,
        "state": found.state,
        "ahead": found.ahead,
        "asked_at": found.asked_at,
        "finished_at": found.finished_at,
        "looked_at": found.looked,
        "words": found.words,
        "worlds": analysis.WORLDS,
        "items": items,
        "next": items[-1]["version"] if more else None,
    }


@blueprint.operation(
    "GET",
    "/hint",
    scope="play",
    answer="Hint",
    problems="not_found not_allowed not_your_turn match_not_started match_over rate_limited",
)
def read_hint(call: Call, match: str) -> Response:
    """What the bot `search` would say in one's place, in an unrated match against bots. It counts as a write."""
    if call.bearer:
        call.headers = call.backing.writes.count(call.bearer.token)
    m, until = play.load_for(call.store, match, call.player), monotonic() + HINT_SECONDS
    found = analysis.hint(m, call.player, lambda: monotonic() > until)
    return answer({**found._asdict(), "version": m.version, "candidates": [c._asdict() for c in found.candidates]})
