"""The API in a test: within the process, or as the server that really runs, on the Postgres and Redis of the tests."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
import requests
from flask import Flask

from api.app import create_app
from store import db
from store.settings import Settings
from tests.api.http import Client, over_flask, over_http

ROOT = Path(__file__).parents[2]
PLENTY = "1000000"


def environment(database_url: str, redis_url: str, **more: str) -> dict[str, str]:
    """The settings of a server that limits nobody."""
    limits = {"TAPETE_WRITES_PER_SECOND": PLENTY, "TAPETE_REGISTRATIONS_PER_MINUTE": PLENTY}
    return {"DATABASE_URL": database_url, "REDIS_URL": redis_url, **limits, **more}


@contextmanager
def application(database_url: str, redis_url: str, **more: str) -> Iterator[Flask]:
    """The application with settings of its own."""
    app = create_app(Settings.from_env(environment(database_url, redis_url, **more)))
    yield app
    app.extensions["tapete"].pool.close()


@pytest.fixture(scope="module")
def app(database_url: str, redis_url: str) -> Iterator[Flask]:
    """The application, for the tests of one module."""
    with application(database_url, redis_url) as app:
        yield app


@pytest.fixture(scope="module")
def anybody(app: Flask) -> Client:
    """Somebody without a token."""
    return Client(over_flask(app.test_client(use_cookies=False)))


@pytest.fixture
def ana(anybody: Client) -> Client:
    return anybody.player("Ana")


@pytest.fixture
def luis(anybody: Client) -> Client:
    return anybody.player("Luis")


@pytest.fixture
def eva(anybody: Client) -> Client:
    return anybody.player("Eva")


@pytest.fixture
def conn(app: Flask) -> Iterator[db.Connection]:
    """A connection as the application has them."""
    with db.connection(app.extensions["tapete"].pool) as conn:
        yield conn


@pytest.fixture
def owner(database_url: str) -> Iterator[psycopg.Connection]:
    """A connection of the database's owner, who may do worse."""
    with psycopg.connect(database_url, autocommit=True) as conn:
        yield conn


@pytest.fixture(scope="module")
def server(database_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Somebody without a token, at the server that really runs: gunicorn with two processes."""
    log = tmp_path_factory.mktemp("api") / "log"
    with serving(database_url, redis_url, log) as base:
        yield Client(over_http(base))


@contextmanager
def serving(database_url: str, redis_url: str, log: Path, **more: str) -> Iterator[str]:
    """The server for as long as the block lasts; gives its base URL."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        bind = f"fd://{listener.fileno()}"
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "python:api.serving", "--bind", bind],
            env={**os.environ, **environment(database_url, redis_url, **more)},
            cwd=ROOT,
            stderr=log.open("w"),
            pass_fds=[listener.fileno()],
        )
        try:
            _wait(base, process)
            yield base
        finally:
            process.terminate()
            process.wait(20)


def _wait(base: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        with suppress(requests.RequestException):
            if requests.get(f"{base}/readyz", timeout=5).status_code == 200:
                return
        time.sleep(0.1)
    raise RuntimeError("the API does not start")
