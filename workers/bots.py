"""`bot_turn:<match>:<version>`: the word of the lowest seat that a bot speaks for. Beside it: domain/bots."""

from __future__ import annotations

from time import monotonic

from domain import play
from store.db import Connection
from store.events import Events
from store.jobs import Lease
from workers.matches import Effect, appending, draw

THINK_SECONDS = 1.0  # then the best so far has to do
TRIES = 3  # then the table goes on with the word that the clock would say


def turn(conn: Connection, lease: Lease) -> Effect:
    """A bot says its word, if the match is still at the version that the job names."""
    _, match, version = lease.key.split(":")
    until = monotonic() + THINK_SECONDS
    decision = play.bot_turn(
        Events(conn),
        match,
        int(version),
        draw,
        late=lambda: monotonic() > until,
        by_clock=lease.attempts > TRIES,
    )
    return appending(decision)
