"""A clock as a client meets it: deadlines, words said for him, a bot in his seat, and coming back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from secrets import token_bytes
from typing import Any

import pytest

from domain import play
from domain.event import History
from store.db import Connection
from store.events import Events
from tests.api.http import Client

CLOCK = {"turn_seconds": 60, "bank_seconds": 30}


def table(ana: Client, luis: Client, eva: Client, **more: Any) -> dict[str, Any]:
    """A match of three persons with a clock, dealt."""
    seats = [{"player": "me"}, {"player": luis.id}, {"open": True}]
    options = {"declarations": "none"}
    match = ana.made("/v1/matches", {"game": "polignac", "seats": seats, "clock": CLOCK, "options": options, **more})
    luis.made(f"/v1/matches/{match['id']}/seats", {"seat": 1})
    seen: dict[str, Any] = eva.made(f"/v1/matches/{match['id']}/seats", {})["match"]
    return seen


def run_out(conn: Connection, match: str, seconds: int) -> None:
    """What the clock's job does, so many seconds later by the database's time."""

    class Later(Events):
        def read(self, stream: str) -> History:
            history = super().read(stream)
            return History(history.events, history.now + timedelta(seconds=seconds))

    store = Later(conn)
    version = store.read(match).version
    decision = play.expire(store, match, version, lambda: token_bytes(32))
    assert decision
    decision.commit(store)


def test_the_seat_that_is_asked_has_a_deadline_and_the_others_have_none(ana: Client, luis: Client, eva: Client) -> None:
    seen = table(ana, luis, eva)
    assert seen["clock"] == CLOCK
    [deadline] = seen["deal"]["deadlines"]
    assert [deadline["seat"]] == seen["deal"]["to_act"] and deadline["bank_seconds"] == 30
    left = datetime.fromisoformat(deadline["at"]) - datetime.now(UTC)
    assert timedelta(seconds=60) < left <= timedelta(seconds=91)


def test_a_word_is_said_for_who_is_late_and_the_third_time_a_bot_sits_down_until_he_comes_back(
    ana: Client, luis: Client, eva: Client, conn: Connection
) -> None:
    seen = table(ana, luis, eva)
    players, match, kinds = (ana, luis, eva), seen["id"], list[str]()
    for hours in range(1, 10):
        if "replaced" in kinds:
            break
        run_out(conn, match, 3600 * hours)
        kinds = [event["type"] for event in ana.read(f"/v1/matches/{match}/events")["items"]]
    assert kinds.count("expired") >= 3 and kinds[kinds.index("expired") + 1] == "moved"
    events = ana.read(f"/v1/matches/{match}/events")["items"]
    gone = next(event for event in events if event["type"] == "replaced")
    assert gone["bot"] == "rule"
    seat = ana.read(f"/v1/matches/{match}")["seats"][gone["seat"]]
    assert (seat["replaced_by"], seat["player"]["id"]) == ("rule", players[gone["seat"]].id)
    hand = players[gone["seat"]].read(f"/v1/matches/{match}")["deal"]["view"]["hands"][gone["seat"]]
    assert isinstance(hand, list), "who was replaced still sees his hand"
    back = players[gone["seat"]].made(f"/v1/matches/{match}/seats", {"seat": gone["seat"]})
    assert [(event["type"], event["seat"], event["bot"]) for event in back["events"]] == [
        ("replaced", gone["seat"], None)
    ]
    assert back["match"]["seats"][gone["seat"]]["replaced_by"] is None


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ({"turn_seconds": 4}, "clock.turn_seconds"),
        ({"turn_seconds": 604801}, "clock.turn_seconds"),
        ({"turn_seconds": 60, "bank_seconds": -1}, "clock.bank_seconds"),
        ({"turn_seconds": 60.5}, "clock.turn_seconds"),
        ({"bank_seconds": 5}, "clock.turn_seconds"),
        ({"turn_seconds": 60, "grace": 1}, "clock.grace"),
        (60, "clock"),
    ],
)
def test_a_clock_out_of_bounds_is_refused_by_name(ana: Client, clock: Any, field: str) -> None:
    answer = ana.post("/v1/matches", {"game": "polignac", "seats": [{"bot": "rule"}] * 4, "clock": clock})
    assert answer.status == 422 and any(name.startswith(field) for name in answer.json["errors"])
