"""`tapete audit` on matches that somebody tampered with, in a real Postgres. Case C24. Beside it: api/audit.py."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from secrets import token_bytes, token_hex

import psycopg
import pytest
from click.testing import CliRunner

from api.audit import faults
from api.cli import main
from domain import play, scoring
from domain.event import Event
from domain.match import Match
from store import db, jobs, ledger
from store.events import Events

draw = partial(token_bytes, 32)


@pytest.fixture
def conn(database: str) -> Iterator[db.Connection]:
    """The database of one test, as its owner, who may tamper with it."""
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute("alter table event disable trigger all")
        yield conn


def played(conn: db.Connection, *, tallied: bool = True) -> Match:
    """A match of one deal, played to its end."""
    proposal = play.Proposal("polignac", [{"bot": "rule"}] * 4, options={"deals": 1})
    outcome = play.open_match(Events(conn), token_hex(8), "host", proposal, draw)
    while not outcome.match.over:
        decision = play.bot_turn(Events(conn), outcome.match.id, outcome.match.version, draw)
        assert decision
        outcome = decision.commit(Events(conn))
    if tallied:
        (key,) = [job.key for job in outcome.jobs if job.kind == "tally"]
        lease = jobs.lease(conn, key, 60)
        assert lease
        ledger.post(conn, due(conn, outcome.match))
        jobs.finish(conn, lease)
    return outcome.match


def due(conn: db.Connection, m: Match) -> list[scoring.Transfer]:
    return scoring.transfers(m.id, Events(conn).read_all(m.id).events)


def test_sound_matches_end_with_0(conn: db.Connection, database: str) -> None:
    played(conn), played(conn)
    result = CliRunner().invoke(main, ["audit", "--all"], env={"DATABASE_URL": database})
    assert (result.exit_code, result.stdout) == (0, "audited: 2, at fault: 0\n")


def test_c24_a_changed_byte_is_found_with_its_version_and_other_matches_are_unhurt(
    conn: db.Connection, database: str
) -> None:
    bad, good = played(conn), played(conn)
    conn.execute("update event set text = text || ' ' where stream_id = %s and version = 7", [bad.id])
    assert faults(conn, good.id) == []
    assert [fault.version for fault in faults(conn, bad.id)] == [7]
    result = CliRunner().invoke(main, ["audit", "--all"], env={"DATABASE_URL": database})
    assert result.exit_code == 1
    assert bad.id in result.stdout
    assert good.id not in result.stdout
    assert "the text is not the one that was hashed" in result.stdout
    assert result.stdout.endswith("audited: 2, at fault: 1\n")


def test_text_that_is_no_json_any_more_is_a_fault_and_not_a_crash(conn: db.Connection) -> None:
    m = played(conn)
    conn.execute("update event set text = '{' where stream_id = %s and version = 4", [m.id])
    assert [fault.version for fault in faults(conn, m.id)] == [4, 0]


def test_a_word_that_was_not_legal_is_found_though_the_chain_holds(conn: db.Connection) -> None:
    proposal = play.Proposal("polignac", [{"bot": "rule"}] * 4, options={"deals": 1, "declarations": "none"})
    m = play.open_match(Events(conn), token_hex(8), "host", proposal, draw).match
    history = Events(conn).read(m.id)
    seat = m.to_act[0]
    stranger = next(card for card in m.deal.hands[(seat + 1) % 4])
    moved = Event("moved", {"seat": seat, "move": stranger})
    Events(conn).append(m.id, history, [moved], [], None)
    (fault,) = [fault for fault in faults(conn, m.id) if "legal" in fault.what]
    assert fault == (3, f"{stranger!r} was not legal for seat {seat}")


def test_a_transfer_that_is_missing_or_too_many_is_found(conn: db.Connection) -> None:
    lacking, rich = played(conn, tallied=False), played(conn)
    assert faults(conn, lacking.id) == [], "its tally is still to come"
    conn.execute("update job set state = 'dead' where kind = 'tally'")
    assert [fault.version for fault in faults(conn, lacking.id)] == [
        transfer.version for transfer in due(conn, lacking)
    ]
    gift = scoring.Transfer(
        "gift", "game", rich.id, 2, "kindness", (scoring.Posting("bank", -1), scoring.Posting("friend", 1))
    )
    ledger.post(conn, [gift])
    assert faults(conn, rich.id) == [
        (2, "the ledger has game kindness (-1 bank, +1 friend), which follows from no event")
    ]


def test_a_match_that_is_being_played_is_sound(conn: db.Connection) -> None:
    proposal = play.Proposal("polignac", [{"bot": "rule"}, {"open": True}, {"bot": "rule"}])
    assert faults(conn, play.open_match(Events(conn), "waiting", "host", proposal, draw).match.id) == []


def test_an_unknown_match_and_a_database_that_is_away_end_with_1(database: str) -> None:
    result = CliRunner().invoke(main, ["audit", "nowhere"], env={"DATABASE_URL": database})
    assert (result.exit_code, "there is no such match" in result.stdout) == (1, True)
    result = CliRunner().invoke(main, ["audit", "--all"], env={"DATABASE_URL": "postgresql://127.0.0.1:1/none"})
    assert result.exit_code == 1
    assert "the database does not answer" in result.stderr
