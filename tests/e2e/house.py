"""A whole house for the tests that kill its parts: embedded servers, the API as gunicorn serves it, workers.

Beside it: test_kill.py, bench/table.py (the program that plays there and does not give up).
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGTERM

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
