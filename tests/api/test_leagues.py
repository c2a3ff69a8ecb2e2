"""Leagues and seasons: founded, organised, joined, left, claimed, closed. Beside it: api/leagues.py, api/seasons.py."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from store import leagues as rows
from store.db import Connection
from tests.api.clubs import Club, club, joined, league, season
from tests.api.http import Client

# Leagues


def test_who_founds_a_league_organises_it(ana: Client, anybody: Client) -> None:
    made = ana.made("/v1/leagues", {"name": "Thursday club", "game": "polignac"})
    assert (made["variant"], made["organises"]) == ("polignac", True)
    assert made["organisers"] == [{"id": ana.id, "name": "Ana"}]
    seen = anybody.read(f"/v1/leagues/{made['id']}")
    assert {**made, "organises": False} == seen
    assert made["id"] in [each["id"] for each in anybody.read("/v1/leagues")["items"]]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"game": "chess"}, "game"),
    ({"variant": "polka"}, "variant"),
    ({"options": {"colour": "blue"}}, "options.colour"),
    ({"visibility": "secret"}, "visibility"),
    ({"name": ""}, "name"),
    ({"prize": 5}, "prize"),
]


@pytest.mark.parametrize(("facts", "field"), WRONG, ids=[field for _, field in WRONG])
def test_a_league_that_cannot_be_played_is_refused_by_its_field(ana: Client, facts: Any, field: str) -> None:
    answer = ana.post("/v1/leagues", {"name": "Club", "game": "polignac", **facts})
    assert (answer.status, list(answer.json["errors"])) == (422, [field])


def test_an_unlisted_league_is_in_the_lists_of_its_own_people(ana: Client, luis: Client, eva: Client) -> None:
    made = club(ana, 1, visibility="unlisted")
    joined(made, player=luis.id)

    def lists(client: Client) -> bool:
        return made.league in [each["id"] for each in client.read("/v1/leagues")["items"]]

    assert (lists(ana), lists(luis), lists(eva)) == (True, True, False)
    assert eva.read(f"/v1/leagues/{made.league}")["visibility"] == "unlisted"


def test_organisers_make_organisers_and_the_last_one_stays(ana: Client, luis: Client, eva: Client) -> None:
    path = f"/v1/leagues/{league(ana)}/organisers"
    assert eva.post(path, {"player": eva.id}).code == "not_allowed"
    assert ana.delete(f"{path}/{ana.id}").code == "not_allowed"
    assert [each["name"] for each in ana.made(path, {"player": luis.id})["organisers"]] == ["Ana", "Luis"]
    assert ana.post(path, {"player": "nobody"}).json["errors"] == {"player": "there is no such player"}
    assert luis.delete(f"{path}/{ana.id}").status == 204
    assert ana.post(path, {"player": eva.id}).code == "not_allowed"
    assert luis.delete(f"{path}/{ana.id}").code == "not_found"


def test_two_who_remove_each_other_at_once_leave_one(ana: Client, luis: Client) -> None:
    path = f"/v1/leagues/{league(ana)}/organisers"
    ana.made(path, {"player": luis.id})
    with ThreadPoolExecutor() as threads:
        removed = [threads.submit(ana.delete, f"{path}/{luis.id}"), threads.submit(luis.delete, f"{path}/{ana.id}")]
    assert sorted(each.result().status for each in removed) == [204, 403]


# Seasons


def test_a_season_is_recorded_in_full(ana: Client) -> None:
    made = ana.made(
        f"/v1/leagues/{league(ana)}/seasons",
        {"name": "Spring", "scheme": "places", "drop_worst": 2, "starts": "2026-03-01", "ends": "2026-06-30"},
    )
    assert (made["scheme"], made["drop_worst"], made["min_results"]) == ("places", 2, 1)
    assert made["points"]["4"] == [10, 6, 3, 1] and made["tie_breaks"] == ["wins", "head_to_head", "points"]
    assert set(made["options"]) == {"3", "4", "5", "6"} and made["options"]["4"]["deals"] == 1
    assert (made["version"], made["status"], made["starts"]) == (1, "open", "2026-03-01")
    answer = ana.get(f"/v1/seasons/{made['id']}")
    assert answer.version == '"1"' and answer.json == made
    listed = ana.read(f"/v1/leagues/{made['league']}/seasons")["items"]
    assert [each["name"] for each in listed] == ["Spring"]


WRONG_SEASONS: list[tuple[dict[str, Any], str]] = [
    ({"scheme": "elo"}, "scheme"),
    ({"scheme": "average"}, "min_results"),
    ({"scheme": "raw", "points": {"4": [1, 1, 1, 1]}}, "points"),
    ({"points": {"4": [1, 2, 3, 4]}}, "points"),
    ({"tie_breaks": ["coin"]}, "tie_breaks.0"),
    ({"tie_breaks": ["wins", "wins"]}, "tie_breaks"),
    ({"starts": "2026-03-01", "ends": "2026-02-01"}, "ends"),
    ({"starts": "spring"}, "starts"),
    ({"drop_worst": -1}, "drop_worst"),
]


@pytest.mark.parametrize(("facts", "field"), WRONG_SEASONS, ids=[str(facts)[:40] for facts, _ in WRONG_SEASONS])
def test_a_season_that_cannot_be_scored_is_refused_by_its_field(ana: Client, facts: Any, field: str) -> None:
    path = f"/v1/leagues/{league(ana)}/seasons"
    answer = ana.post(path, {"name": "Spring", **facts})
    assert (answer.status, list(answer.json["errors"])) == (422, [field]), answer
    assert ana.read(path)["items"] == []


def test_a_changed_scheme_takes_a_note_that_members_read(ana: Client, anybody: Client) -> None:
    made = club(ana, 2)
    path = f"{made.path}/scheme"
    assert ana.post(path, {"scheme": "wins"}).json["errors"] == {"note": "Missing data for required field."}
    assert made.players[1].post(path, {"scheme": "wins", "note": "x"}).code == "not_allowed"
    after = ana.made(path, {"scheme": "wins", "note": "Simpler."})["season"]
    assert after["scheme"] == "wins" and [change["note"] for change in after["changes"]] == ["Simpler."]
    assert made.players[1].read(made.path)["changes"][0]["note"] == "Simpler."
    assert anybody.read(made.path)["changes"][0]["note"] is None


def test_the_stream_of_a_season_is_read_in_pages(ana: Client, anybody: Client) -> None:
    made = club(ana, 3)
    ana.made(f"{made.path}/scheme", {"scheme": "raw", "note": "Why not."})
    first = anybody.read(f"{made.path}/events?limit=3")
    rest = anybody.read(f"{made.path}/events?after={first['next']}")
    events = first["items"] + rest["items"]
    assert [each["version"] for each in events] == [1, 2, 3, 4, 5] and rest["next"] is None
    assert [each["type"] for each in events] == ["opened", *["member_added"] * 3, "scheme_changed"]
    assert events[-1]["note"] is None
    assert made.players[2].read(f"{made.path}/events?after=4")["items"][0]["note"] == "Why not."


# Members


def test_members_are_players_or_guests(ana: Client, luis: Client) -> None:
    made = club(ana, 1, guests=1)
    shown = luis.read(f"{made.path}/members")["items"]
    assert [(each["name"], each["guest"], each["active"], each["you"]) for each in shown] == [
        ("Ana", False, True, False),
        ("guest 0", True, True, False),
    ]
    assert [each["you"] for each in ana.read(f"{made.path}/members")["items"]] == [True, False]


def test_a_player_is_a_member_once(ana: Client) -> None:
    made = club(ana, 2)
    answer = ana.post(f"{made.path}/members", {"player": made.players[1].id})
    assert (answer.code, answer.json["member"]) == ("member_taken", made.ids[1])
    assert ana.post(f"{made.path}/members", {"player": "nobody"}).code == "invalid"
    assert ana.post(f"{made.path}/members", {"member": "nobody"}).code == "invalid"
    assert ana.post(f"{made.path}/members", {"member": made.ids[0], "name": "x"}).code == "invalid"


def test_who_leaves_comes_back_as_the_same_member(ana: Client) -> None:
    made = club(ana, 2, guests=1)
    for client, number in ((made.players[1], 1), (ana, 2)):
        assert client.delete(f"{made.path}/members/{made.ids[number]}").status == 204
    assert [each["active"] for each in made.read("/members")["items"]] == [True, False, False]
    assert ana.delete(f"{made.path}/members/{made.ids[1]}").code == "not_member"
    assert joined(made, player=made.players[1].id) == made.ids[1]
    assert joined(made, member=made.ids[2]) == made.ids[2]
    assert [each["name"] for each in made.read("/members")["items"]][2] == "guest 0"


def test_members_are_removed_by_organisers_and_by_themselves_alone(ana: Client, eva: Client) -> None:
    made = club(ana, 3)
    for client in (made.players[1], eva):
        assert client.delete(f"{made.path}/members/{made.ids[2]}").code == "not_allowed"
    assert ana.delete(f"{made.path}/members/{made.ids[2]}").status == 204
    assert ana.delete(f"{made.path}/members/nobody").code == "not_found"


def test_a_guests_name_is_forgotten_and_he_stays_in_the_table(ana: Client, conn: Connection) -> None:
    made = club(ana, 1, guests=1)
    path = f"{made.path}/members/{made.ids[1]}?erase=true"
    assert made.players[0].player().delete(path).code == "not_allowed"
    assert ana.delete(path).status == 204
    assert ana.delete(path).status == 204, "also of one who has left"
    shown = made.read("/members")["items"][1]
    assert (shown["id"], shown["name"], shown["active"]) == (made.ids[1], None, False)
    assert rows.members(conn, made.season)[made.ids[1]].label is None


# Claims


def test_a_guest_becomes_an_account_by_a_code_that_holds_once(ana: Client, luis: Client, eva: Client) -> None:
    made = club(ana, 1, guests=1)
    path = f"{made.path}/members/{made.ids[1]}/claim-code"
    assert luis.post(path).code == "not_allowed"
    old, code = ana.made(path)["code"], ana.made(path)["code"]
    assert luis.post("/v1/claims", {"code": old}).code == "not_found", "the one before holds no more"
    assert ana.post("/v1/claims", {"code": code}).code == "member_taken"
    answer = luis.made("/v1/claims", {"code": code})
    assert (answer["season"], answer["member"]["id"], answer["member"]["name"]) == (made.season, made.ids[1], "Luis")
    assert eva.post("/v1/claims", {"code": code}).code == "not_found"
    assert ana.post(path).code == "member_taken"
    assert luis.read(made.path)["you"] == made.ids[1]


def test_two_who_claim_at_once_are_not_both_the_guest(ana: Client) -> None:
    made = club(ana, 1, guests=1)
    code = ana.made(f"{made.path}/members/{made.ids[1]}/claim-code")["code"]
    others = [ana.player() for _ in range(4)]
    with ThreadPoolExecutor() as threads:
        answers = list(threads.map(lambda other: other.post("/v1/claims", {"code": code}).status, others))
    assert sorted(answers) == [201, 404, 404, 404]


# Versions and twins


def test_a_write_at_another_version_is_refused_and_without_one_goes_through(ana: Client) -> None:
    made = club(ana, 2)
    stale = ana.post(f"{made.path}/members", {"name": "late"}, If_Match='"2"')
    assert (stale.code, stale.json["version"], stale.version) == ("stale_version", 3, '"3"')
    assert ana.post(f"{made.path}/members", {"name": "late"}, If_Match='"3"').status == 201
    assert ana.post(f"{made.path}/members", {"name": "later"}).version == '"5"'


def test_organisers_who_act_at_once_both_have_their_way(ana: Client) -> None:
    made = club(ana, 1)
    names = [f"guest {number}" for number in range(8)]
    with ThreadPoolExecutor() as threads:
        answers = list(threads.map(lambda name: ana.post(f"{made.path}/members", {"name": name}).status, names))
    assert answers == [201] * 8
    assert {each["name"] for each in made.read("/members")["items"]} == {"Ana", *names}


def test_the_same_key_adds_one_member(ana: Client) -> None:
    made = club(ana, 1)
    first, again = (ana.post(f"{made.path}/members", {"name": "Bea"}, Idempotency_Key="k") for _ in range(2))
    assert first.json == again.json and again.headers["Idempotent-Replayed"] == "true"
    assert len(made.read("/members")["items"]) == 2


# The end


def test_a_closed_season_is_final_until_it_is_reopened(ana: Client) -> None:
    made = club(ana, 2)
    assert made.players[1].post(f"{made.path}/close").code == "not_allowed"
    closed = ana.made(f"{made.path}/close")["season"]
    assert (closed["status"], closed["revisions"]) == ("closed", [closed["version"]])
    assert ana.post(f"{made.path}/close").code == "season_closed"
    assert ana.post(f"{made.path}/members", {"name": "late"}).code == "season_closed"
    assert ana.post(f"{made.path}/reopen").code == "invalid"
    assert ana.made(f"{made.path}/reopen", {"note": "A result was missing."})["season"]["status"] == "open"
    assert ana.post(f"{made.path}/reopen", {"note": "x"}).json["state"] == "open"


def test_a_private_league_is_for_its_own_people(ana: Client, luis: Client, eva: Client, anybody: Client) -> None:
    made = club(ana, 1, visibility="private")
    for stranger in (luis, anybody):
        for path in (f"/v1/leagues/{made.league}", made.path, f"{made.path}/members", f"{made.path}/events"):
            assert stranger.get(path).code == "not_found"
    joined(made, player=luis.id)
    other = season(ana, made.league, name="Autumn")
    assert luis.read(made.path)["id"] == made.season
    assert luis.read(f"/v1/seasons/{other}")["name"] == "Autumn"
    assert eva.post(f"{made.path}/close").code == "not_found"


def test_an_organiser_of_another_league_may_do_nothing_here(ana: Client, luis: Client) -> None:
    made: Club = club(ana, 2)
    club(luis, 1)
    for path, body in (("close", {}), ("members", {"name": "x"}), ("scheme", {"note": "x"})):
        assert luis.post(f"{made.path}/{path}", body).code == "not_allowed"


# Farewell


def test_who_leaves_the_house_leaves_his_seasons_and_the_tables_stay(ana: Client) -> None:
    made = club(ana, 3)
    gone = made.players[1]
    ana.made(f"/v1/leagues/{made.league}/organisers", {"player": gone.id})
    kinds = [line["kind"] for line in gone.get("/v1/me/export").lines]
    assert kinds.count("league") == 1 and kinds.count("member") == 1
    assert gone.delete("/v1/me").status == 204
    assert [each["name"] for each in made.read("/members")["items"]] == ["Ana", None, made.players[2].name]
    assert made.read("/members")["items"][1] == {
        "id": made.ids[1], "player": gone.id, "name": None, "guest": False, "active": False, "you": False,
    }  # fmt: skip
    assert [each["id"] for each in ana.read(f"/v1/leagues/{made.league}")["organisers"]] == [ana.id]
    assert ana.post(f"{made.path}/members", {"player": gone.id}).code == "invalid"


def test_what_somebody_wrote_to_a_season_goes_with_him(ana: Client, luis: Client) -> None:
    made = club(ana, 2)
    ana.made(f"/v1/leagues/{made.league}/organisers", {"player": luis.id})
    luis.made(f"{made.path}/scheme", {"scheme": "raw", "note": "As at home."})
    assert made.read()["changes"][0]["note"] == "As at home."
    assert luis.delete("/v1/me").status == 204
    assert made.read()["changes"][0]["note"] is None
