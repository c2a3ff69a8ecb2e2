"""What a season's people do besides the evening: closing, counting otherwise, disputes, guests, organisers, leaving.

Beside it: test_leagues_pages.py (an evening on paper, corrections).
"""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_cli import wait_until
from tests.pages.person import Person
from tests.pages.test_leagues_pages import Evening, go, written

Make = Callable[..., Person]
FACTS = {"name": "Thursdays", "game": "polignac", "options": {"deals": 1, "tie_break": "shared"}}


def drawn(ana: Person, luis: Person, **third: str) -> Evening:
    """A season of Ana, who organises it, Luis, and a third member; one table."""
    league = ana.api("POST", "/v1/leagues", FACTS)["id"]
    season = Evening(ana, luis, ana.api("POST", f"/v1/leagues/{league}/seasons", {"name": "Spring"})["id"])
    members = [ana.api("POST", f"{season.api}/members", who)["member"]["id"]
               for who in ({"player": ana.id}, {"player": luis.id}, third)]  # fmt: skip
    ana.api("POST", f"{season.api}/rounds", {"pairing": "manual", "tables": [members]})
    return season


@pytest.fixture
def season(person: Make) -> Evening:
    return drawn(person("Ana"), person("Luis", locale="en"), name="Guest")


def read(season: Evening, below: str = "") -> Any:
    return season.ana.api("GET", season.api + below)


def unfolded(page: Page, what: str) -> None:
    """Opens what is folded under these words, and says why in it."""
    page.locator("summary", has_text=what).click()
    page.locator("form:visible textarea").fill("Because.")
    page.locator("form:visible").get_by_role("button", name=what).click()


def test_a_season_is_counted_another_way_closed_and_opened_again(season: Evening) -> None:
    sheet = written(season)
    before = [row["points"] for row in read(season, "/standings")["rows"]]
    page = season.go(season.ana, "/organise")
    season.ana.expected.append("status of 409")
    page.get_by_role("button", name="Close the season").click()
    expect(page.locator("#news .bad")).to_be_visible()
    assert read(season)["status"] == "open"
    season.ana.api("POST", f"{season.api}/results/{sheet}/confirm", {})
    page.locator("summary", has_text="Count another way").click()
    page.get_by_label("What a result is worth").select_option("wins")
    page.locator("form:visible textarea").fill("Only the first place counts.")
    page.locator("form:visible").get_by_role("button", name="Count another way").click()
    expect(page.locator("#view")).to_contain_text("Wins.")
    page.get_by_role("button", name="Close the season").click()
    expect(page.locator("summary", has_text="Open it again")).to_be_visible()
    table = read(season, "/standings")
    assert (read(season)["scheme"], read(season)["status"], table["final"]) == ("wins", "closed", True)
    assert before != [row["points"] for row in table["rows"]]
    shown = season.go(season.luis)
    expect(shown.locator(".pill.final", has_text="final")).to_be_visible()
    expect(shown.locator("q", has_text="Only the first place counts.")).to_be_visible()
    points = shown.locator(".standings td.strong").all_inner_texts()
    assert points == [f"{row['points']:g}" for row in table["rows"]]
    unfolded(page, "Open it again")
    expect(page.get_by_role("button", name="Close the season")).to_be_visible()
    assert read(season)["status"] == "open"


def test_a_disputed_sheet_waits_for_a_ruling(season: Evening) -> None:
    sheet = written(season)
    page = season.go(season.ana, f"/results/{sheet}")
    page.locator("summary", has_text="Something is wrong").click()
    page.locator("form:visible textarea").fill("The jack was mine.")
    page.locator("form:visible").get_by_role("button", name="Dispute it").click()
    expect(page.locator(".pill", has_text="disputed")).to_be_visible()
    assert read(season, f"/results/{sheet}")["status"] == "disputed"
    unfolded(page, "Let it stand")
    expect(page.locator(".pill.final", has_text="counts")).to_be_visible()
    assert read(season, f"/results/{sheet}")["status"] == "confirmed"


def test_a_guest_becomes_the_player_he_is_with_all_that_he_played(season: Evening, person: Make) -> None:
    sheet = written(season)
    season.ana.api("POST", f"{season.api}/results/{sheet}/confirm", {})
    page = season.go(season.ana, "/members")
    page.get_by_role("button", name="Code to claim").click()
    code = page.locator("code.code")
    expect(code).not_to_be_empty()
    eva = person("Eva")
    his = go(eva, "/leagues")
    eva.expected.append("status of 4")
    his.locator("summary", has_text="I played as a guest").click()
    his.get_by_label("Code").fill("guessed")
    his.get_by_role("button", name="That was me").click()
    expect(his.locator("form:visible .said").last).not_to_be_empty()
    his.get_by_label("Code").fill(f" {code.inner_text()} ")
    his.get_by_role("button", name="That was me").click()
    his.wait_for_url(f"**/seasons/{season.season}")
    [mine] = [row for row in read(season, "/standings")["rows"] if row["name"] == "Eva"]
    expect(his.locator(".standings tr", has_text="Eva").locator("td.strong")).to_have_text(f"{mine['points']:g}")
    [member] = [each for each in read(season, "/members")["items"] if each["player"] == eva.id]
    assert mine["member"] == member["id"] and mine["results"] == 1


def test_a_table_of_a_round_is_played_here(person: Make) -> None:
    ana, luis, eva = (person(name) for name in ("Ana", "Luis", "Eva"))
    season = drawn(ana, luis, player=eva.id)
    page = season.go(ana, "/rounds")
    page.get_by_role("link", name="Table 1").click()
    page.get_by_role("button", name="Open the match").click()
    page.wait_for_url("**/matches/*")
    match = page.url.rpartition("/")[2]
    for who in (luis, eva):
        season.go(who, "/tables/1-1").get_by_role("link", name="To the match").click()
        who.page.get_by_role("button", name="Accept").click()
        expect(who.page.locator("#seats").get_by_role("button", name="Accept")).to_have_count(0)
    expect(page.locator("#board .own .hand .card")).not_to_have_count(0)
    for who in (luis, eva):
        who.api("POST", f"/v1/matches/{match}/resignation", {})
    expect(page.locator("#result h2")).to_be_visible()
    wait_until(lambda: bool(read(season, "/results")["items"]))
    [result] = read(season, "/results")["items"]
    assert (result["id"], result["source"], result["table"]) == (match, "match", "1-1")
    shown = season.go(luis, "/results")
    expect(shown.get_by_text("played here")).to_be_visible()
    assert shown.locator(".scores .place").first.inner_text() == "1."


def test_an_organiser_is_added_sees_what_they_see_and_is_removed(person: Make) -> None:
    ana, luis = person("Ana"), person(f"Luis {token_hex(4)}")
    league = ana.api("POST", "/v1/leagues", FACTS)["id"]
    season = Evening(ana, luis, ana.api("POST", f"/v1/leagues/{league}/seasons", {"name": "Spring"})["id"])
    page = go(ana, f"/leagues/{league}")
    page.get_by_label("Add an organiser").fill(luis.name or "")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("button", name="Add", exact=True).click()
    row = page.locator("ul.plain li", has_text=luis.name).filter(has=page.get_by_role("button", name="Remove"))
    expect(row).to_be_visible()
    expect(season.go(luis).locator("#organise")).to_be_visible()
    row.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    expect(season.go(luis).locator("#organise")).to_be_hidden()
    assert [each["id"] for each in ana.api("GET", f"/v1/leagues/{league}")["organisers"]] == [ana.id]


def test_who_leaves_a_season_can_be_taken_back(season: Evening) -> None:
    def active() -> bool:
        [found] = [each for each in read(season, "/members")["items"] if each["player"] == season.luis.id]
        return bool(found["active"])

    page = season.go(season.luis, "/members")
    leave = page.get_by_role("button", name="Leave")
    page.once("dialog", lambda dialog: dialog.dismiss())
    leave.click()
    expect(leave).to_be_enabled()
    assert active()
    page.once("dialog", lambda dialog: dialog.accept())
    leave.click()
    expect(page.locator(".pill.void", has_text="left")).to_be_visible()
    assert not active()
    theirs = season.go(season.ana, "/members")
    theirs.get_by_role("button", name="Take back").click()
    expect(theirs.locator(".pill.void")).to_have_count(0)
    assert active()
