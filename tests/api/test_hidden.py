"""What somebody must not see, he does not see anywhere (C1, C2, C4). Beside it: test_access.py (C3)."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from domain.rules import effective, games
from domain.secrecy import view_for
from tests.api.http import Answer, Client
from tests.api.tables import moves, opened, played, say, started, text, turn

STEPS = 12
SEATS = {"bottle_imp": 4, "pot_de_vin": 3, "mykonos": 3, "polignac": 4}


def two_worlds(name: str, seed: int) -> tuple[list[str], list[str]]:
    """Two packs, unlike only in what seat 0 cannot see when seat 3 or the last has dealt."""
    game, draw = games()[name], random.Random(seed)
    seats = SEATS.get(name, 4)
    options, everybody = effective(game, next(iter(game.VARIANTS)), {}, seats), list(range(seats))
    pack = list(game.pack(options, everybody))
    draw.shuffle(pack)

    def seen(cards: list[str]) -> dict[str, Any]:
        return view_for(game.deal(options, everybody, seats - 1, cards, [0] * seats), 0)

    while True:
        a, b = draw.sample(range(len(pack)), 2)
        other = pack[:]
        other[a], other[b] = other[b], other[a]
        if seen(other) == seen(pack):
            return pack, other


class World:
    """A match on a prepared pack, and what is unlike for no good reason: its id and the clock."""

    def __init__(self, name: str, players: list[Client], pack: list[str]) -> None:
        seats = [{"player": "me"}, *({"player": each.id} for each in players[1:])]
        opening = {"game": name, "seats": seats, "packs": [pack], "dealer": len(players) - 1}
        self.players = players
        self.id = players[0].made("/v1/matches", opening)["id"]
        for seat, each in enumerate(players[1:], 1):
            each.made(f"/v1/matches/{self.id}/seats", {"seat": seat})

    def plain(self, answer: Answer) -> tuple[int, str | None, str]:
        """Status, ETag and body without the id and the times."""
        content = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "time", answer.text.replace(self.id, "match"))
        return answer.status, answer.headers.get("ETag"), content

    def asked(self, client: Client, version: int) -> Iterator[tuple[int, str | None, str]]:
        """Everything that somebody can ask without changing anything."""
        base = f"/v1/matches/{self.id}"
        for path in ("", f"?at={version}", "?at=1", "?eyes=all", "?eyes=1", "/events", "/audit", "/ledger", "/record",
                     "/replay", "/replay?eyes=1"):  # fmt: skip
            yield self.plain(client.get(base + path))
        yield self.plain(client.get(base + "/record", Accept="application/json"))
        if client.token:
            yield self.plain(client.post(moves(self.id), {"move": "no word"}))
            yield self.plain(client.post(moves(self.id), {"move": "no word"}, If_Match='"1"'))
            yield self.plain(client.post(base + "/seats"))

    def turn(self) -> tuple[int, list[str], int]:
        """Whose turn it is, what he may say, and the version."""
        client, seen = turn(self.players, self.id)
        return self.players.index(client), seen["deal"]["legal"], seen["version"]

    def say(self, seat: int, word: str) -> tuple[int, str | None, str]:
        return self.plain(self.players[seat].post(moves(self.id), {"move": word}))


@pytest.mark.parametrize("name", games())
def test_worlds_that_look_alike_answer_alike(anybody: Client, name: str) -> None:
    """C1: byte for byte, whatever a seat, or somebody who watches, can ask."""
    players = [anybody.player() for _ in range(SEATS.get(name, 4))]
    left, right = (World(name, players, pack) for pack in two_worlds(name, seed=7))
    watcher, said = anybody.player(), 0
    for _ in range(STEPS):
        (seat, words, version), (other, others, _) = left.turn(), right.turn()
        assert seat == other
        for client in (players[0], watcher, anybody):
            assert list(left.asked(client, version)) == list(right.asked(client, version))
        common = [word for word in words if word in others]
        if not common:
            break
        answers = left.say(seat, common[-1]), right.say(seat, common[-1])
        said += 1
        if seat == 0:
            assert answers[0] == answers[1]
    assert said >= 3, "the worlds came apart before anything was said"


def test_what_would_tell_the_cards_leaves_only_when_the_deal_is_scored(anybody: Client) -> None:
    """C2, over everything that anybody was told while the deal was played."""
    players = [anybody.player() for _ in range(4)]
    told: list[str] = []
    listening = [Client(overheard(each, told), each.token, each.id) for each in players]
    match = started(*listening, options={"deals": 2})["id"]
    for turn_number in count():
        if turn_number % 5 == 0:
            ask_everything(Client(overheard(anybody, told)), match)
            ask_everything(listening[1], match)
        if say(listening, match, turn_number).json["match"]["deals"]:
            break
    dealt = next(each for each in anybody.read(f"/v1/matches/{match}/events")["items"] if each["type"] == "dealt")
    secrets = dealt["seed"], text(dealt["pack"])[1:-1].replace(" ", ""), " ".join(dealt["pack"])
    before = told[: next(n for n, answer in enumerate(told) if '"type":"scored"' in answer)]
    assert len(bytes.fromhex(dealt["seed"])) >= 16 and len(before) > 50
    assert [answer for answer in before if any(secret in answer for secret in secrets)] == []
    assert {each["hash"] for answer in before for each in events_in(answer) if each["type"] == "moved"} == {None}


def overheard(client: Client, told: list[str]) -> Callable[..., Answer]:
    def send(*request: Any) -> Answer:
        answer = client.transport(*request)
        told.append(answer.text)
        return answer

    return send


def events_in(answer: str) -> list[dict[str, Any]]:
    content = json.loads(answer)
    found: list[dict[str, Any]] = content.get("events", []) or content.get("items", [])
    return [each for each in found if "type" in each]


def ask_everything(client: Client, match: str) -> None:
    for path in ("", "?at=2", "/events", "/audit", "/ledger"):
        client.get(f"/v1/matches/{match}{path}")
    client.get(f"/v1/matches/{match}/record", Accept="application/json")
    client.get("/v1/matches")


def test_an_unlisted_match_is_readable_and_in_nobody_elses_list(anybody: Client, ana: Client, luis: Client) -> None:
    match = opened(ana, luis, anybody.player(), visibility="unlisted")["id"]
    assert anybody.get(f"/v1/matches/{match}").status == 200
    assert match not in {item["id"] for item in anybody.read("/v1/matches?limit=200")["items"]}
    assert match in {item["id"] for item in luis.read("/v1/matches?limit=200")["items"]}


def test_whoever_left_or_resigned_sees_what_a_spectator_sees(anybody: Client) -> None:
    """C4"""
    players = [anybody.player() for _ in range(4)]
    match = started(*players)["id"]
    assert isinstance(players[1].read(f"/v1/matches/{match}")["deal"]["view"]["hands"][1], list)
    players[1].made(f"/v1/matches/{match}/resignation")
    for path in ("", "/events"):
        resigned, spectator = players[1].get(f"/v1/matches/{match}{path}"), anybody.get(f"/v1/matches/{match}{path}")
        assert resigned.text.replace('"you":true', '"you":false') == spectator.text
    assert resigned.json["items"][-1]["type"] == "resigned"


def test_nobody_sees_whose_hand_it_was_before_he_sat_there(anybody: Client) -> None:
    """A player who comes back to an earlier version sees his own hand of then, and no other."""
    players = [anybody.player() for _ in range(4)]
    match = started(*players, options={"deals": 2})["id"]
    version = players[0].read(f"/v1/matches/{match}")["version"]
    say(players, match)
    hands = [each.read(f"/v1/matches/{match}?at={version}")["deal"]["view"]["hands"] for each in players]
    assert [[isinstance(hand, list) for hand in seen] for seen in hands] == [
        [seat == own for seat in range(4)] for own in range(4)
    ]


def test_a_deal_that_lies_open_is_shown_whole_to_everybody(anybody: Client) -> None:
    players = [anybody.player() for _ in range(4)]
    match = started(*players, options={"deals": 2})["id"]
    version = players[0].read(f"/v1/matches/{match}")["version"]
    played(players, match, deals=1)
    everything = anybody.read(f"/v1/matches/{match}?at={version}&eyes=all")["deal"]["view"]["hands"]
    assert sum(map(len, everything)) == 32
    third = anybody.read(f"/v1/matches/{match}?at={version}&eyes=3")["deal"]["view"]["hands"]
    assert third == [8, 8, 8, everything[3]]
    assert anybody.get(f"/v1/matches/{match}?eyes=all").code == "not_yet_open"
    assert anybody.get(f"/v1/matches/{match}?at={version}&eyes=7").code == "invalid"
