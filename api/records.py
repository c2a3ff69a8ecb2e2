"""The text record of a match, written and read. Beside it: domain/record.py (the format), docs/record.md."""

from __future__ import annotations

from collections.abc import Callable
from threading import BoundedSemaphore
from typing import Any, TypeAlias, cast

from flask import Response
from gevent import get_hub
from marshmallow import ValidationError

from api import knowing, shown
from api.answers import answer, etag
from api.call import Call, new_id
from api.errors import ProblemError
from api.operation import Blueprint
from api.players import stay
from api.reading import check, read_json
from api.schemas import Name, RecordQuery
from domain import play, record, seen
from domain.match import Match
from domain.record import Tree
from domain.record_reading import replay
from domain.record_shape import RecordError, from_toml
from store import records

JSON, TOML = "application/json", "application/toml"
TEXT = {"type": "string", "description": "a Record as TOML"}
MOST_BYTES = 4 * 1024 * 1024
BREATH_SECONDS = 2
AT_ONCE = BoundedSemaphore(2)  # a process: each holds a connection, and half of the time of one core

Replayed: TypeAlias = tuple[Match, Tree]

blueprint = Blueprint("records", __name__, url_prefix="/v1", description="Matches as text")


@blueprint.operation("GET", "/matches/<id:match>/record", scope="read", public=True, mimetype=TOML, answer=TEXT,
                     also={JSON: "Record"}, headers="ETag", problems="not_found")  # fmt: skip
def read_record(call: Call, match: str) -> Response:
    """The match as a text that can be kept, read and imported. What the caller may not see yet is left out, or `??`."""
    m, history = knowing.history(call, match)
    events = (seen.event(m, event, call.viewer) for event in history)
    tree = record.tree(m, events, shown.labels(m, shown.names(call, [m])))
    write = record.to_json if call.mimetype == JSON else record.to_toml
    return Response(write(tree), headers=etag(m.version), mimetype=call.mimetype)


@blueprint.operation("POST", "/records", scope="play", status=201, repeated=200, takes={TOML: TEXT, JSON: "Record"},
                     most_bytes=MOST_BYTES, query=RecordQuery(), answer="Match", headers="ETag Location")  # fmt: skip
def import_record(call: Call, body: bytes, query: dict[str, Any]) -> Response:
    """Keep a match that was played elsewhere, once its record has been played again and every claim of it holds.

    It is the caller's, its players are labels, and it counts for nothing. The same record again is the same match.
    """
    toml = call.request.mimetype == TOML
    m, tree = _aside(call, lambda: _replayed(body, toml, call.player, query["visibility"]))
    labels = [player.get("label") for player in tree["players"]]
    new = new_id()
    with call.conn.transaction():
        stay(call)
        match = records.claim(call.conn, new, call.player, record.digest(tree), labels)
        if match == new:
            play.adopt(call.store, match, m)
    kept = play.load(call.store, match)
    where = {"Location": f"/v1/matches/{match}", **etag(kept.version)}
    return answer(shown.own(call, kept), 201 if match == new else 200, where)


def _aside(call: Call, work: Callable[[], Replayed | ProblemError | RecordError]) -> Replayed:
    """Worked out in a thread, while this process goes on answering others. Raises ProblemError when two are at it."""
    if not AT_ONCE.acquire(blocking=False):
        raise ProblemError("unavailable", "other records are being read", {"Retry-After": "1"})
    try:
        found = get_hub().threadpool.spawn(work)
        while not found.ready():
            found.wait(BREATH_SECONDS)
            call.conn.execute("select")  # a transaction in which nothing happens is ended
        result: Replayed | ProblemError | RecordError = found.get()
    finally:
        AT_ONCE.release()
    if isinstance(result, Exception):
        raise result
    return result


def _replayed(body: bytes, toml: bool, host: str, visibility: str) -> Replayed | ProblemError | RecordError:
    """A refusal is an answer here: gevent writes a traceback of what a thread raises."""
    try:
        return replay(_tree(body, toml), host, visibility)
    except (ProblemError, RecordError) as refusal:
        return refusal


def _tree(body: bytes, toml: bool) -> Tree:
    """The record in a body, with its labels as names are kept. Raises ProblemError, RecordError."""
    tree = _toml(body) if toml else read_json(body)
    players = tree.get("players") if isinstance(tree, dict) else None
    for number, player in enumerate(players if isinstance(players, list) else ()):
        if isinstance(player, dict) and isinstance(player.get("label"), str):
            try:
                player["label"] = Name().deserialize(player["label"])
            except ValidationError as fault:
                raise RecordError(f"players.{number}.label", " ".join(map(str, fault.messages))) from None
    return cast(Tree, tree)  # which is looked at next


def _toml(body: bytes) -> Any:
    try:
        tree = from_toml(body.decode())
    except (ValueError, RecursionError) as fault:
        raise ProblemError("malformed", f"the body is no TOML: {fault}") from None
    check(tree)
    return tree
