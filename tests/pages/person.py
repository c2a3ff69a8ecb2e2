"""Somebody at a browser: signs in, opens a match, clicks what lies there. Beside it: conftest.py."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Response

SOON = 15_000  # milliseconds
PLAYABLE = "#board [data-say]"
EXPECTED = ("ERR_INTERNET_DISCONNECTED", "status of 412", "ERR_FAILED")
SAY = """([at, times]) => {
    const all = [...document.querySelectorAll('#board [data-say]')];
    for (let time = 0; time < times; time += 1) all[Math.floor(at * all.length)]?.click();
}"""  # at one go: the board may be drawn anew at any time


class Person:
    """One context: a browser with its own cookies. `faults` are what its pages said that was not `expected`."""

    def __init__(self, context: BrowserContext, base: str, name: str | None) -> None:
        self.context, self.base, self.name = context, base, name
        self.faults: list[str] = []
        self.expected = list(EXPECTED)
        self.token = self.id = ""
        context.add_init_script("localStorage.setItem('tapete_pace', 'once')")
        self.page = context.new_page()
        self.page.set_default_timeout(SOON)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.faults.append(f"{self.page.url}: {error}"))
        self.page.on("response", self._answered)
        if name is not None:
            self.sign_in(name)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"{self.page.url}: {message.text}")

    def _answered(self, response: Response) -> None:
        if response.status >= 500:
            self._note(f"{response.url}: status of {response.status}")

    def _note(self, fault: str) -> None:
        if not any(each in fault for each in self.expected):
            self.faults.append(fault)

    def sign_in(self, name: str) -> None:
        """Without the form: it has a test of its own."""
        made = self.context.request.post(f"{self.base}/v1/players", data={"name": name}).json()
        self.token, self.id = made["token"], made["id"]
        kept = self.context.request.put(f"{self.base}/session", data={"token": self.token},
                                        headers={"X-Tapete-Page": "1"})  # fmt: skip
        assert kept.status == 204

    def api(self, method: str, path: str, body: Any = None, version: int | None = None) -> Any:
        """A request as a program makes it."""
        headers = {"Authorization": f"Bearer {self.token}"} | ({} if version is None else {"If-Match": f'"{version}"'})
        answer = self.context.request.fetch(self.base + path, method=method, data=body, headers=headers)
        assert answer.ok, answer.text()
        return answer.json()

    def open(self, **facts: Any) -> str:
        """A match of his, and its page."""
        match: str = self.api("POST", "/v1/matches", facts)["id"]
        self.go(match)
        return match

    def go(self, match: str) -> None:
        self.page.goto(f"{self.base}/matches/{match}")
        self.page.wait_for_selector("#board *")

    def play(self, seed: int, *, words: int = 10_000, times: int = 1) -> int:
        """Say so many words at random, or all until the match is over, each with `times` clicks; how many."""
        dice = random.Random(seed)
        for said in range(words):
            self.page.wait_for_selector(f"body:not(.busy) {PLAYABLE}, #result h2")
            if self.page.query_selector("#result h2"):
                return said
            self.page.evaluate(SAY, [dice.random(), times])
        return words
