"""Events in which all play the same deals: equal play meets equal answers, and nobody hears of a deal too early."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

import psycopg
import pytest

from domain import duplicates
from domain.duplicates import Scored, standings
from domain.rules import games
from store import db
from tests.api.http import Client
from tests.api.tables import moves, say, text, turn
from workers.work import work_off

SOLO = {"game": "polignac", "deals": 2, "seats": 3, "options": {"declarations": "none"}}
EVENTS = "/v1/duplicates"


def entered(player: Client, event: str) -> str:
    match: str = player.made(f"{EVENTS}/{event}/entries")["entry"]["match"]
    return match


def played(player: Client, match: str, conn: db.Connection, choice: int, deals: int = 10**9) -> list[str]:
    """The person's words by a rule of his own, the bots' by a worker; everything that was said."""
    random = Random(choice)
    while (seen := player.read(f"/v1/matches/{match}"))["status"] == "playing" and seen["deals"] < deals:
        if seen["deal"]["your_turn"]:
            word = random.choice(seen["deal"]["legal"])
            player.made(moves(match), {"move": word})
        else:
            work_off(conn, f"bot_turn:{match}:{seen['version']}")
    events = player.read(f"/v1/matches/{match}/events?limit=200")["items"]
    return [f"{event['seat']} {event['move']}" for event in events if event["type"] == "moved"]


def ended(owner: psycopg.Connection, event: str) -> None:
    """Time goes by."""
    owner.execute("alter table duplicate disable trigger duplicate_is_append_only")
    owner.execute(
        "update duplicate set created_at = now() - interval '2 hours', ends_at = now() where id = %s", [event]
    )
    owner.execute("alter table duplicate enable always trigger duplicate_is_append_only")


@pytest.mark.parametrize("bot", ["rule", "search"])
def test_equal_play_meets_equal_answers(ana: Client, luis: Client, conn: db.Connection, bot: str) -> None:
    event = ana.made(EVENTS, {**SOLO, "deals": 1, "bot": bot})["id"]
    words = [played(player, entered(player, event), conn, 1) for player in (ana, luis)]
    assert words[0] == words[1] and len(words[0]) > 20
    table = ana.read(f"{EVENTS}/{event}")["standings"]
    assert [(line["place"], line["difference"]) for line in table] == [(1, 0), (1, 0)]


def test_a_board_is_compared_with_the_field_for_those_who_have_played_it(
    ana: Client, luis: Client, eva: Client, anybody: Client, conn: db.Connection
) -> None:
    event = ana.made(EVENTS, SOLO)["id"]
    for choice, player in enumerate((ana, luis)):
        played(player, entered(player, event), conn, choice)
    half = entered(eva, event)
    path = f"{EVENTS}/{event}"
    assert [line["boards"] for line in eva.read(path)["standings"]] == [[], [], []]
    assert [line["boards"] for line in anybody.read(path)["standings"]] == [[], [], []]
    played(eva, half, conn, 5, deals=1)
    seen = eva.read(path)["standings"]
    assert {board["board"] for line in seen for board in line["boards"]} == {1}
    points = {line["player"]["id"]: line["boards"][0]["points"] for line in seen}
    for line in seen:
        others = [own for player, own in points.items() if player != line["player"]["id"]]
        assert line["difference"] == round(sum(others) / 2 - points[line["player"]["id"]], 3), "low wins"
    whole = ana.read(path)["standings"]
    assert {board["board"] for line in whole for board in line["boards"]} == {1, 2}
    assert sum(line["boards"][0]["difference"] for line in whole) == pytest.approx(0, abs=0.01)


def test_nobody_else_hears_of_a_match_until_the_event_ends(
    ana: Client, luis: Client, eva: Client, anybody: Client, conn: db.Connection, owner: psycopg.Connection
) -> None:
    opened = ana.made(EVENTS, SOLO)
    event, path = opened["id"], f"{EVENTS}/{opened['id']}"
    match = entered(ana, event)
    played(ana, match, conn, 1)
    luis.made(f"{path}/entries")
    below = ("", "/events", "/replay", "/record", "/audit", "/ledger", "/analysis", "/takeback", "/hint")
    for stranger in (luis, eva, anybody.player()):
        assert {stranger.get(f"/v1/matches/{match}{rest}").code for rest in below} == {"not_found"}
        assert match not in text(stranger.read("/v1/matches?limit=200")) + text(stranger.read(path))
        assert match not in text(stranger.read(f"/v1/players/{ana.id}/ledger"))
        assert stranger.post(f"/v1/matches/{match}/analysis").code == "not_found"
    assert ana.read(f"/v1/matches/{match}")["status"] == "ended"
    assert ana.read(path)["packs"] is None
    ended(owner, event)
    over = anybody.read(path)
    dealt = [e["pack"] for e in ana.read(f"/v1/matches/{match}/events?limit=200")["items"] if e["type"] == "dealt"]
    assert over["packs"] == dealt
    told = bytes.fromhex(over["salt"]) + "\n".join(map(" ".join, over["packs"])).encode()
    assert over["commitment"] == opened["commitment"] == sha256(told).hexdigest()
    assert match in [line["match"] for line in over["standings"]]
    assert eva.post(f"{path}/entries").code == "event_over"


def test_while_it_is_played_a_match_says_nothing_of_its_next_packs(ana: Client, conn: db.Connection) -> None:
    event = ana.made(EVENTS, SOLO)["id"]
    match = entered(ana, event)
    played(ana, match, conn, 1, deals=1)
    opened, *later = ana.read(f"/v1/matches/{match}/events?limit=200")["items"]
    assert "packs" not in opened and (opened["event"], opened["hash"]) == (event, None)
    assert [("pack" in each) for each in later if each["type"] == "dealt"] == [True, False]


def test_one_enters_once_and_plays_what_counts(ana: Client, luis: Client, conn: db.Connection) -> None:
    event = ana.made(EVENTS, SOLO)["id"]
    match = entered(ana, event)
    assert ana.post(f"{EVENTS}/{event}/entries").code == "already_entered"
    assert ana.post(f"/v1/matches/{match}/void").code == "not_allowed"
    assert ana.get(f"/v1/matches/{match}/hint").code == "not_allowed"
    assert ana.post(f"/v1/matches/{match}/takeback").code == "not_allowed"
    played(ana, match, conn, 1, deals=1)
    ana.made(f"/v1/matches/{match}/resignation")
    while (seen := ana.read(f"/v1/matches/{match}"))["status"] == "playing":
        work_off(conn, f"bot_turn:{match}:{seen['version']}")
    (line,) = ana.read(f"{EVENTS}/{event}")["standings"]
    assert [board["board"] for board in line["boards"]] == [1]
    assert luis.post(f"{EVENTS}/{'0' * 20}/entries").code == "not_found"


def test_at_tables_of_persons_each_seat_is_compared_with_the_same_seat(anybody: Client) -> None:
    players = [anybody.player() for _ in range(6)]
    event = players[0].made(EVENTS, {**SOLO, "kind": "tables", "deals": 1})["id"]
    for player in players[:2]:
        assert player.made(f"{EVENTS}/{event}/entries")["entry"] == {"match": None, "seat": None}
    for player in players[2:]:
        player.made(f"{EVENTS}/{event}/entries")
    entries = [player.read(f"{EVENTS}/{event}")["entry"] for player in players]
    assert [entry["seat"] for entry in entries] == [0, 1, 2, 0, 1, 2]
    for table in (players[:3], players[3:]):
        match = table[0].read(f"{EVENTS}/{event}")["entry"]["match"]
        while table[0].read(f"/v1/matches/{match}")["status"] == "playing":
            assert turn(table, match)[0] in table
            say(table, match, 1 if table[0] is players[0] else 0)
    lines = {line["player"]["id"]: line for line in players[0].read(f"{EVENTS}/{event}")["standings"]}
    for one, other in zip(players[:3], players[3:], strict=True):
        mine, yours = lines[one.id]["boards"][0], lines[other.id]["boards"][0]
        assert mine["difference"] == yours["points"] - mine["points"] == -yours["difference"]


def test_the_deal_of_the_day_is_the_same_for_whoever_asks(ana: Client, luis: Client) -> None:
    for game in games():
        first = ana.post(EVENTS, {"game": game, "daily": True})
        again = luis.post(EVENTS, {"game": game, "daily": True})
        assert (first.status, again.status) == (201, 200) and first.json["id"] == again.json["id"]
        assert first.json["day"] and first.json["deals"] == 1
        entered(luis, first.json["id"])
    listed = ana.read(f"{EVENTS}?game=mykonos&limit=1")
    assert listed["items"][0]["game"] == "mykonos"
    every = ana.read(f"{EVENTS}?limit=2")
    assert every["next"] and ana.read(f"{EVENTS}?limit=2&cursor={every['next']}")["items"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"game": "bridge"}, "game"),
        ({"bot": "cheat"}, "bot"),
        ({"kind": "teams"}, "kind"),
        ({"game": "mykonos", "options": {}}, "deals"),
        ({"options": {"target": 5}}, "options.target"),
        ({"options": {"wild": 1}}, "options.wild"),
        ({"seats": 9}, "seats"),
        ({"variant": "none"}, "variant"),
        ({"packs": []}, "packs"),
        ({"daily": True}, "daily"),
        ({"ends_at": "2020-01-01T00:00:00Z"}, "ends_at"),
        ({"ends_at": "2999-01-01T00:00:00Z"}, "ends_at"),
    ],
)
def test_what_cannot_be_played_is_refused_by_field(ana: Client, wrong: dict[str, Any], field: str) -> None:
    answer = ana.post(EVENTS, {**SOLO, **wrong})
    assert answer.code == "invalid" and field in answer.json["errors"], answer


def test_places_are_shared_and_a_board_not_played_is_no_difference() -> None:
    scored = [
        Scored("a", 1, 0, 4),
        Scored("b", 1, 0, 2),
        Scored("c", 1, 0, 0),
        Scored("a", 2, 0, 1),
        Scored("b", 2, 0, 3),
    ]
    low = standings(scored, ["a", "b", "c", "d"], {1, 2}, low_wins=True)
    assert [(each.player, each.place, each.difference) for each in low] == [
        ("c", 1, 1.5),
        ("d", 2, 0.0),
        ("a", 3, -0.5),
        ("b", 4, -1.0),
    ]
    high = standings(scored, ["a", "b", "c", "d"], {1, 2}, low_wins=False)
    assert {each.player: each.difference for each in high} == {each.player: -each.difference for each in low}
    same = standings([Scored("a", 1, 0, 4), Scored("b", 1, 0, 4)], ["a", "b", "c"], {1}, low_wins=True)
    assert [each.place for each in same] == [1, 1, 1]
    assert duplicates.standings([], ["a"], set(), low_wins=True)[0].place == 1
