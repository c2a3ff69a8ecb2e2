"""Score sheets of tables that were played with real cards: written deal by deal or at once, submitted, printed.

A sheet's ETag is the number of its deals, so that of two phones with the same deal only one is heard. What a second
player says of it is in results.py. Beside it: sheet_pages.py (print), evening.py (CSV), domain/season_results.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from flask import Response, request

from api import club, cursors, evening, sheet_pages
from api.answers import answer, etag
from api.call import Call, new_id
from api.club import Club, Decision, Names, club_of, sitters
from api.errors import ProblemError, invalid
from api.etag import stated
from api.languages import chosen
from api.operation import Blueprint
from api.records import MOST_BYTES
from api.rounds import line_up
from api.sheet_shapes import NewDeal, NewSheet, PreviewQuery, SheetPaging, SheetsQuery, true
from api.spreadsheets import CSV, CSV_SHAPE, to_csv
from domain import season_play, season_results
from domain.rules import OptionsError
from domain.season import Season, Sheet, Sitting
from domain.season_decide import Caller, entry
from domain.season_results import Written, write_sheet
from store import leagues
from store.db import long_thought

HTML = "text/html"
PAGE_SHAPE = {"type": "string", "description": "a page that prints on A4"}
WRITES = "not_found not_allowed season_closed wrong_status"

blueprint = Blueprint("sheets", __name__, url_prefix="/v1/seasons/<id:season>", description="Score sheets")


# A sheet as it is shown


def _shown(s: Season, sheet: Sheet, names: Names) -> dict[str, Any]:
    filled, table = season_results.filled(s, sheet.id), s.tables.get(sheet.table or "")
    return {
        "id": sheet.id,
        "table": sheet.table,
        "round": table and table.round,
        "status": sheet.status,
        "seats": sitters(sheet.seats, names),
        "deals": [
            {**_deal(each), "tally": written.get("tally")}
            for each, written in zip(filled.deals, sheet.deals, strict=True)
        ],
        "totals": filled.totals,
        "places": filled.places,
        "over": filled.over,
        "played_at": sheet.played_at,
        "submitted_by": sheet.submitted_by,
    }


def _deal(each: Any) -> dict[str, Any]:
    return {name: getattr(each, name) for name in ("number", "dealer", "void", "extra", "lines", "points", "totals")}


def _answered(call: Call, s: Season, sheet: str, status: int = 200, preview: bool = False) -> Response:
    found = entry(s.sheets, "sheet", sheet)
    shown = _shown(s, found, leagues.names(call.conn, s.id))
    return answer({**shown, "id": None if preview else sheet}, status, etag(len(found.deals)))


def _decide(call: Call, found: Club, decision: Decision, preview: bool = False) -> Season:
    """The season with what was decided; nothing of a preview is kept."""
    if preview:
        s = season_play.load(call.seasons, found.id)
        decision(s, found.who)
        return s
    with call.conn.transaction():
        long_thought(call.conn)
        outcome = season_play.decided(call.seasons, found.id, lambda s: decision(s, found.who))
    club.follow(call, outcome)
    return outcome.season


# Written


@blueprint.operation("POST", "/sheets", scope="play", status=201, repeated=200, body=NewSheet(),
                     takes={CSV: CSV_SHAPE}, most_bytes=MOST_BYTES, query=SheetsQuery(), answer="SheetOrSheets",
                     problems=f"{WRITES} own_result not_member twice_at_table")  # fmt: skip
def add_sheet(call: Call, season: str, body: dict[str, Any] | bytes, query: dict[str, Any]) -> Response:
    """Open a sheet, blank or with all its deals; or bring a whole evening of them as CSV, all of it or nothing.

    By a member of the table or an organiser. `preview=true` works everything out and records nothing (200).
    """
    found = club_of(call, season)
    if isinstance(body, bytes):
        return _evening(call, found, body, query)
    sheet, preview, confirm = new_id(), true(query, "preview"), true(query, "confirm")

    def decision(s: Season, who: Caller) -> None:
        write_sheet(s, who, sheet, _written(s, body), submit_it=body["submit"], confirm_it=confirm)

    s = _decide(call, found, decision, preview)
    return _answered(call, s, sheet, 200 if preview else 201, preview)


def _written(s: Season, body: dict[str, Any]) -> Written:
    table, played_at = body["table"], body["played_at"]
    if body["members"] is None and table is None:
        raise OptionsError({"members": "a sheet has members, or a table of the draw"})
    if body["members"] is None:
        members = [sitting.json() for sitting in entry(s.tables, "table", table).seats]
    else:
        members = line_up(body["members"])
    return Written(members, body["deals"], table, played_at and played_at.isoformat())


def _evening(call: Call, found: Club, body: bytes, query: dict[str, Any]) -> Response:
    rows, names, preview = evening.read(body), leagues.names(call.conn, found.id), true(query, "preview")
    made: list[str] = []

    def decision(s: Season, who: Caller) -> None:
        made[:] = evening.record(s, who, rows, names, _ids(), true(query, "confirm"))

    s = _decide(call, found, decision, preview)
    shown = [{**_shown(s, s.sheets[sheet], names), **({"id": None} if preview else {})} for sheet in made]
    return answer({"items": shown, "next": None}, 200 if preview else 201)


def _ids() -> Iterator[str]:
    while True:
        yield new_id()


@blueprint.operation("POST", "/sheets/<id:sheet>/deals", scope="play", status=201, repeated=200, body=NewDeal(),
                     query=PreviewQuery(), answer="Sheet", headers="ETag", versioned=True,
                     problems=WRITES)  # fmt: skip
def add_deal(call: Call, season: str, sheet: str, body: dict[str, Any], query: dict[str, Any]) -> Response:
    """Write the next deal down. If-Match says how many there were, so that no deal is written twice."""
    found, preview = club_of(call, season), true(query, "preview")
    expected = _seen(call, season, sheet)
    s = _decide(
        call, found, lambda s, who: season_results.enter_deal(s, who, sheet, body, expected), preview
    )  # fmt: skip
    return _answered(call, s, sheet, 200 if preview else 201)


@blueprint.operation("DELETE", "/sheets/<id:sheet>/deals/last", scope="play", answer="Sheet", headers="ETag",
                     versioned=True, problems=WRITES)  # fmt: skip
def drop_last_deal(call: Call, season: str, sheet: str) -> Response:
    """Strike out the last deal. If-Match says how many there were."""
    found, expected = club_of(call, season), _seen(call, season, sheet)
    return _answered(
        call, _decide(call, found, lambda s, who: season_results.drop_deal(s, who, sheet, expected)), sheet
    )


@blueprint.operation("POST", "/sheets/<id:sheet>/submit", scope="play", status=201, answer="Sheet", headers="ETag",
                     versioned=True, problems=WRITES)  # fmt: skip
def submit_sheet(call: Call, season: str, sheet: str) -> Response:
    """Say that the sheet is finished. It counts when somebody else confirms it."""
    found = club_of(call, season)
    expected = stated(call, sheet, lambda: _deals(call, season, sheet))
    s = _decide(call, found, lambda s, who: season_results.submit(s, who, sheet, expected))
    return _answered(call, s, sheet, 201)


def _seen(call: Call, season: str, sheet: str) -> int | None:
    """The number of deals in If-Match, which has to be said. Raises ProblemError, StaleVersionError."""
    if "If-Match" not in call.request.headers:
        raise invalid("If-Match", "says how many deals the sheet had, in quotes; `*` for any number")
    return stated(call, sheet, lambda: _deals(call, season, sheet))


def _deals(call: Call, season: str, sheet: str) -> int:
    return len(entry(season_play.load(call.seasons, season).sheets, "sheet", sheet).deals)


# Read


@blueprint.operation("GET", "/sheets", scope="read", public=True, query=SheetPaging(), answer="Sheets",
                     headers="Link", problems="not_found forged_cursor")  # fmt: skip
def list_sheets(call: Call, season: str, query: dict[str, Any]) -> Response:
    """Score sheets, the newest first."""
    _, s = club.read(call, season)
    names, limit = leagues.names(call.conn, season), query["limit"]
    every = list(enumerate(s.sheets.values()))
    before = cursors.after(call, query)
    every = [(at, sheet) for at, sheet in every[: len(every) if before is None else before]
             if query["status"] in (None, sheet.status)][::-1]  # fmt: skip
    more = every[limit - 1][0] if len(every) > limit else None
    return cursors.page(call, [_shown(s, sheet, names) for _, sheet in every[:limit]], more)


@blueprint.operation("GET", "/sheets/<id:sheet>", scope="read", public=True, answer="Sheet",
                     also={HTML: PAGE_SHAPE}, headers="ETag", problems="not_found")  # fmt: skip
def read_sheet(call: Call, season: str, sheet: str) -> Response:
    """One sheet worked out, as JSON or as a page that prints on A4. Its ETag is the number of its deals."""
    found, s = club.read(call, season)
    if call.mimetype != HTML:
        return _answered(call, s, sheet)
    about = entry(s.sheets, "sheet", sheet)
    return _page(call, found, s, [_facts(s, about.seats, about.table, about)], etag(len(about.deals)))


@blueprint.operation("GET", "/tables/<id:table>/sheet", scope="read", public=True, mimetype=HTML, answer=PAGE_SHAPE,
                     also={CSV: CSV_SHAPE}, problems="not_found")  # fmt: skip
def print_table_sheet(call: Call, season: str, table: str) -> Response:
    """A blank sheet for a table of the draw: a page that prints on A4, or CSV to fill in and post to `sheets`."""
    found, s = club.read(call, season)
    entry(s.tables, "table", table)
    return _blank(call, found, s, [table])


@blueprint.operation("GET", "/rounds/<id:number>/sheets", scope="read", public=True, mimetype=HTML, answer=PAGE_SHAPE,
                     also={CSV: CSV_SHAPE}, problems="not_found")  # fmt: skip
def print_round_sheets(call: Call, season: str, number: str) -> Response:
    """The same for all tables of a round: a page for each, or one CSV for the evening."""
    found, s = club.read(call, season)
    drawn = next((drawn for drawn in s.rounds.values() if str(drawn.number) == number), None)
    if drawn is None:
        raise ProblemError("not_found", f"the season has no round {number!r:.40}")
    return _blank(call, found, s, drawn.tables)


def _blank(call: Call, found: Club, s: Season, tables: Sequence[str]) -> Response:
    if call.mimetype == HTML:
        return _page(call, found, s, [_facts(s, s.tables[table].seats, table, None) for table in tables], {})
    deals = max(sheet_pages.due(s.options(len(s.tables[table].seats))) for table in tables)
    rows = evening.blank(s, tables, leagues.names(call.conn, s.id), deals)
    return Response("\ufeff" + to_csv(rows), mimetype=CSV)  # the mark by which Excel knows UTF-8


def _facts(s: Season, seats: Sequence[Sitting], table: str | None, sheet: Sheet | None) -> dict[str, Any]:
    drawn = s.tables.get(table or "")
    facts = {"seats": seats, "table": table, "round": drawn and drawn.round, "options": s.options(len(seats))}
    if sheet is None:
        return facts
    date = sheet.played_at and sheet.played_at.date().isoformat()
    return {**facts, "date": date, "status": sheet.status, "deals": sheet.deals,
            "filled": season_results.filled(s, sheet.id)}  # fmt: skip


def _page(call: Call, found: Club, s: Season, sheets: Sequence[dict[str, Any]], headers: dict[str, str]) -> Response:
    language = chosen(request.accept_languages)
    names = leagues.names(call.conn, s.id)
    facts = [
        sheet_pages.Facts(
            league=found.league.name,
            season=found.row.name,
            game=s.game,
            variant=s.opened["variant"],
            names=names,
            **each,
        )
        for each in sheets
    ]
    headers = {**sheet_pages.PRINTED, "Content-Language": language, **headers}
    return Response(sheet_pages.document(facts, language), headers=headers, mimetype=HTML)
