"""Backup and restore by the very commands of docs/operations.md, while matches are played. See bench/table.py."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from threading import Event

import psycopg

from bench.chaos import compared
from bench.table import Table
from store import binaries, embedded
from tests.api.conftest import serving
from tests.workers.tables import ROOT, ready, worker

PAGE = (ROOT / "docs/operations.md").read_text()


def commands(heading: str) -> str:
    """The shell block under a heading of the page."""
    found = re.search(rf"^#+ {heading}$.*?^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/operations.md has no commands under {heading!r}"
    return found[1]


def shell(script: str, folder: Path, **variables: str) -> str:
    """What the commands say, in a shell that knows Postgres's programs and ours. They have to end well."""
    path = os.pathsep.join([str(Path(sys.executable).parent), str(binaries.postgres_bin()), os.environ["PATH"]])
    given = {**os.environ, **variables, "PATH": path}
    ended = subprocess.run(["sh", "-euc", script], cwd=folder, env=given, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_what_was_dumped_under_load_is_restored_elsewhere_whole_and_is_played_on(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    stop = Event(), Event()
    with serving(database_url, redis_url, tmp_path / "api") as base, worker(database_url, redis_url, tmp_path / "w"):
        quiet, loud = Table([base], persons=2, bots=1, options={"deals": 2}), Table([base])
        quiet.open()
        loud.open()
        with ThreadPoolExecutor() as threads:
            playing = [threads.submit(quiet.play, stop[0]), threads.submit(loud.play, stop[1])]
            while len(quiet.said) < 6:
                time.sleep(0.01)
            stop[0].set()
            playing[0].result()
            shell(commands("Backup"), tmp_path, DATABASE_URL=database_url)
            stop[1].set()
            playing[1].result()
    with embedded.postgres(tmp_path / "elsewhere") as elsewhere:
        said = shell(commands("Restore"), tmp_path, NEW_DATABASE_URL=elsewhere.url)
        assert re.search(r"audited: 2, at fault: 0", said)
        with psycopg.connect(elsewhere.url) as conn:
            (owner,) = conn.execute("select tableowner from pg_tables where tablename = 'event'").fetchone() or ("",)
            assert owner == "tapete"
        with (
            serving(elsewhere.url, redis_url, tmp_path / "api") as base,
            worker(elsewhere.url, redis_url, tmp_path / "worker"),
        ):
            ready(tmp_path / "worker")
            quiet.turns = cycle([base])
            quiet.play()
            assert quiet.over and compared(elsewhere.url, [quiet]) == []
