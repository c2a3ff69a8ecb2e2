"""Five hundred watchers of a match that is being played: what they cost others, how soon they know, what they hold.

The watchers are a process of their own (this module, run), which only reads. Read beside it: api/hub.py, rest.py.
"""

from __future__ import annotations

import json
import os
import re
import select
import socket
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlsplit

import click

from bench import memory
from bench.measure import Row, interleaved
from bench.rest import CLIENTS, DEALS, Table, Unknown, a_second
from bench.script import script

WATCHERS = 500
MOVE_SECONDS = 0.125  # from one move at the watched match to the next
MOVES = 60  # timed on an idle house
MOVED = re.compile(rb'"version":(\d+),"type":"moved"')
TAIL_BYTES = 64  # of a piece, which may end within what is looked for


class Mover:
    """A match that is played at a steady pace; when each version was asked for."""

    def __init__(self, base: str) -> None:
        self.table, self.asked = Unknown(base, 60), dict[int, float]()
        self.match = str(self.table.seen["id"])

    def move(self) -> None:
        """One move."""
        version = self.table.seen["version"] + 1
        seconds = self.table.move()
        self.asked[version] = time.monotonic() - seconds

    @contextmanager
    def moving(self) -> Iterator[None]:
        """One move after another, for as long as the block lasts."""
        stopped = Event()

        def play() -> None:
            while not stopped.wait(MOVE_SECONDS):
                self.move()

        thread = Thread(target=play)
        thread.start()
        try:
            yield
        finally:
            stopped.set()
            thread.join()


@contextmanager
def watching(base: str, mover: Mover, arrivals: dict[int, list[float]], count: int = WATCHERS) -> Iterator[None]:
    """So many watchers, all connected; `arrivals` has at the end when each version came."""
    command = [sys.executable, "-m", "bench.streams", base, mover.match, str(mover.table.seen["version"]), str(count)]
    watcher = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert watcher.stdin and watcher.stdout
    if watcher.stdout.readline() != b"ready\n":
        raise RuntimeError("the watchers do not get their streams")
    try:
        yield
    finally:
        watcher.stdin.close()
        arrivals.update({int(version): times for version, times in json.load(watcher.stdout).items()})
        watcher.wait(10)


def rows(base: str, rounds: int) -> list[Row]:
    """Throughput beside the watchers, the time from a move to a watcher, memory."""
    mover = Mover(base)
    memory = _memory(base, mover)  # first: what was once had is not given back
    return [_cost(base, mover, rounds), *_lateness(base, mover), memory]


def _cost(base: str, mover: Mover, rounds: int) -> Row:
    clients = [Table(base, script(DEALS, seed)) for seed in range(CLIENTS)]

    def load() -> float:
        return a_second([client.move for client in clients])

    def watched() -> float:
        with watching(base, mover, {}), mover.moving():
            return load()

    def unwatched() -> float:
        with mover.moving():
            return load()

    mine, theirs, ratio = interleaved(watched, unwatched, rounds)
    what = f"moves over REST, {CLIENTS} clients, beside {WATCHERS} watchers of a match with 8 moves/s"
    return Row(what, "the same without watchers", mine, theirs, "requests/s", ratio, "≥ 0.8")


def _lateness(base: str, mover: Mover) -> list[Row]:
    """From the request to each watcher, on an otherwise idle house: one, and all of them."""
    found = []
    for count in (1, WATCHERS):
        arrivals: dict[int, list[float]] = {}
        with watching(base, mover, arrivals, count):
            for _ in range(MOVES):
                time.sleep(MOVE_SECONDS)
                mover.move()
            time.sleep(1)
        late = sorted(at - mover.asked[version] for version, times in arrivals.items() for at in times
                      if version in mover.asked)  # fmt: skip
        if len(late) < 0.9 * MOVES * count:
            raise RuntimeError(f"{len(late)} of {MOVES * count} events came")
        median, p99 = statistics.median(late) * 1000, late[int(len(late) * 0.99)] * 1000
        what = f"from a move to {'its watcher' if count == 1 else f'each of {count} watchers'}, median"
        found.append(Row(what, "p99", median, p99, "ms", median / p99, "median < 50"))
    return found


def _memory(base: str, mover: Mover) -> Row:
    before = _resident_mb()
    with watching(base, mover, {}):
        mover.move()
        time.sleep(1)
        more = _resident_mb() - before
    each = more / (WATCHERS / 100)
    return Row("resident memory of 100 watchers", "the API before", each, before, "MB", each / before, "printed")


def _resident_mb() -> float:
    """Of all gunicorn processes below this one."""
    return sum(_rss_mb(pid) for pid in memory.family(os.getpid(), b"api.serving"))


def _rss_mb(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


# The process of the watchers


def watch(base: str, match: str, after: int, count: int, ready: Callable[[], None]) -> dict[int, list[float]]:
    """Read so many streams until there is nothing more on our own input: when each version came."""
    poll, streams, tails = select.epoll(), _connected(base, match, after, count), defaultdict[int, bytes](bytes)
    for stream in streams.values():
        stream.setblocking(False)
        poll.register(stream, select.EPOLLIN)
    poll.register(sys.stdin, select.EPOLLIN)
    ready()
    arrivals = defaultdict[int, list[float]](list)
    while True:
        for number, _ in poll.poll():
            if number == sys.stdin.fileno():
                return arrivals
            data, now = streams[number].recv(1 << 20), time.monotonic()
            if not data:
                raise RuntimeError("a stream has ended")
            for found in MOVED.finditer(tails[number] + data):
                arrivals[int(found[1])].append(now)
            tails[number] = data[-TAIL_BYTES:].rpartition(b'"moved"')[2]


def _connected(base: str, match: str, after: int, count: int) -> dict[int, socket.socket]:
    """The streams, each with its head read already."""
    url, streams = urlsplit(base), {}
    request = (
        f"GET /v1/matches/{match}/events?after={after} HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n"
    )
    for _ in range(count):
        stream = socket.create_connection((url.hostname, url.port), timeout=30)
        stream.sendall(request.encode())
        if not stream.recv(1 << 20).startswith(b"HTTP/1.1 200"):
            raise RuntimeError("a stream is refused")
        streams[stream.fileno()] = stream
    return streams


def main(words: Sequence[str]) -> None:
    """`BASE MATCH AFTER COUNT`: says `ready`, and at the end of its input what came when, as JSON."""
    base, match, after, count = words
    arrivals = watch(base, match, int(after), int(count), lambda: click.echo("ready"))
    click.echo(json.dumps(arrivals))


if __name__ == "__main__":
    main(sys.argv[1:])
