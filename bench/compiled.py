"""Deals of rule bots a second in the arena: a `make compiled` against the sources as they stand, by processor time.

The module also answers for one tree, as a process of its own: `python -m bench.compiled`, there.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from statistics import geometric_mean

from bench.measure import Row, interleaved
from domain.arena import play_deal
from domain.rules import Game, effective, games

ROOT = Path(__file__).parents[1]
COMPILED = ROOT / ".venv" / "compiled"


def rows(rounds: int) -> list[Row]:
    """None where nothing is compiled, and a word."""
    if not (COMPILED / "made").exists():
        sys.stderr.write("nothing is compiled, and so not measured: make compiled\n")
        return []
    ours, peer, ratio = interleaved(lambda: _asked(COMPILED), lambda: _asked(ROOT), rounds)
    return [
        Row(
            "arena deals of `rule`, games and bots compiled",
            "the same in plain Python",
            ours,
            peer,
            "deals/s",
            ratio,
            "≥ 2.0",
        )
    ]


def _asked(tree: Path) -> float:
    return float(
        subprocess.run([sys.executable, "-m", "bench.compiled"], cwd=tree, check=True, capture_output=True).stdout
    )


def _deals(game: Game, seconds: float = 0.6) -> float:
    variant, preset = next(iter(game.VARIANTS.items()))
    seats = preset.seats[-1]
    options, deals, started = effective(game, variant, {}, seats), 0, time.process_time()
    while time.process_time() - started < seconds:
        play_deal(game, options, ["rule"] * seats, f"bench/{deals}")
        deals += 1
    return deals / (time.process_time() - started)


if __name__ == "__main__":
    sys.stdout.write(f"{geometric_mean(map(_deals, games().values()))}\n")
