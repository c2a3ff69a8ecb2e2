"""A table that is played over HTTP by a program that does not give up: what it was told is kept, to be compared.

All its persons are ours. They write under a key and ask again, wherever anybody answers, until they are answered; what
else than that may come back is a fault. Read beside it: chaos.py, tests/e2e/test_kill.py.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from secrets import token_hex
from threading import Event
from typing import Any

import requests

AGAIN_SECONDS = 0.1
GIVE_UP_SECONDS = 60.0


class WrongAnswerError(AssertionError):
    """The API said something that a client need not expect; or nothing, for a whole minute."""


class StaleError(Exception):
    """Somebody else at the table was faster."""


@dataclass
class Said:
    """A word that the API acknowledged, and how long it took from reading the match to that answer."""

    match: str
    version: int
    seat: int
    word: str
    seconds: float


@dataclass
class Table:
    """One match. `bases` are the APIs, asked in turn."""

    bases: Sequence[str]
    game: str = "polignac"
    options: Mapping[str, Any] = field(default_factory=lambda: {"deals": 100, "declarations": "capot"})
    persons: int = 3
    bots: int = 0
    draw: random.Random = field(default_factory=lambda: random.Random(1))
    said: list[Said] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    cut: int = 0  # connections that broke off or were refused
    without_retry_after: int = 0
    heard: float = 0.0  # when the newest acknowledged write was begun
    slowest: float = 0.0  # seconds, of a request with all its repetitions
    match: str = ""
    over: bool = False

    def run(self) -> None:
        """The whole match."""
        self.open()
        self.play()

    def open(self) -> None:
        """Everybody comes, and sits down."""
        self.session, self.turns = requests.Session(), cycle(self.bases)
        players = [self.call("POST", "/v1/players", {"name": f"p{n}"}) for n in range(self.persons)]
        self.tokens = [player["token"] for player in players]
        others = [{"player": player["id"]} for player in players[1:]]
        bots = [{"bot": ("rule", "random")[number % 2]} for number in range(self.bots)]
        proposal = {"game": self.game, "seats": [{"player": "me"}, *others, *bots], "options": dict(self.options)}
        self.match = str(self.call("POST", "/v1/matches", proposal, self.tokens[0])["id"])
        for seat in range(1, self.persons):
            self.call("POST", f"/v1/matches/{self.match}/seats", {"seat": seat}, self.tokens[seat])

    def play(self, stop: Event | None = None) -> None:
        """Say a word whenever one of ours is asked, to the end of the match or until told to stop."""
        seat = 0
        while not (stop and stop.is_set()):
            began = time.monotonic()
            m = self.call("GET", f"/v1/matches/{self.match}", token=self.tokens[seat])
            if m["status"] != "playing":
                self.over = True
                return
            asked = [other for other in m["deal"]["to_act"] if other < self.persons]
            if seat in asked:
                self._say(seat, m, began)
            elif asked:
                seat = asked[0]
            else:
                time.sleep(0.02)

    def _say(self, seat: int, m: dict[str, Any], began: float) -> None:
        path, word = f"/v1/matches/{self.match}/moves", self.draw.choice(m["deal"]["legal"])
        try:
            answer = self.call("POST", path, {"move": word}, self.tokens[seat], {"If-Match": f'"{m["version"]}"'})
        except StaleError:
            return
        moved = next(event for event in answer["events"] if event["type"] == "moved")
        self.said.append(Said(self.match, moved["version"], moved["seat"], word, time.monotonic() - began))

    def call(
        self, method: str, path: str, body: Any = None, token: str = "", headers: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """The answer, once there is one; the same key is sent again until then. Raises StaleError, WrongAnswerError."""
        sent = {"Idempotency-Key": token_hex(8), **({"Authorization": f"Bearer {token}"} if token else {})}
        sent |= headers or {}
        began = time.monotonic()
        while (answer := self._answer(method, path, body, sent)) is None:
            if time.monotonic() - began > GIVE_UP_SECONDS:
                raise WrongAnswerError(f"{method} {path}: nothing in {GIVE_UP_SECONDS:.0f} s")
            time.sleep(AGAIN_SECONDS)
        self.slowest = max(self.slowest, time.monotonic() - began)
        if method == "POST":
            self.heard = began
        return answer

    def _answer(self, method: str, path: str, body: Any, headers: dict[str, str]) -> dict[str, Any] | None:
        """What came back, or None where it is to be asked for again."""
        try:
            answer = self.session.request(method, f"{next(self.turns)}{path}", json=body, headers=headers, timeout=20)
        except requests.RequestException:
            self.cut += 1
            return None
        self.answers[answer.status_code] += 1
        if answer.status_code == 503:
            self.without_retry_after += "Retry-After" not in answer.headers
            return None
        if answer.status_code == 412:
            raise StaleError
        if answer.status_code == 409 and answer.json()["code"] == "in_progress":
            return None
        if not answer.ok:
            raise WrongAnswerError(f"{method} {path}: {answer.status_code} {answer.text}")
        found: dict[str, Any] = answer.json()
        return found
