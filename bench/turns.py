"""A bot's turn: from a person's move, sent over REST, to the event of the bot that answers it, for each game."""

from __future__ import annotations

import json
import statistics
import time

from bench.http import Connection
from bench.measure import Row
from domain.rules import games

TURNS = 200
REACH_MS = 50.0
LOOK_SECONDS = 0.001  # between two looks for the bot's event


def rows(base: str) -> list[Row]:
    """p99 in milliseconds, on an idle house: one person and three `rule` bots at a time."""
    return [_row(base, game) for game in games()]


def _row(base: str, game: str) -> Row:
    seconds = sorted(_turns(Connection(base), game))
    median, p99 = statistics.median(seconds) * 1000, seconds[int(len(seconds) * 0.99)] * 1000
    what, against = f"{game}: from a move to the `rule` bot's event, p99", f"what is asked; median {median:.1f} ms"
    return Row(what, against, p99, REACH_MS, "ms", p99 / REACH_MS, "≤ 1.0")


def _turns(connection: Connection, game: str) -> list[float]:
    me = connection.post("/v1/players", {"name": "person"})
    seats = [{"player": "me"}, *[{"bot": "rule"}] * 3]
    found: list[float] = []
    while True:
        match = connection.post("/v1/matches", {"game": game, "seats": seats}, me["token"])
        path = f"/v1/matches/{match['id']}"
        while match["status"] == "playing":
            if len(found) >= TURNS:
                return found
            if match["deal"]["your_turn"]:
                found += _answered(connection, path, match, me["token"])
            match = connection.get(path, me["token"])


def _answered(connection: Connection, path: str, match: dict[str, object], token: str) -> list[float]:
    """How long the bot took to answer one word of ours; nothing where none had to, or somebody was faster."""
    words = match["deal"]["legal"]  # type: ignore[index]
    request = connection.request(f"{path}/moves", {"move": words[0]}, token, int(str(match["version"])))
    began = time.perf_counter()
    status, text = connection.send(request)
    said = json.loads(text)
    if status != 201 or said["match"]["status"] != "playing" or said["match"]["deal"]["to_act"] in ([], [0]):
        return []
    while not connection.get(f"{path}/events?after={said['version']}&limit=1", token)["items"]:
        time.sleep(LOOK_SECONDS)
    return [time.perf_counter() - began]
