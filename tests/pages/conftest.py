"""A browser at a whole server, as a person has them: Debian's chromium, driven by Playwright. Skipped without one."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.e2e.command import tapete, url_of
from tests.pages.person import SOON, Person

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
         "--disable-component-update", "--no-first-run"]  # fmt: skip
PLENTY = "100000"

expect.set_options(timeout=SOON)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip("no chromium is installed here: the pages are not tried (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


class Server(NamedTuple):
    """A server with bots: its base URL, its data folder, what keeps it up."""

    url: str
    home: Path
    process: subprocess.Popen[str]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    limits = {"TAPETE_WRITES_PER_SECOND": PLENTY, "TAPETE_REGISTRATIONS_PER_MINUTE": PLENTY}
    home = tmp_path_factory.mktemp("pages")
    with tapete("up", home=home, port=0, **limits) as process:
        yield Server(url_of(process), home, process)
        process.terminate()
        assert process.wait(20) == 0


@pytest.fixture(scope="session")
def base(server: Server) -> str:
    return server.url


@pytest.fixture
def person(browser: Browser, base: str) -> Iterator[Callable[..., Person]]:
    """Makes persons, each with a browser of his own; at the end none of them has seen a fault."""
    contexts: list[BrowserContext] = []
    persons: list[Person] = []

    def make(name: str = "Ana", *, signed_in: bool = True, width: int = 1280, **facts: str) -> Person:
        context = browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", **facts)  # type: ignore[arg-type]
        contexts.append(context)
        persons.append(Person(context, base, name if signed_in else None))
        return persons[-1]

    yield make
    faults = [fault for each in persons for fault in each.faults]
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def page(person: Callable[..., Person]) -> Page:
    return person().page
