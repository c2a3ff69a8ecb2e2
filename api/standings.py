"""Standings of a season, its history and its ledger: JSON, CSV, XLSX and a chart. Beside it: club.py, spreadsheets.py.

The table as it stands now is kept in the database and made anew when the season has moved on. What each part means is
in domain/standing_rows.py and docs/leagues.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from flask import Response, request

from api import charts, club, cursors
from api.answers import answer
from api.call import Call
from api.club import Club, Names, club_of, text_of
from api.errors import invalid
from api.languages import chosen
from api.operation import Blueprint
from api.schemas import Paging
from api.sheet_shapes import HistoryQuery, StandingsQuery
from api.spreadsheets import CSV, CSV_SHAPE, XLSX, XLSX_SHAPE, Value, answered
from domain import season_play, standing_rows
from domain.event import Event
from domain.season import fold
from domain.standings import as_known, standings
from store import leagues, ledger, notes
from store import standings as kept
from store.ledger import END, Entry

SVG = "image/svg+xml"
SVG_SHAPE = {"type": "string", "format": "binary", "description": "a chart without scripts"}
ALL = 10**9

blueprint = Blueprint(
    "standings", __name__, url_prefix="/v1/seasons/<id:season>", description="Who stands where, and why"
)

Table = dict[str, Any]


@blueprint.operation("GET", "/standings", scope="read", public=True, query=StandingsQuery(), answer="Standings",
                     also={CSV: CSV_SHAPE, XLSX: XLSX_SHAPE}, problems="not_found")  # fmt: skip
def read_standings(call: Call, season: str, query: dict[str, Any]) -> Response:
    """The table, with what decided each place: now, at a time, or as a final table that was corrected later.

    At a time there are two: `known` is what the table showed then, `corrected` what had been played by then, with
    everything that is known by now.
    """
    found = club_of(call, season)
    table = _asked(call, found, query)
    names = leagues.names(call.conn, season)
    if call.mimetype != "application/json":
        return answered(_rows(table, names), call.mimetype, "standings")
    rows = [{**row, "name": names.get(row["member"])} for row in table["rows"]]
    return answer({**table, "rows": rows})


def _asked(call: Call, found: Club, query: Mapping[str, Any]) -> Table:
    at, revision = query["as_of"], query["revision"]
    if at and revision:
        raise invalid("revision", "a table is of a time or of a revision, not of both")
    if revision:
        return _revision(call, found, revision)
    if at:
        view = query["view"]
        return {**_at(call, found.id, at, view), "view": view, "as_of": at, "reason": None}
    table = _now(call, found.id)
    note = table.pop("note")
    return {**table, "view": "now", "as_of": None, "reason": _reason(call, found, note) if note else None}


def _now(call: Call, season: str) -> Table:
    """As it was kept, if nothing has happened since."""
    table = kept.fresh(call.conn, season)
    if table is None:
        events = call.seasons.read_all(season).events
        table = standing_rows.current(fold(season, events), events)
        kept.keep(call.conn, season, table["version"], table)
    return table


def _reason(call: Call, found: Club, note: str) -> str | None:
    """A note, for members and organisers."""
    own = found.who.organises or any(
        row.player == call.viewer for row in leagues.members(call.conn, found.id).values() if row.player
    )
    return text_of(notes.of_stream(call.conn, found.id), note) if own else None


def _at(call: Call, season: str, at: datetime, view: str) -> Table:
    events = call.seasons.read_all(season).events
    if view == "corrected":
        s = fold(season, events)
        return {**standing_rows.table(s, standings(s, at)), "final": False, "revision": None}
    events = as_known(events, at)
    if not events:
        raise invalid("as_of", "the season was not open yet")
    s = fold(season, events)
    return standing_rows.table(s, standings(s))


def _revision(call: Call, found: Club, number: int) -> Table:
    events = call.seasons.read_all(found.id).events
    now = fold(found.id, events)
    if number > len(now.revisions):
        raise invalid("revision", f"there are {len(now.revisions)} so far")
    version = now.revisions[number - 1]
    s = fold(found.id, events[:version])
    table = standing_rows.table(s, standings(s))
    reason = text_of(club.notes_of(call, found, now), events[version - 1].data.get("note"))
    return {**table, "revisions": len(now.revisions), "view": "revision", "as_of": None, "reason": reason}


def _rows(table: Table, names: Names) -> list[list[Value]]:
    """The same as rows of a spreadsheet."""
    most = max((len(row["places"]) for row in table["rows"]), default=0)
    ties = table["tie_breaks"]
    head: list[Value] = ["place", "name", "points", "results", *(f"place {place}" for place in range(1, most + 1)),
                         "adjustments", *(f"tie-break {name}" for name in ties), "decided_by", "member"]  # fmt: skip
    return [head, *(_cells(row, names, most, ties) for row in table["rows"])]


def _cells(row: Table, names: Names, most: int, ties: Sequence[str]) -> list[Value]:
    places = [*row["places"], *[0] * (most - len(row["places"]))]
    values = {each["criterion"]: Fraction(each["exact"]) for each in row["ties"]}
    points = None if row["exact"] is None else Fraction(row["exact"])
    adjustments = Fraction(row["adjustments"]).limit_denominator(60)
    return [row["place"], names.get(row["member"]), points, row["results"], *places, adjustments,
            *map(values.get, ties), row["decided_by"], row["member"]]  # fmt: skip


# History


@blueprint.operation("GET", "/history", scope="read", public=True, query=HistoryQuery(), answer="SeasonHistory",
                     also={SVG: SVG_SHAPE}, problems="not_found")  # fmt: skip
def read_season_history(call: Call, season: str, query: dict[str, Any]) -> Response:
    """Points and places after each round, with everything that is known by now; as JSON, or a chart as SVG."""
    found, s = club.read(call, season)
    series, names = standing_rows.series(s), leagues.names(call.conn, season)
    if call.mimetype != SVG:
        members = [{**each, "name": names.get(each["member"])} for each in series["members"]]
        return answer({**series, "members": members})
    language = chosen(request.accept_languages)
    shown = [names.get(each["member"]) or each["member"] for each in series["members"][: query["top"]]]
    svg = charts.chart(series, query["chart"], shown, f"{found.league.name} · {found.row.name}", language)
    return Response(svg, headers={"Content-Language": language, "Content-Security-Policy": CHART}, mimetype=SVG)


CHART = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


# Ledger


@blueprint.operation("GET", "/ledger", scope="read", public=True, query=Paging(), answer="SeasonTransfers",
                     also={CSV: CSV_SHAPE}, headers="Link", problems="not_found forged_cursor")  # fmt: skip
def read_season_ledger(call: Call, season: str, query: dict[str, Any]) -> Response:
    """What every result, penalty and correction has moved, newest first, each with its cause; as CSV all of it.

    Lines are posted by workers, a moment after their cause.
    """
    found, history = club_of(call, season), call.seasons.read_all(season)
    said = club.notes_of(call, found, season_play.folded(season, history))
    names = leagues.names(call.conn, season)
    if call.mimetype == CSV:
        every = ledger.of_match(call.conn, season, ALL)
        return answered(_lines(every, history.events, said, names), CSV, "ledger")
    after, limit = cursors.after(call, query) or END, query["limit"]
    page = ledger.of_match(call.conn, season, limit + 1, after)
    more = page[limit - 1].seq if len(page) > limit else None
    return cursors.page(call, [_transfer(each, history.events, said, names) for each in page[:limit]], more)


def _cause(entry: Entry, events: Sequence[Event], said: Mapping[int, str]) -> dict[str, Any]:
    event = events[entry.transfer.version - 1]
    what, _, about = entry.transfer.reason.partition(":")
    return {
        "type": event.type,
        "result": about if what == "result" else None,
        "adjustment": about if what == "adjustment" else None,
        "by": event.data.get("by"),
        "note": text_of(said, event.data.get("note")),
    }


def _transfer(entry: Entry, events: Sequence[Event], said: Mapping[int, str], names: Names) -> dict[str, Any]:
    transfer = entry.transfer
    return {
        "id": transfer.id,
        "kind": transfer.kind,
        "season": transfer.match,
        "version": transfer.version,
        "cause": _cause(entry, events, said),
        "effective_at": entry.effective_at,
        "recorded_at": entry.recorded_at,
        "postings": [
            {
                "account": posting.account,
                "seat": posting.seat,
                "member": posting.member,
                "name": names.get(posting.member or ""),
                "amount": posting.amount,
                "scale": transfer.scale,
            }
            for posting in transfer.postings
        ],
    }


LINE = ("recorded_at", "effective_at", "version", "kind", "cause", "result", "adjustment", "note", "account", "seat",
        "member", "name", "points")  # fmt: skip


def _lines(
    entries: Sequence[Entry], events: Sequence[Event], said: Mapping[int, str], names: Names
) -> list[Sequence[Value]]:
    rows: list[Sequence[Value]] = [LINE]
    for entry in entries:
        transfer, cause = entry.transfer, _cause(entry, events, said)
        for posting in transfer.postings:
            rows.append(
                (entry.recorded_at, entry.effective_at, transfer.version, transfer.kind, cause["type"],
                 cause["result"], cause["adjustment"], cause["note"], posting.account, posting.seat, posting.member,
                 names.get(posting.member or ""), Fraction(posting.amount, transfer.scale))
            )  # fmt: skip
    return rows
