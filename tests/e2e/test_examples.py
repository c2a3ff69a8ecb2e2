"""The programs in examples/ at a real server: whole matches, lost answers, and whoever is killed meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests

from domain.rules import games
from tests.e2e.command import ROOT, free_port, tapete, url_of
from tests.e2e.cutting import cutting
from tests.e2e.house import UNLIMITED

SHORT = {"polignac": {"deals": 1, "tie_break": "shared"}, "bottle_imp": {"deals": 1}}
MOST_LINES = 120
PATIENCE_SECONDS = 120

Figures = Callable[[str], None]
Program = subprocess.Popen[str]


@pytest.fixture(scope="module")
def served(database_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that limits nobody."""
    home = tmp_path_factory.mktemp("served")
    facts = {"DATABASE_URL": database_url, "REDIS_URL": redis_url, **UNLIMITED}
    with tapete("up", home=home, port=free_port(), **facts) as process:
        yield url_of(process)


@contextmanager
def run(program: str, *words: str) -> Iterator[Program]:
    """One of the examples, with nothing of ours on its path."""
    command = [sys.executable, "-I", str(ROOT / "examples" / program), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: Program) -> list[str]:
    """All lines of a program that comes to a good end."""
    text, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, text
    return text.splitlines()


def match_of(process: Program) -> str:
    """The id of the match that the bot says it plays."""
    assert process.stdout
    line = process.stdout.readline()
    assert line.startswith("playing "), line + process.stdout.read()
    return line.split()[1]


def versions(lines: list[str]) -> list[int]:
    return [int(line.split()[0]) for line in lines]


def sound(base: str, match: str) -> Any:
    """The match, which has ended, and whose audit finds no fault."""
    seen = requests.get(f"{base}/v1/matches/{match}", timeout=30).json()
    assert seen["status"] == "ended"
    assert requests.get(f"{base}/v1/matches/{match}/audit", timeout=30).json() == {"ok": True, "faults": []}
    return seen


def short(game: str) -> list[str]:
    return ["--game", game, "--options", json.dumps(SHORT.get(game, {}))]


@pytest.mark.parametrize("program", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_an_example_is_short_explains_itself_and_needs_python_alone(program: Path) -> None:
    assert len(program.read_text().splitlines()) <= MOST_LINES
    with run(program.name, "--help") as process:
        assert "usage: " in said(process)[0]


@pytest.mark.parametrize("game", games())
def test_the_bot_plays_a_whole_match_of_each_game(served: str, game: str) -> None:
    with run("bot.py", "--api", served, *short(game)) as bot:
        match = match_of(bot)
        (last,) = said(bot)
    assert last.startswith("ended: ")
    sound(served, match)


def test_two_bots_come_to_one_match_and_one_of_them_polls(served: str) -> None:
    with run("bot.py", "--api", served, *short("polignac"), "--others", "rule open") as host:
        match = match_of(host)
        with run("bot.py", "--api", served, "--match", match, "--poll") as guest:
            assert match_of(guest) == match
            assert said(guest) == said(host)
    seen = sound(served, match)
    assert sum(seat["player"] is not None for seat in seen["seats"]) == 2


def test_the_bot_gives_its_nonces_in_a_fair_match(served: str) -> None:
    host = requests.post(f"{served}/v1/players", json={"name": "Host"}, timeout=30).json()
    proposal = {"game": "polignac", "options": SHORT["polignac"], "fair": True,
                "seats": [{"open": True}, {"bot": "rule"}, {"bot": "rule"}]}  # fmt: skip
    bearer = {"Authorization": f"Bearer {host['token']}"}
    match = requests.post(f"{served}/v1/matches", json=proposal, headers=bearer, timeout=30).json()["id"]
    with run("bot.py", "--api", served, "--match", match) as bot:
        assert said(bot)[-1].startswith("ended: ")
    sound(served, match)


def test_lost_answers_and_streams_cut_off_lose_and_double_nothing(served: str, figures: Figures) -> None:
    wires = cutting(served), cutting(served, share=1, most=4000)
    with wires[0] as wire, wires[1] as worse, run("bot.py", "--api", wire.url, *short("polignac")) as bot:
        match = match_of(bot)
        with run("watcher.py", match, "--api", worse.url) as watcher:
            assert said(bot)[-1].startswith("ended: ")
            lines = said(watcher)
    seen = sound(served, match)
    figures(f"the bot's connections were cut {wire.cut} times, the watcher's {worse.cut} times")
    assert wire.cut >= 5 and worse.cut >= 2
    assert versions(lines) == [*range(1, seen["version"] + 1)]


def test_a_bot_that_is_killed_goes_on_with_its_match_when_it_is_started_again(served: str, tmp_path: Path) -> None:
    words = ["--api", served, *short("polignac"), "--state", str(tmp_path / "state")]
    with run("bot.py", *words) as bot:
        match = match_of(bot)
        wait_for_version(served, match, 10)
    assert (tmp_path / "state").stat().st_mode & 0o077 == 0, "it holds a token"
    with run("bot.py", *words) as bot:
        assert match_of(bot) == match
        assert said(bot)[-1].startswith("ended: ")
    sound(served, match)


def wait_for_version(base: str, match: str, version: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while requests.get(f"{base}/v1/matches/{match}", timeout=30).json()["version"] < version:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_bot_and_watcher_outlive_the_server(database_url: str, redis_url: str, tmp_path: Path) -> None:
    port, facts = free_port(), {"DATABASE_URL": database_url, "REDIS_URL": redis_url, **UNLIMITED}
    with tapete("up", home=tmp_path, port=port, **facts) as first:
        base = url_of(first)
        with run("bot.py", "--api", base, *short("polignac")) as playing:
            match = match_of(playing)
            with run("watcher.py", match, "--api", base) as watching:
                wait_for_version(base, match, 8)
                first.kill()
                first.wait()
                time.sleep(1)
                with tapete("up", home=tmp_path, port=port, **facts) as second:
                    assert url_of(second) == base
                    assert said(playing)[-1].startswith("ended: ")
                    lines = said(watching)
                    seen = sound(base, match)
    assert versions(lines) == [*range(1, seen["version"] + 1)]
