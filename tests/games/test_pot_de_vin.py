"""Pot de Vin by the numbered cases of its page, and rule by rule. V13: test_pot_de_vin_walks.py."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from domain import cards, decide, fairness, house
from domain.games import pot_de_vin
from domain.match import Match
from tests.games.pot_de_vin import GAME, GUILDS, JOKERS, PACK, SEATS, next_word, options, position, say, table
from tests.laws.matches import finish, started

every_table = pytest.mark.parametrize("seats", SEATS)


def sheet(seats: int = 4, **of_seat_0: Any) -> dict[str, Any]:
    """A tally on paper in which only seat 0 has anything."""
    columns = dict.fromkeys(GUILDS, 0) | of_seat_0.pop("columns", {})
    tally: dict[str, Any] = {name: [0] * seats for name in ("gems", "plus_two", "minus_two", "pots")}
    for name, value in of_seat_0.items():
        tally[name][0] = value
    return {"won": None, "columns": [columns] + [dict.fromkeys(GUILDS, 0)] * (seats - 1), **tally}


def points(tally: dict[str, Any], chosen: Any = None, seat: int = 0) -> int:
    chosen = chosen or options()
    lines = GAME.score(chosen, list(range(len(tally["gems"]))), tally)
    return sum(paid for who, _, paid in lines if who == seat)


# The cases of section 5


def test_V1_the_highest_trump_wins_every_card_and_the_turned_one() -> None:
    d = say(position(["A5 A6", "A12 A2", "E4 E5", "P13 P2"], "E13", "U9 U8"), "A5", "A12", "E4", "P13")
    assert sorted(d.won[2]) == sorted(["A5", "A12", "E4", "P13", "E13"])
    assert [d.won[seat] for seat in (0, 1, 3)] == [[], [], []]
    assert GAME.to_act(d) == [2]


def test_V2_without_a_trump_the_highest_of_the_leaders_character_wins() -> None:
    d = say(position(["A5 A6", "A9 A2", "U13 U12"], "E13", "P9 P8"), "A5", "A9", "U13")
    assert sorted(d.won[1]) == sorted(["A5", "A9", "U13", "E13"])


def test_V3_a_leader_whom_everybody_bribes_wins_his_card_the_turned_one_and_the_gems() -> None:
    d = say(position(["U2 U3", "U9 A2", "U13 U12", "A1 A4"], "E13", "P9 P8"), "U2", "bribe", "bribe", "bribe")
    assert sorted(d.won[0]) == ["E13", "U2"]
    assert (d.gems, d.treasure) == ([4, 3, 3, 3], [3, 0, 0, 0])
    assert [len(hand) for hand in d.hands] == [1, 2, 2, 2]
    assert GAME.to_act(d) == [0]


def test_V4_when_the_leaders_character_is_trump_its_highest_wins() -> None:
    d = say(position(["A5 A6", "A9 A2", "A7 U12"], "A13", "P9 P8"), "A5", "A9", "A7")
    assert sorted(d.won[1]) == sorted(["A5", "A9", "A7", "A13"])  # the turned A13 does not compete


def test_V5_columns_of_7_and_8_two_gems_and_a_plus_two_are_29() -> None:
    assert points(sheet(columns={"artists": 7, "knights": 8}, gems=2, plus_two=1)) == 29


def test_V6_the_best_way_to_lay_two_jokers_on_3_4_1_0_0_6_is_21() -> None:
    d = position(["", "", ""], "A1")
    d.columns[1] |= dict(zip(GUILDS, (3, 4, 1, 0, 0, 6), strict=True), joker=2)
    d.phase, d.waiting, d.turned = "jokers", [1], []
    said = []
    while GAME.to_act(d):
        said.append(GAME.clock(d, 1))
        say(d, said[-1])
    assert said == ["joker assassins", "joker assassins"]
    columns_only = [paid for who, why, paid in GAME.score(d.options, [0, 1, 2], GAME.tally(d)) if why in GUILDS]
    assert sum(columns_only) == 21


@pytest.mark.parametrize(("pots", "paid"), [(0, 0), (1, -3), (2, -6), (3, -9), (4, 12)])
def test_V7_three_pots_cost_9_and_all_four_pay_12(pots: int, paid: int) -> None:
    assert points(sheet(pots=pots)) == paid


def test_V8_the_leader_may_not_bribe() -> None:
    assert GAME.legal(position(["A5 A6", "A9", "A7"], "A13"), 0) == ["A5", "A6"]


def test_V8_a_seat_without_a_gem_may_not_bribe() -> None:
    d = position(["A5 A6", "A9 P2", "A7 U12"], "A13", "P9 P8")
    d.gems[1] = 0
    assert GAME.legal(say(d, "A5"), 1) == ["A9"]
    assert "bribe" in GAME.legal(say(d, "A9"), 2)


def test_V8_a_seat_that_bribed_is_not_asked_again_in_that_trick() -> None:
    d = say(position(["A5 A6", "A9 P2", "A7 U12"], "A13", "P9 P8"), "A5", "bribe")
    assert GAME.to_act(d) == [2]
    assert GAME.legal(d, 1) == []
    say(d, "A7")
    assert GAME.to_act(d) == [2]  # the next trick


def test_V9_a_seat_able_to_follow_may_play_nothing_else_not_even_a_trump() -> None:
    d = say(position(["A5 A6", "A9 P2 A2", "A7 U12"], "P13", "P9 P8"), "A5")
    assert GAME.legal(d, 1) == ["A9", "A2", "bribe"]


def test_V9_the_character_of_the_turned_card_need_not_be_followed() -> None:
    d = say(position(["A5 A6", "P2 U5", "A7 U12"], "P13", "P9 P8"), "A5")
    assert GAME.legal(d, 1) == ["P2", "U5", "bribe"]


def among_jokers(seed: int, seats: int = 4) -> Match:
    """A match played at random until jokers are to be laid."""
    random = Random(seed)
    m = started(table(seats), {}, random)
    while not m.over and m.deal.phase == "tricks":
        decide.move(m, *next_word(m.deal, random), lambda: bytes(32))
    return m


@pytest.mark.parametrize("seed", range(6))
def test_V10_a_match_does_not_end_while_a_joker_is_left_and_the_clock_lays_it_where_it_is_worth_most(seed: int) -> None:
    m = among_jokers(seed, SEATS[seed % 3])
    left = sum(m.deal.columns[seat]["joker"] for seat in range(len(m.seats)))
    assert left == sum(card[1:] == "1" for won in m.deal.won for card in won) > 0
    while left:
        assert (m.status, m.deals) == ("playing", 0)
        seat = m.to_act[-1]
        word = GAME.clock(m.deal, seat)
        assert word == worth_most(m.deal, seat)
        decide.move(m, seat, word, lambda: bytes(32))
        left -= 1
    assert (m.status, m.deals) == ("ended", 1)


def worth_most(d: Any, seat: int) -> str:
    """The first joker of the best way to lay all, every order of laying tried."""
    ways = {}
    for way in product(GUILDS, repeat=d.columns[seat]["joker"]):
        columns = Counter({guild: d.columns[seat][guild] for guild in GUILDS}) + Counter(way)
        ways[way] = sum([0, 1, 3, 6, -1, -3, -6, 10, 15][min(count, 8)] for count in columns.values())
    return "joker " + next(way for way in ways if ways[way] == max(ways.values()))[0]


def test_V11_deck_and_hands_that_run_out_in_the_same_trick_make_one_end() -> None:
    d = say(position(["A5", "A9", "A7"], "P13"), "A5", "A9", "A7")
    assert (d.phase, GAME.to_act(d), d.deck, d.hands) == ("over", [], [], [[], [], []])
    assert all(GAME.legal(d, seat) == [] for seat in d.seats)


def test_V11_a_match_that_uses_up_deck_and_hands_at_once_is_scored_once() -> None:
    """Three seats, sixteen tricks, twelve cards a hand: whoever holds fewest cards bribes, until it comes out even."""
    random = Random(8)
    for _ in range(500):
        m = started(table(3), {}, random)
        while not m.over:
            seat, d = m.to_act[0], m.deal
            few = len(d.hands[seat]) == min(map(len, d.hands))
            word = "bribe" if few and "bribe" in GAME.legal(d, seat) and random.random() < 0.7 else None
            decide.move(m, seat, word or random.choice(GAME.legal(d, seat)), lambda: random.randbytes(32))
        if not m.deal.deck and not any(m.deal.hands):
            assert [event.type for event in m.fresh].count("scored") == 1
            assert m.fresh[-1].type == "ended"
            return
    pytest.fail("no such match among 500")


def test_V12_the_lead_goes_on_from_a_winner_without_cards_to_the_next_seat_that_has_one() -> None:
    d = say(position(["A5 A6", "A9", "A7", "A2 A3"], "P13", "P9 P8"), "A5", "A9", "A7", "A2")
    assert (d.won[1] != [], d.hands[1]) == (True, [])
    assert GAME.to_act(d) == [3]  # seat 2 has none either
    assert {"what": "leads", "seat": 3, "why": "no_cards"} in d.news
    say(d, "A3")
    assert GAME.to_act(d) == [0]  # seats 1 and 2 are skipped, though they have gems
    say(d, "A6")
    assert d.phase == "over"


# 1 The pack, and how it is dealt


def test_the_canonical_pack_is_what_anybody_who_checks_a_shuffle_needs() -> None:
    assert GAME.pack(options(), [0, 1, 2, 3]) == PACK
    seed = bytes.fromhex("7d6c36a4fd820ad5668e6c801b2027a09a8652dff1a91774e8cf69e3f62e3953")
    key = fairness.key(seed, "partida/ñ/7", 1)
    known = (
        "A5 U4 U13 A1 P12 E7 P7 U5 U10 U11 E1 E11 U9 P10 E3 A8 E2 E13 U8 U2 A9 P6 A10 A3 E8 E6 A7 E4 P8 P3 A2 E9 A12 "
        "U6 E12 P13 P4 P2 P5 U7 U1 P9 E10 A11 A4 E5 P11 P1 A13 U12 A6 U3"
    )
    assert cards.shuffled(GAME.pack(options(), [0, 1, 2, 3, 4]), key) == known.split()


@pytest.mark.parametrize(("seats", "hand", "deck"), [(3, 12, 16), (4, 10, 12), (5, 8, 12)])
def test_cards_are_dealt_one_at_a_time_from_the_first_leader_on_and_the_rest_is_the_trick_deck(
    seats: int, hand: int, deck: int
) -> None:
    for dealer in range(seats):
        pack = Random(dealer).sample(PACK, 52)
        d = GAME.deal(options(seats), list(range(seats)), dealer, pack[:], [0] * seats)
        leader = (dealer + 1) % seats
        expected: list[list[str]] = [[] for _ in range(seats)]
        for at, card in enumerate(pack[: hand * seats]):
            expected[(leader + at) % seats].append(card)
        assert d.hands == expected
        assert d.turned + d.deck == pack[hand * seats :]
        assert len(d.turned + d.deck) == deck
        assert (d.gems, d.treasure) == ([4] * seats, [0] * seats)
        assert GAME.to_act(d) == [leader]
        assert d.news == [{"what": "turned", "card": pack[hand * seats]}]


def test_the_card_table_has_eight_symbols_a_guild_and_four_cards_of_each_grey_kind() -> None:
    kinds = Counter(symbol for card in PACK for symbol in pot_de_vin.CARRIED[card].split(" "))
    assert kinds == dict.fromkeys(GUILDS, 8) | dict.fromkeys(("joker", "plus_two", "minus_two", "pot_de_vin"), 4)
    assert set(pot_de_vin.CARRIED) == set(PACK)
    for card, carried in pot_de_vin.CARRIED.items():
        grey = {1: "joker", 2: "plus_two", 3: "minus_two", 13: "pot_de_vin"}.get(int(card[1:]))
        assert carried == grey or (not grey and len(carried.split(" ")) == 1 + (int(card[1:]) >= 10)), card


NAMES = {
    ".md": ("joker", "+2", "−2", "Pot de Vin", "nobility", "artists", "merchants", "craftsmen", "knights", "assassins"),
    ".es.md": (
        "comodín", "+2", "−2", "Pot de Vin", "nobleza", "artistas", "mercaderes", "artesanos", "caballeros", "asesinos",
    ),
}  # fmt: skip


@pytest.mark.parametrize("page", NAMES)
def test_the_rules_page_shows_the_card_table_as_it_is(page: str) -> None:
    kinds = dict(zip(NAMES[page], ("joker", "plus_two", "minus_two", "pot_de_vin", *GUILDS), strict=True))
    text = GAME.page.with_name(f"pot_de_vin{page}").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ") and " | " in line]
    shown = {}
    for value, *cells in rows:
        for character, cell in zip("AEPU", cells, strict=False):
            if value.isdigit() and len(cells) == 4:
                name, _, twice = cell.partition(" ×")
                shown[character + value] = " ".join([kinds[name]] * int(twice or 1))
    assert shown == pot_de_vin.CARRIED


def test_the_catalogue_gets_the_table_with_what_is_certain_about_it() -> None:
    served = json.loads(json.dumps(GAME.tables()))
    assert set(served["certainty"]) == {"published", "inferred", "proposal"}
    assert served["cards"]["A12"] == {"guild": "craftsmen", "symbols": 2}
    assert list(served["guilds"]) == list(GUILDS)


@pytest.mark.parametrize("reusable", [False, True])
def test_won_gems_may_be_spent_only_where_the_option_says_so_and_after_the_others(reusable: bool) -> None:
    d = position(["A5 A6", "A9 P2", "A7 U12"], "A13", "P9 P8", won_gems_reusable=reusable)
    d.gems, d.treasure = [4, 1, 0], [0, 2, 5]
    say(d, "A5", "bribe")
    assert (d.gems[1], d.treasure[1]) == (0, 2)
    assert ("bribe" in GAME.legal(d, 2)) == reusable
    say(d, "bribe" if reusable else "A7")
    assert sum(d.gems) + sum(d.treasure) == 12
    assert d.treasure == ([2, 2, 4] if reusable else [0, 2, 6])


# 3 The end


def test_jokers_are_laid_in_any_order_of_seats_with_one_score() -> None:
    scores = set()
    for order in (min, max, lambda seats: seats[len(seats) // 2]):
        m = among_jokers(3, 5)
        assert len(m.to_act) > 1
        while not m.over:
            seat = order(m.to_act)
            assert decide.legal(m, seat) == JOKERS
            decide.move(m, seat, "joker knights", lambda: bytes(32))
        scores.add(tuple(m.totals))
    assert len(scores) == 1


def test_a_seat_without_jokers_is_not_asked() -> None:
    m = among_jokers(3, 5)
    for seat in range(5):
        has = any(card[1:] == "1" for card in m.deal.won[seat])
        assert (seat in m.to_act) == has == bool(decide.legal(m, seat))


def test_a_deal_in_which_nobody_wins_a_joker_is_scored_at_once() -> None:
    d = say(position(["A5", "A9", "A7"], "P13", "P1 U1"), "A5", "A9", "A7")
    assert (GAME.to_act(d), d.phase) == ([], "over")


def test_a_turned_joker_is_laid_by_its_winner() -> None:
    d = say(position(["A5", "A9", "A7"], "P1"), "A5", "A9", "A7")
    assert (GAME.to_act(d), GAME.legal(d, 1)) == ([1], JOKERS)
    assert GAME.tally(say(d, "joker nobility"))["columns"][1]["nobility"] == 1


PAID = [(0, 0), (1, 1), (2, 3), (3, 6), (4, -1), (5, -3), (6, -6), (7, 10), (8, 15), (9, 15), (12, 15)]


@pytest.mark.parametrize(("symbols", "paid"), PAID)
def test_a_column_pays_by_its_number_of_symbols(symbols: int, paid: int) -> None:
    assert points(sheet(columns={"merchants": symbols})) == paid


@pytest.mark.parametrize(
    ("tally", "paid"), [({"gems": 5}, 5), ({"plus_two": 3}, 6), ({"minus_two": 2}, -4), ({"pots": 1}, -3)]
)
def test_gems_twos_threes_and_pots_pay_a_piece(tally: dict[str, int], paid: int) -> None:
    assert points(sheet(**tally)) == paid


def test_a_club_may_set_columns_and_pots() -> None:
    chosen = options(columns=[5, -7, 9], pot_points=-8, all_pots_points=100)
    assert points(sheet(columns={"artists": 1, "knights": 2, "nobility": 8}), chosen) == 3 * 5 - 7 + 9 + 9
    assert points(sheet(pots=3), chosen) == 6 * 5 - 24
    assert points(sheet(pots=4), chosen) == 6 * 5 + 100


def test_the_lines_carry_the_reasons_of_the_page() -> None:
    reasons = {reason for _, reason, _ in GAME.score(options(), [0, 1, 2, 3], sheet())}
    assert reasons == {*GUILDS, "gems", "plus_two", "minus_two", "pots"}


def standing(totals: list[int], gems: list[int], pots: list[int]) -> list[int]:
    """The places that the house gives."""
    m = started(table(len(totals)), {}, Random(1))
    m.totals, m.ties = totals, GAME.ties({"gems": gems, "pots": pots})
    return house.places(m)


@pytest.mark.parametrize(
    ("totals", "gems", "pots", "places"),
    [
        ([9, 12, 3], [0, 0, 0], [0, 4, 0], [2, 1, 3]),  # points first
        ([9, 9, 9, 3], [2, 5, 1, 16], [0, 4, 0, 0], [2, 1, 3, 4]),  # then gems
        ([9, 9, 9], [5, 5, 5], [2, 0, 1], [3, 1, 2]),  # then fewest pots
        ([9, 9, 9, 9], [5, 5, 5, 5], [1, 1, 0, 2], [2, 2, 1, 4]),  # then shared
        ([-4, -4, -9], [3, 3, 3], [1, 1, 0], [1, 1, 3]),
    ],
)
def test_ties_are_broken_by_gems_then_by_fewest_pots_and_then_shared(
    totals: list[int], gems: list[int], pots: list[int], places: list[int]
) -> None:
    assert standing(totals, gems, pots) == places


def test_one_deal_is_the_whole_match() -> None:
    m = started(table(4), {}, Random(5))
    finish(m, Random(5), "any word")
    assert m.result is not None
    assert (m.deals, m.result["reason"]) == (1, "deals")
    assert [event.type for event in m.fresh].count("dealt") == 1


def test_a_match_left_to_the_clock_ends() -> None:
    for seats in SEATS:
        m = started(table(seats), {}, Random(seats))
        finish(m, Random(seats), "what the clock says")
        assert m.status == "ended"
        assert m.deal.gems == [4] * seats


# 4 What each seat may know


def test_who_does_not_follow_shows_a_void_and_who_bribes_shows_nothing() -> None:
    d = say(position(["A5 A6", "A9 P2", "P7 U12"], "U13", "P9 P8"), "A5", "bribe", "P7")
    assert d.voids == ["", "", "A"]
    assert GAME.barred(d, 0) == {("hands", 2): {f"A{value}" for value in range(1, 14)}}
