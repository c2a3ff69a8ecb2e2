"""A short storm over a whole house: `make chaos` in half a minute. Read beside it: bench/chaos.py, test_kill.py."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable

from tests.workers.tables import ROOT

SECONDS = 12


def test_everything_is_killed_at_random_and_all_that_was_acknowledged_is_there_once(
    figures: Callable[[str], None],
) -> None:
    seed = random.randrange(10**6)
    command = [sys.executable, "-m", "bench.chaos", "--seconds", str(SECONDS), "--seed", str(seed)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "all is there, once, and whole" in ended.stdout and "at fault: 0" in ended.stdout
    figures(next(line for line in ended.stdout.splitlines() if "killed" in line) + f" --seed {seed}")
