"""The `tapete` command as a process of its own, on a data folder and a port of its own. Beside it: api/cli.py."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.endswith(("DATABASE_URL", "REDIS_URL"))}


@contextmanager
def tapete(*words: str, home: Path, port: int = 0, **more: str) -> Iterator["subprocess.Popen[str]"]:
    """The command, on a data folder and a port of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "api.cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env=ENVIRONMENT | {"TAPETE_HOME": str(home), "TAPETE_PORT": str(port or free_port())} | more,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def url_of(process: "subprocess.Popen[str]") -> str:
    """Where `tapete up` says it is, once it says so."""
    assert process.stdout
    line = process.stdout.readline()
    assert line.startswith("Tapete is at http://127.0.0.1:"), line + process.stdout.read()
    return line.split()[3]
