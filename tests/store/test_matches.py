"""Finding matches: every filter, every page, everybody's eyes. Beside it: store/matches.py."""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, NamedTuple

import psycopg
import pytest

from domain.event import Event, Listing
from store import matches, watching
from store.db import Connection, Place
from store.events import Events
from store.matches import Filters

START = datetime(2024, 5, 1, 12, tzinfo=UTC)
GAMES, STATUSES, SEASONS = ("polignac", "mykonos"), ("open", "playing", "ended", "voided"), ("s1", "s2", None)
PEOPLE = [f"p{number}" for number in range(6)]


class Row(NamedTuple):
    """A match as the tests know it."""

    id: str
    created_at: datetime
    game: str
    status: str
    visibility: str
    host: str
    players: list[str]
    season: str | None

    def seen_by(self, viewer: str | None) -> bool:
        return self.visibility == "public" or viewer == self.host or viewer in self.players

    def fits(self, filters: Filters) -> bool:
        return (
            filters.game in (None, self.game)
            and filters.status in (None, self.status)
            and (filters.player is None or filters.player in self.players)
            and filters.season in (None, self.season)
            and (filters.since is None or self.created_at >= filters.since)
            and (filters.until is None or self.created_at < filters.until)
        )


def rows(number: int, seed: int) -> list[Row]:
    """So many matches, some created in the same moment."""
    chance = random.Random(seed)
    return [
        Row(
            f"{chance.getrandbits(32):08x}{nth}",
            START + timedelta(seconds=nth // 3),
            chance.choice(GAMES),
            chance.choice(STATUSES),
            chance.choice(["public", "public", "unlisted", "private"]),
            chance.choice(PEOPLE),
            chance.sample(PEOPLE, 3),
            chance.choice(SEASONS),
        )
        for nth in range(number)
    ]


def insert(conn: Connection, *fresh: Row) -> None:
    query = """
    insert into match (id, created_at, game, variant, status, visibility, host, players, season)
    values (%s, %s, %s, 'standard', %s, %s, %s, %s, %s)
    """
    with conn.cursor() as cursor:
        cursor.executemany(query, fresh)


@pytest.fixture(scope="module")
def listed(database_url: str) -> list[Row]:
    """1,000 matches, newest first."""
    known = rows(1000, seed=1)
    with psycopg.connect(database_url, autocommit=True) as conn:
        insert(conn, *known)
        conn.execute("analyze match")
    return sorted(known, key=lambda row: (row.created_at, row.id), reverse=True)


def walk(
    conn: Connection, viewer: str | None, filters: Filters, limit: int, between: Callable[[], Any] = lambda: None
) -> Iterator[str]:
    """Ids of all pages, one after the other; something may happen in between."""
    after: Place | None = None
    while page := matches.page(conn, viewer, filters, limit, after):
        assert len(page) <= limit
        yield from (place.id for place in page)
        after = page[-1]
        between()


FILTERS = [
    Filters(),
    Filters(game="mykonos"),
    Filters(status="open"),
    Filters(player="p2"),
    Filters(season="s1"),
    Filters(since=START + timedelta(seconds=100)),
    Filters(until=START + timedelta(seconds=100)),
    Filters("polignac", "ended", "p1", "s2", START + timedelta(seconds=20), START + timedelta(seconds=300)),
    Filters(game="tarot"),
]


@pytest.mark.parametrize("viewer", [None, "p3", "stranger"])
@pytest.mark.parametrize("filters", FILTERS, ids=str)
def test_every_match_that_may_be_seen_comes_once_newest_first(
    conn: Connection, listed: list[Row], filters: Filters, viewer: str | None
) -> None:
    # C3
    expected = [row.id for row in listed if row.seen_by(viewer) and row.fits(filters)]
    assert list(walk(conn, viewer, filters, limit=7)) == expected
    assert list(walk(conn, viewer, filters, limit=200)) == expected


@pytest.mark.parametrize("limit", [1, 13, 200])
@pytest.mark.parametrize("filters", FILTERS[:5], ids=str)
def test_while_50_are_added_each_old_match_comes_once(
    conn: Connection, owner: Connection, listed: list[Row], filters: Filters, limit: int
) -> None:
    # C29
    serial, chance = count(), random.Random(f"{filters} {limit}")
    old = [row.id for row in listed if row.seen_by("p3") and row.fits(filters)]
    added = [
        row._replace(id=f"new {chance.getrandbits(32)}", created_at=START + timedelta(hours=1)) for row in rows(50, 2)
    ]

    def add() -> None:
        insert(owner, *added[(nth := next(serial)) : nth + 1])

    add()
    found = list(walk(conn, "p3", filters, limit, add))
    owner.execute("delete from match where id = any(%s)", [[row.id for row in added]])
    assert [each for each in found if each in set(old)] == old
    assert len(found) == len(set(found))


def test_what_a_match_appends_is_in_the_list(conn: Connection) -> None:
    events = Events(conn)
    listing = Listing("pot_de_vin", "standard", "open", "private", "eva", ("eva", "ana"))
    (opened,) = events.append("one", events.read("one"), [Event("opened", {})], [], listing)
    filters = Filters(game="pot_de_vin")
    for viewer, seen in ((None, []), ("stranger", []), ("ana", ["one"]), ("eva", ["one"])):
        assert [place.id for place in matches.page(conn, viewer, filters, 10)] == seen
    ((created_at, _),) = matches.page(conn, "eva", filters, 10)
    assert created_at == opened.at


def test_a_code_admits_to_its_match_until_it_expires(conn: Connection) -> None:
    expires_at = matches.invite(conn, "m", "secret", timedelta(hours=1))
    matches.invite(conn, "m", "over", timedelta(0))
    ((now,),) = conn.execute("select now()")
    assert timedelta(minutes=59) < expires_at - now <= timedelta(hours=1)
    assert matches.admitted(conn, "m", "secret")
    assert [matches.admitted(conn, *wrong) for wrong in (("m", "over"), ("m", "Secret"), ("n", "secret"))] == [
        False,
        False,
        False,
    ]
    assert conn.execute("select from invitation where code_hash = 'secret'").fetchone() is None
    assert matches.prune_invitations(conn) == 1 and matches.prune_invitations(conn) == 0
    assert matches.admitted(conn, "m", "secret")


def test_what_is_open_or_played_is_found_by_seat_and_host_through_indexes_of_its_own(
    listed: list[Row], conn: Connection
) -> None:
    found = watching.active(conn, PEOPLE[:2])
    assert sorted(found) == sorted(
        (player, row.id)
        for player in PEOPLE[:2]
        for row in listed
        if row.status in ("open", "playing") and player in (row.host, *row.players)
    )
    plan = conn.execute(f"explain {watching.ACTIVE}", {"players": PEOPLE[:2]}).fetchall()
    assert {"match_active", "match_active_hosted"} <= {word for (line,) in plan for word in line.split()}
