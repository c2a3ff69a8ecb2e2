"""A Postgres cluster under the data folder: made once, then run. Beside it: embedded.py, server.py, binaries.py.

As root it runs as another user, who need not be able to walk to the data folder: he is handed it, opened.
"""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGQUIT
from urllib.parse import quote

from store import binaries
from store.child import Child, last_lines, tethered
from store.data_folder import EmbeddedError, short
from store.server import Server, environment

SOCKET = ".s.PGSQL.5432"  # the name Postgres and its clients give it
DATABASE = USER = "tapete"

# A demo should fit in a small machine: no helpers without work, little shared memory. Flushing stays on.
SETTINGS = {
    "autovacuum_max_workers": "1",
    "cluster_name": "tapete",
    "jit": "off",
    "listen_addresses": "",
    "log_checkpoints": "off",
    "maintenance_work_mem": "16MB",
    "max_connections": "60",
    "max_logical_replication_workers": "0",
    "max_parallel_workers": "0",
    "max_wal_senders": "0",
    "max_wal_size": "256MB",
    "max_worker_processes": "0",
    "port": "5432",
    "shared_buffers": "32MB",
    "unix_socket_directories": ".",  # seen from the data folder: a long path does no harm
    "wal_level": "minimal",
}


class Postgres(Server):
    """A Postgres of the user who owns the data folder: ourselves, or for root somebody else, since it refuses root."""

    name = "postgres"
    farewell = SIGQUIT  # at once; the log is replayed at the next start
    goodbye = SIGINT  # without waiting for clients to leave
    programs: Path | None = None  # that it runs

    @property
    def socket(self) -> Path:
        return short(self.folder, SOCKET)

    @property
    def url(self) -> str:
        folder = quote(str(self.socket.parent), safe="")
        return f"postgresql://{USER}@/{DATABASE}?host={folder}&port=5432"

    def _launch(self, lock: int) -> Child:
        user = self._user()
        programs = self.programs = binaries.reachable(binaries.postgres_bin(), user, self.folder)
        if not self.folder.exists():
            self._create(programs, user)
        (self.folder / "postmaster.pid").unlink(missing_ok=True)  # we hold the lock: whoever wrote it is gone
        self._admit_ourselves()
        with _handed(self.folder, user) as (here, opened):
            return Child(
                [str(programs / "postgres"), "-D", here, *self._options()],
                log=self.log,
                farewell=self.farewell,
                folder=Path("/"),
                environment=environment(),
                user=user,
                keep=[lock, *opened],
            )

    def stop(self) -> None:
        """End it in good order, and remove the copy of its programs if there is one."""
        super().stop()
        if self.programs:
            binaries.forget(self.programs)
            self.programs = None

    def _ready(self) -> bool:
        with suppress(FileNotFoundError):
            lines = (self.folder / "postmaster.pid").read_text().splitlines()
            return lines[:1] == [str(self.process.pid)] and lines[7:8] != [] and lines[7].strip() == "ready"
        return False

    def _user(self) -> pwd.struct_passwd:
        if os.getuid() != 0:
            return _ourselves()
        for folder in (self.folder, *self.folder.parents[1:2]):
            if folder.exists() and folder.stat().st_uid != 0:
                return pwd.getpwuid(folder.stat().st_uid)
        return pwd.getpwnam("nobody")

    def _create(self, programs: Path, user: pwd.struct_passwd) -> None:
        """A new cluster under another name first, so that a half made one is never taken for whole."""
        fresh = self.folder.with_suffix(".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        os.chown(fresh, user.pw_uid, user.pw_gid)
        version = binaries.major_version(programs)
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if version >= 17 else []
        make = [programs / "initdb", "-U", USER, "-E", "UTF8", "--locale=C", *locale, "--auth=reject"]
        self._run([*map(str, make)], fresh, user)
        self._run([str(programs / "postgres"), "--single"], fresh, user, "postgres", said=f"create database {DATABASE}")
        fresh.rename(self.folder)

    def _run(self, command: list[str], folder: Path, user: pwd.struct_passwd, *more: str, said: str = "") -> None:
        with self.log.open("ab") as log, _handed(folder, user) as (here, opened):
            ended = subprocess.run(
                tethered([*command, "-D", here, *more], SIGKILL, user),
                input=said.encode(),
                stdout=log,
                stderr=log,
                cwd="/",
                env=environment(),
                pass_fds=opened,
                check=False,
            )
        if ended.returncode:
            raise EmbeddedError(f"{Path(command[0]).name} failed; the end of {self.log}:\n{last_lines(self.log)}")

    def _admit_ourselves(self) -> None:
        """Nobody but the user that we are may connect, whatever name he gives, and by the socket only."""
        _overwrite(self.folder / "pg_hba.conf", "local all all peer map=tapete\n")
        _overwrite(self.folder / "pg_ident.conf", f'tapete "{_ourselves().pw_name}" {USER}\n')

    def _options(self) -> list[str]:
        version = int((self.folder / "PG_VERSION").read_text())
        settings = SETTINGS | ({"io_method": "sync"} if version >= 18 else {})  # no processes for reading
        return [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]


def _ourselves() -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(os.getuid())
    except KeyError:
        raise EmbeddedError(f"Postgres wants its user to have a name, and {os.getuid()} has none here") from None


@contextmanager
def _handed(folder: Path, user: pwd.struct_passwd) -> Iterator[tuple[str, list[int]]]:
    """What a server of `user` calls the folder, and the descriptors it needs for that: he may not walk there."""
    if user.pw_uid == os.getuid():
        yield str(folder), []
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{opened}", [opened]
    finally:
        os.close(opened)


def _overwrite(path: Path, text: str) -> None:
    """Write into a folder of another user, who must not lead us elsewhere by a link."""
    with open(os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CREAT | os.O_NOFOLLOW, 0o600), "w") as file:
        file.write(text)
