"""The ledger: what is posted stays, once, and sums to zero. Beside it: store/ledger.py."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from threading import Barrier

import pytest
from psycopg import errors

from domain.event import Event, Listing
from domain.scoring import Posting, Transfer
from store import ledger
from store.db import Connection, Pool, connection
from store.events import Events
from store.ledger import LedgerConflictError

numbers = count(1)


@pytest.fixture
def match() -> str:
    """An id that no other test has."""
    return f"m{next(numbers)}"


def transfer(match: str, version: int, *amounts: int) -> Transfer:
    """One that gives each seat so many points from the bank."""
    lines = [Posting(f"{match}:seat:{seat}", points, seat, f"p{seat}") for seat, points in enumerate(amounts)]
    bank = Posting(f"{match}:bank", -sum(amounts), member="m1")
    return Transfer(f"{match}/{version}", "game", match, version, "jack of spades", (bank, *lines))


def test_what_is_posted_is_read_back_and_adds_up(conn: Connection, match: str) -> None:
    played_at = datetime(2026, 3, 1, 22, 10, tzinfo=UTC)
    line_of_season = replace(transfer(match, 9, 0, -4), kind="reversal", scale=60, effective_at=played_at)
    posted = [transfer(match, 5, 2, 0, 1), line_of_season]
    ledger.post(conn, posted)
    assert ledger.transfers_of(conn, match) == posted
    assert ledger.balances(conn, match) == {
        f"{match}:bank": 1,
        f"{match}:seat:0": 2,
        f"{match}:seat:1": -4,
        f"{match}:seat:2": 1,
    }


def test_the_same_transfer_twice_is_posted_once(conn: Connection, match: str) -> None:
    first, second = transfer(match, 5, 2, 1), transfer(match, 9, 3)
    ledger.post(conn, [first, first])
    ledger.post(conn, [second, first])
    assert ledger.transfers_of(conn, match) == [first, second]
    assert ledger.balances(conn, match)[f"{match}:seat:0"] == 5


OTHERS: dict[str, Callable[[Transfer], Transfer]] = {
    "other points": lambda old: transfer(old.match, old.version, 2, 2),
    "another reason": lambda old: replace(old, reason="capot"),
    "another kind": lambda old: replace(old, kind="result"),
    "another cause": lambda old: replace(old, version=6),
    "another match": lambda old: replace(old, match="elsewhere"),
    "another scale": lambda old: replace(old, scale=60),
    "fewer lines": lambda old: replace(old, postings=()),
    "another player": lambda old: replace(old, postings=(*old.postings[:2], replace(old.postings[2], player="p9"))),
    "another order": lambda old: replace(old, postings=old.postings[::-1]),
}


@pytest.mark.parametrize("other", OTHERS)
def test_the_same_id_with_another_content_is_an_error_and_posts_nothing(
    conn: Connection, match: str, other: str
) -> None:
    stored, fresh = transfer(match, 5, 2, 1), transfer(match, 9, 7)
    ledger.post(conn, [stored])
    with pytest.raises(LedgerConflictError):
        ledger.post(conn, [fresh, OTHERS[other](stored)])
    with pytest.raises(LedgerConflictError):
        ledger.post(conn, [fresh, replace(fresh, reason="capot")])
    assert ledger.transfers_of(conn, match) == [stored]


def test_a_transfer_without_lines_is_kept_too(conn: Connection, match: str) -> None:
    empty = replace(transfer(match, 5), postings=())
    for _ in range(2):
        ledger.post(conn, [empty])
    assert ledger.transfers_of(conn, match) == [empty]


def test_workers_who_post_the_same_at_once_post_it_once(pool: Pool, conn: Connection, match: str) -> None:
    # C13
    posted, barrier = [transfer(match, version, 1, 2, 3) for version in range(1, 6)], Barrier(8)

    def work(_: int) -> None:
        with connection(pool) as own:
            barrier.wait()
            ledger.post(own, posted)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    assert ledger.transfers_of(conn, match) == posted


def test_points_that_do_not_sum_to_zero_are_refused(conn: Connection, match: str) -> None:
    # C34
    crooked = Transfer("crooked", "game", match, 1, "theft", (Posting("a", 3), Posting("b", -2)))
    with pytest.raises(errors.CheckViolation, match="sums to 1, not to zero"):
        ledger.post(conn, [transfer(match, 2, 1), crooked])
    assert ledger.transfers_of(conn, match) == [] and ledger.balances(conn, match) == {}


def test_lines_written_one_by_one_are_judged_when_all_are_in(conn: Connection, match: str) -> None:
    ledger.post(conn, [transfer(match, 5, 2)])
    query = """
    insert into posting (transfer, line, account, amount)
    select seq, %s, %s, %s from transfer where match = %s
    """
    with conn.transaction():
        conn.execute(query, [7, f"{match}:bank", -3, match])
        conn.execute(query, [8, f"{match}:seat:0", 3, match])
    assert ledger.balances(conn, match) == {f"{match}:bank": -5, f"{match}:seat:0": 5}


@pytest.mark.parametrize("role", ["application", "owner"])
def test_a_raw_line_beside_the_ledgers_own_is_refused_when_the_transaction_ends(
    conn: Connection, owner: Connection, match: str, role: str
) -> None:
    ledger.post(conn, [transfer(match, 5, 2)])
    own = conn if role == "application" else owner
    with pytest.raises(errors.CheckViolation), own.transaction():
        own.execute(
            """
            insert into posting (transfer, line, account, amount)
            select seq, 9, %s, 1 from transfer where match = %s
            """,
            [f"{match}:bank", match],
        )
    assert ledger.balances(conn, match) == {f"{match}:bank": -2, f"{match}:seat:0": 2}


def test_a_transfer_takes_effect_when_its_cause_was_recorded(conn: Connection, match: str) -> None:
    events = Events(conn)
    (event,) = events.append(match, events.read(match), [Event("scored", {})], [], None)
    ledger.post(conn, [transfer(match, 1, 4)])
    (entry,) = ledger.of_match(conn, match, limit=10)
    assert entry.effective_at == event.at and entry.recorded_at > entry.effective_at


def test_pages_of_a_match_go_from_the_newest_back_and_each_line_comes_once(conn: Connection, match: str) -> None:
    posted = [transfer(match, version, version, 1) for version in range(1, 24)]
    ledger.post(conn, posted[:20])
    found = page = ledger.of_match(conn, match, limit=7)
    ledger.post(conn, posted[20:])
    while page:
        page = ledger.of_match(conn, match, 7, after=page[-1].seq)
        found = found + page
    assert [entry.transfer for entry in found] == posted[19::-1]


def listed(conn: Connection, match: str, visibility: str, players: Sequence[str]) -> None:
    events = Events(conn)
    listing = Listing("polignac", "standard", "ended", visibility, "host", tuple(players))
    events.append(match, events.read(match), [Event("opened", {})], [], listing)


@pytest.mark.parametrize(
    ("viewer", "seen"),
    [
        (None, ["public"]),
        ("stranger", ["public"]),
        ("p1", ["private", "unlisted", "public"]),
        ("host", ["private", "unlisted", "public"]),
    ],
)
def test_of_a_players_lines_others_see_those_of_public_matches(
    conn: Connection, match: str, viewer: str | None, seen: list[str]
) -> None:
    player = f"{match}-player"
    for visibility in ("public", "unlisted", "private"):
        listed(conn, f"{match}-{visibility}", visibility, [player, "p1"])
        line = Posting("a", 2, 0, player), Posting("b", -2)
        ledger.post(conn, [Transfer(f"{match}-{visibility}", "game", f"{match}-{visibility}", 1, "x", line)])
    found = page = ledger.of_player(conn, player, viewer, limit=2)
    if page:
        found = page + ledger.of_player(conn, player, viewer, limit=2, after=page[-1].seq)
    assert [entry.transfer.match.removeprefix(f"{match}-") for entry in found] == seen
    assert all(len(entry.transfer.postings) == 2 for entry in found)


def test_a_transfer_with_two_lines_of_a_player_comes_once(conn: Connection, match: str) -> None:
    listed(conn, match, "public", [])
    lines = (Posting("a", 2, 0, f"{match}-p"), Posting("b", 1, 1, f"{match}-p"), Posting("c", -3))
    posted = [Transfer(f"{match}/{number}", "game", match, number, "x", lines) for number in (1, 2, 3)]
    ledger.post(conn, posted)
    assert [entry.transfer for entry in ledger.of_player(conn, f"{match}-p", None, limit=3)] == posted[::-1]


def test_a_page_of_one_ledger_reads_nothing_of_the_others(conn: Connection, owner: Connection, match: str) -> None:
    """Postgres counts what it reads; a plan for the mean of all matches would have read them through."""
    ledger.post(conn, [transfer(match, version, 1, 2) for version in range(60)])
    for number in range(3):
        ledger.post(conn, [transfer(f"{match}-{number}", version, 1, 2) for version in range(3000)])
    owner.execute("analyze transfer, posting")
    for read, most in (
        (lambda: ledger.of_match(conn, match, 20), 60),
        (lambda: ledger.transfers_of(conn, match), 180),
        (lambda: ledger.balances(conn, match), 180),
    ):
        with conn.transaction():
            before = _fetched(conn)
            assert read()
            fetched = _fetched(conn) - before
        assert most <= fetched <= 2 * most


def _fetched(conn: Connection) -> int:
    query = """
    select sum(idx_tup_fetch + seq_tup_read)::int from pg_stat_xact_user_tables where relname = 'posting'
    """
    ((fetched,),) = conn.execute(query)
    return int(fetched)
