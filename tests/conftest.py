"""Postgres and Redis for the tests that need them, and nothing for those that do not.

Without DATABASE_URL and REDIS_URL both are started here, once a session, at the first test that asks. With them, the
tests make databases of their own beside the one that DATABASE_URL names, and *empty the one that REDIS_URL names*.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql
from redis import Redis

from store import embedded
from store.migrate import migrate


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Postgres in which databases may be made; not for tests, they take `database` or `database_url`."""
    if given := os.environ.get("DATABASE_URL"):
        yield given
    else:
        with embedded.postgres(tmp_path_factory.mktemp("tapete")) as server:
            yield server.url


@pytest.fixture(scope="session")
def template(postgres_url: str) -> Iterator[str]:
    """The name of a migrated database, to be cloned: event tables cannot be emptied."""
    with _database(postgres_url, f"tapete_template_{os.getpid()}") as url:
        migrate(url)
        yield urlsplit(url).path[1:]


@pytest.fixture(scope="module")
def database_url(postgres_url: str, template: str) -> Iterator[str]:
    """A migrated database for the tests of one module, by its URL."""
    with _database(postgres_url, _name(), template) as url:
        yield url


@pytest.fixture
def database(postgres_url: str, template: str) -> Iterator[str]:
    """A migrated database for one test, by its URL."""
    with _database(postgres_url, _name(), template) as url:
        yield url


@pytest.fixture(scope="session")
def redis_server_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis; not for tests, they take `redis_url`."""
    if given := os.environ.get("REDIS_URL"):
        yield given
    else:
        with embedded.valkey(tmp_path_factory.mktemp("tapete")) as server:
            yield server.url


@pytest.fixture(scope="module")
def redis_url(redis_server_url: str) -> Iterator[str]:
    """A Redis that is empty when a module's tests begin, and is emptied after them, by its URL."""
    with Redis.from_url(redis_server_url) as redis:
        redis.flushdb()
        yield redis_server_url
        redis.flushdb()


@pytest.fixture
def figures(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Says what was measured, among pytest's own lines."""
    reporter = request.config.pluginmanager.getplugin("terminalreporter")

    def say(text: str) -> None:
        with capsys.disabled():
            reporter.write_line(f" {text}")

    return say


numbers = count(1)


def _name() -> str:
    return f"tapete_test_{os.getpid()}_{next(numbers)}"


@contextmanager
def _database(postgres_url: str, name: str, template: str = "template1") -> Iterator[str]:
    create = sql.SQL("create database {} template {}").format(sql.Identifier(name), sql.Identifier(template))
    drop = sql.SQL("drop database {} with (force)").format(sql.Identifier(name))
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(create)
    try:
        yield urlsplit(postgres_url)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(drop)
