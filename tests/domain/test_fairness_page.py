"""The program in docs/fairness.md, which needs nothing of ours, finds what is sound and what is not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from domain import seen
from domain.match import Match
from tests.laws.fair import fair_match, go_on
from tests.laws.matches import played
from tests.laws.tables import Table, tables

PAGE = (Path(__file__).parents[2] / "docs/fairness.md").read_text("utf-8")
FIRST = {table.game.id: table for table in reversed(tables())}


def checked(m: Match) -> list[str]:
    """What the program prints about a match, fed with the lines of its replay."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    events = [seen.event(m, event, None) for event in m.fresh]
    lines = "".join(json.dumps({"version": event["version"], "event": event}, default=str) + "\n" for event in events)
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], input=lines, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def fair(table: Table) -> Match:
    random = Random(f"{table} page")
    m = fair_match(table, random)
    while not m.over:
        go_on(m, random)
    return m


@pytest.mark.parametrize("game", FIRST)
def test_the_program_of_the_page_recomputes_every_pack_with_and_without_nonces(game: str) -> None:
    for m in (fair(FIRST[game]), played(FIRST[game], Random(game))):
        dealt = [event.data for event in m.fresh if event.type == "dealt"]
        assert checked(m) == [f"{number} sound {each['commitment']}" for number, each in enumerate(dealt, 1)]


def test_the_program_of_the_page_finds_a_lie() -> None:
    m = fair(FIRST["polignac"])
    at = next(n for n, event in enumerate(m.fresh) if event.type == "nonce")
    m.fresh[at] = m.fresh[at]._replace(data={**m.fresh[at].data, "nonce": "ff" * 9})
    assert [line.split(" ")[1] for line in checked(m)][0] == "NOT"


def test_the_program_of_the_page_is_short() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len([line for line in program.splitlines() if line]) <= 35


def test_the_vectors_of_the_page_are_those_that_are_tested() -> None:
    tests = Path(__file__).with_name("test_fairness.py").read_text("utf-8")
    digests = re.findall(r"(?:commitment|key) ([0-9a-f]{64})", PAGE)
    assert len(digests) == 12 and all(digest in tests for digest in digests)
