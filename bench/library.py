"""The peer in the field of event sourcing: the `eventsourcing` library with its own Postgres recorder, in process."""

from __future__ import annotations

import time
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event


class Table(Aggregate):
    """A match as its users would write it: words in a list."""

    def __init__(self) -> None:
        self.words: list[str] = []

    @event("Moved")
    def move(self, seat: int, word: str) -> None:
        self.words.append(word)


class Tables(Application[UUID]):
    """Loads and saves them, without snapshots."""


def application(database_url: str) -> Tables:
    """The library's application over the same database."""
    return Tables(env={"PERSISTENCE_MODULE": "eventsourcing.postgres", **_environment(database_url)})


def _environment(database_url: str) -> dict[str, str]:
    url = urlsplit(database_url)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    return {
        "POSTGRES_DBNAME": url.path.lstrip("/") or "postgres",
        "POSTGRES_HOST": query.get("host") or unquote(url.hostname or ""),
        "POSTGRES_PORT": str(query.get("port") or url.port or 5432),
        "POSTGRES_USER": query.get("user") or unquote(url.username or ""),
        "POSTGRES_PASSWORD": query.get("password") or unquote(url.password or "none"),
    }


def moves_a_second(app: Tables, seconds: float, words: int = 180) -> float:
    """Load, move, save, on aggregates that grow to so many words."""
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        table = Table()
        app.save(table)
        for _ in range(words):
            loaded: Table = app.repository.get(table.id)
            loaded.move(done % 4, "JS")
            app.save(loaded)
            done += 1
            if time.perf_counter() - started >= seconds:
                break
    return done / (time.perf_counter() - started)


def stored(app: Tables, words: int) -> UUID:
    """An aggregate of so many events."""
    table = Table()
    for number in range(words):
        table.move(number % 4, "JS")
    app.save(table)
    return table.id


def rebuilt_a_second(app: Tables, table: UUID, events: int, seconds: float) -> float:
    """Events a second of rebuilding it."""
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        app.repository.get(table)
        done += events
    return done / (time.perf_counter() - started)
