"""Events in pages, the audit, the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from domain import scoring
from store import ledger
from store.db import Connection
from store.events import Events
from tests.api.http import Client
from tests.api.tables import opened, played, say, started


@pytest.fixture
def four(anybody: Client) -> list[Client]:
    return [anybody.player() for _ in range(4)]


def post_ledger(conn: Connection, match: str) -> None:
    """What the tally worker does."""
    ledger.post(conn, scoring.transfers(match, Events(conn).read_all(match).events))


@pytest.mark.parametrize("limit", [1, 7, 50, 200])
def test_every_version_comes_once_in_order(four: list[Client], limit: int) -> None:
    match = started(*four, options={"deals": 1, "tie_break": "shared"})["id"]
    version = played(four, match)["version"]
    found: list[int] = []
    after: int | None = 0
    while after is not None:
        page = four[0].read(f"/v1/matches/{match}/events?after={after}&limit={limit}")
        assert 1 <= len(page["items"]) <= limit
        found += [event["version"] for event in page["items"]]
        after = page["next"]
    assert found == list(range(1, version + 1))


def test_after_the_last_event_there_is_an_empty_page(four: list[Client]) -> None:
    match = started(*four)
    page = four[0].read(f"/v1/matches/{match['id']}/events?after={match['version']}")
    assert page == {"items": [], "next": None}
    assert four[0].read(f"/v1/matches/{match['id']}/events?after=2147483647") == page


def test_events_show_what_they_are_said_to(four: list[Client]) -> None:
    match = started(*four, options={"deals": 1, "tie_break": "shared"})["id"]
    played(four, match)
    events = four[0].read(f"/v1/matches/{match}/events?limit=200")["items"]
    by_type = {event["type"]: event for event in events}
    assert set(by_type) == {"opened", "seated", "dealt", "moved", "scored", "ended"}
    assert {"game", "variant", "rules", "options", "seats"} <= set(by_type["opened"])
    assert {"deal", "extra", "dealer", "seats", "commitment", "seed", "pack"} <= set(by_type["dealt"])
    assert {"deal", "extra", "tally", "lines", "points"} <= set(by_type["scored"])
    assert {"places", "totals", "reason"} <= set(by_type["ended"])
    assert all(event["hash"] for event in events)
    for seat, points in enumerate(by_type["scored"]["points"]):
        assert sum(line["points"] for line in by_type["scored"]["lines"] if line["seat"] == seat) == points


def test_a_json_page_is_given_to_whoever_would_rather_have_it(four: list[Client]) -> None:
    match = opened(*four)["id"]
    answer = four[0].get(f"/v1/matches/{match}/events", Accept="text/event-stream;q=0.5, application/json")
    assert answer.status == 200 and answer.headers["Content-Type"] == "application/json"


@contextmanager
def tampering(owner: psycopg.Connection[Any]) -> Iterator[psycopg.Connection[Any]]:
    """As the owner who has taken off the guards."""
    owner.execute("alter table event disable trigger event_is_append_only")
    try:
        yield owner
    finally:
        owner.execute("alter table event enable always trigger event_is_append_only")


def test_a_sound_match_has_no_faults_at_any_time(four: list[Client], anybody: Client) -> None:
    match = started(*four, options={"deals": 1, "tie_break": "shared"})["id"]
    for choice in range(200):
        assert anybody.read(f"/v1/matches/{match}/audit") == {"ok": True, "faults": []}
        if say(four, match, choice).json["match"]["status"] == "ended":
            break
    assert anybody.read(f"/v1/matches/{match}/audit") == {"ok": True, "faults": []}


@pytest.mark.parametrize("change", [("JS", "QS"), ('"deal":1', '"deal":3'), ('"points"', '"joints"'), ("}", "]")])
def test_a_changed_byte_is_found_with_its_version_and_others_are_unhurt(
    four: list[Client], owner: psycopg.Connection[Any], change: tuple[str, str]
) -> None:
    """C24, as far as the API shows it."""
    hurt, sound = (started(*four, options={"deals": 1, "tie_break": "shared"})["id"] for _ in range(2))
    for match in (hurt, sound):
        played(four, match)
    query = "select min(version) from event where stream_id = %s and version > 5 and position(%s in text) > 0"
    (version,) = owner.execute(query, [hurt, change[0]]).fetchone() or (0,)
    with tampering(owner):
        owner.execute("update event set text = replace(text, %s, %s) where stream_id = %s and version = %s",
                      [*change, hurt, version])  # fmt: skip
    found = four[0].read(f"/v1/matches/{hurt}/audit")
    assert found["ok"] is False and version in {fault["version"] for fault in found["faults"]}
    assert four[0].read(f"/v1/matches/{sound}/audit")["ok"] is True


def test_a_match_that_is_private_and_broken_is_still_private(
    four: list[Client], anybody: Client, owner: psycopg.Connection[Any]
) -> None:
    match = started(*four, visibility="private")["id"]
    with tampering(owner):
        owner.execute("update event set text = replace(text, '}', ']') where stream_id = %s", [match])
    for stranger in (anybody, anybody.player()):
        assert stranger.get(f"/v1/matches/{match}/audit").code == "not_found"
    assert four[1].read(f"/v1/matches/{match}/audit")["ok"] is False


def test_the_ledger_of_a_match_sums_to_zero_and_ends_in_its_totals(four: list[Client], conn: Connection) -> None:
    match = started(*four, options={"deals": 2, "tie_break": "shared"})["id"]
    ended = played(four, match)
    post_ledger(conn, match)
    found: list[Any] = []
    cursor: str | None = ""
    while cursor is not None:
        page = four[0].read(f"/v1/matches/{match}/ledger?limit=3{cursor and '&cursor=' + cursor}")
        found += page["items"]
        cursor = page["next"]
    assert found == four[0].read(f"/v1/matches/{match}/ledger?limit=200")["items"] and len(found) >= 4
    assert all(sum(posting["amount"] for posting in each["postings"]) == 0 for each in found)
    seats = [0] * 4
    for each in found:
        for posting in each["postings"]:
            if each["kind"] == "result" and posting["account"].startswith("player:"):
                seats[posting["seat"]] += posting["amount"]
    assert seats == ended["totals"]
    assert {posting["scale"] for each in found for posting in each["postings"]} == {1}


def test_a_players_ledger_leaves_out_what_the_caller_may_not_see(
    anybody: Client, four: list[Client], conn: Connection
) -> None:
    hidden = {"options": {"deals": 1, "tie_break": "shared"}, "visibility": "private"}
    private = started(*four, **hidden)["id"]
    public = started(*four, options=hidden["options"])["id"]
    for match in (private, public):
        played(four, match)
        post_ledger(conn, match)
    everybody = {match for each in four for match in matches_in(anybody, each)}
    assert everybody == {public}
    assert {match for each in four for match in matches_in(four[0], each)} == {private, public}
    assert anybody.get("/v1/players/nobody/ledger").code == "not_found"


def matches_in(client: Client, whose: Client) -> set[str]:
    return {each["match"] for each in client.read(f"/v1/players/{whose.id}/ledger?limit=200")["items"]}
