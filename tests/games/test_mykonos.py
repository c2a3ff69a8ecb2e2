"""Mýkonos by the numbered cases of its page. M20: test_mykonos_walks.py. Rule by rule: test_mykonos_rules.py."""

from __future__ import annotations

from random import Random

import pytest

from domain import decide, errors, house
from domain.games._packs import price
from tests.games.mykonos import (
    GAME,
    LEFT,
    NEUTRALS,
    ROUNDS,
    SEATS,
    bid,
    dealt,
    has,
    options,
    say,
    selling,
    table,
    walks,
)
from tests.laws.matches import started

every_table = pytest.mark.parametrize("seats", SEATS)
TWO = ["5C 6D", "7H 8S"]  # hands of two seats, no figures
ABA = "0 0 0 1 1 1 1 2"  # seats A B A B A B A B: columns ABA, BABA, B


# The cases of section 6


@pytest.mark.parametrize(
    ("seats", "size", "kept"), [(2, 36, "56789TJQK"), (3, 44, "3456789TJQK"), (4, 52, "A23456789TJQK")]
)
def test_M1_the_packs_have_36_44_and_52_cards(seats: int, size: int, kept: str) -> None:
    pack = GAME.pack(options(seats), list(range(seats)))
    assert pack == [rank + suit for suit in "CDHS" for rank in kept]
    assert len(set(pack)) == size


@every_table
def test_M2_a_match_has_10_9_or_8_rounds_leaves_2_2_or_4_cards_and_each_seat_is_first_equally_often(seats: int) -> None:
    first: dict[int, int] = {}
    for d, seat, _ in walks(seats):
        if seat != -1:
            first[d.round] = d.first if d.phase == "demand" else first[d.round]
            continue
        assert d.round == ROUNDS[seats] == len(first)
        assert len(d.pack) == LEFT[seats]
        assert d.phase == "over"
        times = [list(first.values()).count(each) for each in range(seats)]
        assert times == [{2: 5, 3: 3, 4: 2}[seats]] * seats
        assert [first[number] for number in sorted(first)] == [d.seats[at % seats] for at in range(ROUNDS[seats])]
        first.clear()


def test_M3_a_fifth_worker_on_a_card_and_a_pass_in_the_demand_are_refused() -> None:
    m = started(table(2), {}, Random(1))
    for _ in range(4):
        decide.move(m, m.to_act[0], "place 1", lambda: bytes(32))
    version = m.version
    for word in ("place 1", "pass"):
        with pytest.raises(errors.IllegalMoveError):
            decide.move(m, m.to_act[0], word, lambda: bytes(32))
    assert m.version == version
    assert decide.legal(m, m.to_act[0]) == ["place 0", "place 2"]


def test_M4_in_a_column_ABA_the_card_is_asked_of_A_at_3_of_B_at_2_and_of_A_at_1() -> None:
    asked = []
    for passes in range(3):
        d = say(bid(dealt(TWO), ABA), *["pass"] * passes)
        buyer = GAME.to_act(d)[0]
        say(d, "buy")
        asked.append((buyer, 5 - d.money[buyer]))
    assert asked == [(0, 3), (1, 2), (0, 1)]


def test_M5_in_a_column_AAA_A_may_pass_down_and_buy_at_1() -> None:
    d = bid(dealt(TWO), "0 1 0 1 0 1 1 2")  # AAA, BBBA, B
    card = d.offer[0]
    say(d, "pass", "pass")
    assert (GAME.to_act(d), d.columns[0]) == ([0], [0])
    say(d, "buy")
    assert (d.money[0], d.hands[0][-1]) == (4, card)


def test_M6_when_A_passes_and_B_buys_the_other_worker_of_A_just_returns() -> None:
    d = bid(has(dealt(TWO), 1, 9), ABA)
    card = d.offer[0]
    assert d.workers == [0, 0]
    say(d, "pass", "buy")
    assert (d.money, d.hands[1][-1]) == ([5, 7], card)
    assert d.workers == [2, 1]  # A's two from the first card, B's one
    assert d.columns[0] == [1, 0, 1, 0]


def test_M7_a_seat_with_2_leaves_a_card_at_3_by_itself_and_is_asked_again_at_2() -> None:
    d = has(dealt(TWO), 0, 2)
    bid(d, "0 1 0 1 0 1 1 2")
    assert d.columns[0] == [0, 0]
    assert (GAME.to_act(d), GAME.legal(d, 0)) == ([0], ["buy", "pass"])
    assert d.news == [{"what": "pass", "seat": 0, "card": d.offer[0], "price": 3, "why": "no_money"}]
    say(d, "buy")
    assert d.money[0] == 0


def test_M7_when_the_next_worker_is_another_seats_it_is_asked_at_2() -> None:
    d = bid(has(dealt(TWO), 0, 2), ABA)
    assert (GAME.to_act(d), d.columns[0], d.workers) == ([1], [1, 0], [1, 0])


def test_M8_a_seat_that_has_spent_all_on_the_left_card_is_stepped_over_at_every_later_card() -> None:
    d = has(dealt(TWO), 0, 4)
    bid(d, "0 0 0 0 1 1 1 1")  # ABAB, ABAB, none
    second, third = d.offer[1], d.offer[2]
    say(d, "buy")
    assert d.money[0] == 0
    assert (GAME.to_act(d), d.columns[0]) == ([1], [1, 0, 1])
    assert d.news == [{"what": "pass", "seat": 0, "card": second, "price": 4, "why": "no_money"}]
    say(d, "pass")
    assert (GAME.to_act(d), d.columns[0]) == ([1], [1])
    assert d.news == [{"what": "pass", "seat": 0, "card": second, "price": 2, "why": "no_money"}]
    say(d, "pass")
    assert d.discards == [second, third]
    assert d.phase == "sales"


def test_M9_exact_money_buys_and_nothing_never_buys() -> None:
    d = bid(has(has(dealt(TWO), 0, 3), 1, 0), ABA)
    say(d, "buy")
    assert (d.money, len(d.hands[0])) == ([0, 0], 3)
    assert d.phase == "sales"  # nobody can pay for BABA and B
    assert [news["seat"] for news in d.news if news["what"] == "pass"] == [1, 0, 1, 0, 1]
    assert len(d.hands[1]) == 2


@pytest.mark.parametrize(
    ("hand", "refused"),
    [
        ("7C 7D 7H 7S 9C", "7C 7D 7H 7S 9C"),
        ("7C 7D 9H 9S QC", "7C 7D 9H 9S QC"),
        ("5C 6C 7C 8C 9C TC", "5C 6C 7C 8C 9C TC"),
        ("7C 7D 7H 9C 9D 9H", "7C 7D 7H 9C 9D 9H"),
        ("7C 7D 8H", "7C 7D 8H"),
        ("7C 7D 7H 8H", "7C 7D 7H 8H"),
        ("7C 9D", "7C 9D"),
        ("5C 6C 7C 8C", "5C 6C 7C 8C"),
    ],
)
def test_M10_a_pack_with_a_spare_card_or_none_at_all_is_refused(hand: str, refused: str) -> None:
    words = GAME.legal(selling(hand), 0)
    assert GAME.spell("sell " + refused) not in words
    assert not {"sell", "sell "} & set(words)
    assert price(refused.split()) == price([]) == 0


def test_M11_five_to_nine_of_hearts_fetch_15() -> None:
    d = selling("9H 5H 7H 6H 8H")
    assert d.money[0] == 5
    say(d, "sell 5H 6H 7H 8H 9H")
    assert d.accounts[0]["sales"] == 15
    assert d.sold == [(0, "5H 6H 7H 8H 9H", 15)]


def test_M12_a_pair_can_be_sold_out_of_a_full_house() -> None:
    d = say(selling("7C 7D 7H 9S 9C"), "sell 9C 9S")
    assert (d.accounts[0]["sales"], sorted(d.hands[0])) == (2, ["7C", "7D", "7H"])
    d = say(selling("7C 7D 7H 9S 9C"), "sell 7C 7H")
    assert (d.accounts[0]["sales"], sorted(d.hands[0])) == (2, ["7D", "9C", "9S"])


def test_M13_who_sells_two_kings_and_keeps_a_queen_has_income_for_one_figure() -> None:
    d = say(selling("KC KD QH"), "sell KC KD")
    assert d.accounts[0]["figure_income"] == 1
    assert d.figures == [["QH"], []]
    assert d.money[0] == 5 + 2 + 2 + 1 + 1


def test_M14_eight_cards_with_five_figures_bring_5_and_then_three_are_discarded() -> None:
    d = say(selling("KC KD QH QS JC 5D 7H 9S"), "pass")
    assert d.accounts[0]["figure_income"] == 5
    assert (d.phase, GAME.to_act(d)) == ("discards", [0])
    say(d, "discard 5D", "discard KC")
    assert (d.phase, GAME.to_act(d)) == ("discards", [0])
    say(d, "discard 7H")
    assert sorted(d.hands[0]) == ["9S", "JC", "KD", "QH", "QS"]
    assert d.phase == "demand"
    assert d.accounts[0]["figure_income"] == 5


def test_M14_six_figures_before_the_discard_bring_6() -> None:
    d = say(selling("KC KD QH QS JC JD"), "pass")
    assert d.accounts[0]["figure_income"] == 6
    assert GAME.to_act(d) == [0]


def test_M15_a_hand_of_exactly_five_is_not_asked_to_discard() -> None:
    d = say(selling("KC 5D QH 7S 9C"), "pass")
    assert (d.phase, d.round, len(d.hands[0])) == ("demand", 2, 5)


@every_table
def test_M16_in_the_last_round_sales_income_and_discards_happen_and_then_the_end(seats: int) -> None:
    d = selling("KC 5D QH 7S 9C 9D 9H JH", seats)
    d.pack = d.pack[:seats]  # one card too few for a row
    say(d, "sell 9D 9H")
    assert d.accounts[0] == {
        "start": 5, "purchases": 0, "sales": 2, "income": 2, "no_purchase": 1, "figure_income": 3,
    }  # fmt: skip
    assert GAME.to_act(d) == [0]
    say(d, "discard 5D")
    assert (GAME.to_act(d), d.phase, len(d.pack)) == ([], "over", seats)
    assert [GAME.legal(d, seat) for seat in range(seats)] == [[]] * seats


@pytest.mark.parametrize(
    ("money", "figures", "places"),
    [
        ([20, 20], [3, 2], [1, 2]),
        ([20, 20], [2, 2], [1, 1]),
        ([20, 21], [5, 0], [2, 1]),
        ([20, 30, 20, 20], [2, 0, 3, 2], [3, 1, 2, 3]),
    ],
)
def test_M17_equal_money_is_decided_by_figures_or_shared(
    money: list[int], figures: list[int], places: list[int]
) -> None:
    m = started(table(len(money)), {}, Random(1))
    m.totals, m.ties = money, GAME.ties({"money": money, "figures": figures, "accounts": None})
    assert house.places(m) == places


def test_M17_the_figures_that_count_are_those_in_hand_after_the_last_discard() -> None:
    d = selling("KC KD QH QS JC JD")
    d.pack = d.pack[:2]
    say(d, "pass", "discard JD")
    tally = GAME.tally(d)
    assert tally["figures"] == [5, 0]
    assert GAME.ties(tally) == [[5], [0]]
    lines = GAME.score(d.options, [0, 1], tally)
    assert sum(points for seat, _, points in lines if seat == 0) == d.money[0] == 5 + 2 + 1 + 6


def test_M18_with_neutrals_the_demand_ends_with_three_columns_of_four() -> None:
    d, said = dealt(TWO, neutral=True), []
    columns: list[list[int | None]] = [[], [], []]
    while d.phase == "demand":
        assert d.columns == columns
        seat = GAME.to_act(d)[0]
        words = GAME.legal(d, seat)
        verb = words[0].split(" ")[0]
        assert words == [f"{verb} {at}" for at in range(3) if len(columns[at]) < 4]
        said.append(("AB"[seat], verb))
        columns[int(words[-1][-1])].append(seat if verb == "place" else None)
        say(d, words[-1])
    assert said == [
        ("A", "place"), ("B", "place"), ("B", "neutral"), ("A", "place"), ("A", "neutral"), ("B", "place"),
        ("B", "neutral"), ("A", "place"), ("A", "neutral"), ("B", "place"), ("A", "place"), ("B", "place"),
    ]  # fmt: skip
    assert [len(column) for column in columns] == [4, 4, 4]
    assert [sum(column.count(each) for column in columns) for each in (0, 1, None)] == [4, 4, 4]


XBAB = "1 1 0 1 1 0 2 0 2 0 2 2"  # A B X A X B X A X B A B place: columns XBAB, ABAX, XXAB
BXAB = "1 0 0 0 1 0 1 1 2 2 2 2"  # columns BXAB, AXXA, XBAB
XXXX = "1 1 0 1 0 1 0 2 0 2 2 2"  # columns XXXX, ABAB, ABAB


def test_M19_in_a_column_XBAB_the_neutral_leaves_and_B_is_asked_at_3() -> None:
    d = bid(dealt(TWO, neutral=True), XBAB)
    assert (GAME.to_act(d), d.columns[0]) == ([1], [1, 0, 1])
    assert d.news == [{"what": "steps_aside", "card": d.offer[0], "why": "neutral"}]
    say(d, "buy")
    assert d.money == [5, 2]


# 4.2 The other ways of a neutral at the base


def test_a_neutral_that_stays_counts_in_the_price_and_the_lowest_worker_of_a_player_decides() -> None:
    d = bid(dealt(TWO, neutral=True, neutral_at_base="stays"), XBAB)
    card, asked = d.offer[0], []
    while d.offer[0] == card:
        asked.append((GAME.to_act(d)[0], len(d.columns[0])))
        say(d, "pass")
    assert asked == [(1, 4), (0, 3), (1, 2)]
    assert d.discards == [card]
    assert d.news == [{"what": "unsold", "card": card, "why": "neutral"}]
    d = say(bid(dealt(TWO, neutral=True, neutral_at_base="stays"), XBAB), "pass", "buy")
    assert (d.money, d.bought) == ([2, 5], [[card], []])


def test_a_neutral_that_takes_the_card_takes_it_at_once_and_all_workers_return() -> None:
    d = bid(dealt(TWO, "TC TD TH", neutral=True, neutral_at_base="takes"), XBAB)
    assert (d.discards, d.offer, d.workers) == (["TC"], ["TD", "TH"], [1, 2])
    assert d.news == [{"what": "unsold", "card": "TC", "why": "neutral"}]
    assert (GAME.to_act(d), d.columns[0]) == ([0], [0, 1, 0, None])


def test_a_neutral_that_takes_the_card_also_does_so_when_a_pass_brings_it_to_the_base() -> None:
    d = bid(dealt(TWO, "TC TD TH", neutral=True, neutral_at_base="takes"), BXAB)
    assert (GAME.to_act(d), d.columns[0]) == ([1], [1, None, 0, 1])
    say(d, "pass")
    assert (d.discards, d.offer, d.workers) == (["TC"], ["TD", "TH"], [1, 2])
    assert d.news == [{"what": "unsold", "card": "TC", "why": "neutral"}]


def test_a_neutral_steps_aside_at_every_base_and_a_seat_without_money_after_it() -> None:
    d = bid(has(dealt(TWO, "TC TD TH", neutral=True), 1, 3), BXAB)
    assert [news["what"] for news in d.news] == ["pass", "steps_aside"]
    assert (GAME.to_act(d), d.columns[0]) == ([0], [0, 1])
    say(d, "buy")
    assert d.money == [3, 3]


@pytest.mark.parametrize("at_base", NEUTRALS)
def test_a_column_of_neutrals_alone_is_unsold(at_base: str) -> None:
    d = bid(dealt(TWO, "TC TD TH", neutral=True, neutral_at_base=at_base), XXXX)
    assert (d.discards, d.offer, GAME.to_act(d)) == (["TC"], ["TD", "TH"], [0])
    assert [news["what"] for news in d.news] == ["steps_aside"] * (4 * (at_base == "steps_aside")) + ["unsold"]
