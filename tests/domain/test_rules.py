"""The contract of a game, read from a module, and the options of a match: completed, or refused by name."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from domain import rules
from domain.rules import Game, OptionsError, Variant, effective, fixed, option, read, recorded
from domain.secrecy import shown

TEXTS = ("en", "es")


@dataclass(frozen=True, slots=True)
class Options:
    target: int | None = option(10, range(1, 101), *TEXTS)
    deals: int | None = option(None, range(1, 11), *TEXTS)
    order: str = option("high", ("high", "low"), *TEXTS)
    open_hands: bool = option(False, (), *TEXTS)
    bonus: int = option(0, range(-5, 6), *TEXTS)
    columns: tuple[int, ...] = option((1, 2), range(0, 10), *TEXTS)
    costs: dict[str, int] = fixed({"JS": 1})


@dataclass(slots=True)
class Deal:
    options: Options = shown()


def made(**more: Any) -> Game:
    """A game that can be opened and no more."""
    module = ModuleType("domain.games.made_up")
    needed = (
        "NAME",
        "RULES",
        "LOW_WINS",
        "PLACES",
        "pack",
        "deal",
        "to_act",
        "legal",
        "play",
        "tally",
        "score",
        "clock",
    )
    variants = {"plain": Variant(range(2, 5), {}, {}), "short": Variant(range(3, 4), {"target": 5, "order": "low"}, {})}
    parts = {**dict.fromkeys([*needed, "clock"]), "VARIANTS": variants, "Options": Options, "Deal": Deal, **more}
    vars(module).update(parts)
    return read(module)


def refused(variant: str, given: dict[str, Any], seats: int, game: Game | None = None) -> dict[str, str]:
    with pytest.raises(OptionsError) as refusal:
        effective(game or made(), variant, given, seats)
    return refusal.value.errors


def test_a_module_that_lacks_a_part_is_no_game_and_the_parts_are_named() -> None:
    with pytest.raises(TypeError, match=r"domain\.games\.empty is no game: it lacks NAME, RULES, .*, clock$"):
        read(ModuleType("domain.games.empty"))


def test_what_a_module_does_not_say_has_its_default() -> None:
    game = made()
    assert game.id == "made_up"
    assert (game.FACE_DOWN, game.OUT_OF_TURN, game.EXTRA_DEALS, game.honest) == (frozenset(), frozenset(), 0, None)
    assert (game.spell("a b"), game.forfeit(None), game.ties({}), game.barred(None, 0)) == ("a b", None, [], {})


def test_the_house_says_what_is_legal_unless_a_game_is_stricter() -> None:
    assert made(legal=lambda d, seat: ["a", "b"]).words_of_the_house(None, 0) == ["a", "b"]
    assert made(legal=lambda d, seat: ["a", "b"], honest=lambda d, seat: ["b"]).words_of_the_house(None, 0) == ["b"]


def test_the_folder_is_the_registry_and_a_name_with_an_underscore_is_no_game() -> None:
    assert list(rules.games()) == sorted(rules.games())
    assert "polignac" in rules.games()
    assert not any(name.startswith("_") for name in rules.games())


@pytest.mark.parametrize(
    ("variant", "given", "found"),
    [
        ("plain", {}, {"target": 10, "deals": None, "order": "high"}),
        ("short", {}, {"target": 5, "deals": None, "order": "low"}),
        ("short", {"order": "high"}, {"target": 5, "order": "high"}),
        ("plain", {"deals": 3}, {"target": None, "deals": 3}),
        ("short", {"deals": 3}, {"target": None, "deals": 3}),
        ("plain", {"target": 20}, {"target": 20, "deals": None}),
        ("plain", {"target": None, "deals": 3}, {"target": None, "deals": 3}),
        ("plain", {"target": 7, "deals": None}, {"target": 7, "deals": None}),
        ("plain", {"columns": [9, 0, 1]}, {"columns": (9, 0, 1)}),
        ("plain", {"bonus": -5}, {"bonus": -5}),
        ("plain", {"open_hands": True}, {"open_hands": True}),
    ],
)
def test_defaults_then_the_preset_then_what_was_given(
    variant: str, given: dict[str, Any], found: dict[str, Any]
) -> None:
    options = effective(made(), variant, given, 3)
    assert {name: getattr(options, name) for name in found} == found
    assert options.costs == {"JS": 1}


@pytest.mark.parametrize(
    ("given", "field", "why"),
    [
        ({"target": 0}, "target", "0 is no whole number from 1 to 100"),
        ({"target": 101}, "target", "101 is no whole number from 1 to 100"),
        ({"target": 10.0}, "target", "10.0 is no whole number from 1 to 100"),
        ({"target": "10"}, "target", "'10' is no whole number from 1 to 100"),
        ({"target": True}, "target", "True is no whole number from 1 to 100"),
        ({"target": None}, "target", "a match has a target or a number of deals"),
        ({"target": None, "deals": None}, "target", "a match has a target or a number of deals"),
        ({"target": 10, "deals": 3}, "deals", "a match has a target or a number of deals, not both"),
        ({"order": "middle"}, "order", "'middle' is none of high, low"),
        ({"order": None}, "order", "None is none of high, low"),
        ({"order": ["high"]}, "order", "['high'] is none of high, low"),
        ({"open_hands": 1}, "open_hands", "1 is neither true nor false"),
        ({"open_hands": None}, "open_hands", "None is neither true nor false"),
        ({"bonus": None}, "bonus", "null is not a value of this option"),
        ({"bonus": -6}, "bonus", "-6 is no whole number from -5 to 5"),
        ({"columns": []}, "columns", "the list has 1 to 100 entries"),
        ({"columns": [0] * 101}, "columns", "the list has 1 to 100 entries"),
        ({"columns": [1, 10]}, "columns", "10 is no whole number from 0 to 9"),
        ({"columns": [[1]]}, "columns", "[1] is no whole number from 0 to 9"),
        ({"columns": 1}, "columns", "1 is no list of whole numbers"),
        ({"columns": {"0": 1}}, "columns", "{'0': 1} is no list of whole numbers"),
        ({"costs": {}}, "costs", "no such option of made_up"),
        ({"Target": 5}, "Target", "no such option of made_up"),
        ({"": 5}, "", "no such option of made_up"),
    ],
)
def test_a_wrong_option_is_refused_with_its_name_and_why(given: dict[str, Any], field: str, why: str) -> None:
    assert refused("plain", given, 3) == {f"options.{field}": why}


def test_every_wrong_option_is_named_at_once() -> None:
    assert set(refused("plain", {"bonus": 99, "order": 1, "x": 1}, 3)) == {
        "options.bonus", "options.order", "options.x",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("variant", "seats", "errors"),
    [
        ("plain", 5, {"seats": "plain takes 2 to 4 seats, not 5"}),
        ("plain", 0, {"seats": "plain takes 2 to 4 seats, not 0"}),
        ("short", 4, {"seats": "short takes 3 seats, not 4"}),
        ("long", 3, {"variant": "'long' is none of plain, short"}),
    ],
)
def test_variants_and_numbers_of_seats(variant: str, seats: int, errors: dict[str, str]) -> None:
    assert refused(variant, {}, seats) == errors


def test_a_game_has_the_last_word_on_its_options() -> None:
    def settle(options: Any, variant: str, seats: int) -> Any:
        if options.bonus and seats == 2:
            raise OptionsError({"options.bonus": "not for two"})
        return recorded(made(), {"target": None, "deals": 2 * seats})

    game = made(settle=settle)
    assert effective(game, "plain", {}, 4).deals == 8
    assert refused("plain", {"bonus": 1}, 2, game) == {"options.bonus": "not for two"}


def test_recorded_options_come_back_with_tuples_and_old_defaults() -> None:
    options = recorded(made(), {"columns": [4, 5], "target": None, "deals": 2})
    assert options == Options(target=None, deals=2, columns=(4, 5))


def test_one_match_s_fixed_options_are_not_another_s() -> None:
    first, second = recorded(made(), {}), recorded(made(), {})
    first.costs["JS"] = 99
    assert second.costs == {"JS": 1}
