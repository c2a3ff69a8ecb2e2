"""The marks beside the fields of a Deal, and what each pair of eyes sees through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from domain.secrecy import EVERYTHING, Eyes, counted, marks, options_json, own, said, shown, view_for


@dataclass(frozen=True)
class Rules:
    target: int = 10
    columns: tuple[int, ...] = (1, 2)


@dataclass
class Table:
    options: Rules = shown()
    table: list[str] = shown()
    hands: list[list[str]] = own()
    bids: list[int | None] = own()
    pack: list[str] = counted()
    piles: list[list[str]] = counted()
    passed: list[list[str]] = said()


def table() -> Table:
    return Table(Rules(), ["JS"], [["7H", "8H"], []], [3, None], ["AC", "AD", "AH"], [["KC"], []], [["imp 5"], []])


@pytest.mark.parametrize(
    ("eyes", "hands", "bids", "passed"),
    [
        (0, [["7H", "8H"], 0], [3, None], [["imp 5"], 0]),
        (1, [2, []], [None, None], [1, []]),
        (None, [2, 0], [None, None], [1, 0]),
        ("all", [["7H", "8H"], []], [3, None], [["imp 5"], []]),
    ],
)
def test_own_things_are_seen_by_their_seat_and_by_everybody_once_the_deal_lies_open(
    eyes: Eyes, hands: list[Any], bids: list[Any], passed: list[Any]
) -> None:
    view = view_for(table(), eyes)
    assert (view["hands"], view["bids"], view["passed"]) == (hands, bids, passed)
    assert view["table"] == ["JS"]
    assert view["options"] == {"target": 10, "columns": (1, 2)}


@pytest.mark.parametrize("eyes", [0, 1, None])
def test_of_a_pile_everybody_sees_the_size(eyes: Eyes) -> None:
    view = view_for(table(), eyes)
    assert (view["pack"], view["piles"]) == (3, [1, 0])


def test_an_open_deal_shows_the_piles() -> None:
    view = view_for(table(), EVERYTHING)
    assert (view["pack"], view["piles"]) == (["AC", "AD", "AH"], [["KC"], []])


def test_an_empty_pile_has_size_zero() -> None:
    d = table()
    d.pack = []
    assert view_for(d, None)["pack"] == 0


def test_a_field_that_nobody_has_marked_raises_by_name() -> None:
    @dataclass
    class Careless:
        hands: list[list[str]] = own()
        secret: str = ""

    with pytest.raises(TypeError, match="Careless has fields without a secrecy mark: secret"):
        view_for(Careless([[]]), 0)


def test_marks_are_listed_in_the_order_of_the_fields() -> None:
    assert list(marks(Table).items()) == [
        ("options", "shown"), ("table", "shown"), ("hands", "own"), ("bids", "own"), ("pack", "counted"),
        ("piles", "counted"), ("passed", "said"),
    ]  # fmt: skip
    assert list(view_for(table(), None)) == list(marks(Table))


def test_options_are_told_in_the_order_of_their_fields() -> None:
    assert list(options_json(Rules(target=3)).items()) == [("target", 3), ("columns", (1, 2))]
