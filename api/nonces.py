"""What players add to the shuffles of a fair match. Beside it: domain/fairness.py, docs/fairness.md."""

from __future__ import annotations

from typing import Any

from flask import Response

from api import shown
from api.call import Call
from api.etag import expected
from api.operation import Blueprint
from api.schemas import Nonce
from domain import play

blueprint = Blueprint("nonces", __name__, url_prefix="/v1/matches", description="What players add to a shuffle")


@blueprint.operation("POST", "/<id:match>/nonces", scope="play", ahead=True, status=201, body=Nonce(), answer="Written",
                     headers="ETag", versioned=True,
                     problems="not_found not_allowed not_your_turn match_not_started match_over")  # fmt: skip
def give_nonce(call: Call, match: str, body: dict[str, Any]) -> Response:
    """Add a nonce to the shuffle of a deal that is committed and waits for it; the last one has it dealt."""
    version, nonce = expected(call, match, call.player), bytes.fromhex(body["nonce"])
    return shown.written(call, play.give_nonce(call.store, match, call.player, body["deal"], nonce, version))
