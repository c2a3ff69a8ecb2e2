"""Streams: one match's events, history first and then live; and everything that concerns a player.

NDJSON (a line an event) or SSE (an event with the version as its id), committed events only, each as the viewer may see
it at that moment. Read beside it: hub.py (which wakes a stream), domain/seen.py (what is hidden), docs/streams.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic, sleep
from typing import Any, NamedTuple

import structlog
from flask import Request, Response

from api import knowing
from api.answers import ENCODE, nothing
from api.call import Call
from api.errors import invalid
from api.hub import Reading, watcher_of
from api.operation import Blueprint
from api.schemas import MOST_VERSION
from api.shapes import ref
from domain import news, seen
from domain.event import Event
from domain.match import Match, fold
from store import leagues, notes, watching
from store.db import UnavailableError, connection
from store.events import Events

HEARTBEAT_SECONDS = 15.0
RETRY_SECONDS = 1.0  # until Postgres is asked again
TOGETHER = 100  # events in one piece, or matches in one reading

NDJSON, SSE = "application/x-ndjson", "text/event-stream"

log = structlog.get_logger("api")

blueprint = Blueprint("streams", __name__, url_prefix="/v1", description="What concerns a player, as it happens")


class Form(NamedTuple):
    """How a stream looks on the wire."""

    mimetype: str
    hello: bytes  # at once, so that the client knows that it is connected
    heartbeat: bytes
    line: Callable[[Any, int | None], str]  # of something that happened, with its id where it has one


def _ndjson(content: Any, number: int | None) -> str:
    return f"{ENCODE(content)}\n"


def _sse(content: Any, number: int | None) -> str:
    return f"id: {number}\ndata: {ENCODE(content)}\n\n" if number else f"data: {ENCODE(content)}\n\n"


FORMS = {NDJSON: Form(NDJSON, b"\n", b"\n", _ndjson), SSE: Form(SSE, b"retry: 1000\n\n", b":\n\n", _sse)}

LINES = {"type": "string", "description": "A JSON object a line; empty lines say that the connection lives."}
MESSAGES = {"type": "string", "description": "Server-sent events; comments say that the connection lives."}
OF_A_MATCH = {NDJSON: {**LINES, "x-line": ref("Event")}, SSE: {**MESSAGES, "x-data": ref("Event")}}
OF_A_PLAYER = {NDJSON: {**LINES, "x-line": ref("Notice")}, SSE: {**MESSAGES, "x-data": ref("Notice")}}


def of_match(call: Call, match: str, after: int) -> Response:
    """A match's events after a version."""
    if "limit" in call.request.args:
        raise invalid("limit", "a stream has no pages")
    return _answer(call, MatchStream(call, match, after))


def last_event(request: Request) -> int | None:
    """The version that the client says it had last. Raises ProblemError where that is none."""
    said = request.headers.get("Last-Event-ID", "")
    if said and not (said.isascii() and said.isdigit() and len(said) <= 12 and int(said) <= MOST_VERSION):
        raise invalid("Last-Event-ID", "this is no version")
    return int(said) if said else None


@blueprint.operation("GET", "/stream", scope="read", answer=OF_A_PLAYER[NDJSON], mimetype=NDJSON,
                     also={SSE: OF_A_PLAYER[SSE]}, problems="too_many_streams")  # fmt: skip
def watch(call: Call) -> Response:
    """What concerns the caller: the words he owes and his invitations, and then whatever happens at his matches.

    It is complete on connecting and begins anew each time. Who needs every event of a match resumes that match's own
    stream. A `turn` is said again as the match moves on while the word is still owed; of versions within some
    milliseconds, at the last.
    """
    return _answer(call, PlayerStream(call))


def _answer(call: Call, stream: Stream) -> Response:
    facts: dict[str, Any] = {"headers": {"X-Accel-Buffering": "no"}, "mimetype": call.mimetype}
    if call.request.method == "HEAD":
        stream.begin(call)
        return Response(**facts)
    call.backing.hub.open(stream.watcher)
    try:
        if not stream.begin(call) and call.mimetype == SSE:
            stream.close()
            return nothing()  # which tells a browser to connect no more
    except BaseException:
        stream.close()
        raise
    response = Response(stream.pieces(), **facts)
    response.call_on_close(stream.close)
    return response


class Stream:
    """What both kinds have in common: pieces of text until there is nothing more to say."""

    def __init__(self, call: Call, **facts: Any) -> None:
        self.hub, self.form = call.backing.hub, FORMS[call.mimetype]
        self.watcher = watcher_of(call.bearer, call.request.environ, **facts)

    @property
    def viewer(self) -> str | None:
        """For whom it is."""
        return self.watcher.viewer

    def begin(self, call: Call) -> bool:
        """Whether there is or will be anything to say. Whatever is refused is refused here, before anything is sent."""
        raise NotImplementedError

    def first(self) -> Iterator[str]:
        """What is there already, in pieces."""
        raise NotImplementedError

    def fresh(self, match: str, base: int) -> str:
        """What has come at this match since; `base` is where it begins when the match is new here."""
        raise NotImplementedError

    def close(self) -> None:
        """It is over, or the client has gone."""
        self.hub.close(self.watcher)

    def pieces(self) -> Iterator[bytes]:
        """All of it, as the server sends it."""
        yield self.form.hello
        for text in self.first():
            yield text.encode()
        while not self.watcher.ended:
            piece = self._next()
            if piece or not self.watcher.ended:
                yield piece or self.form.heartbeat

    def _next(self) -> bytes:
        """The next piece; nothing when it is time for a sign of life, or when nothing follows."""
        watcher, deadline = self.watcher, monotonic() + HEARTBEAT_SECONDS
        while watcher.bell.wait(max(0.0, deadline - monotonic())):
            watcher.bell.clear()
            if watcher.ended:
                break
            if piece := self._news():
                return piece
        return b""

    def _news(self) -> bytes:
        moved, self.watcher.moved = self.watcher.moved, {}
        found = []
        for match, base in moved.items():
            try:
                found.append(self.fresh(match, base))
            except UnavailableError as fault:
                log.warning("a stream waits for postgres", match=match, fault=str(fault))
                sleep(RETRY_SECONDS)
                self.watcher.ring(match, base)
        return "".join(found).encode()

    def _shown(self, m: Match, events: Sequence[Event]) -> list[dict[str, Any]]:
        """Events as the viewer may see them, with the notes that are for him."""
        said: dict[int, str] = {}
        if any(event.type == "voided" for event in events) and self.viewer in news.concerned(m):
            with connection(self.hub.pool) as conn:
                said = notes.of_stream(conn, m.id)
        return [
            {**seen.event(m, event, self.viewer), **({"note": said[event.version]} if event.version in said else {})}
            for event in events
        ]


class MatchStream(Stream):
    """One match's events after a version, until the last there can be."""

    def __init__(self, call: Call, match: str, after: int) -> None:
        super().__init__(call, positions={match: after})
        self.match = match

    def begin(self, call: Call) -> bool:
        m = knowing.load(call, self.match)
        self.history = self.hub.read(self.match, self.watcher.positions[self.match], m.version, call.conn)
        return not self.history.m.over or self.watcher.positions[self.match] < self.history.m.version

    def first(self) -> Iterator[str]:
        m, events = self.history.m, self.history.after(self.watcher.positions[self.match]) or []
        del self.history
        for start in range(0, len(events), TOGETHER):
            yield self._text(m, events[start : start + TOGETHER])
        self._sent(m)

    def fresh(self, match: str, base: int) -> str:
        position = self.watcher.positions[match]
        now = self.hub.read(match, position)
        if not (seen.may_know(now.m, self.viewer) or self._organises()):
            self.watcher.end()
            return ""
        text = self._shared(now, position)
        self._sent(now.m)
        return text

    def _organises(self) -> bool:
        with connection(self.hub.pool) as conn:
            return leagues.organises_match(conn, self.match, self.viewer)

    def _shared(self, now: Reading, position: int) -> str:
        """The same for all who stand there and have the same eyes, but for what is written to those concerned."""
        events = now.after(position) or []
        if any(event.type == "voided" for event in events):
            return self._text(now.m, events)
        key = self.form.mimetype, position, seen.eyes_of(now.m, self.viewer)
        if key not in now.rendered:
            now.rendered[key] = self._text(now.m, events)
        return now.rendered[key]

    def _text(self, m: Match, events: Sequence[Event]) -> str:
        return "".join(self.form.line(shown, shown["version"]) for shown in self._shown(m, events))

    def _sent(self, m: Match) -> None:
        self.watcher.positions[self.match] = max(m.version, self.watcher.positions[self.match])
        if m.over:
            self.watcher.end()


class PlayerStream(Stream):
    """What concerns a player: first what waits for him, then what happens where he is host or has a seat."""

    def __init__(self, call: Call) -> None:
        super().__init__(call, every=True)

    def begin(self, call: Call) -> bool:
        self.active = [match for _, match in watching.active(call.conn, [call.player])]
        return True

    def first(self) -> Iterator[str]:
        for start in range(0, len(self.active), TOGETHER):
            while not self.watcher.ended:
                try:
                    yield self._waiting(self.active[start : start + TOGETHER])
                    break
                except UnavailableError as fault:
                    log.warning("a stream waits for postgres", fault=str(fault))
                    yield self.form.heartbeat.decode()
                    sleep(RETRY_SECONDS)

    def _waiting(self, matches: Sequence[str]) -> str:
        with connection(self.hub.pool) as conn:
            histories = Events(conn).read_many(matches)
        folded = [fold(match, history.events) for match, history in histories.items()]
        waiting = [(*news.owed(m, self.viewer), *news.offered(m, self.viewer)) for m in folded]
        for m in folded:
            self._sent(m)
        return self._text([item for items in waiting for item in items])

    def fresh(self, match: str, base: int) -> str:
        position = self.watcher.positions.get(match, self.watcher.done.get(match))
        now = self.hub.read(match, position or 0)
        if self.viewer not in news.concerned(now.m):
            self.hub.leave(self.watcher, match)
            return ""
        if position is None:  # where he came: of two wake-ups, the second may be heard first
            position = base if now.m.over else news.before(match, now.events, self.viewer)
        events = now.after(position)
        if not events:
            return ""
        text = self._text(news.news(now.m, events, self.viewer))
        self._sent(now.m)
        return text

    def _sent(self, m: Match) -> None:
        if m.over:
            self.hub.leave(self.watcher, m.id)
            self.watcher.done[m.id] = m.version
        else:
            self.hub.follow(self.watcher, m.id, m.version)

    def _text(self, items: Sequence[news.Item]) -> str:
        return "".join(self.form.line(item, None) for item in items)
