"""A game that is one module and its rules page: no other file knows of it. docs/add_a_game.md walks through it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from domain import bots, decide
from domain.audit import audit
from domain.bots.asked import Asked
from domain.imagine import cards_in, imagine
from domain.match import Match, fold
from domain.rules import OptionsError, effective, games
from domain.scoring import transfers
from domain.secrecy import options_json, view_for
from domain.sheets import sheet


def whole_match(seats: int, seed: int) -> Match:
    draw, game = random.Random(seed), games()["high_card"]
    opened = {
        "game": "high_card", "variant": "standard", "rules": 1, "host": "h", "visibility": "public", "rated": False,
        "clock": None, "fair": False, "options": options_json(effective(game, "standard", {}, seats)),
        "seats": [{"bot": "random"}] * seats,
    }  # fmt: skip
    m = Match("fifth")
    decide.open_match(m, opened, lambda: draw.randbytes(32))
    while not m.over:
        seat = m.to_act[0]
        view = json.dumps(view_for(m.deal, seat))
        world = imagine(game, json.loads(view), seat, draw.random)
        assert json.dumps(view_for(world, seat)) == view, f"seed {seed}"
        assert sorted(cards_in(game, world)) == sorted(cards_in(game, m.deal)) == sorted(game.pack(m.options, []))
        word = bots.choose(
            "random", Asked(game, json.loads(view), seat, decide.legal(m, seat), m.totals), draw.random
        ).word
        decide.move(m, seat, word, lambda: draw.randbytes(32))
    return m


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_fifth_game_is_played_replayed_audited_and_posted(seats: int) -> None:
    m = whole_match(seats, seed=seats)
    assert m.result and m.result["reason"] == "deals"
    assert sum(m.totals) >= 2 * 3  # two deals of three rounds, each won by somebody
    assert fold("fifth", m.fresh).result == m.result
    assert audit("fifth", m.fresh) == []
    made = transfers("fifth", m.fresh)
    assert made and all(sum(posting.amount for posting in each.postings) == 0 for each in made)


def test_its_options_are_checked_like_any_others() -> None:
    with pytest.raises(OptionsError, match="0 is no whole number from 1 to 100"):
        effective(games()["high_card"], "standard", {"deals": 0}, 3)
    with pytest.raises(OptionsError, match="2 to 6 seats, not 7"):
        effective(games()["high_card"], "standard", {}, 7)


def test_its_score_sheets_are_checked_by_the_shape_of_a_tally() -> None:
    game = games()["high_card"]
    options = effective(game, "standard", {}, 3)
    assert sheet(game, options, 3, [{"tally": {"won": [2, 0, 1]}}]).places == [1, 3, 2]
    for wrong in (
        {},
        {"won": [1, 2]},
        {"won": [1, 2, "3"]},
        {"won": None},
        {"won": [1, 2, True]},
        {"won": [1] * 3, "x": 1},
    ):
        with pytest.raises(OptionsError, match="tally"):
            sheet(game, options, 3, [{"tally": wrong}])


def test_the_page_shows_the_module_as_it_is() -> None:
    module = Path(__file__).parent / "games" / "high_card.py"
    page = (Path(__file__).parents[2] / "docs" / "add_a_game.md").read_text(encoding="utf-8")
    assert module.read_text(encoding="utf-8") in page
