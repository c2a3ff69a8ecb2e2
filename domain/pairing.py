"""Pairing: who meets whom at which table. Pure and deterministic: the same seed draws the same rounds for ever.

Only `Random(seed).random()` is used, whose sequence Python keeps over its versions. Read beside it: season_rounds.py
(draws for a season), spread.py (the search), designs.py (cyclic schedules).

    past = Past.of([[["a", "b", "c", "d"], …], …])              # rounds played, tables in order of seats
    spread(members, allowed=[3, 4], seats=4, rounds=5, seed="s", past=past)    # -> [Draw(tables, byes), …]
    swiss(members in order of standing, allowed, seats=4, seed="s", past=past)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, permutations
from random import Random
from typing import NamedTuple, TypeAlias

Seating: TypeAlias = list[str]  # members by seat
Cost: TypeAlias = Callable[[int, Sequence[int]], float]  # of a table with members of these ranks

SWEEPS = 8  # over all tables, to even out the seats
REMATCH = 1000.0  # what two who meet again cost, against the squared distance of a member from his place


class Draw(NamedTuple):
    """One round: tables, members by seat, and who sits out."""

    tables: list[Seating]
    byes: list[str]


@dataclass(slots=True)
class Past:
    """What has been drawn: how often two met, who sat where, who sat out."""

    met: Counter[frozenset[str]] = field(default_factory=Counter)
    sat: Counter[tuple[str, int]] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, rounds: Iterable[Draw]) -> Past:
        past = cls()
        for each in rounds:
            past.add(each)
        return past

    def add(self, draw: Draw) -> None:
        for table in draw.tables:
            self.met.update(frozenset(pair) for pair in combinations(table, 2))
            self.sat.update((member, seat) for seat, member in enumerate(table))
        self.byes.update(draw.byes)

    def meetings(self, one: str, other: str) -> int:
        return self.met[frozenset((one, other))]

    def copy(self) -> Past:
        return Past(Counter(self.met), Counter(self.sat), Counter(self.byes))


def table_sizes(members: int, allowed: Sequence[int], seats: int) -> tuple[list[int], int]:
    """Sizes of the tables, largest first, and how many sit out: as few as can be, then sizes close to `seats`.

    Answers ([], members) when not even one table can be filled.
    """
    for byes in range(members + 1):
        found = _filled(members - byes, tuple(sorted(set(allowed))), seats)
        if found is not None:
            return sorted(found[1], reverse=True), byes
    return [], members


@lru_cache(maxsize=4096)
def _filled(members: int, allowed: tuple[int, ...], seats: int) -> tuple[int, tuple[int, ...]] | None:
    """The cheapest tables for exactly so many, with what they are off `seats`; None where there are none."""
    best: list[tuple[int, tuple[int, ...]] | None] = [(0, ())]
    for number in range(1, members + 1):
        ways = [
            (rest[0] + (size - seats) ** 2 * 2 + (size > seats), (*rest[1], size))
            for size in allowed
            if size <= number and (rest := best[number - size]) is not None
        ]
        best.append(min(ways, default=None))
    return best[members]


def sitting_out(members: Sequence[str], number: int, past: Past, random: Random) -> list[str]:
    """Those who have sat out least, drawn among equals."""
    drawn = [(past.byes[member], random.random(), member) for member in members]
    return sorted(member for _, _, member in sorted(drawn)[:number])


def seated(tables: Sequence[Sequence[str]], sat: Mapping[tuple[str, int], int], random: Random) -> list[Seating]:
    """The tables of one or many rounds, each in an order of seats that evens out where everybody sits.

    `sat` counts how often (member, seat) has been before. Drawn among equals, then each table improved in turn.
    """
    found, counts = [sorted(table) for table in tables], Counter(sat)
    for table in found:
        counts.update((member, seat) for seat, member in enumerate(table))
    for _ in range(SWEEPS):
        before = [table[:] for table in found]
        for table in found:
            counts.subtract((member, seat) for seat, member in enumerate(table))
            table[:] = _best_order(table, counts, random)
            counts.update((member, seat) for seat, member in enumerate(table))
        if found == before:
            break
    return found


def _best_order(table: Sequence[str], sat: Mapping[tuple[str, int], int], random: Random) -> Seating:
    size = len(table)
    cost = [[sat[member, seat] + random.random() / 64 for seat in range(size)] for member in table]
    order = min(permutations(range(size)), key=lambda who: sum(cost[each][seat] for seat, each in enumerate(who)))
    return [table[each] for each in order]


def swiss(standing: Sequence[str], allowed: Sequence[int], seats: int, seed: str, past: Past) -> Draw:
    """Tables of neighbours in the standings, best first, rematches avoided where a swap nearby can.

    `standing` has the members in order, best first; who is left over sits out, the lowest of those who have least.
    """
    random = Random(seed)
    sizes, number = table_sizes(len(standing), allowed, seats)
    least = sorted(range(len(standing)), key=lambda at: (past.byes[standing[at]], -at))
    out = {standing[at] for at in least[:number]}
    playing = [member for member in standing if member not in out]
    spots = [table for table, size in enumerate(sizes) for _ in range(size)]
    tables = _without_rematches(playing, spots, past)
    return Draw(seated(tables, past.sat, random), [member for member in standing if member in out])


def _without_rematches(playing: Sequence[str], spots: Sequence[int], past: Past) -> list[list[str]]:
    """Swaps members of neighbouring tables as long as that helps."""
    tables: list[list[int]] = [[] for _ in range(max(spots, default=-1) + 1)]
    for rank, table in enumerate(spots):
        tables[table].append(rank)
    middle = [sum(ranks) / len(ranks) for ranks in tables]

    def cost(table: int, ranks: Sequence[int]) -> float:
        meetings = sum(past.meetings(playing[one], playing[other]) ** 2 for one, other in combinations(ranks, 2))
        return REMATCH * meetings + sum((rank - middle[table]) ** 2 for rank in ranks)

    while swap := _best_swap(tables, cost):
        one, at, other, to = swap
        tables[one][at], tables[other][to] = tables[other][to], tables[one][at]
    return [[playing[rank] for rank in sorted(ranks)] for ranks in tables]


def _best_swap(tables: list[list[int]], cost: Cost) -> tuple[int, int, int, int] | None:
    """The swap between tables at most three apart that helps most, or None."""
    best, found = -1e-9, None
    now = [cost(table, ranks) for table, ranks in enumerate(tables)]
    for one in range(len(tables)):
        for other in range(one + 1, min(one + 4, len(tables))):
            for at, mine in enumerate(tables[one]):
                for to, theirs in enumerate(tables[other]):
                    left = [theirs if rank == mine else rank for rank in tables[one]]
                    right = [mine if rank == theirs else rank for rank in tables[other]]
                    change = cost(one, left) + cost(other, right) - now[one] - now[other]
                    if change < best:
                        best, found = change, (one, at, other, to)
    return found
