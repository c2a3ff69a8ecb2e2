"""The Bottle Imp, sections 1 to 3 of domain/games/bottle_imp.md: pack, passing, trick; what a seat knows."""

from __future__ import annotations

import json
from random import Random

import pytest

from domain import decide, errors, seen
from domain.imagine import imagine
from domain.secrecy import view_for
from tests.games.bottle_imp import (
    BLUE,
    COINS,
    GAME,
    KINDS,
    PACK,
    RED,
    YELLOW,
    fresh,
    options,
    position,
    random_deal,
    say,
    slow_winner,
    spoken,
    suit_of,
    tell,
    walks,
    with_people,
)
from tests.laws.matches import drawing, started, state
from tests.laws.tables import Table

every_kind = pytest.mark.parametrize(("variant", "seats"), KINDS)


# 1 The pack


def test_each_suit_has_42_coins_in_pairs_from_1_to_6() -> None:
    for deck, suits in (("classic", {"yellow", "blue", "red"}), ("matagot", {"red", "blue", "green"})):
        cards = GAME.tables()["decks"][deck]
        assert list(cards) == PACK
        assert {row["suit"] for row in cards.values()} == suits
        for suit in suits:
            coins = [row["coins"] for row in cards.values() if row["suit"] == suit]
            assert coins == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6], (deck, suit)


def test_the_classic_deck_is_that_of_the_page() -> None:
    cards = GAME.tables()["decks"]["classic"]
    for suit, named in (("yellow", YELLOW), ("blue", BLUE), ("red", RED)):
        assert [card for card, row in cards.items() if row["suit"] == suit] == named
    assert {card: row["coins"] for card, row in cards.items()} == COINS


def test_the_deck_of_2023_swaps_three_pairs_of_cards() -> None:
    decks = GAME.tables()["decks"]
    colour = {"yellow": "red", "blue": "blue", "red": "green"}
    swap = {"3": "4", "4": "3", "23": "24", "24": "23", "34": "35", "35": "34"}
    for card, row in decks["classic"].items():
        assert decks["matagot"][swap.get(card, card)] == {**row, "suit": colour[row["suit"]]}, card


def test_the_deck_in_use_decides_what_follows() -> None:
    assert GAME.legal(say(position("3 20", "4 1", "2 36"), "3"), 1) == ["1"]
    assert GAME.legal(say(position("3 20", "4 1", "2 36", deck="matagot"), "3"), 1) == ["4", "1"]


def test_the_canonical_pack_is_1_to_37_without_19() -> None:
    assert GAME.pack(options(), [0, 1, 2]) == PACK


# 2 Before the first trick


@pytest.mark.parametrize(("seats", "size"), [(3, 12), (4, 9)])
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_cards_are_dealt_one_at_a_time_from_the_dealers_left(seats: int, size: int, dealer: int) -> None:
    d = fresh("standard", seats, dealer)
    for step in range(seats):
        assert d.hands[(dealer + 1 + step) % seats] == PACK[step::seats]
    assert [len(hand) for hand in d.hands] == [size] * seats


@pytest.mark.parametrize(("seats", "size"), [(3, 11), (4, 8)])
def test_after_the_passing_hands_are_even_and_the_dealers_left_leads(seats: int, size: int) -> None:
    for dealer in range(seats):
        d = spoken(fresh("standard", seats, dealer), Random(dealer), until="play")
        assert [len(hand) for hand in d.hands] == [size] * seats
        assert [len(cards) for cards in d.down] == [1] * seats
        assert GAME.to_act(d) == [(dealer + 1) % seats]


def test_every_seat_owes_three_words_in_any_order_and_words_interleave() -> None:
    d = fresh("standard", 3)  # hands 1 4 7 ..., 2 5 8 ..., 3 6 9 ...
    tell(d, 1, "right 5")
    tell(d, 0, "imp 1", "left 4")
    assert GAME.to_act(d) == [0, 1, 2]
    tell(d, 1, "imp 2")
    tell(d, 2, "left 3", "right 6", "imp 9")
    assert GAME.to_act(d) == [0, 1]
    tell(d, 0, "right 7")
    assert (GAME.to_act(d), d.phase) == ([1], "pass")
    tell(d, 1, "left 8")
    assert (GAME.to_act(d), d.phase) == ([0], "play")
    assert d.down == [["1"], ["2"], ["9"]]


def test_a_verb_is_owed_once_and_a_named_card_leaves_the_hand() -> None:
    d = tell(fresh("standard", 3), 0, "left 4")
    words = GAME.legal(d, 0)
    assert "4" not in d.hands[0]
    assert {word.split(" ")[0] for word in words} == {"imp", "right"}
    assert len(words) == 2 * 11
    assert not any(word.endswith(" 4") for word in words)


@pytest.mark.parametrize("seats", [3, 4])
def test_B8_the_same_card_for_two_places_or_a_card_not_held_is_refused(seats: int) -> None:
    m = started(Table(GAME, "standard", seats), {}, Random(seats))
    seat, mine = m.to_act[0], m.deal.hands[m.to_act[0]]
    strange = next(card for card in PACK if card not in mine)
    first = mine[0]
    decide.move(m, seat, f"imp {first}", drawing(Random(0)))
    before = state(m)
    for word in (
        f"left {first}",
        f"imp {first}",
        f"imp {m.deal.hands[seat][0]}",
        f"left {strange}",
        f"right {strange}",
    ):
        with pytest.raises(errors.IllegalMoveError):
            decide.move(m, seat, word, drawing(Random(0)))
    assert state(m) == before


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_B10_seat_i_receives_from_its_neighbours_and_nobody_gets_his_own_card_back(seats: int, seed: int) -> None:
    d = random_deal("standard", seats, seed)
    dealt = [hand[:] for hand in d.hands]
    words = [[f"{verb} {card}" for verb, card in zip(("imp", "left", "right"), hand, strict=False)] for hand in dealt]
    order = [seat for seat in range(seats) for _ in range(3)]
    Random(seed).shuffle(order)
    for seat in order:
        assert all(len(hand) == 12 * 3 // seats - len(d.said[at]) for at, hand in enumerate(d.hands))
        tell(d, seat, words[seat].pop(0))
    for seat in range(seats):
        from_right, from_left = dealt[(seat - 1) % seats][1], dealt[(seat + 1) % seats][2]
        assert d.hands[seat] == [*dealt[seat][3:], from_right, from_left]
        assert not set(dealt[seat][:3]) & set(d.hands[seat])


@every_kind
def test_B10_nothing_of_the_passing_is_shown_before_all_have_given(variant: str, seats: int) -> None:
    for seed in range(10):
        d, random = random_deal(variant, seats, seed), Random(seed)
        dealt = [set(hand) for hand in d.hands]
        while d.phase == "pass":
            for seat in range(seats):
                view = view_for(d, seat)
                assert set(view["hands"][seat]) <= dealt[seat]
                for name in ("hands", "down", "said", "second"):
                    assert all(type(entry) is int for at, entry in enumerate(view[name]) if at != seat), name
                assert [view["down"][at] for at in range(seats) if at != seat] == [
                    view["said"][at] for at in range(seats) if at != seat
                ]
            seat = random.choice(GAME.to_act(d))
            if variant == "bright_house" and len(d.said[seat]) == 2:
                dealt[seat] |= set(d.second[seat])
            GAME.play(d, seat, random.choice(GAME.legal(d, seat)))


@every_kind
def test_words_said_face_down_are_null_to_others_until_the_deal_is_scored(variant: str, seats: int) -> None:
    random = Random(f"null {variant} {seats}")
    m = with_people(variant, seats, random)
    while not m.over:
        for event in m.fresh:
            for reader in (*(f"p-{seat}" for seat in range(seats)), None):
                if event.type == "moved":
                    told = seen.event(m, event, reader)["move"]
                    mine = reader == f"p-{event.data['seat']}"
                    assert told == (event.data["move"] if mine or event.data["move"] in PACK else None)
        seat = random.choice(m.to_act)
        decide.move(m, seat, random.choice(decide.legal(m, seat)), drawing(random))
    told = [seen.event(m, event, None)["move"] for event in m.fresh if event.type == "moved"]
    assert told == [event.data["move"] for event in m.fresh if event.type == "moved"]


@every_kind
def test_nobody_looks_under_the_bottle_before_the_deal_is_over(variant: str, seats: int) -> None:
    for d in walks(variant, seats, deals=5):
        found = GAME.tally(d)
        assert (found["imp"] == []) == (d.phase != "over")
        if d.phase == "play":
            for seat in range(seats):
                view = view_for(d, seat)
                buried = [card for cards in d.down for card in cards]
                assert view["down"][seat] == d.down[seat]
                told = json.dumps({name: view[name] for name in ("hands", "open", "tricks", "trick", "said", "news")})
                assert not [card for card in buried if card not in d.down[seat] and f'"{card}"' in told]


WRONG_WORDS = (
    "imp", "imp ", "imp 4 ", " imp 4", "imp  4", "Imp 4", "IMP 4", "4 imp", "imp 04", "imp 4 7", "imp 4 4", "imp 19",
    "imp 38", "imp 0", "imp -4", "under 4", "give 4", "open first", "4", "", "pass", "left 4 right 7", "imp\t4", "JS",
)  # fmt: skip


@pytest.mark.parametrize("word", WRONG_WORDS)
def test_words_that_are_not_exact_or_of_another_game_are_refused_and_nothing_is_recorded(word: str) -> None:
    pack = PACK[:]
    m = started(Table(GAME, "standard", 3), {}, Random(0), packs=[pack], dealer=2)
    assert "imp 4" in decide.legal(m, 0)
    before = state(m)
    with pytest.raises(errors.IllegalMoveError):
        decide.move(m, 0, word, drawing(Random(0)))
    assert state(m) == before


@pytest.mark.parametrize("word", ["left 1", "right 1", "open first", "OPEN first", "imp 1 2"])
def test_the_bright_house_knows_neither_left_nor_right_nor_open_too_early(word: str) -> None:
    assert "give 1" in GAME.legal(fresh("bright_house", 2), 0)
    assert word not in GAME.legal(fresh("bright_house", 2), 0)


# 3 The trick


def test_B1_the_highest_below_the_price_takes_trick_and_bottle() -> None:
    d = say(position("36 1", "24 2", "22 3", "17 5"), "36", "24", "22", "17")
    assert (d.winners, d.bottle, d.price) == ([3], 3, 17)
    assert GAME.to_act(d) == [3]
    assert d.coins == [0, 0, 0, COINS["36"] + COINS["24"] + COINS["22"] + COINS["17"]]


def test_B2_two_below_the_price_the_nearer_wins() -> None:
    d = say(position("25 30", "9 31", "4 32", price=10, bottle=2), "25", "9", "4")
    assert (d.winners, d.bottle, d.price) == ([1], 1, 9)


def test_B3_18_wins_over_13_and_33() -> None:
    d = say(position("13 1", "18 2", "33 3"), "13", "18", "33")
    assert (d.winners, d.bottle, d.price) == ([1], 1, 18)


@pytest.mark.parametrize("bottle", [0, 1, 2])
def test_B4_from_the_price_up_a_low_card_is_an_ordinary_high_card(bottle: int) -> None:
    d = say(position("15 1", "16 11", "18 3", price=14, bottle=bottle), "15", "16", "18")
    assert (d.winners, d.bottle, d.price) == ([2], bottle, 14)


def test_B5_a_lone_1_beats_37_and_the_bottle_can_never_leave_again() -> None:
    d = say(position("37 2 36", "1 3 5", "33 6 8"), "37", "1", "33")
    assert (d.winners, d.bottle, d.price) == ([1], 1, 1)
    spoken(d, Random(0))
    assert (d.bottle, d.price, len(d.winners)) == (1, 1, 3)


def test_B6_all_above_the_price_and_the_holder_wins_nothing_moves() -> None:
    d = say(position("30 1", "24 2", "34 3", price=12, bottle=2), "30", "24", "34")
    assert (d.winners, d.bottle, d.price) == ([2], 2, 12)


def test_B7_a_low_card_played_instead_of_following_is_refused() -> None:
    d = say(position("36 1", "35 2", "3 5"), "36")
    assert GAME.legal(d, 1) == ["35"]
    assert GAME.legal(say(d, "35"), 2) == ["3", "5"]  # nothing to follow with


def test_a_card_below_the_price_gives_no_exemption_either_when_it_is_led() -> None:
    assert GAME.legal(say(position("3 36", "1 28 37", "2 33"), "3"), 1) == ["1", "28"]


def test_a_holder_may_undercut_himself_and_the_price_falls() -> None:
    d = say(position("12 30", "33 31", "34 32", price=15, bottle=0), "12", "33", "34")
    assert (d.winners, d.bottle, d.price) == ([0], 0, 12)


def test_a_card_of_exactly_the_price_is_none_below_it() -> None:
    d = say(position("17 1", "20 2", "36 3", price=17, bottle=0), "17", "20", "36")
    assert (d.winners, d.bottle, d.price) == ([2], 0, 17)


@every_kind
def test_every_trick_of_a_deal_is_won_scored_and_led_as_the_page_says(variant: str, seats: int) -> None:
    for seed in range(60):
        d = spoken(random_deal(variant, seats, seed), Random(seed))
        price, holder, coins = 19, None, [0] * len(d.coins)
        leader = d.table[0]
        for trick, won in zip(d.tricks, d.winners, strict=True):
            at = d.table.index(leader)
            order = (d.table[at:] + d.table[:at]) * (2 if variant == "bright_house" else 1)
            assert [place for place, _ in trick] == order
            leader, card = slow_winner(price, trick)
            assert leader == won
            if int(card) < price:
                price, holder = int(card), leader
            coins[leader] += sum(COINS[card] for _, card in trick)
        assert (d.price, d.bottle, d.coins) == (price, holder, coins)
        assert len(d.tricks) == {"lopaka": 11, "bright_house": 8}.get(variant, {3: 11, 4: 8}[max(3, seats)])


# What a seat knows


@every_kind
def test_a_card_that_a_seat_gave_lies_with_its_receiver_in_every_imagined_world(variant: str, seats: int) -> None:
    followed = 0
    for seed in range(4):
        d, random = random_deal(variant, seats, seed), Random(seed)
        while GAME.to_act(d):
            if d.phase != "pass":
                seat = random.choice(d.seats)
                world = imagine(GAME, json.loads(json.dumps(view_for(d, seat))), seat, random.random)
                for card, (name, place) in GAME.pinned(d, seat).items():
                    if card in getattr(d, name)[place]:
                        followed += 1
                        assert card in getattr(world, name)[place]
                    else:
                        assert any(card == laid for trick in [*d.tricks, d.trick] for _, laid in trick) or any(
                            card in pile for pile in d.open
                        )
            seat = random.choice(GAME.to_act(d))
            GAME.play(d, seat, random.choice(GAME.legal(d, seat)))
    assert followed > 20


@every_kind
def test_no_imagined_world_gives_a_hand_cards_of_a_suit_that_it_did_not_follow(variant: str, seats: int) -> None:
    void = 0
    for seed in range(6):
        random = Random(seed)
        d = spoken(random_deal(variant, seats, seed), random, until="play")
        while GAME.to_act(d):
            seat = random.choice(d.seats)
            world = imagine(GAME, json.loads(json.dumps(view_for(d, seat))), seat, random.random)
            for trick in [*d.tricks, d.trick]:
                for number, (place, card) in enumerate(trick):
                    from_hand = variant != "bright_house" or number > 1
                    if from_hand and suit_of(card) != suit_of(trick[0][1]):
                        void += 1
                        assert not set(suit_of(trick[0][1])) & set(world.hands[place])
                        assert not set(suit_of(trick[0][1])) & set(d.hands[place])
            say(d, random.choice(GAME.legal(d, GAME.to_act(d)[0])))
    assert void > 50


@pytest.mark.parametrize(
    ("variant", "seats", "given"),
    [("standard", 3, ["left 1", "right 4", "imp 7"]), ("bright_house", 2, ["give 1", "imp 5"])],
)
def test_the_rule_bot_gives_its_lowest_cards_away_and_buries_the_next(
    variant: str, seats: int, given: list[str]
) -> None:
    d = fresh(variant, seats)
    for word in given:
        assert GAME.advise(d, 0, GAME.legal(d, 0)) == word
        GAME.play(d, 0, word)
