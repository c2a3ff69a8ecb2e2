"""Golden deals: what was said at the table and what it came to, kept so that no change goes unnoticed.

`<game>.<variant>.jsonl` holds one deal a line: rules number, all effective options, seats that play, dealer, pack from
the top, totals before, words, tally, lines (null when the deal was never scored). `python -m tests.games.golden GAME`
writes them anew for the game's present RULES and leaves those of earlier numbers as they are: they replay for ever.
Two more files a game nothing overwrites: a failing deal that led to a correction is pasted into `<game>.faults.jsonl`,
and `<game>.rare.jsonl` keeps deals of what chance hardly ever brings (five in sequence of one suit, four jokers).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from domain import rules
from domain.rules import Game, OptionsError
from tests.laws.tables import MANNERS, Dealt, Table, dealt, house_rules, walk

FOLDER = Path(__file__).parent
LEAST, MOST = 24, 200  # deals a variant: more than the least only until every choice has been seen


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.jsonl"))


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def write(game: Game) -> Iterator[tuple[Path, int]]:
    """Writes the file of every variant; answers each with its number of deals."""
    for variant in game.VARIANTS:
        file = FOLDER / f"{game.id}.{variant}.jsonl"
        kept = [line for line in lines(file) if line["rules"] < game.RULES] if file.exists() else []
        told = [json.dumps(line, ensure_ascii=False) for line in [*kept, *played(game, variant)]]
        file.write_text("\n".join(told) + "\n", "utf-8")
        yield file, len(told)


def played(game: Game, variant: str) -> Iterator[dict[str, Any]]:
    """Deals at every number of seats: by the default options, tie-break deals, then any mix of options."""
    counts = list(game.VARIANTS[variant].seats)
    wanted = choices(game, variant)
    for number, seats in zip(range(MOST), cycle(counts), strict=False):
        if number >= LEAST and not wanted:
            return
        random = Random(f"golden {game.id} {variant} {number}")
        table = Table(game, variant, seats)
        extra = bool(game.EXTRA_DEALS) and len(counts) <= number < 2 * len(counts)
        deal = dealt(table, {} if number < len(counts) else house_rules(table, random), random, extra)
        wanted -= chosen(deal)
        for _ in walk(deal, random, MANNERS[number % len(MANNERS)]):
            pass
        yield deal.record()


def chosen(deal: Dealt) -> set[tuple[str, Any]]:
    """Every option that is a choice, and what it was."""
    found = [f for f in fields(deal.options) if f.metadata.get("choices") or f.type == "bool"]
    return {(f.name, getattr(deal.options, f.name)) for f in found}


def choices(game: Game, variant: str) -> set[tuple[str, Any]]:
    """Every choice of every option that some number of seats allows."""
    every = [f for f in fields(game.Options) if f.metadata.get("choices") or f.type == "bool"]
    return {
        (f.name, value)
        for f in every
        for value in (f.metadata.get("choices") or (False, True))
        if any(_allowed(game, variant, {f.name: value}, seats) for seats in game.VARIANTS[variant].seats)
    }


def _allowed(game: Game, variant: str, given: dict[str, Any], seats: int) -> bool:
    try:
        return rules.effective(game, variant, given, seats) is not None
    except OptionsError:
        return False
