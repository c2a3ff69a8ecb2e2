"""Rounds and tables: drawn, seated, played here. Beside it: api/rounds.py, api/matches.py (start, void)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.api.clubs import Club, club, drawn, joined
from tests.api.http import Client
from tests.api.tables import played

CLOCK = {"turn_seconds": 3600, "bank_seconds": 0}


def draw(made: Club, **facts: Any) -> Any:
    return made.organiser.made(f"{made.path}/rounds", {"pairing": "spread", "seats": 3, **facts})


def tables(made: Club, number: int = 1) -> list[list[str]]:
    found = made.read(f"/tables?round={number}")["items"]
    return [[seat["member"] for seat in table["seats"]] for table in found]


# Drawing


def test_rounds_are_drawn_at_once_and_shown_with_their_tables(ana: Client, anybody: Client) -> None:
    made = club(ana, 1, guests=8)
    events = draw(made, rounds=4, seed="s")["events"]
    assert [event["type"] for event in events] == ["round_drawn"] * 4
    shown = anybody.read(f"{made.path}/rounds")["items"]
    assert [(each["round"], len(each["tables"]), each["seed"]) for each in shown] == [(n, 3, "s") for n in range(1, 5)]
    assert {seat["name"] for table in shown[0]["tables"] for seat in table["seats"]} == {
        "Ana",
        *(f"guest {number}" for number in range(8)),
    }
    assert anybody.read(f"{made.path}/tables/2-1")["round"] == 2


def test_a_seed_draws_the_same_for_ever_and_a_preview_records_nothing(ana: Client) -> None:
    made = club(ana, 0, guests=7)
    path = f"{made.path}/rounds?preview=true"
    previews = [ana.post(path, {"pairing": "spread", "seats": 4, "seed": "x"}) for _ in range(2)]
    assert previews[0].status == 200 and previews[0].json == previews[1].json
    assert made.read("/rounds")["items"] == [] and made.read()["version"] == previews[0].json["version"] == 8
    recorded = draw(made, seats=4, seed="x")["events"]
    assert recorded[0]["tables"] == previews[0].json["events"][0]["tables"]
    assert ana.post(path, {"pairing": "swiss", "seats": 4}, If_Match='"3"').code == "stale_version"


def test_without_a_seed_a_fresh_one_is_drawn_and_recorded(ana: Client) -> None:
    made = club(ana, 0, guests=6)
    assert len(draw(made)["events"][0]["seed"]) == 16


def test_odd_numbers_get_mixed_tables_or_a_bye(ana: Client) -> None:
    made = club(ana, 0, guests=5)
    draw(made, seats=4)
    assert sorted(map(len, tables(made))) == [5]
    seven = club(ana, 0, guests=7)
    draw(seven, seats=4)
    assert sorted(map(len, tables(seven))) == [3, 4]


def test_a_cyclic_schedule_is_there_for_some_sizes_alone(ana: Client) -> None:
    made = club(ana, 0, guests=7)
    assert len(draw(made, pairing="cyclic")["events"]) == 7
    eight = club(ana, 0, guests=8)
    answer = ana.post(f"{eight.path}/rounds", {"pairing": "cyclic", "seats": 4})
    assert answer.code == "no_design" and {"members": 13, "seats": 4} in answer.json["designs"]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"pairing": "random"}, "invalid"),
    ({"pairing": "manual"}, "invalid"),
    ({"pairing": "swiss", "rounds": 2}, "invalid"),
    ({"pairing": "spread", "seats": 2}, "invalid"),
    ({"pairing": "spread", "absent": ["nobody"]}, "not_member"),
    ({"pairing": "manual", "tables": [["nobody", "a", "b"]]}, "not_member"),
    ({"pairing": "spread", "first": 3}, "invalid"),
]


@pytest.mark.parametrize(("body", "code"), WRONG, ids=[str(body) for body, _ in WRONG])
def test_what_cannot_be_drawn_is_refused(ana: Client, body: Any, code: str) -> None:
    made = club(ana, 0, guests=6)
    assert ana.post(f"{made.path}/rounds", body).code == code
    assert made.read("/rounds")["items"] == []


def test_only_an_organiser_draws(ana: Client) -> None:
    made = club(ana, 3)
    for client in made.players[1:]:
        assert client.post(f"{made.path}/rounds", {"pairing": "spread", "seats": 3}).code == "not_allowed"


def test_the_next_round_waits_for_the_last_and_late_joiners_are_in_it(ana: Client) -> None:
    made = club(ana, 0, guests=6)
    draw(made)
    late = joined(made, name="late")
    answer = ana.post(f"{made.path}/rounds", {"pairing": "spread", "seats": 3})
    assert (answer.code, answer.json["open"]) == ("still_open", ["1-1", "1-2"])
    draw(made, first=1, seats=4)
    assert late in [member for table in tables(made) for member in table]
    for table in ("1-1", "1-2"):
        ana.made(f"{made.path}/tables/{table}/void", {"note": "Nobody came."})
    draw(made, absent=[late])
    assert late not in [member for table in tables(made, 2) for member in table]
    assert made.read("/rounds")["items"][1]["absent"] == [late]


def test_two_organisers_who_draw_at_once_draw_one_round(ana: Client, luis: Client) -> None:
    made = club(ana, 0, guests=6)
    ana.made(f"/v1/leagues/{made.league}/organisers", {"player": luis.id})
    body = {"pairing": "spread", "seats": 3}
    with ThreadPoolExecutor() as threads:
        codes = list(threads.map(lambda who: who.post(f"{made.path}/rounds", body).code, (ana, luis)))
    assert sorted(map(str, codes)) == ["None", "still_open"]


# Seating


def test_a_substitute_sits_for_a_member(ana: Client) -> None:
    made = club(ana, 1, guests=4)
    drawn(made, [0, 1, 2])
    ids = made.ids
    line_up = [{"member": ids[3], "for": ids[0]}, {"member": ids[1]}, {"member": ids[2]}]
    ana.made(f"{made.path}/tables/1-1/seats", {"members": line_up})
    shown = made.read("/tables/1-1")["seats"]
    assert [(seat["member"], seat["for"]) for seat in shown] == [(ids[3], ids[0]), (ids[1], None), (ids[2], None)]
    twice = [{"member": ids[1], "for": ids[0]}, {"member": ids[1]}, {"member": ids[2]}]
    assert ana.post(f"{made.path}/tables/1-1/seats", {"members": twice}).code == "twice_at_table"
    assert ana.post(f"{made.path}/tables/9-9/seats", {"members": line_up}).code == "not_found"


# The match of a table


def opened(made: Club, client: Client, table: str = "1-1", **terms: Any) -> str:
    found: str = client.made(f"{made.path}/tables/{table}/match", terms)["match"]["id"]
    return found


def test_a_member_opens_the_match_of_his_table(ana: Client, eva: Client) -> None:
    made = club(ana, 4, visibility="unlisted")
    drawn(made, [1, 2, 3])
    for stranger in (eva,):
        assert stranger.post(f"{made.path}/tables/1-1/match").code == "not_allowed"
    host = made.players[1]
    match = host.read(f"/v1/matches/{opened(made, host)}")
    assert (match["season"], match["table"], match["visibility"], match["rated"]) == (
        made.season,
        "1-1",
        "unlisted",
        True,
    )
    assert match["options"]["deals"] == 1 and match["host"] == host.id
    assert [seat["player"]["id"] for seat in match["seats"]] == [player.id for player in made.players[1:]]
    assert made.read("/tables/1-1")["match"] == match["id"]
    assert host.post(f"{made.path}/tables/1-1/match").code == "wrong_status"
    listed = ana.read(f"/v1/matches?season={made.season}")["items"]
    assert [each["id"] for each in listed] == [match["id"]], "its organiser finds it"
    assert eva.read(f"/v1/matches?season={made.season}")["items"] == []


def test_it_begins_when_all_have_come_and_is_played_to_its_end(ana: Client) -> None:
    made = club(ana, 3)
    drawn(made, [0, 1, 2])
    match = opened(made, ana)
    for seat, player in enumerate(made.players):
        player.made(f"/v1/matches/{match}/seats", {"seat": seat}) if player is not ana else None
    seen = ana.read(f"/v1/matches/{match}")
    if seen["status"] == "open":
        ana.made(f"/v1/matches/{match}/seats", {"seat": 0})
    assert played(made.players, match)["status"] == "ended"


def test_a_guest_plays_on_paper(ana: Client) -> None:
    made = club(ana, 2, guests=1)
    drawn(made, [0, 1, 2])
    answer = ana.post(f"{made.path}/tables/1-1/match")
    assert (answer.code, answer.json["members"]) == ("guest_at_table", [made.ids[2]])
    assert made.read("/tables/1-1")["match"] is None


def test_two_who_open_the_match_at_once_open_one(ana: Client) -> None:
    made = club(ana, 3)
    drawn(made, [0, 1, 2])
    with ThreadPoolExecutor() as threads:
        codes = list(threads.map(lambda who: who.post(f"{made.path}/tables/1-1/match").code, made.players))
    assert sorted(map(str, codes)) == ["None", "wrong_status", "wrong_status"]
    assert len(ana.read(f"/v1/matches?season={made.season}")["items"]) == 1


def test_an_organiser_starts_it_and_the_clock_plays_for_the_absent(ana: Client) -> None:
    made = club(ana, 4)
    drawn(made, [1, 2, 3])
    host, absent = made.players[1], made.players[2]
    match = opened(made, host, clock=CLOCK)
    assert absent.delete(f"/v1/matches/{match}/seats/1").status == 204, "he declines"
    assert host.post(f"/v1/matches/{match}/start").code == "not_allowed"
    started = ana.made(f"/v1/matches/{match}/start")["match"]
    assert started["status"] == "playing" and all(seat["accepted"] for seat in started["seats"])
    assert [seat["player"]["id"] for seat in started["seats"]] == [player.id for player in made.players[1:]]
    assert started["deal"]["deadlines"]
    assert ana.post(f"/v1/matches/{match}/start").code == "match_started"


def test_a_match_without_a_clock_waits(ana: Client) -> None:
    made = club(ana, 3)
    drawn(made, [0, 1, 2])
    answer = ana.post(f"/v1/matches/{opened(made, ana)}/start")
    assert (answer.code, list(answer.json["errors"])) == ("invalid", ["clock"])


def test_a_seat_that_was_declined_is_kept_for_its_member(ana: Client, eva: Client) -> None:
    made = club(ana, 3)
    drawn(made, [0, 1, 2])
    match = opened(made, ana)
    luis = made.players[1]
    luis.delete(f"/v1/matches/{match}/seats/1")
    assert eva.post(f"/v1/matches/{match}/seats", {"seat": 1}).code == "seat_taken"
    assert eva.post(f"/v1/matches/{match}/seats").code == "seat_taken"
    assert ana.post(f"/v1/matches/{match}/seats", {"seat": 1, "bot": "rule"}).code == "not_allowed"
    assert luis.post(f"/v1/matches/{match}/seats").status == 201


def test_an_organiser_sees_and_voids_private_matches_of_his_league(ana: Client, eva: Client) -> None:
    made = club(ana, 4, visibility="private")
    drawn(made, [1, 2, 3])
    host = made.players[1]
    path = f"/v1/matches/{opened(made, host, rated=False)}"
    for below in ("", "?at=1", "/events", "/replay", "/audit", "/ledger"):
        assert ana.get(path + below).status == 200, below
        assert eva.get(path + below).code == "not_found"
    assert eva.post(f"{path}/void").code == "not_found"
    assert eva.post(f"{path}/start").code == "not_found"
    assert path.rpartition("/")[2] in [each["id"] for each in ana.read("/v1/matches")["items"]]
    ana.made(f"{path}/void", {"note": "Wrong table."})
    last = host.read(f"{path}/events")["items"][-1]
    assert (last["type"], last["reason"], last["note"]) == ("voided", "organiser", "Wrong table.")


def test_the_host_of_a_season_match_does_not_void_it_once_a_deal_is_scored(ana: Client, luis: Client) -> None:
    made = club(ana, 4)
    drawn(made, [1, 2, 3])
    host = made.players[1]
    match = opened(made, host, rated=False)
    for seat, player in enumerate(made.players[1:]):
        if not host.read(f"/v1/matches/{match}")["seats"][seat]["accepted"]:
            player.made(f"/v1/matches/{match}/seats", {"seat": seat})
    played(made.players[1:], match)
    assert host.post(f"/v1/matches/{match}/void").code == "not_allowed"
    assert ana.post(f"/v1/matches/{match}/void").status == 201
    assert luis.post(f"/v1/matches/{match}/start").code == "not_allowed"


def test_no_match_is_opened_for_somebody_who_has_left(ana: Client) -> None:
    made = club(ana, 3)
    drawn(made, [0, 1, 2])
    made.players[1].delete("/v1/me")
    answer = ana.post(f"{made.path}/tables/1-1/match")
    assert (answer.code, answer.json["members"]) == ("not_member", [made.ids[1]])
