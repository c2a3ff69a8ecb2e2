"""Bot against bot: a table of one kind gives exactly 0, a seed gives the same figures again, a command writes them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli import main
from domain.arena import play_rotations, strength
from domain.rules import effective, games


@pytest.mark.parametrize("bot", ["random", "rule"])
@pytest.mark.parametrize("game", games())
def test_a_table_of_one_kind_gives_exactly_nothing(game: str, bot: str) -> None:
    rules = games()[game]
    for variant, preset in rules.VARIANTS.items():
        seats = preset.seats[-1]
        options = effective(rules, variant, {}, seats)
        played = [each for deal in range(3) for each in play_rotations(rules, options, seats, bot, bot, deal, "zero")]
        found = strength(played, seats)
        assert (found.gain, found.gain_error, found.place, found.place_error) == (0, 0, 0, 0), variant
        assert (found.won, found.won_error) == (1 / seats, 0), variant


def test_the_same_seed_gives_the_same_results_and_another_one_does_not() -> None:
    rules = games()["polignac"]
    options = effective(rules, "polignac", {}, 4)
    once, again, other = (play_rotations(rules, options, 4, "rule", "random", 1, seed) for seed in ("a", "a", "b"))
    assert once == again != other


def test_the_command_measures_and_writes_every_result(tmp_path: Path) -> None:
    file = tmp_path / "a b.csv"
    words = ["arena", "polignac", "--deals", "20", "-o", "declarations=none", "--seed", "7", "--csv", str(file)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "rule against 3 × random" in done.output
    rows = list(csv.DictReader(file.open(encoding="utf-8")))
    assert len(rows) == 20 * 4
    assert {row["seat"] for row in rows} == {"0", "1", "2", "3"}
    assert sum(float(row["gain"]) for row in rows) / len(rows) > 0.2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["knaves"], "'knaves' is none of"),
        (["polignac", "--variant", "hearts"], "'hearts' is none of"),
        (["polignac", "--seats", "7"], "3 to 6 seats, not 7"),
        (["polignac", "--bot", "genius"], "'genius' is none of random, rule"),
        (["polignac", "-o", "target=0"], "0 is no whole number from 1 to 100"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_the_work(words: list[str], said: str) -> None:
    done = CliRunner().invoke(main, ["arena", *words])
    assert done.exit_code == 2
    assert said in done.output.replace("\n", " ")
