"""The peer among game servers: boardgame.io with the same game, its own server, its own clients. In boardgame_io/.

On both sides each player has a connection, is shown the table before he speaks, and a word counts when he is shown it
played: there by what the server pushes to all four, here by reading the match and by the answer. The matches are the
same, word for word, and end with the same points. Needs node and npm, once with a registry.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGKILL
from statistics import median
from threading import Event, Timer
from typing import Any

import click
from psycopg import connect, sql

from bench import memory
from bench.http import Connection, free_port
from bench.measure import Row, interleaved
from bench.rest import CLIENTS, DEALS, Table, a_second, wait
from bench.script import SEATS, Said, Script, script

FOLDER = Path(__file__).parent / "boardgame_io"
DATABASE = "tapete_bench_boardgame_io"
SECONDS, PATIENCE_SECONDS = 2.0, 60.0


class GaveUpError(Exception):
    """Its clients were not shown what they waited for; they have said what on the standard error."""


def rows(base: str, database_url: str, rounds: int) -> list[Row]:
    """Moves a second and the median latency of one, and what a kill -9 loses; nothing where it cannot be had."""
    if why := _lacking():
        click.echo(f"boardgame.io is left out: {why}", err=True)
        return []
    known = [script(DEALS, seed) for seed in range(CLIENTS)]
    tables = [Seats(base, each) for each in known]
    found: list[Row] = []
    kills: dict[str, int] = {}
    with _database(database_url) as options, tempfile.TemporaryDirectory() as folder:
        stores = {
            "bgio-postgres, the same Postgres": ("postgres", json.dumps(options)),
            "FlatFile": ("flatfile", folder),
        }
        for name, store in stores.items():
            try:
                compared, gone = _beside(tables, known, f"boardgame.io, {name}", store, rounds)
            except GaveUpError:
                click.echo(f"boardgame.io on {name} is left out: its clients gave up", err=True)
            else:
                found, kills[f"boardgame.io, {name}"] = [*found, *compared], gone
    lost = _lost(base, tables)
    what = f"acknowledged words gone after a kill -9 of the server, {CLIENTS} tables"
    return [*found, *(Row(what, who, lost, gone, "words", lost / (gone or 1), "0.00") for who, gone in kills.items())]


def _beside(
    tables: list[Seats], known: list[Script], against: str, store: tuple[str, str], rounds: int
) -> tuple[list[Row], int]:
    """Both sides compared, and how many words are gone when its server is killed and started again."""
    port = str(free_port())
    with _served(port, *store) as server, _driven(port, known) as ask:
        compared = _compared(tables, ask, against, rounds)
        Timer(1, server.kill).start()
        ask(PATIENCE_SECONDS)
        with _served(port, *store):
            return compared, sum(ask(None))


def _lacking() -> str | None:
    """Why it cannot be had, after its packages were installed as its lock file has them."""
    if gone := [program for program in ("node", "npm") if not shutil.which(program)]:
        return f"no {' and no '.join(gone)} on this machine"
    lock, installed = FOLDER / "package-lock.json", FOLDER / "node_modules" / ".package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return None
    done = subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund"], cwd=FOLDER, capture_output=True, text=True, check=False
    )
    return f"npm ci fails: {done.stderr.strip()[:500]}" if done.returncode else None


class Seats(Table):
    """Four players with a connection each; whoever is next reads the match before he speaks."""

    def __init__(self, base: str, known: Script) -> None:
        super().__init__(base, known)
        self.connections = [self.connection, *(Connection(base) for _ in range(SEATS - 1))]

    def move(self) -> float:
        """Say the next word; how many seconds that took, without the reading."""
        said = self.next()
        connection = self.connections[said.seat]
        seen = connection.get(self.path, self.players[said.seat]["token"])
        if said.word not in seen["deal"]["legal"]:
            raise RuntimeError(f"{said} is not legal")
        seconds, text = self.say(said, connection)
        self.said.append(said)
        if said is self.script.words[-1] and json.loads(text)["match"]["result"]["totals"] != self.script.points:
            raise RuntimeError(f"another game: {text[:500]!r}")
        return seconds

    def sit(self) -> None:
        """Another match, of which nothing is said yet."""
        super().sit()
        self.said: list[Said] = []

    def play(self, stop: Event) -> None:
        """Until the server breaks off, or until told to stop."""
        with suppress(OSError):
            while not stop.is_set():
                self.move()

    def lost(self, connection: Connection) -> int:
        """How many words of this match that were acknowledged are not there."""
        version = connection.get(self.path, self.players[0]["token"])["version"]
        return sum(said.version + self.ahead >= version for said in self.said)


def _lost(base: str, tables: list[Seats]) -> int:
    """How many acknowledged words are gone after all processes of the API were killed at once, while it was played."""
    stop = Event()
    with ThreadPoolExecutor(len(tables)) as pool:
        playing = [pool.submit(table.play, stop) for table in tables]
        time.sleep(1)
        for pid in memory.family(os.getpid(), b"api.serving"):
            os.kill(pid, SIGKILL)
        stop.set()
    for each in playing:
        each.result()
    again = Connection(base)  # waits until the house has started it again
    return sum(table.lost(again) for table in tables)


def _compared(tables: list[Seats], ask: Callable[[Any], Any], against: str, rounds: int) -> list[Row]:
    mine: list[float] = []
    theirs: list[float] = []

    def ours() -> float:
        took: list[float] = []
        rate = a_second([lambda each=each: took.append(each.move()) for each in tables], SECONDS)  # type: ignore[misc]
        mine.append(median(took) * 1000)
        return rate

    def peer() -> float:
        played = ask(SECONDS)
        theirs.append(median(played["milliseconds"]))
        return len(played["milliseconds"]) / float(played["seconds"])

    rate, other, ratio = interleaved(ours, peer, rounds)
    what = f"{len(tables)} tables of Polignac, {len(tables) * SEATS} connections"
    latency, late = median(mine), median(theirs)
    return [
        Row(f"{what}: moves", against, rate, other, "moves/s", ratio, "printed"),
        Row(f"{what}: a move, median", against, latency, late, "ms", latency / late, "printed"),
    ]


@contextmanager
def _served(port: str, *store: str) -> Iterator[subprocess.Popen[str]]:
    """Its server, with such a store."""
    with _node("server.js", port, *store) as process:
        wait(int(port))
        yield process


@contextmanager
def _driven(port: str, known: list[Script]) -> Iterator[Callable[[Any], Any]]:
    """Its clients, at a table a script; to be called with what they are told, answers what they say."""
    with _node("driver.js", f"http://127.0.0.1:{port}") as process:
        assert process.stdin and process.stdout

        def ask(said: Any) -> Any:
            assert process.stdin and process.stdout
            process.stdin.write(json.dumps(said) + "\n")
            process.stdin.flush()
            if not (line := process.stdout.readline()):
                raise GaveUpError
            return json.loads(line)

        ask(
            [
                {
                    "packs": each.opening["packs"],
                    "dealer": each.opening["dealer"],
                    "words": [(said.seat, said.word) for said in each.words],
                    "points": each.points,
                }
                for each in known
            ]
        )
        yield ask


@contextmanager
def _node(*words: str) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "NODE_ENV": "production"}
    process = subprocess.Popen(
        ["node", *words], cwd=FOLDER, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def _database(url: str) -> Iterator[dict[str, Any]]:
    """A database of its own on the same server, as its adapter is told of it."""
    drop = sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(DATABASE))
    with connect(url, autocommit=True) as conn:
        conn.execute(drop)
        conn.execute(sql.SQL("create database {}").format(sql.Identifier(DATABASE)))
        info = conn.info
        try:
            yield {
                "host": info.host,
                "port": info.port,
                "username": info.user,
                "password": info.password,
                "database": DATABASE,
            }
        finally:
            conn.execute(drop)
