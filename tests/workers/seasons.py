"""Seasons to work on: a club with a league in the database, tables played in a moment, everything worked off."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import Any

from domain import play, season_decide, season_play, season_rounds
from domain.ratings import Rated, ratings, said_in
from domain.season import Season, fold
from domain.season_decide import Caller
from domain.season_scoring import season_transfers, sums
from store import leagues, ledger
from store import ratings as stored
from store.db import Connection
from store.events import Events, chain_faults
from tests.workers.tables import draw, wait_for
from workers.work import work_off


def seasons(conn: Connection) -> Events:
    return Events(conn, "season")


class Club:
    """A league with one season; `players` are accounts in name only, one a member: m0 is p0's."""

    def __init__(self, conn: Connection, members: int = 6, visibility: str = "public", **asked: Any) -> None:
        name = token_hex(4)
        self.league, self.season, self.organiser = f"l{name}", f"s{name}", Caller(f"o{name}", True)
        self.players = [f"p{number}-{name}" for number in range(members)]
        leagues.create(conn, self.league, "Club", "polignac", "polignac", {}, visibility, str(self.organiser.player))
        leagues.add_season(conn, self.season, self.league, "First")

        def opening(s: Season) -> None:
            season_decide.open_season(
                s, self.organiser, league=self.league, game="polignac", lot="5eed", options={"deals": 4}, **asked
            )
            for number, player in enumerate(self.players):
                season_decide.add_member(s, self.organiser, f"m{number}", player)

        season_play.opened(seasons(conn), self.season, opening)
        for number, player in enumerate(self.players):
            leagues.add_member(conn, self.season, f"m{number}", player, None)

    def decide(self, conn: Connection, decision: Callable[[Season], object]) -> season_play.Outcome:
        return season_play.decided(seasons(conn), self.season, decision)

    def state(self, conn: Connection) -> Season:
        return season_play.load(seasons(conn), self.season)

    def draw(self, conn: Connection, *tables: list[str]) -> list[str]:
        """A round by hand; the ids of its tables."""
        outcome = self.decide(
            conn, lambda s: season_rounds.draw(s, self.organiser, pairing="manual", tables=list(tables))
        )
        return list(outcome.season.rounds[max(outcome.season.rounds)].tables)

    def open(self, conn: Connection, table: str, **terms: Any) -> str:
        """The table's match, with everybody seated."""
        match = token_hex(8)
        with conn.transaction():
            _, outcome = season_play.open_table(
                seasons(conn), Events(conn), self.season, table, self.organiser, match, terms, draw
            )
        for seat in outcome.match.seats:
            play.sit(Events(conn), match, str(seat.player), None, None, draw)
        return match

    def play(self, conn: Connection, table: str, **terms: Any) -> str:
        """A match of the table that ends because all but its first player resign."""
        match = self.open(conn, table, **terms)
        finish(conn, match)
        return match


def finish(conn: Connection, match: str) -> None:
    for seat in play.load(Events(conn), match).seats[1:]:
        play.resign(Events(conn), match, str(seat.player), None)


def due(conn: Connection) -> list[str]:
    """Jobs that may be worked off, in no order that means anything."""
    query = "select key from job where state = 'due' and due_at <= now() and kind in ('tally', 'season', 'ratings')"
    return [key for (key,) in conn.execute(query)]


def work_all(conn: Connection) -> int:
    """Everything that is due, and what follows from it; how many jobs that were."""
    done = 0
    while keys := due(conn):
        for key in keys:
            work_off(conn, key)
            done += 1
    return done


def settled(conn: Connection) -> None:
    """Wait until others have worked everything off."""
    query = "select from job where state in ('due', 'leased') and kind in ('tally', 'season', 'ratings')"
    wait_for(lambda: not conn.execute(query).fetchone())


def sound(conn: Connection, season: str) -> Season:
    """The season, after its chain, its ledger and its part in the ratings were held against its events."""
    events = seasons(conn).read_all(season).events
    s = fold(season, events)
    assert chain_faults(conn, season) == []
    posted, rebuilt = ledger.transfers_of(conn, season), season_transfers(season, events)
    assert sorted(posted, key=str) == sorted(rebuilt, key=str), "the ledger is not the rebuild"
    balances = ledger.balances(conn, season)
    held = {member: balances.get(f"season:{season}:member:{member}", 0) for member in s.members}
    assert held == sums(s), "the standings do not add up to the ledger"
    assert {name: (r, v) for v, r in said_in(s) for name in [r.id]} == stored.noted(conn, season)
    return s


def rated_as_folded(conn: Connection, game: str = "polignac") -> dict[str, tuple[float, float, int]]:
    """The stored ratings, which are those of one fold over all results."""
    results: list[Rated] = stored.whole(conn, game)
    pool = ratings(results).get(game, {})
    found = stored.stored(conn, game)
    assert found == {name: (rating.mu, rating.sigma, rating.matches) for name, rating in pool.items()}
    for name, rating in pool.items():
        steps = stored.history(conn, game, name, None, 10_000)
        assert [(s.result, s.ended_at, s.mu, s.sigma) for s in reversed(steps)] == [tuple(s) for s in rating.history]
    return found
