"""Ledgers and ratings that were tampered with: found by `tapete audit`, and at night. Beside it: store/audits.py."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from api.audit import faults
from domain import season_decide
from domain.event import Job
from domain.scoring import Posting, Transfer
from store import audits, db, jobs, ledger
from store.audits import Stream
from tests.workers.seasons import Club, work_all
from tests.workers.tables import BOT, keys, opened, state
from workers import audit
from workers.work import work_off

DAY = "2026-11-30"


@pytest.fixture
def owner(database: str) -> Iterator[db.Connection]:
    """The database of one test, as its owner, who may tamper with it."""
    with psycopg.connect(database, autocommit=True) as conn:
        for table in ("event", "transfer", "posting"):
            conn.execute(f"alter table {table} disable trigger all")
        yield conn


@pytest.fixture
def club(owner: db.Connection) -> Club:
    """A club that has played a table and closed its season."""
    club = Club(owner)
    (table,) = club.draw(owner, ["m0", "m1", "m2"])
    club.play(owner, table)
    work_all(owner)
    club.decide(owner, lambda s: season_decide.adjust(s, club.organiser, "a", "m0", "penalty", -60, "n"))
    club.decide(owner, lambda s: season_decide.close(s, club.organiser))
    work_all(owner)
    return club


def whole_night(conn: db.Connection, day: str = DAY) -> audits.Night:
    """All jobs of a night's audit, one after the other."""
    conn.execute("delete from job where kind = 'audit'")
    conn.execute("delete from ledger_audit")
    jobs.add(conn, [Job(f"audit:{day}:")])
    while due := jobs.awaited(conn, f"audit:{day}:"):
        for key in due:
            work_off(conn, key)
    return audits.last(conn)


def test_what_is_sound_has_no_faults_by_day_and_by_night(owner: db.Connection, club: Club) -> None:
    streams = audits.streams(owner)
    assert {stream.kind for stream in streams} == {"match", "season"}
    assert [faults(owner, stream.id) for stream in streams] == [[], []]
    assert audits.pool_faults(owner) == []
    assert whole_night(owner)[1:] == (2, 0)


def test_a_line_that_was_changed_removed_or_added_in_a_seasons_ledger_is_found(
    owner: db.Connection, club: Club
) -> None:
    owner.execute("update posting set amount = amount + 60 where member = 'm1'")
    bank = [f"season:{club.season}:bank"]
    owner.execute("update posting set amount = amount - 60 where account = %s and amount < 0", bank)
    assert len(faults(owner, club.season)) == 1
    owner.execute("update posting set amount = amount + 1 where account = %s and amount > 0", bank)
    found = [fault.what for fault in faults(owner, club.season)]
    assert ["placement" in what and " instead of " in what for what in found] == [True, False]
    gift = (Posting("a", -1), Posting("b", 1))
    now = club.state(owner).now
    ledger.post(owner, [Transfer("gift", "bonus", club.season, 3, "kindness", gift, 60, now)])
    assert any("follows from no event" in fault.what for fault in faults(owner, club.season))
    assert whole_night(owner)[1:] == (2, 1)


def test_lines_that_a_job_will_still_post_are_no_fault_and_those_of_a_dead_one_are(
    owner: db.Connection, club: Club
) -> None:
    club.decide(owner, lambda s: season_decide.adjust(s, club.organiser, "b", "m1", "bonus", 30, "n"))
    assert faults(owner, club.season) == []
    owner.execute("update job set state = 'dead' where state = 'due'")
    (fault,) = faults(owner, club.season)
    assert "the ledger lacks bonus adjustment:b (-30" in fault.what
    assert whole_night(owner).faults == 1


def test_a_result_that_rates_as_another_and_a_rating_that_nobody_earned_are_found(
    owner: db.Connection, club: Club
) -> None:
    owner.execute("update rating set mu = mu + 1 where matches = 1 and subject = %s", [f"player:{club.players[0]}"])
    ((game, what),) = audits.pool_faults(owner)
    assert game == "polignac" and club.players[0] in what
    owner.execute("update rated set places = '{3, 1, 1}'")
    assert ["rates as" in fault.what for fault in faults(owner, club.season)] == [True]


def test_sums_that_a_season_was_closed_with_are_held_against_its_results(owner: db.Connection, club: Club) -> None:
    owner.execute(
        "update event set text = replace(text, '\"m0\":480', '\"m0\":481') where stream_id = %s", [club.season]
    )
    assert any(fault.what.startswith("closed with") for fault in faults(owner, club.season))


def test_a_night_goes_on_where_it_was_and_counts_each_stream_once(
    owner: db.Connection, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        outcome = opened(owner, BOT, {"bot": "random"}, BOT, deals=1)
        assert keys(outcome)
    monkeypatch.setattr(audit, "GO_SECONDS", 0.0)  # one stream a job
    assert whole_night(owner)[1:] == (5, 0)
    assert len(owner.execute("select from job where kind = 'audit'").fetchall()) == 6
    for key in [key for (key,) in owner.execute("select key from job where kind = 'audit'")]:
        assert work_off(owner, key) == [] and state(owner, key) == "done"
    assert audits.last(owner)[1:] == (5, 0)


def test_tonight_is_written_once_and_due_at_night(owner: db.Connection) -> None:
    audits.tonight(owner)
    audits.tonight(owner)
    rows = owner.execute(
        "select split_part(key, ':', 2)::date, (due_at at time zone 'utc')::date,"
        " extract(hour from due_at at time zone 'utc') from job where kind = 'audit'"
    ).fetchall()
    assert len(rows) == 1 and rows[0][0] == rows[0][1] and rows[0][2] == audits.NIGHT_HOUR


def test_events_that_cannot_be_read_are_counted_and_the_night_goes_on(owner: db.Connection, club: Club) -> None:
    owner.execute("update event set text = '{' where stream_id = %s and version = 2", [club.season])
    assert audits.ledger_faults(owner, Stream(club.season, "season"))[0].version == 0
    assert whole_night(owner)[1:] == (2, 1)
