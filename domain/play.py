"""The use cases, and the one door to a match for API, bots, clocks and the command line: load, fold, decide, append.

The store is handed in, and so are secret bytes (`draw`); time is the database's. Read beside it: event.py (the Store),
decide.py (what may be added), store/events.py (how it is kept).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Any

from domain import bots, decide, errors, seen, takebacks
from domain.bots.asked import Asked, never
from domain.event import Event, History, Job, Listing, StaleVersionError, Store
from domain.house import Draw
from domain.match import Match, deadlines, fold
from domain.news import concerned
from domain.rules import Game, OptionsError, Word, effective, games
from domain.secrecy import options_json, view_for

EVERYBODY = "*"  # who is known to be admitted already
TURN, BANK = range(5, 604801), range(604801)  # seconds a turn, and for the whole match
LAPSE = timedelta(hours=24)  # a match that is not full by then is voided


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody wants to play. `seats`, in order: {"player": id} | {"bot": name} | {"open": True}."""

    game: str
    seats: Sequence[Mapping[str, Any]]
    variant: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    rated: bool = False
    visibility: str = "public"
    clock: Mapping[str, int] | None = None
    packs: Sequence[Sequence[str]] | None = None
    dealer: int | None = None
    fair: bool = False
    season: str | None = None  # of which it is a match, and at which table
    table: str | None = None
    event: str | None = None  # of which it is a match, private until then
    opens_at: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a caller gets: the match after his word, and the events that were stored with their follow-ups."""

    match: Match
    events: Sequence[Event] = ()
    jobs: Sequence[Job] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """A match as it will stand, its new events in `match.fresh`, and the history they follow."""

    history: History
    match: Match

    def commit(self, store: Store) -> Outcome:
        """Append what was decided; raises StaleVersionError when somebody else was first."""
        m = self.match
        if not m.fresh:
            return Outcome(m)
        jobs = follow_ups(m)
        return Outcome(m, store.append(m.id, self.history, m.fresh, [*jobs, _notice(m)], _listing(m)), jobs)


# Reading


def load(store: Store, match: str) -> Match:
    """The match as it stands. Raises NoSuchMatchError."""
    return _folded(match, store.read(match))


def load_for(store: Store, match: str, player: str | None) -> Match:
    """The same for somebody: a private match does not exist for strangers."""
    return _known(load(store, match), player)


def history_for(store: Store, match: str, player: str | None) -> tuple[Match, Sequence[Event]]:
    """The match as it stands and its whole history, for somebody who may know of it."""
    history = store.read_all(match)
    return _known(_folded(match, history), player), history.events


def _folded(match: str, history: History) -> Match:
    if not history.events:
        raise errors.NoSuchMatchError(f"there is no match {match[:40]!r}")
    m = fold(match, history.events)
    m.now = history.now
    return m


def _known(m: Match, player: str | None) -> Match:
    if player != EVERYBODY and not seen.may_know(m, player):
        raise errors.NoSuchMatchError(f"there is no match {m.id!r}")
    return m


# Opening


def open_match(store: Store, match: str, host: str, proposal: Proposal, draw: Draw) -> Outcome:
    """A new match under the id `match`. Raises OptionsError naming each field that cannot be played."""
    opened = _opened(host, proposal)
    history = store.read(match)
    m = Match(match, history.now)
    decide.open_match(m, opened, draw)
    return Decision(history, m).commit(store)


def _opened(host: str, proposal: Proposal) -> dict[str, Any]:
    game = games().get(proposal.game)
    if game is None:
        raise OptionsError({"game": f"{proposal.game!r} is none of {', '.join(games())}"})
    variant = proposal.variant or next(iter(game.VARIANTS))
    options = effective(game, variant, proposal.options, len(proposal.seats))
    faults = {**_mixes(proposal), **_seat_faults(proposal), **_pack_faults(game, options, proposal)}
    if faults:
        raise OptionsError(faults)
    return {
        "game": game.id,
        "variant": variant,
        "rules": game.RULES,
        "options": options_json(options),
        "seats": [dict(seat) for seat in proposal.seats],
        "host": host,
        "visibility": proposal.visibility,
        "rated": proposal.rated,
        "clock": dict(proposal.clock) if proposal.clock else None,
        "fair": proposal.fair,
        **({"packs": proposal.packs, "dealer": proposal.dealer or 0} if proposal.packs else {}),
        **({"event": proposal.event, "opens_at": proposal.opens_at} if proposal.event else {}),
        **({"season": proposal.season, "table": proposal.table} if proposal.season else {}),
    }


def _mixes(proposal: Proposal) -> dict[str, str]:
    faults = {}
    if proposal.rated and (proposal.packs or any(seat.get("bot") for seat in proposal.seats)):
        faults["rated"] = "a rated match has persons in all seats and no prepared packs"
    if proposal.fair and proposal.packs:
        faults["fair"] = "a fair match has no prepared packs"
    if proposal.clock and not _fits(proposal.clock):
        faults["clock"] = f"turn_seconds is {TURN[0]} to {TURN[-1]}, bank_seconds 0 to {BANK[-1]}"
    if proposal.dealer is not None and not proposal.packs:
        faults["dealer"] = "the first dealer is drawn, unless packs are prepared"
    elif proposal.dealer is not None and proposal.dealer not in range(len(proposal.seats)):
        faults["dealer"] = f"the match has seats 0 to {len(proposal.seats) - 1}, not {proposal.dealer}"
    return faults


def _fits(clock: Mapping[str, int]) -> bool:
    return clock["turn_seconds"] in TURN and clock["bank_seconds"] in BANK


def _seat_faults(proposal: Proposal) -> dict[str, str]:
    faults, found = {}, set()
    for number, seat in enumerate(proposal.seats):
        player, bot = seat.get("player"), seat.get("bot")
        if player in found:
            faults[f"seats.{number}.player"] = "no player sits twice"
        if player:
            found.add(player)
        if bot is not None and bot not in bots.BOTS:
            faults[f"seats.{number}.bot"] = f"{bot!r} is none of {', '.join(bots.BOTS)}"
    return faults


def _pack_faults(game: Game, options: Any, proposal: Proposal) -> dict[str, str]:
    canonical = sorted(game.pack(options, list(range(len(proposal.seats)))))
    return {
        f"packs.{number}": f"the pack has {len(canonical)} cards, each once: {' '.join(canonical)[:200]}"
        for number, pack in enumerate(proposal.packs or ())
        if sorted(pack) != canonical
    }


# Deciding


def _decided(
    store: Store,
    match: str,
    player: str | None,
    expected: int | None,
    decision: Callable[[Match], None],
    own_seat: Callable[[Match], int | None] = lambda m: None,
) -> Outcome:
    """Load, fold, decide, append; again when a race is lost to other seats and the caller named no version."""
    lost_at: int | None = None
    while True:
        history = store.read(match)
        m = _known(_folded(match, history), player)
        if expected is not None and m.version != expected:
            raise StaleVersionError(match, expected, m.version)
        if lost_at is not None and not _only_others(history, lost_at, own_seat(m)):
            raise StaleVersionError(match, lost_at, m.version)
        decision(m)
        try:
            return Decision(history, m).commit(store)
        except StaleVersionError:
            if expected is not None:
                raise
            lost_at = lost_at or history.version


def _only_others(history: History, since: int, seat: int | None) -> bool:
    """Whether all that came between belongs to other seats; where no seat is concerned, anything may come between."""
    between = [event for event in history.events if event.version > since]
    return seat is None or all(event.data.get("seat", seat) != seat for event in between)


def _own_seat(m: Match, player: str) -> int:
    seat = m.seat_of(player)
    if seat is None or m.seats[seat].resigned:
        raise errors.NotAllowedError("you have no seat at this match")
    return seat


def move(store: Store, match: str, player: str, word: Word, expected: int | None, draw: Draw) -> Outcome:
    """The player says a word. `expected` is the version he saw, or None."""
    return _decided(
        store,
        match,
        player,
        expected,
        lambda m: decide.move(m, _own_seat(m, player), word, draw),
        lambda m: m.seat_of(player),
    )


def give_nonce(store: Store, match: str, player: str, deal: int, nonce: bytes, expected: int | None) -> Outcome:
    """The player adds a nonce to the shuffle of a deal."""
    return _decided(
        store,
        match,
        player,
        expected,
        lambda m: decide.nonce(m, _own_seat(m, player), deal, nonce),
        lambda m: m.seat_of(player),
    )


def ask_back(store: Store, match: str, player: str, expected: int | None) -> Outcome:
    """The player asks for his last word. Raises NothingToTakeBackError, RevealedError."""
    return _decided(store, match, player, expected, lambda m: takebacks.ask(m, _own_seat(m, player)))


def give_back(store: Store, match: str, player: str, consent: bool, expected: int | None) -> Outcome:
    """The player consents to what another asks, or does not. Raises NothingToTakeBackError."""
    return _decided(store, match, player, expected, lambda m: takebacks.answer(m, _own_seat(m, player), consent))


def sit(
    store: Store, match: str, player: str, seat: int | None, expected: int | None, draw: Draw, *, admitted: bool = False
) -> Outcome:
    """The player accepts, takes an open seat, or comes back. `admitted`: he brought an invitation's code."""

    asker = EVERYBODY if admitted else player
    return _decided(store, match, asker, expected, lambda m: decide.sit(m, seat, player, draw))


def seat_bot(
    store: Store, match: str, player: str, seat: int | None, bot: str, expected: int | None, draw: Draw
) -> Outcome:
    """The host puts a bot on a seat that nobody has accepted."""

    def decision(m: Match) -> None:
        _only_host(m, player)
        if m.opened["rated"] or m.opened.get("season"):
            raise errors.NotAllowedError("a match that is rated or of a season has persons in all seats")
        decide.seat_bot(m, seat, bot, draw)

    return _decided(store, match, player, expected, decision)


def leave(store: Store, match: str, player: str, seat: int, expected: int | None) -> Outcome:
    """A player leaves or declines his seat, or the host frees one, before the start."""

    def decision(m: Match) -> None:
        if m.seat_of(player) != seat:
            _only_host(m, player)
        decide.leave(m, seat)

    return _decided(store, match, player, expected, decision)


def resign(store: Store, match: str, player: str, expected: int | None) -> Outcome:
    """The player gives up; a bot sits in for good."""
    return _decided(store, match, player, expected, lambda m: decide.resign(m, _own_seat(m, player)))


def start(store: Store, match: str, organiser: str, expected: int | None, draw: Draw) -> Outcome:
    """An organiser of the season has the match begin without those who are absent. Whoever calls knows him for one."""

    def decision(m: Match) -> None:
        if not m.opened.get("season"):
            raise errors.NotAllowedError("only a match of a season is started by somebody")
        decide.start(m, organiser, draw)

    return _decided(store, match, EVERYBODY, expected, decision)


def void(store: Store, match: str, player: str, expected: int | None, *, organises: bool = False) -> Outcome:
    """The host voids: before the first deal is scored, or later an unrated match outside a season.

    `organises`: he is known to organise the season, and may always.
    """

    def decision(m: Match) -> None:
        if m.opened.get("event"):
            raise errors.NotAllowedError("a match of an event is not voided")
        if not organises:
            _only_host(m, player)
            if m.open_through and (m.opened["rated"] or m.opened.get("season")):
                raise errors.NotAllowedError("a match that is rated or of a season is not voided once a deal is scored")
        decide.void(m, player, "organiser" if organises else "host")

    return _decided(store, match, EVERYBODY if organises else player, expected, decision)


def _only_host(m: Match, player: str) -> None:
    if player != m.opened["host"]:
        raise errors.NotAllowedError("only the host of the match may do this")


# Unasked: what jobs do. Each is a decision at a named version, or None when there is nothing left to do.


def bot_turn(
    store: Store, match: str, version: int, draw: Draw, *, late: Callable[[], bool] = never, by_clock: bool = False
) -> Decision | None:
    """The word of the lowest seat that a bot speaks for, at this version; `late()` says that it has thought enough.

    `by_clock`: the word that the clock would say instead, for a bot that fails, so that the table can go on.
    """
    history = store.read(match)
    m = _folded(match, history)
    seat = next((seat for seat in m.to_act if m.seats[seat].driver), None)
    if m.version != version or seat is None:
        return None
    if by_clock:
        decide.say(m, seat, m.game.clock(m.deal, seat), draw)
    else:
        _bot_says(m, seat, draw, late)
    return Decision(history, m)


def _bot_says(m: Match, seat: int, draw: Draw, late: Callable[[], bool]) -> None:
    """With how it was found, if it was tried out: enough to find it again."""
    bot, secret = str(m.seats[seat].driver), _board_secret(m) if m.opened.get("event") else draw()
    asked = Asked(m.game, view_for(m.deal, seat), seat, m.game.words_of_the_house(m.deal, seat), m.totals, late)
    said = bots.choose(bot, asked, bots.stream(secret))
    how = {"bot": bot, **said._asdict(), "seed": secret.hex()} if said.version else {}
    decide.say(m, seat, how.pop("word", said.word), draw, how)


def _board_secret(m: Match) -> bytes:
    """At the tables of an event bots draw by the board and what all have heard: equal play meets equal answers."""
    verbs = [said.move.split(" ")[0] for said in m.words]
    heard = [
        (said.seat, verb if verb in m.game.FACE_DOWN else said.move) for said, verb in zip(m.words, verbs, strict=True)
    ]
    return sha256(json.dumps([(m.dealt or {})["pack"], heard]).encode()).digest()


def expire(store: Store, match: str, version: int, draw: Draw) -> Decision | None:
    """What the clock says for the seat whose time is up at this version."""
    history = store.read(match)
    m = _folded(match, history)
    if m.version == version:
        decide.expire(m, draw)
    return Decision(history, m) if m.fresh else None


def lapse(store: Store, match: str) -> Decision | None:
    """Void a match that did not fill."""
    history = store.read(match)
    m = _folded(match, history)
    if m.status != "open":
        return None
    decide.void(m, None, "lapsed")
    return Decision(history, m)


# From elsewhere


def adopt(store: Store, match: str, m: Match) -> Match:
    """Keep a match that was played elsewhere under the id `match`. It is over, so nothing follows."""
    return fold(match, store.append(match, store.read(match), m.fresh, [], _listing(m)))


def resumed(m: Match, events: Sequence[Event]) -> tuple[list[Job], Listing | None]:
    """What has to stand beside the whole history of `m` where it was only just stored: follow-ups, and its row."""
    m.fresh, m.now = list(events), events[0].at
    return follow_ups(m), _listing(m)


def follow_ups(m: Match) -> list[Job]:
    """The jobs that come of what was just decided."""
    jobs = []
    if any(m.seats[seat].driver for seat in m.to_act):
        jobs.append(Job(f"bot_turn:{m.id}:{m.version}"))
    if due := deadlines(m):
        jobs.append(Job(f"clock:{m.id}:{m.version}", due[0][0]))
    if any(event.type in ("scored", "ended", "voided") for event in m.fresh):
        jobs.append(Job(f"tally:{m.id}:{m.version}"))
    if m.status == "open" and m.fresh[0].type == "opened" and m.now:
        jobs.append(Job(f"lapse:{m.id}", m.now + LAPSE))
    return jobs


def _notice(m: Match) -> Job:
    """Tells webhooks of what was just decided, where anybody has one."""
    return Job(f"notify:{m.id}:{m.fresh[0].version}:{m.version}", listeners=tuple(concerned(m)))


def _listing(m: Match) -> Listing | None:
    """The row of the list, when this decision changes it."""
    if not any(event.type in _LISTED for event in m.fresh):
        return None
    head = m.opened
    return Listing(
        m.game.id,
        head["variant"],
        m.status,
        head["visibility"],
        head["host"],
        tuple(seen.people(m)),
        head.get("season"),
    )


_LISTED = {"opened", "seated", "left", "committed", "dealt", "ended", "voided"}
