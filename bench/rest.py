"""One move over REST: authenticated, rule-checked, folded, chained, committed, with its job. Throughput, growth."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from itertools import count
from typing import Any

from bench.http import Connection, free_port
from bench.measure import Row, interleaved
from bench.script import SEATS, Said, Script, script

CLIENTS = 16
SECONDS = 4.0
DEALS = 6  # a match to a target of ten
EARLY, LATE = 10, 1000
CLOCK = {"turn_seconds": 604800, "bank_seconds": 0}  # so that every move writes a job: the next seat's clock


@contextmanager
def empty_view(environment: dict[str, str]) -> Iterator[str]:
    """The peer's server, with the API's settings; gives its base URL."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "--config",
        "python:bench.serving_empty",
        "--bind",
        f"127.0.0.1:{port}",
    ]
    process = subprocess.Popen(command, env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
    try:
        wait(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def wait(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with suppress(OSError):
            HTTPConnection("127.0.0.1", port, timeout=1).connect()
            return
        time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port}")


def throughput(base: str, empty: str, library: Callable[[float], float], rounds: int) -> list[Row]:
    """Moves a second of 16 clients against the empty view's inserts, and against the library's load and save."""
    clients = [Table(base, script(DEALS, seed)) for seed in range(CLIENTS)]
    inserts = [Connection(empty) for _ in range(CLIENTS)]
    blank = inserts[0].request("/insert", {})

    def ours() -> float:
        return a_second([client.move for client in clients])

    def peer() -> float:
        return a_second([lambda each=each: each.send(blank) for each in inserts])  # type: ignore[misc]

    what = f"one move over REST, {CLIENTS} clients"
    mine, theirs, ratio = interleaved(ours, peer, rounds)
    rows = [Row(what, "empty Flask view, INSERT + COMMIT", mine, theirs, "requests/s", ratio, "≥ 0.5")]
    mine, theirs, ratio = interleaved(ours, lambda: library(SECONDS), rounds)
    return [*rows, Row(what, "eventsourcing, load + save", mine, theirs, "moves/s", ratio, "≥ 1.2")]


def a_second(calls: list[Callable[[], Any]], seconds: float = SECONDS) -> float:
    """How often these are called in a second, each by a thread of its own."""
    until = time.perf_counter() + seconds

    def repeat(call: Callable[[], Any]) -> int:
        for done in count():
            if time.perf_counter() >= until:
                return done
            call()
        raise AssertionError

    started = time.perf_counter()
    with ThreadPoolExecutor(len(calls)) as pool:
        done = sum(pool.map(repeat, calls))
    return done / (time.perf_counter() - started)


class Table:
    """Four players of one client, who play a known match word by word, and then another."""

    def __init__(self, base: str, known: Script) -> None:
        self.connection, self.script = Connection(base), known
        self.players = [self.connection.post("/v1/players", {"name": f"seat {seat}"}) for seat in range(SEATS)]
        self.sit()

    def sit(self) -> None:
        """Open the match, all four seated."""
        host, *others = self.players
        seats = [{"player": "me"}, *({"player": other["id"]} for other in others)]
        opening = {**self.script.opening, "seats": seats, "clock": CLOCK}
        self.path = f"/v1/matches/{self.connection.post('/v1/matches', opening, host['token'])['id']}"
        for seat, other in enumerate(others, 1):
            seated = self.connection.post(f"{self.path}/seats", {"seat": seat}, other["token"])
        self.left, self.ahead = iter(self.script.words), seated["version"] - self.script.words[0].version

    def next(self) -> Said:
        """The next word, of another match where this one is over."""
        if (said := next(self.left, None)) is None:
            self.sit()
            said = next(self.left)
        return said

    def move(self) -> float:
        """Say the next word; how many seconds that took."""
        return self.say(self.next(), self.connection)[0]

    def say(self, said: Said, connection: Connection) -> tuple[float, bytes]:
        """How many seconds a word took, and what was answered."""
        token, version = self.players[said.seat]["token"], said.version + self.ahead
        request = connection.request(f"{self.path}/moves", {"move": said.word}, token, version)
        started = time.perf_counter()
        status, text = connection.send(request)
        if status != 201:
            raise RuntimeError(f"a move: {status} {text[:500]!r}")
        return time.perf_counter() - started, text


class Unknown:
    """Four players who play ordinary, shuffled deals by reading what they may say; only the move itself is timed."""

    def __init__(self, base: str, deals: int) -> None:
        self.connection, self.options = Connection(base), {"deals": deals, "declarations": "none"}
        self.players = [self.connection.post("/v1/players", {"name": f"seat {seat}"}) for seat in range(SEATS)]
        self.sit()

    def sit(self) -> None:
        """Open the match, all four seated."""
        seats = [{"player": "me"}, *({"player": other["id"]} for other in self.players[1:])]
        opening = {"game": "polignac", "options": self.options, "seats": seats, "clock": CLOCK}
        self.path = f"/v1/matches/{self.connection.post('/v1/matches', opening, self.players[0]['token'])['id']}"
        for other in self.players[1:]:
            self.seen = self.connection.post(f"{self.path}/seats", {}, other["token"])["match"]

    def move(self) -> float:
        """The seat that owes a word says its first legal one; how many seconds that took."""
        token = self.players[self.seen["deal"]["to_act"][0]]["token"]
        seen = self.connection.get(self.path, token)
        request = self.connection.request(
            f"{self.path}/moves", {"move": seen["deal"]["legal"][0]}, token, seen["version"]
        )
        started = time.perf_counter()
        status, text = self.connection.send(request)
        seconds = time.perf_counter() - started
        if status != 201:
            raise RuntimeError(f"a move: {status} {text[:500]!r}")
        self.seen = json.loads(text)["match"]
        return seconds


def growth(base: str, rounds: int) -> Row:
    """A move at event 1,000 of a match against one at event 10, by one client."""
    long, short = Unknown(base, 60), Unknown(base, 60)
    while long.seen["version"] < LATE:
        long.move()
    pairs = []
    for _ in range(rounds):
        short.sit()
        while short.seen["version"] < EARLY:
            short.move()
        pairs += [(long.move(), short.move()) for _ in range(12)]
    late, early = (statistics.median(side) * 1000 for side in zip(*pairs, strict=True))
    return Row(f"a move at event {LATE}", f"a move at event {EARLY}", late, early, "ms", late / early, "≤ 1.3")
