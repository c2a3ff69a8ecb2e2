"""Pages of lists: each old row exactly once while rows are added, in every filter and with every limit (C29)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pytest

from domain import play
from domain.scoring import Posting, Transfer
from store import ledger
from store import players as rows
from store.db import Connection
from store.events import Events
from tests.api.described import NOWHERE, Described, operations
from tests.api.http import Client
from tests.api.tables import opened

MANY, ADDED = 1000, 50
OPEN = {"open": True}


@pytest.fixture(scope="module")
def host(anybody: Client) -> Client:
    return anybody.player("Ana")


@pytest.fixture(scope="module")
def guest(anybody: Client) -> Client:
    return anybody.player("Luis")


@pytest.fixture
def matches(conn: Connection, host: Client, guest: Client) -> set[str]:
    """A thousand of them; every fifth with a guest, every fourth of another game, every third started."""
    found = {each["id"] for each in pages(host, "/v1/matches?limit=200")}
    for number in range(len(found), MANY):
        add(conn, host, guest, number)
    return {each["id"] for each in pages(host, "/v1/matches?limit=200")}


def add(conn: Connection, host: Client, guest: Client, number: int) -> str:
    third = {"bot": "rule"} if number % 3 == 0 else {"open": True}
    second = {"player": guest.id} if number % 5 == 0 else {"bot": "random"}
    game = "mykonos" if number % 4 == 0 else "polignac"
    proposal = play.Proposal(game, [{"player": host.id}, second, third])
    match = f"m{number:05}"
    play.open_match(Events(conn), match, host.id, proposal, lambda: bytes(32))
    return match


def pages(client: Client, path: str) -> Iterator[Any]:
    """Every item, page by page, each page asked for when it is needed."""
    cursor = None
    while True:
        page = client.read(path + (f"&cursor={cursor}" if cursor else ""))
        yield from page["items"]
        cursor = page["next"]
        if cursor is None:
            return


FILTERS: list[tuple[str, int]] = [
    ("", 1000),
    ("&game=mykonos", 250),
    ("&status=open", 600),
    ("&status=playing&game=polignac", 300),
    ("&player={guest}", 200),
    ("&status=ended", 0),
    ("&season=none", 0),
]


@pytest.mark.parametrize("limit", [7, 50, 200])
@pytest.mark.parametrize(("filters", "most"), FILTERS)
def test_each_old_row_comes_once_while_rows_are_added(
    conn: Connection, host: Client, guest: Client, matches: set[str], filters: str, most: int, limit: int
) -> None:
    path = f"/v1/matches?limit={limit}" + filters.format(guest=guest.id)
    whole = [each["id"] for each in pages(host, "/v1/matches?limit=200" + filters.format(guest=guest.id))]
    seen, begun = [], len(matches)
    for number, item in enumerate(pages(host, path)):
        seen.append(item["id"])
        if number % 20 == 0 and number // 20 < ADDED and begun + number // 20 < MANY + 21 * ADDED:
            add(conn, host, guest, begun + number // 20)
    assert seen == whole and len(seen) == len(set(seen))
    assert (most == 0) == (not seen)


LISTS = [operation for operation in operations() if "cursor" in operation.query]


def first_page(operation: Described, host: Client) -> str:
    """The path of a list, with what it cannot do without; it ends where another parameter can follow."""
    query = "".join(f"{name}={value}&" for name, value in operation.needed.items())
    return f"{operation.path(player=host.id)}?{query}"


def test_every_list_is_tried() -> None:
    """Whoever adds a list finds its limits and cursors tried here; its pages are for him to try."""
    assert {str(each) for each in LISTS} >= {"GET /v1/matches", "GET /v1/players", "GET /v1/me/tokens"}
    assert all("limit" in each.query for each in LISTS)


@pytest.mark.parametrize("limit", ["0", "-1", "x", "1000000000", "201", "1.0", "", "+5", "٣", "1e2", " 1"])
@pytest.mark.parametrize("operation", LISTS, ids=str)
def test_a_limit_that_is_none_is_refused_by_name(host: Client, operation: Described, limit: str) -> None:
    answer = host.get(f"{first_page(operation, host)}limit={limit}")
    assert (answer.status, answer.code) == (422, "invalid") and list(answer.json["errors"]) == ["limit"]


@pytest.mark.parametrize("cursor", ["", "x", "WyJhIl0.forged", "A" * 5000, "%F0%9F%83%8F", "null"])
@pytest.mark.parametrize("operation", LISTS, ids=str)
def test_a_cursor_that_nobody_gave_out_is_refused(host: Client, operation: Described, cursor: str) -> None:
    answer = host.get(f"{first_page(operation, host)}cursor={cursor}")
    assert answer.code == "forged_cursor" or (answer.code == "not_found" and NOWHERE in answer.json["instance"])


@pytest.mark.parametrize("limit", ["1", "200", "001"])
def test_a_limit_in_bounds_is_taken(host: Client, limit: str) -> None:
    assert len(host.read(f"/v1/matches?limit={limit}")["items"]) <= int(limit)


def test_the_next_page_is_linked(host: Client, matches: set[str]) -> None:
    answer = host.get("/v1/matches?limit=2&status=open")
    link = answer.headers["Link"]
    assert link.startswith("</v1/matches?") and link.endswith('>; rel="next"')
    following = host.get(link[1 : link.index(">")]).json
    both = [each["id"] for each in answer.json["items"] + following["items"]]
    assert both == [each["id"] for each in host.read("/v1/matches?limit=4&status=open")["items"]]


def test_newest_come_first(host: Client, matches: set[str]) -> None:
    times = [each["created_at"] for each in host.read("/v1/matches?limit=200")["items"]]
    assert times == sorted(times, reverse=True)


def test_a_cursor_holds_for_its_own_list_alone(host: Client, matches: set[str]) -> None:
    cursor = host.read("/v1/matches?limit=2&status=open")["next"]
    assert host.get(f"/v1/matches?limit=9&status=open&cursor={cursor}").status == 200
    for path in (
        f"/v1/matches?limit=2&cursor={cursor}",
        f"/v1/matches?limit=2&status=playing&cursor={cursor}",
        f"/v1/players?name=Ana&cursor={cursor}",
        f"/v1/players/{host.id}/ledger?cursor={cursor}",
        f"/v1/matches?limit=2&status=open&cursor={cursor[:-1]}",
        f"/v1/matches?limit=2&status=open&cursor=x{cursor}",
        "/v1/matches?cursor=",
        "/v1/matches?cursor=" + "A" * 5000,
    ):
        assert host.get(path).code == "forged_cursor", path


def test_since_and_until_narrow_by_creation(host: Client, matches: set[str]) -> None:
    items = host.read("/v1/matches?limit=200")["items"]
    newest, older = items[0]["created_at"], items[10]["created_at"]
    between = host.read(f"/v1/matches?limit=200&since={older}&until={newest}")["items"]
    assert [each["id"] for each in between] == [each["id"] for each in items[1:11]]
    away = (datetime.fromisoformat(newest) + timedelta(hours=2)).isoformat().replace("+", "%2B")
    assert host.read(f"/v1/matches?since={away}")["items"] == []


@pytest.mark.parametrize("time", ["yesterday", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", "", "1"])
def test_a_time_without_zone_or_sense_is_refused(anybody: Client, time: str) -> None:
    answer = anybody.get(f"/v1/matches?since={time}")
    assert answer.code == "invalid" and list(answer.json["errors"]) == ["since"]


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59-12:00"])
def test_a_time_at_the_end_of_time_is_no_fault_of_ours(anybody: Client, time: str) -> None:
    assert anybody.get(f"/v1/matches?until={time}").status in (200, 422)


def test_an_item_is_the_match_without_its_deal(anybody: Client, host: Client, guest: Client) -> None:
    match = opened(host, guest, anybody.player())
    del match["deal"]
    item = host.read("/v1/matches?limit=1")["items"][0]
    assert item == match


class Listed(NamedTuple):
    """A list that is not one of matches: its path, and what puts rows of these numbers into it."""

    path: str
    add: Callable[[Connection, str, range], None]


def add_tokens(conn: Connection, player: str, numbers: range) -> None:
    for number in numbers:
        rows.add_token(conn, f"{player}-{number}", player, f"{player}{number}".encode(), "x", ["read"])


def add_players(conn: Connection, player: str, numbers: range) -> None:
    for number in numbers:
        rows.create(conn, f"{player}-{number}", f"Twin of {player}")


def add_transfers(conn: Connection, player: str, numbers: range) -> None:
    match = f"{player}-m"
    if not numbers.start:
        play.open_match(Events(conn), match, player, play.Proposal("polignac", [OPEN] * 3), lambda: bytes(32))
    lines = Posting(f"{match}:bank", -1), Posting(f"{match}:0", 1, 0, player)
    ledger.post(conn, [Transfer(f"{match}-{number}", "game", match, 1, "x", lines) for number in numbers])


OTHERS = {
    "tokens": Listed("/v1/me/tokens?", add_tokens),
    "players": Listed("/v1/players?name=Twin of {player}&", add_players),
    "a match's ledger": Listed("/v1/matches/{player}-m/ledger?", add_transfers),
    "a player's ledger": Listed("/v1/players/{player}/ledger?", add_transfers),
}


@pytest.mark.parametrize("what", OTHERS)
def test_each_old_row_of_other_lists_comes_once_while_rows_are_added(
    anybody: Client, conn: Connection, what: str
) -> None:
    """C29, with every limit."""
    player, listed, there = anybody.player(), OTHERS[what], MANY
    path = listed.path.format(player=player.id)
    listed.add(conn, player.id, range(MANY))
    for limit in (7, 50, 200):
        whole = [each["id"] for each in pages(player, f"{path}limit=200")]
        seen = []
        for number, item in enumerate(pages(player, f"{path}limit={limit}")):
            seen.append(item["id"])
            if number % (MANY // ADDED) == 0 and number < MANY:
                listed.add(conn, player.id, range(there, there + 1))
                there += 1
        assert seen == whole and len(seen) == len(set(seen)) >= MANY
    assert there == MANY + 3 * ADDED


def test_players_of_one_name_are_paged(anybody: Client, conn: Connection) -> None:
    for number in range(30):
        rows.create(conn, f"twin{number}", "Twin")
    found = [each["id"] for each in pages(anybody, "/v1/players?name=Twin&limit=7")]
    assert found == [f"twin{number}" for number in reversed(range(30))]
    assert anybody.read("/v1/players?name=twin")["items"] == []


def test_tokens_are_paged(host: Client) -> None:
    for number in range(12):
        host.made("/v1/me/tokens", {"label": f"token {number}", "scopes": ["read"]})
    found = [each["label"] for each in pages(host, "/v1/me/tokens?limit=5")]
    assert found == [*(f"token {number}" for number in reversed(range(12))), "first"]
