"""The one door to a season, for API and workers: load, fold, decide, append; play.py does the same for a match.

What is decided are functions of season_decide.py, season_results.py and season_rounds.py. The store is handed in (of
streams of the kind season); time is the database's. Beside it: store/leagues.py (names, and who may know of a season).

    outcome = decided(store, "se1", lambda s: season_decide.close(s, who), expected=None)
    outcome.season; outcome.events; outcome.jobs
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain import play, season_decide
from domain.event import Event, History, Job, StaleVersionError, Store
from domain.house import Draw
from domain.play import Proposal
from domain.season import Season, fold
from domain.season_decide import Caller
from domain.season_errors import NoSuchEntryError
from domain.season_news import MOVES_TABLE


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a caller gets: the season after his word, and the events that were stored; none where nothing was new."""

    season: Season
    events: Sequence[Event]

    @property
    def jobs(self) -> Sequence[Job]:
        """The follow-ups that were stored with the events."""
        return _jobs(self.season, self.events)


def load(store: Store, season: str) -> Season:
    """The season as it stands. Raises NoSuchEntryError."""
    return folded(season, store.read_all(season))


def folded(season: str, history: History) -> Season:
    """The state that a history makes, at the time it was read."""
    if not history.events:
        raise NoSuchEntryError(f"there is no season {season!r:.40}", what="season", id=season[:40])
    s = fold(season, history.events)
    s.now = history.now
    return s


def opened(store: Store, season: str, decision: Callable[[Season], object]) -> Outcome:
    """A new season under the id; the decision is `open_season`. Raises OptionsError."""
    history = store.read_all(season)
    s = Season(season, history.now)
    decision(s)
    return _appended(store, history, s)


def decided(store: Store, season: str, decision: Callable[[Season], object], expected: int | None = None) -> Outcome:
    """Decide and append; again when somebody else was first, unless the caller named the version that he saw.

    Raises StaleVersionError, and whatever the decision refuses.
    """
    while True:
        history = store.read_all(season)
        s = folded(season, history)
        if expected is not None and s.version != expected:
            raise StaleVersionError(season, expected, s.version)
        decision(s)
        try:
            return _appended(store, history, s)
        except StaleVersionError:
            if expected is not None:
                raise


def _appended(store: Store, history: History, s: Season) -> Outcome:
    if not s.fresh:
        return Outcome(s, [])
    return Outcome(s, store.append(s.id, history, s.fresh, _jobs(s, s.fresh), None))


def _jobs(s: Season, events: Sequence[Event]) -> list[Job]:
    """`season:<id>:<first>:<last>` when points may have moved: ledger lines, ratings, and who is told of them."""
    if not any(event.type in MOVES_TABLE for event in events):
        return []
    return [Job(f"season:{s.id}:{events[0].version}:{events[-1].version}")]


def open_table(
    seasons: Store,
    matches: Store,
    season: str,
    table: str,
    who: Caller,
    match: str,
    terms: Mapping[str, Any],
    draw: Draw,
    expected: int | None = None,
) -> tuple[Outcome, play.Outcome]:
    """The match of a table, inside one transaction of both stores: its members are invited, `who` is host.

    `terms` are those of a Proposal that are not the season's: clock, rated, fair, visibility. Raises GuestAtTableError.
    """
    players: list[str] = []

    def decision(s: Season) -> None:
        players[:] = season_decide.seat_match(s, who, table, match)

    outcome = decided(seasons, season, decision, expected)
    opened = outcome.season.opened
    seats = [{"player": player} for player in players]
    proposal = Proposal(
        opened["game"], seats, opened["variant"], opened["given"], season=season, table=table, **terms
    )  # fmt: skip
    assert who.player, "a match has a host"
    return outcome, play.open_match(matches, match, who.player, proposal, draw)
