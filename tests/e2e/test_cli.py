"""The `tapete` command as somebody types it, with its servers really killed. Beside it: api/cli.py, api/house.py."""

import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli import main
from tests.e2e.command import tapete, url_of

PATIENCE_SECONDS = 60


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder with a space in its path, not made yet."""
    return tmp_path / "a home"


def ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def descendants(pid: int) -> dict[int, str]:
    """The command lines of all processes below `pid`, but of those that end meanwhile."""
    found: dict[int, str] = {}
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            for child in map(int, task.read_text().split()):
                with suppress(FileNotFoundError, ProcessLookupError):
                    found[child] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
                    found |= descendants(child)
    return found


def lives(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(what: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.05)


def child_of(process: "subprocess.Popen[str]", word: str) -> int:
    """The first process below `process` that has `word` in its command line."""
    return next(pid for pid, line in sorted(descendants(process.pid).items()) if word in line)


def test_up_answers_where_it_says_and_ctrl_c_leaves_nothing_behind(home: Path) -> None:
    with tapete("up", home=home) as process:
        assert ready(url_of(process))
        below = descendants(process.pid)
        assert {"postgres", "valkey", "api", "worker"} == {path.stem for path in (home / "log").iterdir()}
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        assert process.wait(15) == 0
        assert time.monotonic() - asked < 10
        assert process.stdout and process.stdout.read() == "Tapete has stopped\n"
        assert [line for pid, line in below.items() if lives(pid)] == []


def test_kill_9_of_up_leaves_nothing_behind(home: Path) -> None:
    with tapete("up", home=home) as process:
        url_of(process)
        below = descendants(process.pid)
        assert len(below) > 8
        process.kill()
        wait_until(lambda: not any(map(lives, below)), seconds=15)


def test_whatever_dies_under_up_is_started_again(home: Path) -> None:
    with tapete("up", home=home) as process:
        url = url_of(process)
        for name, word in [("postgres", "bin/postgres"), ("valkey", "valkey-server"), ("api", "gunicorn")]:
            os.kill(child_of(process, word), signal.SIGKILL)
            assert process.stdout and process.stdout.readline().startswith(f"{name} has died and is started again")
            wait_until(lambda: ready(url))
        first = child_of(process, "api.cli worker")
        os.kill(first, signal.SIGKILL)
        assert process.stdout and process.stdout.readline().startswith("worker has died and is started again")
        wait_until(lambda: "api.cli worker" in " ".join(descendants(process.pid).values()))
        assert not lives(first)


def test_what_keeps_dying_ends_up_with_a_reason(home: Path) -> None:
    with tapete("up", home=home) as process:
        url_of(process)
        killed: set[int] = set()
        while process.poll() is None:
            for pid, line in descendants(process.pid).items():
                if "gunicorn" in line and pid not in killed:
                    killed.add(pid)
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.1)
        assert process.stdout
        *deaths, reason = process.stdout.read().split("Error: ")
        assert process.returncode == 1
        assert "".join(deaths).count("api has died and is started again") == 4
        assert reason.startswith(f"api keeps dying; the end of {home}/log/api.log:\n")


def test_a_taken_port_is_named_before_anything_is_started(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with tapete("up", home=home, port=port) as process:
            said, _ = process.communicate(timeout=30)
    assert process.returncode == 1
    assert said == (
        f"Error: port {port} of 127.0.0.1 is not to be had (Address already in use): set TAPETE_PORT to another\n"
    )
    assert not home.exists()


def test_an_api_that_cannot_start_shows_the_end_of_its_log_and_stops_the_rest(home: Path) -> None:
    with tapete("up", home=home, TAPETE_WRITES_PER_SECOND="many") as process:
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said.startswith("Error: TAPETE_WRITES_PER_SECOND must be a whole number from 1 to 1000000000, not 'many'")
    with tapete("up", home=home, TAPETE_API_PROCESSES="many") as process:
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said.startswith("Error: the API does not start")
    assert f"the end of {home}/log/api.log" in said
    assert "invalid literal for int() with base 10: 'many'" in said


@pytest.mark.parametrize("command", ["api", "worker"])
def test_a_part_alone_names_the_server_that_is_missing(command: str, home: Path) -> None:
    with tapete(command, home=home, REDIS_URL="redis://127.0.0.1:1/0") as process:
        said, _ = process.communicate(timeout=30)
    assert process.returncode == 1
    assert said.startswith("Error: DATABASE_URL is not set")


def test_migrate_may_be_said_twice(database_url: str, home: Path) -> None:
    for _ in range(2):
        with tapete("migrate", home=home, DATABASE_URL=database_url) as process:
            said, _ = process.communicate(timeout=30)
            assert (process.returncode, said) == (0, "")
    assert not home.exists()


def test_audit_wants_an_id_or_all(home: Path) -> None:
    with tapete("audit", home=home) as process:
        said, _ = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "name a match or a season, or say --all" in said


@pytest.mark.parametrize("command", sorted(main.commands))
def test_every_command_explains_itself_with_an_example(command: str) -> None:
    answer = CliRunner().invoke(main, [command, "--help"])
    assert answer.exit_code == 0
    assert "Example" in answer.output
    assert f"tapete {command}" in answer.output
    assert "Environment:" in answer.output or command in ("arena", "openapi", "verify"), "what it reads is not listed"
