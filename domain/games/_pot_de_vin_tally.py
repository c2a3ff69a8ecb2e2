"""What a tally of Pot de Vin can be: sections 1.2, 2.6 and 3.5 of pot_de_vin.md. See pot_de_vin.py."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

from domain.paper import NUMBER, Field, Paper
from domain.rules import Tally
from domain.tallies import Faults, cards, field_faults, list_faults, merged, one_of, total, whole, whole_list

FIELDS = ("won", "gems", "columns", "plus_two", "minus_two", "pots")
GREY = {"plus_two": "plus_two", "minus_two": "minus_two", "pots": "pot_de_vin"}  # of the tally, of the card table


class Rules(Protocol):
    @property
    def cards(self) -> dict[str, str]: ...
    @property
    def starting_gems(self) -> dict[str, int]: ...


def check(options: Rules, seats: list[int], tally: Any) -> Faults:
    size, there = len(seats), _symbols(options, list(options.cards))
    gems = size * options.starting_gems[str(size)]
    faults = field_faults(tally, FIELDS) or {
        **whole_list("gems", tally["gems"], size, 0, gems),
        **merged(whole_list(name, tally[name], size, 0, there[grey]) for name, grey in GREY.items()),
        **_columns(there, tally["columns"], size),
    }
    return (
        faults
        or total("gems", sum(tally["gems"]), gems, gems, "gems")  # (2.6): every gem is left or won
        or merged(total(name, sum(tally[name]), 0, there[grey], "cards") for name, grey in GREY.items())
        or _all_columns(there, tally["columns"])
        or _won(options, tally, size)
    )


def _symbols(options: Rules, found: list[str]) -> Counter[str]:
    """Symbols by guild, and grey cards by kind, on these cards."""
    return Counter(symbol for card in found for symbol in options.cards[card].split(" "))


def _guilds(there: Counter[str]) -> list[str]:
    return [symbol for symbol in there if symbol != "joker" and symbol not in GREY.values()]


def _columns(there: Counter[str], columns: Any, size: int) -> Faults:
    faults = list_faults("columns", columns, size)
    for seat, column in enumerate(columns if not faults else []):
        found = field_faults(column, _guilds(there)) or merged(
            whole(guild, column[guild], 0, there[guild] + there["joker"]) for guild in column
        )
        faults |= {f"columns.{seat}.{name}".rstrip("."): what for name, what in found.items()}
    return faults


def _all_columns(there: Counter[str], columns: list[dict[str, int]]) -> Faults:
    """Beyond a guild's own symbols there are only the jokers (3.2)."""
    beyond = sum(max(0, sum(column[guild] for column in columns) - there[guild]) for guild in _guilds(there))
    return total("columns", beyond, 0, there["joker"], "jokers laid")


def _won(options: Rules, tally: Tally, size: int) -> Faults:
    """Null on paper; where cards are listed, everything else follows from them but where the jokers lie (3.5)."""
    won = tally["won"]
    if won is None:
        return {}
    faults = list_faults("won", won, size) or merged(
        cards(f"won.{seat}", pile, options.cards) for seat, pile in enumerate(won)
    )
    if faults:
        return faults
    return cards("won", [card for pile in won for card in pile], options.cards) or merged(
        _pile(options, tally, seat) for seat in range(size)
    )


def _pile(options: Rules, tally: Tally, seat: int) -> Faults:
    found, column = _symbols(options, tally["won"][seat]), tally["columns"][seat]
    jokers = {guild: column[guild] - found[guild] for guild in column}
    faults = merged(one_of(f"{name}.{seat}", tally[name][seat], [found[grey]]) for name, grey in GREY.items())
    if min(jokers.values()) < 0 or sum(jokers.values()) != found["joker"]:
        faults[f"columns.{seat}"] = "is not what these cards and jokers make"
    return faults


# On paper

GUILDS = {
    "nobility": ("Nobility", "Nobleza"), "artists": ("Artists", "Artistas"), "merchants": ("Merchants", "Mercaderes"),
    "craftsmen": ("Craftsmen", "Artesanos"), "knights": ("Knights", "Caballeros"),
    "assassins": ("Assassins", "Asesinos"),
}  # fmt: skip
OTHERS = {
    "gems": ("Gems", "Gemas"), "plus_two": ("Cards +2", "Cartas +2"), "minus_two": ("Cards −2", "Cartas −2"),
    "pots": ("Pots de Vin", "Pots de Vin"),
}  # fmt: skip


def paper(options: Rules, seats: int) -> Paper:
    """Symbols by guild, jokers where they were laid, and everything else that counts (3.3)."""
    fields = [Field(f"columns.*.{guild}", NUMBER, *names) for guild, names in GUILDS.items()]
    fields += [Field(f"{name}.*", NUMBER, *names) for name, names in OTHERS.items()]
    return Paper(fields, lambda written: {**written, "won": None})
