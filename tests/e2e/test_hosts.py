"""Several hosts: two `tapete api` and three `tapete worker` on one Postgres and one Redis. Beside it: bench/table.py.

All stand on one machine here; what they have in common is what hosts would have: two URLs.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import requests

from bench.chaos import compared, seen
from bench.table import Table
from tests.api.conftest import environment
from tests.e2e.command import free_port
from tests.workers.tables import ROOT, wait_for

MATCHES = 24
START_SECONDS = 120  # of five programs at once, on a machine that has other things to do
GAMES = {"polignac": {"deals": 1}, "bottle_imp": {"deals": 1}, "pot_de_vin": {}, "mykonos": {}}


@dataclass
class Part:
    """One `tapete api` or `tapete worker`."""

    words: tuple[str, ...]
    log: Path
    variables: dict[str, str]
    url: str = ""

    def start(self) -> None:
        with self.log.open("wb") as log:
            command = [sys.executable, "-m", "api.cli", *self.words]
            self.process = subprocess.Popen(command, cwd=ROOT, env=os.environ | self.variables, stdout=log, stderr=log)
        if self.url:
            wait_for(self._answers, START_SECONDS)
        else:
            wait_for(lambda: b"ready." in self.log.read_bytes(), START_SECONDS)

    def stop(self) -> None:
        """SIGTERM, after which it has to end well."""
        self.process.terminate()
        assert self.process.wait(20) == 0, f"{self.words}: {self.log.read_text()[-3000:]}"

    def _answers(self) -> bool:
        with suppress(requests.RequestException):
            return requests.get(f"{self.url}/readyz", timeout=5).ok
        return False


def parts(database_url: str, redis_url: str, folder: Path) -> list[Part]:
    variables = environment(database_url, redis_url)
    ports = [free_port(), free_port()]
    return [
        *(
            Part(("api", "--port", str(port)), folder / f"api {port}", variables, f"http://127.0.0.1:{port}")
            for port in ports
        ),
        *(Part(("worker",), folder / f"worker {number}", variables) for number in range(3)),
    ]


def test_matches_of_all_games_over_two_apis_and_three_workers_while_they_are_started_again(
    database_url: str, redis_url: str, tmp_path: Path, figures: Callable[[str], None]
) -> None:
    running = parts(database_url, redis_url, tmp_path)
    with ThreadPoolExecutor(5) as threads, ThreadPoolExecutor(8) as guests:
        try:
            list(threads.map(Part.start, running))
            bases = [part.url for part in running if part.url]
            tables = [
                Table(bases, game, options, persons, 4 - persons, random.Random(number))
                for number in range(MATCHES // 8)
                for game, options in GAMES.items()
                for persons in (1, 2)
            ]
            playing = [guests.submit(table.run) for table in tables]
            for some in (running[::2], running[1::2]):  # an API and a worker or two; the others go on
                time.sleep(0.5)
                list(threads.map(Part.stop, some))
                list(threads.map(Part.start, some))
            wait_for(lambda: all(one.done() for one in playing), 180)
            for one in playing:
                one.result()
            list(threads.map(Part.stop, running))
        finally:
            guests.shutdown(wait=False, cancel_futures=True)
            for part in running:
                part.process.kill()
                part.process.wait()
    assert seen(tables) + compared(database_url, tables) == []
    answers = sum((table.answers for table in tables), Counter[int]())
    assert answers.keys() <= {200, 201, 412}, answers
    moves, cut, slowest = (sum(len(t.said) for t in tables), sum(t.cut for t in tables), max(t.slowest for t in tables))
    figures(f"{moves} moves in {len(tables)} matches, {cut} connections cut, slowest request {slowest:.1f} s")


def test_a_parent_that_kills_a_process_which_has_just_gone_ends_well() -> None:
    program = "from types import SimpleNamespace; from api import serving; serving.worker_exit(None, SimpleNamespace())"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=os.environ, check=True)
