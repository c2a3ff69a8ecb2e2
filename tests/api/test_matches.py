"""Coming to a match, leaving it, and what it shows."""

from __future__ import annotations

import pytest

from store.db import Connection
from store.events import Events
from tests.api.http import Client
from tests.api.tables import BOT, PACK, moves, opened, played, say, started, turn

OPEN = {"open": True}


def seats_of(client: Client, match: str) -> list[tuple[bool, bool]]:
    """Of each seat, whether it is open and whether it is accepted."""
    return [(seat["open"], seat["accepted"]) for seat in client.read(f"/v1/matches/{match}")["seats"]]


def test_a_match_is_opened_with_all_it_was_asked_for(ana: Client, luis: Client) -> None:
    seats = [{"player": "me"}, BOT, OPEN, {"player": luis.id}]
    asked = {"game": "polignac", "variant": "slobberhannes", "options": {"target": 20}, "seats": seats}
    answer = ana.post("/v1/matches", asked)
    match = answer.json
    assert answer.headers["Location"] == f"/v1/matches/{match['id']}" and answer.headers["ETag"] == '"1"'
    assert (match["variant"], match["options"]["target"], match["options"]["costs"]) == ("slobberhannes", 20, {"QC": 1})
    assert (match["host"], match["status"], match["version"], match["deal"]) == (ana.id, "open", 1, None)
    assert match["seats"][0]["player"] == {"id": ana.id, "name": "Ana"} and match["seats"][0]["you"] is True
    assert seats_of(ana, match["id"]) == [(False, True), (False, True), (True, False), (False, False)]
    assert ana.read(f"/v1/matches/{match['id']}") == match


def test_a_host_who_is_not_listed_is_not_seated(ana: Client, luis: Client) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": luis.id}, BOT, BOT]})
    assert match["host"] == ana.id and [seat["you"] for seat in match["seats"]] == [False] * 3
    assert ana.post(moves(match["id"]), {"move": "pass"}).code == "not_allowed"


def test_a_match_of_bots_begins_at_once(ana: Client) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [BOT] * 4})
    assert match["status"] == "playing" and match["version"] == 2
    assert match["deal"]["view"]["hands"] == [8] * 4 and match["deal"]["legal"] == []


def test_the_invited_accepts_and_the_last_one_deals(ana: Client, luis: Client) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, {"player": luis.id}, BOT]})["id"]
    answer = luis.post(f"/v1/matches/{match}/seats", {"seat": 1})
    assert [event["type"] for event in answer.json["events"]] == ["seated", "dealt"]
    assert answer.json["match"]["status"] == "playing" and answer.headers["ETag"] == f'"{answer.json["version"]}"'
    assert answer.json["match"]["started_at"] and luis.read(f"/v1/matches/{match}") == answer.json["match"]


def test_the_invited_declines_and_his_seat_is_anybodys(ana: Client, luis: Client, eva: Client) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, {"player": luis.id}, OPEN]})["id"]
    answer = luis.delete(f"/v1/matches/{match}/seats/1")
    assert (answer.status, answer.text, answer.headers["ETag"]) == (204, "", '"2"')
    assert seats_of(ana, match)[1] == (True, False)
    assert eva.made(f"/v1/matches/{match}/seats", {"seat": 1})["match"]["seats"][1]["player"]["name"] == "Eva"


def test_a_free_seat_is_found_without_saying_which(ana: Client, luis: Client) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, BOT, OPEN, OPEN]})["id"]
    assert luis.made(f"/v1/matches/{match}/seats")["events"][0]["seat"] == 2


def test_the_host_frees_a_seat_and_puts_a_bot_there(ana: Client, luis: Client, eva: Client) -> None:
    match = opened(ana, luis, eva)["id"]
    eva.made(f"/v1/matches/{match}/seats", {"seat": 2})
    assert luis.delete(f"/v1/matches/{match}/seats/2").code == "not_allowed"
    assert ana.delete(f"/v1/matches/{match}/seats/2").status == 204
    assert ana.post(f"/v1/matches/{match}/seats", {"seat": 0, "bot": "rule"}).code == "seat_taken"
    assert luis.post(f"/v1/matches/{match}/seats", {"seat": 2, "bot": "rule"}).code == "not_allowed"
    ana.made(f"/v1/matches/{match}/seats", {"seat": 2, "bot": "random"})
    begun = ana.made(f"/v1/matches/{match}/seats", {"seat": 1, "bot": "rule"})["match"]
    assert begun["status"] == "playing" and [seat["bot"] for seat in begun["seats"]] == [None, "rule", "random"]


def test_a_seat_beyond_the_table_is_named(ana: Client, luis: Client) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, OPEN, OPEN]})["id"]
    answer = luis.post(f"/v1/matches/{match}/seats", {"seat": 7})
    assert answer.code == "invalid" and list(answer.json["errors"]) == ["seat"]
    assert luis.delete(f"/v1/matches/{match}/seats/7").code in ("not_found", "not_allowed")


def test_a_code_admits_to_a_private_match(ana: Client, luis: Client, eva: Client, conn: Connection) -> None:
    seats = [{"player": "me"}, OPEN, OPEN]
    match = ana.made("/v1/matches", {"game": "polignac", "seats": seats, "visibility": "private"})["id"]
    invitation = ana.made(f"/v1/matches/{match}/invitations")
    assert luis.get(f"/v1/matches/{match}").code == "not_found"
    seated = luis.made(f"/v1/matches/{match}/seats", {"code": invitation["code"]}, If_Match='"7", "1"')
    assert seated["match"]["seats"][1]["you"] is True and luis.get(f"/v1/matches/{match}").status == 200
    assert luis.post(f"/v1/matches/{match}/invitations").code == "not_allowed"
    assert eva.post(f"/v1/matches/{match}/seats", {"code": invitation["code"], "seat": 1}).code == "seat_taken"
    conn.execute("delete from invitation")
    assert eva.post(f"/v1/matches/{match}/seats", {"code": invitation["code"]}).code == "not_found"


def test_a_code_of_one_match_admits_to_no_other(ana: Client, luis: Client) -> None:
    body = {"game": "polignac", "seats": [{"player": "me"}, OPEN, OPEN], "visibility": "private"}
    one, other = (ana.made("/v1/matches", body)["id"] for _ in range(2))
    code = ana.made(f"/v1/matches/{one}/invitations")["code"]
    assert luis.post(f"/v1/matches/{other}/seats", {"code": code}).code == "not_found"


def test_no_key_brings_a_code_back(ana: Client) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, OPEN, OPEN]})["id"]
    ana.made(f"/v1/matches/{match}/invitations", Idempotency_Key="code")
    assert ana.post(f"/v1/matches/{match}/invitations", Idempotency_Key="code").code == "already_done"


def test_a_move_is_answered_with_its_events_and_the_match_as_the_mover_sees_it(anybody: Client) -> None:
    players = [anybody.player() for _ in range(4)]
    match = started(*players)["id"]
    client, seen = turn(players, match)
    answer = client.post(moves(match), {"move": "pass"}, If_Match=f'"{seen["version"]}"')
    event = answer.json["events"][0]
    assert (event["type"], event["seat"], event["move"]) == ("moved", players.index(client), "pass")
    assert answer.json["version"] == seen["version"] + 1 and answer.headers["ETag"] == f'"{seen["version"] + 1}"'
    assert answer.json["match"] == client.read(f"/v1/matches/{match}")


def test_a_whole_match_is_played_to_its_end_and_agrees_with_every_earlier_version(anybody: Client) -> None:
    players = [anybody.player() for _ in range(4)]
    match = started(*players, options={"deals": 2, "tie_break": "shared"})["id"]
    then = {}
    for choice in range(3):
        say(players, match, choice)
        seen = players[1].get(f"/v1/matches/{match}")
        then[seen.json["version"]] = seen.json
    ended = played(players, match)
    assert (ended["status"], ended["deals"], ended["result"]["reason"]) == ("ended", 2, "deals")
    assert sum(ended["totals"]) in (10, 15, 20) and sorted(ended["result"]["places"])[0] == 1
    for version, before in then.items():
        again = players[1].read(f"/v1/matches/{match}?at={version}&eyes=1")
        assert again["deal"]["view"] == before["deal"]["view"] and again["status"] == "playing"
        assert again["result"] is None and again["totals"] == before["totals"]


def test_prepared_packs_are_served_in_order_and_said_to_be(anybody: Client) -> None:
    players = [anybody.player() for _ in range(4)]
    match = started(*players, packs=[PACK], dealer=3, options={"deals": 2})["id"]
    seen = players[0].read(f"/v1/matches/{match}")
    assert seen["prepared"] is True and seen["deal"]["commitment"] is None and seen["deal"]["dealer"] == 3
    assert set(seen["deal"]["view"]["hands"][0]) == set(PACK[:3] + PACK[12:14] + PACK[20:23])
    opening = players[0].read(f"/v1/matches/{match}/events")["items"][0]
    assert "packs" not in opening
    played(players, match, deals=1)
    events = players[0].read(f"/v1/matches/{match}/events?limit=200")["items"]
    assert events[0]["packs"] == [PACK]
    dealt = [event for event in events if event["type"] == "dealt"]
    assert dealt[0]["pack"] == PACK and dealt[0]["seed"] is None and dealt[1]["commitment"] and "pack" not in dealt[1]


def test_a_void_is_for_the_host_and_its_note_for_those_concerned(anybody: Client) -> None:
    players = [anybody.player() for _ in range(4)]
    match = started(*players)["id"]
    assert players[1].post(f"/v1/matches/{match}/void", {"note": "no"}).code == "not_allowed"
    voided = players[0].made(f"/v1/matches/{match}/void", {"note": "the cat sat on the cards"})
    assert (voided["match"]["status"], voided["match"]["result"]) == ("voided", None)

    def last(client: Client) -> object:
        return client.read(f"/v1/matches/{match}/events?limit=200")["items"][-1].get("note")

    assert [last(each) for each in (players[0], players[3], anybody)] == ["the cat sat on the cards"] * 2 + [None]


def test_a_note_is_in_no_event(anybody: Client, conn: Connection) -> None:
    players = [anybody.player() for _ in range(3)]
    match = opened(*players)["id"]
    players[0].made(f"/v1/matches/{match}/void", {"note": "personal"})
    assert not any("personal" in str(event.data) for event in Events(conn).read_all(match).events)


def test_a_rated_match_is_not_voided_once_a_deal_is_scored(anybody: Client) -> None:
    players = [anybody.player() for _ in range(4)]
    match = started(*players, rated=True)["id"]
    played(players, match, deals=1)
    assert players[0].post(f"/v1/matches/{match}/void").code == "not_allowed"


def test_a_rated_match_takes_no_bot(ana: Client) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, OPEN, OPEN], "rated": True})["id"]
    assert ana.post(f"/v1/matches/{match}/seats", {"seat": 1, "bot": "rule"}).code == "not_allowed"


def test_who_resigns_shares_the_last_place(anybody: Client) -> None:
    players = [anybody.player() for _ in range(3)]
    match = started(*players)["id"]
    assert players[2].made(f"/v1/matches/{match}/resignation")["match"]["seats"][2]["resigned"] is True
    assert players[2].post(f"/v1/matches/{match}/resignation").code == "not_allowed"
    assert players[2].post(moves(match), {"move": "pass"}).code == "not_allowed"
    ended = players[1].made(f"/v1/matches/{match}/resignation")["match"]
    assert ended["result"]["places"] == [1, 2, 2]


def test_nobody_who_is_invited_speaks_before_he_accepts(ana: Client, luis: Client) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, {"player": luis.id}, BOT]})["id"]
    assert luis.post(moves(match), {"move": "pass"}).code == "match_not_started"
    assert luis.post(f"/v1/matches/{match}/resignation").code == "match_not_started"


@pytest.mark.parametrize("game", ["bottle_imp", "mykonos", "polignac", "pot_de_vin"])
def test_every_game_is_played_to_its_end(anybody: Client, game: str) -> None:
    seats = anybody.read(f"/v1/games/{game}")["variants"][0]["seats"]["max"]
    players = [anybody.player() for _ in range(min(seats, 4))]
    options = {"deals": 1} if game in ("bottle_imp", "polignac") else {}
    body = {"game": game, "seats": [{"player": each.id} for each in players], "options": options}
    match = players[0].made("/v1/matches", body)["id"]
    for seat, each in enumerate(players[1:], 1):
        each.made(f"/v1/matches/{match}/seats", {"seat": seat})
    assert played(players, match)["status"] == "ended"
    assert anybody.read(f"/v1/matches/{match}/audit") == {"ok": True, "faults": []}
