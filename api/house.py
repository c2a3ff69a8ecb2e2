"""Keeps servers and programs running: starts again what dies, stops all in order. Beside it: processes.py."""

import os
import signal
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from store.child import Child, bound, last_lines
from store.embedded import EmbeddedError

STOP_SECONDS = 5  # for a worker to finish its tasks; one that is cut short is done again later
LOOK_SECONDS = 0.2
DEATHS, DEATHS_SECONDS = 5, 60  # so many of one in so short a time are not bad luck any more
PYTHON = (sys.executable, "-P", "-m")  # -P: a folder named `api` where we were started is not ours


class Kept(Protocol):
    """What is started again when it dies: an embedded server or a Program."""

    name: str
    log: Path

    def start(self) -> None:
        """Start it. Raises EmbeddedError."""

    def running(self) -> bool:
        """Whether it is there."""

    def stop(self) -> None:
        """End it in good order."""


class Program:
    """One of our own programs, and the descriptors it inherits."""

    def __init__(
        self, name: str, words: Sequence[str], folder: Path, environment: Mapping[str, str], keep: Sequence[int] = ()
    ) -> None:
        self.name, self.log = name, folder / f"{name}.log"
        self.words, self.environment, self.keep = words, environment, keep
        self.child: Child | None = None

    def start(self) -> None:
        """Start it, without waiting until it is ready."""
        self.child = Child([*PYTHON, *self.words], log=self.log, environment=self.environment, keep=self.keep)

    def running(self) -> bool:
        """Whether its main process is there."""
        return self.child is not None and self.child.running()

    def stop(self) -> None:
        """Let it finish what it is doing, for a few seconds."""
        if self.child:
            self.child.stop(seconds=STOP_SECONDS)


class House:
    """Looks after what has been started; `failure` says why it gave up, if it did."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.kept: list[Kept] = []
        self.failure: str | None = None
        self._deaths: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=DEATHS))
        self._closed = threading.Event()
        self._keeper = threading.Thread(target=self._look_after, name="house", daemon=True)

    def start(self, one: Kept) -> None:
        """Start one more thing. Raises EmbeddedError."""
        self.kept.append(one)
        one.start()

    def keep(self) -> None:
        """From now on start again whatever dies; when that fails too often, end the main thread by SIGTERM."""
        self._keeper.start()

    def close(self) -> None:
        """Stop everything: our programs first, all at once, then the servers they need."""
        self._closed.set()
        if self._keeper.is_alive():
            self._keeper.join()
        with ThreadPoolExecutor() as pool:
            list(pool.map(Program.stop, (one for one in self.kept if isinstance(one, Program))))
        for one in reversed(self.kept):
            one.stop()

    def _look_after(self) -> None:
        while not self._closed.wait(LOOK_SECONDS):
            for one in self.kept:
                with suppress(OSError):  # a full disk is no reason to look after nothing any more
                    bound(one.log)
                if not (one.running() or self._closed.is_set()):
                    self._start_again(one)

    def _start_again(self, one: Kept) -> None:
        deaths = self._deaths[one.name]
        deaths.append(time.monotonic())
        if len(deaths) == DEATHS and deaths[-1] - deaths[0] < DEATHS_SECONDS:
            self.failure = f"{one.name} keeps dying; the end of {one.log}:\n{last_lines(one.log)}"
            self._closed.set()
            os.kill(os.getpid(), signal.SIGTERM)
            return
        self.say(f"{one.name} has died and is started again; {one.log} may say why")
        with suppress(EmbeddedError, OSError):  # one more death, at the next look
            one.start()
