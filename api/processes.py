"""Starts all that a table needs, in order: servers, migration, API, worker. Beside it: cli.py, house.py, serving.py."""

import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from signal import SIGKILL

from api.house import PYTHON, House, Kept, Program
from store import embedded
from store.child import last_lines, tethered
from store.settings import Settings

READY_SECONDS = 60
API = ("gunicorn", "--config", "python:api.serving")
WORKER = ("api.cli", "worker")
MIGRATE = ("api.cli", "migrate")


class StartError(RuntimeError):
    """Something cannot be started or kept up; the message says what failed and what would help."""


@contextmanager
def running(settings: Settings, host: str, say: Callable[[str], None], **defaults: str) -> Iterator[str]:
    """Everything that a table needs, for as long as the block lasts; gives the base URL.

    `defaults` are variables for the children that the environment may override. Raises StartError, EmbeddedError, and
    lets KeyboardInterrupt through.
    """
    with listening(host, settings.port) as listener:
        house = House(say)
        try:
            url = _start(house, settings, listener, defaults)
            house.keep()
            yield url
        except KeyboardInterrupt:
            if house.failure:
                raise StartError(house.failure) from None
            raise
        finally:
            house.close()


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """The API's socket: had before anything is started, kept while the API is started again. Raises StartError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise StartError(f"port {port} of {host} is not to be had ({reason}): set TAPETE_PORT to another") from None
    with listener:
        yield listener


def _start(house: House, settings: Settings, listener: socket.socket, defaults: Mapping[str, str]) -> str:
    logs = settings.home / "log"
    environment = {**defaults, **os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    environment["DATABASE_URL"] = settings.database_url or _started(house, embedded.Postgres(settings.home)).url
    environment["REDIS_URL"] = settings.redis_url or _started(house, embedded.Valkey(settings.home)).url
    logs.mkdir(parents=True, exist_ok=True)
    _migrate(environment)
    counted = {"PROMETHEUS_MULTIPROC_DIR": str(settings.home / "metrics")}
    words = (*API, "--bind", f"fd://{listener.fileno()}")
    api = Program("api", words, logs, environment | counted, [listener.fileno()])
    house.start(api)
    house.start(Program("worker", WORKER, logs, environment))
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    _wait_until_ready(api, host, port)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _started(house: House, server: embedded.Server) -> embedded.Server:
    house.start(server)
    return server


def _migrate(environment: Mapping[str, str]) -> None:
    """In a process of its own: what it imports is not needed again."""
    command = tethered([*PYTHON, *MIGRATE], SIGKILL)
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise StartError(f"the database cannot be brought to this version:\n{ended.stderr.strip()}")


def _wait_until_ready(api: Kept, host: str, port: int) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while (answer := _answer(host, port)) != 200:
        if not api.running() or time.monotonic() > deadline:
            raise StartError(f"the API does not start ({answer}); the end of {api.log}:\n{last_lines(api.log, 15)}")
        time.sleep(0.05)


def _answer(host: str, port: int) -> int | str:
    connection = HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status
    except (OSError, HTTPException) as error:
        return str(error)
    finally:
        connection.close()
