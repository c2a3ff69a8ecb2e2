"""Matches for the tests of the API: opened, filled, played."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from typing import Any

from domain.cards import french
from tests.api.http import Answer, Client

PACK = french("AKQJT987")  # four seats play with all of it
BOT = {"bot": "rule"}


def moves(match: str) -> str:
    return f"/v1/matches/{match}/moves"


def opened(host: Client, *others: Client, **facts: Any) -> Any:
    """A match of Polignac with the host in seat 0 and the others invited."""
    seats = [{"player": "me"}, *({"player": other.id} for other in others)]
    return host.made("/v1/matches", {"game": "polignac", "seats": seats, **facts})


def started(*players: Client, **facts: Any) -> Any:
    """The same with everybody seated and the first deal dealt, as the host sees it."""
    host, *others = players
    match = opened(host, *others, **facts)
    for seat, other in enumerate(others, 1):
        match = other.made(f"/v1/matches/{match['id']}/seats", {"seat": seat})["match"]
    return host.read(f"/v1/matches/{match['id']}")


def turn(players: Sequence[Client], match: str) -> tuple[Client, Any]:
    """Whose turn it is, and the match as he sees it."""
    seen = players[0].read(f"/v1/matches/{match}")
    seat = seen["deal"]["to_act"][0]
    return players[seat], players[seat].read(f"/v1/matches/{match}")


def say(players: Sequence[Client], match: str, choice: int = 0) -> Answer:
    """Whose turn it is says one of his words."""
    client, seen = turn(players, match)
    word = seen["deal"]["legal"][choice % len(seen["deal"]["legal"])]
    answer = client.post(moves(match), {"move": word}, If_Match=f'"{seen["version"]}"')
    assert answer.status == 201, answer
    return answer


def played(players: Sequence[Client], match: str, deals: int = 10**9) -> Any:
    """The match after so many deals more, or at its end."""
    for choice in count():
        seen = players[0].read(f"/v1/matches/{match}")
        if seen["status"] != "playing" or seen["deals"] >= deals:
            return seen
        say(players, match, choice)
    raise AssertionError


def text(content: Any) -> str:
    """JSON to compare byte for byte."""
    return json.dumps(content, sort_keys=True)
