"""A receiver of webhooks for tests: a real server, that does what each test wants, over HTTP or TLS."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

ANSWERED = b"HTTP/1.1 204 No Content\r\n\r\n"


class Received(NamedTuple):
    """One request."""

    target: str
    headers: dict[str, str]  # names in lower case
    body: bytes
    at: float

    @property
    def message(self) -> Any:
        return json.loads(self.body)


Reaction = Callable[[socket.socket], None]


def saying(head: str, body: bytes = b"") -> Reaction:
    """Answers so."""
    return lambda line: line.sendall(f"HTTP/1.1 {head}\r\n\r\n".encode() + body)


def dripping(line: socket.socket) -> None:
    """A byte now and then, for as long as anybody listens."""
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 10_000:
        line.sendall(bytes([byte]))
        time.sleep(0.05)


def flooding(line: socket.socket) -> None:
    """A head without an end."""
    line.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        line.sendall(b"X-More: " + b"x" * 8000 + b"\r\n")


def silent(line: socket.socket) -> None:
    """Nothing, for a minute."""
    time.sleep(60)


class Receiver:
    """`received` so far; `reactions` come first, one a request, then `reaction`."""

    def __init__(self, listener: socket.socket, tls: ssl.SSLContext | None) -> None:
        self.listener, self.tls = listener, tls
        self.received: list[Received] = []
        self.reactions: list[Reaction] = []
        self.reaction: Reaction = saying("204 No Content")
        self.connections = 0
        self.port = listener.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}/hook"

    def wait(self, count: int, seconds: float = 15.0) -> list[Received]:
        """The first so many requests, once they are there."""
        deadline = time.monotonic() + seconds
        while len(self.received) < count:
            assert time.monotonic() < deadline, f"{len(self.received)} requests in {seconds} s, not {count}"
            time.sleep(0.01)
        return self.received[:count]

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self.listener.accept()
                self.connections += 1
                threading.Thread(target=self._serve, args=[line], daemon=True).start()

    def _serve(self, line: socket.socket) -> None:
        with suppress(OSError, ValueError, KeyError), line:  # whatever comes that is no HTTP
            if self.tls:
                line = self.tls.wrap_socket(line, server_side=True)
            with line, line.makefile("rb") as file:
                _, path, _ = file.readline().decode("latin-1").split(" ")
                pairs = iter(lambda: file.readline().decode("latin-1").strip(), "")
                headers = {name.lower(): value for name, _, value in (pair.partition(": ") for pair in pairs)}
                body = file.read(int(headers["content-length"]))
                reaction = self.reactions.pop(0) if self.reactions else self.reaction
                self.received.append(Received(path, headers, body, time.monotonic()))
                reaction(line)


@contextmanager
def receiver(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """One, for as long as the block lasts."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield Receiver(listener, tls)
        listener.shutdown(socket.SHUT_RDWR)
