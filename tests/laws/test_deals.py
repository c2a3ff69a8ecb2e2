"""What holds in every deal of every game, whatever the house rules."""

from __future__ import annotations

import json
from random import Random

import pytest

from domain.imagine import cards_in
from domain.secrecy import EVERYTHING, view_for
from tests.laws.tables import Table, dealt, house_rules, some_deals, tables, walk, walks

every_table = pytest.mark.parametrize("table", tables(), ids=str)


@every_table
def test_no_card_is_lost_or_made(table: Table) -> None:
    for deal, d, _ in walks(table):
        assert sorted(cards_in(table.game, d)) == sorted(deal.pack), deal


@every_table
def test_who_owes_a_word_is_a_seat_of_the_deal_named_once(table: Table) -> None:
    for deal, d, _ in walks(table):
        owing = table.game.to_act(d)
        assert len(owing) == len(set(owing)), deal
        assert set(owing) <= set(deal.seats) == set(d.seats), deal


@every_table
def test_who_owes_a_word_may_say_one_and_nobody_else_speaks_unless_out_of_turn(table: Table) -> None:
    game = table.game
    for deal, d, _ in walks(table):
        owing = game.to_act(d)
        for seat in range(table.seats):
            asked = [word for word in game.legal(d, seat) if word.split(" ")[0] not in game.OUT_OF_TURN]
            assert bool(asked) == (seat in owing), (seat, asked, str(deal))


@every_table
def test_nothing_is_legal_once_the_deal_is_over_or_for_a_seat_that_watches(table: Table) -> None:
    for deal, d, _ in walks(table):
        over = not table.game.to_act(d)
        for seat in range(table.seats):
            assert not (table.game.legal(d, seat) and (over or seat not in deal.seats)), (seat, str(deal))


@every_table
def test_a_legal_word_is_listed_once_in_the_event_s_spelling(table: Table) -> None:
    for deal, d, _ in walks(table):
        for seat in deal.seats:
            words = table.game.legal(d, seat)
            assert len(words) == len(set(words)), (seat, words, str(deal))
            assert [table.game.spell(word) for word in words] == words, (seat, words, str(deal))
            assert all(word == " ".join(word.split()) != "" for word in words), (seat, words, str(deal))


@every_table
def test_what_the_house_and_the_clock_say_is_legal_in_every_phase(table: Table) -> None:
    game = table.game
    for deal, d, _ in walks(table):
        for seat in game.to_act(d):
            words = game.words_of_the_house(d, seat)
            assert words, (seat, str(deal))
            assert set(words) <= set(game.legal(d, seat)), (seat, words, str(deal))
            assert game.clock(d, seat) in words, (seat, str(deal))


@every_table
def test_the_rule_bot_says_one_of_the_words_it_is_given(table: Table) -> None:
    game = table.game
    for deal, d, random in walks(table):
        for seat in game.to_act(d):
            words = game.words_of_the_house(d, seat)
            few = random.sample(words, random.randint(1, len(words)))
            assert game.advise(d, seat, words) in words, (seat, str(deal))
            assert game.advise(d, seat, few) in few, (seat, few, str(deal))


@every_table
def test_asking_changes_nothing(table: Table) -> None:
    game = table.game
    for deal, d, _ in walks(table):
        before = json.dumps(view_for(d, EVERYTHING))
        for seat in range(table.seats):
            game.legal(d, seat)
        for seat in game.to_act(d):
            game.clock(d, seat)
            game.advise(d, seat, game.words_of_the_house(d, seat))
        game.tally(d)
        game.forfeit(d)
        assert json.dumps(view_for(d, EVERYTHING)) == before, deal


@every_table
@pytest.mark.parametrize("manner", ["any word", "what the house may say", "what the clock says"])
def test_every_deal_ends(table: Table, manner: str) -> None:
    for deal, random in some_deals(table):
        assert sum(1 for _ in walk(deal, random, manner)) == len(deal.words) + 1
        assert table.game.to_act(deal.d) == []


@every_table
def test_the_same_words_from_the_same_pack_make_the_same_deal(table: Table) -> None:
    for deal, random in some_deals(table):
        pack, totals = deal.pack[:], deal.totals[:]
        assert sum(1 for _ in walk(deal, random))
        again = dealt(table, {}, Random(0))
        again.options, again.seats, again.dealer = deal.options, deal.seats, deal.dealer
        again.pack, again.totals = deal.pack, deal.totals
        again.__post_init__()
        for seat, word in deal.words:
            again.say(seat, word)
        assert json.dumps(again.record()) == json.dumps(deal.record())
        assert json.dumps(view_for(again.d, EVERYTHING)) == json.dumps(view_for(deal.d, EVERYTHING)), deal
        assert (pack, totals) == (deal.pack, deal.totals), "a deal must not change the lists it was made from"


@every_table
def test_a_tally_can_be_asked_for_at_any_moment_and_survives_json(table: Table) -> None:
    for deal, d, _ in walks(table):
        tally = table.game.tally(d)
        read = json.loads(json.dumps(tally))
        lines = table.game.score(deal.options, deal.seats, tally)
        assert table.game.score(deal.options, deal.seats, read) == lines, deal
        for seat, reason, points in lines:
            assert seat in deal.seats, (reason, str(deal))
            assert reason, str(deal)
            assert type(points) is int, (reason, points, str(deal))
        for ties in (table.game.ties(tally), table.game.ties(read)):
            assert len(ties) in (0, table.seats), deal


@every_table
def test_house_rules_are_drawn_in_every_mix_that_is_not_refused(table: Table) -> None:
    """The laws say little if the house rules never change: every option is drawn away from its default."""
    random = Random(str(table))
    mixes = [house_rules(table, random) for _ in range(60)]
    assert len({json.dumps(mix, sort_keys=True) for mix in mixes}) > min(1, len(mixes[0]))
