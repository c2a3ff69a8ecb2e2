"""A season: its state, and what its events mean (fold). Pure, like match.py; a season is a stream of the same kind.

Everything refers to members by id; names and notes are rows elsewhere, events carry their ids. A result has the id of
what it came from: the match's or the sheet's. Points of a result are game points by seat, as `score` gave them; what
they are worth is the scheme's business. Read beside it: season_decide.py (what may be added), schemes.py (what a result
is worth), season_scoring.py (ledger lines), standings.py.

    s = fold("se1", events)
    s.results["m7"].now.places      # [1, 3, 2]
    s.open_work()                   # ids of tables, sheets and results that wait; empty when the season may close
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from domain.event import Event
from domain.rules import Game, games, recorded


class Sitting(NamedTuple):
    """Who sits at a place of a table: a member, or a substitute who sits `for_` one. The points are `credited`'s."""

    member: str
    for_: str | None = None

    @property
    def credited(self) -> str:
        return self.for_ or self.member

    def json(self) -> dict[str, str]:
        return {"member": self.member, **({"for": self.for_} if self.for_ else {})}


def sittings(members: Iterable[Mapping[str, str]]) -> list[Sitting]:
    """From the JSON of an event: [{"member": id, "for"?: id}], by seat."""
    return [Sitting(each["member"], each.get("for")) for each in members]


@dataclass(slots=True)
class Member:
    """One of the season. A guest has no `player`. `since` and `until` are versions of the stream."""

    id: str
    player: str | None
    since: int
    until: int | None = None

    @property
    def active(self) -> bool:
        return self.until is None


@dataclass(slots=True)
class Table:
    """A table of a round. `status`: open, done (its result is in) or void (it will not be played)."""

    id: str
    round: int
    seats: list[Sitting]
    match: str | None = None
    sheet: str | None = None
    status: str = "open"


@dataclass(slots=True)
class Round:
    number: int
    pairing: str
    seed: str | None
    tables: list[str]
    byes: list[str]
    absent: list[str]


@dataclass(slots=True)
class Sheet:
    """A score sheet. `status`: open (deals are entered), submitted, or what its result has become."""

    id: str
    table: str | None
    seats: list[Sitting]
    deals: list[dict[str, Any]] = field(default_factory=list)
    submitted_by: str | None = None
    points: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    status: str = "open"
    played_at: datetime | None = None


class Version(NamedTuple):
    """What a result was worth from an event on. A void one has no points and no places; 0 is a score."""

    version: int
    at: datetime | None
    points: list[int] | None
    places: list[int] | None
    by: str | None = None
    note: str | None = None

    @property
    def void(self) -> bool:
        return self.points is None


@dataclass(slots=True)
class Result:
    """A result and all its versions, oldest first. `ended_at` is its effective time, whenever it was recorded."""

    id: str
    source: str  # match | sheet
    table: str | None
    round: int | None
    seats: list[Sitting]
    ended_at: datetime | None
    versions: list[Version]
    disputed: bool = False

    @property
    def now(self) -> Version:
        return self.versions[-1]

    @property
    def status(self) -> str:
        return "void" if self.now.void else "disputed" if self.disputed else "confirmed"


@dataclass(slots=True)
class Adjustment:
    """A bonus (> 0), a penalty (< 0) or another adjustment of a member, in units of 1/60 point."""

    id: str
    member: str
    kind: str
    units: int
    version: int
    at: datetime | None
    effective_at: datetime | None
    by: str | None
    note: str | None
    cancelled: int | None = None  # the version that cancelled it
    cancelled_at: datetime | None = None


@dataclass(slots=True)
class Season:
    """The state after `version`. `now` and `fresh` belong to whoever is deciding: database time, events emitted."""

    id: str
    now: datetime | None = None
    version: int = 0
    opened: dict[str, Any] = field(default_factory=dict)
    game: Game = field(init=False)
    scheme: dict[str, Any] = field(default_factory=dict)
    tie_breaks: list[str] = field(default_factory=list)
    members: dict[str, Member] = field(default_factory=dict)
    rounds: dict[int, Round] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    sheets: dict[str, Sheet] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    adjustments: dict[str, Adjustment] = field(default_factory=dict)
    changes: list[dict[str, Any]] = field(default_factory=list)  # of the scheme: version, at, by, note
    status: str = "open"
    revisions: list[int] = field(default_factory=list)  # of the final table: the version at which each stood
    fresh: list[Event] = field(default_factory=list)

    @property
    def sizes(self) -> list[int]:
        """The numbers of seats that a table of this season may have."""
        return sorted(int(size) for size in self.opened["options"])

    def options(self, seats: int) -> Any:
        """The whole Options of a table of this size."""
        return recorded(self.game, self.opened["options"][str(seats)])

    def active(self) -> list[str]:
        return [member.id for member in self.members.values() if member.active]

    def member_of(self, player: str | None) -> str | None:
        """The member whose account this is."""
        return next((m.id for m in self.members.values() if player and m.player == player), None)

    def open_work(self) -> list[str]:
        """What keeps the season from closing: tables without a result, sheets not confirmed, disputed results."""
        waiting = [table.id for table in self.tables.values() if table.status == "open"]
        waiting += [sheet.id for sheet in self.sheets.values() if sheet.status in ("open", "submitted", "disputed")]
        return waiting + [r.id for r in self.results.values() if r.status == "disputed" and r.id not in self.sheets]


def fold(season: str, events: Iterable[Event]) -> Season:
    """The state that these events make."""
    s = Season(season)
    for event in events:
        apply(s, event)
    return s


def apply(s: Season, event: Event) -> None:
    """One event more. What comes after closing makes a new revision of the final table, if it moves points."""
    s.version = event.version
    _APPLY[event.type](s, event)
    if event.type in MOVES_POINTS and s.status == "closed":
        s.revisions.append(event.version)


def emit(s: Season, kind: str, /, **data: Any) -> None:
    """Add one event to the season and to its `fresh` ones."""
    event = Event(kind, data, s.version + 1, s.now)
    apply(s, event)
    s.fresh.append(event)


MOVES_POINTS = frozenset({"result_recorded", "corrected", "adjusted", "adjustment_cancelled"})


def time_of(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _opened(s: Season, event: Event) -> None:
    s.opened, s.game = event.data, games()[event.data["game"]]
    s.scheme, s.tie_breaks = event.data["scheme"], event.data["tie_breaks"]


def _member_added(s: Season, event: Event) -> None:
    member = event.data["member"]
    if member in s.members:  # comes back
        s.members[member].until = None
    else:
        s.members[member] = Member(member, event.data["player"], event.version)


def _member_left(s: Season, event: Event) -> None:
    s.members[event.data["member"]].until = event.version


def _guest_claimed(s: Season, event: Event) -> None:
    s.members[event.data["member"]].player = event.data["player"]


def _scheme_changed(s: Season, event: Event) -> None:
    s.scheme, s.tie_breaks = event.data["scheme"], event.data["tie_breaks"]
    s.changes.append({"version": event.version, "at": event.at, "by": event.data["by"], "note": event.data["note"]})


def _round_drawn(s: Season, event: Event) -> None:
    """The same number again draws the round anew: nothing had been played in it."""
    data, number = event.data, event.data["round"]
    for table in s.rounds[number].tables if number in s.rounds else []:
        del s.tables[table]
    for table in data["tables"]:
        s.tables[table["id"]] = Table(table["id"], number, sittings(table["members"]))
    ids = [table["id"] for table in data["tables"]]
    s.rounds[number] = Round(number, data["pairing"], data["seed"], ids, data["byes"], data["absent"])


def _seated(s: Season, event: Event) -> None:
    """Another line-up of a table (substitutes), or the match that its members play."""
    table = s.tables[event.data["table"]]
    table.seats = sittings(event.data["members"])
    table.match = event.data.get("match", table.match)


def _sheet_opened(s: Season, event: Event) -> None:
    data = event.data
    seats, played_at = sittings(data["members"]), time_of(data["played_at"])
    s.sheets[data["sheet"]] = Sheet(data["sheet"], data["table"], seats, played_at=played_at)
    if data["table"]:
        s.tables[data["table"]].sheet = data["sheet"]


def _deal_entered(s: Season, event: Event) -> None:
    s.sheets[event.data["sheet"]].deals.append(event.data["deal"])


def _deal_dropped(s: Season, event: Event) -> None:
    s.sheets[event.data["sheet"]].deals.pop()


def _submitted(s: Season, event: Event) -> None:
    sheet = s.sheets[event.data["sheet"]]
    sheet.status, sheet.submitted_by = "submitted", event.data["by"]
    sheet.points, sheet.places = event.data["points"], event.data["places"]


def _confirmed(s: Season, event: Event) -> None:
    _settle(s, event.data["result"], "confirmed")


def _disputed(s: Season, event: Event) -> None:
    _settle(s, event.data["result"], "disputed")


def _ruled(s: Season, event: Event) -> None:
    """What follows for the points stands in the event after it; a sheet that never counted is just void."""
    about, outcome = event.data["result"], event.data["outcome"]
    if about in s.tables:
        s.tables[about].status = "void"
    else:
        _settle(s, about, "void" if outcome == "void" else "confirmed")
        if about in s.sheets and outcome == "void" and about not in s.results:
            _free(s, s.sheets[about].table)


def _free(s: Season, table: str | None) -> None:
    """The sheet that never counted is out of the way: another may be written, or the match be played."""
    if table in s.tables:
        s.tables[table].sheet = None


def _settle(s: Season, about: str, status: str) -> None:
    if about in s.sheets:
        s.sheets[about].status = status
    if about in s.results:
        s.results[about].disputed = status == "disputed"


def _result_recorded(s: Season, event: Event) -> None:
    data, table = event.data, s.tables.get(event.data["table"] or "")
    first = Version(event.version, event.at, data["points"], data["places"], data.get("by"))
    s.results[data["result"]] = Result(
        data["result"], data["source"], data["table"], table.round if table else None, sittings(data["members"]),
        time_of(data["ended_at"]) or event.at, [first],
    )  # fmt: skip
    if table:
        table.status = "done"


def _corrected(s: Season, event: Event) -> None:
    data = event.data
    version = Version(event.version, event.at, data["points"], data["places"], data["by"], data["note"])
    result = s.results[data["result"]]
    result.versions.append(version)
    result.disputed = False
    _settle(s, result.id, result.status)


def _adjusted(s: Season, event: Event) -> None:
    data = event.data
    s.adjustments[data["adjustment"]] = Adjustment(
        data["adjustment"], data["member"], data["kind"], data["units"], event.version, event.at,
        time_of(data["effective_at"]) or event.at, data["by"], data["note"],
    )  # fmt: skip


def _adjustment_cancelled(s: Season, event: Event) -> None:
    adjustment = s.adjustments[event.data["adjustment"]]
    adjustment.cancelled, adjustment.cancelled_at = event.version, event.at


def _closed(s: Season, event: Event) -> None:
    s.status = "closed"
    s.revisions.append(event.version)


def _reopened(s: Season, event: Event) -> None:
    s.status = "open"


_APPLY: dict[str, Callable[[Season, Event], None]] = {
    "opened": _opened, "member_added": _member_added, "member_left": _member_left, "guest_claimed": _guest_claimed,
    "scheme_changed": _scheme_changed, "round_drawn": _round_drawn, "seated": _seated, "sheet_opened": _sheet_opened,
    "deal_entered": _deal_entered, "deal_dropped": _deal_dropped, "submitted": _submitted, "confirmed": _confirmed,
    "disputed": _disputed, "ruled": _ruled, "result_recorded": _result_recorded, "corrected": _corrected,
    "adjusted": _adjusted, "adjustment_cancelled": _adjustment_cancelled, "closed": _closed, "reopened": _reopened,
}  # fmt: skip


def credited(seats: Sequence[Sitting]) -> list[str]:
    """The members whose points they are, by seat."""
    return [sitting.credited for sitting in seats]
