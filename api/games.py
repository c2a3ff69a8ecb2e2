"""The catalogue: games, their variants and options, and their rules pages. Beside it: domain/rules.py."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from functools import cache
from types import NoneType
from typing import Any

from flask import Response, request

from api.answers import answer
from api.call import Call
from api.errors import ProblemError
from api.languages import chosen
from api.operation import Blueprint
from domain.bots import BOTS
from domain.rules import ENDINGS, Game, Variant, games

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="What can be played")

TYPES = {bool: "boolean", int: "integer", NoneType: "integer", str: "string", tuple: "integers"}  # by the default
PAGES = {"en": ".md", "es": ".es.md"}


@blueprint.operation("GET", "", answer="Games")
def list_games(call: Call) -> Response:
    """All games, with their variants and options."""
    return answer({"items": [shown(game) for game in games()], "next": None})


@blueprint.operation("GET", "/<id:game>", answer="Game", problems="not_found")
def read_game(call: Call, game: str) -> Response:
    """One game."""
    return answer(shown(_game(game).id))


@blueprint.operation(
    "GET", "/<id:game>/rules", mimetype="text/markdown", answer={"type": "string"}, problems="not_found"
)
def read_rules(call: Call, game: str) -> Response:
    """The rules that are played, numbered: markdown, in English or Spanish by Accept-Language."""
    text, language = page_of(_game(game), chosen(request.accept_languages))
    return Response(text, mimetype="text/markdown", headers={"Content-Language": language})


def page_of(game: Game, wanted: str) -> tuple[str, str]:
    """A game's rules page and its language, which is English where there is none in the wanted one."""
    for language in (wanted, "en"):
        page = game.page.with_name(game.page.name + PAGES[language])
        if page.exists():
            return page.read_text(encoding="utf-8"), language
    raise ProblemError("not_found", f"{game.id} has no rules page")


def _game(game: str) -> Game:
    found = games().get(game)
    if found is None:
        raise ProblemError("not_found", f"there is no game {game!r}")
    return found


@cache
def shown(name: str) -> dict[str, Any]:
    """A game as the catalogue has it."""
    game = games()[name]
    seats = [count for variant in game.VARIANTS.values() for count in variant.seats]
    return {
        "id": game.id,
        "name": game.NAME,
        "rules": game.RULES,
        "low_wins": game.LOW_WINS,
        "seats": {"min": min(seats), "max": max(seats)},
        "variants": [_variant(name, variant) for name, variant in game.VARIANTS.items()],
        "options": [_option(f) for f in fields(game.Options) if not f.metadata.get("fixed")],
        "bots": list(BOTS),
        "tables": game.tables(),
    }


def _variant(name: str, variant: Variant) -> dict[str, Any]:
    seats = {"min": variant.seats[0], "max": variant.seats[-1]}
    return {"id": name, "name": variant.name, "seats": seats, "options": variant.options}


def _option(option: Field[Any]) -> dict[str, Any]:
    rule = option.metadata
    found = {
        "name": option.name,
        "type": TYPES[type(option.default)],
        "nullable": option.name in ENDINGS,
        "default": None if option.default is MISSING else option.default,
        "description": {"en": rule["en"], "es": rule["es"]},
    }
    if rule["bounds"]:
        found |= {"min": rule["bounds"][0], "max": rule["bounds"][1]}
    return found | ({"choices": list(rule["choices"])} if rule["choices"] else {})
