"""Streams of events: what is read is what was appended, once, in order, and for ever. Beside it: store/events.py."""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from itertools import count
from threading import Barrier
from typing import Any

import psycopg
import pytest
from psycopg import errors, sql

from domain.event import Event, History, Job, Listing, StaleVersionError
from store import db
from store.db import SESSION, Connection, Pool, connection
from store.events import READ, Events, Fault, chain_faults

Tampering = Callable[[str], object]
numbers = count(1)


@pytest.fixture
def stream() -> str:
    """An id that no other test has."""
    return f"m{next(numbers)}"


@pytest.fixture
def events(conn: Connection) -> Events:
    return Events(conn)


def moved(move: str = "JS", seat: int = 0) -> Event:
    return Event("moved", {"seat": seat, "move": move})


def deal(number: int, words: int = 3) -> list[Event]:
    """A deal that is played out and scored."""
    return [
        Event("dealt", {"deal": number, "pack": ["JS", "7H"]}),
        *(moved(seat=seat % 4) for seat in range(words)),
        Event("scored", {"deal": number, "points": [1, 2]}),
    ]


def append(events: Events, stream: str, *fresh: Event, jobs: Sequence[Job] = (), listing: Listing | None = None) -> Any:
    return events.append(stream, events.read(stream), fresh, jobs, listing)


def versions(history: History) -> list[int]:
    return [event.version for event in history.events]


def value(conn: Connection, query: sql.SQL, *values: object) -> Any:
    """The only value that a query answers."""
    ((found,),) = conn.execute(query, values)
    return found


def rows_of(conn: Connection, stream: str) -> tuple[int, int, int]:
    """How many events, jobs and list rows a stream has."""
    counts = [
        "select count(*) from event where stream_id = %s",
        "select count(*) from job where split_part(key, ':', 2) = %s",
        "select count(*) from match where id = %s",
    ]
    one, two, three = (value(conn, sql.SQL(query), stream) for query in counts)
    return one, two, three


def test_what_is_appended_is_read_back_with_version_time_and_hash(events: Events, stream: str) -> None:
    before = events.read(stream)
    stored = events.append(stream, before, [Event("opened", {"host": "p1"}), moved()], [], None)
    after = events.read(stream)
    assert list(after.events) == list(stored)
    assert [(event.type, event.version, event.at) for event in stored] == [
        ("opened", 1, before.now),
        ("moved", 2, before.now),
    ]
    assert before.version == 0 and after.version == 2 and after.now > before.now


def test_an_unknown_stream_is_empty_and_still_tells_the_databases_time(events: Events) -> None:
    history = events.read("nobody")
    clock = value(events.conn, sql.SQL("select clock_timestamp()"))
    assert list(history.events) == [] and timedelta(0) <= clock - history.now < timedelta(seconds=5)


@pytest.mark.parametrize("text", ["ñandú", "שלום", "🂡", "a\u0000b", 'quo"te\\', "\n\t", "\u2028", "", "%s :x {y}"])
def test_any_text_survives_as_it_was_hashed(events: Events, stream: str, text: str) -> None:
    append(events, stream, Event("opened", {"z": text, "a": [text, None, 1, True]}), Event("left", {"who": text}))
    first, second = events.read(stream).events
    assert (first.data, second.data) == ({"z": text, "a": [text, None, 1, True]}, {"who": text})
    assert list(first.data) == ["z", "a"]
    assert chain_faults(events.conn, stream) == []


def test_each_hash_is_the_sha256_of_the_one_before_and_the_stored_text(events: Events, stream: str) -> None:
    append(events, stream, Event("opened", {"host": "ñ"}), moved("7H"))
    append(events, stream, moved("8H"))
    texts = [
        '{"type":"opened","host":"ñ"}',
        '{"type":"moved","seat":0,"move":"7H"}',
        '{"type":"moved","seat":0,"move":"8H"}',
    ]
    link, links = sha256(b"tapete\0" + stream.encode()).digest(), []
    for text in texts:
        link = sha256(link + text.encode()).digest()
        links.append(link.hex())
    assert [event.hash for event in events.read(stream).events] == links
    query = "select text from event where stream_id = %s order by version"
    assert [text for (text,) in events.conn.execute(query, [stream])] == texts


def test_a_read_leaves_out_earlier_deals_but_the_first_dealt_and_every_score(events: Events, stream: str) -> None:
    append(events, stream, Event("opened", {}), *deal(1), *deal(2), Event("dealt", {"deal": 3}), moved(), moved())
    everything = [*range(1, 15)]
    assert versions(events.read_all(stream)) == everything
    assert versions(events.read(stream)) == [1, 2, 6, 11, 12, 13, 14]
    assert versions(events.read_all(stream, through=6)) == everything[:6]
    assert versions(events.read_all(stream, through=0)) == []


def test_the_words_of_the_last_deal_are_read_even_when_it_is_scored(events: Events, stream: str) -> None:
    append(events, stream, Event("opened", {}), *deal(1))
    assert versions(events.read(stream)) == [1, 2, 3, 4, 5, 6]
    append(events, stream, Event("dealt", {"deal": 2}), moved())
    assert versions(events.read(stream)) == [1, 2, 6, 7, 8]
    assert chain_faults(events.conn, stream) == []


def test_of_fair_deals_only_those_are_read_that_are_awaited_or_were_dealt_last(events: Events, stream: str) -> None:
    asked = [Event("committed", {"seed": "00"}), Event("nonce", {"seat": 0}), Event("nonce", {"seat": 1})]
    append(events, stream, Event("opened", {}), *asked)
    assert versions(events.read(stream)) == [1, 2, 3, 4]
    append(events, stream, *deal(1, words=1), *asked)
    assert versions(events.read(stream)) == [*range(1, 11)]
    append(events, stream, *deal(2, words=1), *asked[:2])
    assert versions(events.read(stream)) == [1, 2, *range(7, 16)]
    append(events, stream, Event("dealt", {"deal": 3}), moved())
    assert versions(events.read(stream)) == [1, 2, 7, 13, 14, 15, 16, 17]
    assert events.read_many([stream])[stream].events == events.read(stream).events


def test_many_streams_are_read_at_once_as_each_alone(events: Events) -> None:
    ids = [f"many{number}" for number in range(5)]
    for number, each in enumerate(ids):
        append(events, each, Event("opened", {"n": number}), *deal(1), moved())
    many = events.read_many([*ids, "nobody"])
    assert {each: history.events for each, history in many.items()} == {each: events.read(each).events for each in ids}
    assert all(history.now > history.events[0].at for history in many.values() if history.events[0].at)


def test_the_kinds_of_stream_are_listed_apart(conn: Connection) -> None:
    matches, seasons = Events(conn), Events(conn, "season")
    for each in ("ka", "kb", "kc"):
        append(matches, each, Event("opened", {}), moved())
    append(seasons, "kd", Event("opened", {}))
    assert matches.streams(after="ka", limit=2) == ["kb", "kc"] and seasons.streams() == ["kd"]


LISTED = Listing("polignac", "standard", "open", "public", "p1", ("p1", "p2"))


def test_a_lost_race_says_the_version_and_stores_nothing_of_the_loser(events: Events, stream: str) -> None:
    old = events.read(stream)
    events.append(stream, old, [Event("opened", {}), moved("7H")], [Job(f"clock:{stream}:2")], LISTED)
    late = [Event("opened", {}), moved("8H"), moved("9H")]
    with pytest.raises(StaleVersionError) as lost:
        events.append(stream, old, late, [Job(f"bot_turn:{stream}:3")], replace(LISTED, status="ended"))
    assert (lost.value.stream, lost.value.expected, lost.value.version) == (stream, 0, 2)
    assert [event.data.get("move") for event in events.read(stream).events] == [None, "7H"]
    assert rows_of(events.conn, stream) == (2, 1, 1)
    assert value(events.conn, sql.SQL("select status from match where id = %s"), stream) == "open"


def test_a_lost_race_leaves_the_transaction_around_it_usable(events: Events, stream: str) -> None:
    old = events.read(stream)
    append(events, stream, Event("opened", {}))
    with events.conn.transaction():
        with pytest.raises(StaleVersionError):
            events.append(stream, old, [Event("opened", {})], [], None)
        append(events, stream, moved())
    assert versions(events.read(stream)) == [1, 2]


@pytest.mark.parametrize("width", [1, 3])
def test_of_16_who_append_at_the_same_version_one_wins(pool: Pool, events: Events, stream: str, width: int) -> None:
    # C5
    append(events, stream, Event("opened", {}))
    for _ in range(10):
        old, barrier = events.read(stream), Barrier(16)

        def attempt(seat: int, old: History = old, barrier: Barrier = barrier) -> bool:
            with connection(pool) as own:
                barrier.wait()
                try:
                    key = f"bot_turn:{stream}:{old.version}:{seat}"
                    Events(own).append(stream, old, [moved(seat=seat)] * width, [Job(key)], LISTED)
                except StaleVersionError:
                    return False
            return True

        with ThreadPoolExecutor(16) as threads:
            won = list(threads.map(attempt, range(16)))
        assert won.count(True) == 1
        after = events.read(stream)
        fresh = after.events[old.version :]
        assert [event.data["seat"] for event in fresh] == [won.index(True)] * width
    assert chain_faults(events.conn, stream) == []
    assert rows_of(events.conn, stream) == (1 + 10 * width, 10, 1)


def test_times_never_go_back_within_a_stream(events: Events, stream: str) -> None:
    future = History([], events.read(stream).now + timedelta(hours=1))  # as by a host whose clock was then set right
    events.append(stream, future, [Event("opened", {})], [], None)
    append(events, stream, moved())
    first, second = (event.at for event in events.read(stream).events)
    assert first == second == future.now


def test_a_killed_connection_leaves_nothing_of_its_transaction(
    database_url: str, events: Events, owner: Connection, stream: str
) -> None:
    with (
        pytest.raises(psycopg.OperationalError),
        psycopg.connect(database_url, autocommit=True) as doomed,
        doomed.transaction(),
    ):
        doomed.execute(SESSION)
        append(Events(doomed), stream, Event("opened", {}), jobs=[Job(f"lapse:{stream}")], listing=LISTED)
        owner.execute("select pg_terminate_backend(%s)", [doomed.info.backend_pid])
        doomed.execute("select 1")
    assert rows_of(events.conn, stream) == (0, 0, 0)
    append(events, stream, Event("opened", {}))
    assert versions(events.read(stream)) == [1]


def test_the_row_of_the_list_follows_the_match(events: Events, stream: str) -> None:
    query = "select status, players, created_at, started_at, ended_at from match where id = %s"
    times = []
    for status in ("open", "playing", "playing", "ended", "voided"):
        times.append(events.read(stream).now)
        listing = Listing("polignac", "standard", status, "private", "p1", ("p1", "p2"), "season 1")
        stored = append(events, stream, moved(), listing=listing)
        times[-1] = stored[0].at
    ((status, players, *found),) = events.conn.execute(query, [stream])
    assert (status, players) == ("voided", ["p1", "p2"])
    assert found == [times[0], times[1], times[3]]


def test_a_job_is_due_at_its_time_and_its_key_makes_one(events: Events, stream: str) -> None:
    due = events.read(stream).now + timedelta(hours=1)
    jobs = [Job(f"bot_turn:{stream}:1"), Job(f"clock:{stream}:1", due)]
    append(events, stream, Event("opened", {}), jobs=jobs)
    append(events, stream, moved(), jobs=jobs)
    query = "select kind, due_at, published_at is null from job where split_part(key, ':', 2) = %s order by kind desc"
    clock, bot = events.conn.execute(query, [stream])
    assert clock == ("clock", due, True)
    assert (bot[0], bot[1] < due, bot[2]) == ("bot_turn", True, False)


GUARDED = ("event", "account", "transfer", "posting")
CHANGES = {
    "update": sql.SQL("update {} set {} = {}"),
    "delete": sql.SQL("delete from {}"),
    "truncate": sql.SQL("truncate {} cascade"),
}


@pytest.mark.parametrize("role", ["application", "owner", "owner as a replica"])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("table", GUARDED)
def test_append_only_tables_refuse_every_change(
    conn: Connection, owner: Connection, table: str, change: str, role: str
) -> None:
    if role == "owner as a replica":
        owner.execute("set session_replication_role = replica")
    column = sql.Identifier("text" if table == "event" else "id" if table != "posting" else "account")
    names = [sql.Identifier(table), column, column] if change == "update" else [sql.Identifier(table)]
    refusing = conn if role == "application" else owner
    reason = "permission denied" if role == "application" else f"{change} of .* is refused"
    with pytest.raises(errors.InsufficientPrivilege, match=reason):
        refusing.execute(CHANGES[change].format(*names))


def test_the_application_may_not_lift_the_guard(conn: Connection) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        conn.execute("alter table event disable trigger event_is_append_only")


@pytest.fixture
def tampered(owner: Connection) -> Iterator[Tampering]:
    """Changes events as only somebody with the server in his hands can."""
    owner.execute("alter table event disable trigger event_is_append_only")
    yield owner.execute
    owner.execute("alter table event enable always trigger event_is_append_only")


@pytest.mark.parametrize(
    ("what", "change", "faults"),
    [
        ("a changed byte", "update event set text = replace(text, '7H', '8H')", [(3, "hashed")]),
        ("a changed hash", "update event set hash = sha256('x')", [(3, "hashed"), (4, "another")]),
        ("a rewritten event", "update event set text = '{}', hash = sha256(prev_hash || '{}')", [(4, "another")]),
        ("a changed type", "update event set type = 'left'", [(3, "stored as left")]),
        ("a lost event", "delete from event", [(3, "missing")]),
    ],
)  # fmt: skip
def test_tampering_is_found_at_its_version_and_in_no_other_stream(
    events: Events, tampered: Tampering, stream: str, what: str, change: str, faults: list[tuple[int, str]]
) -> None:
    # C24
    for each in (stream, stream + "x"):
        append(events, each, Event("opened", {}), moved(), moved("7H"), moved(), moved())
    tampered(f"{change.replace('{}', json.dumps({'type': 'moved'}))} where stream_id = '{stream}' and version = 3")
    found = chain_faults(events.conn, stream)
    assert [fault.version for fault in found] == [version for version, _ in faults], what
    assert all(part in fault.what for fault, (_, part) in zip(found, faults, strict=True)), found
    assert all(isinstance(fault, Fault) for fault in found)
    assert chain_faults(events.conn, stream + "x") == []


def test_a_read_planned_while_the_table_was_small_touches_no_words_of_earlier_deals(
    database: str,
) -> None:
    with db.pool(database, size=1) as pool, connection(pool) as conn:
        events = Events(conn)
        append(events, "m", Event("opened", {}), *deal(1))
        with psycopg.connect(database, autocommit=True) as own:
            own.execute("analyze event")
        conn.execute(f"prepare read (text) as {READ.replace('%(stream)s', '$1')}")
        conn.execute("execute read ('m')")
        append(events, "m", *(event for number in range(30) for event in deal(number, words=32)))
        for number in range(20):
            append(events, f"m{number}", Event("opened", {}), *deal(1, words=50))
        (plan,) = value(conn, sql.SQL("explain (analyze, format json) execute read ('m')"))
    assert touched(plan["Plan"]) < 200, json.dumps(plan, indent=1)


def touched(node: dict[str, Any]) -> float:
    """Rows that the scans below a node of a plan looked at."""
    scanned = node["Actual Rows"] + node.get("Rows Removed by Filter", 0) if "Relation Name" in node else 0
    return float(scanned * node["Actual Loops"]) + sum(touched(each) for each in node.get("Plans", []))
