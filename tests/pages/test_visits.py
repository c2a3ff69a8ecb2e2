"""Coming and going: by a code, by the back button, to what is not there; languages. Beside it: test_table.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.pages.conftest import CHROMIUM, QUIET
from tests.pages.person import PLAYABLE, Person

People = Callable[..., Person]
BOT = {"bot": "random"}
NOBODY = "0123456789abcdef0123"
SHORT = {"deals": 1, "declarations": "none"}


def hidden_from_strangers(ana: Person) -> str:
    """Her private match, with a free seat that completes it."""
    return ana.open(game="polignac", options=SHORT, visibility="private", seats=[{"player": "me"}, {"open": True}, BOT])


def seats(ana: Person, match: str) -> list[Any]:
    found: list[Any] = ana.api("GET", f"/v1/matches/{match}")["seats"]
    return found


def test_a_code_lets_in_who_has_to_sign_in_first(person: People) -> None:
    ana, luis = person("Ana"), person(signed_in=False)
    match = hidden_from_strangers(ana)
    ana.page.get_by_role("button", name="An address that lets somebody in").click()
    address = ana.page.locator("#seats output")
    expect(address).to_contain_text(f"/matches/{match}?code=")
    luis.expected.append("status of 404")  # what he may not see before he is in
    luis.page.goto(address.inner_text())
    luis.page.locator("#seats").get_by_role("link", name="Sign in").click()
    luis.page.fill("#name", "Luis")
    luis.page.click("#by-name [type=submit]")
    luis.page.click("#go")
    luis.page.get_by_role("button", name="Enter with the code").click()
    expect(luis.page.locator("#board .own .hand .card")).not_to_have_count(0)
    assert luis.page.url == f"{ana.base}/matches/{match}"
    expect(ana.page.locator("#board section[data-seat='1'] bdi").first).to_have_text("Luis")
    assert seats(ana, match)[1]["player"]["name"] == "Luis"


def test_a_wrong_code_is_refused_by_name_and_shows_nothing(person: People) -> None:
    ana, eva = person("Ana of the private match"), person("Eva")
    match = hidden_from_strangers(ana)
    eva.expected.append("status of 404")
    eva.page.goto(f"{eva.base}/matches/{match}?code=guessed")
    eva.page.get_by_role("button", name="Enter with the code").click()
    expect(eva.page.get_by_text("This code opens no seat here")).to_be_visible()
    assert "Ana of" not in eva.page.content() and "Polignac" not in eva.page.content()
    assert seats(ana, match)[1]["open"]


@pytest.mark.parametrize(("locale", "said"), [("en", "Not found"), ("es", "No encontrado")])
def test_what_is_not_there_is_a_page_that_says_so(person: People, locale: str, said: str) -> None:
    ana = person(locale=locale)
    ana.expected.append("status of 404")
    for path in ("/nothing", f"/matches/{NOBODY}"):
        ana.page.goto(ana.base + path)
        expect(ana.page.get_by_role("heading", name=said)).to_be_visible()
        expect(ana.page.locator(".who .name")).to_have_text("Ana")
    ana.page.locator("#main a").click()
    ana.page.wait_for_url(f"{ana.base}/")


def test_a_strangers_private_match_is_as_if_it_were_not_there(person: People) -> None:
    ana, eva, anybody = person("Ana"), person("Eva"), person(signed_in=False)
    match = hidden_from_strangers(ana)
    for who in (eva, anybody):
        for below in ("", "/replay"):
            found = [who.context.request.get(f"{who.base}/matches/{each}{below}") for each in (match, NOBODY)]
            assert found[0].status == found[1].status == 404
            assert found[0].text().replace(match, NOBODY) == found[1].text()
    answer = ana.page.goto(f"{ana.base}/matches/{match}")
    assert answer and answer.status == 200


def test_a_table_is_opened_found_in_the_lobby_and_filled(person: People) -> None:
    ana, luis = person("Ana"), person("Luis")
    ana.page.goto(ana.base)
    form = ana.page.locator("#polignac form")
    form.get_by_text("Choose", exact=True).click()
    form.get_by_label("Time for a word").select_option("60")
    form.get_by_text("House rules").click()
    form.locator("[data-option=deals]").fill("2")
    form.get_by_role("button", name="Open a table").click()
    ana.page.wait_for_url("**/matches/*")
    match = ana.page.url.rpartition("/")[2]
    luis.page.goto(luis.base)
    luis.page.click(f"#open-rows a[href='/matches/{match}']")
    sit_down = luis.page.get_by_role("button", name="Sit down")
    expect(sit_down).to_have_count(3)
    sit_down.last.click()
    luis.page.get_by_role("button", name="Get up").click()
    expect(sit_down).to_have_count(3)
    sit_down.first.click()
    expect(ana.page.locator("#seats")).to_contain_text("Luis")
    for left in (1, 0):
        ana.page.get_by_role("button", name="Seat a bot").first.click()
        expect(ana.page.get_by_role("button", name="Seat a bot")).to_have_count(left)
    for who in (ana, luis):
        expect(who.page.locator("#board .own .hand .card")).to_have_count(8)
    opened = ana.api("GET", f"/v1/matches/{match}")
    assert (opened["options"]["deals"], opened["clock"]["turn_seconds"]) == (2, 60)
    assert [seat["player"] and seat["player"]["id"] or seat["bot"] for seat in opened["seats"]] == [
        ana.id, luis.id, "rule", "rule"]  # fmt: skip


def test_back_and_forward_find_the_table_as_it_is(person: People) -> None:
    ana = person()
    ana.page.goto(ana.base)
    ana.page.click("#polignac button[value=bots]")
    ana.page.wait_for_selector("#board .own .hand .card")
    match = ana.page.url.rpartition("/")[2]
    ana.page.goto(f"{ana.page.url}/replay")
    expect(ana.page.locator("#controls")).to_be_visible()
    ana.page.locator("body").press("Home")
    expect(ana.page).to_have_url(re.compile("#v=1$"))
    ana.page.go_back()  # one step, however many moments of the replay were looked at
    ana.play(seed=6, words=2)
    ana.page.go_back()
    row = ana.page.locator("#mine-rows li", has=ana.page.locator(f"a[href='/matches/{match}']"))
    expect(row).to_have_count(1)
    ana.page.go_forward()
    ana.page.wait_for_selector(f"body:not(.busy) {PLAYABLE}")
    hand = ana.api("GET", f"/v1/matches/{match}")["deal"]["view"]["hands"][0]
    expect(ana.page.locator("#board .own .hand .card")).to_have_count(len(hand))


def test_who_signs_out_is_nobody_in_every_tab(person: People) -> None:
    ana = person()
    match = ana.open(game="polignac", options=SHORT, seats=[{"player": "me"}, BOT, BOT])
    ana.page.wait_for_selector(PLAYABLE)
    other = ana.context.new_page()
    other.goto(f"{ana.base}/matches/{match}")
    other.click("#sign-out")
    other.wait_for_url(f"{ana.base}/")
    expect(other.locator(".who")).to_contain_text("Sign in")
    before = ana.api("GET", f"/v1/matches/{match}")["version"]
    ana.expected.append("status of 401")
    ana.page.locator(PLAYABLE).first.click()
    expect(ana.page.locator("#news .bad")).to_be_visible()
    expect(ana.page.locator("#board .own")).to_have_count(0)
    other.go_back()
    expect(other.locator("#board section")).to_have_count(3)
    expect(other.locator("#board .own")).to_have_count(0)
    assert ana.api("GET", f"/v1/matches/{match}")["version"] == before


def test_who_goes_back_after_signing_out_finds_no_hand(browser: Browser, base: str) -> None:
    keeping = browser.browser_type.launch(executable_path=CHROMIUM, args=QUIET,
                                          ignore_default_args=["--disable-back-forward-cache"])  # fmt: skip
    ana = Person(keeping.new_context(), base, "Ana")
    match = ana.open(game="polignac", options=SHORT, seats=[{"player": "me"}, BOT, BOT])
    ana.page.wait_for_selector(PLAYABLE)
    ana.page.click("#sign-out")
    ana.page.wait_for_url(f"{base}/")
    expect(ana.page.locator("#open-rows li").first).to_be_visible()
    ana.page.evaluate("history.back()")  # page.go_back() waits for a page that is loaded, not for one that was kept
    ana.page.wait_for_url(f"{base}/matches/{match}")
    expect(ana.page.locator(".who")).to_contain_text("Sign in")
    expect(ana.page.locator("#board section")).to_have_count(3)
    expect(ana.page.locator("#board .own")).to_have_count(0)
    keeping.close()
    assert ana.faults == []


def _ground(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_a_token_gets_into_no_address_before_the_script_is_there(person: People) -> None:
    eva = person(signed_in=False)
    eva.page.route("**/sign_in.js", lambda route: route.abort())
    eva.page.goto(f"{eva.base}/sign-in")
    for field in ("#name", "#token"):
        eva.page.fill(field, "a secret")
        eva.page.press(field, "Enter")
        eva.page.evaluate("field => document.querySelector(field).form.submit()", field)
        eva.page.wait_for_load_state()
        assert "secret" not in eva.page.url


def test_language_and_theme_are_the_browsers_until_somebody_chooses(person: People) -> None:
    eva = person(signed_in=False, locale="es-MX", color_scheme="dark")
    eva.page.goto(f"{eva.base}/rules")
    expect(eva.page.locator("html")).to_have_attribute("lang", "es")
    dark = _ground(eva.page)
    eva.page.click("#language button[value=en]")
    expect(eva.page.locator("html")).to_have_attribute("lang", "en")
    eva.page.wait_for_load_state("domcontentloaded")  # else nobody listens yet
    eva.page.click("#theme button[value=light]")
    light = _ground(eva.page)
    assert light != dark
    another = eva.context.new_page()
    another.goto(eva.base)
    expect(another.locator("html")).to_have_attribute("lang", "en")
    assert _ground(another) == light
    expect(another.locator("#theme button[value=light]")).to_have_attribute("aria-pressed", "true")
    another.click("#theme button[value='']")
    assert _ground(another) == dark
    kept = {cookie["name"]: cookie["value"] for cookie in eva.context.cookies()}
    assert kept == {"tapete_language": "en"}


@pytest.mark.parametrize("game", ["polignac", "bottle_imp", "pot_de_vin", "mykonos"])
def test_the_rules_are_those_of_the_api_with_their_cards_drawn(person: People, game: str) -> None:
    eva = person(signed_in=False, locale="en")
    eva.page.goto(f"{eva.base}/rules/{game}")
    reads_rules(eva, game, "en")
    eva.page.click("#language button[value=es]")
    expect(eva.page.locator("html")).to_have_attribute("lang", "es")
    reads_rules(eva, game, "es")


def reads_rules(eva: Person, game: str, language: str) -> None:
    told = eva.context.request.get(f"{eva.base}/v1/games/{game}/rules", headers={"Accept-Language": language}).text()
    headings = [each.replace("`", "") for each in re.findall(r"^#+ (.+)$", told, re.MULTILINE)]
    assert eva.page.locator(":is(h1, h2, h3)").all_inner_texts()[: len(headings)] == headings
    tables = eva.context.request.get(f"{eva.base}/v1/games/{game}").json()["tables"]
    decks = tables.get("decks") or ({"": tables["cards"]} if "cards" in tables else {})
    expect(eva.page.locator(".deck")).to_have_count(len(decks))
    for name, cards in decks.items():
        drawn = eva.page.locator(f".deck[data-deck='{name}'] .card")
        expect(drawn).to_have_count(len(cards))
        assert set(drawn.evaluate_all("all => all.map((each) => each.dataset.word)")) == set(cards)
