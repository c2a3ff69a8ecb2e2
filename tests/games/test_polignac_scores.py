"""Polignac by its page: what a deal costs, with and without a declaration (3, 4, 6.4, 6.7). Beside it: polignac.py."""

from __future__ import annotations

from typing import Any

import pytest

from domain import rules
from tests.games.polignac import GAME, dealt, lead, play_out, points, rules_of, say, until_trick

SPADES = "7S 8S 9S TS JS QS KS AS"
JACKS = {"JS": 0, "JH": 0, "JD": 1, "JC": 1}  # 3 to seat 0, 2 to seat 1


def tally(**more: Any) -> dict[str, Any]:
    """What a scorer wrote: nothing but what is named."""
    blank: dict[str, Any] = {
        "taken": {},
        "first": None,
        "last": None,
        "declaration": None,
        "swept": None,
        "revokes": [],
    }
    assert set(more) <= set(blank)
    return {**blank, **more}


def owed(variant: str, seats: int = 4, given: dict[str, Any] | None = None, **more: Any) -> list[int]:
    """The points by seat."""
    lines = GAME.score(rules_of(variant, seats, **(given or {})), list(range(seats)), tally(**more))
    return [sum(p for seat, _, p in lines if seat == each) for each in range(seats)]


@pytest.mark.parametrize(
    ("variant", "costs"),
    [
        ("polignac", {"JS": 2, "JH": 1, "JD": 1, "JC": 1}),
        ("quatre_valets", {"JS": 1, "JH": 1, "JD": 1, "JC": 1}),
        ("slobberhannes", {"QC": 1}),
        ("knaves", {"JS": 2, "JD": 1}),
        ("eichel_obern", {"QS": 2, "QH": 1, "QD": 1, "QC": 1}),
        ("bassadewitz", {"AS": 1, "AH": 1, "AD": 1, "AC": 1, "QC": 1}),
    ],
)
def test_each_variant_has_its_costs(variant: str, costs: dict[str, int]) -> None:
    """(3.1)"""
    options = rules_of(variant, 4)
    assert options.costs == costs
    for card, cost in costs.items():
        assert GAME.score(options, [0, 1, 2, 3], tally(taken={card: 2})) == [(2, card, cost)]
    ends = GAME.score(options, [0, 1, 2, 3], tally(first=1, last=3))
    paid = [line for line in ends if line[2]]
    assert paid == ([(1, "first_trick", 1), (3, "last_trick", 1)] if variant == "slobberhannes" else [])


@pytest.mark.parametrize(
    ("variant", "ranks", "declarations"),
    [
        ("polignac", "KQJAT987", "capot"),
        ("quatre_valets", "KQJAT987", "capot"),
        ("slobberhannes", "AKQJT987", "none"),
        ("knaves", "KQJAT987", "none"),
        ("eichel_obern", "AKQJT987", "none"),
        ("bassadewitz", "AKQJT987", "none"),
    ],
)
def test_each_variant_has_its_order_of_cards_and_its_declarations(variant: str, ranks: str, declarations: str) -> None:
    """(1.2) (4)"""
    options = rules.effective(GAME, variant, {}, 4)
    assert (options.ranks, options.declarations) == (ranks, declarations)


@pytest.mark.parametrize(
    ("first", "last", "queen", "bonus", "paid"),
    [
        (0, 0, 0, 1, [4, 0, 0, 0]),
        (0, 0, 0, 0, [3, 0, 0, 0]),
        (0, 0, 1, 1, [2, 1, 0, 0]),
        (0, 1, 0, 1, [2, 1, 0, 0]),
        (0, 1, 2, 1, [1, 1, 1, 0]),
        (0, None, 0, 1, [2, 0, 0, 0]),  # cut before the last trick (5.1)
    ],
)
def test_slobberhannes_costs_one_for_each_and_one_more_for_all_three(
    first: int, last: int | None, queen: int, bonus: int, paid: list[int]
) -> None:
    """(3.2)"""
    given = {"all_three_bonus": bonus}
    assert owed("slobberhannes", given=given, first=first, last=last, taken={"QC": queen}) == paid


@pytest.mark.parametrize(
    ("kind", "made", "jacks", "taken", "paid"),
    [
        ("capot", True, "all", JACKS, [0, 5, 5, 5]),
        ("general", True, "all", JACKS, [-5, 5, 5, 5]),
        ("capot", False, "all", JACKS, [8, 2, 0, 0]),
        ("general", False, "all", JACKS, [8, 2, 0, 0]),
        ("capot", False, "opponents", JACKS, [5, 2, 0, 0]),
        ("general", False, "opponents", JACKS, [5, 2, 0, 0]),
        ("capot", False, "all", dict.fromkeys(JACKS, 0), [10, 0, 0, 0]),  # 7 of 8 tricks and every jack
    ],
)
def test_the_table_of_capot_and_general(
    kind: str, made: bool, jacks: str, taken: dict[str, int], paid: list[int]
) -> None:
    """(4.2) (4.3)"""
    declaration = {"seat": 0, "kind": kind, "made": made, "void": False}
    assert owed("polignac", given={"failed_slam_jacks": jacks}, taken=taken, declaration=declaration) == paid


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize(("kind", "own"), [("capot", 0), ("general", -5)])
def test_a_slam_made_waives_every_penalty_and_costs_each_other_seat_five(seats: int, kind: str, own: int) -> None:
    sweep = ["KS", "QS", "JS", "AS", "TS", "9S", "8S", "KH", "QH", "JH"][: 32 // seats]
    d = dealt({0: " ".join(sweep)}, "polignac", seats, declarations="both")
    say(d, f"0 {kind}")
    lead(d, 0, " ".join(sweep))
    assert GAME.tally(d)["declaration"] == {"seat": 0, "kind": kind, "made": True, "void": False}
    assert points(d) == [own] + [5] * (seats - 1)
    reasons = {reason for _, reason, _ in GAME.score(d.options, d.seats, GAME.tally(d))}
    assert reasons == {kind}


def test_a_slam_failed_in_its_last_trick_with_every_jack_costs_ten() -> None:
    d = dealt({0: "KS QS JS AS TS 9S 8S 7H", 1: "KH"}, declarations="capot")
    say(d, "0 capot")
    lead(d, 0, "KS QS JS AS TS 9S 8S")
    assert d.declaration["alive"]
    say(d, f"0 7H, 1 {d.hands[1][0]}, 2 {d.hands[2][0]}, 3 {d.hands[3][0]}")
    assert not d.declaration["alive"]
    assert GAME.tally(d)["declaration"]["made"] is False
    assert sum(points(d)) == 10
    assert points(d)[0] == 5 + sum(d.options.costs[card] for card, seat in d.taken.items() if seat == 0)


def test_all_tricks_without_a_declaration_are_an_ordinary_deal() -> None:
    """(4.4)"""
    d = dealt({0: SPADES}, declarations="both")
    say(d, "0 pass, 1 pass, 2 pass, 3 pass")
    lead(d, 0, "KS QS JS AS TS 9S 8S 7S")
    assert GAME.tally(d)["swept"] == 0
    assert points(d) == [5, 0, 0, 0]


def test_a_declarer_with_the_smaller_hand_can_never_sweep() -> None:
    """(4.1) With 32 cards at three seats the last short trick belongs to the others."""
    d = dealt({0: "7H", 1: "8H", 2: f"KH QH {SPADES}"}, seats=3, surplus="unequal", declarations="capot")
    say(d, "0 pass, 1 pass, 2 capot, 0 7H, 1 8H, 2 KH")
    lead(d, 2, "QH KS QS JS AS TS 9S 8S 7S")
    assert d.declaration["alive"]
    play_out(d)
    assert GAME.tally(d)["declaration"]["made"] is False
    assert points(d)[2] >= 5 + 2


def test_opponents_only_spares_the_declarer_every_penalty_of_the_variant() -> None:
    declaration = {"seat": 0, "kind": "capot", "made": False, "void": False}
    given = {"failed_slam_jacks": "opponents"}
    more: dict[str, Any] = {"first": 0, "last": 0, "taken": {"QC": 0}, "declaration": declaration}
    assert owed("slobberhannes", given=given, **more) == [5, 0, 0, 0]
    assert owed("slobberhannes", given=given, **more | {"last": 2}) == [5, 0, 1, 0]


@pytest.mark.parametrize(
    ("case", "revokes", "made", "void", "jacks", "paid"),
    [
        ("the declarer's revoke fails his capot", [0], False, False, "all", [3 + 5 + 5, 2, 0, 0]),
        ("and is paid where only the others pay jacks", [0], False, False, "opponents", [5 + 5, 2, 0, 0]),
        ("an opponent's revoke voids a capot that was made", [2], True, True, "all", [3, 2, 5, 0]),
        ("and one that had failed", [2], False, True, "all", [3, 2, 5, 0]),
        ("jacks then score as usual", [2], False, True, "opponents", [3, 2, 5, 0]),
        ("the same when both revoked", [0, 2], False, True, "all", [3 + 5, 2, 5, 0]),
        ("two opponents", [1, 2, 2], False, True, "all", [3, 2 + 5, 10, 0]),
    ],
)
def test_revokes_and_declarations(
    case: str, revokes: list[int], made: bool, void: bool, jacks: str, paid: list[int]
) -> None:
    """(6.4) (6.7)"""
    declaration = {"seat": 0, "kind": "capot", "made": made, "void": void}
    given = {"failed_slam_jacks": jacks, "revoke": "claim"}
    assert owed("polignac", given=given, taken=JACKS, declaration=declaration, revokes=revokes) == paid, case


@pytest.mark.parametrize("cost", [0, 3, 100])
def test_a_revoke_costs_what_the_option_says_each_time(cost: int) -> None:
    given = {"revoke": "claim", "revoke_points": cost}
    assert owed("polignac", given=given, revokes=[1, 3, 1]) == [0, 2 * cost, 0, cost]


def test_a_tally_names_what_a_scorer_writes() -> None:
    """(3.3)"""
    d = dealt({0: "AC KC AS KS QS AH KH AD", 1: "QC"}, "slobberhannes", declarations="capot")
    blank = tally()
    assert GAME.tally(d) == blank
    say(d, "0 pass, 1 pass, 2 pass, 3 pass, 0 AC, 1 QC")
    until_trick(d, 1)
    assert GAME.tally(d) == {**blank, "taken": {"QC": 0}, "first": 0}
    lead(d, 0, "KC AS KS QS AH KH AD")
    assert GAME.tally(d) == {**blank, "taken": {"QC": 0}, "first": 0, "last": 0, "swept": 0}
    lines = GAME.score(d.options, d.seats, GAME.tally(d))
    assert sorted(lines) == sorted([(0, "QC", 1), (0, "first_trick", 1), (0, "last_trick", 1), (0, "all_three", 1)])
