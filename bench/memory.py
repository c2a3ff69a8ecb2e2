"""The whole demo's memory: the proportional set size (PSS) of all its processes, sampled while it runs, at its most."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from bench.http import free_port
from bench.measure import Row

REACH_MB = 350


def row() -> Row:
    """Runs `tapete demo --once` on servers of its own."""
    with tempfile.TemporaryDirectory() as home:
        own = {"TAPETE_HOME": home, "TAPETE_PORT": str(free_port())}
        inherited = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        command = [sys.executable, "-m", "api.cli", "demo", "--once"]
        demo = subprocess.Popen(command, env={**inherited, **own}, stdout=subprocess.DEVNULL)
        most = 0.0
        while demo.poll() is None:
            most = max(most, sum(pss_mb(pid) for pid in family(demo.pid)))
            time.sleep(0.2)
    if demo.returncode:
        raise RuntimeError(f"the demo ended with {demo.returncode}")
    return Row("the whole demo, sum of PSS", f"{REACH_MB} MB", most, REACH_MB, "MB", most / REACH_MB, "≤ 1.0")


def family(root: int, told: bytes = b"") -> set[int]:
    """A process and all that descend from it, of those that run and were told this."""
    parents = {int(entry.name): _parent(entry) for entry in Path("/proc").iterdir() if entry.name.isdecimal()}
    found, grown = {root}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        found, grown = found | more, bool(more)
    return {pid for pid in found if told in _words(pid)}


def _words(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _parent(entry: Path) -> int:
    with suppress(OSError):
        return int(entry.joinpath("stat").read_text().rpartition(")")[2].split()[1])
    return 0


def pss_mb(pid: int) -> float:
    """Its own memory and its share of what it has in common with others; 0 for one that is gone."""
    with suppress(OSError):
        found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        return int(found[1]) / 1024 if found else 0.0
    return 0.0
