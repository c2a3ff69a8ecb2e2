"""Words taken back. Beside it: domain/takebacks.py, which says when."""

from __future__ import annotations

from typing import Any

from flask import Response

from api import knowing, shown
from api.answers import answer, etag
from api.call import Call
from api.errors import ProblemError
from api.etag import expected
from api.operation import Blueprint
from api.schemas import Takeback
from domain import play

blueprint = Blueprint("takebacks", __name__, url_prefix="/v1/matches", description="Words taken back")


@blueprint.operation(
    "POST",
    "/<id:match>/takeback",
    scope="play",
    status=201,
    body=Takeback(),
    answer="Written",
    headers="ETag",
    versioned=True,
    problems="not_found not_allowed nothing_to_take_back revealed match_over",
)
def take_back(call: Call, match: str, body: dict[str, Any]) -> Response:
    """Ask for one's last word, in an unrated match, as long as it has shown nothing and nobody has acted; or consent.

    Bots consent. Once all do, the word is taken back, and the match stands as it stood before it, at a new version.
    """
    version, consent = expected(call, match, call.player), body["consent"]
    if consent is None:
        return shown.written(call, play.ask_back(call.store, match, call.player, version))
    return shown.written(call, play.give_back(call.store, match, call.player, consent, version))


@blueprint.operation("GET", "/<id:match>/takeback", scope="read", public=True, answer="PendingTakeback", headers="ETag",
                     problems="not_found")  # fmt: skip
def read_takeback(call: Call, match: str) -> Response:
    """Who asks for his last word, and whose consent is awaited."""
    m = knowing.load(call, match)
    if m.takeback is None:
        raise ProblemError("not_found", "nobody asks for a word")
    return answer(m.takeback, headers=etag(m.version))
