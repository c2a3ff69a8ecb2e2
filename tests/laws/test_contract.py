"""What every game module offers: marks, texts, pages, options that survive JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from random import Random
from typing import Any

import pytest

from domain import rules
from domain.rules import Game, OptionsError
from domain.secrecy import marks, options_json
from tests.laws.tables import Table, house_rules, tables, walks

every_game = pytest.mark.parametrize("game", rules.games().values(), ids=rules.games())
every_table = pytest.mark.parametrize("table", tables(), ids=str)
LANGUAGES = {"en", "es"}


@every_game
def test_every_field_of_a_deal_has_a_secrecy_mark(game: Game) -> None:
    assert set(marks(game.Deal).values()) <= {"shown", "own", "counted", "said"}
    assert marks(game.Deal)["options"] == "shown"
    assert set(game.PLACES) <= set(marks(game.Deal))


@every_game
def test_every_name_and_option_is_told_in_both_languages(game: Game) -> None:
    told: list[Mapping[str, Any]] = [game.NAME, *(preset.name for preset in game.VARIANTS.values())]
    told += [f.metadata for f in fields(game.Options) if not f.metadata.get("fixed")]
    for texts in told:
        assert set(texts) >= LANGUAGES
        assert all(texts[language].strip() for language in LANGUAGES)


@every_game
@pytest.mark.parametrize("language", ["", ".es"])
def test_every_game_has_its_rules_page_beside_it(game: Game, language: str) -> None:
    page = game.page.with_name(f"{game.id}{language}.md").read_text("utf-8")
    assert page.startswith("# ")
    headings = [line for line in page.splitlines() if line.startswith("## ")]
    english = game.page.with_name(f"{game.id}.md").read_text("utf-8").splitlines()
    numbers = [line.split()[1] for line in headings]
    assert numbers == [line.split()[1] for line in english if line.startswith("## ")]


@every_game
def test_the_default_of_every_option_lies_within_its_bounds(game: Game) -> None:
    for f in fields(game.Options):
        default = getattr(game.Options(), f.name)
        if f.metadata.get("fixed") or default is None:
            continue
        if f.metadata["choices"]:
            assert default in f.metadata["choices"], f.name
        elif f.metadata["bounds"]:
            low, high = f.metadata["bounds"]
            each = default if isinstance(default, tuple) else (default,)
            assert all(low <= number <= high for number in each), f.name
        else:
            assert isinstance(default, bool), f.name


@every_table
def test_options_survive_json(table: Table) -> None:
    random = Random(str(table))
    for given in [{}, *(house_rules(table, random) for _ in range(10))]:
        options = rules.effective(table.game, table.variant, given, table.seats)
        kept = json.loads(json.dumps(options_json(options)))
        assert rules.recorded(table.game, kept) == options
        for name, value in json.loads(json.dumps(given)).items():
            assert kept[name] == value or name in ("target", "deals"), name


@every_table
def test_options_that_a_match_recorded_need_not_name_those_that_came_later(table: Table) -> None:
    options = rules.effective(table.game, table.variant, {}, table.seats)
    later = {
        f.name
        for f in fields(table.game.Options)
        if getattr(options, f.name) == getattr(rules.recorded(table.game, {}), f.name)
    }
    early = {name: value for name, value in options_json(options).items() if name not in later}
    assert rules.recorded(table.game, early) == options


@every_table
def test_an_option_that_is_wrong_is_refused_by_name(table: Table) -> None:
    for f in fields(table.game.Options):
        wrong = [{"no": "such"}, "no such choice", 10**9, -(10**9), 1.5, []]
        if f.metadata.get("fixed"):
            wrong = [getattr(table.game.Options(), f.name)]
        for value in wrong:
            with pytest.raises(OptionsError) as refused:
                rules.effective(table.game, table.variant, {f.name: value}, table.seats)
            assert list(refused.value.errors) == [f"options.{f.name}"], value


@every_game
def test_a_seat_count_or_variant_that_does_not_exist_is_refused(game: Game) -> None:
    for variant, preset in game.VARIANTS.items():
        for seats in {0, 1, preset.seats[0] - 1, preset.seats[-1] + 1, 100}:
            with pytest.raises(OptionsError) as refused:
                rules.effective(game, variant, {}, seats)
            assert list(refused.value.errors) == ["seats"]
    with pytest.raises(OptionsError) as refused:
        rules.effective(game, "no such variant", {}, 4)
    assert list(refused.value.errors) == ["variant"]


@every_table
def test_the_canonical_pack_names_each_card_once_and_is_made_anew_each_time(table: Table) -> None:
    options = rules.effective(table.game, table.variant, {}, table.seats)
    pack = table.game.pack(options, list(range(table.seats)))
    assert len(set(pack)) == len(pack)
    pack.clear()
    assert table.game.pack(options, list(range(table.seats)))


@every_table
@pytest.mark.parametrize("language", ["", ".es"])
def test_the_rules_page_names_every_word_that_can_be_said(table: Table, language: str) -> None:
    page = table.game.page.with_name(f"{table.game.id}{language}.md").read_text("utf-8")
    for deal, d, _ in walks(table):
        for seat in deal.seats:
            verbs = {word.split(" ")[0] for word in table.game.legal(d, seat)} - set(deal.pack)
            assert not [verb for verb in verbs if f"`{verb}" not in page], str(deal)
