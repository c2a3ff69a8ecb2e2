"""Connections as a worker has them, to the database of a module's tests."""

from collections.abc import Iterator

import pytest

from store import db


@pytest.fixture(scope="module")
def pool(database_url: str) -> Iterator[db.Pool]:
    """Enough for every thread of a test."""
    with db.pool(database_url, size=20) as pool:
        yield pool


@pytest.fixture
def conn(pool: db.Pool) -> Iterator[db.Connection]:
    """One connection."""
    with db.connection(pool) as conn:
        yield conn
