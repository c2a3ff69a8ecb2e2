"""Pot de Vin: what holds at every word of deals played at random, whatever the house rules. Beside: pot_de_vin.py."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from domain import arena
from domain.imagine import cards_in, deal_seen, imagine
from domain.secrecy import view_for
from tests.games.pot_de_vin import GAME, GUILDS, NO_WORDS, PACK, SEATS, after_word, options, walks

every_table = pytest.mark.parametrize("seats", SEATS)
LEAST_GAIN = {3: 10, 4: 7.5, 5: 7}  # points above the table's mean; 12.0, 8.5 and 8.0 were measured


@every_table
def test_V13_the_gems_on_the_trick_and_of_the_seats_are_always_four_a_seat(seats: int) -> None:
    for d, _, _ in walks(seats):
        assert sum(d.gems) + sum(d.treasure) + len(d.bribed) == 4 * seats
        assert min(d.gems + d.treasure) >= 0
        assert max(d.gems) <= 4


@every_table
def test_in_a_trick_each_seat_that_holds_a_card_is_asked_once_from_the_leader_on(seats: int) -> None:
    due: list[int] = []
    for d, seat, _ in walks(seats):
        if d.phase == "tricks" and not d.trick:
            assert due == []
            due = [other for other in around(seat, seats) if d.hands[other]]
        if d.phase == "tricks":
            assert GAME.to_act(d) == [due.pop(0)] == [seat]


@every_table
def test_a_trick_goes_whole_to_the_seat_that_the_page_names_and_it_leads_if_it_can(seats: int) -> None:
    for d, seat, word in walks(seats):
        if d.phase != "tricks" or len(d.waiting) > 1:
            continue
        played = [(owner, card) for owner, card in d.trick] + ([(seat, word)] if word != "bribe" else [])
        winner, before, after = page_winner(d.turned[0], played), view_for(d, "all"), after_word(d, seat, word)
        taken = [d.turned[0], *(card for _, card in played)]
        for other in range(seats):
            gained = after.won[other][len(before["won"][other]) :]
            assert sorted(gained) == (sorted(taken) if other == winner else [])
        gems = len(d.bribed) + (word == "bribe")
        spent = gems and word == "bribe" and not d.gems[seat]
        assert sum(after.treasure) == sum(d.treasure) + gems - spent
        assert after.treasure[winner] == d.treasure[winner] + gems - (spent and seat == winner)
        if after.phase == "tricks":
            assert GAME.to_act(after) == [next(other for other in around(winner, seats) if after.hands[other])]


def page_winner(turned: str, played: list[tuple[int, str]]) -> int:
    """Rule 2.5 as the page says it."""
    trumps = [(int(card[1:]), seat) for seat, card in played if card[0] == turned[0]]
    followers = [(int(card[1:]), seat) for seat, card in played if card[0] == played[0][1][0]]
    return max(trumps or followers)[1]


def around(leader: int, seats: int) -> list[int]:
    return [*range(leader, seats), *range(leader)]


@every_table
def test_the_leader_always_plays_and_a_follower_follows_if_he_can(seats: int) -> None:
    for d, seat, _ in walks(seats):
        if d.phase != "tricks":
            continue
        words, hand = GAME.legal(d, seat), d.hands[seat]
        following = [card for card in hand if d.trick and card[0] == d.trick[0][1][0]]
        purse = d.gems[seat] + d.treasure[seat] * d.options.won_gems_reusable
        assert [word for word in words if word != "bribe"] == (following or hand)
        assert ("bribe" in words) == bool(d.trick and purse)


@every_table
def test_the_tricks_end_when_the_deck_or_every_hand_is_empty_and_never_before(seats: int) -> None:
    for d, _, _ in walks(seats):
        if d.phase == "tricks":
            assert d.turned
            assert any(d.hands)
        else:
            assert not (d.turned or d.trick or d.bribed)
            assert not d.deck or not any(d.hands)


@every_table
def test_symbols_and_jokers_are_those_of_the_cards_won_and_no_joker_is_laid_twice(seats: int) -> None:
    laid: Counter[tuple[int, str]] = Counter()
    for d, seat, word in walks(seats):
        for owner in range(seats):
            found = Counter(s for card in d.won[owner] for s in d.options.cards[card].split(" "))
            for guild in GUILDS:
                assert d.columns[owner][guild] == found[guild] + laid[owner, guild]
                found["joker"] -= laid[owner, guild]
            for grey in ("joker", "plus_two", "minus_two", "pot_de_vin"):
                assert d.columns[owner][grey] == found[grey] >= 0
        if word.startswith("joker "):
            laid[seat, word.split(" ")[1]] += 1
        if seat == -1:
            assert all(columns["joker"] == 0 for columns in d.columns)
            laid.clear()


@every_table
def test_points_lie_within_their_bounds(seats: int) -> None:
    """Every gem ends with a seat; no column pays more than 15 or less than -6."""
    for d, seat, _ in walks(seats):
        if seat != -1:
            continue
        tally = json.loads(json.dumps(GAME.tally(d)))
        lines = GAME.score(options(seats), list(range(seats)), tally)
        assert sum(paid for _, reason, paid in lines if reason == "gems") == 4 * seats
        assert all(-6 <= paid <= 15 for _, reason, paid in lines if reason in GUILDS)
        assert sum(sum(columns.values()) for columns in tally["columns"]) <= 52
        assert GAME.score(options(seats), list(range(seats)), tally | {"won": None}) == lines


@every_table
def test_the_clock_plays_the_lowest_card_and_never_bribes(seats: int) -> None:
    for d, seat, _ in walks(seats):
        if d.phase != "tricks":
            continue
        playable = [card for card in GAME.legal(d, seat) if card != "bribe"]
        order = [f"{character}{value}" for value in range(1, 14) for character in "AEPU"]
        assert GAME.clock(d, seat) == next(card for card in order if card in playable)


@every_table
def test_the_clock_is_legal_in_every_phase_for_every_seat_that_owes_a_word(seats: int) -> None:
    phases = set()
    for d, _, _ in walks(seats):
        for seat in GAME.to_act(d):
            assert GAME.clock(d, seat) in GAME.legal(d, seat)
            phases.add(d.phase)
    assert phases == {"tricks", "jokers"}


def test_a_seat_reads_its_own_hand_and_only_sizes_of_the_rest() -> None:
    for d, _, _ in walks(4, 8):
        for eyes in (0, 2, None):
            view = view_for(d, eyes)
            hidden = [d.hands[seat] if seat == eyes else len(d.hands[seat]) for seat in range(4)]
            assert (view["hands"], view["deck"]) == (hidden, len(d.deck))
            text = json.dumps({name: value for name, value in view.items() if name not in ("options", "hands")})
            out_of_sight = d.deck + [card for seat in range(4) for card in d.hands[seat]]
            assert not [card for card in out_of_sight if f'"{card}"' in text]


@every_table
def test_cards_are_neither_lost_nor_made_and_imagined_worlds_fit_the_view(seats: int) -> None:
    random = Random(seats)
    for d, _, _ in walks(seats, 6):
        assert sorted(cards_in(GAME, d)) == sorted(PACK)
        eyes = random.randrange(seats)
        view = json.dumps(view_for(d, eyes))
        world = imagine(GAME, json.loads(view), eyes, random.random)
        assert json.dumps(view_for(world, eyes)) == view
        for other in range(seats):
            assert not [card for card in world.hands[other] if card[0] in d.voids[other]]


@every_table
def test_what_happens_by_itself_is_told_once(seats: int) -> None:
    for d, seat, word in walks(seats, 10):
        if seat == -1:
            continue
        after = after_word(d, seat, word)
        closed = d.phase == "tricks" and len(d.waiting) == 1
        assert [news["what"] for news in after.news if news["what"] == "won"] == ["won"] * closed
        assert ("turned" in [news["what"] for news in after.news]) == (closed and after.phase == "tricks")
        for news in after.news:
            if news["what"] == "leads":
                winner = next(one["seat"] for one in after.news if one["what"] == "won")
                assert (after.hands[winner], GAME.to_act(after)) == ([], [news["seat"]])


def test_no_word_is_legal_that_is_on_the_list_of_those_that_are_none() -> None:
    for d, _, _ in walks(4, 10):
        for seat in range(4):
            assert not set(GAME.legal(d, seat)) & set(NO_WORDS)


@every_table
def test_the_rule_bot_decides_by_what_its_seat_may_know(seats: int) -> None:
    random = Random(seats)
    for d, seat, _ in walks(seats, 8):
        if seat == -1:
            continue
        words, view = GAME.legal(d, seat), json.loads(json.dumps(view_for(d, seat)))
        said = GAME.advise(d, seat, words)
        assert said in words
        assert GAME.advise(deal_seen(GAME, view), seat, words) == said
        assert GAME.advise(imagine(GAME, view, seat, random.random), seat, words) == said


@every_table
def test_the_rule_bot_beats_chance_by_five_standard_errors(seats: int) -> None:
    played = []
    for number in range(30):
        played += arena.play_rotations(GAME, options(seats), seats, "rule", "random", number, "tripwire")
    found = arena.strength(played, seats)
    assert found.place > 5 * found.place_error > 0, found
    assert found.gain > LEAST_GAIN[seats], found
