"""A Postgres that is there and says nothing, as on a host that hangs. Beside it: store/db.py (Patient)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGCONT, SIGSTOP

from store.embedded import Postgres


@contextmanager
def frozen(server: Postgres) -> Iterator[None]:
    """The server and all of its processes are stopped for as long as the block lasts."""
    pid = server.process.pid
    os.kill(pid, SIGSTOP)  # first, so that it makes no more of them
    processes = [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()), pid]
    try:
        for each in processes:
            os.kill(each, SIGSTOP)
        yield
    finally:
        for each in processes:
            with suppress(ProcessLookupError):
                os.kill(each, SIGCONT)
