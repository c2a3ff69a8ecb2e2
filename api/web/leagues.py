"""Pages of leagues, seasons, players, events: shells, each with a module in static/js/leagues. See docs/pages.md."""

from __future__ import annotations

from functools import partial

from flask import Response

from api import club, duplicates, players
from api.web.base import blueprint, shell


@blueprint.get("/leagues")
def leagues_page() -> Response:
    """All leagues, founding one, and becoming the guest that one was."""
    return shell("leagues.html", view="list", title="leagues.title")


@blueprint.get("/leagues/<id:league>")
def league_page(league: str) -> Response:
    """One league and its seasons."""
    known = partial(club.league_of, league=league)
    return shell("leagues.html", known, view="league", title="leagues.title", league=league)


@blueprint.get("/players/<id:player>")
def player_page(player: str) -> Response:
    """A player's ratings and matches, and whom he met."""
    known = partial(players.known, player=player)
    return shell("leagues.html", known, view="player", title="profile.title", player=player)


@blueprint.get("/duplicates")
def duplicates_page() -> Response:
    """Events in which all play the same deals, today's first."""
    return shell("leagues.html", view="duplicates", title="duplicates.title")


@blueprint.get("/duplicates/<id:duplicate>")
def duplicate_page(duplicate: str) -> Response:
    """One event: playing in it, and who stands where."""
    known = partial(duplicates.known, duplicate=duplicate)
    return shell("leagues.html", known, view="duplicate", title="duplicates.title", duplicate=duplicate)


def _season(view: str, season: str, entry: str = "") -> Response:
    """A page of a season; `entry` is what it is about."""
    known = partial(club.club_of, season=season)
    return shell("season.html", known, view=view, title=f"season.{view}", season=season, entry=entry)


@blueprint.get("/seasons/<id:season>")
def standings_page(season: str) -> Response:
    """The table of a season, and its charts."""
    return _season("standings", season)


@blueprint.get("/seasons/<id:season>/rounds")
def rounds_page(season: str) -> Response:
    """Rounds and their tables, the next one to be drawn."""
    return _season("rounds", season)


@blueprint.get("/seasons/<id:season>/results")
def results_page(season: str) -> Response:
    """Results, and what was corrected."""
    return _season("results", season)


@blueprint.get("/seasons/<id:season>/members")
def members_page(season: str) -> Response:
    """Who plays."""
    return _season("members", season)


@blueprint.get("/seasons/<id:season>/organise")
def organise_page(season: str) -> Response:
    """What organisers do: penalties, another scheme, the end."""
    return _season("organise", season)


@blueprint.get("/seasons/<id:season>/tables/<id:entry>")
def table_page(season: str, entry: str) -> Response:
    """One table of the draw: its match, or its sheet."""
    return _season("table", season, entry)


@blueprint.get("/seasons/<id:season>/sheets/<id:entry>")
def sheet_page(season: str, entry: str) -> Response:
    """A score sheet, to be written deal by deal."""
    return _season("sheet", season, entry)


@blueprint.get("/seasons/<id:season>/results/<id:entry>")
def result_page(season: str, entry: str) -> Response:
    """One result, all that it ever was, and what may be said to it."""
    return _season("result", season, entry)


@blueprint.get("/seasons/<id:season>/members/<id:entry>")
def member_page(season: str, entry: str) -> Response:
    """Where a member's points come from, line by line."""
    return _season("member", season, entry)
