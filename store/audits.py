"""What is kept beside the events, held against them: the ledger, and the results that rate. Stream by stream.

`tapete audit` asks for one or all; a job of each night goes through all ledgers and counts. Read beside it:
domain/scoring.py, domain/season_scoring.py, domain/ratings.py (what is due), api/audit.py, workers/audit.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from domain.audit import Fault
from domain.event import Event, Job
from domain.match import fold
from domain.ratings import Rated, said_in, said_of
from domain.ratings import ratings as rating_fold
from domain.scoring import Transfer, transfers
from domain.season import fold as season_fold
from domain.season_errors import NoSuchEntryError
from domain.season_scoring import season_transfers
from store import jobs, ledger, ratings
from store.db import Connection
from store.events import Events

NIGHT_HOUR = 3  # UTC


class Stream(NamedTuple):
    """A stream and its kind, match or season."""

    id: str
    kind: str


class Night(NamedTuple):
    """The last audit that was finished: how long ago, how many streams there were, how many of them at fault."""

    age_seconds: float
    streams: int
    faults: int


# One stream


def kind_of(conn: Connection, stream: str) -> str | None:
    """match or season; None where there is no such stream."""
    row = conn.execute("select kind from event where stream_id = %s order by version limit 1", [stream]).fetchone()
    return str(row[0]) if row else None


def faults(conn: Connection, stream: Stream, events: Sequence[Event]) -> list[Fault]:
    """Where ledger or ratings are not what follows from these events; what a job is still going to add may be missing.

    Inside a transaction that sees one moment. For the events of a match those that `Events.read` gives will do.
    """
    if stream.kind == "season":
        due, said, job = season_transfers(stream.id, events), said_in(season_fold(stream.id, events)), "season"
    else:
        m = fold(stream.id, events)
        elsewhere = m.opened.get("season") and kind_of(conn, m.opened["season"])
        due, said, job = transfers(stream.id, events), [] if elsewhere else said_of(m), "tally"
    found = [*_ledger(conn, stream.id, due), *_rated(conn, stream.id, said)]
    awaited = _awaited(conn, f"{job}:{stream.id}:") if any(missing for missing, _ in found) else 0
    return sorted(fault for missing, fault in found if not (missing and fault.version <= awaited))


def _awaited(conn: Connection, prefix: str) -> int:
    """The version up to which jobs will still do something."""
    return max((int(key.rpartition(":")[2]) for key in jobs.awaited(conn, prefix)), default=0)


def _ledger(conn: Connection, stream: str, transfers: Iterable[Transfer]) -> Iterator[tuple[bool, Fault]]:
    due = {transfer.id: transfer for transfer in transfers}
    posted = {transfer.id: transfer for transfer in ledger.transfers_of(conn, stream)}
    for transfer in due.values():
        if transfer.id not in posted:
            yield True, Fault(transfer.version, f"the ledger lacks {_line(transfer)}")
        elif posted[transfer.id] != transfer:
            wrong = f"the ledger has {_line(posted[transfer.id])} instead of {_line(transfer)}"
            yield False, Fault(transfer.version, wrong)
    for transfer in posted.values():
        if transfer.id not in due:
            yield False, Fault(transfer.version, f"the ledger has {_line(transfer)}, which follows from no event")


def _line(transfer: Transfer) -> str:
    amounts = ", ".join(f"{posting.amount:+} {posting.account}" for posting in transfer.postings)
    return f"{transfer.kind} {transfer.reason} ({amounts})"


def _rated(conn: Connection, stream: str, said: Iterable[tuple[int, Rated]]) -> Iterator[tuple[bool, Fault]]:
    due = {result.id: (result, version) for version, result in said}
    noted = ratings.noted(conn, stream)
    for name in sorted(due.keys() | noted.keys()):
        if due.get(name) != noted.get(name):
            version = (due.get(name) or noted[name])[1]
            behind = name in due and (name not in noted or noted[name][1] < version)
            yield behind, Fault(version, f"result {name} rates as {noted.get(name)}, not as {due.get(name)}")


# All of them


def streams(conn: Connection, after: str = "", limit: int = 500) -> list[Stream]:
    """The next streams behind an id, of both kinds."""
    query = "select stream_id, kind from event where version = 1 and stream_id > %s order by 1 limit %s"
    return [Stream(*row) for row in conn.execute(query, [after, limit])]


def pool_faults(conn: Connection) -> list[tuple[str, str]]:
    """Games whose stored ratings are not the fold of their results, each with what differs first."""
    found = []
    for game in ratings.pools(conn):
        with conn.transaction():
            conn.execute("set transaction isolation level repeatable read, read only")
            if ratings.behind(conn, game):
                continue
            pool = rating_fold(ratings.whole(conn, game)).get(game, {})
            stored = ratings.stored(conn, game)
        due = {name: (rating.mu, rating.sigma, rating.matches) for name, rating in pool.items()}
        differing = [name for name in sorted(due.keys() | stored.keys()) if due.get(name) != stored.get(name)]
        found += [(game, f"{name} is rated {stored.get(name)}, not {due.get(name)}") for name in differing[:1]]
    return found


def ledger_faults(conn: Connection, stream: Stream) -> list[Fault]:
    """The same as `faults` for a stream as it stands, whatever is being played meanwhile."""
    with conn.transaction():
        conn.execute("set transaction isolation level repeatable read, read only")
        store = Events(conn, stream.kind)
        try:
            history = store.read_all(stream.id) if stream.kind == "season" else store.read(stream.id)
            return faults(conn, stream, history.events)
        except (LookupError, TypeError, ValueError, AttributeError, NoSuchEntryError) as broken:
            return [Fault(0, f"the events cannot be read: {broken!r}")]


# The night's


def tonight(conn: Connection) -> None:
    """Write today's first job, once; it is due at night."""
    query = """
    select day::text, (day + make_interval(hours => %s)) at time zone 'utc'
    from (select (now() at time zone 'utc')::date as day) as today
    """
    ((day, due),) = conn.execute(query, [NIGHT_HOUR])
    jobs.add(conn, [Job(f"audit:{day}:", due)])


def count(conn: Connection, day: date | str, streams: int, faults: int, *, over: bool) -> None:
    """Add to what the audit of a day has found so far."""
    query = """
    insert into ledger_audit as audit (day, streams, faults, ended_at) values (%s, %s, %s, case when %s then now() end)
    on conflict (day) do update set streams = audit.streams + excluded.streams, faults = audit.faults + excluded.faults,
        ended_at = excluded.ended_at
    """
    conn.execute(query, [day, streams, faults, over])


def last(conn: Connection) -> Night:
    """The last audit that was finished; zeros where there was none."""
    query = """
    select extract(epoch from now() - ended_at)::float8, streams, faults from ledger_audit
    where ended_at is not null order by day desc limit 1
    """
    row = conn.execute(query).fetchone()
    return Night(*row) if row else Night(0.0, 0, 0)
