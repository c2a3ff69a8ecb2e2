"""The search behind `spread`: tables of some rounds in which as few as possible meet again. Read beside it: pairing.py.

Simulated annealing over all rounds at once: a move swaps two members of one round. Two who meet n times cost
n (n - 1) / 2, so a third meeting is worse than two second ones. The best found is answered, the same for a seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import exp
from random import Random

from domain.pairing import Draw, Past, seated, sitting_out, table_sizes

MOVES = 400_000  # at most, in all rounds together
HOT, COLD = 1.2, 0.12  # what a swap may cost, at first and in the end
TRIES = 3


def spread(
    members: Sequence[str], allowed: Sequence[int], seats: int, rounds: int, seed: str, past: Past | None = None
) -> list[Draw]:
    """So many rounds for these members, over tables of `seats` or of other allowed sizes; some may sit out."""
    random, past = Random(seed), past.copy() if past else Past()
    order = sorted(members)
    sizes, number = table_sizes(len(order), allowed, seats)
    out: list[list[str]] = []
    for _ in range(rounds):
        out.append(sitting_out(order, number, past, random))
        past.byes.update(out[-1])
    search = _Search(order, out, sizes, past, random)
    found = [[order[each] for each in table] for tables in search.best() for table in tables]
    tables, per_round = iter(seated(found, past.sat, random)), len(sizes)
    return [Draw([next(tables) for _ in range(per_round)], byes) for byes in out]


class _Search:
    """Members are numbers here; `met` is a flat table of how often two have met."""

    def __init__(
        self, order: Sequence[str], out: Sequence[Sequence[str]], sizes: Sequence[int], past: Past, random: Random
    ) -> None:
        self.number, self.sizes, self.random = len(order), sizes, random
        self.playing = [[n for n, member in enumerate(order) if member not in away] for away in out]
        self.before = [past.meetings(one, other) if one != other else 0 for one in order for other in order]

    def best(self) -> list[list[list[int]]]:
        found: list[tuple[int, list[list[list[int]]]]] = []
        for _ in range(TRIES if len(self.sizes) > 1 else 1):
            found.append(self._anneal())
            if found[-1][0] == self._least():
                break
        return min(found, key=lambda each: each[0])[1]

    def _least(self) -> int:
        return sum(n * (n - 1) // 2 for n in self.before) // 2

    def _shuffled(self) -> list[list[list[int]]]:
        rounds = []
        for playing in self.playing:
            left = sorted(playing, key=lambda _: self.random.random())
            rounds.append([[left.pop() for _ in range(size)] for size in self.sizes])
        return rounds

    def _anneal(self) -> tuple[int, list[list[list[int]]]]:
        rounds, met, n, draw = self._shuffled(), self.before[:], self.number, self.random.random
        for table in (table for tables in rounds for table in tables):
            for one, other in combinations(table, 2):
                met[one * n + other] += 1
                met[other * n + one] += 1
        cost = best = sum(times * (times - 1) // 2 for times in met) // 2
        kept, least = _copied(rounds), self._least()
        if len(self.sizes) < 2 or best == least:
            return best, kept
        moves = min(MOVES, 2000 * n * len(rounds))
        for move in range(moves):
            tables = rounds[int(draw() * len(rounds))]
            one, other = int(draw() * len(tables)), int(draw() * (len(tables) - 1))
            left, right = tables[one], tables[other + (other >= one)]
            at, to = int(draw() * len(left)), int(draw() * len(right))
            change = _change(met, n, left, right, at, to)
            heat = HOT * (COLD / HOT) ** (move / moves)
            if change <= 0 or draw() < exp(-change / heat):
                _swap(met, n, left, right, at, to)
                cost += change
                if cost < best:
                    best, kept = cost, _copied(rounds)
                    if best == least:
                        break
        return best, kept


def _copied(rounds: list[list[list[int]]]) -> list[list[list[int]]]:
    return [[table[:] for table in tables] for tables in rounds]


def _change(met: list[int], n: int, left: list[int], right: list[int], at: int, to: int) -> int:
    """What swapping two members would add: each new meeting costs the number of those before it."""
    mine, theirs = left[at] * n, right[to] * n
    change = 0
    for each in left:
        change += met[theirs + each] - met[mine + each] + 1
    for each in right:
        change += met[mine + each] - met[theirs + each] + 1
    # the sums above have counted the two with themselves and with each other
    one, other = left[at], right[to]
    return change - 2 - 2 * met[mine + other] + met[mine + one] + met[theirs + other]


def _swap(met: list[int], n: int, left: list[int], right: list[int], at: int, to: int) -> None:
    one, other = left[at], right[to]
    for each in left:
        if each != one:
            met[one * n + each] -= 1
            met[each * n + one] -= 1
            met[other * n + each] += 1
            met[each * n + other] += 1
    for each in right:
        if each != other:
            met[other * n + each] -= 1
            met[each * n + other] -= 1
            met[one * n + each] += 1
            met[each * n + one] += 1
    left[at], right[to] = other, one
