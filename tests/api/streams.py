"""Streams as a client reads them, over a socket: each in a thread of its own, with the moment at which a line came."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR, socket
from threading import Thread
from typing import Any

import requests

from tests.api.http import Client

NDJSON, SSE = "application/x-ndjson", "text/event-stream"


class Reader:
    """A stream that is being read. `items` are what its lines hold, `ids` what SSE says of each."""

    def __init__(self, base: str, path: str, token: str | None = None, accept: str = NDJSON, **headers: str) -> None:
        sent = {"Accept": accept, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        self.response = requests.get(base + path, headers=sent, stream=True, timeout=40)
        self.lines: list[str] = []
        self.items: list[Any] = []
        self.times: list[float] = []
        self.ids: list[int] = []
        self.closed = False
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(requests.RequestException, OSError, ValueError, AttributeError):
            for raw in self.response.iter_lines(chunk_size=None):
                self._take(raw.decode())
        self.closed = True

    def _take(self, line: str) -> None:
        self.lines.append(line)
        if line.startswith("id: "):
            self.ids.append(int(line[4:]))
        text = line.removeprefix("data: ")
        if text.startswith("{"):
            self.items.append(json.loads(text))
            self.times.append(time.monotonic())

    @property
    def versions(self) -> list[int]:
        return [item["version"] for item in self.items]

    def types(self, match: str) -> list[str]:
        """What was said of a match, on a player's stream."""
        return [item["type"] for item in self.items if item["match"] == match]

    def wait(self, question: Callable[[], Any], seconds: float = 15.0) -> Any:
        """The first answer that is not nothing."""
        return waited(question, seconds, lambda: f"{self.closed=} {self.lines[-3:]}")

    def reaches(self, version: int) -> None:
        """Wait until this version has come."""
        self.wait(lambda: any(each >= version for each in self.versions))

    def tells(self, match: str, version: int, kind: str = "event") -> None:
        """Wait until a player's stream has said this of a match."""
        self.wait(lambda: (match, version, kind) in [(i["match"], i["version"], i["type"]) for i in self.items])

    def ends(self, seconds: float = 15.0) -> None:
        """Wait until it is over."""
        self.wait(lambda: self.closed, seconds)

    def close(self) -> None:
        """Break off, in whatever is being read."""
        break_off(self.response)


def socket_of(response: requests.Response) -> socket:
    """The connection by which it comes."""
    found: socket = response.raw._fp.fp.raw._sock  # type: ignore[union-attr]
    return found


def break_off(response: requests.Response) -> None:
    """Without a word, in the middle of whatever comes."""
    with suppress(OSError, AttributeError):
        socket_of(response).shutdown(SHUT_RDWR)


def waited(question: Callable[[], Any], seconds: float = 15.0, told: Callable[[], str] = str) -> Any:
    """The first answer that is not nothing; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (answer := question()):
        assert time.monotonic() < deadline, f"nothing in {seconds} s: {told()}"
        time.sleep(0.01)
    return answer


@contextmanager
def reading(client: Client, base: str, path: str, accept: str = NDJSON, **headers: str) -> Iterator[Reader]:
    """A stream for as long as the block lasts."""
    reader = Reader(base, path, client.token, accept, **headers)
    try:
        assert reader.response.status_code == 200, reader.response.text
        yield reader
    finally:
        reader.close()


def events(match: str) -> str:
    return f"/v1/matches/{match}/events"
