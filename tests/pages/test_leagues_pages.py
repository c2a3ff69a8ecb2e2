"""Leagues in a browser: an evening on paper by phone, corrections in sight, hostile names. Beside it: docs/pages.md."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.pages.person import Person

HOSTILE = "<img src=x onerror=alert(1)>\u202e"
CELLS = {"taken.JS": "A", "taken.JH": "B", "taken.JD": "B", "taken.JC": "C"}
PHONE = 390
Make = Callable[..., Person]


class Evening(NamedTuple):
    """A season of three members (two players, a guest with a hostile name) at one table that is about to play."""

    ana: Person
    luis: Person
    season: str

    @property
    def api(self) -> str:
        return f"/v1/seasons/{self.season}"

    def go(self, who: Person, below: str = "") -> Page:
        """A page of the season, when its module has shown what it has."""
        return go(who, f"/seasons/{self.season}{below}")


def go(who: Person, path: str) -> Page:
    who.page.goto(who.base + path)
    expect(who.page.locator("#view")).not_to_have_attribute("aria-busy", "true")
    return who.page


@pytest.fixture
def evening(person: Make) -> Evening:
    ana, luis = person("Ana"), person("Luis", width=PHONE, locale="en")
    league = ana.api(
        "POST", "/v1/leagues", {"name": HOSTILE, "game": "polignac", "options": {"deals": 1, "tie_break": "shared"}}
    )
    season = ana.api("POST", f"/v1/leagues/{league['id']}/seasons", {"name": HOSTILE})["id"]
    made = Evening(ana, luis, season)
    members = [ana.api("POST", f"{made.api}/members", who)["member"]["id"]
               for who in ({"player": ana.id}, {"player": luis.id}, {"name": HOSTILE})]  # fmt: skip
    ana.api("POST", f"{made.api}/rounds", {"pairing": "manual", "tables": [members]})
    return made


def written(evening: Evening) -> str:
    """A sheet that Luis has sent in, by the API."""
    sheet: str = evening.luis.api(
        "POST", f"{evening.api}/sheets", {"table": "1-1", "deals": [{"cells": CELLS}], "submit": True}
    )["id"]
    return sheet


def took(page: Page, card: str, seat: str) -> None:
    """The thumb on a letter."""
    page.locator(f"[name='cells.taken.{card}'][value='{seat}']").check(force=True)


def test_an_evening_on_paper_by_phone_with_a_wrong_tally_refused_and_corrected(evening: Evening) -> None:
    page = evening.go(evening.luis, "/tables/1-1")
    evening.luis.expected.append("status of 422")  # each try while it is filled in, and what is sent too early
    page.get_by_role("button", name="Open the score sheet").click()
    expect(page.get_by_role("heading", name="Deal 1")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for card, seat in (("JH", "B"), ("JD", "B"), ("JC", "C")):
        took(page, card, seat)
    write = page.get_by_role("button", name="Write down deal 1")
    write.click()
    expect(page.locator("fieldset", has=page.locator("[name='cells.taken.JS']")).locator(".said")).not_to_be_empty()
    assert evening.ana.api("GET", f"{evening.api}/sheets")["items"][0]["deals"] == []
    took(page, "JS", "A")
    expect(page.locator(".comes-to.fine")).to_contain_text("Ana +2 (2)")
    write.click()
    page.get_by_role("button", name="Send it in").click()
    expect(page.get_by_text("It counts when somebody else")).to_be_visible()
    assert page.get_by_role("button", name="Confirm").count() == 0  # nobody confirms his own
    confirmed = evening.go(evening.ana, f"/sheets/{page.url.rpartition('/')[2]}")
    confirmed.get_by_role("button", name="Confirm").click()
    expect(confirmed.locator(".pill.final", has_text="counts")).to_be_visible()


def test_of_two_phones_with_the_same_deal_one_is_told_that_it_is_written(evening: Evening) -> None:
    sheet = evening.luis.api("POST", f"{evening.api}/sheets", {"table": "1-1"})["id"]
    page = evening.go(evening.luis, f"/sheets/{sheet}")
    page.context.request.post(f"{evening.luis.base}{evening.api}/sheets/{sheet}/deals", data={"cells": CELLS},
                              headers={"Authorization": f"Bearer {evening.ana.token}", "If-Match": '"0"'})  # fmt: skip
    for card, seat in (("JS", "A"), ("JH", "B"), ("JD", "B"), ("JC", "C")):
        took(page, card, seat)
    page.get_by_role("button", name="Write down deal 1").click()
    expect(page.get_by_text("Somebody else wrote meanwhile")).to_be_visible()
    assert len(evening.ana.api("GET", f"{evening.api}/sheets/{sheet}")["deals"]) == 1


def test_a_correction_is_seen_in_the_table_with_its_reason_and_its_lines(evening: Evening) -> None:
    sheet = written(evening)
    evening.ana.api("POST", f"{evening.api}/results/{sheet}/confirm", {})
    page = evening.go(evening.ana, f"/results/{sheet}")
    page.get_by_text("A deal was written down wrongly").click()
    took(page, "JS", "C")
    page.locator("form:visible textarea").fill("The jack <b>was</b> hers.")
    page.locator("form:visible").get_by_role("button", name="Correct").click()
    expect(page.locator("q", has_text="The jack <b>was</b> hers.").first).to_be_visible()
    table: Any = evening.ana.api("GET", f"{evening.api}/standings")["rows"]
    evening.go(evening.ana)
    for row, shown in zip(table, page.locator(".standings tbody tr").all(), strict=True):
        assert shown.locator("td").nth(1).inner_text() == f"{row['points']:g}"
    page.locator(".standings td.strong a").first.click()
    expect(page.get_by_role("heading", name="The ledger")).to_be_visible()
    expect(page.get_by_text("correction").first).to_be_visible()


def test_hostile_names_are_names(evening: Evening) -> None:
    written(evening)
    for below in ("", "/rounds", "/results", "/members", "/tables/1-1"):
        page = evening.go(evening.ana, below)
        assert page.locator("img[src=x]").count() == 0, below
        assert page.get_by_text(HOSTILE).count() > 0, below


def test_an_organiser_founds_a_league_and_draws_a_round_with_a_mouse(person: Make) -> None:
    ana = person("Ana")
    page = go(ana, "/leagues")
    page.get_by_text("Found a league").click()
    page.get_by_label("Name of the league").fill("Thursdays")
    page.get_by_role("button", name="Found it").click()
    page.get_by_text("Open a season").click()
    page.get_by_label("Name of the season").fill("Autumn")
    page.get_by_role("button", name="Open it").click()
    for number in range(4):
        page.locator("summary", has_text="Add a guest").click()
        page.locator("form:visible [name='name']").fill(f"Guest {number}")
        page.get_by_role("button", name="Add a guest").click()
        expect(page.locator("tbody tr")).to_have_count(number + 1)
    page.get_by_role("link", name="Rounds").click()
    page.get_by_text("Draw the next round").click()
    page.get_by_role("button", name="Try a draw").click()
    page.get_by_role("button", name="Keep this draw").click()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()


def test_a_player_has_a_rating_with_its_chart_matches_and_head_to_head(person: Make) -> None:
    ana, luis = person("Ana"), person(HOSTILE)
    seats = [{"player": ana.id}, {"player": luis.id}, {"player": (eva := person("Eva")).id}]
    match = ana.api("POST", "/v1/matches", {"game": "polignac", "seats": seats, "rated": True})["id"]
    for seat, who in ((1, luis), (2, eva)):
        who.api("POST", f"/v1/matches/{match}/seats", {"seat": seat})
    for who in (luis, eva):
        who.api("POST", f"/v1/matches/{match}/resignation", {})
    deadline = time.monotonic() + 20
    while not ana.api("GET", f"/v1/players/{ana.id}/ratings")["items"] and time.monotonic() < deadline:
        time.sleep(0.2)
    page = go(ana, f"/players/{ana.id}")
    expect(page.locator(".chart polyline")).to_have_count(2)
    row = page.locator("tr", has=page.get_by_text(HOSTILE))
    assert row.locator("td").all_inner_texts()[:4] == ["1", "1", "0", "0"]
    expect(page.locator(f"a[href='/matches/{match}/replay']").last).to_be_visible()


def test_the_pages_keep_to_wcag_in_both_themes(evening: Evening) -> None:
    sheet = written(evening)
    below = ("", "/rounds", f"/results/{sheet}", "/members", "/organise", f"/sheets/{sheet}", "/tables/1-1")
    season = [f"/seasons/{evening.season}{each}" for each in below]
    for path in (*season, "/leagues", f"/players/{evening.ana.id}"):
        page = go(evening.ana, path)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            found = Axe().run(page)
            assert found.violations_count == 0, (path, theme, found.generate_report())
