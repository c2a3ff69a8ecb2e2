"""Connections to the database of a test: as the application has them, from a pool, and as the owner."""

from collections.abc import Iterator

import psycopg
import pytest

from store import db
from store.db import Connection, Pool


@pytest.fixture
def pool(database_url: str) -> Iterator[Pool]:
    """Connections as the application's role, enough for every thread of a test."""
    with db.pool(database_url, size=20) as pool:
        yield pool


@pytest.fixture
def conn(pool: Pool) -> Iterator[Connection]:
    """One connection of the application's role."""
    with db.connection(pool) as conn:
        yield conn


@pytest.fixture
def owner(database_url: str) -> Iterator[Connection]:
    """One connection of the database's owner, who is a superuser here."""
    with psycopg.connect(database_url, autocommit=True) as conn:
        yield conn
