"""The streams that one process has open: one subscription and one look at the database for all of them.

A stream is a counter for each match it watches and a bell. When a match has moved on, this reads it once, rings the
bell of every stream that it concerns, and each then takes what it has not sent yet: who reads slowly keeps nobody
waiting and nothing in memory. Read beside it: streams.py (what is sent), store/wake.py, store/watching.py.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from socket import IPPROTO_TCP, SO_KEEPALIVE, SOL_SOCKET, TCP_INFO, TCP_USER_TIMEOUT
from threading import Event as Bell
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any

import structlog
from prometheus_client import Gauge

from api.errors import ProblemError
from domain import news
from domain.event import Event, History
from domain.match import Match, fold
from store import watching
from store.db import Connection, Pool, UnavailableError, connection
from store.events import Events
from store.players import Bearer
from store.wake import Listener, Wake

POLL_SECONDS = 1.0  # how often the versions of what is watched are looked at: Redis only wakes
FIND_SECONDS = 10.0  # how often new matches of who listens are looked for; while Redis is away, with each poll
CHECK_SECONDS = 2.0  # how often tokens are looked at, and whether clients are still there
TOGETHER_SECONDS = 0.005  # the least between two readings of what has moved
WRITE_SECONDS = 30.0  # how long a client may take no byte
RETRY_SECONDS = 5  # said to one too many
MOST_KEPT = 20_000  # events, of the matches read last
ESTABLISHED = 1  # the state of a TCP connection, in TCP_INFO
FOREVER = 2**31

OPEN = Gauge("tapete_streams_open", "Streams open", multiprocess_mode="livesum")

log = structlog.get_logger("hub")


@dataclass(frozen=True)
class Reading:
    """A match as it stood when it was read, with its last events, none left out between them. Nobody changes it."""

    m: Match
    events: Sequence[Event]
    rendered: dict[Any, str] = field(default_factory=dict)  # what several streams send alike

    def after(self, version: int) -> Sequence[Event] | None:
        """The events after a version; None when they go further back than what was read."""
        missing = self.m.version - version
        if missing <= 0:
            return []
        return self.events[-missing:] if missing <= len(self.events) else None


def reading(match: str, history: History) -> Reading:
    """What a history comes to. Raises LookupError where there is none."""
    m, events = fold(match, history.events), history.events
    whole = len(events)
    while whole > 1 and events[whole - 2].version == events[whole - 1].version - 1:
        whole -= 1
    return Reading(m, events[whole - 1 :])


@dataclass(eq=False)
class Watcher:
    """A stream as the hub knows it: for whom, where it stands, and the bell that is rung when there is news."""

    viewer: str | None
    token: str | None
    socket: Any  # the client's, where there is one
    every: bool = False  # whether it follows all matches of its player
    positions: dict[str, int] = field(default_factory=dict)  # the version that was sent last, by match
    moved: dict[str, int] = field(default_factory=dict)  # matches that have moved; where to begin if not known before
    done: dict[str, int] = field(default_factory=dict)  # matches that are over
    bell: Bell = field(default_factory=Bell)
    ended: bool = False

    def ring(self, match: str, base: int) -> None:
        """This match has moved."""
        self.moved[match] = min(base, self.moved.get(match, base))
        self.bell.set()

    def end(self) -> None:
        """Nothing more is to be sent."""
        self.ended = True
        self.bell.set()


class Hub:
    """Made with its process; its two threads begin with the first stream."""

    def __init__(self, pool: Pool, redis_url: str, most: int) -> None:
        self.pool, self.redis_url, self.most = pool, redis_url, most
        self.lock, self.catching_up = Lock(), Lock()
        self.watchers: set[Watcher] = set()
        self.of_match: defaultdict[str, set[Watcher]] = defaultdict(set)
        self.of_player: defaultdict[str, set[Watcher]] = defaultdict(set)
        self.woken: dict[str, Wake] = {}
        self.readings: OrderedDict[str, Reading] = OrderedDict()
        self.bell = Bell()
        self.listener: Listener | None = None
        self.stopped = False

    # Coming and going

    def open(self, watcher: Watcher) -> None:
        """From now on nothing that concerns it is missed. Raises ProblemError when it is one too many."""
        with self.lock:
            if self.stopped or len(self.watchers) >= self.most:
                raise ProblemError("too_many_streams", "this process has as many streams open as it may",
                                   {"Retry-After": str(RETRY_SECONDS)})  # fmt: skip
            self.watchers.add(watcher)
            OPEN.inc()
            for match in watcher.positions:
                self.of_match[match].add(watcher)
            if watcher.every and watcher.viewer:
                self.of_player[watcher.viewer].add(watcher)
            if self.listener is None:
                self.listener = Listener(self.redis_url, self.hear)
                Thread(target=self._run, name="hub", daemon=True).start()
        _bound(watcher.socket)

    def close(self, watcher: Watcher) -> None:
        """It is gone."""
        watcher.end()
        with self.lock:
            if watcher not in self.watchers:
                return
            self.watchers.remove(watcher)
            OPEN.dec()
            for match in watcher.positions:
                _drop(self.of_match, match, watcher)
            if watcher.viewer:
                _drop(self.of_player, watcher.viewer, watcher)

    def stop(self) -> None:
        """End every stream, and open none any more."""
        self.stopped = True
        if self.listener:
            self.listener.stop()
        self.bell.set()
        for watcher in self._all():
            watcher.end()

    def follow(self, watcher: Watcher, match: str, version: int) -> None:
        """It has sent what happened at this match up to this version, and wants what follows."""
        watcher.positions[match] = version
        with self.lock:
            if watcher in self.watchers:
                self.of_match[match].add(watcher)

    def leave(self, watcher: Watcher, match: str) -> None:
        """It wants nothing more of this match."""
        watcher.positions.pop(match, None)
        with self.lock:
            _drop(self.of_match, match, watcher)

    def _all(self) -> list[Watcher]:
        with self.lock:
            return list(self.watchers)

    # What moves

    def hear(self, wakes: Iterable[Wake]) -> None:
        """Take a hint that matches have moved."""
        with self.lock:
            for wake in wakes:
                if wake.match in self.of_match or any(player in self.of_player for player in wake.people):
                    before = self.woken.get(wake.match)
                    self.woken[wake.match] = wake._replace(first=min(wake.first, before.first)) if before else wake
            if not self.woken:
                return
        self.bell.set()

    def read(self, match: str, after: int, version: int = 0, conn: Connection | None = None) -> Reading:
        """The match as it stood at a version or later, with all events after another. Raises UnavailableError.

        It is read over `conn`, by whoever has a connection already.
        """
        kept = self._kept(match, after, version)
        if kept is None:
            with self.catching_up:  # whoever waits here mostly finds that the one before has read it for all
                kept = self._kept(match, after, version)
                if kept is None:
                    kept = reading(match, Events(conn).read_all(match)) if conn else self._whole(match)
                    self._keep(kept)
        return kept

    def _kept(self, match: str, after: int, version: int) -> Reading | None:
        with self.lock:
            kept = self.readings.get(match)
        return kept if kept and kept.m.version >= version and kept.after(after) is not None else None

    def _keep(self, now: Reading) -> None:
        """Instead of what was read before; of the same version, what goes further back."""
        with self.lock:
            kept = self.readings.get(now.m.id)
            if kept is None or (kept.m.version, len(kept.events)) < (now.m.version, len(now.events)):
                self.readings[now.m.id] = now
            self.readings.move_to_end(now.m.id)
            while len(self.readings) > 1 and sum(len(each.events) for each in self.readings.values()) > MOST_KEPT:
                self.readings.popitem(last=False)

    def _whole(self, match: str) -> Reading:
        with connection(self.pool) as conn:
            return reading(match, Events(conn).read_all(match))

    def _run(self) -> None:
        poll = find = check = 0.0
        while not self.stopped:
            began = monotonic()
            try:
                self._refresh()
                if began >= poll:
                    poll = began + POLL_SECONDS
                    self._poll()
                    if began >= find or not (self.listener and self.listener.listening):
                        find = began + FIND_SECONDS
                        self._find()
                if began >= check:
                    check = began + CHECK_SECONDS
                    self._check()
            except UnavailableError as fault:
                log.warning("postgres does not answer", fault=str(fault))
            except Exception as fault:
                log.error("our fault", exc_info=fault)
            self._rest(monotonic() - began, poll)

    def _rest(self, worked_seconds: float, poll: float) -> None:
        """At least as long as it worked, so that most of the process is left to those who ask; then until it rings."""
        sleep(max(TOGETHER_SECONDS, worked_seconds))
        self.bell.wait(max(0.0, poll - monotonic()))
        self.bell.clear()

    def _refresh(self) -> None:
        """Read what has moved, once, and ring for whom it concerns."""
        with self.lock:
            woken, self.woken = self.woken, {}
        if not woken:
            return
        try:
            with connection(self.pool) as conn:
                histories = Events(conn).read_many([*woken])
        except UnavailableError:
            self.hear(woken.values())
            raise
        for match, history in histories.items():
            try:
                self._moved(woken[match], reading(match, history))
            except UnavailableError:
                self.hear([woken[match]])
                raise
            except Exception as fault:  # one match that cannot be read keeps no other waiting
                log.error("a match cannot be read", match=match, exc_info=fault)
                for watcher in [*self.of_match.get(match, ())]:
                    watcher.end()

    def _moved(self, wake: Wake, now: Reading) -> None:
        people = {*news.concerned(now.m), *wake.people}
        if now.after(self._common(wake)) is None:  # the deal is over, and another dealt: its last words were not read
            now = self._whole(wake.match)
        self._keep(now)
        with self.lock:
            concerned = set(self.of_match.get(wake.match, ()))
            concerned.update(*(self.of_player.get(player, ()) for player in people))
        for watcher in concerned:
            watcher.ring(wake.match, wake.first - 1)

    def _common(self, wake: Wake) -> int:
        """The version from which on most want to know: who reads slowly reads for himself."""
        with self.lock:
            positions = [watcher.positions.get(wake.match, 0) for watcher in self.of_match.get(wake.match, ())]
        return min(max(positions, default=wake.first - 1), wake.first - 1)

    # Looking

    def _poll(self) -> None:
        """Whether anything that is watched has moved unheard."""
        least: dict[str, int] = {}
        for watcher in self._all():
            for match, version in [*watcher.positions.items()]:
                least[match] = min(version, least.get(match, version))
        if least:
            with connection(self.pool) as conn:
                found = watching.versions(conn, least)
            self._wake({match: FOREVER for match, version in found.items() if version > least[match]})

    def _find(self) -> None:
        """Whether somebody who listens has come to a match unheard."""
        with self.lock:
            players = [*self.of_player]
        if not players:
            return
        with connection(self.pool) as conn:
            found = watching.active(conn, players)
        for player, match in found:
            with self.lock:
                listening = [*self.of_player.get(player, ())]
            for watcher in listening:
                if match not in watcher.positions and match not in watcher.done:
                    watcher.ring(match, 0)

    def _wake(self, matches: dict[str, int]) -> None:
        with self.lock:
            for match, first in matches.items():
                self.woken.setdefault(match, Wake(match, first, 0))
        if matches:
            self.bell.set()

    def _check(self) -> None:
        """End the streams of tokens that are good no more, and of clients that have gone."""
        watchers = self._all()
        for watcher in watchers:
            if _gone(watcher.socket):
                watcher.end()
        tokens = {watcher.token for watcher in watchers if watcher.token}
        if not tokens:
            return
        with connection(self.pool) as conn:
            good = watching.good_tokens(conn, tokens)
        for watcher in watchers:
            if watcher.token and watcher.token not in good:
                watcher.end()


def _drop(index: defaultdict[str, set[Watcher]], key: str, watcher: Watcher) -> None:
    if key in index:
        index[key].discard(watcher)
        if not index[key]:
            del index[key]


def watcher_of(bearer: Bearer | None, environ: dict[str, Any], **facts: Any) -> Watcher:
    """Somebody who watches by this request."""
    player, token = (bearer.player, bearer.token) if bearer else (None, None)
    return Watcher(player, token, environ.get("gunicorn.socket"), **facts)


def _bound(socket: Any) -> None:
    """A client that vanishes, or reads nothing, is given up after a while."""
    if socket is None:
        return
    socket.settimeout(WRITE_SECONDS)
    with suppress(OSError):  # no TCP
        socket.setsockopt(SOL_SOCKET, SO_KEEPALIVE, 1)
        socket.setsockopt(IPPROTO_TCP, TCP_USER_TIMEOUT, int(WRITE_SECONDS * 1000))


def _gone(socket: Any) -> bool:
    """Whether the other side has closed the connection, or is given up: seen without reading or waiting."""
    if socket is None:
        return False
    try:
        return bool(socket.getsockopt(IPPROTO_TCP, TCP_INFO, 1)[0] != ESTABLISHED)
    except OSError as fault:
        return fault.errno == 9  # closed here; any other: no TCP
