"""A server's folder: who may use it, and how a socket in it is named. Beside it: embedded.py."""

import fcntl
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

LET_GO_SECONDS = 5  # how long the processes of a dead launcher may take to follow it
LONGEST_SOCKET = 103  # bytes, the shortest limit of the systems we know
PRIVATE = Path("/tmp") / f"tapete-{os.getuid()}"


class EmbeddedError(RuntimeError):
    """An embedded server cannot run; the message says why and what would help."""


class InUseError(EmbeddedError):
    """Another process runs a server on this data folder."""


@contextmanager
def locked(folder: Path) -> Iterator[int]:
    """The lock on `folder`, as a descriptor to hand down to a server. Raises InUseError.

    It lasts as long as any process keeps the descriptor: until the last one of the server has gone, whoever of us was
    killed before. Those of a dead launcher are about to go, so a while is waited for.
    """
    with folder.with_suffix(".lock").open("a+") as lock:
        deadline = time.monotonic() + LET_GO_SECONDS
        while not _taken(lock):
            if time.monotonic() > deadline:
                holder = folder.with_suffix(".lock").read_text().strip()
                raise InUseError(f"{folder.parent} is in use by process {holder}: end it, or set TAPETE_HOME")
            time.sleep(0.02)
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield lock.fileno()


def short(folder: Path, name: str) -> Path:
    """The path of the socket `name` in `folder`, through a link in a private place when it would be too long."""
    if len(os.fsencode(folder / name)) <= LONGEST_SOCKET:
        return folder / name
    with suppress(FileExistsError):
        PRIVATE.mkdir(mode=0o700)
    status = PRIVATE.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise EmbeddedError(f"{PRIVATE} is not ours alone: remove it")
    link = PRIVATE / hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    with suppress(FileExistsError):
        link.symlink_to(folder)
    return link / name


def _taken(lock: TextIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
