"""Jobs that end in an append: what a decision becomes, the clock, and the match that did not fill.

Read beside it: domain/play.py, work.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from secrets import token_bytes
from typing import TypeAlias

from domain import play
from domain.event import Job
from store.db import Connection
from store.events import Events
from store.jobs import Lease

# What a job comes to, worked out beforehand and done inside one transaction: an append, or the jobs that follow.
Effect: TypeAlias = Callable[[Connection], play.Outcome | Sequence[Job]]

draw = partial(token_bytes, 32)


def appending(decision: play.Decision | None) -> Effect:
    """The decision's events and jobs; nothing where there is nothing left to decide."""

    def append(conn: Connection) -> play.Outcome | Sequence[Job]:
        return decision.commit(Events(conn)) if decision else []

    return append


def clock(conn: Connection, lease: Lease) -> Effect:
    """`clock:<match>:<version>`: what is said for the seat whose time is up, if the match is still at that version."""
    _, match, version = lease.key.split(":")
    return appending(play.expire(Events(conn), match, int(version), draw))


def lapse(conn: Connection, lease: Lease) -> Effect:
    """`lapse:<match>`: the match is voided if it has not filled by now."""
    return appending(play.lapse(Events(conn), lease.key.split(":")[1]))
