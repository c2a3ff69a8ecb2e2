"""`tally:<match>:<version>`: what a match has earned so far, posted into the ledger; its result, told to its season.

Any of a match's jobs sees all of it, so they may come in any order. Beside it: domain/scoring.py, season.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain import season_play, season_results
from domain.event import Event, Job
from domain.match import Match, fold
from domain.ratings import said_of
from domain.scoring import transfers
from domain.season import Season
from domain.season_errors import NoSuchEntryError
from store import ledger, ratings
from store.db import Connection
from store.events import Events
from store.jobs import Lease
from workers.matches import Effect


def tally(conn: Connection, lease: Lease) -> Effect:
    """All transfers of the match as it stands, and what its end means elsewhere; what is done already stays so."""
    match = lease.key.split(":")[1]
    events = Events(conn).read_all(match).events
    due, m = transfers(match, events), fold(match, events)

    def post(conn: Connection) -> Sequence[Job]:
        ledger.post(conn, due)
        told = _told(conn, m, events) if m.over and m.opened.get("season") else None
        return ratings.note(conn, match, said_of(m)) if told is None else told

    return post


def _told(conn: Connection, m: Match, events: Sequence[Event]) -> Sequence[Job] | None:
    """The season hears of the end, once; None where there is no such season: the match was played elsewhere."""
    ended = m.times["ended"]
    assert ended

    def decision(s: Season) -> None:
        if m.result:
            totals, places = m.result["totals"], m.result["places"]
            season_results.record_match(s, m.id, m.opened["table"], totals, places, ended.isoformat())
        else:
            season_results.void_match(s, m.id, events[-1].data["by"])

    try:
        return season_play.decided(Events(conn, "season"), m.opened["season"], decision).jobs
    except NoSuchEntryError:
        return None
