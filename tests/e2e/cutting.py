"""A TCP proxy that cuts connections off: some before a byte of the answer comes through, some in the middle of it."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit


class Cutter:
    """Stands before a server; `share` of the connections are cut off somewhere in the first `most` bytes answered."""

    def __init__(self, to: str, share: float, most: int, seed: int) -> None:
        parts = urlsplit(to)
        self.there = (parts.hostname or "", parts.port or 80)
        self.share, self.most, self.draw = share, most, random.Random(seed)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.cut = 0

    def run(self) -> None:
        """Serve until the listener is closed."""
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                Thread(target=self._serve, args=[client], daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        left = self.draw.choice((0, self.draw.randrange(self.most))) if self.draw.random() < self.share else 10**12
        with suppress(OSError), closing(client), closing(socket.create_connection(self.there)) as server:
            Thread(target=_pour, args=[client, server], daemon=True).start()
            while piece := server.recv(65536):
                client.sendall(piece[:left])
                left -= len(piece)
                if left <= 0:
                    self.cut += 1
                    for each in (client, server):
                        each.shutdown(socket.SHUT_RDWR)
                    return


def _pour(start: socket.socket, end: socket.socket) -> None:
    with suppress(OSError):
        while piece := start.recv(65536):
            end.sendall(piece)


@contextmanager
def cutting(to: str, share: float = 0.3, most: int = 6000, seed: int = 1) -> Iterator[Cutter]:
    """The proxy, for as long as the block lasts."""
    found = Cutter(to, share, most, seed)
    with closing(found.listener):
        Thread(target=found.run, daemon=True).start()
        yield found
        found.listener.shutdown(socket.SHUT_RDWR)
