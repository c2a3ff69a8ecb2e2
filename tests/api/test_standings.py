"""Standings, history and ledger of a season over HTTP. Beside it: api/standings.py; tests/domain/test_standings.py."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from fractions import Fraction
from itertools import count
from typing import Any
from xml.etree import ElementTree

import pytest

from domain.season_scoring import season_transfers
from store import ledger, standings
from store.db import Connection
from store.events import Events
from tests.api.clubs import Club, club, drawn
from tests.api.http import Client

numbers = count(1)
RAW = {"scheme": "raw"}


def played(made: Club, points: list[int], members: list[int], table: str | None = None, at: str | None = None) -> str:
    """A result with these game points: a sheet, confirmed and corrected to them."""
    seats = [{"member": made.ids[member]} for member in members]
    body = {"members": seats, "deals": [deal(len(members))], "table": table, "played_at": at}
    found = made.organiser.made(f"{made.path}/sheets?confirm=true", body)["id"]
    correct(made, found, points=points)
    return str(found)


def correct(made: Club, result: str, **amended: Any) -> None:
    body = {"result": result, "note": "read wrongly", **amended}
    made.organiser.made(f"{made.path}/corrections", body)


def adjusted(made: Club, body: dict[str, Any]) -> str:
    answer = made.organiser.post(f"{made.path}/adjustments", body)
    assert answer.status == 201, answer
    return answer.headers["Location"].rpartition("/")[2]


def post_all(conn: Connection, made: Club) -> None:
    """What the workers would post."""
    ledger.post(conn, season_transfers(made.season, Events(conn, "season").read_all(made.season).events))


def deal(seats: int) -> dict[str, Any]:
    jacks = {f"J{suit}": number % seats for number, suit in enumerate("SHDC")}
    nothing: dict[str, Any] = {"first": None, "last": None, "declaration": None, "swept": None, "revokes": []}
    return {"tally": {"taken": jacks, **nothing}}


def table(made: Club, query: str = "") -> Any:
    return made.organiser.read(f"{made.path}/standings{query}")


def brief(found: Any) -> list[tuple[Any, ...]]:
    return [(row["place"], row["name"], row["points"], row["decided_by"]) for row in found["rows"]]


@pytest.fixture
def guests(ana: Client) -> Club:
    """Five guests and an organiser who plays with nobody; points are points, few win."""
    return club(ana, 0, guests=5, scoring={**RAW, "tie_breaks": ["wins", "head_to_head"]})


def test_c33_where_few_points_win_fewer_are_better_zero_is_a_score_and_nothing_is_none(guests: Club) -> None:
    played(guests, [3, 0, 1], [0, 1, 2])
    found = table(guests)
    assert brief(found) == [
        (1, "guest 1", 0, "score"),
        (2, "guest 2", -1, "score"),
        (3, "guest 0", -3, None),
        *[(None, row["name"], None, None) for row in found["rows"][3:]],
    ]
    assert [row["exact"] for row in found["rows"]] == ["0", "-1", "-3", None, None]


def test_c33_where_many_points_win_more_are_better_and_all_negative_tables_rank(ana: Client) -> None:
    made = club(ana, 0, guests=3, game="bottle_imp", options={}, scoring=RAW)
    seats = [{"member": member} for member in made.ids]
    tally = {"coins": [40, 50, 30], "holder": 1, "imp": [], "lopaka": None, "lopaka_points": None}
    found = made.organiser.made(f"{made.path}/sheets?confirm=true", {"members": seats, "deals": [{"tally": tally}]})
    assert [row[:3] for row in brief(table(made))] == [(1, "guest 0", 40), (2, "guest 2", 30), (3, "guest 1", -50)]
    correct(made, found["id"], points=[-9, -2, -30])
    assert [row[:3] for row in brief(table(made))] == [(1, "guest 1", -2), (2, "guest 0", -9), (3, "guest 2", -30)]


def test_c38_a_row_names_the_criterion_that_decided_with_its_values_and_the_lot(ana: Client) -> None:
    scoring = {"scheme": "places", "points": {"3": [4, 2, 0]}, "tie_breaks": ["head_to_head", "wins", "lot"]}
    made = club(ana, 0, guests=5, scoring=scoring)
    played(made, [1, 2, 3], [0, 1, 2])
    played(made, [2, 2, 3], [1, 3, 4])
    played(made, [1, 2, 3], [3, 4, 2])
    found = table(made)
    assert found["lot"] == made.read()["lot"] and found["tie_breaks"] == ["head_to_head", "wins", "lot"]
    first, second, third = found["rows"][:3]
    assert (first["name"], first["points"], first["decided_by"]) == ("guest 3", 7, "score")
    assert (second["name"], second["points"], third["name"], third["points"]) == ("guest 1", 5, "guest 0", 4)
    assert sum(row["points"] for row in found["rows"]) == 18
    last = [row for row in found["rows"] if row["points"] == 0 or row["name"] in ("guest 2", "guest 4")]
    assert {row["name"] for row in last} == {"guest 2", "guest 4"}


def test_shared_places_and_points_are_exact(ana: Client) -> None:
    made = club(ana, 0, guests=3, scoring={"scheme": "wins", "tie_breaks": []})
    played(made, [1, 1, 1], [0, 1, 2])
    found = table(made)
    assert [row["place"] for row in found["rows"]] == [1, 1, 1]
    assert [(row["points"], row["exact"]) for row in found["rows"]] == [(0.333333, "1/3")] * 3
    assert [row["decided_by"] for row in found["rows"]] == ["shared", "shared", None]
    assert sum(Fraction(row["exact"]) for row in found["rows"]) == 1


def test_c39_a_table_is_final_only_when_every_tally_is_in_and_the_season_closed(ana: Client) -> None:
    made = club(ana, 0, guests=6)
    drawn(made, [0, 1, 2], [3, 4, 5])
    played(made, [0, 1, 4], [0, 1, 2], table="1-1")
    found = table(made)
    assert (found["provisional"], found["final"], found["open"]) == (True, False, ["1-2"])
    assert made.organiser.post(f"{made.path}/close").code == "still_open"
    sheet = made.organiser.made(f"{made.path}/sheets", {"table": "1-2", "deals": [deal(3)], "submit": True})["id"]
    assert table(made)["open"] == ["1-2", sheet] and not table(made)["final"]
    made.organiser.made(f"{made.path}/results/{sheet}/confirm")
    assert (table(made)["provisional"], table(made)["final"]) == (False, False)
    made.organiser.made(f"{made.path}/close")
    assert (table(made)["provisional"], table(made)["final"], table(made)["revision"]) == (False, True, 1)


def test_c37_a_correction_after_the_end_makes_a_revision_and_the_one_before_stays(ana: Client, eva: Client) -> None:
    made = club(ana, 0, guests=3)
    result = played(made, [0, 1, 4], [0, 1, 2])
    made.organiser.made(f"{made.path}/close")
    first = table(made)
    correct(made, result, points=[4, 1, 0])
    now = table(made)
    assert (now["revision"], now["revisions"], now["final"], now["reason"]) == (2, 2, True, "read wrongly")
    assert brief(now) == [(1, "guest 2", 9, "score"), (2, "guest 1", 5, "score"), (3, "guest 0", 1, None)]
    assert eva.read(f"{made.path}/standings")["reason"] is None  # notes are the club's own
    old = table(made, "?revision=1")
    assert (old["rows"], old["version"], old["view"]) == (first["rows"], first["version"], "revision")
    assert (old["revision"], old["reason"], table(made, "?revision=2")["reason"]) == (1, None, "read wrongly")
    assert table(made, "?revision=2")["rows"] == now["rows"]


def test_a_table_as_it_was_known_and_as_it_is_known_by_now(guests: Club) -> None:
    result = played(guests, [3, 0, 1], [0, 1, 2], at="2026-01-10T20:00:00Z")
    known_at = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    correct(guests, result, points=[0, 3, 1])
    played(guests, [0, 3, 1], [0, 1, 2], at="2026-02-10T20:00:00Z")
    known = table(guests, f"?as_of={known_at}&view=known")
    assert [row[:3] for row in brief(known)[:3]] == [(1, "guest 1", 0), (2, "guest 2", -1), (3, "guest 0", -3)]
    january = table(guests, "?as_of=2026-01-31T00:00:00Z&view=corrected")
    assert [row[:3] for row in brief(january)[:3]] == [(1, "guest 0", 0), (2, "guest 2", -1), (3, "guest 1", -3)]
    assert (january["view"], january["final"], known["view"]) == ("corrected", False, "known")
    assert table(guests, "?as_of=2026-01-09T00:00:00%2B00:00")["rows"][0]["points"] is None


def test_what_cannot_be_asked_of_standings_is_refused_by_its_field(guests: Club) -> None:
    for query, field in [
        ("revision=1", "revision"),
        ("revision=0", "revision"),
        ("as_of=2026-01-01T00:00:00Z&revision=1", "revision"),
        ("as_of=1999-01-01T00:00:00Z&view=known", "as_of"),
        ("as_of=yesterday", "as_of"),
        ("view=rosy", "view"),
        ("colour=red", "colour"),
    ]:
        answer = guests.organiser.get(f"{guests.path}/standings?{query}")
        assert (answer.status, list(answer.json["errors"])) == (422, [field]), query


def test_c35_penalties_and_bonuses_count_in_every_view_until_they_are_cancelled(guests: Club) -> None:
    played(guests, [3, 0, 1], [0, 1, 2])
    body = {"member": guests.ids[1], "kind": "penalty", "points": "-5/3", "note": "late"}
    made = adjusted(guests, body)
    row = next(row for row in table(guests)["rows"] if row["name"] == "guest 1")
    assert (row["points"], row["exact"], row["adjustments"], row["place"]) == (-1.666667, "-5/3", -1.666667, 2)
    assert guests.organiser.delete(f"{guests.path}/adjustments/{made}").status < 300
    assert table(guests)["rows"][0]["name"] == "guest 1"


# What is kept


def test_the_table_is_kept_until_something_happens(guests: Club, conn: Connection, owner: Any) -> None:
    played(guests, [3, 0, 1], [0, 1, 2])
    first = table(guests)
    assert standings.fresh(conn, guests.season)
    owner.execute("update standing set content = replace(content, '\"points\": 0', '\"points\": 77') where season = %s",
                  [guests.season])  # fmt: skip
    assert table(guests)["rows"][0]["points"] == 77  # it was read, not worked out
    played(guests, [3, 0, 1], [2, 3, 4])
    assert standings.fresh(conn, guests.season) is None
    assert table(guests)["version"] > first["version"] and table(guests)["rows"][0]["points"] == 0


def test_an_older_table_never_replaces_a_newer_one(guests: Club, conn: Connection) -> None:
    table(guests)
    version = guests.read()["version"]
    standings.keep(conn, guests.season, version - 1, {"rows": "old"})
    assert table(guests)["rows"]


# History


def test_history_has_points_and_places_after_each_round_and_charts_of_them(ana: Client) -> None:
    made = club(ana, 0, guests=4, scoring={**RAW, "min_results": 1})
    drawn(made, [0, 1, 2])
    played(made, [3, 0, 1], [0, 1, 2], table="1-1")
    drawn(made, [1, 2, 3])
    played(made, [4, 0, 0], [1, 2, 3], table="2-1")
    found = made.read("/history")
    assert found["rounds"] == [1, 2]
    series = {each["name"]: (each["places"], each["points"]) for each in found["members"]}
    assert series["guest 2"] == ([2, 2], [-1, -1]) and series["guest 3"] == ([None, 1], [None, 0])
    assert series["guest 1"] == ([1, 4], [0, -4])
    for query in ("", "?chart=places&top=2", "?chart=points"):
        answer = made.organiser.get(f"{made.path}/history{query}", Accept="image/svg+xml", Accept_Language="es")
        assert answer.headers["Content-Type"].startswith("image/svg+xml")
        root = ElementTree.fromstring(answer.text)
        assert {child.tag.rpartition("}")[2] for child in root.iter()}.isdisjoint({"script", "image", "use", "a"})
        assert not re.search(r"href|url\((?!#)|@import|//fonts", answer.text)
        assert "prefers-color-scheme" in answer.text  # embedded, it follows the page around it
        assert "Ronda" in answer.text and ("guest 0" in answer.text) == ("top" not in query)


def test_a_season_without_rounds_has_an_empty_history_and_a_chart(guests: Club) -> None:
    assert guests.read("/history") == {"rounds": [], "members": []}
    answer = guests.organiser.get(f"{guests.path}/history", Accept="image/svg+xml")
    assert answer.status == 200 and answer.text.rstrip().endswith("</svg>")


# Ledger


def test_every_line_of_the_ledger_tells_its_cause(guests: Club, conn: Connection) -> None:
    result = played(guests, [3, 0, 1], [0, 1, 2], at="2026-01-10T20:00:00Z")
    body = {"member": guests.ids[1], "kind": "bonus", "points": 2.5, "note": "brought cake"}
    adjustment = adjusted(guests, body)
    post_all(conn, guests)
    page = guests.read("/ledger?limit=2")
    items = page["items"] + guests.organiser.read(f"{guests.path}/ledger?cursor={page['next']}&limit=2")["items"]
    told = [
        (each["kind"], each["cause"]["type"], each["cause"]["result"], each["cause"]["adjustment"]) for each in items
    ]
    assert told == [
        ("bonus", "adjusted", None, adjustment),
        ("game", "corrected", result, None),
        ("reversal", "corrected", result, None),
        ("game", "result_recorded", result, None),
    ]
    assert [each["cause"]["note"] for each in items[:2]] == ["brought cake", "read wrongly"]
    assert all(sum(posting["amount"] for posting in each["postings"]) == 0 for each in items)
    assert items[0]["postings"][1] == {
        "account": f"season:{guests.season}:member:{guests.ids[1]}", "seat": None, "member": guests.ids[1],
        "name": "guest 1", "amount": 150, "scale": 60,
    }  # fmt: skip
    assert items[-1]["effective_at"].startswith("2026-01-10T20:00:00")
    assert guests.organiser.get(f"{guests.path}/ledger?cursor=x").code == "forged_cursor"
    stranger = guests.organiser.player().read(f"{guests.path}/ledger")
    assert all(each["cause"]["note"] is None for each in stranger["items"])
