"""Several browsers at one table: clocks, seats given up and taken back, two tabs, away and back, another server.

Beside it: test_table.py (playing), test_visits.py (coming and going).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count
from signal import SIGTERM
from typing import Any

import psycopg
from playwright.sync_api import Locator, Page, expect

from store.embedded import Postgres
from tests.api.test_clocks import run_out
from tests.e2e.test_cli import child_of, lives, ready, wait_until
from tests.pages.conftest import Server
from tests.pages.person import PLAYABLE, Person

People = Callable[..., Person]
BOT = {"bot": "random"}
SHORT = {"deals": 1, "declarations": "none"}


def table(ana: Person, *others: Person, bots: int = 0, **facts: Any) -> str:
    """A match of them and bots that has begun, without a page opened."""
    seats = [{"player": "me"}, *[{"player": other.id} for other in others], *[BOT] * bots]
    asked = {"game": "polignac", "options": SHORT, "seats": seats, **facts}
    match: str = ana.api("POST", "/v1/matches", asked)["id"]
    for seat, other in enumerate(others, 1):
        other.api("POST", f"/v1/matches/{match}/seats", {"seat": seat})
    return match


def read(who: Person, match: str) -> Any:
    return who.api("GET", f"/v1/matches/{match}")


def words(who: Person, match: str) -> list[str]:
    """What he has said himself, as everybody may read it."""
    mine = next(seat["seat"] for seat in read(who, match)["seats"] if seat["you"])
    events = who.api("GET", f"/v1/matches/{match}/events?limit=200")["items"]
    return [event["move"] for event in events if event["type"] == "moved" and event["seat"] == mine]


def own_turn(page: Page) -> Locator:
    """What may be said there, when it is."""
    said = page.locator(f"body:not(.busy) {PLAYABLE}")
    expect(said).not_to_have_count(0)
    return said


def test_who_gives_up_has_a_bot_in_his_seat_for_good(person: People) -> None:
    ana, luis = person("Ana"), person("Luis")
    match = table(ana, luis, bots=1)
    for who in (ana, luis):
        who.go(match)
    ana.page.click("#resign")
    ana.page.get_by_role("button", name="Stay").click()
    ana.page.click("#resign")
    ana.page.locator("#sure").get_by_role("button", name="Give up").click()
    expect(luis.page.locator("#log")).to_contain_text("Ana gives up")
    expect(luis.page.locator("#board section[data-seat='0'] .badge", has_text="gave up")).to_be_visible()
    expect(ana.page.locator("#status")).to_have_text("You are watching")
    expect(ana.page.locator(f"#resign:visible, #return:visible, {PLAYABLE}")).to_have_count(0)
    seat = read(luis, match)["seats"][0]
    assert (seat["player"]["id"], seat["resigned"]) == (ana.id, True)


def test_a_clock_runs_for_all_to_see_and_who_was_late_comes_back_from_a_bot(person: People, server: Server) -> None:
    people = [person(name) for name in ("Ana", "Luis", "Eva")]
    match = table(*people, clock={"turn_seconds": 600})
    [deadline] = read(people[0], match)["deal"]["deadlines"]
    for who in people[:2]:
        who.go(match)
        clock = who.page.locator(f"#board section[data-seat='{deadline['seat']}'] time[data-at='{deadline['at']}']")
        shown = clock.inner_text()
        expect(clock).not_to_have_text(shown)
        assert seconds(clock.inner_text()) < seconds(shown) <= 600
    with psycopg.connect(Postgres(server.home).url, autocommit=True) as conn:
        hours = count(1)
        while not (gone := [each["seat"] for each in read(people[0], match)["seats"] if each["replaced_by"]]):
            run_out(conn, match, 3600 * next(hours))
    [seat] = gone
    late, other = people[seat], people[0 if seat else 1]
    away = other.page.locator(f"#board section[data-seat='{seat}'] .badge", has_text="away")
    expect(away).to_be_visible()
    for news in ("ran out of time", "is away"):
        expect(other.page.locator("#log")).to_contain_text(f"{late.name} {news}")
    if late not in people[:2]:
        late.go(match)
    late.page.get_by_role("button", name="Come back").click()
    expect(other.page.locator("#log")).to_contain_text(f"{late.name} is back")
    expect(away).to_have_count(0)
    expect(late.page.locator("#return")).to_be_hidden()
    assert read(other, match)["seats"][seat]["replaced_by"] is None


def seconds(shown: str) -> int:
    minutes, rest = shown.split(":")
    return 60 * int(minutes) + int(rest)


def test_a_word_said_in_one_tab_is_said_in_the_other(person: People) -> None:
    ana = person()
    match = table(ana, bots=2)
    ana.go(match)
    other = ana.context.new_page()
    other.goto(ana.page.url)
    for page in (ana.page, other):
        own_turn(page)
    said = []
    for here, there in ((ana.page, other), (other, ana.page)):
        said.append(own_turn(here).first.get_attribute("data-say"))
        here.locator(f"#board [data-say='{said[-1]}']").click()
        expect(there.locator(f"#board .own [data-word='{said[-1]}']")).to_have_count(0)
    assert words(ana, match) == said


def test_a_word_clicked_in_two_tabs_at_once_is_said_once(person: People) -> None:
    people = [person(name) for name in ("Ana", "Luis", "Eva")]
    match = table(*people)
    turn = read(people[0], match)["deal"]["to_act"][0]
    who, after = people[turn], people[(turn + 1) % 3]
    who.go(match)
    other = who.context.new_page()
    other.goto(who.page.url)
    for page in (who.page, other):
        own_turn(page)
    for page in (who.page, other):
        page.evaluate(f"document.querySelector({PLAYABLE!r})?.click()")  # unless it has heard already
    for page in (who.page, other):
        expect(page.locator("#status")).to_have_text("The others think")
    assert len(words(who, match)) == 1 and read(after, match)["deal"]["your_turn"]


def test_a_turn_that_came_while_one_was_away_is_there_when_he_is_back(person: People) -> None:
    people = [person(name) for name in ("Ana", "Luis", "Eva")]
    match = table(*people)
    turn = read(people[0], match)["deal"]["to_act"][0]
    before, away = people[turn], people[(turn + 1) % 3]
    away.go(match)
    expect(away.page.locator("#status")).to_have_text("The others think")
    away.context.set_offline(True)
    seen = read(before, match)
    before.api("POST", f"/v1/matches/{match}/moves", {"move": seen["deal"]["legal"][0]}, version=seen["version"])
    away.context.set_offline(False)
    own_turn(away.page).first.click()
    expect(away.page.locator("#status")).to_have_text("The others think")
    assert len(words(away, match)) == 1


def test_a_tab_that_outlived_the_server_plays_on(person: People, server: Server) -> None:
    ana = person()
    ana.expected += ["ERR_", "status of 503"]  # what a browser says of a server that goes
    match = table(ana, bots=2)
    ana.go(match)
    own_turn(ana.page)
    lobby = ana.context.new_page()
    lobby.goto(ana.base)
    expect(lobby.locator("#mine-rows .flag")).to_have_text("Your turn")
    os.kill(gone := child_of(server.process, "gunicorn"), SIGTERM)
    wait_until(lambda: not lives(gone) and ready(server.url))
    for said in (1, 2):
        own_turn(ana.page).first.click()
        own_turn(ana.page)
        assert len(words(ana, match)) == said
    expect(ana.page.locator("#connection")).to_be_hidden()
    invited = {"game": "polignac", "seats": [{"player": "me"}, {"player": ana.id}, BOT]}
    person("Luis").api("POST", "/v1/matches", invited)
    expect(lobby.locator("#mine-rows")).to_contain_text("You are invited")
