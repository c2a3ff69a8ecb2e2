"""Ratings as they are stored: the fold of all results, whatever came when. Beside it: tests/domain/test_ratings.py."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any

import pytest

from domain import play, season_decide, season_results
from domain.ratings import bot_at, person
from domain.season import Season, emit
from domain.season_results import Amended
from domain.standings import Row, standings
from store import db, jobs
from store import ratings as stored
from store.events import Events
from tests.workers.seasons import Club, finish, rated_as_folded, sound, work_all
from tests.workers.tables import BOT, HOST, draw, keys, opened
from workers.work import work_off


def rated_match(conn: db.Connection, match: str, players: list[str], **more: Any) -> str:
    """A match outside of any season that the first of them wins."""
    seats = [{"player": player} for player in players]
    play.open_match(Events(conn), match, players[0], play.Proposal("polignac", seats, rated=True, **more), draw)
    for player in players[1:]:
        play.sit(Events(conn), match, player, None, None, draw)
    finish(conn, match)
    return match


def work(conn: db.Connection, prefix: str) -> None:
    """Every job of this kind that waits by now."""
    for key in jobs.awaited(conn, prefix):
        work_off(conn, key)


def matches_of(conn: db.Connection, player: str) -> int:
    return rated_as_folded(conn).get(person(player), (0.0, 0.0, 0))[2]


def test_rated_matches_and_those_of_seasons_rate_persons_and_unrated_ones_nobody(conn: db.Connection) -> None:
    club = Club(conn, 3)
    (table,) = club.draw(conn, ["m0", "m1", "m2"])
    club.play(conn, table)
    rated_match(conn, "alone", [club.players[0], "x", "y"])
    seats = [{"player": club.players[0]}, {"player": "x"}, {"player": "y"}]
    play.open_match(Events(conn), "unrated", club.players[0], play.Proposal("polignac", seats), draw)
    for player in ("x", "y"):
        play.sit(Events(conn), "unrated", player, None, None, draw)
    finish(conn, "unrated")
    work_all(conn)
    assert [matches_of(conn, player) for player in (*club.players, "x", "y")] == [2, 1, 1, 1, 1]
    pool = rated_as_folded(conn)
    assert pool[person(club.players[0])][0] > pool[person(club.players[1])][0]


def test_bots_alone_have_a_pool_of_their_own_and_with_persons_rate_nobody(conn: db.Connection) -> None:
    outcome = opened(conn, BOT, {"bot": "random"}, BOT, deals=1)
    due = keys(outcome)
    while due:
        due += [job.key for job in work_off(conn, due.pop(0)) if job.due is None]
    work_all(conn)
    pool = rated_as_folded(conn)
    assert {pool[bot_at("rule")][2], pool[bot_at("random")][2]} == {1}
    assert [row.subject for row in stored.ranked(conn, "polignac", "bot", 0, 10)] == sorted(
        [bot_at("rule"), bot_at("random")], key=lambda name: (3 * pool[name][1] - pool[name][0], name)
    )
    mixed = opened(conn, {"player": HOST}, BOT, BOT, deals=1)
    play.resign(Events(conn), mixed.match.id, HOST, None)
    before = rated_as_folded(conn)
    work_all(conn)
    assert rated_as_folded(conn) == before


def test_a_voided_match_takes_its_rating_back_and_who_played_nothing_else_is_no_longer_listed(
    conn: db.Connection,
) -> None:
    club = Club(conn, 3)
    (table,) = club.draw(conn, ["m0", "m1", "m2"])
    match = club.play(conn, table)
    work_all(conn)
    assert matches_of(conn, club.players[2]) == 1
    play.void(Events(conn), match, str(club.organiser.player), None)
    work_all(conn)
    assert all(person(player) not in rated_as_folded(conn) for player in club.players)


def test_c36_a_result_that_comes_late_is_rated_where_it_belongs(conn: db.Connection) -> None:
    club = Club(conn, 3)
    (table,) = club.draw(conn, ["m0", "m1", "m2"])
    match = club.play(conn, table)
    rated_match(conn, "later", club.players[::-1])
    work(conn, "tally:later:")
    work(conn, "ratings:")
    steps = stored.history(conn, "polignac", person(club.players[0]), None, 10)
    assert [step.result for step in steps] == ["later"]
    work(conn, f"tally:{match}:")
    work_all(conn)
    steps = stored.history(conn, "polignac", person(club.players[0]), None, 10)
    assert [(step.result, step.number) for step in steps] == [("later", 2), (match, 1)]
    rated_as_folded(conn)


def test_many_changes_are_made_at_once_and_the_jobs_that_follow_have_nothing_to_do(conn: db.Connection) -> None:
    names = [rated_match(conn, f"burst{number}", [f"b{number % 3}", f"b{3 + number % 2}", "b9"]) for number in range(6)]
    for name in names:
        work(conn, f"tally:{name}:")
    asked = sorted(jobs.awaited(conn, "ratings:polignac:"), key=lambda key: int(key.split(":")[2]))
    assert len(asked) == 6
    work_off(conn, asked[0])
    rated_as_folded(conn)
    ((made,),) = conn.execute("select made from rating_pool where game = 'polignac'")
    work_all(conn)
    ((after,),) = conn.execute("select made from rating_pool where game = 'polignac'")
    assert made == after


def test_c13_a_pool_that_two_make_at_once_is_that_of_the_newest(pool: db.Pool, conn: db.Connection) -> None:
    """Whoever read before the last change, and writes after who read it, writes nothing."""
    rated_match(conn, "first", ["t0", "t1", "t2"])
    work(conn, "tally:first:")
    ((asked,),) = conn.execute("select asked from rating_pool where game = 'polignac'")
    slow = stored.due(conn, "polignac", asked)
    assert slow
    rated_match(conn, "second", ["t2", "t1", "t0"])
    work_all(conn)
    newest = rated_as_folded(conn)
    with conn.transaction():
        assert not stored.make(conn, "polignac", slow, {})
    assert rated_as_folded(conn) == newest


@pytest.mark.parametrize("seed", range(4))
def test_c34_c36_in_any_interleaving_on_two_connections_the_same_ledger_table_and_ratings(
    pool: db.Pool, conn: db.Connection, seed: int
) -> None:
    """Tables are played, corrected, voided and penalised while two workers work off in orders of their own."""
    random = Random(seed)
    club = Club(conn, 9, scheme={"kind": random.choice(["places", "raw", "wins"]), "drop_worst": 1})
    matches: list[str] = []
    over = False

    def worker(number: int) -> None:
        own_random = Random(seed * 10 + number)
        with pool.connection() as own:
            while True:
                last = over
                query = "select key from job where state = 'due' and kind in ('tally', 'season', 'ratings')"
                found = [key for (key,) in own.execute(query)]
                own_random.shuffle(found)
                for key in found[: own_random.randint(1, 4)]:
                    work_off(own, key)
                if last and not found:
                    return

    with ThreadPoolExecutor(2) as threads:
        working = [threads.submit(worker, number) for number in range(2)]
        try:
            for _ in range(3):
                members = random.sample([f"m{number}" for number in range(9)], 9)
                tables = club.draw(conn, *(members[n : n + 3] for n in (0, 3, 6)))
                for table in tables:
                    matches.append(club.play(conn, table))
                    _meddle(conn, club, random, matches)
                while any(table.status == "open" for table in club.state(conn).tables.values()):
                    _abandon_freed(conn, club)
        finally:
            over = True
        for each in working:
            each.result(60)
    work_all(conn)
    s = sound(conn, club.season)
    assert len(s.results) >= 6
    rated_as_folded(conn)
    assert table_of(s) == table_of(in_declared_order(s)), f"seed {seed}"


def in_declared_order(s: Season) -> Season:
    """The same season as if every result had come in order of its end, right at once, and penalties after them."""
    other = Season(s.id, s.now)
    emit(other, "opened", **{**s.opened, "scheme": s.scheme, "tie_breaks": s.tie_breaks})
    for member in sorted(s.members.values(), key=lambda member: member.id):
        emit(other, "member_added", member=member.id, player=member.player, by=None)
    for result in sorted(s.results.values(), key=lambda result: (str(result.ended_at), result.id)):
        if not result.now.void:
            emit(
                other, "result_recorded", result=result.id, source=result.source, table=None, points=result.now.points,
                places=result.now.places, members=[sitting.json() for sitting in result.seats],
                ended_at=result.ended_at.isoformat() if result.ended_at else None,
            )  # fmt: skip
    for made in sorted(s.adjustments.values(), key=lambda made: made.id):
        emit(
            other, "adjusted", adjustment=made.id, member=made.member, kind=made.kind, units=made.units, by=None,
            note="n", effective_at=None,
        )  # fmt: skip
    return other


def table_of(s: Season) -> list[Row]:
    return standings(s).rows


def _abandon_freed(conn: db.Connection, club: Club) -> None:
    """Tables whose match was voided before its result came in wait again; they are given up here."""
    for table in list(club.state(conn).tables.values()):
        if table.status == "open" and table.match is None:
            club.decide(conn, partial(_abandon, club, table.id))


def _abandon(club: Club, table: str, s: Season) -> None:
    season_decide.abandon(s, club.organiser, table, "n")


def _meddle(conn: db.Connection, club: Club, random: Random, matches: list[str]) -> None:
    """A correction, a void, a penalty, another scheme, or nothing."""
    s, chance = club.state(conn), random.random()
    counted = [r for r in s.results.values() if not r.now.void]
    if chance < 0.3 and counted:
        result = random.choice(counted).id
        points = [random.randint(0, 4) for _ in range(3)]

        def correcting(s: Season) -> None:
            if not s.results[result].now.void:
                season_results.correct(s, club.organiser, result, Amended(points=points), "n")

        club.decide(conn, correcting)
    elif chance < 0.5:
        match = random.choice(matches)
        if play.load(Events(conn), match).status != "voided":
            play.void(Events(conn), match, str(club.organiser.player), None)
    elif chance < 0.7:
        name, member = f"a{random.random()}", f"m{random.randint(0, 8)}"
        club.decide(conn, lambda s: season_decide.adjust(s, club.organiser, name, member, "penalty", -60, "n"))
    elif chance < 0.8:
        scheme = {"kind": random.choice(["places", "raw", "wins"])}
        club.decide(conn, lambda s: season_decide.change_scheme(s, club.organiser, scheme, None, "n"))
