"""Every table that can be opened (game x variant x seats), house rules drawn at random, and deals played at random.

The laws, the golden deals and the second opinions stand on this. A deal that breaks a law is shown as one line of JSON
that can be pasted into tests/games/golden/ as it is. LAWS_DEALS=20 in the environment plays that many a table.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any

from domain import rules
from domain.rules import Game, OptionsError
from domain.secrecy import options_json

DEALS = int(os.environ.get("LAWS_DEALS", "3"))
MOST_WORDS = 2_000  # no deal of any game is longer
MANNERS = ("any word", "any word", "what the house may say", "what the clock says", "what the rule bot says")


@dataclass(frozen=True)
class Table:
    """A game's variant with a number of seats."""

    game: Game
    variant: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game.id}-{self.variant}-{self.seats}"


def tables() -> list[Table]:
    """Every table of every game."""
    return [
        Table(game, variant, seats)
        for game in rules.games().values()
        for variant, preset in game.VARIANTS.items()
        for seats in preset.seats
    ]


def house_rules(table: Table, random: Random) -> dict[str, Any]:
    """Options as a client gives them, drawn at random among those that this table does not refuse."""
    asked = [f for f in fields(table.game.Options) if not f.metadata.get("fixed")]
    given = {f.name: _drawn(f.metadata, f.default, random) for f in asked if random.random() < 0.5}
    while True:
        try:
            rules.effective(table.game, table.variant, given, table.seats)
            return given
        except OptionsError:
            del given[random.choice(list(given))]


def _drawn(rule: Any, default: Any, random: Random) -> Any:
    if rule["choices"]:
        return random.choice(rule["choices"])
    if not rule["bounds"]:
        return random.random() < 0.5
    low, high = rule["bounds"]
    if isinstance(default, tuple):
        return [random.randint(low, high) for _ in default]
    return random.choice([low, random.randint(low, min(high, low + 15))])


@dataclass
class Dealt:
    """One deal: what it was dealt from, what has been said, how it stands (`d`)."""

    table: Table
    options: Any
    seats: list[int]
    dealer: int
    pack: list[str]
    totals: list[int]
    words: list[tuple[int, str]] = field(default_factory=list)
    d: Any = None

    def __post_init__(self) -> None:
        self.d = self.table.game.deal(self.options, self.seats, self.dealer, self.pack[:], self.totals[:])

    def say(self, seat: int, word: str) -> None:
        self.table.game.play(self.d, seat, word)
        self.words.append((seat, word))

    def record(self) -> dict[str, Any]:
        """A golden line, as tests/games/golden/ keeps them; `lines` is None when nothing is scored."""
        game, over = self.table.game, not self.table.game.to_act(self.d)
        tally = game.tally(self.d) if over else None
        lines = game.score(self.options, self.seats, tally) if over and game.forfeit(self.d) is None else None
        return {
            "rules": game.RULES, "options": options_json(self.options), "seats": self.seats, "dealer": self.dealer,
            "pack": self.pack, "totals": self.totals, "words": self.words, "tally": tally, "lines": lines,
        }  # fmt: skip

    def __str__(self) -> str:
        return f"{self.table}: {json.dumps(self.record(), ensure_ascii=False)}"


def dealt(table: Table, given: dict[str, Any], random: Random, extra: bool = False) -> Dealt:
    """A deal from a pack shuffled by `random`; `extra`: a tie-break deal, among some seats where a game says so."""
    game = table.game
    options = rules.effective(game, table.variant, given, table.seats)
    seats = list(range(table.seats))
    if extra and game.EXTRA_AMONG_TIED:
        seats = sorted(random.sample(seats, random.randint(2, table.seats)))
    options = game.for_extra(options) if extra else options
    pack = game.pack(options, seats)
    random.shuffle(pack)
    most = (getattr(options, "target", None) or 12) - 1
    totals = [random.choice([0, random.randint(min(-5, most), most)]) for _ in range(table.seats)]
    return Dealt(table, options, seats, random.choice(seats), pack, totals)


def some_deals(table: Table) -> Iterator[tuple[Dealt, Random]]:
    """A few deals of this table, always the same: the first with default options, the last a tie-break deal."""
    for number in range(DEALS):
        random = Random(f"{table} {number}")
        extra = bool(number and number == DEALS - 1 and table.game.EXTRA_DEALS)
        yield dealt(table, house_rules(table, random) if number else {}, random, extra), random


def walk(deal: Dealt, random: Random, manner: str | None = None) -> Iterator[Any]:
    """The Deal after every word, from the shuffled pack until it is over. Everybody speaks in that manner."""
    manner = manner or random.choice(MANNERS)
    yield deal.d
    while deal.table.game.to_act(deal.d):
        assert len(deal.words) < MOST_WORDS, f"the deal does not end: {deal}"
        deal.say(*next_word(deal.table.game, deal.d, random, manner))
        yield deal.d


def walks(table: Table) -> Iterator[tuple[Dealt, Any, Random]]:
    """Every position of some deals of this table: the deal, its Deal `d`, and a source of chance."""
    for deal, random in some_deals(table):
        for d in walk(deal, random):
            yield deal, d, random


def next_word(game: Game, d: Any, random: Random, manner: str) -> tuple[int, str]:
    """A seat that may speak, and a word it may say."""
    seat = random.choice(game.to_act(d))
    if manner == "any word":
        speakers = [seat for seat in range(len(d.totals)) if game.legal(d, seat)]
        seat = random.choice(speakers) if random.random() < 0.3 else seat
        return seat, random.choice(game.legal(d, seat))
    if manner == "what the clock says":
        return seat, game.clock(d, seat)
    words = game.words_of_the_house(d, seat)
    if manner == "what the rule bot says":
        return seat, game.advise(d, seat, words)
    return seat, random.choice(words)
