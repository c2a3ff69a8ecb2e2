"""A match watched again: one frame a version, each what `?at=` shows of it. Beside it: matches.py, history.py.

The history is read before the first frame and folded once while the frames go out; no connection is held meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response

from api import knowing, shown
from api.answers import ENCODE
from api.call import Call
from api.errors import invalid
from api.operation import Blueprint
from api.schemas import ReplayQuery
from domain import errors, seen
from domain.event import Event
from domain.match import Match, apply
from store import players

blueprint = Blueprint("replay", __name__, url_prefix="/v1/matches", description="A match watched again")

NDJSON = "application/x-ndjson"
AT_ONCE = 16  # frames, some 50 KB


@blueprint.operation("GET", "/<id:match>/replay", scope="read", public=True, query=ReplayQuery(), answer="Frames",
                     mimetype=NDJSON, problems="not_found not_yet_open")  # fmt: skip
def replay_match(call: Call, match: str, query: dict[str, Any]) -> Response:
    """One line a version: `{"version", "event", "match"}`, the match as `?at=` shows it, the event as it is listed now.

    With the eyes of a seat or of all, every deal there is has to lie open.
    """
    latest, events = knowing.history(call, match)
    try:
        seen.chosen_eyes(latest, latest, call.viewer, query["eyes"])
    except errors.NoSuchSeatError as refusal:
        raise invalid("eyes", str(refusal)) from None
    names = players.names(call.conn, _everybody(events))
    replay = Replay(latest, events, call.viewer, query["eyes"], names, shown.notes_of(call, latest))
    return Response(replay.chunks(), mimetype=NDJSON)


def _everybody(events: Sequence[Event]) -> set[str]:
    """Whoever had a seat, or was invited to one, at any time."""
    seats = [*events[0].data["seats"], *(event.data for event in events if event.type == "seated")]
    return {seat["player"] for seat in seats if seat.get("player")}


@dataclass(frozen=True, slots=True)
class Replay:
    """What is needed to make the frames, all of it read. `eyes` are as the query says them."""

    latest: Match
    events: Sequence[Event]
    viewer: str | None
    eyes: str
    names: shown.Names
    notes: Mapping[int, Mapping[str, str]]

    def chunks(self) -> Iterator[str]:
        """The lines, some at a time."""
        m = Match(self.latest.id)
        for first in range(0, len(self.events), AT_ONCE):
            yield "".join([self._line(m, event) for event in self.events[first : first + AT_ONCE]])
            time.sleep(0)  # others are answered in between

    def _line(self, m: Match, event: Event) -> str:
        apply(m, event)
        eyes = seen.chosen_eyes(self.latest, m, self.viewer, self.eyes)
        listed = {**seen.event(self.latest, event, self.viewer), **self.notes.get(event.version, {})}
        frame = {"version": m.version, "event": listed, "match": shown.match(m, self.viewer, eyes, self.names)}
        return ENCODE(frame) + "\n"
