"""What every view of a league or season begins and ends with: who may know of it, who asks, what a write answers.

Strangers find a private league and its seasons nowhere. Beside it: domain/season_play.py, store/leagues.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from flask import Response

from api.answers import answer, etag
from api.call import Call
from api.errors import ProblemError
from api.etag import stated
from api.players import stay
from domain import season_play
from domain.event import Event
from domain.rules import OptionsError
from domain.season import Season, Sitting
from domain.season_decide import Caller
from domain.season_errors import NoSuchEntryError
from domain.season_play import Outcome
from store import leagues, notes
from store.leagues import League, SeasonRow

Names = Mapping[str, str | None]
Decision = Callable[[Season, Caller], object]


class Club(NamedTuple):
    """A season's row and its league, as the caller may know of them."""

    row: SeasonRow
    league: League
    who: Caller

    @property
    def id(self) -> str:
        return self.row.id


def league_of(call: Call, league: str) -> League:
    """The league. Raises ProblemError, for strangers to a private one as well."""
    found = leagues.get(call.conn, league, call.viewer)
    if found is None:
        raise ProblemError("not_found", f"there is no league {league!r}")
    return found


def club_of(call: Call, season: str) -> Club:
    """The season. Raises ProblemError, for strangers to a private league as well."""
    found = leagues.season(call.conn, season, call.viewer)
    if found is None:
        raise ProblemError("not_found", f"there is no season {season!r}")
    row, league = found
    return Club(row, league, Caller(call.viewer, league.organises))


def read(call: Call, season: str) -> tuple[Club, Season]:
    """The season as it stands. Raises ProblemError."""
    return club_of(call, season), season_play.load(call.seasons, season)


def wanted(call: Call, season: str) -> int | None:
    """The version that If-Match names, if any. Raises StaleVersionError."""
    return stated(call, season, lambda: season_play.load(call.seasons, season).version)


def decide(call: Call, club: Club, decision: Decision, note: str | None = None) -> Outcome:
    """One decision, and the note to its first event, in one transaction; its jobs are published after the commit."""
    expected = wanted(call, club.id)
    with call.conn.transaction():
        if note is not None:
            stay(call)
        outcome = season_play.decided(call.seasons, club.id, lambda s: decision(s, club.who), expected)
        if note is not None and outcome.events:
            notes.add(call.conn, club.id, outcome.events[0].version, club.who.player or "", note)
    follow(call, outcome)
    return outcome


def follow(call: Call, outcome: Outcome) -> None:
    """Remember to publish what was stored with the events."""
    call.jobs += [job.key for job in outcome.jobs if job.due is None]


def next_note(s: Season) -> str:
    """What the event that is decided next carries for its note: the version under which notes.py keeps it."""
    return str(s.version + 1)


@contextmanager
def in_the_body() -> Iterator[None]:
    """What is named in a body and does not exist is wrong with the body (422), and no path that leads nowhere (404)."""
    try:
        yield
    except NoSuchEntryError as refusal:
        raise OptionsError({refusal.facts["what"]: str(refusal)}) from None


@contextmanager
def own_fields() -> Iterator[None]:
    """The parts of a scheme are fields of their own here."""
    try:
        yield
    except OptionsError as refusal:
        raise OptionsError({name.removeprefix("scheme."): what for name, what in refusal.errors.items()}) from None


# What is shown


def written(call: Call, club: Club, outcome: Outcome, status: int = 201) -> Response:
    """What a write to a season answers: the new events and the season."""
    content = {"version": outcome.season.version, **shown_written(call, club, outcome.season, outcome.events)}
    return answer(content, status, etag(outcome.season.version))


def shown_written(call: Call, club: Club, s: Season, events: Iterable[Event]) -> dict[str, Any]:
    said = notes_of(call, club, s)
    return {"events": [event(each, said) for each in events], "season": season(club, s, said)}


def notes_of(call: Call, club: Club, s: Season) -> dict[int, str]:
    """What was written to events, by version, for members and organisers."""
    if not (club.who.organises or s.member_of(call.viewer)):
        return {}
    return notes.of_stream(call.conn, club.id)


def text_of(said: Mapping[int, str], note: str | None) -> str | None:
    """The text behind a note's id."""
    return said.get(int(note)) if note else None


def event(stored: Event, said: Mapping[int, str]) -> dict[str, Any]:
    """An event as it is served: ids and figures, and its note for those who may read it."""
    note = {"note": text_of(said, stored.data["note"])} if "note" in stored.data else {}
    return {
        "version": stored.version,
        "type": stored.type,
        "at": stored.at,
        **stored.data,
        **note,
        "hash": stored.hash,
    }


def season(club: Club, s: Season, said: Mapping[int, str]) -> dict[str, Any]:
    """A season without what is listed apart: members, rounds, results."""
    return {
        "id": s.id,
        "league": club.row.league,
        "name": club.row.name,
        "game": s.game.id,
        "variant": s.opened["variant"],
        "options": s.opened["options"],
        "scheme": s.scheme["kind"],
        "points": s.scheme.get("points"),
        "drop_worst": s.scheme["drop_worst"],
        "min_results": s.scheme["min_results"],
        "tie_breaks": s.tie_breaks,
        "lot": s.opened["lot"],
        "changes": [{**change, "note": text_of(said, change["note"])} for change in s.changes],
        "starts": s.opened["starts"],
        "ends": s.opened["ends"],
        "status": s.status,
        "version": s.version,
        "members": len(s.active()),
        "rounds": len(s.rounds),
        "results": len(s.results),
        "open": s.open_work(),
        "revisions": s.revisions,
        "organises": club.who.organises,
        "you": s.member_of(club.who.player),
        "created_at": club.row.created_at,
    }


def sitters(seats: Iterable[Sitting], names: Names) -> list[dict[str, Any]]:
    """Who sits at a table, by seat, and for whom."""
    return [
        {"seat": seat, "member": each.member, "name": names.get(each.member), "for": each.for_}
        for seat, each in enumerate(seats)
    ]


def listed(items: list[dict[str, Any]]) -> Response:
    """A list that is always whole."""
    return answer({"items": items, "next": None})
