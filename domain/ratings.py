"""Ratings: the one file that knows openskill. A deterministic fold over results in order of (ended_at, id).

Only ranks count, never by how much. Persons and bots have pools of their own: a result with both rates nobody. A
correction or a void is another list of results; everything is recomputed from it (3,000 results take 0.2 s). Nothing
depends on the order in which results are handed in, on seats, or on names.

    table = ratings([Rated(ended_at, "m7", "polignac", (person("p1"), bot_at("rule")), (1, 2)), …])
    table["polignac"][person("p1")].mu
    leaderboard(table["polignac"])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from openskill.models import BradleyTerryPart
from openskill.models.weng_lin.bradley_terry_part import BradleyTerryPartRating

from domain.match import Match
from domain.season import Season

PROVISIONAL = 20  # matches, before a rating says much
MODEL = BradleyTerryPart(window_size=8)  # everybody at a table of up to 6 is compared with everybody
MU, SIGMA = 25.0, 25.0 / 3


class Rated(NamedTuple):
    """A result that rates: `seats` are names made by `person` or `bot_at`, `places` by seat, equal ones shared."""

    ended_at: datetime
    id: str
    game: str
    seats: tuple[str, ...]
    places: tuple[int, ...]


class Step(NamedTuple):
    """A rating after one result."""

    result: str
    at: datetime
    mu: float
    sigma: float


@dataclass(slots=True)
class Rating:
    """`ordinal` is what a player is worth at least, so that a newcomer does not lead; lists go by it.

    `earlier` counts the matches before those of `history`.
    """

    mu: float = MU
    sigma: float = SIGMA
    earlier: int = 0
    history: list[Step] = field(default_factory=list)

    @property
    def ordinal(self) -> float:
        return self.mu - 3 * self.sigma

    @property
    def matches(self) -> int:
        return self.earlier + len(self.history)

    @property
    def provisional(self) -> bool:
        return self.matches < PROVISIONAL


class Rank(NamedTuple):
    place: int
    name: str
    rating: Rating


def person(player: str) -> str:
    return f"player:{player}"


def bot_at(bot: str) -> str:
    return f"bot:{bot}"


def rated_in(s: Season) -> list[Rated]:
    """What a season says of its matches, corrections included. Paper rates nobody."""
    return [result for _, result in said_in(s) if result.places]


def said_in(s: Season, after: int = 0) -> list[tuple[int, Rated]]:
    """The same, as of the versions at which it was said last, those behind `after`; without places what is void."""
    found = []
    for result in s.results.values():
        players = [s.members[sitting.member].player for sitting in result.seats]
        if result.source == "match" and result.ended_at and result.now.version > after and None not in players:
            seats = tuple(person(str(player)) for player in players)
            rated = Rated(result.ended_at, result.id, s.game.id, seats, tuple(result.now.places or ()))
            found.append((result.now.version, rated))
    return found


def said_of(m: Match) -> list[tuple[int, Rated]]:
    """What a match that is over says by itself: a rated one, or one of bots alone. What it was dealt must be chance.

    One of bots of a single kind says nothing.
    """
    people = all(seat.player for seat in m.seats) and m.opened["rated"]
    bots = all(seat.bot for seat in m.seats) and not m.opened.get("imported")
    seats = tuple(person(seat.player) if seat.player else bot_at(str(seat.bot)) for seat in m.seats)
    if not m.over or m.opened.get("packs") or not (people or bots) or len(set(seats)) == 1:
        return []
    at = m.times["ended"]
    assert at, "a stored match knows when it ended"
    return [(m.version, Rated(at, m.id, m.game.id, seats, tuple(m.result["places"] if m.result else ())))]


def ratings(
    results: Iterable[Rated], start: Mapping[str, Mapping[str, Rating]] | None = None
) -> dict[str, dict[str, Rating]]:
    """By game and name. The same id twice is one result. `start`: how they stood before the first of these."""
    once = {result.id: result for result in results if _rates(result)}
    table: dict[str, dict[str, Rating]] = {game: dict(pool) for game, pool in (start or {}).items()}
    chairs = _chairs(max((len(result.seats) for result in once.values()), default=0))
    for result in sorted(once.values(), key=lambda each: (each.ended_at, each.id)):
        _rate(table.setdefault(result.game, {}), result, chairs)
    return table


def _chairs(number: int) -> list[list[BradleyTerryPartRating]]:
    """What the library rates. It copies them, so they serve again; each new one would cost a random id."""
    return [[MODEL.rating()] for _ in range(number)]


def _rates(result: Rated) -> bool:
    """One pool at the table, and at least two different names."""
    pools = {name.split(":", 1)[0] for name in result.seats}
    return len(pools) == 1 and len(set(result.seats)) > 1


def _rate(pool: dict[str, Rating], result: Rated, chairs: Sequence[list[BradleyTerryPartRating]]) -> None:
    """One result more, later than all before. A bot that sits at several seats moves by the mean of them."""
    for name in result.seats:
        pool.setdefault(name, Rating())
    seats = sorted(zip(result.places, result.seats, strict=True), key=lambda each: (each[0], _key(pool[each[1]])))
    for (chair,), (_, name) in zip(chairs, seats, strict=False):
        chair.mu, chair.sigma = pool[name].mu, pool[name].sigma
    rated = MODEL.rate(list(chairs[: len(seats)]), ranks=[float(place) for place, _ in seats])
    found: dict[str, list[tuple[float, float]]] = {}
    for (_, name), (new,) in zip(seats, rated, strict=True):
        found.setdefault(name, []).append((new.mu, new.sigma))
    for name, moved in found.items():
        rating = pool[name]
        rating.mu, rating.sigma = (sum(values) / len(moved) for values in zip(*moved, strict=True))
        rating.history.append(Step(result.id, result.ended_at, rating.mu, rating.sigma))


def _key(rating: Rating) -> tuple[float, float]:
    """Sums of fractions depend on their order, so it is that of the ratings, never that of seats or names."""
    return rating.mu, rating.sigma


def leaderboard(pool: Mapping[str, Rating], provisional: bool = True) -> list[Rank]:
    """Best first; equal ratings share a place. `provisional`: list those with few matches too."""
    listed = [(name, rating) for name, rating in pool.items() if provisional or not rating.provisional]
    listed.sort(key=lambda each: (-each[1].ordinal, each[0]))
    above = [rating.ordinal for _, rating in listed]
    return [Rank(above.index(rating.ordinal) + 1, name, rating) for name, rating in listed]
