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
LIVING_SECONDS = 0.3  # after which a launcher that was just killed is known to be dead
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
    killed before. Those of a dead launcher, or of a server of our own that died, are about to go and are waited for.
    """
    with folder.with_suffix(".lock").open("a+") as lock:
        began = time.monotonic()
        while not _taken(lock):
            holder = folder.with_suffix(".lock").read_text().strip()
            if time.monotonic() - began > (LIVING_SECONDS if _is_another(holder) else LET_GO_SECONDS):
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


def _is_another(holder: str) -> bool:
    """Whether it names a living process that is not ours; one that waits to be reaped does not live."""
    if not holder.isdigit() or int(holder) == os.getpid():
        return False
    try:
        return ") Z " not in Path(f"/proc/{holder}/stat").read_text()
    except FileNotFoundError:
        return not Path("/proc/self").exists()  # where there is no /proc, it may live
