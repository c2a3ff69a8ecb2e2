"""Polignac by its page: pack, play, asking (1, 2, 4.1), with P1 to P9, P15 and P16. Beside it: polignac.py."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from domain import cards, errors, fairness, rules
from domain.rules import OptionsError
from tests.games.polignac import (
    GAME,
    dealt,
    lead,
    match_at,
    move,
    play_deal,
    play_out,
    points,
    rules_of,
    say,
    until_trick,
)
from tests.laws.matches import state

SPADES, DIAMONDS = "7S 8S 9S TS JS QS KS AS", "7D 8D 9D TD JD QD KD AD"
SUMS = {"polignac": {5}, "quatre_valets": {4}, "slobberhannes": {3, 4}, "knaves": {3}, "eichel_obern": {5},
        "bassadewitz": {5}}  # fmt: skip


# 1 The pack


@pytest.mark.parametrize(("seats", "size"), [(3, 30), (4, 32), (5, 30), (6, 30), (2, 32)])
def test_p1_packs_are_even_and_keep_the_aces_and_jacks(seats: int, size: int) -> None:
    pack = GAME.pack(rules_of("polignac", 4), list(range(seats)))
    assert len(pack) == len(set(pack)) == size
    assert sum(card[0] == "A" for card in pack) == sum(card[0] == "J" for card in pack) == 4
    assert ({"7S", "7C"} & set(pack) == set()) == (size == 30)
    assert {"7H", "7D"} <= set(pack)


@pytest.mark.parametrize(
    ("surplus", "seats", "missing"),
    [("red_sevens", 3, {"7H", "7D"}), ("red_sevens", 4, set()), ("unequal", 3, set()), ("unequal", 5, set())],
)
def test_surplus_says_which_cards_leave_the_pack(surplus: str, seats: int, missing: set[str]) -> None:
    pack = GAME.pack(rules_of("polignac", seats, surplus=surplus), list(range(seats)))
    assert set(cards.french("AKQJT987")) - set(pack) == missing


@pytest.mark.parametrize(
    ("seats", "sizes"), [(3, [11, 11, 10]), (4, [8] * 4), (5, [7, 7, 6, 6, 6]), (6, [6, 6, 5, 5, 5, 5])]
)
def test_unequal_gives_the_first_seats_from_eldest_one_more(seats: int, sizes: list[int]) -> None:
    options, playing = rules_of("polignac", seats, surplus="unequal"), list(range(seats))
    for dealer in playing:
        d = GAME.deal(options, playing, dealer, GAME.pack(options, playing), [0] * seats)
        assert [len(d.hands[(dealer + 1 + at) % seats]) for at in playing] == sizes


def test_in_the_last_trick_only_seats_that_hold_a_card_play_and_the_next_of_them_leads() -> None:
    """(1.1) Seat 2 sweeps its ten tricks; the two cards that are left are led by seat 0, the next that has one."""
    d = dealt({0: "7H", 1: "8H", 2: f"KH QH {SPADES}"}, seats=3, surplus="unequal")
    say(d, "0 7H, 1 8H, 2 KH")
    lead(d, 2, "QH KS QS JS AS TS 9S 8S 7S")
    assert (d.winners, [len(hand) for hand in d.hands]) == ([2] * 10, [1, 1, 0])
    assert GAME.to_act(d) == [0]
    play_out(d)
    assert [seat for seat, _ in d.tricks[10]] == [0, 1]
    assert GAME.tally(d)["swept"] is None, "the short trick counts (4.1)"


@pytest.mark.parametrize(
    ("seats", "hands"),
    [
        (4, ["0 1 2 12 13 20 21 22", "3 4 5 14 15 23 24 25"]),
        (3, ["0 1 2 9 10 15 16 17 24 25", "3 4 5 11 12 18 19 20 26 27"]),
        (5, ["0 1 2 15 16 17", "3 4 5 18 19 20"]),
        (6, ["0 1 2 18 19", "3 4 5 20 21"]),
        (2, ["0 1 2 6 7 8 12 13 16 17 18 22 23 24 28 29", "3 4 5 9 10 11 14 15 19 20 21 25 26 27 30 31"]),
    ],
)
def test_cards_are_dealt_in_packets_from_the_top_eldest_first(seats: int, hands: list[str]) -> None:
    options, playing = rules_of("polignac", 4), list(range(seats))
    pack = GAME.pack(options, playing)
    d = GAME.deal(options, playing, seats - 1, pack, [0] * seats)
    assert d.hands[:2] == [[pack[int(at)] for at in hand.split()] for hand in hands]


# 2 The play


@pytest.mark.parametrize(("ranks", "winner"), [("KQJAT987", 0), ("AKQJT987", 1)])
def test_p2_a_jack_beats_an_ace_in_the_old_order_only(ranks: str, winner: int) -> None:
    d = dealt({0: "JH", 1: "AH", 2: "7H", 3: "8H"}, ranks=ranks)
    say(d, "0 JH, 1 AH, 2 7H, 3 8H")
    assert d.winners == [winner]


@pytest.mark.parametrize("ranks", ["KQJAT987", "AKQJT987"])
def test_every_rank_beats_the_next_one(ranks: str) -> None:
    for strong, weak in pairwise(ranks):
        for low, high in ((0, 1), (1, 0)):
            d = dealt({low: f"{weak}H", high: f"{strong}H", 2: SPADES, 3: DIAMONDS}, ranks=ranks)
            say(d, f"0 {d.hands[0][0]}, 1 {d.hands[1][0]}, 2 KS, 3 KD")
            assert d.winners == [high], (strong, weak)


def test_p3_a_seven_that_nobody_follows_wins() -> None:
    d = dealt({0: SPADES, 1: "AH", 2: "KD", 3: "AC"})
    say(d, "0 7S, 1 AH, 2 KD, 3 AC")
    assert d.winners == [0]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_p4_every_deal_is_led_by_the_seat_after_its_dealer(seats: int) -> None:
    m = match_at([0] * seats, {}, deals=9)
    for _ in range(3):
        assert m.dealt
        assert m.to_act == [(m.dealt["dealer"] + 1) % seats]
        dealer = m.dealt["dealer"]
        play_deal(m)
        assert m.dealt["dealer"] == (dealer + 1) % seats


def test_suit_must_be_followed_and_otherwise_any_card_may_be_played() -> None:
    d = dealt({0: "9H", 1: "7H JH KS AS QS TC 8C 9C", 2: DIAMONDS})
    assert set(GAME.legal(d, 0)) == set(d.hands[0])
    say(d, "0 9H")
    assert GAME.legal(d, 1) == ["7H", "JH"]
    say(d, "1 7H")
    assert set(GAME.legal(d, 2)) == set(DIAMONDS.split())


def test_a_deal_ends_when_all_cards_have_been_played() -> None:
    d = dealt({})
    play_out(d)
    assert len(d.tricks) == 8
    assert not any(d.hands)


# 3 Penalties


def test_p5_the_winner_of_the_trick_pays_not_the_player_of_the_card() -> None:
    d = dealt({0: "KH", 1: "JH", 2: SPADES, 3: "TH"})
    say(d, "0 KH, 1 JH, 2 JS, 3 TH")
    assert points(d) == [3, 0, 0, 0]


@pytest.mark.parametrize("variant", SUMS)
@pytest.mark.parametrize("seed", range(30))
def test_p6_a_complete_deal_costs_its_sum(variant: str, seed: int) -> None:
    random = Random(seed)
    seats = random.choice(list(GAME.VARIANTS[variant].seats))
    d = dealt({}, variant, seats, surplus=random.choice(["black_sevens", "red_sevens", "unequal"]))
    while owing := GAME.to_act(d):
        GAME.play(d, owing[0], random.choice(GAME.legal(d, owing[0])))
    assert sum(points(d)) in SUMS[variant]
    tally = GAME.tally(d)
    three = {tally["first"], tally["last"], tally["taken"].get("QC")}
    assert variant != "slobberhannes" or (sum(points(d)) == 4) == (len(three) == 1)


@pytest.mark.parametrize(("queen", "cost"), [("none", 4), ("QC", 5), ("QS", 5)])
def test_p6_the_doubled_queen_is_chosen(queen: str, cost: int) -> None:
    d = dealt({}, "eichel_obern", doubled_queen=queen)
    play_out(d)
    doubled = [card for _, card, points in GAME.score(d.options, d.seats, GAME.tally(d)) if points == 2]
    assert doubled == [queen] * (cost - 4)
    assert sum(points(d)) == cost


@pytest.mark.parametrize(
    ("variant", "field", "value"),
    [("polignac", "doubled_queen", "QS"), ("bassadewitz", "doubled_queen", "QC"), ("knaves", "all_three_bonus", 1)],
)
def test_an_option_of_another_variant_is_refused(variant: str, field: str, value: object) -> None:
    with pytest.raises(OptionsError) as refused:
        rules_of(variant, 4, **{field: value})
    assert list(refused.value.errors) == [f"options.{field}"]


def test_p15_slobberhannes_with_six_seats_has_five_tricks() -> None:
    d = dealt({}, "slobberhannes", 6)
    for number in range(1, 5):
        until_trick(d, number)
        assert GAME.tally(d)["last"] is None
    play_out(d)
    assert len(d.tricks) == 5
    assert (GAME.tally(d)["first"], GAME.tally(d)["last"]) == (d.winners[0], d.winners[4])
    assert {reason for _, reason, _ in GAME.score(d.options, d.seats, GAME.tally(d))} >= {"first_trick", "last_trick"}


@pytest.mark.parametrize(("bonus", "cost"), [(1, 4), (0, 3)])
def test_the_queen_inside_the_first_trick_and_the_last_trick_are_all_three(bonus: int, cost: int) -> None:
    """(3.2)"""
    d = dealt({0: "AC KC AS KS QS AH KH AD", 1: "QC"}, "slobberhannes", all_three_bonus=bonus)
    say(d, "0 AC, 1 QC")
    until_trick(d, 1)
    assert points(d) == [2, 0, 0, 0]
    lead(d, 0, "KC AS KS QS AH KH AD")
    assert points(d) == [cost, 0, 0, 0]


def test_first_trick_and_queen_without_the_last_trick_are_not_all_three() -> None:
    d = dealt({0: "AC 7H AS KS QS JS TS 9S", 1: "QC KH"}, "slobberhannes", totals=[3, 0, 0, 0])
    say(d, "0 AC, 1 QC")
    until_trick(d, 1)
    lead(d, 0, "AS KS QS JS TS 9S 7H")
    assert d.winners[7] != 0
    assert points(d) == [2] + [int(seat == d.winners[7]) for seat in (1, 2, 3)]


def test_p16_knaves_with_five_seats_is_refused() -> None:
    with pytest.raises(OptionsError) as refused:
        rules.effective(GAME, "knaves", {}, 5)
    assert list(refused.value.errors) == ["seats"]


@pytest.mark.parametrize(
    ("ranks", "led", "hand", "word"),
    [
        ("KQJAT987", "KH", "JH QH AH 7C 8C 9C 7D 8D", "AH"),
        ("AKQJT987", "KH", "JH QH AH 7C 8C 9C 7D 8D", "JH"),
        ("KQJAT987", "KH", "8S 9S 8C 8D 9D TD JD AS", "8C"),
        ("KQJAT987", "KH", "8S JS 9D 9C 8D TD JD AS", "8D"),
        ("AKQJT987", "KH", "JS JC AS KS AD KD AC KC", "JC"),
    ],
)
def test_the_clock_plays_the_lowest_card_that_follows_or_the_lowest_of_all(
    ranks: str, led: str, hand: str, word: str
) -> None:
    """(3.3) Among equals clubs, then diamonds, hearts, spades."""
    d = dealt({0: led, 1: hand}, ranks=ranks)
    say(d, f"0 {led}")
    assert GAME.clock(d, 1) == word


# 4 Asking


@pytest.mark.parametrize(
    ("declarations", "words"),
    [("capot", ["pass", "capot"]), ("general", ["pass", "general"]), ("both", ["pass", "capot", "general"])],
)
def test_every_seat_is_asked_once_from_eldest_on(declarations: str, words: list[str]) -> None:
    d = dealt({}, declarations=declarations)
    for seat in range(4):
        assert GAME.to_act(d) == [seat]
        assert [GAME.legal(d, other) for other in range(4)] == [words if other == seat else [] for other in range(4)]
        assert GAME.clock(d, seat) == "pass"
        say(d, f"{seat} pass")
    assert d.calls == [(seat, "pass") for seat in range(4)]
    assert GAME.to_act(d) == [0]
    assert set(GAME.legal(d, 0)) == set(d.hands[0])


def test_nobody_is_asked_where_nothing_may_be_declared() -> None:
    assert GAME.legal(dealt({0: SPADES}), 0) == SPADES.split()


@pytest.mark.parametrize("variant", SUMS)
def test_declarations_may_be_switched_on_in_every_variant(variant: str) -> None:
    d = dealt({0: SPADES}, variant, declarations="both")
    say(d, "0 capot")
    play_out(d)
    assert points(d) == [0, 5, 5, 5]


@pytest.mark.parametrize(("declarer_leads", "leader"), [(False, 0), (True, 2)])
def test_the_declaration_closes_the_asking_and_eldest_leads_unless_the_declarer_does(
    declarer_leads: bool, leader: int
) -> None:
    d = dealt({}, declarations="capot", declarer_leads=declarer_leads)
    say(d, "0 pass, 1 pass, 2 capot")
    assert d.declaration == {"seat": 2, "kind": "capot", "alive": True}
    assert GAME.to_act(d) == [leader]
    assert d.seats[0] == 0, "eldest stays eldest"
    until_trick(d, 1)
    assert [seat for seat, _ in d.tricks[0]] == [(leader + step) % 4 for step in range(4)]


def test_p7_a_capot_broken_in_the_first_trick_is_known_as_failed_and_the_deal_is_played_out() -> None:
    d = dealt({0: "QH", 1: "KH", 2: "7H", 3: "8H"}, declarations="capot")
    say(d, "0 capot, 0 QH, 1 KH, 2 7H, 3 8H")
    assert d.declaration == {"seat": 0, "kind": "capot", "alive": False}
    assert GAME.tally(d)["declaration"] == {"seat": 0, "kind": "capot", "made": False, "void": False}
    play_out(d)
    assert len(d.tricks) == 8
    assert sum(points(d)) == 10


@pytest.mark.parametrize(
    ("said", "seat", "word", "refusal"),
    [
        ("", 1, "capot", errors.NotYourTurnError),  # out of turn
        ("0 pass", 0, "capot", errors.NotYourTurnError),  # asked once
        ("0 capot", 1, "capot", errors.NotYourTurnError),  # a second declaration
        ("0 capot", 0, "capot", errors.IllegalMoveError),
        ("0 pass, 1 pass, 2 pass, 3 pass, 0 7S", 1, "capot", errors.IllegalMoveError),  # after the first lead
        ("0 pass, 1 pass, 2 pass, 3 pass, 0 7S", 0, "capot", errors.NotYourTurnError),
        ("", 0, "7S", errors.IllegalMoveError),  # a lead during the asking
        ("", 0, "general", errors.IllegalMoveError),  # not what the option allows
        ("", 0, "Capot", errors.IllegalMoveError),
        ("0 capot", 0, "7s", errors.IllegalMoveError),
        ("0 capot", 0, "S7", errors.IllegalMoveError),
        ("0 capot", 0, "AH", errors.IllegalMoveError),  # another seat's card
        ("0 capot, 0 7S", 0, "7S", errors.NotYourTurnError),  # twice
    ],
)
def test_p8_calls_and_leads_out_of_place_are_refused_and_not_recorded(
    said: str, seat: int, word: str, refusal: type[errors.RefusedError]
) -> None:
    m = match_at([0, 0, 0, 0], {0: SPADES}, declarations="capot")
    if said:
        move(m, said)
    before, count = state(m), len(m.fresh)
    with pytest.raises(refusal):
        move(m, f"{seat} {word}")
    assert (state(m), len(m.fresh)) == (before, count)


def test_p9_a_general_made_from_two_gives_minus_three() -> None:
    m = match_at([2, 0, 1, 0], {0: SPADES}, declarations="general")
    move(m, "0 general")
    play_deal(m)
    assert m.totals == [-3, 5, 6, 5]


# Fairness: the same seed deals the same cards for ever (C22)


@pytest.mark.parametrize(
    ("seats", "eldest"),
    [
        (3, "8C KD 8S 8H TH 9C TS QC JD AD"),
        (4, "AS 9C TS KH AC 8H 7H QD"),
        (5, "8C KD 8S 9C TS QC"),
        (6, "8C KD 8S TC KH"),
    ],
)
def test_a_seed_deals_these_first_hands(seats: int, eldest: str) -> None:
    key = fairness.key(bytes(range(32)), "m-0001", 1)
    options, playing = rules_of("polignac", seats), list(range(seats))
    pack = cards.shuffled(GAME.pack(options, playing), key)
    d = GAME.deal(options, playing, cards.drawn_dealer(key, seats), pack, [0] * seats)
    assert " ".join(d.hands[d.seats[0]]) == eldest
