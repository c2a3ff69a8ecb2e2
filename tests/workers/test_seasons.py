"""What the end of a match means for its season: once, in any order, on any number of workers. Beside it: seasons.py."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg

from domain import play, season_decide, season_results
from domain.season_results import Amended
from store import db, jobs, ledger, webhooks
from store.events import Events
from tests.workers.seasons import Club, finish, seasons, settled, sound, work_all
from tests.workers.tables import blocked, state, take_version, wait_for
from workers.work import work_off


def tally_of(conn: db.Connection, match: str) -> str:
    query = "select key from job where kind = 'tally' and split_part(key, ':', 2) = %s order by created_at desc, key"
    ((key,), *_) = conn.execute(query, [match])
    return str(key)


def again(conn: db.Connection, key: str) -> None:
    """The job is due once more, as when its message comes twice and nobody remembers that it is done."""
    conn.execute("update job set state = 'due', due_at = now() where key = %s", [key])


def test_the_end_of_a_match_is_a_result_of_its_season_and_stands_in_the_ledger(conn: db.Connection) -> None:
    club = Club(conn)
    (table,) = club.draw(conn, ["m0", "m1", "m2"])
    match = club.play(conn, table)
    work_all(conn)
    s = sound(conn, club.season)
    assert s.tables[table].status == "done"
    assert s.results[match].now.places == [1, 2, 2]
    held = ledger.balances(conn, club.season)
    assert [held[f"season:{s.id}:member:{member}"] for member in ("m0", "m1", "m2")] == [540, 180, 180]
    assert s.results[match].ended_at == play.load(Events(conn), match).times["ended"]


def test_c13_a_tally_that_comes_twice_late_or_on_twelve_workers_at_once_records_one_result(
    pool: db.Pool, conn: db.Connection
) -> None:
    club = Club(conn)
    (table,) = club.draw(conn, ["m0", "m1", "m2"])
    key = tally_of(conn, club.play(conn, table))

    def work_it_off(_: int) -> None:
        with pool.connection() as own:
            work_off(own, key)

    with ThreadPoolExecutor(12) as threads:
        list(threads.map(work_it_off, range(12)))
    work_all(conn)
    before = seasons(conn).read_all(club.season).version
    again(conn, key)
    work_all(conn)
    assert seasons(conn).read_all(club.season).version == before
    sound(conn, club.season)


def test_c14_a_tally_whose_worker_is_cut_off_before_its_commit_leaves_nothing_and_is_done_by_the_next(
    pool: db.Pool, conn: db.Connection
) -> None:
    club = Club(conn)
    (table,) = club.draw(conn, ["m0", "m1", "m2"])
    match = club.play(conn, table)
    key = tally_of(conn, match)
    version = club.state(conn).version
    with pool.connection() as other, pool.connection() as victim, ThreadPoolExecutor(1) as threads:
        ((pid,),) = victim.execute("select pg_backend_pid()")
        with other.transaction(force_rollback=True):
            take_version(other, club.season, version + 1)
            cut = threads.submit(work_off, victim, key)
            wait_for(lambda: blocked(conn) == 1)
            with psycopg.connect(conn.info.dsn, password=conn.info.password, autocommit=True) as owner:
                owner.execute("select pg_terminate_backend(%s)", [pid])
            assert cut.exception() is not None
    assert match not in club.state(conn).results and ledger.transfers_of(conn, match) == []
    conn.execute("update job set leased_until = now() - interval '1 second' where key = %s", [key])
    work_off(conn, key)
    work_all(conn)
    assert match in sound(conn, club.season).results


def test_c14_what_was_committed_before_the_worker_died_is_not_done_again(conn: db.Connection) -> None:
    club = Club(conn)
    (table,) = club.draw(conn, ["m0", "m1", "m2"])
    match = club.play(conn, table)
    work_off(conn, tally_of(conn, match))  # and its messages are never published
    assert any(key.startswith(f"season:{club.season}:") for key in jobs.awaited(conn, "season:"))
    work_all(conn)
    sound(conn, club.season)


def test_a_match_that_is_voided_after_its_result_takes_its_points_back(conn: db.Connection) -> None:
    club = Club(conn)
    (table,) = club.draw(conn, ["m0", "m1", "m2"])
    match = club.play(conn, table)
    work_all(conn)
    play.void(Events(conn), match, str(club.organiser.player), None)
    work_all(conn)
    s = sound(conn, club.season)
    assert s.results[match].now.void and s.tables[table].status == "done"
    assert not any(ledger.balances(conn, club.season).values())


def test_a_void_that_overtakes_the_end_frees_the_table_whichever_comes_first(conn: db.Connection) -> None:
    for order in (0, 1):
        club = Club(conn)
        (table,) = club.draw(conn, ["m0", "m1", "m2"])
        match = club.play(conn, table)
        first = tally_of(conn, match)
        play.void(Events(conn), match, str(club.organiser.player), None)
        (second,) = [key for key in jobs.awaited(conn, f"tally:{match}:") if key != first]
        for key in (first, second) if order else (second, first):
            work_off(conn, key)
        work_all(conn)
        s = sound(conn, club.season)
        assert match not in s.results and s.tables[table].match is None and s.tables[table].status == "open"
        assert club.play(conn, table) != match
        work_all(conn)
        assert len(sound(conn, club.season).results) == 1


def test_a_match_that_never_filled_leaves_its_table_open(conn: db.Connection) -> None:
    club = Club(conn)
    (table,) = club.draw(conn, ["m0", "m1", "m2"])
    match = club.open(conn, table)
    decision = play.lapse(Events(conn), match)
    assert decision is None, "it is full"
    play.void(Events(conn), match, str(club.organiser.player), None)
    work_all(conn)
    assert sound(conn, club.season).tables[table].match is None


def test_a_match_whose_season_is_not_here_is_tallied_all_the_same(conn: db.Connection) -> None:
    from tests.workers.tables import HOST, draw

    seats = [{"player": HOST}, {"player": "b"}, {"player": "c"}]
    proposal = play.Proposal("polignac", seats, rated=True, season="elsewhere", table="1-1")
    match = play.open_match(Events(conn), "from-elsewhere", HOST, proposal, draw).match.id
    for player in ("b", "c"):
        play.sit(Events(conn), match, player, None, None, draw)
    finish(conn, match)
    work_all(conn)
    assert state(conn, tally_of(conn, match)) == "done"


def test_two_tables_that_end_at_once_are_two_results(pool: db.Pool, conn: db.Connection) -> None:
    club = Club(conn, 12)
    tables = club.draw(conn, *[[f"m{n}", f"m{n + 1}", f"m{n + 2}"] for n in (0, 3, 6, 9)])
    keys = [tally_of(conn, club.play(conn, table)) for table in tables]

    def work_it_off(key: str) -> None:
        with pool.connection() as own:
            work_off(own, key)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work_it_off, keys))
    work_all(conn)
    settled(conn)
    assert len(sound(conn, club.season).results) == 4


def test_members_and_organisers_are_told_once_of_a_result_and_of_the_table(conn: db.Connection) -> None:
    club = Club(conn)
    (table,) = club.draw(conn, ["m0", "m1", "m2"])
    listeners = {"m3's": club.players[3], "the organiser's": str(club.organiser.player), "a stranger's": "stranger"}
    hooks = {}
    for whose, player in listeners.items():
        conn.execute("insert into player (id, name) values (%s, 'X')", [player])
        hook = webhooks.create(conn, f"h-{player}", player, "https://e.org/", ["result", "standings"], bytes(32), 10)
        assert hook
        hooks[whose] = hook.id
    match = club.play(conn, table)
    work_all(conn)
    for key in [key for (key,) in conn.execute("select key from job where kind = 'season'")]:
        again(conn, key)
    work_all(conn)

    def told(whose: str) -> list[str]:
        query = "select type from delivery where webhook = %s order by seq"
        return [kind for (kind,) in conn.execute(query, [hooks[whose]])]

    assert told("m3's") == told("the organiser's") == ["result", "standings"]
    assert told("a stranger's") == []
    club.decide(conn, lambda s: season_results.correct(s, club.organiser, match, Amended(points=[2, 1, 0]), "n"))
    club.decide(conn, lambda s: season_decide.adjust(s, club.organiser, "a", "m0", "penalty", -60, "n"))
    work_all(conn)
    assert told("m3's") == ["result", "standings"] * 2 + ["standings"]
    sound(conn, club.season)
