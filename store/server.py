"""What the embedded servers have in common: start, ready, stop, start again. Beside it: embedded.py, data_folder.py.

Each server runs in the foreground as our child, listens on a Unix socket only, and holds a lock on its folder by an
inherited descriptor: the lock goes when the last of its processes has gone, whoever of us was killed before.
"""

import os
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL, SIGTERM

from store.child import Child, last_lines
from store.data_folder import EmbeddedError, locked

READY_SECONDS = 60  # a crash recovery may take its time
ENVIRONMENT = ("PATH", "TZ", "LD_LIBRARY_PATH")  # nothing else of ours, least of all PGPORT or a secret


class Server(ABC):
    """One embedded server: `start()`, `stop()`, `restart()`; its `process` may be killed and started again."""

    name: str
    farewell = SIGTERM  # what its process is sent when we die
    goodbye = SIGTERM  # what it is sent to end in good order

    def __init__(self, home: Path) -> None:
        self.folder = home.absolute() / self.name
        self.log = home.absolute() / "log" / f"{self.name}.log"
        self.child: Child | None = None

    @property
    def process(self) -> "subprocess.Popen[bytes]":
        """The server's main process."""
        assert self.child, f"{self.name} was never started"
        return self.child.process

    def running(self) -> bool:
        """Whether its main process is there."""
        return self.child is not None and self.child.running()

    def start(self) -> None:
        """Start it and return when it answers. Raises InUseError, EmbeddedError."""
        self.folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.log.parent.mkdir(exist_ok=True)
        with locked(self.folder) as lock:
            self.child = self._launch(lock)
        self._wait_until_ready()

    def stop(self) -> None:
        """End it in good order; nothing to do when it has ended."""
        if self.child:
            self.child.stop(self.goodbye)

    def restart(self) -> None:
        """Stop and start it, on the same data and the same URL."""
        self.stop()
        self.start()

    def answers(self) -> bool:
        """Whether anybody's server listens in the folder."""
        with suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            client.connect(str(self.socket))
            return True
        return False

    @property
    @abstractmethod
    def socket(self) -> Path:
        """Where it listens."""

    @property
    @abstractmethod
    def url(self) -> str:
        """How a client of the same user reaches it; the same at every start."""

    @abstractmethod
    def _launch(self, lock: int) -> Child: ...

    @abstractmethod
    def _ready(self) -> bool: ...

    def _wait_until_ready(self) -> None:
        assert self.child
        deadline = time.monotonic() + READY_SECONDS
        while not self._ready():
            if not self.child.running() or time.monotonic() > deadline:
                self.child.stop(SIGKILL)
                raise EmbeddedError(f"{self.name} does not start; the end of {self.log}:\n{last_lines(self.log)}")
            time.sleep(0.01)


def environment() -> dict[str, str]:
    """What a server sees of our environment."""
    return {name: os.environ[name] for name in ENVIRONMENT if name in os.environ} | {"LC_ALL": "C"}
