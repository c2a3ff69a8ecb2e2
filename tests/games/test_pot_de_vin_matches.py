"""Whole matches of Pot de Vin, each with its own card table (6.3), audited; what is refused. Beside: pot_de_vin.py."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain import audit, decide, errors
from domain.event import Event
from domain.games import pot_de_vin
from domain.match import Match, fold
from domain.rules import OptionsError
from tests.games.pot_de_vin import JOKERS, NO_WORDS, PACK, SEATS, next_word, options, table
from tests.laws.matches import finish, opened, started, stored
from tests.laws.tables import house_rules

every_table = pytest.mark.parametrize("seats", SEATS)


# 6 The card table belongs to the match


def test_a_stored_match_is_played_and_scored_with_its_own_table() -> None:
    other = {card: "knights" if card[1:] == "4" else "assassins assassins assassins" for card in PACK}
    plan = opened(table(3), {})
    assert plan["options"]["cards"] == pot_de_vin.CARRIED
    plan["options"] |= {"cards": other, "gem_points": 50, "hand_sizes": {"3": 2}, "starting_gems": {"3": 1}}
    m = Match("m-old")
    decide.open_match(m, plan, lambda: bytes(range(32)))
    assert [len(hand) for hand in m.deal.hands] == [2, 2, 2]
    finish(m, Random(1), "any word")
    again = fold("m-old", stored(m.fresh))
    assert (again.totals, again.result) == (m.totals, m.result)
    assert audit.audit("m-old", stored(m.fresh)) == []
    tally = next(event.data["tally"] for event in m.fresh if event.type == "scored")
    for won, columns in zip(tally["won"], tally["columns"], strict=True):
        fours = sum(card[1:] == "4" for card in won)
        assert (columns["knights"], columns["assassins"]) == (fours, 3 * (len(won) - fours))
    lines = next(event.data["lines"] for event in m.fresh if event.type == "scored")
    assert sum(line["points"] for line in lines if line["reason"] == "gems") == 150


@every_table
def test_matches_with_house_rules_at_random_are_audited_clean(seats: int) -> None:
    for seed in range(10):
        random = Random(seed)
        m = started(table(seats), house_rules(table(seats), random), random)
        finish(m, random, "any word")
        events: list[Event] = stored(m.fresh)
        assert audit.audit(m.id, events) == []
        assert fold(m.id, events).totals == m.totals


# Bad input


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"target": 50}, "options.target"),
        ({"deals": 2}, "options.deals"),
        ({"cards": {}}, "options.cards"),
        ({"gem_points": 1}, "options.gem_points"),
        ({"hand_sizes": {"4": 10}}, "options.hand_sizes"),
        ({"starting_gems": {"4": 9}}, "options.starting_gems"),
        ({"plus_two_points": 2}, "options.plus_two_points"),
        ({"columns": []}, "options.columns"),
        ({"columns": [0] * 101}, "options.columns"),
        ({"columns": [0, 1, "3"]}, "options.columns"),
        ({"columns": [0, 101]}, "options.columns"),
        ({"columns": [0, True]}, "options.columns"),
        ({"columns": 7}, "options.columns"),
        ({"columns": None}, "options.columns"),
        ({"pot_points": -101}, "options.pot_points"),
        ({"all_pots_points": 1.5}, "options.all_pots_points"),
        ({"won_gems_reusable": 1}, "options.won_gems_reusable"),
        ({"revoke": "claim"}, "options.revoke"),
    ],
)
def test_options_that_do_not_go_are_refused_by_name(given: dict[str, Any], named: str) -> None:
    with pytest.raises(OptionsError) as refusal:
        options(**given)
    assert list(refusal.value.errors) == [named]


@pytest.mark.parametrize("seats", [0, 1, 2, 6, 7])
def test_tables_of_less_than_three_or_more_than_five_are_refused(seats: int) -> None:
    with pytest.raises(OptionsError) as refusal:
        options(seats)
    assert list(refusal.value.errors) == ["seats"]


@every_table
def test_words_that_are_none_are_refused_in_every_phase_and_nothing_is_recorded(seats: int) -> None:
    random = Random(seats)
    m = started(table(seats), {}, random)
    while not m.over:
        seat, version = random.choice(m.to_act), m.version
        cards_elsewhere = [card for card in PACK if card not in m.deal.hands[seat]]
        words = [*NO_WORDS, *cards_elsewhere, *(JOKERS if m.deal.phase == "tricks" else ["bribe", *PACK])]
        for word in random.sample(words, 12):
            with pytest.raises(errors.IllegalMoveError):
                decide.move(m, seat, word, lambda: bytes(32))
        for other in set(range(seats)) - set(m.to_act):
            with pytest.raises(errors.NotYourTurnError):
                decide.move(m, other, random.choice(["bribe", *JOKERS, *PACK]), lambda: bytes(32))
        assert m.version == version
        decide.move(m, *next_word(m.deal, random), lambda: bytes(32))
