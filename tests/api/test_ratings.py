"""Ratings over the API: the list of a game, a player's own, what strangers are not told."""

from __future__ import annotations

import pytest

from store.db import Connection
from tests.api.http import Client
from tests.api.tables import started
from workers.work import work_off


def won(conn: Connection, winner: Client, *others: Client, **facts: object) -> str:
    """A rated match that ends because everybody else resigns, tallied."""
    match = started(winner, *others, rated=True, **facts)["id"]
    for other in others:
        assert other.post(f"/v1/matches/{match}/resignation").status == 201
    work(conn)
    return str(match)


def work(conn: Connection) -> None:
    query = "select key from job where state = 'due' and kind in ('tally', 'ratings')"
    while keys := [key for (key,) in conn.execute(query)]:
        for key in keys:
            work_off(conn, key)


@pytest.fixture
def three(anybody: Client) -> list[Client]:
    return [anybody.player() for _ in range(3)]


def listed(anybody: Client, **query: object) -> list[dict[str, object]]:
    """All pages of the list."""
    found, cursor = [], ""
    words = "&".join(f"{name}={value}" for name, value in query.items())
    while True:
        page = anybody.read(f"/v1/ratings?game=polignac&{words}{cursor}")
        found += page["items"]
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def test_the_list_goes_by_what_somebody_is_worth_at_least_and_equal_ones_share_a_place(
    conn: Connection, anybody: Client, three: list[Client]
) -> None:
    won(conn, *three)
    whole = listed(anybody)
    own = {row["player"]["id"]: row for row in whole}  # type: ignore[index]
    places = [own[player.id]["place"] for player in three]
    assert places[0] < places[1] == places[2]  # type: ignore[operator]
    assert own[three[0].id]["provisional"] is True and own[three[0].id]["matches"] == 1
    assert listed(anybody, limit=1) == whole
    assert listed(anybody, provisional="false") == []


def test_bots_are_listed_apart(anybody: Client) -> None:
    assert all(row["player"] is None for row in listed(anybody, pool="bots"))


def test_a_player_has_a_rating_in_each_game_with_its_last_steps(
    conn: Connection, anybody: Client, three: list[Client]
) -> None:
    matches = [won(conn, *three), won(conn, three[1], three[2], three[0])]
    (rating,) = anybody.read(f"/v1/players/{three[0].id}/ratings")["items"]
    assert rating["game"] == "polignac" and rating["matches"] == 2
    assert [(step["match"], step["number"]) for step in rating["history"]] == [(matches[1], 2), (matches[0], 1)]
    assert rating["history"][0]["rating"] == rating["rating"] == rating["mu"] - 3 * rating["sigma"]
    first = anybody.read(f"/v1/players/{three[0].id}/ratings/history?game=polignac&limit=1")
    rest = anybody.read(f"/v1/players/{three[0].id}/ratings/history?game=polignac&limit=1&cursor={first['next']}")
    assert first["items"] + rest["items"] == rating["history"] and rest["next"] is None
    assert anybody.read(f"/v1/players/{three[0].id}/ratings/history?game=mykonos")["items"] == []


def test_a_private_match_rates_but_strangers_are_not_told_which_it_was(
    conn: Connection, anybody: Client, three: list[Client]
) -> None:
    match = won(conn, *three, visibility="private")
    path = f"/v1/players/{three[0].id}/ratings"
    for viewer, told in ((anybody, None), (anybody.player(), None), (three[1], match)):
        (rating,) = viewer.read(path)["items"]
        assert [step["match"] for step in rating["history"]] == [told]
        assert [step["match"] for step in viewer.read(f"{path}/history?game=polignac")["items"]] == [told]
    assert match not in anybody.get(path).text


def test_an_unlisted_match_is_not_given_away(conn: Connection, anybody: Client, three: list[Client]) -> None:
    match = won(conn, *three, visibility="unlisted")
    assert match not in anybody.get(f"/v1/players/{three[0].id}/ratings").text


def test_who_has_left_keeps_a_rating_under_his_id_alone(conn: Connection, anybody: Client, three: list[Client]) -> None:
    won(conn, *three)
    assert three[0].delete("/v1/me").status == 204
    (row,) = [row for row in listed(anybody) if row["player"]["id"] == three[0].id]  # type: ignore[index]
    assert row["player"] == {"id": three[0].id, "name": None}
    assert anybody.read(f"/v1/players/{three[0].id}/ratings")["items"][0]["player"]["name"] is None


def test_an_export_says_where_one_stands(conn: Connection, three: list[Client]) -> None:
    won(conn, *three)
    (line,) = [line for line in three[1].get("/v1/me/export").lines if line["kind"] == "rating"]
    assert (line["game"], line["matches"]) == ("polignac", 1)


@pytest.mark.parametrize(
    "query",
    ["", "game=chess", "game=polignac&pool=all", "game=polignac&provisional=1", "game=polignac&limit=0",
     "game=polignac&cursor=x", "game=polignac&more=1"],
)  # fmt: skip
def test_what_the_list_does_not_know_is_refused(anybody: Client, query: str) -> None:
    assert anybody.get(f"/v1/ratings?{query}").status == 422


def test_a_stranger_without_matches_has_no_ratings_and_one_who_does_not_exist_is_not_found(
    anybody: Client, ana: Client
) -> None:
    assert anybody.read(f"/v1/players/{ana.id}/ratings") == {"items": []}
    assert anybody.get("/v1/players/nobody/ratings").status == 404
    assert anybody.get("/v1/players/nobody/ratings/history?game=polignac").status == 404
