"""The engine against the second opinions of tests/games/second/: every step of many deals, and counts of sequences."""

from __future__ import annotations

import copy
import json
from random import Random
from types import ModuleType
from typing import Any

import pytest

from domain import cards, rules
from domain.imagine import Frozen
from domain.secrecy import options_json
from tests.games import golden
from tests.games.second import Perft, opinions
from tests.laws.tables import DEALS, Dealt, Table, dealt, house_rules, tables, walk

COUNTS = [(name, row) for name, opinion in opinions().items() for row in opinion.PERFT]
every_table = pytest.mark.parametrize("table", [t for t in tables() if t.game.id in opinions()], ids=str)


def position(deal: Dealt) -> tuple[Any, ...]:
    """What a second opinion is asked about."""
    options = json.loads(json.dumps(options_json(deal.options)))
    return options, deal.seats[:], deal.dealer, deal.pack[:], deal.totals[:], deal.words[:]


def allowed(deal: Dealt) -> dict[int, set[str]]:
    """What the engine says each seat may say."""
    every = {seat: set(deal.table.game.legal(deal.d, seat)) for seat in range(deal.table.seats)}
    return {seat: words for seat, words in every.items() if words}


def second(opinion: ModuleType, deal: Dealt) -> dict[int, set[str]]:
    return {seat: words for seat, words in opinion.legal(*position(deal)).items() if words}


@every_table
@pytest.mark.parametrize("number", range(2 * DEALS))
def test_both_opinions_agree_at_every_step_and_on_the_score(table: Table, number: int) -> None:
    random = Random(f"second {table} {number}")
    extra = bool(table.game.EXTRA_DEALS) and number == 1
    deal = dealt(table, house_rules(table, random) if number else {}, random, extra)
    agree_to_the_end(deal, random, "any word" if number % 2 else None)


def agree_to_the_end(deal: Dealt, random: Random, manner: str | None) -> None:
    """Both opinions allow the same at every step, and the deal costs the same by both."""
    opinion = opinions()[deal.table.game.id]
    for d in walk(deal, random, manner):
        assert second(opinion, deal) == allowed(deal), deal
        if deal.table.game.to_act(d):
            assert opinion.lines(*position(deal)) is None, deal
    assert without_zeros(opinion.lines(*position(deal))) == without_zeros(deal.record()["lines"]), deal


def without_zeros(lines: Any) -> list[tuple[int, str, int]] | None:
    """The lines of a score in one order; None when nothing is scored."""
    return None if lines is None else sorted((seat, reason, points) for seat, reason, points in lines if points)


def from_zeros(game: str, row: Perft) -> Dealt:
    """The fixed deal of a Perft row, after its words of the clock."""
    table = Table(rules.games()[game], row.variant, row.seats)
    options = rules.effective(table.game, row.variant, row.given, row.seats)
    seats = list(range(row.seats))
    pack = cards.shuffled(table.game.pack(options, seats), bytes(32))
    deal = Dealt(table, options, seats, 0, pack, [0] * row.seats)
    for _ in range(row.after):
        seat = table.game.to_act(deal.d)[0]
        deal.say(seat, table.game.clock(deal.d, seat))
    return deal


def sequences(deal: Dealt, depth: int) -> int:
    """How many sequences of words the engine allows."""
    if depth == 0:
        return 1
    count = 0
    for seat, words in allowed(deal).items():
        for word in words:
            after = copy.copy(deal)
            after.d, after.words = Frozen(deal.d).thawed(), deal.words[:]
            after.say(seat, word)
            count += sequences(after, depth - 1)
    return count


def second_sequences(opinion: ModuleType, at: tuple[Any, ...], depth: int) -> int:
    """The same by the second opinion alone."""
    if depth == 0:
        return 1
    *start, words = at
    told = [(seat, word) for seat, said in opinion.legal(*at).items() for word in said]
    return sum(second_sequences(opinion, (*start, [*words, step]), depth - 1) for step in told)


@pytest.mark.parametrize(("game", "row"), COUNTS, ids=[f"{game}-{n}" for n, (game, _) in enumerate(COUNTS)])
def test_both_opinions_count_the_same_sequences_of_words(game: str, row: Perft) -> None:
    deal = from_zeros(game, row)
    assert sequences(deal, row.depth) == row.count
    assert second_sequences(opinions()[game], position(deal), row.depth) == row.count


@pytest.mark.parametrize(
    ("game", "row"), [(game, row) for game, row in COUNTS if row.given], ids=lambda of: getattr(of, "variant", of)
)
def test_both_opinions_agree_to_the_end_under_the_house_rules_of_every_count(game: str, row: Perft) -> None:
    agree_to_the_end(from_zeros(game, row), Random(str(row)), "any word")


@pytest.mark.parametrize("game", opinions())
def test_golden_deals_of_the_present_rules_come_to_the_same_by_the_second_opinion(game: str) -> None:
    files = [file for file in golden.files() if file.name.split(".")[0] == game]
    present = [line for file in files for line in golden.lines(file) if line["rules"] == rules.games()[game].RULES]
    assert present
    for line in present:
        at = [line[name] for name in ("options", "seats", "dealer", "pack", "totals", "words")]
        assert without_zeros(opinions()[game].lines(*at)) == without_zeros(line["lines"]), line


def test_every_second_opinion_is_about_a_game_and_counts_something() -> None:
    assert set(opinions()) <= set(rules.games())
    assert all(opinion.PERFT for opinion in opinions().values())
