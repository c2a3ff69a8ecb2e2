"""A real Postgres and a real Valkey under the data folder, for who has neither. Beside it: cluster.py, server.py."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from store.binaries import valkey_server
from store.child import Child
from store.cluster import Postgres
from store.data_folder import EmbeddedError, InUseError, short
from store.server import Server, environment

__all__ = ["EmbeddedError", "InUseError", "Postgres", "Server", "Servers", "Valkey", "postgres", "servers", "valkey"]

SOCKET = "valkey.sock"
OPTIONS = {
    "port": "0",
    "unixsocket": SOCKET,
    "unixsocketperm": "700",
    "dir": ".",
    "appendonly": "yes",
    "save": "",
}


class Valkey(Server):
    """A Valkey that writes down what it is told, within a second."""

    name = "valkey"

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self.socket))}?db=0"

    @property
    def socket(self) -> Path:
        return short(self.folder, SOCKET)

    def _launch(self, lock: int) -> Child:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        return Child(
            [
                str(valkey_server()),
                *(word for name, value in OPTIONS.items() for word in (f"--{name}", value)),
            ],
            log=self.log,
            farewell=self.farewell,
            folder=self.folder,
            environment=environment(),
            keep=[lock],
        )

    def _ready(self) -> bool:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1)
            client.connect(str(self.socket))
            client.sendall(b"PING\r\n")
            return client.recv(5) == b"+PONG"
        return False


@dataclass(frozen=True)
class Servers:
    """Both servers, running."""

    postgres: Postgres
    valkey: Valkey

    @property
    def database_url(self) -> str:
        """For DATABASE_URL."""
        return self.postgres.url

    @property
    def redis_url(self) -> str:
        """For REDIS_URL."""
        return self.valkey.url


@contextmanager
def postgres(home: Path) -> Iterator[Postgres]:
    """A Postgres under `home` for as long as the block lasts. Raises InUseError, EmbeddedError."""
    server = Postgres(home)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextmanager
def valkey(home: Path) -> Iterator[Valkey]:
    """A Valkey under `home` for as long as the block lasts. Raises InUseError, EmbeddedError."""
    server = Valkey(home)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextmanager
def servers(home: Path) -> Iterator[Servers]:
    """Both servers under `home` for as long as the block lasts. Raises InUseError, EmbeddedError."""
    with ExitStack() as stack:
        yield Servers(stack.enter_context(postgres(home)), stack.enter_context(valkey(home)))
