"""Players: whoever registers gets a token. Beside it: me.py (what a player does with himself), store/players.py."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Response, request

from api import auth, cursors
from api.answers import answer
from api.call import Call, new_id
from api.errors import ProblemError
from api.limits import network
from api.operation import Blueprint
from api.schemas import PlayerName, PlayersQuery
from api.wire import LIMITS
from store import players
from store.players import Player

blueprint = Blueprint("players", __name__, url_prefix="/v1/players", description="Who plays")


@blueprint.operation(
    "POST",
    "",
    status=201,
    body=PlayerName(),
    answer="NewPlayerAnswer",
    headers="Location",
    problems="not_allowed",
    secret=True,
)
def register_player(call: Call, body: dict[str, Any]) -> Response:
    """Register, without a token: the answer shows one, this once, with all scopes. No Idempotency-Key is looked at."""
    base = call.backing
    if not base.settings.open_registration:
        raise ProblemError("not_allowed", "who runs this server registers players")
    call.headers = call.request.environ[LIMITS] = base.registrations.count(network(request.remote_addr or ""))
    token, token_hash = auth.new_token()
    with call.conn.transaction():
        player = players.create(call.conn, new_id(), body["name"])
        players.add_token(call.conn, new_id(), player.id, token_hash, "first", auth.SCOPES)
    shown = {"id": player.id, "name": player.name, "token": token}
    return answer(shown, 201, {"Location": f"{request.path}/{player.id}"})


@blueprint.operation("GET", "", scope="read", public=True, query=PlayersQuery(), answer="Players",
                     headers="Link", problems="forged_cursor")  # fmt: skip
def list_players(call: Call, query: dict[str, Any]) -> Response:
    """Players of exactly this name, newest first; names are not unique."""
    limit = query["limit"]
    found = players.by_name(call.conn, query["name"], limit + 1, cursors.place_after(call, query))
    more = cursors.place(found[limit - 1]) if len(found) > limit else None
    return cursors.page(call, [_shown(player) for player in found[:limit]], more)


@blueprint.operation("GET", "/<id:player>", scope="read", public=True, answer="Player", problems="not_found")
def read_player(call: Call, player: str) -> Response:
    """One player. The name of one who left is null."""
    return answer(_shown(known(call, player)))


def stay(call: Call, others: Iterable[str] = ()) -> set[str]:
    """Inside a transaction: until its end the caller cannot leave, nor can those of the others that are answered.

    For whatever would be left behind: seats, and words of his own. Raises ProblemError when he has left already.
    """
    staying = players.hold(call.conn, {call.player, *others})
    if call.player not in staying:
        raise ProblemError("unauthenticated", "this player has left")
    return staying


def known(call: Call, player: str) -> Player:
    """The player of an id. Raises ProblemError."""
    found = players.get(call.conn, player)
    if found is None:
        raise ProblemError("not_found", f"there is no player {player!r}")
    return found


def _shown(player: Player) -> dict[str, Any]:
    return {"id": player.id, "name": player.name}
