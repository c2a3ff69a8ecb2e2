"""`tapete arena`: how strong a bot is, on the same deals from every seat, over all cores. See domain/arena.py."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from domain import arena
from domain.bots import BOTS
from domain.rules import OptionsError, effective, games

DEALS_AT_ONCE = 5


class Event(NamedTuple):
    """What is measured: one bot against a field of others at one game, variant and number of seats."""

    game: str
    variant: str
    seats: int
    challenger: str
    field: str
    deals: int
    seed: str
    options: dict[str, Any]


def event(
    name: str, options: Sequence[str], *, variant: str | None, seats: int | None, deals: int, seed: str,
    bot: str, against: str, **_: object,
) -> Event:  # fmt: skip
    """What was asked for on the command line, completed. Raises OptionsError before any work begins."""
    game = games().get(name)
    if game is None:
        raise OptionsError({"GAME": f"{name!r} is none of {', '.join(games())}"})
    for each in (bot, against):
        if each not in BOTS:
            raise OptionsError({"bot": f"{each!r} is none of {', '.join(BOTS)}"})
    variant = variant or next(iter(game.VARIANTS))
    if seats is None and variant in game.VARIANTS:
        seats = 4 if 4 in game.VARIANTS[variant].seats else game.VARIANTS[variant].seats[-1]
    given = dict(_value(each) for each in options)
    effective(game, variant, given, seats or 0)
    return Event(name, variant, seats or 0, bot, against, deals, seed, given)


def _value(said: str) -> tuple[str, Any]:
    name, _, value = said.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def run(event: Event, file: Path | None, console: Console) -> arena.Strength:
    """Play it, print mean ± standard error, write every single result to `file` as CSV."""
    played = _played(event, console)
    strength = arena.strength(played, event.seats)
    console.print(_table(event, strength))
    if file:
        _write(file, event, played)
        console.print(f"{len(played)} results in {file}")
    return strength


def _played(event: Event, console: Console) -> list[arena.Played]:
    chunks = [range(at, min(at + DEALS_AT_ONCE, event.deals)) for at in range(0, event.deals, DEALS_AT_ONCE)]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress, ProcessPoolExecutor() as pool:
        bar = progress.add_task("deals", total=event.deals)
        found: list[arena.Played] = []
        waiting = {pool.submit(_chunk, event, chunk): len(chunk) for chunk in chunks}
        for done in as_completed(waiting):
            found += done.result()
            progress.advance(bar, waiting[done])
    return sorted(found)


def _chunk(event: Event, deals: Sequence[int]) -> list[arena.Played]:
    game = games()[event.game]
    options = effective(game, event.variant, event.options, event.seats)
    return [
        each
        for deal in deals
        for each in arena.play_rotations(game, options, event.seats, event.challenger, event.field, deal, event.seed)
    ]


def _table(event: Event, strength: arena.Strength) -> Table:
    title = f"{event.challenger} against {event.seats - 1} × {event.field}: {event.game} {event.variant}"
    table = Table("deals", "gain, points a deal", "places better than chance", "deals won", "seed", title=title)
    gain = f"{strength.gain:+.3f} ± {strength.gain_error:.3f}" if strength.gain else "0"
    place = f"{strength.place:+.3f} ± {strength.place_error:.3f}" if strength.place else "0"
    won = f"{strength.won:.1%} ± {strength.won_error:.1%}"
    table.add_row(str(strength.deals), gain, place, won, event.seed)
    return table


def _write(file: Path, event: Event, played: Sequence[arena.Played]) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out)
        rows.writerow([*Event._fields[:5], "deal", "seat", "points", "place", "gain", "won"])
        rows.writerows([*event[:5], *each[:3], *map(float, each[3:])] for each in played)
