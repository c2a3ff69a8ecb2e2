"""What a game module offers. A game describes one deal; match.py does the rest, once for all games.

A module in `games/` with these names is a game; the folder listing is the registry. `Game` below lists what it must
have and, with their defaults, what it may have. Read beside it: secrecy.py (the marks), games/polignac.py (an example).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

Word: TypeAlias = str
Line: TypeAlias = tuple[int, str, int]  # seat, reason, points
Place: TypeAlias = tuple[str, int | None]  # a field of the Deal that holds cards, and which of its lists
Tally: TypeAlias = dict[str, Any]
Names: TypeAlias = dict[str, str]  # language -> name

ENDINGS = {"target": "deals", "deals": "target"}  # the options that may be null: one is in force, the other is not


class OptionsError(ValueError):
    """Options, variant or number of seats that cannot be played. `errors` says what is wrong, by field."""

    def __init__(self, errors: dict[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {what}" for name, what in errors.items()))
        self.errors = errors


@dataclass(frozen=True, slots=True)
class Variant:
    """A preset of options under a name, and the numbers of seats it takes."""

    seats: range
    options: dict[str, Any]
    name: Names


def option(default: Any, allowed: range | Sequence[str], en: str, es: str) -> Any:
    """A house rule: a field of Options with its default, its bounds or choices, and one line in each language."""
    bounds = (allowed[0], allowed[-1]) if isinstance(allowed, range) else None
    choices = () if isinstance(allowed, range) else tuple(allowed)
    return field(default=default, metadata={"en": en, "es": es, "bounds": bounds, "choices": choices})


def fixed(default: Any) -> Any:
    """A field of Options that only a variant sets: recorded with the match, refused from clients."""
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata={"fixed": True})
    return field(default=default, metadata={"fixed": True})


def _nothing(d: Any, seat: int) -> Any:
    return {}


@dataclass(frozen=True, slots=True)
class Game:
    """One game's rules, read once from its module. `d` is a Deal, mutable inside one fold and never shared.

    Seats are match seats everywhere: lists in a Deal have one entry a match seat, empty for a watcher.
    """

    id: str
    module: ModuleType
    # required
    NAME: Names
    RULES: int  # raised when a change would alter the fold or the score of any stored match
    LOW_WINS: bool
    VARIANTS: dict[str, Variant]
    Options: type
    Deal: type
    PLACES: tuple[str, ...]  # the fields of a Deal that hold cards; together they are the pack, each card once
    pack: Callable[..., list[Word]]  # (options, seats that play) -> canonical order, docs/fairness.md
    deal: Callable[..., Any]  # (options, seats that play in match order, dealer, pack, totals before) -> Deal
    to_act: Callable[[Any], list[int]]  # who owes a word; several at once; empty = the deal is over
    legal: Callable[[Any, int], list[Word]]  # everything that seat may say now
    play: Callable[[Any, int, Word], None]
    tally: Callable[[Any], Tally]  # what has been taken so far, askable at any moment; JSON
    score: Callable[..., list[Line]]  # (options, seats that play, tally) -> lines
    clock: Callable[[Any, int], Word]  # said when the seat's time is up
    # optional
    FACE_DOWN: frozenset[str] = frozenset()  # verbs of which only the mover sees the rest
    OUT_OF_TURN: frozenset[str] = frozenset()  # verbs a seat may say without being asked
    EXTRA_DEALS: int = 0  # tie-break deals at most
    EXTRA_AMONG_TIED: bool = True  # only the tied play, not added to the totals; or all play, added
    settle: Callable[..., Any] = lambda options, variant, seats: options  # completes, or raises OptionsError
    for_extra: Callable[[Any], Any] = lambda options: options  # the options of a tie-break deal
    spell: Callable[[Word], Word] = lambda word: word  # the event's spelling of a word that may be said in several
    honest: Callable[[Any, int], list[Word]] | None = None  # what the house says for a seat; default legal
    advise: Callable[[Any, int, list[Word]], Word] = lambda d, seat, words: words[0]  # rule bot; d as the seat sees it
    forfeit: Callable[[Any], int | None] = lambda d: None  # the seat that has just lost the match; to_act is then empty
    ties: Callable[[Tally], list[list[int]]] = lambda tally: []  # one list a seat, more is better: breaks equal totals
    pinned: Callable[[Any, int], dict[Word, Place]] = (
        _nothing  # cards whose place the seat knows, of those it can't see
    )
    barred: Callable[[Any, int], dict[Place, set[Word]]] = _nothing  # cards that cannot lie in a place
    guess: Callable[[Any], None] = lambda d: None  # completes an imagined deal with words said face down
    alike: Callable[[Any, int, Word], Any] = lambda d, seat, word: word  # words of equal keys come to the same
    tables: Callable[[], dict[str, Any]] = dict  # card tables, served in the catalogue
    check: Callable[..., dict[str, str]] | None = (
        None  # (options, seats that play, tally) -> what no deal can have ended with, by field; default: see sheets.py
    )
    paper: Callable[..., Any] | None = (
        None  # (options, number of seats) -> the Paper that a scorer fills in; default: see paper.py
    )

    def words_of_the_house(self, d: Any, seat: int) -> list[Word]:
        """What a bot or the clock may say for the seat."""
        return (self.honest or self.legal)(d, seat)

    @property
    def page(self) -> Path:
        """The folder and stem of the rules pages: `<stem>.md`, `<stem>.es.md`."""
        return Path(str(self.module.__file__)).with_name(self.id)


def read(module: ModuleType) -> Game:
    """The Game of a module. Raises TypeError naming what is missing."""
    parts = [f for f in fields(Game) if f.name not in ("id", "module")]
    missing = [f.name for f in parts if f.default is MISSING and not hasattr(module, f.name)]
    if missing:
        raise TypeError(f"{module.__name__} is no game: it lacks {', '.join(missing)}")
    found = {f.name: getattr(module, f.name) for f in parts if hasattr(module, f.name)}
    return Game(id=module.__name__.rpartition(".")[2], module=module, **found)


@cache
def games() -> dict[str, Game]:
    """Every game by its id, as the folder lists them; a name with an underscore before it is a part of one."""
    folder = importlib.import_module("domain.games")
    names = sorted(found.name for found in pkgutil.iter_modules(folder.__path__) if found.name[0] != "_")
    return {name: read(importlib.import_module(f"domain.games.{name}")) for name in names}


def effective(game: Game, variant: str, given: Mapping[str, Any], seats: int) -> Any:
    """The whole Options of a match: defaults, the variant's preset, what was given, then the game's own word.

    Raises OptionsError that names each field at fault.
    """
    if variant not in game.VARIANTS:
        raise OptionsError({"variant": f"{variant!r} is none of {', '.join(game.VARIANTS)}"})
    preset = game.VARIANTS[variant]
    if seats not in preset.seats:
        raise OptionsError({"seats": f"{variant} takes {_range(preset.seats)} seats, not {seats}"})
    errors = {f"options.{name}": what for name, what in _faults(game, given).items()}
    if errors:
        raise OptionsError(errors)
    options = recorded(game, {**preset.options, **_one_ending(game, given)})
    options = game.settle(options, variant, seats)
    if getattr(options, "target", 0) is None and getattr(options, "deals", 0) is None:
        raise OptionsError({"options.target": "a match has a target or a number of deals"})
    return options


def recorded(game: Game, options: Mapping[str, Any]) -> Any:
    """Options from the JSON that a match keeps; what it does not mention has its default, the old behaviour."""
    return game.Options(**{n: tuple(v) if isinstance(v, list) else v for n, v in options.items()})


def _faults(game: Game, given: Mapping[str, Any]) -> dict[str, str]:
    known = {f.name: f for f in fields(game.Options) if not f.metadata.get("fixed")}
    checked = {
        name: _fault(known[name], value) if name in known else f"no such option of {game.id}"
        for name, value in given.items()
    }
    if given.get("target") is not None and given.get("deals") is not None:
        checked["deals"] = "a match has a target or a number of deals, not both"
    return {name: what for name, what in checked.items() if what}


def _fault(option: Field[Any], value: Any) -> str | None:
    rule = option.metadata
    if rule["choices"]:
        return None if value in rule["choices"] else f"{value!r} is none of {', '.join(rule['choices'])}"
    if isinstance(option.default, bool):
        return None if isinstance(value, bool) else f"{value!r} is neither true nor false"
    if value is None:
        return None if option.name in ENDINGS else "null is not a value of this option"
    if isinstance(option.default, tuple):
        return _list_fault(rule["bounds"], value)
    return _number_fault(rule["bounds"], value)


def _number_fault(bounds: tuple[int, int], value: Any) -> str | None:
    low, high = bounds
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        return f"{value!r} is no whole number from {low} to {high}"
    return None


def _list_fault(bounds: tuple[int, int], value: Any) -> str | None:
    if not isinstance(value, list):
        return f"{value!r} is no list of whole numbers"
    if not 1 <= len(value) <= 100:
        return "the list has 1 to 100 entries"
    return next((what for each in value if (what := _number_fault(bounds, each))), None)


def _one_ending(game: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    """`target` alone or `deals` alone is in force; the one that is given sets the other to null."""
    for name, other in ENDINGS.items():
        if given.get(name) is not None and hasattr(game.Options, other):
            return {**given, other: None}
    return dict(given)


def _range(seats: range) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
