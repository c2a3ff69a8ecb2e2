"""Analyses of matches: how far each is, what it found. Beside it: schema/0016_analysis.sql, domain/analysis.py."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString, NamedTuple

from domain.analysis import Judgement, Progress
from domain.event import Job
from store import jobs
from store.db import Connection

LOCK = 0x616E_616C  # who begins and who ends an analysis wait for each other: "anal" in ASCII

FIRST: LiteralString = "select match, after, looked from analysis where finished_at is null order by position limit 1"

PROGRESS: LiteralString = """
update analysis set after = %(after)s, underway = %(underway)s, looked = %(looked)s,
    finished_at = case when %(finished)s then clock_timestamp() end, failed = %(failed)s
where match = %(match)s
"""

JUDGED: LiteralString = """
insert into judgement (match, version, seat, move, loss, candidates)
select %(match)s, version, seat, move, loss, candidates
from json_to_recordset(%(found)s::json)
    as found (version integer, seat integer, move text, loss double precision, candidates json)
"""


class Analysis(NamedTuple):
    """An analysis as it stands. `ahead` is how many others come before it."""

    match: str
    asked_at: datetime
    words: int
    looked: int
    after: int
    underway: Any
    finished_at: datetime | None
    failed: bool
    ahead: int

    @property
    def state(self) -> str:
        """waiting | running | done | failed."""
        if self.finished_at:
            return "failed" if self.failed else "done"
        return "waiting" if self.ahead else "running"


def begin(conn: Connection, match: str, words: int) -> tuple[bool, Sequence[Job]]:
    """Ask for an analysis, inside a transaction: whether it is new, and the job to publish, if it is its turn."""
    conn.execute("select pg_advisory_xact_lock(%s)", [LOCK])
    query = "insert into analysis (match, words) values (%s, %s) on conflict (match) do nothing"
    if not conn.execute(query, [match, words]).rowcount:
        return False, ()
    due = _due(conn)
    return True, due if due and due[0].key == job(match, 0, 0).key else ()


def of_match(conn: Connection, match: str) -> Analysis | None:
    """The analysis of a match, if anybody asked for one."""
    query = """
    select match, asked_at, words, looked, after, underway, finished_at, failed,
        (select count(*) from analysis before where before.finished_at is null and before.position < analysis.position)
    from analysis where match = %s
    """
    row = conn.execute(query, [match]).fetchone()
    return Analysis(*row) if row else None


def judged(conn: Connection, match: str, after: int, limit: int) -> list[dict[str, Any]]:
    """What was found behind a version, in order."""
    query = """
    select version, seat, move, loss, candidates from judgement
    where match = %s and version > %s order by version limit %s
    """
    names = ("version", "seat", "move", "loss", "candidates")
    return [dict(zip(names, row, strict=True)) for row in conn.execute(query, [match, after, limit])]


def keep(conn: Connection, match: str, step: int, progress: Progress, *, finished: bool, failed: bool) -> Sequence[Job]:
    """Keep what a slice has found, inside a transaction; answers the job that goes on, with this match or the next."""
    if finished:
        conn.execute("select pg_advisory_xact_lock(%s)", [LOCK])
    underway = json.dumps(progress.underway) if progress.underway else None
    values = {"match": match, "after": progress.after, "underway": underway, "looked": progress.looked}
    conn.execute(PROGRESS, {**values, "finished": finished, "failed": failed})
    conn.execute(JUDGED, {"match": match, "found": json.dumps([_row(each) for each in progress.found])})
    if finished:
        return _due(conn)
    following = [job(match, progress.after, step + 1)]
    jobs.add(conn, following)
    return following


def job(match: str, after: int, step: int) -> Job:
    """The next slice of an analysis."""
    return Job(f"analysis:{match}:{after}:{step}")


def _due(conn: Connection) -> Sequence[Job]:
    """The first slice of the analysis whose turn it is, stored unless it had one."""
    row = conn.execute(FIRST).fetchone()
    if not row:
        return ()
    due = [job(row[0], 0, 0)]
    jobs.add(conn, due)
    return due


def _row(found: Judgement) -> dict[str, Any]:
    return {**found._asdict(), "candidates": [each._asdict() for each in found.candidates]}
