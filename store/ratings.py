"""Ratings in Postgres: the results that rate, the steps they make, and where everybody stands.

All of it follows from events. A change of a result asks for its pool to be made again from there; who makes it writes
up to which change he has. Read beside it: domain/ratings.py (the fold), schema/0014_ratings.sql, workers/ratings.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString, NamedTuple

from domain.event import Job
from domain.ratings import Rated, Rating
from store import jobs
from store.db import Connection, planned_anew


class Due(NamedTuple):
    """What a pool's ratings lack: everything from a result on. `start` is how those who sit there stood before it."""

    asked: int
    since: tuple[datetime, str]
    results: list[Rated]
    start: dict[str, Rating]


class Standing(NamedTuple):
    """Somebody's rating in a game, and his place in its list."""

    place: int
    game: str
    subject: str
    mu: float
    sigma: float
    ordinal: float
    matches: int
    ended_at: datetime


class Step(NamedTuple):
    """A rating after a result. `match` is None for whoever does not find that match in lists."""

    match: str | None
    ended_at: datetime
    result: str
    number: int
    mu: float
    sigma: float


NOTE: LiteralString = """
insert into rated (id, game, ended_at, seats, places, stream, version)
select id, game, ended_at, seats, places, stream, version
from json_to_recordset(%s::json) as said (
    id text, game text, ended_at timestamptz, seats text[], places integer[], stream text, version integer
) order by id
on conflict (id) do update set
    seats = excluded.seats, places = excluded.places, stream = excluded.stream, version = excluded.version
    where rated.version < excluded.version
returning id, game, ended_at
"""

# The earlier of what was asked before and what is asked now.
ASK: LiteralString = """
insert into rating_pool as pool (game, asked, from_at, from_id) values (%(game)s, 1, %(at)s, %(id)s)
on conflict (game) do update set asked = pool.asked + 1, (from_at, from_id) = (
    select at, id from (values (pool.from_at, pool.from_id), (excluded.from_at, excluded.from_id)) as place (at, id)
    where at is not null order by at, id limit 1
)
returning asked
"""

RESULTS: LiteralString = """
select ended_at, id, game, seats, places from rated
where game = %(game)s and (ended_at, id) >= (%(at)s, %(id)s) and places <> '{}' order by ended_at, id
"""

START: LiteralString = """
select name, mu, sigma, number from unnest(%(names)s::text[]) as name cross join lateral (
    select mu, sigma, number from rating_step
    where game = %(game)s and subject = name and (ended_at, result) < (%(at)s, %(id)s)
    order by ended_at desc, result desc limit 1
) as last
"""

MADE: LiteralString = """
update rating_pool set made = %(asked)s,
    from_at = case when asked > %(asked)s then from_at end, from_id = case when asked > %(asked)s then from_id end
where game = %(game)s and made < %(asked)s returning game
"""

FORGET: LiteralString = """
with gone as (
    delete from rating_step where game = %(game)s and (ended_at, result) >= (%(at)s, %(id)s) returning subject
)
select distinct subject from gone
"""

RENEW: LiteralString = """
insert into rating (game, subject, mu, sigma, matches, ended_at)
select %(game)s, name, mu, sigma, number, ended_at from unnest(%(names)s::text[]) as name cross join lateral (
    select mu, sigma, number, ended_at from rating_step
    where game = %(game)s and subject = name order by ended_at desc, result desc limit 1
) as last
"""

LIST: LiteralString = """
select * from (
    select rank() over (order by ordinal desc) as place, game, subject, mu, sigma, ordinal, matches, ended_at
    from rating where game = %(game)s and starts_with(subject, %(pool)s) and matches >= %(least)s
) as ranked
where %(after)s::float8 is null or ordinal < %(after)s or ordinal = %(after)s and subject > %(after_subject)s
order by ordinal desc, subject limit %(limit)s
"""

OF_SUBJECT: LiteralString = """
select 1 + (
    select count(*) from rating as better
    where better.game = rating.game and better.ordinal > rating.ordinal
        and split_part(better.subject, ':', 1) = split_part(rating.subject, ':', 1)
), game, subject, mu, sigma, ordinal, matches, ended_at from rating where subject = %s order by game
"""

HISTORY: LiteralString = """
select (
    select id from match where id = result
        and (visibility = 'public' or host = %(viewer)s or players @> array[%(viewer)s])
), ended_at, result, number, mu, sigma from rating_step
where game = %(game)s and subject = %(subject)s
    and (%(after_at)s::timestamptz is null or (ended_at, result) < (%(after_at)s, %(after_result)s))
order by ended_at desc, result desc limit %(limit)s
"""


# What rates


def note(conn: Connection, stream: str, said: Iterable[tuple[int, Rated]]) -> list[Job]:
    """Keep what a stream says at its versions, where it is news; no places: void. Answers the jobs that follow, stored.

    Inside the transaction of what caused it: who makes a pool then sees either all of it or is asked again.
    """
    rows = [{**result._asdict(), "stream": stream, "version": version} for version, result in said]
    changed = conn.execute(NOTE, [json.dumps(rows, default=str)]).fetchall() if rows else []
    first: dict[str, tuple[datetime, str]] = {}
    for name, game, at in changed:
        first[game] = min(first.get(game, (at, name)), (at, name))
    due = [_ask(conn, game, *first[game]) for game in sorted(first)]
    jobs.add(conn, due)
    return due


def _ask(conn: Connection, game: str, at: datetime, result: str) -> Job:
    ((asked,),) = conn.execute(ASK, {"game": game, "at": at, "id": result})
    return Job(f"ratings:{game}:{asked}")


def noted(conn: Connection, stream: str) -> dict[str, tuple[Rated, int]]:
    """What this stream has said last, by result, with the version at which it did."""
    query = "select ended_at, id, game, seats, places, version from rated where stream = %s"
    return {row[1]: (_rated(row[:5]), row[5]) for row in conn.execute(query, [stream])}


def pools(conn: Connection) -> list[str]:
    """The games in which there are ratings."""
    return [game for (game,) in conn.execute("select game from rating_pool order by game")]


def behind(conn: Connection, game: str) -> bool:
    """Whether a pool is still to be made again."""
    return conn.execute("select from rating_pool where game = %s and made < asked", [game]).fetchone() is not None


def whole(conn: Connection, game: str) -> list[Rated]:
    """Every result of a pool, in order."""
    return _results(conn, game, ("-infinity", ""))


# Making a pool


def due(conn: Connection, game: str, asked: int) -> Due | None:
    """What is to be made, as of one moment; None where change `asked` is in already."""
    with conn.transaction():
        conn.execute("set transaction isolation level repeatable read, read only")
        query = "select asked, from_at, from_id from rating_pool where game = %s and made < %s"
        row = conn.execute(query, [game, asked]).fetchone()
        if row is None or row[1] is None:
            return None
        since = (row[1], row[2])
        results = _results(conn, game, since)
        names = sorted({name for result in results for name in result.seats})
        values = {"game": game, "names": names, "at": since[0], "id": since[1]}
        start = {name: Rating(mu, sigma, number) for name, mu, sigma, number in conn.execute(START, values)}
        return Due(row[0], since, results, start)


def make(conn: Connection, game: str, due: Due, pool: Mapping[str, Rating]) -> bool:
    """Write, inside a transaction, what was due; whether it was still wanted: somebody may have made more by now."""
    if not conn.execute(MADE, {"game": game, "asked": due.asked}).fetchone():
        return False
    at, result = due.since
    gone = {name for (name,) in conn.execute(FORGET, {"game": game, "at": at, "id": result})}
    with conn.cursor().copy("copy rating_step (game, subject, ended_at, result, number, mu, sigma) from stdin") as rows:
        for name, rating in pool.items():
            for number, step in enumerate(rating.history, rating.earlier + 1):
                rows.write_row((game, name, step.at, step.result, number, step.mu, step.sigma))
    names = sorted(gone | pool.keys())
    conn.execute("delete from rating where game = %s and subject = any(%s)", [game, names])
    conn.execute(RENEW, {"game": game, "names": names})
    return True


def _results(conn: Connection, game: str, since: tuple[datetime | str, str]) -> list[Rated]:
    values = {"game": game, "at": since[0], "id": since[1]}
    return [_rated(row) for row in conn.execute(RESULTS, values)]


def _rated(row: Sequence[Any]) -> Rated:
    ended_at, name, game, seats, places = row
    return Rated(ended_at, name, game, tuple(seats), tuple(places))


# Reading


def ranked(
    conn: Connection, game: str, pool: str, least: int, limit: int, after: tuple[float, str] | None = None
) -> list[Standing]:
    """The list of a game behind a place in it, best first: those of a pool who have played at least so often."""
    ordinal, subject = after or (None, None)
    values = {"game": game, "pool": f"{pool}:", "least": least, "limit": limit}
    rows = planned_anew(conn).execute(LIST, {**values, "after": ordinal, "after_subject": subject})
    return [Standing(*row) for row in rows]


def of_subject(conn: Connection, subject: str) -> list[Standing]:
    """Somebody's ratings, by game; the place is that among all of his pool, newcomers too."""
    return [Standing(*row) for row in conn.execute(OF_SUBJECT, [subject])]


def history(
    conn: Connection, game: str, subject: str, viewer: str | None, limit: int, after: tuple[datetime, str] | None = None
) -> list[Step]:
    """Rating by rating, newest first, behind a place. Matches are named to those who find them in lists."""
    at, result = after or (None, None)
    values = {"game": game, "subject": subject, "viewer": viewer, "limit": limit}
    rows = conn.execute(HISTORY, {**values, "after_at": at, "after_result": result})
    return [Step(*row) for row in rows]


def stored(conn: Connection, game: str) -> dict[str, tuple[float, float, int]]:
    """mu, sigma and number of matches of everybody in a game, to compare with a fold of all its results."""
    query = "select subject, mu, sigma, matches from rating where game = %s"
    return {name: (mu, sigma, matches) for name, mu, sigma, matches in conn.execute(query, [game])}
