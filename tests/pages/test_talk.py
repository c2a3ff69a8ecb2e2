"""Talk beside the game, in a browser: words taken back, hints, words said face down, analyses; see test_table.py."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.pages.person import PLAYABLE, Person

People = Callable[..., Person]
BOTS = [{"bot": "random"}] * 2


def table_of_three(person: People, **facts: object) -> tuple[str, list[Person]]:
    """A match of three persons, and they at its page, whoever owes a word first."""
    who = [person("Ana"), person("Luis"), person("Eva", locale="es", width=360)]
    match = who[0].api("POST", "/v1/matches", {"seats": [{"player": "me"}, {"open": True}, {"open": True}], **facts})[
        "id"
    ]
    for each in who[1:]:
        each.api("POST", f"/v1/matches/{match}/seats", {})
    for each in who:
        each.go(match)
    first = who[0].api("GET", f"/v1/matches/{match}")["deal"]["to_act"][0]
    return match, who[first:] + who[:first]


def test_a_word_is_taken_back_when_the_others_agree(person: People) -> None:
    match, (one, two, three) = table_of_three(person, game="polignac")
    expect(one.page.locator("#take-back")).to_be_hidden()
    one.page.click("#board [data-say=pass]")
    one.page.locator("#take-back").click()
    expect(one.page.locator("#talk")).not_to_be_empty()
    for each in (two, three):
        expect(each.page.locator("#talk button")).to_have_count(2)
        assert each.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        each.page.locator("#talk button").first.click()
    for each in (one, two, three):
        expect(each.page.locator("#log .taken-back")).to_have_count(1)
        expect(each.page.locator("#talk")).to_be_empty()
    expect(one.page.locator("#board [data-say=pass]")).to_be_visible()
    expect(one.page.locator("#take-back")).to_be_hidden()
    assert one.api("GET", f"/v1/matches/{match}")["deal"]["view"]["calls"] == []


def test_a_word_stays_when_somebody_refuses(person: People) -> None:
    match, (one, two, three) = table_of_three(person, game="polignac")
    one.page.click("#board [data-say=pass]")
    one.page.locator("#take-back").click()
    three.page.locator("#talk button").nth(1).click()
    for each in (one, two, three):
        expect(each.page.locator("#talk")).to_be_empty()
    expect(one.page.locator("#take-back")).to_be_hidden()
    assert len(one.api("GET", f"/v1/matches/{match}")["deal"]["view"]["calls"]) == 1
    two.page.click("#board [data-say=pass]")


def test_a_hint_names_a_word_that_can_be_said(person: People) -> None:
    ana = person()
    ana.open(game="bottle_imp", options={"deals": 1}, seats=[{"player": "me"}, *BOTS])
    for _ in range(2):
        ana.page.wait_for_selector(f"body:not(.busy) {PLAYABLE}")
        ana.page.click("#hint")
        expect(ana.page.locator("#advice")).to_contain_text("The bot that thinks ahead would say")
        ana.page.locator("#board .advised").first.click()
        expect(ana.page.locator("#advice")).to_be_empty()


def test_there_is_no_hint_where_another_person_plays(person: People) -> None:
    _, (one, *_) = table_of_three(person, game="polignac")
    expect(one.page.locator("#board [data-say=pass]")).to_be_visible()
    expect(one.page.locator("#hint")).to_be_hidden()


def test_what_was_said_face_down_is_read_out_when_the_deal_lies_open(person: People) -> None:
    ana = person()
    ana.open(game="bottle_imp", options={"deals": 1}, seats=[{"player": "me"}, *BOTS])
    ana.play(seed=1, words=4)
    assert ana.page.locator("#log .face-down").count() >= 3
    ana.play(seed=2)
    expect(ana.page.locator("#log .face-down")).to_have_count(0)
    expect(ana.page.locator("#log")).not_to_contain_text("face down")


def test_an_analysis_tells_in_the_replay_what_each_word_cost(person: People) -> None:
    ana = person()
    match = ana.open(game="polignac", options={"deals": 1}, seats=[{"player": "me"}, *BOTS])
    ana.play(seed=3)
    ana.page.goto(f"{ana.base}/matches/{match}/replay")
    ana.page.click("#analyse")
    expect(ana.page.locator("#analysed")).to_contain_text("Decisions judged", timeout=60_000)
    judged = ana.api("GET", f"/v1/matches/{match}/analysis?limit=200")["items"]
    dearest = max(judged, key=lambda each: each["loss"] or 0)
    ana.page.locator("#dearest button").first.click()
    expect(ana.page.locator("#where")).to_contain_text(f"{dearest['version']} / ")
    expect(ana.page.locator("#decision")).to_contain_text(f"{round(dearest['loss'], 2):g}")
    expect(ana.page.locator("#decision tbody tr")).to_have_count(len(dearest["candidates"]))
    expect(ana.page.locator("#losses tbody tr")).to_have_count(3)
