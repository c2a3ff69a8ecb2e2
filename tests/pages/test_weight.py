"""What a page weighs, how long it keeps a processor busy, and axe, where cards lie: table, replay, events.

Beside it: test_table.py, test_replay.py and test_leagues_pages.py, which hold the other pages to the same.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Response

from tests.pages.person import Person

People = Callable[..., Person]
MOST_BYTES = 150_000
MOST_SECONDS = 1.0  # of a processor: what else the machine does plays no part
BOTS = [{"bot": "rule"}, {"bot": "rule"}]


@pytest.fixture
def played(person: People) -> tuple[Person, dict[str, str]]:
    """Somebody, and pages of what he has played: a match of two deals, one that is going on, an event."""
    ana = person()
    over = ana.open(game="bottle_imp", options={"deals": 2}, seats=[{"player": "me"}, *BOTS])
    ana.play(seed=1)
    event = ana.api("POST", "/v1/duplicates", {"game": "polignac", "daily": True})["id"]
    ana.api("POST", f"/v1/duplicates/{event}/entries", {})
    going = ana.api("POST", "/v1/matches", {"game": "mykonos", "seats": [{"player": "me"}, *BOTS]})["id"]
    open_ = ana.api("POST", "/v1/matches", {"game": "mykonos", "seats": [{"player": "me"}, {"open": True}]})["id"]
    return ana, {
        "table": f"/matches/{going}", "over": f"/matches/{over}", "open": f"/matches/{open_}",
        "replay": f"/matches/{over}/replay", "events": "/duplicates", "event": f"/duplicates/{event}",
    }  # fmt: skip


def ready(name: str) -> str:
    return "#seats li" if name == "open" else "#board .seat, #view:not([aria-busy])"


def weighed(ana: Person, path: str, until: str) -> tuple[int, float]:
    """The bytes of a page's files, and for how many seconds of a processor it kept its thread until it was there."""
    page, came = ana.context.new_page(), list[Response]()
    page.on("response", lambda response: came.append(response))
    meter = ana.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    meter.send("Network.enable")
    meter.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.goto(ana.base + path)
    page.wait_for_selector(until)
    (busy,) = [
        each["value"] for each in meter.send("Performance.getMetrics")["metrics"] if each["name"] == "TaskDuration"
    ]
    size = sum(len(each.body()) for each in came if each.ok and "/v1/" not in each.url)
    page.close()
    return size, busy


def test_a_page_with_cards_is_small_and_quick(played: tuple[Person, dict[str, str]]) -> None:
    ana, pages = played
    found = {name: weighed(ana, path, ready(name)) for name, path in pages.items()}
    assert {name: (size, busy) for name, (size, busy) in found.items() if not 0 < size < MOST_BYTES} == {}
    assert {name: (size, busy) for name, (size, busy) in found.items() if not 0 < busy < MOST_SECONDS} == {}


def test_axe_finds_nothing_where_cards_lie(played: tuple[Person, dict[str, str]]) -> None:
    ana, pages = played
    for name, path in pages.items():
        ana.page.goto(ana.base + path)
        ana.page.wait_for_selector(ready(name))
        if name == "replay":
            ana.page.click("#check")
            ana.page.click("#analyse")
            ana.page.locator("#dearest button").first.click(timeout=60_000)
            ana.page.wait_for_selector("#decision td")
        if name == "table":
            ana.page.wait_for_selector("#board [data-say]")
            ana.page.click("#hint")
            ana.page.wait_for_selector("#advice p")
        for theme in ("light", "dark"):
            ana.page.emulate_media(color_scheme=theme)
            found = Axe().run(ana.page)
            assert found.violations_count == 0, (name, theme, found.generate_report())
