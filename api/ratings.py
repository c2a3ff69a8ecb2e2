"""Ratings: the list of a game, and how somebody came to his. Beside it: domain/ratings.py, docs/leagues.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from flask import Response

from api import cursors
from api.answers import answer
from api.call import Call
from api.operation import Blueprint
from api.players import known
from api.schemas import HistoryQuery, RatingsQuery
from domain.ratings import PROVISIONAL, person
from store import players, ratings
from store.ratings import Standing, Step

blueprint = Blueprint("ratings", __name__, url_prefix="/v1", description="Who plays how well, by results alone")

LATEST = 20  # steps that are shown with a rating


@blueprint.operation("GET", "/ratings", scope="read", public=True, query=RatingsQuery(), answer="Ratings",
                     headers="Link", problems="forged_cursor")  # fmt: skip
def list_ratings(call: Call, query: dict[str, Any]) -> Response:
    """The list of a game, best first, by mu - 3 sigma; equal ones share a place.

    Persons, or with `pool=bots` the house's bots. Whoever has played less than 20 matches is `provisional`, and left
    out by `provisional=false`; places count those who are listed.
    """
    limit = query["limit"]
    least = 0 if query["provisional"] == "true" else PROVISIONAL
    pool = {"players": "player", "bots": "bot"}[query["pool"]]
    after = cursors.after(call, query)
    found = ratings.ranked(call.conn, query["game"], pool, least, limit + 1, tuple(after) if after else None)
    more = [found[limit - 1].ordinal, found[limit - 1].subject] if len(found) > limit else None
    return cursors.page(call, _shown(call, found[:limit]), more)


@blueprint.operation("GET", "/players/<id:player>/ratings", scope="read", public=True, answer="PlayerRatings",
                     problems="not_found")  # fmt: skip
def read_player_ratings(call: Call, player: str) -> Response:
    """The player's rating in each game, with the steps of its last 20 matches, newest first."""
    known(call, player)
    found = ratings.of_subject(call.conn, person(player))
    latest = [ratings.history(call.conn, each.game, each.subject, call.viewer, LATEST) for each in found]
    shown = zip(_shown(call, found), latest, strict=True)
    return answer({"items": [{**rating, "history": [_step(step) for step in steps]} for rating, steps in shown]})


@blueprint.operation("GET", "/players/<id:player>/ratings/history", scope="read", public=True, query=HistoryQuery(),
                     answer="RatingSteps", headers="Link", problems="not_found forged_cursor")  # fmt: skip
def list_rating_history(call: Call, player: str, query: dict[str, Any]) -> Response:
    """The player's rating in a game, match by match, newest first; `match` for whoever finds that match in lists."""
    known(call, player)
    after, limit = cursors.after(call, query), query["limit"]
    place = (datetime.fromisoformat(after[0]), after[1]) if after else None
    found = ratings.history(call.conn, query["game"], person(player), call.viewer, limit + 1, place)
    more = [found[limit - 1].ended_at.isoformat(), found[limit - 1].result] if len(found) > limit else None
    return cursors.page(call, [_step(step) for step in found[:limit]], more)


def _shown(call: Call, found: Iterable[Standing]) -> list[dict[str, Any]]:
    found = list(found)
    names = players.names(call.conn, [_id(each) for each in found if each.subject.startswith("player:")])
    return [_rating(each, names) for each in found]


def _rating(standing: Standing, names: Mapping[str, str | None]) -> dict[str, Any]:
    is_person = standing.subject.startswith("player:")
    return {
        "game": standing.game,
        "place": standing.place,
        "player": {"id": _id(standing), "name": names.get(_id(standing))} if is_person else None,
        "bot": None if is_person else _id(standing),
        "rating": standing.ordinal,
        "mu": standing.mu,
        "sigma": standing.sigma,
        "matches": standing.matches,
        "provisional": standing.matches < PROVISIONAL,
        "updated_at": standing.ended_at,
    }


def _id(standing: Standing) -> str:
    return standing.subject.split(":", 1)[1]


def _step(step: Step) -> dict[str, Any]:
    rating = step.mu - 3 * step.sigma
    return {"match": step.match, "at": step.ended_at, "number": step.number, "rating": rating, "mu": step.mu,
            "sigma": step.sigma}  # fmt: skip
