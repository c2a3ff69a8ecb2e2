"""One request on its way: who asks, over which connection, and what is to be published once it is committed.

Read beside it: operation.py, which makes it and sees it through.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from flask import Request
from prometheus_client import Counter, Histogram

from api.backing import Backing
from domain.event import Event, History, Job, Listing, StaleVersionError
from domain.play import Outcome
from store.db import Connection
from store.events import Events
from store.players import Bearer
from store.tracing import span

APPENDS = Histogram("tapete_append_seconds", "How long appends to a stream take")
STALE = Counter("tapete_stale_appends", "Appends that lost the race for a version")


class Measured(Events):
    """The store, with its appends counted, and one history that was read ahead."""

    def __init__(self, conn: Connection, ahead: tuple[str, History] | None = None, kind: str = "match") -> None:
        super().__init__(conn, kind)
        self.ahead = ahead

    def read(self, stream: str) -> History:
        """What was read ahead, once; then what is stored by now."""
        ahead, self.ahead = self.ahead, None
        return ahead[1] if ahead and ahead[0] == stream else super().read(stream)

    def append(
        self, stream: str, history: History, events: Sequence[Event], jobs: Sequence[Job], listing: Listing | None
    ) -> Sequence[Event]:
        try:
            with APPENDS.time(), span("append", stream=stream, jobs=[job.key for job in jobs]):
                return super().append(stream, history, events, jobs, listing)
        except StaleVersionError:
            STALE.inc()
            raise


@dataclass
class Call:
    """What a view is given. The connection is taken at its first use and given back when the view is done."""

    backing: Backing
    request: Request
    leases: ExitStack
    bearer: Bearer | None = None
    headers: dict[str, str] = field(default_factory=dict)  # of the answer, if it is a success
    jobs: list[str] = field(default_factory=list)  # to publish after the commit
    moved: list[Outcome] = field(default_factory=list)  # to tell of after the commit
    mimetype: str = "application/json"  # of the answer, as the client would rather have it
    made: str | None = None  # the id of what was made, where the answer shows a secret

    ahead: tuple[str, History] | None = None  # a match and its history, read with the bearer
    _conn: Connection | None = None
    _store: Events | None = None

    @property
    def conn(self) -> Connection:
        """The request's one connection. Raises UnavailableError."""
        if self._conn is None:
            self._conn = self.leases.enter_context(self.backing.connection())
        return self._conn

    @property
    def store(self) -> Events:
        """The matches, over this connection."""
        if self._store is None:
            self._store = Measured(self.conn, self.ahead)
        return self._store

    @property
    def seasons(self) -> Events:
        """The seasons, over this connection."""
        return Measured(self.conn, kind="season")

    @property
    def viewer(self) -> str | None:
        """The caller's player id, or None for whoever says no token."""
        return self.bearer.player if self.bearer else None

    @property
    def player(self) -> str:
        """The same where there must be one."""
        assert self.bearer, "an operation without authentication has no player"
        return self.bearer.player

    def follow(self, outcome: Outcome) -> None:
        """Remember to publish what was stored with the events, and to tell whoever watches."""
        self.jobs += [job.key for job in outcome.jobs if job.due is None]
        self.moved.append(outcome)


def draw() -> bytes:
    """32 fresh secret bytes, for a shuffle or a bot."""
    return secrets.token_bytes(32)


def new_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_hex(10)
