"""A person at a table, in a browser: whole matches of every game, two at one table, lost connections, hostile names."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Page, Response, TimeoutError, expect  # noqa: A004

from tests.pages.person import PLAYABLE, Person

People = Callable[..., Person]
BOT = {"bot": "random"}
MATCHES: dict[str, dict[str, Any]] = {
    "polignac": {"game": "polignac", "options": {"deals": 1}, "seats": 4},
    "polignac with claims": {"game": "polignac", "options": {"deals": 1, "revoke": "claim"}, "seats": 3},
    "the bottle imp": {"game": "bottle_imp", "options": {"deals": 1}, "seats": 3},
    "lopaka": {"game": "bottle_imp", "variant": "lopaka", "options": {"deals": 1}, "seats": 2},
    "the bright house": {"game": "bottle_imp", "variant": "bright_house", "options": {"deals": 1}, "seats": 2},
    "pot de vin": {"game": "pot_de_vin", "seats": 3},
    "mykonos": {"game": "mykonos", "options": {"sell_singles": "surplus"}, "seats": 4},
}  # fmt: skip


def facts(name: str) -> dict[str, Any]:
    asked = dict(MATCHES[name])
    return {**asked, "seats": [{"player": "me"}, *[BOT] * (asked["seats"] - 1)]}


@pytest.mark.parametrize("name", MATCHES)
def test_a_whole_match_is_played_by_clicking(person: People, name: str) -> None:
    ana = person()
    match = ana.open(**facts(name))
    assert ana.play(seed=7, times=2) > 5
    shown = ana.api("GET", f"/v1/matches/{match}")
    assert shown["status"] == "ended"
    totals = ana.page.locator("#pad .sum td").all_inner_texts()
    assert [int(total.replace("\u2212", "-")) for total in totals] == shown["totals"]
    expect(ana.page.locator("#result .places li")).to_have_count(len(shown["seats"]))
    events = ana.api("GET", f"/v1/matches/{match}/events?limit=200")["items"]
    assert sum(event["type"] == "scored" for event in events) <= ana.page.locator("#pad tbody tr").count() + 1


def test_a_double_click_says_one_word(person: People) -> None:
    ana = person()
    match = ana.open(**facts("polignac"))
    for said in range(1, 4):
        ana.page.locator(f"body:not(.busy) {PLAYABLE}").first.dblclick()
        ana.page.wait_for_selector(f"body:not(.busy) {PLAYABLE}")
        events = ana.api("GET", f"/v1/matches/{match}/events?limit=200")["items"]
        assert sum(event["type"] == "moved" and event["seat"] == 0 for event in events) == said


def test_two_see_each_others_words_and_never_each_others_cards(person: People) -> None:
    ana, luis = person("Ana"), person("Luis")
    seen = {who.id: _traffic(who) for who in (ana, luis)}
    match = ana.open(game="polignac", options={"deals": 1, "declarations": "none"},
                     seats=[{"player": "me"}, {"open": True}, BOT, BOT])  # fmt: skip
    luis.go(match)
    luis.page.get_by_role("button", name="Sit down").click()
    for who, other, seat in ((ana, "Luis", 1), (luis, "Ana", 0)):
        expect(who.page.locator(f"#board section[data-seat='{seat}'] bdi").first).to_have_text(other)
    hands = [who.api("GET", f"/v1/matches/{match}")["deal"]["view"]["hands"][n] for n, who in enumerate((ana, luis))]
    for turn in range(4):
        for who in (ana, luis):
            with suppress(TimeoutError):
                who.page.wait_for_selector(f"body:not(.busy) {PLAYABLE}", timeout=1500)
                who.play(seed=turn, words=1)
    told = {who.id: re.sub(r'"costs":\{[^}]*\}', "", seen[who.id]()) + who.page.content() for who in (ana, luis)}
    # Asked for last: a word may have been on its way when the browsers were read.
    events = ana.api("GET", f"/v1/matches/{match}/events?limit=200")["items"]
    said = {event["move"] for event in events if event["type"] == "moved"}
    for who, theirs in ((ana, hands[1]), (luis, hands[0])):
        traffic = told[who.id]
        assert traffic.count('"version"') > 4 and set(theirs) & said
        assert [word for word in set(theirs) - said if f'"{word}"' in traffic] == []
        for word in set(theirs) & said:
            expect(who.page.locator("#log")).to_contain_text(_name(word))


def _traffic(who: Person) -> Callable[[], str]:
    """What gives whatever his browser has been told of matches: every answer, and each message of a stream."""
    answers: list[Response] = []
    messages: list[str] = []
    who.page.on("response", lambda answer: answers.append(answer))
    who.page.expose_function("keep", lambda text: messages.append(text))
    who.page.add_init_script(
        "const Real = EventSource; window.EventSource = class extends Real { constructor(url) {"
        " super(url); this.addEventListener('message', (said) => window.keep(said.data)); } };"
    )
    # Read at the end: inside the listener an answer can be lost without a word.
    return lambda: "".join([*(answer.text() for answer in answers if _of_matches(answer)), *messages])


def _of_matches(answer: Response) -> bool:
    return "/v1/matches" in answer.url and "event-stream" not in answer.headers.get("content-type", "")


RANKS = {"7": "seven", "8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def _name(word: str) -> str:
    return f"{RANKS[word[0]]} of {SUITS[word[1]]}"


def test_a_connection_that_breaks_comes_back_by_itself(person: People) -> None:
    ana = person()
    match = ana.open(game="polignac", options={"deals": 1, "declarations": "none"},
                     seats=[{"player": "me"}, BOT, BOT, BOT])  # fmt: skip
    ana.page.wait_for_selector(PLAYABLE)
    ana.context.set_offline(True)
    ana.page.locator(PLAYABLE).first.click()
    ana.page.wait_for_timeout(1200)
    ana.context.set_offline(False)
    assert ana.play(seed=3) >= 5
    assert ana.api("GET", f"/v1/matches/{match}")["status"] == "ended"


HOSTILE = ["<img src=x onerror=alert(1)>", "'\"><script>alert(1)</script>", "\u202eevil", "{{7*7}}${7*7}", "W" * 40]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_text(person: People, name: str) -> None:
    ana = person(name, width=360)
    shouted: list[str] = []
    ana.page.on("dialog", lambda dialog: shouted.append(dialog.message))
    ana.open(**facts("polignac"))
    ana.play(seed=1, words=3)
    own = ana.page.locator("#board .own .seat bdi").first
    expect(own).to_have_text(name)
    for path in ("/", ana.page.url.removeprefix(ana.base), ana.page.url.removeprefix(ana.base) + "/replay"):
        ana.page.goto(ana.base + path)
        ana.page.wait_for_timeout(150)
        assert ana.page.locator("img[src=x]").count() == 0
        assert _overflow(ana.page) == 0, path
    assert shouted == []


def test_it_is_played_by_keys_alone(person: People) -> None:
    ana = person()
    match = ana.open(game="polignac", options={"deals": 1, "declarations": "none"},
                     seats=[{"player": "me"}, BOT, BOT, BOT])  # fmt: skip
    ana.page.wait_for_selector(PLAYABLE)
    for _ in range(60):
        ana.page.keyboard.press("Tab")
        if ana.page.evaluate("'say' in (document.activeElement?.dataset ?? {})"):
            break
    ana.page.keyboard.press("ArrowRight")
    for _ in range(40):
        ana.page.wait_for_selector(f"body:not(.busy) {PLAYABLE}, #result h2")
        if ana.page.query_selector("#result h2"):
            break
        assert ana.page.evaluate("'say' in document.activeElement.dataset"), "the focus is lost"
        ana.page.keyboard.press("Enter")
        ana.page.wait_for_timeout(150)
    ana.page.wait_for_selector("#result h2")
    assert ana.api("GET", f"/v1/matches/{match}")["status"] == "ended"


def test_a_card_is_named_for_whoever_cannot_see_it(person: People) -> None:
    ana = person(locale="es")
    ana.open(**facts("polignac"))
    ana.page.wait_for_selector("#board .own .hand .card")
    names = [each.get_attribute("aria-label") or "" for each in ana.page.locator("#board .own .hand .card").all()]
    assert len(names) == 8 and all(re.fullmatch(r"\w+ de (tréboles|diamantes|corazones|picas)", name) for name in names)


def test_who_signs_in_by_name_keeps_a_token_that_signs_in_again(person: People) -> None:
    eva = person("Eva", signed_in=False)
    eva.page.goto(f"{eva.base}/sign-in?next=/rules")
    eva.page.fill("#name", "Eva")
    eva.page.click("#by-name [type=submit]")
    expect(eva.page.locator("#kept")).to_be_visible()
    token = eva.page.locator("#new-token").inner_text()
    assert eva.page.evaluate("document.cookie").find("tpt_") == -1
    eva.page.click("#go")
    eva.page.wait_for_url("**/rules")
    eva.page.wait_for_load_state("load")
    expect(eva.page.locator(".who .name")).to_have_text("Eva")
    eva.page.click("#sign-out")
    expect(eva.page.locator(".who")).to_contain_text("Sign in")
    eva.page.goto(f"{eva.base}/sign-in?next=//evil.example")
    eva.page.fill("#token", token)
    eva.page.click("#by-token [type=submit]")
    eva.page.wait_for_url(f"{eva.base}/")
    expect(eva.page.locator(".who .name")).to_have_text("Eva")


def test_one_click_in_the_lobby_and_cards_are_held(person: People) -> None:
    ana = person()
    ana.page.goto(ana.base)
    ana.page.click("#bottle_imp button[value=bots]")
    ana.page.wait_for_selector("#board .own .hand .card")
    ana.page.goto(ana.base)
    expect(ana.page.locator("#mine-rows .flag")).to_have_text("Your turn")


@pytest.mark.parametrize("path", ["/", "/sign-in", "/rules", "/rules/polignac", "/rules/pot_de_vin"])
def test_a_page_is_small(person: People, path: str) -> None:
    ana = person()
    came: list[Response] = []
    ana.page.on("response", lambda response: came.append(response))
    ana.page.goto(ana.base + path)
    ana.page.wait_for_load_state("load")
    sizes = [len(response.body()) for response in came if response.ok and "stream" not in response.url]
    assert 0 < sum(sizes) < 150_000, sizes


def _overflow(page: Page) -> int:
    """By how many pixels a page is wider than the window."""
    return int(page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)"))


@pytest.mark.parametrize("name", ["polignac", "the bottle imp", "pot de vin", "mykonos"])
def test_a_phone_of_360_pixels_shows_all_of_a_table(person: People, name: str) -> None:
    ana = person(width=360)
    ana.open(**facts(name))
    ana.play(seed=2, words=8)
    assert _overflow(ana.page) == 0
