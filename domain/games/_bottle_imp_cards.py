"""The cards of The Bottle Imp as data, and what a tally of them can be: bottle_imp.md, 1 and 4. See bottle_imp.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

from domain.paper import LETTERS, NUMBER, SEAT, WORDS, Field, Paper
from domain.rules import Tally
from domain.tallies import Faults, cards, field_faults, one_of, total, whole, whole_list

START = 19  # (3.2)
TABLES: dict[str, Any] = json.loads(Path(__file__).with_name("bottle_imp.json").read_text(encoding="utf-8"))
SUIT: dict[str, dict[str, str]]
COINS: dict[str, dict[str, int]]
SUIT, COINS = (
    {deck: {card: row[column] for card, row in rows.items()} for deck, rows in TABLES["decks"].items()}
    for column in ("suit", "coins")
)
CARDS = [str(rank) for rank in range(1, 38) if rank != START]
RANK = {card: int(card) for card in CARDS}
FIELDS = ("coins", "holder", "imp", "lopaka", "lopaka_points")
ALL = 126  # coins (1.1)


class Rules(Protocol):
    @property
    def deck(self) -> str: ...
    @property
    def holder_scores(self) -> str: ...
    @property
    def passive(self) -> int: ...
    @property
    def piles(self) -> int: ...


def check(options: Rules, seats: list[int], tally: Any) -> Faults:
    """The cards under the bottle may be left out on paper where they do not count (4.2)."""
    places = len(seats) + options.passive
    faults = field_faults(tally, FIELDS) or {
        **whole_list("coins", tally["coins"], len(seats), 0, ALL),
        **one_of("holder", tally["holder"], [*range(places), None]),
        **cards("imp", tally["imp"], CARDS),
        **(whole("lopaka", tally["lopaka"], 0, ALL) if options.passive else one_of("lopaka", tally["lopaka"], [None])),
    }
    return faults or _imp(options, places, tally) or _sums(options, places, tally) or _lopaka(options, places, tally)


def _imp(options: Rules, places: int, tally: Tally) -> Faults:
    """One card a place and pile lies under the bottle (2.2) (5.3)."""
    number, there = places * options.piles, len(tally["imp"])
    if there == number or (not there and options.holder_scores == "negate_tricks"):
        return {}
    return {"imp": f"{number} cards lie under the bottle, not {there}"}


def _sums(options: Rules, places: int, tally: Tally) -> Faults:
    """All coins are in tricks or under the bottle (4.4); a trick has a coin a card at least."""
    coins, under = COINS[options.deck], places * options.piles
    won = [*tally["coins"], *([tally["lopaka"]] if options.passive else [])]
    hidden = sorted(coins.values())
    least, most = sum(hidden[:under]), sum(hidden[-under:])
    if tally["imp"]:
        least = most = sum(coins[card] for card in tally["imp"])
    faults = total("coins", sum(won), ALL - most, ALL - least, "coins in tricks")
    cards_a_trick = places * options.piles
    few = [place for place, coins_won in enumerate(won) if 0 < coins_won < cards_a_trick]
    if few:
        faults[f"coins.{few[0]}" if few[0] < len(tally["coins"]) else "lopaka"] = "is less than one trick holds"
    if tally["holder"] is not None and not won[tally["holder"]]:
        faults["holder"] = "took the bottle with a trick, so he has coins"
    return faults


def _lopaka(options: Rules, places: int, tally: Tally) -> Faults:
    """What Lopaka scores follows from the rest; null on paper (4.5)."""
    if not options.passive:
        return one_of("lopaka_points", tally["lopaka_points"], [None])
    return one_of("lopaka_points", tally["lopaka_points"], [_lopaka_points(options, places, tally), None])


def _lopaka_points(options: Rules, places: int, tally: Tally) -> int:
    coins = int(tally["lopaka"])
    under = sum(COINS[options.deck][card] for card in tally["imp"])
    lost = coins if options.holder_scores == "negate_tricks" else under
    return -lost if tally["holder"] == places - 1 else coins


# On paper


def paper(options: Rules, seats: int) -> Paper:
    """Coins, the bottle, and the cards under it where they count. Lopaka has the letter after the last seat's."""
    coins = Field("coins.*", NUMBER, "Coins in tricks", "Monedas en bazas")
    lopaka = Field("lopaka", NUMBER, "Lopaka", "Lopaka")
    imp = Field("imp", WORDS, "Cards under it", "Cartas debajo")
    holder = Field("holder", SEAT, "Bottle", "Botella")
    if options.passive:
        letter = LETTERS[seats]
        holder = Field("holder", SEAT, f"Bottle (Lopaka: {letter})", f"Botella (Lopaka: {letter})")
    fields = [coins, *[lopaka] * options.passive, holder, *[imp] * (options.holder_scores == "imp_trick")]
    return Paper(fields, lambda written: _rest(options, seats, written), options.passive)


def _rest(options: Rules, seats: int, written: Tally) -> Tally:
    """What Lopaka scores follows from the rest (5.2)."""
    found = {"imp": [], "lopaka": None, "lopaka_points": None, **written}
    known = all(card in CARDS for card in found["imp"])  # else `check` says which is none
    if options.passive and known:
        found["lopaka_points"] = _lopaka_points(options, seats + 1, found)
    return found
