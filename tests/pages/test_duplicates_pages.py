"""Events with the same deals for all, in a browser: today's deal, who stands where. Beside it: docs/duplicates.md."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.pages.person import Person
from tests.pages.test_leagues_pages import go

People = Callable[..., Person]


def test_the_deal_of_the_day_is_played_and_compared_with_what_others_made_of_it(person: People) -> None:
    ana, luis = person("Ana"), person("Luis", width=360, locale="es")
    for who in (ana, luis):
        page = go(who, "/duplicates")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator("#view > .cards li", has_text="Polignac").get_by_role("button").click()
        page.wait_for_selector("#board [data-say]")
        expect(page.locator("#hint")).to_be_hidden()  # it counts
        who.play(seed=1)
        page.locator("#result a[href^='/duplicates/']").click()
        expect(page.locator("#view tbody tr", has_text=who.name)).to_have_count(1)
    event = luis.page.url.rpartition("/")[2]
    rows = luis.api("GET", f"/v1/duplicates/{event}")["standings"]
    shown = [row.locator("td").nth(0).inner_text() for row in luis.page.locator("#view tbody tr").all()]
    assert shown == [row["player"]["name"] for row in rows] and {"Ana", "Luis"} <= {*shown}
    page = go(ana, f"/duplicates/{event}")
    expect(page.locator("tr", has_text="Luis").locator("td").nth(2)).not_to_have_text("\u2013")
    again = go(ana, "/duplicates")
    again.locator("#view > .cards li", has_text="Polignac").get_by_role("button").click()
    expect(again.locator("#result h2")).to_be_visible()  # one enters once: the same match, which is over


def test_an_event_of_tables_is_opened_by_its_form_and_begins_when_enough_wait(person: People) -> None:
    ana, luis, eva = person("Ana"), person("Luis"), person("Eva")
    page = go(ana, "/duplicates")
    page.get_by_text("Open an event").first.click()
    page.get_by_label("Who plays at a table").select_option("tables")
    page.get_by_label("Seats").fill("3")
    page.get_by_label("Deals", exact=True).fill("2")
    page.locator("form button").click()
    page.wait_for_url("**/duplicates/*")
    for who in (ana, luis):
        go(who, page.url.removeprefix(ana.base)).get_by_role("button", name="Play").click()
        expect(who.page.get_by_text("You have entered")).to_be_visible()
    go(eva, page.url.removeprefix(ana.base)).get_by_role("button", name="Play").click()
    eva.page.wait_for_selector("#board .own .hand .card")
    ana.page.get_by_role("link", name="To your table").click()  # who waits is told
    ana.page.wait_for_selector("#board .own .hand .card")


def test_who_is_not_signed_in_reads_and_is_asked_to_sign_in(person: People) -> None:
    nobody = person(signed_in=False)
    page = go(nobody, "/duplicates")
    page.locator("#view > .cards li").first.get_by_role("button").click()
    page.wait_for_url("**/sign-in?next=/duplicates")
