"""The bot that tries its words out: in worlds that fit its view, each played to the end of the deal by the rule bot.

One routine for all games. The same worlds serve every candidate, so that what they have in common cancels; worlds come
in doubling batches, and a word that is clearly worse drops out. The rule bot's word stands unless another beats it by a
margin. Read beside it: imagine.py (the worlds), docs/bots.md (the figures).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random as Twister
from typing import Any

from domain.bots.asked import Asked, Random, Said
from domain.imagine import Frozen, Worlds, deal_seen
from domain.rules import Game, Word

VERSION = 2  # raised when the same view and stream may give another word
FIRST_WORLDS = 4  # of the first batch; then as many again, until the budget is used up
MOST_CANDIDATES = 24
CLEARLY = 2.0  # paired standard errors by which a word that drops out is worse than the best
BAR = 1.0  # by so many must a word be better than the rule bot's


@dataclass
class Trial:
    """What was found out: `values` has what each word came to, one entry a world tried."""

    values: dict[Word, list[float]]
    worlds: int = 0
    truncated: bool = False


def search(asked: Asked, random: Random, worlds: int) -> Said:
    """The best word by at most so many imagined worlds. The same question and stream give the same word."""
    return settled(*tried(asked, random, worlds))


def settled(rule: Word, trial: Trial) -> Said:
    """The rule bot's word, unless another was better by the bar."""
    best = max(trial.values, key=lambda word: sum(trial.values[word]))
    departs = best != rule and trial.worlds and _lead(trial.values[best], trial.values[rule]) > BAR
    return Said(best if departs else rule, VERSION, trial.worlds, trial.truncated)


def tried(asked: Asked, random: Random, worlds: int) -> tuple[Word, Trial]:
    """The rule bot's word, and what became of it and of those that held their own beside it."""
    game, view, seat, words, _, late = asked
    mine = deal_seen(game, view)
    rule = game.advise(mine, seat, words)
    trial = Trial({word: [] for word in candidates(game, mine, seat, words, rule, random)})
    behind, draw = Worlds(game, view, seat), Twister(int(random() * 2**48)).random
    while len(trial.values) > 1 and trial.worlds < worlds:
        for _ in range(min(trial.worlds or FIRST_WORLDS, worlds - trial.worlds)):
            trial.truncated = late()
            if trial.truncated:
                return rule, trial
            try_out(asked, Frozen(behind.draw(draw)), trial)
        drop(trial, rule)
    return rule, trial


def candidates(game: Game, mine: Any, seat: int, words: Sequence[Word], first: Word, random: Random) -> Iterable[Word]:
    """The first word, and one of each kind of others; of very many kinds only some, drawn anew each time."""
    kinds = {game.alike(mine, seat, word): word for word in [*reversed(words), first]}
    others = [word for word in kinds.values() if word != first]
    while len(others) >= MOST_CANDIDATES:
        others.pop(int(random() * len(others)))
    return [first, *others]


def try_out(asked: Asked, world: Frozen, trial: Trial) -> None:
    """Each word of the trial in this world, the deal then played to its end."""
    for word, values in trial.values.items():
        d = world.thawed()
        asked.game.play(d, asked.seat, word)
        values.append(worth(asked.game, d, asked.seat, asked.totals, play_out(asked.game, d)))
    trial.worlds += 1


def play_out(game: Game, d: Any) -> list[int]:
    """The deal played to its end by the rule bot in every seat: points by match seat."""
    advise, words_of, to_act, play = game.advise, game.honest or game.legal, game.to_act, game.play
    while asked := to_act(d):
        seat = asked[0]
        words = words_of(d, seat)
        play(d, seat, words[0] if len(words) == 1 else advise(d, seat, words))
    points = [0] * (1 + max(d.seats))
    for seat, _, each in game.score(d.options, d.seats, game.tally(d)):
        points[seat] += each
    return points


def worth(game: Game, d: Any, seat: int, totals: Sequence[int], points: Sequence[int]) -> float:
    """What the seat makes of a deal: points better than the mean of the others; where the match ends by it, the place.

    A place is worth the target shared among the seats, so that both are in points.
    """
    sign = -1 if game.LOW_WINS else 1
    seats, target = d.seats, getattr(d.options, "target", None)
    if game.forfeit(d) == seat:
        return -1000.0
    others = len(seats) - 1
    gain: float = sign * (points[seat] - (sum(points[other] for other in seats) - points[seat]) / others)
    if target is None or max(totals[other] + points[other] for other in seats) < target:
        return gain
    own = sign * (totals[seat] + points[seat])
    rivals = [sign * (totals[other] + points[other]) for other in seats if other != seat]
    beaten = sum((own > rival) + 0.5 * (own == rival) for rival in rivals)
    place: float = (beaten - others / 2) * target / len(seats)
    return place + gain / 100


def drop(trial: Trial, rule: Word) -> None:
    """Forget the words that are clearly worse than the best; the rule bot's stays, all others are measured by it."""
    best = max(trial.values.values(), key=sum)
    for word in [word for word in trial.values if word != rule]:
        if trial.values[word] is not best and _lead(best, trial.values[word]) > CLEARLY:
            del trial.values[word]


def _lead(one: Sequence[float], other: Sequence[float]) -> float:
    """By how many standard errors of the paired difference one is ahead."""
    differences = [mine - yours for mine, yours in zip(one, other, strict=True)]
    count = len(differences)
    mean = sum(differences) / count
    spread = sum((each - mean) ** 2 for each in differences) / max(1, count - 1)
    return mean / sqrt(spread / count) if spread else mean * 1e9
