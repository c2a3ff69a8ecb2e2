"""A match: its state, and what its events mean (fold). Written once for all games.

The fold applies recorded words without asking `legal`. Read beside it: rules.py (the contract of a game), decide.py
(what may be added), house.py (what follows unasked), seen.py (what leaves), audit.py (the same events, doubted).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from domain.clocks import Clocks, Thought
from domain.event import Event
from domain.rules import Game, Word, games, recorded


@dataclass(slots=True)
class Seat:
    """A place at one match. A player (an account) or a bot sits there, or nobody yet."""

    player: str | None = None
    bot: str | None = None
    accepted: bool = False
    resigned: bool = False
    replaced_by: str | None = None

    @property
    def ready(self) -> bool:
        return self.accepted or self.bot is not None

    @property
    def driver(self) -> str | None:
        """The bot that speaks for this seat now, or None when the player does."""
        return self.bot or self.replaced_by or ("rule" if self.resigned else None)


class Said(NamedTuple):
    """A word of the deal being played, and how the clock stood before it. `own`: its player said it himself."""

    version: int
    seat: int
    move: Word
    own: bool
    thought: Thought | None


@dataclass(slots=True)
class Match:
    """The state after `version`. `now` and `fresh` belong to whoever is deciding: database time, events emitted."""

    id: str
    now: datetime | None = None
    version: int = 0
    opened: dict[str, Any] = field(default_factory=dict)
    game: Game = field(init=False)
    options: Any = None
    seats: list[Seat] = field(default_factory=list)
    status: str = "open"
    totals: list[int] = field(default_factory=list)
    deals: int = 0  # ordinary deals scored
    committed: dict[str, Any] | None = None  # the `committed` of a deal that waits for nonces
    committed_at: datetime | None = None
    nonces: dict[int, str] = field(default_factory=dict)  # those it has got, by seat, as hex
    dealt: dict[str, Any] | None = None  # the last `dealt`
    dealt_at: int = 0  # its version
    sealed_at: int = 0  # where the last deal begins: the version of its `committed`, or of `dealt` without nonces
    open_through: int = 0  # every deal up to this version lies open
    verdict: str | None = None  # why the ordinary deals are over
    extra_deals: int = 0  # tie-break deals scored
    extras: list[list[int]] = field(default_factory=list)  # points in tie-break deals among the tied, by seat
    ties: list[list[int]] = field(default_factory=list)
    result: dict[str, Any] | None = None
    times: dict[str, datetime | None] = field(default_factory=dict)  # created, started, ended
    fresh: list[Event] = field(default_factory=list)
    clocks: Clocks | None = None
    table: Any = None  # the Deal, once somebody asks for it
    words: list[Said] = field(default_factory=list)  # of the deal being played
    last: Said | None = None  # the last word, while nothing has come of it but talk of taking it back
    takeback: dict[str, Any] | None = None  # who asks for his last word, of which version, whose consent is awaited

    @property
    def deal(self) -> Any:
        """The Deal being played or last played; None before the first."""
        if self.table is None and self.dealt:
            self.table = self.replayed(self.words)
        return self.table

    def replayed(self, words: Iterable[Said]) -> Any:
        """The deal being played, as it is after these words of it."""
        dealt = self.dealt or {}
        d = self.game.deal(self.deal_options, dealt["seats"], dealt["dealer"], dealt["pack"], self.totals)
        for said in words:
            self.game.play(d, said.seat, said.move)
        return d

    @property
    def deal_options(self) -> Any:
        return self.game.for_extra(self.options) if self.dealt and self.dealt["extra"] else self.options

    @property
    def over(self) -> bool:
        return self.status in ("ended", "voided")

    @property
    def to_act(self) -> list[int]:
        return self.game.to_act(self.deal) if self.status == "playing" and not self.committed else []

    @property
    def awaiting(self) -> list[int]:
        """The seats that owe a nonce."""
        if self.status != "playing" or not self.committed:
            return []
        return [seat for seat in self.committed["seats"] if seat not in self.nonces]

    def seat_of(self, player: str | None) -> int | None:
        """The seat where this player sits or is invited."""
        return next((n for n, seat in enumerate(self.seats) if player and seat.player == player), None)


def fold(match: str, events: Iterable[Event]) -> Match:
    """The state that these events make, of which those may be left out that Store.read leaves out."""
    m = Match(match)
    for event in events:
        apply(m, event)
    return m


def apply(m: Match, event: Event) -> None:
    """One event more."""
    m.version = event.version
    if event.type not in TALK:
        m.last = m.takeback = None
    asking = event.type not in ("dealt", "scored")
    if m.clocks and asking and m.clocks.since is None:
        m.clocks.start(asked(m))
    _APPLY[event.type](m, event.data, event.at)
    if m.clocks:
        m.clocks.follow(event)
        if asking:
            m.clocks.ask(asked(m), event.at)


def asked(m: Match) -> list[int]:
    """The seats that owe a word which a person must say."""
    return [seat for seat in m.to_act if m.seats[seat].driver is None]


def deadlines(m: Match) -> list[tuple[datetime, int]]:
    """When the time of each seat is up whose player owes a word, or a nonce; the first one first."""
    if not m.clocks or m.status != "playing":
        return []
    if m.committed:
        return m.clocks.nonces_due(m.awaiting, m.committed_at)
    return m.clocks.deadlines(asked(m))


def _opened(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.opened, m.game = data, games()[data["game"]]
    m.options = recorded(m.game, data["options"])
    all_sit = data.get("imported", False)  # there are no players in an imported match, only labels
    m.seats = [
        Seat(s.get("player"), s.get("bot"), accepted=all_sit or s.get("player") == data["host"] is not None)
        for s in data["seats"]
    ]
    m.totals = [0] * len(m.seats)
    m.extras = [[] for _ in m.seats]
    m.times["created"] = at
    if data.get("clock"):
        m.clocks = Clocks(data["clock"]["turn_seconds"], [float(data["clock"]["bank_seconds"])] * len(m.seats))


def _seated(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    player = data.get("player")
    m.seats[data["seat"]] = Seat(player, data.get("bot"), accepted=player is not None)


def _left(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.seats[data["seat"]] = Seat()


def _committed(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.committed, m.committed_at, m.nonces = data, at, {}
    m.sealed_at, m.status = m.version, "playing"
    m.times.setdefault("started", at)


def _nonce(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.nonces[data["seat"]] = data["nonce"]


def _dealt(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.sealed_at = m.sealed_at if m.committed else m.version
    m.committed, m.committed_at, m.nonces = None, None, {}
    m.dealt, m.dealt_at, m.table, m.words, m.status = data, m.version, None, [], "playing"
    m.times.setdefault("started", at)


def _moved(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    seat, move, clocks = data["seat"], data["move"], m.clocks
    own = m.seats[seat].driver is None and not (clocks and clocks.expiring == seat)
    m.game.play(m.deal, seat, move)
    m.words.append(Said(m.version, seat, move, own, clocks.thought(seat, at) if clocks else None))
    m.last = m.words[-1]


def _takeback_asked(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.takeback = {**data, "awaiting": data["awaiting"][:]}


def _takeback_consented(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    if m.takeback:
        m.takeback["awaiting"].remove(data["seat"])


def _takeback_refused(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.last = m.takeback = None


def _taken_back(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    """The deal as it was before the word. Of a deal that was scored since, nothing may have been read to be undone."""
    if m.last and m.last.version == data["word"]:
        undone = m.words.pop()
        m.table = None
        if m.clocks and undone.thought:
            m.clocks.think_on(undone.seat, undone.thought, at)
    m.last = m.takeback = None


def _scored(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.open_through = m.version
    among_tied = data["extra"] and m.game.EXTRA_AMONG_TIED
    for seat, points in enumerate(data["points"]):
        if not among_tied:
            m.totals[seat] += points
        elif seat in data["seats"]:
            m.extras[seat].append(points)
    m.ties = m.game.ties(data["tally"])
    if data["extra"]:
        m.extra_deals += 1
    else:
        m.deals += 1
        m.verdict = _verdict(m)


def _verdict(m: Match) -> str | None:
    """Why the ordinary deals are over, or None: the target is reached, or the deals are played."""
    target, deals = getattr(m.options, "target", None), getattr(m.options, "deals", None)
    if target is not None and max(m.totals) >= target:
        return "target"
    most = deals if deals is not None else getattr(m.options, "max_deals", None) if target is not None else 1
    return "deals" if most is not None and m.deals >= most else None


def _resigned(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.seats[data["seat"]].resigned = True


def _replaced(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.seats[data["seat"]].replaced_by = data["bot"]


def _expired(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    """The word that is said for the seat follows as an ordinary `moved`; clocks.py keeps count."""


def _ended(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.result, m.status = {name: data[name] for name in ("places", "totals", "reason")}, "ended"
    m.times["ended"] = at


def _voided(m: Match, data: dict[str, Any], at: datetime | None) -> None:
    m.result, m.status = None, "voided"
    m.times.setdefault("ended", at)


TALK = frozenset({"takeback_asked", "takeback_consented", "takeback_refused", "taken_back"})

_APPLY: dict[str, Callable[[Match, dict[str, Any], datetime | None], None]] = {
    "opened": _opened, "seated": _seated, "left": _left, "committed": _committed, "nonce": _nonce, "dealt": _dealt,
    "moved": _moved, "takeback_asked": _takeback_asked, "takeback_consented": _takeback_consented,
    "takeback_refused": _takeback_refused, "taken_back": _taken_back, "scored": _scored, "resigned": _resigned,
    "replaced": _replaced, "expired": _expired,
    "ended": _ended, "voided": _voided,
}  # fmt: skip


def emit(m: Match, kind: str, **data: Any) -> None:
    """Add one event to the match and to its `fresh` ones."""
    event = Event(kind, data, m.version + 1, m.now)
    apply(m, event)
    m.fresh.append(event)
