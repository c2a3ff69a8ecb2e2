"""Mýkonos: what holds at every word of deals and matches played at random, whatever the house rules."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import arena, audit, decide, errors
from domain.games._packs import packs, price
from domain.imagine import cards_in, deal_seen, imagine
from domain.match import fold
from domain.rules import OptionsError
from domain.secrecy import view_for
from tests.games.mykonos import (
    GAME,
    KEPT,
    NEUTRALS,
    NO_WORDS,
    PACK,
    RANKS,
    ROUNDS,
    SEATS,
    SUITS,
    after_word,
    next_word,
    options,
    table,
    walks,
)
from tests.laws.matches import finish, started, stored
from tests.laws.tables import house_rules

every_table = pytest.mark.parametrize("seats", SEATS)
WITH_NEUTRALS = [{"neutral": True, "neutral_at_base": at_base, "sell_singles": "surplus"} for at_base in NEUTRALS]


@every_table
def test_M20_cards_and_workers_are_neither_lost_nor_made_and_nobody_owes_money(seats: int) -> None:
    kept = sorted(card for card in PACK if card[0] in KEPT[seats])
    for d, _, _ in walks(seats):
        assert sorted(d.pack + d.offer + [card for hand in d.hands for card in hand] + d.discards) == kept
        placed = Counter(worker for column in d.columns for worker in column)
        assert [d.workers[seat] + placed[seat] for seat in range(seats)] == [4] * seats
        assert placed[None] <= 4 * d.options.neutral
        assert max(map(len, d.columns), default=0) <= 4
        assert min(d.money) >= 0
        assert [sum(account.values()) for account in d.accounts] == d.money


@every_table
def test_rounds_go_through_demand_purchases_sales_and_discards_in_this_order(seats: int) -> None:
    order = ["demand", "purchases", "sales", "discards"]
    before = (0, 0)
    for d, seat, _ in walks(seats):
        if seat == -1:
            assert before[0] == ROUNDS[seats]
            before = (0, 0)
            continue
        now = (d.round, order.index("sales" if d.phase == "surplus" else d.phase))
        assert before <= now
        assert now[0] - before[0] <= 1
        before = now


@every_table
def test_the_seat_asked_about_a_card_has_its_lowest_worker_and_can_pay_for_it(seats: int) -> None:
    for d, seat, word in walks(seats):
        if d.phase != "purchases":
            continue
        column = d.columns[0]
        assert column[0] == seat or (d.options.neutral_at_base == "stays" and column[0] is None)
        assert next(worker for worker in column if worker is not None) == seat
        assert GAME.legal(d, seat) == ["buy", "pass"]
        assert 1 <= len(column) <= min(4, d.money[seat])
        after = after_word(d, seat, word)
        paid = after.accounts[seat]["purchases"] - d.accounts[seat]["purchases"]
        assert paid == (-len(column) if word == "buy" else 0)
        assert (d.offer[0] in after.bought[seat]) == (word == "buy")


@every_table
def test_each_seat_places_four_workers_a_round_and_none_is_asked_out_of_turn(seats: int) -> None:
    placed: list[int] = []
    for d, seat, word in walks(seats):
        if d.phase == "demand":
            assert GAME.to_act(d) == [seat]
            placed += [seat] * word.startswith("place")
        elif placed:
            at = d.seats.index(d.first)
            if not d.options.neutral:
                assert placed == (d.seats[at:] + d.seats[:at]) * 4
            assert Counter(placed) == Counter(list(range(seats)) * 4)
            placed = []


@every_table
def test_hands_have_at_most_five_cards_when_a_round_opens_and_a_row_more_ever(seats: int) -> None:
    for d, _, _ in walks(seats):
        sizes = [len(hand) for hand in d.hands]
        assert max(sizes) <= 5 + (seats + 1) * (d.phase not in ("demand", "over"))
        if d.phase == "discards":
            assert GAME.to_act(d) == [seat for seat in d.seats if sizes[seat] > 5]


@every_table
def test_the_income_of_each_round_is_what_the_page_says(seats: int) -> None:
    bought: set[int] = set()
    for d, seat, word in walks(seats):
        if seat == -1:
            bought.clear()
            continue
        bought |= {seat} if word == "buy" else set()
        after = after_word(d, seat, word)
        told = {news["seat"]: news for news in after.news if news["what"] == "income"}
        assert sorted(told) in ([], list(range(seats)))
        for other, news in told.items():
            figures = sum(card[0] in "JQK" for card in after.hands[other])
            due = {"income": 2, "no_purchase": int(other not in bought), "figure_income": figures}
            assert news == {"what": "income", "seat": other, **due}
            gained = {reason: after.accounts[other][reason] - d.accounts[other][reason] for reason in due}
            assert gained == due
            assert after.figures[other] == [card for card in after.hands[other] if card[0] in "JQK"]
        if told:
            bought.clear()


@every_table
def test_the_accounts_lie_within_their_bounds(seats: int) -> None:
    for d, seat, _ in walks(seats):
        if seat != -1:
            continue
        tally = json.loads(json.dumps(GAME.tally(d)))
        lines = GAME.score(d.options, list(range(seats)), tally)
        assert [sum(paid for who, _, paid in lines if who == other) for other in range(seats)] == d.money
        for account in tally["accounts"]:
            assert (account["start"], account["income"]) == (5, 2 * ROUNDS[seats])
            assert 0 <= account["no_purchase"] <= ROUNDS[seats]
            assert account["purchases"] <= 0 <= account["sales"]
            assert 0 <= account["figure_income"] <= 12 * ROUNDS[seats]
        assert GAME.score(d.options, list(range(seats)), tally | {"accounts": None}) == [
            (other, "money", d.money[other]) for other in range(seats)
        ]


# 2.4 A second opinion on packs: every part of a hand, judged the long way round


def judged(cards: tuple[str, ...]) -> int:
    ranks = Counter(card[0] for card in cards)
    most = [count for _, count in ranks.most_common()]
    at = sorted(RANKS.index(rank) for rank in ranks)
    run = len(cards) == len(at) == 5 and at == list(range(at[0], at[0] + 5))
    suit = len(cards) == len(at) == 5 and len({card[1] for card in cards}) == 1
    kinds = [(run and suit, 15), (most == [4], 11), (most == [3, 2], 8), (suit, 7), (run, 6), (most == [3], 5)]
    kinds += [(most == [2, 2], 4), (most == [2], 2), (most == [1], 1)]
    return next((money for is_it, money in kinds if is_it), 0)


def all_parts(hand: list[str]) -> dict[str, int]:
    cards = sorted(hand, key=lambda card: (RANKS.index(card[0]), SUITS.index(card[1])))
    parts = [part for size in range(1, len(cards) + 1) for part in combinations(cards, size)]
    return {" ".join(part): money for part in parts if (money := judged(part))}


hands = st.one_of(
    st.lists(st.sampled_from(PACK), min_size=1, max_size=10, unique=True),
    st.lists(st.sampled_from([card for card in PACK if card[0] in "789T"]), min_size=1, max_size=10, unique=True),
    st.lists(st.sampled_from([card for card in PACK if card[1] in "CD"]), min_size=5, max_size=10, unique=True),
)


@settings(max_examples=150, deadline=None)
@given(hands)
def test_the_packs_of_any_hand_are_all_its_parts_that_fetch_something_each_once(hand: list[str]) -> None:
    found = [" ".join(pack) for pack in packs(hand)]
    assert {pack: price(pack.split(" ")) for pack in found} == all_parts(hand)
    assert len(found) == len(set(found))


@every_table
def test_legal_in_the_sales_is_every_pack_of_the_hand_and_pass(seats: int) -> None:
    for d, seat, word in walks(seats):
        if d.phase == "sales":
            expected = all_parts(d.hands[seat])
            assert sorted(GAME.legal(d, seat)) == sorted(["pass", *(f"sell {pack}" for pack in expected)])
        if d.phase in ("sales", "surplus") and word != "pass":
            assert after_word(d, seat, word).sold[-1] == (seat, word[5:], judged(tuple(word[5:].split(" "))))


# 5 What a seat may know


@every_table
def test_a_seat_reads_its_own_hand_and_only_sizes_of_the_rest(seats: int) -> None:
    for d, _, _ in walks(seats, 6):
        for eyes in (0, seats - 1, None):
            view = view_for(d, eyes)
            hidden = [d.hands[seat] if seat == eyes else len(d.hands[seat]) for seat in range(seats)]
            assert (view["hands"], view["pack"]) == (hidden, len(d.pack))
            text = json.dumps({name: value for name, value in view.items() if name not in ("options", "hands")})
            open_cards = {card for other in range(seats) for card in d.bought[other] + d.figures[other]}
            secret = set(d.pack + [card for hand in d.hands for card in hand]) - open_cards
            assert not [card for card in secret if f'"{card}"' in text]


@every_table
def test_imagined_worlds_fit_the_view_and_what_was_open(seats: int) -> None:
    random = Random(seats)
    for d, _, _ in walks(seats, 6):
        eyes = random.randrange(seats)
        view = json.dumps(view_for(d, eyes))
        world = imagine(GAME, json.loads(view), eyes, random.random)
        assert json.dumps(view_for(world, eyes)) == view
        assert sorted(cards_in(GAME, world)) == sorted(cards_in(GAME, d))
        for deal in (d, world):  # what is pinned and barred is true of the real deal too
            for other in range(seats):
                held = {card for card in deal.bought[other] + deal.figures[other] if card not in deal.discards}
                assert held <= set(deal.hands[other])
                barred = GAME.barred(deal, eyes).get(("hands", other), set())
                assert set(deal.hands[other]) & barred <= held


@every_table
def test_the_clock_is_legal_in_every_phase_for_every_seat_that_owes_a_word(seats: int) -> None:
    phases = set()
    for d, _, _ in walks(seats, 20):
        for seat in GAME.to_act(d):
            assert GAME.clock(d, seat) in GAME.legal(d, seat)
            phases.add(d.phase)
    assert phases == {"demand", "purchases", "sales", "surplus", "discards"}


@pytest.mark.parametrize("at_base", NEUTRALS)
def test_with_neutrals_everybody_may_speak_and_every_deal_ends(at_base: str) -> None:
    ends = 0
    for d, seat, _ in walks(2, 5, neutral=True, neutral_at_base=at_base):
        ends += seat == -1
        assert all(GAME.legal(d, each) for each in GAME.to_act(d))
    assert ends == 5


# The rule bot


@every_table
def test_the_rule_bot_decides_by_what_its_seat_may_know(seats: int) -> None:
    random = Random(seats)
    for d, seat, _ in walks(seats, 4):
        if seat == -1:
            continue
        words, view = GAME.legal(d, seat), json.loads(json.dumps(view_for(d, seat)))
        said = GAME.advise(d, seat, words)
        assert said in words
        assert GAME.advise(deal_seen(GAME, view), seat, words) == said
        assert GAME.advise(imagine(GAME, view, seat, random.random), seat, words) == said


@pytest.mark.parametrize(
    ("seats", "given"), [*((seats, {}) for seats in SEATS), *((2, given) for given in WITH_NEUTRALS)]
)
def test_the_rule_bot_beats_chance_by_five_standard_errors(seats: int, given: dict[str, Any]) -> None:
    played = []
    for number in range(6):
        played += arena.play_rotations(GAME, options(seats, **given), seats, "rule", "random", number, "tripwire")
    found = arena.strength(played, seats)
    assert found.place >= 5 * found.place_error
    assert found.place > 0.9 * (seats - 1) / 2, found  # first in nearly every deal
    assert found.gain > 15, found  # dollars above the table's mean; 20 to 27 were measured


# Whole matches


@every_table
def test_matches_with_house_rules_at_random_are_audited_clean(seats: int) -> None:
    for seed in range(5):
        random = Random(seed)
        m = started(table(seats), house_rules(table(seats), random), random)
        finish(m, random, "any word")
        assert (m.status, (m.result or {})["reason"], m.deals) == ("ended", "deals", 1)
        assert m.totals == m.deal.money
        events = stored(m.fresh)
        assert audit.audit(m.id, events) == []
        assert fold(m.id, events).result == m.result


@pytest.mark.parametrize(
    ("seats", "given", "named"),
    [
        (3, {"neutral": True}, "options.neutral"),
        (4, {"neutral": True, "neutral_at_base": "takes"}, "options.neutral"),
        (2, {"neutral": 1}, "options.neutral"),
        (2, {"neutral": None}, "options.neutral"),
        (2, {"neutral": "yes"}, "options.neutral"),
        (2, {"neutral": True, "neutral_at_base": "leaves"}, "options.neutral_at_base"),
        (2, {"neutral": True, "neutral_at_base": True}, "options.neutral_at_base"),
        (4, {"sell_singles": "all"}, "options.sell_singles"),
        (4, {"sell_singles": None}, "options.sell_singles"),
        (4, {"target": 50}, "options.target"),
        (4, {"deals": 2}, "options.deals"),
        (4, {"won_gems_reusable": True}, "options.won_gems_reusable"),
    ],
)
def test_options_that_do_not_go_are_refused_by_name(seats: int, given: dict[str, Any], named: str) -> None:
    with pytest.raises(OptionsError) as refusal:
        options(seats, **given)
    assert list(refusal.value.errors) == [named]


@pytest.mark.parametrize("seats", [0, 1, 5, 6])
def test_tables_of_less_than_two_or_more_than_four_are_refused(seats: int) -> None:
    with pytest.raises(OptionsError) as refusal:
        options(seats)
    assert list(refusal.value.errors) == ["seats"]


@pytest.mark.parametrize(("seats", "given"), [(2, WITH_NEUTRALS[0]), (3, {}), (4, {"sell_singles": "surplus"})])
def test_words_that_are_none_are_refused_in_every_phase_and_nothing_is_recorded(
    seats: int, given: dict[str, Any]
) -> None:
    random = Random(seats)
    m = started(table(seats), given, random)
    while not m.over:
        d, version = m.deal, m.version
        seat = random.choice(m.to_act)
        elsewhere = [f"{verb} {card}" for verb in ("sell", "discard") for card in PACK if card not in d.hands[seat]]
        card = (d.hands[seat] or ["7H"])[0]
        of_another_phase = {
            "demand": ["buy", "pass", f"sell {card}", f"discard {card}"],
            "purchases": ["place 0", "neutral 0", f"sell {card}"],
            "sales": ["buy", "place 0", f"discard {card}"],
            "surplus": ["buy", "place 0", "sell " + " ".join(d.hands[seat][:2])],
            "discards": ["pass", "place 0", f"sell {card}"],
        }[d.phase]
        for word in [*random.sample([*NO_WORDS, *elsewhere], 12), *of_another_phase]:
            with pytest.raises(errors.IllegalMoveError):
                decide.move(m, seat, word, lambda: bytes(32))
        for other in set(range(seats)) - set(m.to_act):
            with pytest.raises(errors.NotYourTurnError):
                decide.move(m, other, random.choice(["pass", "buy", "place 0", "sell 7H"]), lambda: bytes(32))
        assert m.version == version
        decide.move(m, seat, next_word(d, seat, random), lambda: bytes(32))
