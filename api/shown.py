"""Matches and events as they go out: what domain/seen.py lets be seen, with the players' names filled in.

Read beside it: domain/seen.py, which alone decides what is hidden; shapes.py (the same as schemas).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from flask import Response

from api.answers import answer, etag
from api.call import Call
from domain import seen
from domain.match import Match
from domain.play import Outcome
from domain.secrecy import Eyes
from store import notes, players, records

Names = Mapping[str, str | None]


def names(call: Call, matches: Iterable[Match]) -> Names:
    """The name of everybody who sits or is invited at these matches, by id; labels of imported ones by `_place`."""
    matches = list(matches)
    ids = {player for m in matches for player in seen.people(m)}
    known = call.bearer.names if call.bearer else {}
    found = known if ids <= known.keys() else players.names(call.conn, ids)
    imported = [m.id for m in matches if m.opened.get("imported")]
    labels = records.labels(call.conn, imported) if imported else {}
    return {**found, **{_place(m, n): label for m, own in labels.items() for n, label in enumerate(own)}}


def _place(match: str, seat: int) -> str:
    return f"{match}/{seat}"


def labels(m: Match, names: Names) -> list[str | None]:
    """What those who sit are called, by seat."""
    return [names.get(seat.player or _place(m.id, n)) for n, seat in enumerate(m.seats)]


def match(m: Match, viewer: str | None, eyes: Eyes, names: Names) -> dict[str, Any]:
    """The match as these eyes see it."""
    shown = seen.match(m, viewer, eyes)
    for seat in shown["seats"]:
        if seat["player"]:
            seat["player"] = {"id": seat["player"], "name": names.get(seat["player"])}
        seat["label"] = names.get(_place(m.id, seat["seat"]))
    return shown


def own(call: Call, m: Match) -> dict[str, Any]:
    """The match as the caller sees it now."""
    return match(m, call.viewer, seen.chosen_eyes(m, m, call.viewer, "own"), names(call, [m]))


def notes_of(call: Call, m: Match) -> dict[int, dict[str, str]]:
    """What was written to events, by version, for those who have to do with the match."""
    if call.viewer not in (m.opened["host"], *seen.people(m)):
        return {}
    return {version: {"note": text} for version, text in notes.of_stream(call.conn, m.id).items()}


def written(call: Call, outcome: Outcome) -> Response:
    """What a write to a match answers: the new events and the match, as the caller sees them."""
    call.follow(outcome)
    m = outcome.match
    events = [seen.event(m, event, call.viewer) for event in outcome.events]
    return answer({"version": m.version, "events": events, "match": own(call, m)}, 201, etag(m.version))
