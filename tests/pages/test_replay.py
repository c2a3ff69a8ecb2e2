"""Replay, rules, and what all pages owe their readers: whose eyes, the shuffle, axe. Beside it: test_table.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Route, expect

from tests.pages.person import Person

People = Callable[..., Person]
LEVELS = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
GAMES = {"polignac": 4, "bottle_imp": 3, "pot_de_vin": 3, "mykonos": 3}


def played(who: Person, **facts: Any) -> str:
    """A match that is over: he plays it by the API, with the first legal word."""
    match: str = who.api("POST", "/v1/matches", facts)["id"]
    who.page.goto(f"{who.base}/matches/{match}")
    who.play(seed=5)
    return match


def test_a_match_is_watched_again_from_every_seat(person: People) -> None:
    ana = person()
    match = played(ana, game="polignac", options={"deals": 1}, seats=[{"player": "me"}, *[{"bot": "random"}] * 3])
    ana.page.goto(f"{ana.base}/matches/{match}/replay#v=4")
    expect(ana.page.locator("#where")).to_contain_text("4 / ")
    for eyes in ("own", "all", "0", "1", "2", "3"):
        ana.page.select_option("#eyes", eyes)
        expect(ana.page.locator("#board")).to_have_attribute("data-eyes", eyes)
        then = ana.api("GET", f"/v1/matches/{match}?at=4&eyes={eyes}")["deal"]["view"]["hands"]
        below = int(eyes) if eyes.isdigit() else 0
        cards = ana.page.locator("#board .own .hand .card")
        expect(cards).to_have_count(len(then[below]))
        shown = {card.get_attribute("data-word") for card in cards.all()}
        assert shown == set(then[below])
    ana.page.locator("body").press("ArrowRight")
    expect(ana.page.locator("#where")).to_contain_text("5 / ")
    ana.page.locator("body").press("End")
    assert ana.page.url.endswith(ana.page.locator("#where").inner_text().split(" / ")[1])
    ana.page.locator("#deals button").first.click()
    with ana.page.expect_download() as download:
        ana.page.click("a[download]")
    record = ana.context.request.get(f"{ana.base}/v1/matches/{match}/record").text()
    assert download.value.path().read_text("utf-8") == record
    assert download.value.suggested_filename == f"{match}.toml" and 'game = "polignac"' in record


@pytest.mark.parametrize("fair", [False, True])
def test_the_browser_checks_the_shuffle_itself(person: People, fair: bool) -> None:
    ana = person()
    match = played(ana, game="bottle_imp", options={"deals": 1}, fair=fair,
                   seats=[{"player": "me"}, {"bot": "random"}, {"bot": "random"}])  # fmt: skip
    ana.page.goto(f"{ana.base}/matches/{match}/replay")
    ana.page.click("#check")
    expect(ana.page.locator("#checked .sound")).to_have_count(1)
    dealt = next(e for e in ana.api("GET", f"/v1/matches/{match}/events")["items"] if e["type"] == "dealt")
    expect(ana.page.locator("#checked")).to_contain_text(dealt["seed"])
    judge = "async (event) => (await import('/static/js/fair.js')).isSound(event, {}, 3)"
    assert ana.page.evaluate(judge, dealt) is not fair  # which is sound with the nonces only
    turned, moved = [*dealt["pack"][1:], dealt["pack"][0]], (dealt["dealer"] + 1) % 3
    for forged in ({"pack": turned}, {"dealer": moved}, {"seed": "00" * 32}):
        assert ana.page.evaluate(judge, {**dealt, **forged}) is False


def test_what_is_not_read_yet_cannot_be_checked_and_a_version_in_the_address_waits_for_it(person: People) -> None:
    ana = person()
    match = played(ana, game="polignac", options={"deals": 1}, seats=[{"player": "me"}, *[{"bot": "random"}] * 3])
    held: list[Route] = []
    ana.page.route("**/replay?eyes=own", lambda route: held.append(route))
    with ana.page.expect_request("**/replay?eyes=own"):
        ana.page.goto(f"{ana.base}/matches/{match}/replay")
    expect(ana.page.locator("#check")).to_be_disabled()
    ana.page.evaluate("location.hash = '#v=7'")
    held[0].continue_()
    expect(ana.page.locator("#where")).to_contain_text("7 / ")
    expect(ana.page.locator("#check")).to_be_enabled()


def test_after_the_first_deal_the_next_seat_that_plays_has_to_deal(person: People) -> None:
    ana = person(signed_in=False)
    ana.page.goto(ana.base)
    four, tied = [0, 1, 2, 3], [0, 2, 3]
    dealt = [(1, 2, four), (2, 3, four), (3, 0, tied), (4, 2, tied)]
    events = [{"type": "dealt", "deal": deal, "dealer": dealer, "seats": seats} for deal, dealer, seats in dealt]
    due = "async (events) => (await import('/static/js/fair.js')).dealsOf(events).map((each) => each.due)"
    assert ana.page.evaluate(due, [{"type": "opened"}, *events]) == [None, 3, 0, 2]
    assert ana.page.evaluate(due, [{"type": "opened", "dealer": 1}, *events])[0] == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/sign-in", "/rules", "/rules/bottle_imp", *GAMES])
def test_axe_finds_nothing(person: People, path: str, theme: str) -> None:
    ana = person(color_scheme=theme)
    if path in GAMES:
        ana.open(game=path, seats=[{"player": "me"}, *[{"bot": "random"}] * (GAMES[path] - 1)])
        ana.play(seed=4, words=4)
    else:
        ana.page.goto(ana.base + path)
    ana.page.wait_for_timeout(250)
    found = Axe().run(ana.page, options=LEVELS).response["violations"]
    assert [
        (each["id"], each["nodes"][0]["html"][:200], each["nodes"][0]["failureSummary"][:300]) for each in found
    ] == []


def test_the_choice_of_language_and_theme_holds(person: People) -> None:
    ana = person(locale="en")
    ana.page.goto(ana.base)
    ana.page.click("#language button[value=es]")
    expect(ana.page.locator("#bottle_imp button[value=bots]").first).to_have_text("Jugar ya contra bots")
    ana.page.wait_for_load_state("domcontentloaded")
    ana.page.click("#theme button[value=dark]")
    ana.page.reload()
    assert ana.page.evaluate("document.documentElement.dataset.theme") == "dark"
