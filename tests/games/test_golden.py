"""Every golden deal replays, word by word, to the same tally and the same lines, under the rules it was played by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from domain import rules
from tests.games.golden import choices, files, lines
from tests.laws.tables import Dealt, Table

VARIANTS = [(game, variant) for game, found in rules.games().items() for variant in found.VARIANTS]
every_variant = pytest.mark.parametrize(("game", "variant"), VARIANTS)


def replayed(file: Path, line: dict[str, Any]) -> Dealt:
    """The deal as its recorded options, pack and words make it; each word must have been legal."""
    game_id, variant, _ = file.name.split(".")
    game = rules.games()[game_id]
    options = rules.recorded(game, line["options"])
    table = Table(game, variant, len(line["totals"]))
    deal = Dealt(table, options, line["seats"], line["dealer"], line["pack"], line["totals"])
    for seat, word in line["words"]:
        assert word in game.legal(deal.d, seat), (len(deal.words), seat, word)
        deal.say(seat, word)
    return deal


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_golden_deals_replay_to_the_same_score(file: Path) -> None:
    """The rules of a match are its recorded options; what they do not name has its default, the old way (C21)."""
    for number, line in enumerate(lines(file), 1):
        deal = replayed(file, line)
        assert line["rules"] <= deal.table.game.RULES
        record = json.loads(json.dumps(deal.record()))
        assert record["options"].items() >= line["options"].items(), f"line {number}"
        for name in ("seats", "dealer", "pack", "totals", "words", "tally", "lines"):
            assert record[name] == line[name], f"line {number}: {name}"


@every_variant
def test_every_variant_has_at_least_twenty_golden_deals_at_every_seat_count(game: str, variant: str) -> None:
    found = rules.games()[game]
    deals = [line for file in files() if file.name == f"{game}.{variant}.jsonl" for line in lines(file)]
    assert len(deals) >= 20
    assert {len(line["totals"]) for line in deals} == set(found.VARIANTS[variant].seats)
    assert found.RULES in {line["rules"] for line in deals}


@every_variant
def test_the_golden_deals_cover_every_choice_of_every_option(game: str, variant: str) -> None:
    deals = [line for file in files() if file.name == f"{game}.{variant}.jsonl" for line in lines(file)]
    missing = {(name, value) for name, value in choices(rules.games()[game], variant)
               if all(line["options"].get(name) != value for line in deals)}  # fmt: skip
    assert not missing
