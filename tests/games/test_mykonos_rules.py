"""Mýkonos rule by rule, beside the numbered cases of test_mykonos.py."""

from __future__ import annotations

import json
from random import Random

import pytest

from domain import cards, decide, fairness
from domain.games._packs import price
from tests.games.mykonos import GAME, SEATS, bid, dealt, has, options, say, selling, table, walks
from tests.laws.matches import started

TWO = ["5C 6D", "7H 8S"]  # hands of two seats, no figures
every_table = pytest.mark.parametrize("seats", SEATS)


# 1 and 2, rule by rule


def test_the_cards_are_dealt_one_at_a_time_from_the_seat_after_the_dealer() -> None:
    """The pack of the test vector V6 of docs/fairness.md."""
    key = fairness.key(bytes(32), "m-0002", 1)
    pack = cards.shuffled(GAME.pack(options(), [0, 1, 2, 3]), key)
    dealer = cards.drawn_dealer(key, 4)
    d = GAME.deal(options(), [0, 1, 2, 3], dealer, pack, [0] * 4)
    assert (dealer, d.first, GAME.to_act(d)) == (0, 1, [1])
    assert d.hands == [["AD", "7C"], ["3S", "2S"], ["8S", "5S"], ["2C", "KD"]]
    assert d.offer == ["4D", "9C", "5C", "2H", "6S"]
    assert d.pack == pack[13:]
    assert (d.money, d.workers) == ([5] * 4, [4] * 4)


@every_table
def test_the_row_has_a_card_more_than_there_are_seats_and_the_demand_goes_four_laps_round(seats: int) -> None:
    d = dealt(["TC TD", "TH TS", "9C 9D", "9H 9S"][:seats])
    asked = []
    assert len(d.offer) == seats + 1
    while d.phase == "demand":
        asked.append(GAME.to_act(d))
        assert GAME.legal(d, asked[-1][0]) == [f"place {at}" for at in range(seats + 1) if len(d.columns[at]) < 4]
        say(d, GAME.legal(d, asked[-1][0])[-1])
    assert asked == [[seat] for seat in range(seats)] * 4


def test_a_seat_with_one_free_column_is_still_asked() -> None:
    d = bid(dealt(TWO, neutral=True), "2 2 2 2 1 1 1 1 0 0 0")
    assert (GAME.to_act(d), GAME.legal(d, 1), GAME.legal(d, 0)) == ([1], ["place 0"], [])


def test_a_card_without_workers_is_discarded_and_told() -> None:
    d = bid(dealt(TWO, "TC TD TH"), "1 1 1 1 2 2 2 2")
    assert (d.discards, d.offer) == (["TC"], ["TD", "TH"])
    assert d.news == [{"what": "unsold", "card": "TC", "why": "no_worker"}]


def test_sales_go_once_round_from_the_first_seat_past_seats_without_a_card() -> None:
    d = bid(dealt(["TC TD", "TH TS", "9C 9D"]), "0 0 0 0 1 1 1 1 2 2 2 2")
    d.hands[1].clear()
    while d.phase == "purchases":
        say(d, "pass")
    assert GAME.to_act(d) == [0]
    say(d, "sell TC TD")
    assert GAME.to_act(d) == [2]
    say(d, "pass")
    assert (d.phase, d.round, GAME.to_act(d)) == ("demand", 2, [1])


def test_when_nobody_holds_a_card_the_income_comes_without_sales() -> None:
    d = bid(dealt(TWO), "0 0 0 0 1 1 1 1")
    d.hands = [[], []]
    while d.phase == "purchases":
        say(d, "pass")
    assert (d.phase, d.round, d.money) == ("demand", 2, [8, 8])


@pytest.mark.parametrize(
    ("pack", "money"),
    [
        ("5H 6H 7H 8H 9H", 15), ("AC 2C 3C 4C 5C", 15), ("9S TS JS QS KS", 15), ("7C 7D 7H 7S", 11),
        ("7C 7D 7H 9C 9D", 8), ("2C 2D KC KD KH", 8), ("5H 6H 7H 8H TH", 7), ("AS TS JS QS KS", 7),
        ("AC 5C 7C 9C KC", 7),
        ("5H 6H 7H 8H 9C", 6), ("AC 2D 3H 4S 5C", 6), ("9S TS JS QS KH", 6), ("7C 7D 7H", 5), ("7C 7D 9H 9S", 4),
        ("AC AS", 2), ("KD", 1),
    ],
)  # fmt: skip
def test_each_pack_fetches_what_the_page_says_whatever_the_order_of_its_cards(pack: str, money: int) -> None:
    shuffled = Random(pack).sample(pack.split(), len(pack.split()))
    d = selling(" ".join([*shuffled, "3D"]), 4)
    say(d, "sell " + pack)
    assert d.accounts[0]["sales"] == price(shuffled) == money
    assert d.hands[0] == ["3D"]
    assert sorted(d.discards) == sorted(pack.split())


@pytest.mark.parametrize(
    "none",
    [
        "TC JD QH KS AC", "QC KD AH 2S 3C", "AC 3D 4H 5S 6C", "7C 8C 9C TC", "AS 2S 3S 4S 6H", "7C 7D 8H 8S 8C 8D",
        "7C 7D 8H 9S TC",
    ],
)  # fmt: skip
def test_what_is_no_sequence_no_suit_and_no_equal_ranks_is_no_pack(none: str) -> None:
    assert price(none.split()) == 0
    assert GAME.spell("sell " + none) not in GAME.legal(selling(none), 0)


def packs_for_sale(hand: str) -> list[str]:
    return [word for word in GAME.legal(selling(hand), 0) if word != "pass"]


def test_legal_lists_every_pack_once_by_rank_ace_low_then_suit_and_pass() -> None:
    assert sorted(GAME.legal(selling("9S 9C KD AH 9D"), 0)) == sorted([
        "pass", "sell AH", "sell 9C", "sell 9D", "sell 9S", "sell KD", "sell 9C 9D", "sell 9C 9S", "sell 9D 9S",
        "sell 9C 9D 9S",
    ])  # fmt: skip
    assert "sell 9C 9S AC AD AH" not in packs_for_sale("AD 9S AC 9C AH")
    assert "sell AC AD AH 9C 9S" in packs_for_sale("AD 9S AC 9C AH")
    assert "sell 9C 9S KC KD KH" in packs_for_sale("KD 9S KC 9C KH")


def test_a_part_of_a_larger_set_may_be_sold() -> None:
    words = packs_for_sale("7C 7D 7H 7S 9C 9D")
    assert {"sell 7C 7D", "sell 7C 7D 7H", "sell 7C 7D 9C 9D", "sell 7C 7D 7H 9C 9D", "sell 7C 7D 7H 7S"} <= set(words)
    assert len(words) == len(set(words)) == 6 + (6 + 1) + 4 + 1 + 6 + 4


def test_the_cards_of_a_sale_may_be_said_in_any_order_and_the_event_lists_them() -> None:
    m = started(table(2), {}, Random(1), packs=[GAME.pack(options(2), [0, 1])], dealer=1)  # seat 0 holds 5C 7C
    while m.deal.phase != "sales":
        decide.move(m, m.to_act[0], GAME.clock(m.deal, m.to_act[0]), lambda: bytes(32))
    m.deal.hands[0][:] = ["9S", "KC", "9C", "KD", "9D"]
    decide.move(m, 0, "sell KD 9S 9C KC 9D", lambda: bytes(32))
    moved = [event.data for event in m.fresh if event.type == "moved"][-1]
    assert moved == {"seat": 0, "move": "sell 9C 9D 9S KC KD"}


@pytest.mark.parametrize(
    ("said", "spelled"),
    [
        ("sell 7S 7H", "sell 7H 7S"), ("sell KC AC 2D", "sell AC 2D KC"), ("sell 7H", "sell 7H"), ("pass", "pass"),
        ("sell 7H 7H", "sell 7H 7H"), ("sell 7H  7C", "sell 7H  7C"), ("sell 7H 7c", "sell 7H 7c"), ("sell", "sell"),
        ("Sell 7S 7H", "Sell 7S 7H"), ("discard 7S 7H", "discard 7S 7H"), (" sell 7S 7H", " sell 7S 7H"), ("", ""),
    ],
)  # fmt: skip
def test_only_the_order_of_known_cards_is_spelled_anew(said: str, spelled: str) -> None:
    assert GAME.spell(said) == GAME.spell(spelled) == spelled


def test_who_buys_nothing_has_a_dollar_more_by_choice_or_not() -> None:
    d = bid(has(dealt(["TC TD", "TH TS", "9C 9D"]), 1, 0), "0 1 2 0 1 2 0 1 2 0 1 2")  # AAAA, BBBB, CCCC
    say(d, "buy")  # A at 4; B cannot pay; C is asked
    assert GAME.to_act(d) == [2]
    say(d, "pass", "pass", "pass", "pass", "pass", "pass", "pass")
    assert [account["no_purchase"] for account in d.accounts] == [0, 1, 1]
    assert [account["income"] for account in d.accounts] == [2, 2, 2]


def test_figures_are_shown_at_the_income_until_the_next_one_and_other_cards_are_not() -> None:
    d = say(selling("KC 5D QH"), "pass")
    assert (d.round, d.figures) == (2, [["KC", "QH"], []])
    d.phase, d.waiting = "sales", [0]
    say(d, "sell KC")
    assert d.figures == [["QH"], []]


def test_the_marker_moves_before_the_discards_and_they_come_in_any_order_of_seats() -> None:
    d = selling("5C 6D 7H 8S 9C JD QH", 3)
    d.hands[2] = ["5D", "5H", "5S", "6C", "6H", "6S"]
    d.waiting = [0, 2]
    say(d, "pass", "pass")
    assert (d.first, d.round, sorted(GAME.to_act(d)), GAME.legal(d, 1)) == (1, 1, [0, 2], [])
    for seat, card in ((0, "9C"), (2, "6S"), (0, "QH")):
        assert f"discard {card}" in GAME.legal(d, seat)
        assert d.round == 1
        GAME.play(d, seat, f"discard {card}")
    assert d.discards == ["9C", "6S", "QH"]
    assert (d.round, GAME.to_act(d), d.phase) == (2, [1], "demand")


# 2.7 sell_singles


def test_after_a_pack_a_seat_over_five_cards_may_sell_single_cards() -> None:
    d = selling("5C 5D 6H 8S 9C JD QH KH KS", sell_singles="surplus")
    say(d, "sell KH KS")
    assert GAME.to_act(d) == [0]
    assert GAME.legal(d, 0) == ["sell 5C", "sell 5D", "sell 6H", "sell 8S", "sell 9C", "sell JD", "sell QH", "pass"]
    say(d, "sell 6H")
    assert "sell 5C 5D" not in GAME.legal(d, 0)
    say(d, "sell 5C")
    assert d.accounts[0]["sales"] == 2 + 1 + 1
    assert (d.round, len(d.hands[0])) == (2, 5)  # at five it is not asked again


def test_a_pass_ends_the_surplus_and_the_rest_is_discarded() -> None:
    d = selling("5C 5D 6H 8S 9C JD QH KH", sell_singles="surplus")
    say(d, "sell KH", "pass")
    assert (d.phase, GAME.legal(d, 0)[0], d.accounts[0]["sales"]) == ("discards", "discard 5C", 1)


def test_after_the_surplus_of_one_seat_the_next_is_asked_for_a_pack() -> None:
    for last in ("pass", "sell 9C"):  # by a pass, or because five are left
        d = selling("5C 6D 6H 8S 9C JD QH", 3, sell_singles="surplus")
        d.hands[1], d.waiting = ["TC", "TD"], [0, 1]
        say(d, "sell 5C")
        assert (d.phase, GAME.to_act(d), GAME.legal(d, 1)) == ("surplus", [0], [])
        say(d, last)
        assert (d.phase, GAME.to_act(d)) == ("sales", [1])
        assert "sell TC TD" in GAME.legal(d, 1)


def test_a_pass_to_the_pack_ends_the_sale_turn() -> None:
    assert say(selling("5C 5D 6H 8S 9C JD QH", sell_singles="surplus"), "pass").phase == "discards"


def test_without_the_option_there_are_no_single_sales_after_a_pack() -> None:
    assert say(selling("5C 5D 6H 8S 9C JD QH KH"), "sell 5C 5D").phase == "discards"


# 3 The end


def test_the_lines_carry_the_reasons_of_the_page_and_sum_to_the_money() -> None:
    account = {"start": 5, "purchases": -7, "sales": 3, "income": 16, "no_purchase": 2, "figure_income": 1}
    tally = {"money": [20, 20], "figures": [0, 0], "accounts": [account, account]}
    lines = GAME.score(options(2), [0, 1], tally)
    assert {reason: points for seat, reason, points in lines if seat == 1} == account
    assert sum(points for seat, _, points in lines if seat == 0) == 20


def test_without_accounts_there_is_one_line_a_seat() -> None:
    tally = {"money": [31, 0, 12], "figures": [0, 1, 2], "accounts": None}
    assert GAME.score(options(3), [0, 1, 2], tally) == [(0, "money", 31), (1, "money", 0), (2, "money", 12)]


def test_the_tally_can_be_asked_at_any_moment_and_is_json() -> None:
    for d, _, _ in walks(3, 3):
        tally = json.loads(json.dumps(GAME.tally(d)))
        assert tally == GAME.tally(d)
        assert [sum(account.values()) for account in tally["accounts"]] == tally["money"] == d.money


def test_the_clock_places_on_the_leftmost_free_card_passes_and_keeps_figures() -> None:
    d = dealt(TWO, neutral=True)
    said = []
    while d.phase == "demand":
        said.append(GAME.clock(d, GAME.to_act(d)[0]))
        say(d, said[-1])
    assert [word[-1] for word in said] == list("000011112222")
    assert [word[0] for word in said] == list("ppnpnpnpnppp")
    assert GAME.clock(d, GAME.to_act(d)[0]) == "pass"
    d = selling("5S 5D 6H 8S 9C JD QH KH", sell_singles="surplus")
    assert GAME.clock(d, 0) == "pass"
    say(d, "sell KH")
    assert GAME.clock(d, 0) == "pass"
    say(d, "pass")
    assert GAME.clock(d, 0) == "discard 5D"
    d = say(selling("JS JD QH KH KC KD"), "pass")
    assert GAME.clock(d, 0) == "discard JD"
    d = say(selling("AS JD QH KH KC 2C", 4), "pass")
    assert GAME.clock(d, 0) == "discard AS"
