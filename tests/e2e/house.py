"""A whole house for the tests that kill its parts: embedded servers, the API as gunicorn serves it, workers.

And a program that plays on it over HTTP and does not give up. Beside it: test_kill.py.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from signal import SIGTERM
from threading import Event
from typing import Any

import requests

from store import embedded
from store.migrate import migrate
from tests.workers.tables import ROOT, worker

UNLIMITED = {"TAPETE_WRITES_PER_SECOND": "100000", "TAPETE_REGISTRATIONS_PER_MINUTE": "100000"}


@dataclass
class House:
    """What runs, and where. `url` is the API's."""

    servers: embedded.Servers
    folder: Path
    url: str
    api: subprocess.Popen[bytes]

    @contextmanager
    def workers(self, number: int = 1) -> Iterator[list[subprocess.Popen[bytes]]]:
        """So many workers; `log` says when they are ready."""
        self.log.write_bytes(b"")
        with ExitStack() as stack:
            database, redis = self.servers.database_url, self.servers.redis_url
            yield [stack.enter_context(worker(database, redis, self.log)) for _ in range(number)]

    @property
    def log(self) -> Path:
        """What the workers say."""
        return self.folder / "workers.log"


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """Servers and API under `folder`, and no worker yet."""
    with embedded.servers(folder / "a home") as servers:
        migrate(servers.database_url)
        with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener, (folder / "api.log").open("wb") as log:
            given = {"DATABASE_URL": servers.database_url, "REDIS_URL": servers.redis_url, **UNLIMITED}
            gunicorn = ["gunicorn", "--config", "python:api.serving", "--bind", f"fd://{listener.fileno()}"]
            api = subprocess.Popen(
                [sys.executable, "-m", *gunicorn],
                cwd=ROOT,
                env={**os.environ, **given},
                stdout=log,
                stderr=log,
                pass_fds=[listener.fileno()],
            )
            try:
                url = f"http://127.0.0.1:{listener.getsockname()[1]}"
                _wait_until_ready(url)
                yield House(servers, folder, url, api)
            finally:
                api.send_signal(SIGTERM)
                api.wait(20)


def _wait_until_ready(url: str) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with suppress(requests.RequestException):
            if requests.get(f"{url}/readyz", timeout=5).ok:
                return
        time.sleep(0.05)
    raise AssertionError("the API does not become ready")


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
    """One match over HTTP. All its persons are ours; they write under a key until they are answered."""

    url: str
    bots: int = 0
    persons: int = 3
    said: list[Said] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    without_retry_after: int = 0

    def __post_init__(self) -> None:
        self.session = requests.Session()
        players = [self.call("POST", "/v1/players", {"name": f"p{n}"}) for n in range(self.persons)]
        self.tokens = [player["token"] for player in players]
        seats = [
            {"player": "me"},
            *({"player": player["id"]} for player in players[1:]),
            *[{"bot": "rule"}] * self.bots,
        ]
        proposal = {"game": "polignac", "seats": seats, "options": {"deals": 100, "declarations": "capot"}}
        self.match = str(self.call("POST", "/v1/matches", proposal, self.tokens[0])["id"])
        for seat in range(1, self.persons):
            self.call("POST", f"/v1/matches/{self.match}/seats", {"seat": seat}, self.tokens[seat])

    def play(self, stop: Event) -> None:
        """Say a word whenever one of ours is asked, until told to stop."""
        seat = 0
        while not stop.is_set():
            began = time.monotonic()
            m = self.call("GET", f"/v1/matches/{self.match}", token=self.tokens[seat])
            asked = [other for other in m["deal"]["to_act"] if other < self.persons]
            if seat in asked:
                self._say(seat, m, began)
            elif asked:
                seat = asked[0]
            else:
                time.sleep(0.02)

    def _say(self, seat: int, m: dict[str, Any], began: float) -> None:
        path, word = f"/v1/matches/{self.match}/moves", m["deal"]["legal"][0]
        answer = self.call("POST", path, {"move": word}, self.tokens[seat], {"If-Match": f'"{m["version"]}"'})
        moved = next(event for event in answer["events"] if event["type"] == "moved")
        self.said.append(Said(self.match, moved["version"], moved["seat"], word, time.monotonic() - began))

    def call(
        self, method: str, path: str, body: Any = None, token: str = "", headers: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """The answer, once there is one; the same key is sent again for as long as the server is not available."""
        sent = {"Idempotency-Key": token_hex(8), **({"Authorization": f"Bearer {token}"} if token else {})}
        sent |= headers or {}
        while True:
            answer = self.session.request(method, f"{self.url}{path}", json=body, headers=sent, timeout=30)
            self.answers[answer.status_code] += 1
            if answer.status_code != 503:
                assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
                found: dict[str, Any] = answer.json()
                return found
            self.without_retry_after += "Retry-After" not in answer.headers
            time.sleep(0.1)
