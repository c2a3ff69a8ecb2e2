"""Leagues in rows: who may know of which, names that are erased, codes that hold once. Beside it: store/leagues.py."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import psycopg
import pytest

from store import leagues
from store.db import Connection

numbers = count(1)


@pytest.fixture
def made(conn: Connection) -> tuple[str, str]:
    """A private league of Ana's and its season, with Luis and a guest."""
    league, season = (f"{kind}{next(numbers)}" for kind in ("league", "season"))
    leagues.create(conn, league, "Club", "polignac", "polignac", {}, "private", f"ana of {league}")
    leagues.add_season(conn, season, league, "Spring")
    leagues.add_member(conn, season, "m1", f"luis of {league}", None)
    leagues.add_member(conn, season, "m2", None, "Bea")
    return league, season


def test_a_private_league_is_known_to_organisers_and_members(conn: Connection, made: tuple[str, str]) -> None:
    league, season = made
    for viewer, organises in ((f"ana of {league}", True), (f"luis of {league}", False)):
        found = leagues.get(conn, league, viewer)
        assert found and found.organises is organises
        assert leagues.season(conn, season, viewer)
        assert [each.id for each in leagues.page(conn, viewer, 5)] == [league]
    for stranger in ("eva", None):
        assert leagues.get(conn, league, stranger) is None and leagues.season(conn, season, stranger) is None
        assert league not in [each.id for each in leagues.page(conn, stranger, 200)]


def test_a_guests_name_is_erased_and_his_row_stays(conn: Connection, made: tuple[str, str]) -> None:
    _, season = made
    assert leagues.names(conn, season) == {"m1": None, "m2": "Bea"}
    leagues.forget(conn, season, "m2")
    assert leagues.names(conn, season) == {"m1": None, "m2": None}


def test_a_code_holds_once_and_for_a_time(conn: Connection, made: tuple[str, str]) -> None:
    _, season = made
    leagues.offer(conn, season, "m2", f"old {season}", timedelta(days=1))
    leagues.offer(conn, season, "m2", f"new {season}", timedelta(days=1))
    assert leagues.use(conn, f"old {season}") is None
    assert leagues.use(conn, f"new {season}") == (season, "m2")
    assert leagues.use(conn, f"new {season}") is None
    leagues.offer(conn, season, "m2", f"late {season}", timedelta(0))
    assert leagues.use(conn, f"late {season}") is None


def test_a_player_is_a_member_of_a_season_once(conn: Connection, made: tuple[str, str]) -> None:
    league, season = made
    with pytest.raises(psycopg.errors.UniqueViolation):
        leagues.add_member(conn, season, "m3", f"luis of {league}", None)


@pytest.mark.parametrize("table", ["league", "season", "season_member"])
def test_the_application_deletes_no_league_season_or_member(conn: Connection, table: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(f"delete from {table}")
