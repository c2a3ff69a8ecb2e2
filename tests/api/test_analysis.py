"""Analysis over the API, with a worker that stops anywhere; hints in one's own place. Beside it: api/analysis.py."""

from __future__ import annotations

from typing import Any

import pytest

from domain import analysis as judging
from store import db, jobs
from tests.api.http import Client
from tests.api.tables import BOT, played, started, text
from workers import analysis as slices
from workers.work import work_off

SHORT = {"deals": 1, "tie_break": "shared"}


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "WORLDS", 4)


def path(match: str) -> str:
    return f"/v1/matches/{match}/analysis"


def finished(*players: Client, **facts: object) -> str:
    """A match that is over; its id."""
    match: str = started(*players, options=SHORT, **facts)["id"]
    played(players, match)
    return match


def due(conn: db.Connection) -> list[str]:
    return jobs.due(conn, "analysis", 10)


def worked(conn: db.Connection, slices_: int = 10**9) -> int:
    """So many slices worked off, or all there are; how many those were."""
    done = 0
    while done < slices_ and (keys := due(conn)):
        assert len(keys) == 1, "one analysis at a time"
        work_off(conn, keys[0])
        done += 1
    return done


def test_an_analysis_is_done_in_slices_and_shows_how_far_it_is(
    ana: Client, luis: Client, eva: Client, conn: db.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = finished(ana, luis, eva)
    asked = ana.post(path(match))
    assert (asked.status, asked.json["state"], asked.json["items"]) == (201, "running", [])
    again = luis.post(path(match))
    assert (again.status, again.json["asked_at"]) == (200, asked.json["asked_at"])
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.002)
    worked(conn, 4)
    half = ana.read(path(match))
    assert half["state"] == "running" and 0 < half["looked_at"] < half["words"]
    assert worked(conn) > 4
    whole = ana.read(f"{path(match)}?limit=200")
    assert (whole["state"], whole["looked_at"], whole["next"]) == ("done", whole["words"], None)
    pages: list[Any] = []
    after: int | None = 0
    while after is not None:
        page = ana.read(f"{path(match)}?limit=7&after={after}")
        pages, after = [*pages, *page["items"]], page["next"]
    assert pages == whole["items"]
    said = {event["version"]: event["move"] for event in ana.read(f"/v1/matches/{match}/events?limit=200")["items"]
            if event["type"] == "moved"}  # fmt: skip
    assert all(said[each["version"]] == each["move"] and each["loss"] >= 0 for each in whole["items"])
    assert ana.post(path(match)).status == 200 and not due(conn)


def test_a_slice_done_twice_is_done_once(ana: Client, luis: Client, eva: Client, conn: db.Connection) -> None:
    """A worker that is killed before its commit leaves nothing; its slice is done again."""
    match = finished(ana, luis, eva)
    ana.post(path(match))
    (key,) = due(conn)
    lease = jobs.lease(conn, key, 0.0)
    assert lease
    slices.analyse(conn, lease)  # and killed
    worked(conn)
    found = ana.read(f"{path(match)}?limit=200")
    assert found["state"] == "done" and len({each["version"] for each in found["items"]}) == len(found["items"])


def test_one_after_the_other_and_one_that_cannot_be_done_holds_nobody_up(
    ana: Client, luis: Client, eva: Client, conn: db.Connection
) -> None:
    first, second = finished(ana, luis, eva), finished(ana, luis, eva)
    ana.post(path(first))
    assert ana.post(path(second)).json["state"] == "waiting"
    assert ana.read(path(second))["ahead"] == 1
    (key,) = due(conn)
    conn.execute("update job set attempts = %s where key = %s", [slices.TRIES, key])
    worked(conn)
    assert [ana.read(path(match))["state"] for match in (first, second)] == ["failed", "done"]


def test_a_running_match_is_not_analysed_and_a_private_one_not_for_strangers(
    ana: Client, luis: Client, eva: Client, anybody: Client
) -> None:
    running = started(ana, luis, eva)["id"]
    assert (ana.post(path(running)).status, ana.post(path(running)).code) == (409, "match_not_over")
    assert ana.get(path(running)).code == "not_found"
    private = finished(ana, luis, eva, visibility="private")
    stranger = anybody.player()
    assert stranger.post(path(private)).status == stranger.get(path(private)).status == 404
    assert anybody.post(path(private)).status == 401
    ana.made(path(private))
    assert stranger.get(path(private)).status == anybody.get(path(private)).status == 404


def test_a_hint_is_for_whoever_plays_bots(ana: Client, luis: Client, eva: Client, conn: db.Connection) -> None:
    match = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, BOT, BOT], "options": SHORT})["id"]
    seen = ana.read(f"/v1/matches/{match}")
    while not seen["deal"]["your_turn"]:
        work_off(conn, f"bot_turn:{match}:{seen['version']}")
        seen = ana.read(f"/v1/matches/{match}")
    once, again = (ana.get(f"/v1/matches/{match}/hint") for _ in range(2))
    assert once.status == 200 and once.json["version"] == seen["version"]
    assert once.json["move"] in seen["deal"]["legal"]
    assert once.json["truncated"] or again.json["truncated"] or text(once.json) == text(again.json)
    ana.made(f"/v1/matches/{match}/moves", {"move": once.json["move"]})
    assert (
        ana.read(f"/v1/matches/{match}")["deal"]["your_turn"]
        or ana.get(f"/v1/matches/{match}/hint").code == "not_your_turn"
    )
    assert luis.get(f"/v1/matches/{match}/hint").code == "not_allowed"
    assert ana.get(f"/v1/matches/{started(ana, luis, eva)['id']}/hint").code == "not_allowed"
    waiting = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, BOT, {"open": True}]})["id"]
    assert ana.get(f"/v1/matches/{waiting}/hint").code == "not_allowed"
