"""Child processes that cannot outlive us, not even after `kill -9`. Beside it: tether.py, embedded.py."""

import os
import pwd
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL, SIGTERM, Signals

TETHER = Path(__file__).with_name("tether.py")
LOG_BYTES, OLD_LOGS = 10_000_000, 3  # of each: log, log.1 … log.3


def tethered(command: Sequence[str], farewell: Signals, user: pwd.struct_passwd | None = None) -> list[str]:
    """`command` as a direct child of ours should run it: as `user`, sent `farewell` when the forking thread ends."""
    uid, gid = (user.pw_uid, user.pw_gid) if user else (os.getuid(), os.getgid())
    tether = [sys.executable, "-I", "-S", str(TETHER), str(os.getpid()), str(int(farewell)), str(uid), str(gid)]
    return [*tether, *command]


@dataclass
class Child:
    """A program that runs in the foreground as a child of ours, in a session of its own so that Ctrl-C is ours alone.

    Linux says farewell when the *thread* that forked ends. So each child has a thread that starts it and then waits
    for it: the thread ends before the child only when the whole process does.
    """

    command: Sequence[str]
    log: Path
    farewell: Signals = SIGTERM  # at our sudden death
    folder: Path | None = None
    environment: Mapping[str, str] | None = None
    user: pwd.struct_passwd | None = None
    keep: Sequence[int] = ()  # descriptors to hand down

    def __post_init__(self) -> None:
        started: Future[subprocess.Popen[bytes]] = Future()
        threading.Thread(target=self._run, args=(started,), name=str(self.log.stem), daemon=True).start()
        self.process = started.result()

    def _run(self, started: "Future[subprocess.Popen[bytes]]") -> None:
        try:
            with self.log.open("ab") as log:
                process = subprocess.Popen(
                    tethered(self.command, self.farewell, self.user),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=self.folder,
                    env=self.environment,
                    pass_fds=self.keep,
                    start_new_session=True,
                )
        except OSError as error:
            started.set_exception(error)
        else:
            started.set_result(process)
            process.wait()

    def running(self) -> bool:
        """Whether the process is still there."""
        return self.process.poll() is None

    def stop(self, signal: Signals = SIGTERM, seconds: float = 10) -> None:
        """Ask the process to end, and after `seconds` end it and what it has started."""
        if not self.running():
            return
        self.process.send_signal(signal)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, SIGKILL)
        self.process.wait()


def last_lines(log: Path, lines: int = 5) -> str:
    """The end of a log, to be shown when what wrote it has failed."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])


def bound(log: Path) -> None:
    """Move what a log holds into an older one when it is long. Who writes it goes on, since he only ever appends."""
    if not log.exists() or log.stat().st_size <= LOG_BYTES:
        return
    names = [log, *(log.with_name(f"{log.name}.{number}") for number in range(1, OLD_LOGS + 1))]
    for older, newer in zip(reversed(names[1:]), reversed(names[1:-1]), strict=False):
        if newer.exists():
            newer.replace(older)
    shutil.copyfile(log, names[1])
    os.truncate(log, 0)
