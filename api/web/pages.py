"""The pages themselves: lobby, table, replay, rules, signing in. Each is a shell; see its module in static/js."""

from __future__ import annotations

from functools import partial

from flask import Response, request

from api import knowing
from api.errors import ProblemError
from api.games import shown
from api.web import looks, rules
from api.web.base import blueprint, shell
from domain.rules import games


@blueprint.get("/")
def lobby() -> Response:
    """Games, open tables, what waits for the reader."""
    return shell("lobby.html", games=[shown(game) for game in games()])


@blueprint.get("/sign-in")
def sign_in_page() -> Response:
    """By a name, or by a token that one has."""
    return shell("sign_in.html")


@blueprint.get("/matches/<id:match>")
def table(match: str) -> Response:
    """One match, to play at or to watch. Whoever has a code may see it when he has used that."""
    return shell("table.html", None if "code" in request.args else partial(knowing.load, match=match), match=match)


@blueprint.get("/matches/<id:match>/replay")
def replay(match: str) -> Response:
    """One match from its first event on."""
    return shell("replay.html", partial(knowing.load, match=match), match=match)


@blueprint.get("/rules")
def rules_of_all() -> Response:
    """Which rules there are."""
    return shell("rules.html", games=[shown(game) for game in games()])


@blueprint.get("/rules/<id:game>")
def rules_of_one(game: str) -> Response:
    """A rules page, and its card tables drawn."""
    if game not in games():
        raise ProblemError("not_found", f"there is no game {game!r}")
    language = looks.of(request).language
    text, decks = rules.rendered(game, language), rules.card_rows(game)
    return shell("rules_page.html", game=shown(game), text=text, decks=decks)
