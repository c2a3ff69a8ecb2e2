"""A replay is what `?at=` shows, version by version and byte for byte, to everybody who may ask (C1, C23)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any

import pytest

from domain.rules import games
from tests.api import conformance
from tests.api.http import Client
from tests.api.tables import opened, played, say, started

SHORT = {"polignac": {"deals": 2}, "bottle_imp": {"deals": 2}}
SEATS = 3
EYES = ("own", "all", *map(str, range(SEATS)))


def table(players: Sequence[Client], game: str, **facts: Any) -> str:
    """A match of any game with everybody seated; its id."""
    seats = [{"player": "me"}, *({"player": other.id} for other in players[1:])]
    body = {"game": game, "seats": seats, "options": SHORT.get(game, {}), **facts}
    match: str = players[0].made("/v1/matches", body)["id"]
    for seat, other in enumerate(players[1:], 1):
        other.made(f"/v1/matches/{match}/seats", {"seat": seat})
    return match


def frames(client: Client, match: str, eyes: str = "own") -> list[str]:
    """The lines of a replay, each as described."""
    answer = client.get(f"/v1/matches/{match}/replay?eyes={eyes}")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/x-ndjson"), answer
    for frame in answer.lines:
        conformance.fits("Frame", frame)
    return answer.text.splitlines()


def agrees(client: Client, match: str, eyes: str) -> None:
    """Every frame is `?at=` of its version, and its event as the list has it; or both are refused alike."""
    whole = client.get(f"/v1/matches/{match}/replay?eyes={eyes}")
    if whole.status != 200:
        assert whole.code == client.get(f"/v1/matches/{match}?eyes={eyes}").code == "not_yet_open"
        return
    events: list[Any] = []
    while not events or events[-1]["version"] < len(whole.lines):
        events += client.read(f"/v1/matches/{match}/events?limit=200&after={len(events)}")["items"]
    for version, frame in enumerate(whole.text.splitlines(), 1):
        event = json.dumps(events[version - 1], ensure_ascii=False, separators=(",", ":"))
        then = client.get(f"/v1/matches/{match}?at={version}&eyes={eyes}").text
        assert frame == f'{{"version":{version},"event":{event},"match":{then}}}'


@pytest.mark.parametrize("game", games())
def test_a_replay_is_what_at_shows_byte_for_byte_for_every_viewer(anybody: Client, game: str) -> None:
    players, random = [anybody.player() for _ in range(SEATS)], Random(game)
    match = table(players, game, clock={"turn_seconds": 600})
    asked = [random.randint(2, 40), random.randint(41, 90)]
    for said in count():
        seen = players[0].read(f"/v1/matches/{match}")
        if said in asked or seen["status"] != "playing":
            for client in (*players, anybody):
                for eyes in EYES if client is anybody else ("own",):
                    agrees(client, match, eyes)
        if seen["status"] != "playing" or said > 90:
            break
        say(players, match, random.randrange(20))


def test_every_frame_has_the_status_of_its_moment(anybody: Client) -> None:
    """C23: open until everybody sits, playing until the end, and times that are not yet are null."""
    players = [anybody.player() for _ in range(SEATS)]
    match = table(players, "polignac")
    played(players, match)
    shown = [json.loads(frame)["match"] for frame in frames(players[0], match)]
    assert [m["version"] for m in shown] == list(range(1, len(shown) + 1))
    events = [json.loads(frame)["event"]["type"] for frame in frames(players[0], match)]
    dealt = events.index("dealt")
    assert [m["status"] for m in shown] == ["open"] * dealt + ["playing"] * (len(shown) - dealt - 1) + ["ended"]
    assert [m["started_at"] is None for m in shown] == [m["status"] == "open" for m in shown]
    assert [m["ended_at"] is None for m in shown] == [m["result"] is None for m in shown]
    assert [m["version"] for m in shown if m["ended_at"]] == [len(shown)]


def test_a_running_deal_shows_each_viewer_what_he_knew(anybody: Client) -> None:
    players = [anybody.player() for _ in range(4)]
    match = started(*players, options={"deals": 2})["id"]
    for choice in range(5):
        say(players, match, choice)
    for seat, client in enumerate([*players, anybody]):
        last = json.loads(frames(client, match)[-1])
        hands = last["match"]["deal"]["view"]["hands"]
        assert [isinstance(hand, list) for hand in hands] == [other == seat for other in range(4)]
        assert {line["event"]["hash"] for line in map(json.loads, frames(client, match)[5:])} == {None}
    for eyes in ("all", "0", "3"):
        for client in (*players, anybody):
            assert client.get(f"/v1/matches/{match}/replay?eyes={eyes}").code == "not_yet_open"
    assert players[0].get(f"/v1/matches/{match}/replay?eyes=7").code == "not_yet_open"
    players[0].made(f"/v1/matches/{match}/void")
    assert anybody.get(f"/v1/matches/{match}/replay?eyes=7").code == "invalid"


def test_who_left_and_what_was_noted_stand_in_the_frames(anybody: Client, ana: Client, luis: Client) -> None:
    match = opened(ana, luis, anybody.player())["id"]
    luis.made(f"/v1/matches/{match}/seats", {"seat": 1})
    luis.delete(f"/v1/matches/{match}/seats/1")
    ana.made(f"/v1/matches/{match}/void", {"note": "it rains"})
    for client in (ana, luis, anybody):
        agrees(client, match, "own")
    last = json.loads(frames(ana, match)[-1])
    assert (last["event"]["note"], last["match"]["status"]) == ("it rains", "voided")
    assert json.loads(frames(ana, match)[1])["match"]["seats"][1]["player"]["name"] == "Luis"
    assert "it rains" not in frames(luis, match)[-1]


@pytest.mark.parametrize("asked", ["?eyes=nobody", "?at=1", "?eyes=10", "?eyes="])
def test_a_replay_refuses_what_it_does_not_know(ana: Client, luis: Client, asked: str) -> None:
    match = opened(ana, luis, ana.player())["id"]
    assert ana.get(f"/v1/matches/{match}/replay{asked}").code == "invalid"
