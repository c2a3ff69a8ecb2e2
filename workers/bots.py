"""`bot_turn:<match>:<version>`: the word of the lowest seat that a bot speaks for. Beside it: domain/bots."""

from __future__ import annotations

from domain import play
from store.db import Connection
from store.events import Events
from store.jobs import Lease
from workers.matches import Effect, appending, draw

TRIES = 3  # then the table goes on with the word that the clock would say


def turn(conn: Connection, lease: Lease) -> Effect:
    """A bot says its word, if the match is still at the version that the job names."""
    _, match, version = lease.key.split(":")
    decision = play.bot_turn(Events(conn), match, int(version), draw, by_clock=lease.attempts > TRIES)
    return appending(decision)
