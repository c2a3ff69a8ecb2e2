"""Results: confirmed, disputed, ruled on, corrected, adjusted, and in the ledger. Beside it: api/results.py."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from domain import season_play, season_results
from domain.season_decide import Caller
from store import ledger
from store.db import Connection
from store.events import Events
from tests.api.clubs import Club, club, drawn
from tests.api.http import Client
from workers.work import work_off

numbers = count(1)
TALLY: dict[str, Any] = {
    "taken": {"JS": 0, "JH": 1, "JD": 1, "JC": 2}, "first": None, "last": None, "declaration": None, "swept": None,
    "revokes": [],
}  # fmt: skip


@pytest.fixture
def made(ana: Client) -> Club:
    """Four members, the last a guest; three of them at a table."""
    found = club(ana, 3, guests=1)
    drawn(found, [0, 1, 2])
    return found


def submitted(
    made: Club, conn: Connection, by: int = 1, members: tuple[int, ...] = (0, 1, 2), table: str | None = "1-1"
) -> str:
    """A sheet of one deal, submitted by a member."""
    sheet, who = f"sheet{next(numbers)}", Caller(made.players[by].id)
    seats = [{"member": made.ids[member]} for member in members]
    store = Events(conn, "season")
    for decision in (
        lambda s: season_results.open_sheet(s, who, sheet, seats, table),
        lambda s: season_results.enter_deal(s, who, sheet, {"dealer": 0, "tally": TALLY}),
        lambda s: season_results.submit(s, who, sheet),
    ):
        season_play.decided(store, made.season, decision)
    return sheet


def units(made: Club, conn: Connection) -> list[int]:
    """What the ledger holds for each member, once the season's jobs are done."""
    for (key,) in conn.execute(
        "select key from job where kind = 'season' and state <> 'done' and key like %s", [f"season:{made.season}:%"]
    ).fetchall():
        work_off(conn, key)
    held = ledger.balances(conn, made.season)
    return [held.get(f"season:{made.season}:member:{member}", 0) for member in made.ids]


def test_a_sheet_counts_when_somebody_else_confirms_it(made: Club, conn: Connection, eva: Client) -> None:
    sheet = submitted(made, conn)
    path = f"{made.path}/results/{sheet}"
    shown = made.read("/results")["items"][0]
    assert (shown["id"], shown["status"], shown["points"], shown["worth"]) == (sheet, "submitted", [2, 2, 1], None)
    assert made.players[1].post(f"{path}/confirm").code == "own_result"
    assert eva.post(f"{path}/confirm").code == "not_allowed"
    assert made.players[2].made(f"{path}/confirm")["events"][-1]["type"] == "result_recorded"
    assert made.players[2].post(f"{path}/confirm").json["state"] == "confirmed"
    result = eva.read(path)
    assert (result["status"], result["places"], result["worth"]) == ("confirmed", [2, 2, 1], [180, 180, 540])
    assert [seat["name"] for seat in result["seats"]][0] == "Ana"
    assert units(made, conn) == [180, 180, 540, 0]


def test_a_dispute_waits_for_a_ruling(made: Club, conn: Connection) -> None:
    sheet = submitted(made, conn)
    path = f"{made.path}/results/{sheet}"
    luis = made.players[1]
    assert luis.post(f"{path}/dispute").code == "invalid"
    luis.made(f"{path}/dispute", {"note": "The jack was mine."})
    assert made.read()["open"] == ["1-1", sheet]
    assert made.organiser.post(f"{made.path}/close").json["open"] == ["1-1", sheet]
    ruling = {"outcome": "correct", "points": [1, 3, 1], "note": "So it was."}
    assert luis.post(f"{path}/ruling", ruling).code == "not_allowed"
    assert made.organiser.post(f"{made.path}/results/nothing/ruling", ruling).code == "not_found"
    assert made.organiser.post(f"{path}/ruling", {"outcome": "correct", "note": "x"}).code == "invalid"
    made.organiser.made(f"{path}/ruling", ruling)
    result = luis.read(path)
    assert (result["status"], result["points"], result["places"]) == ("confirmed", [1, 3, 1], [1, 3, 1])
    assert units(made, conn) == [420, 60, 420, 0]


def test_a_correction_reverses_and_posts_anew(made: Club, conn: Connection, anybody: Client) -> None:
    sheet = submitted(made, conn)
    made.organiser.made(f"{made.path}/results/{sheet}/confirm")
    assert units(made, conn) == [180, 180, 540, 0]
    path = f"{made.path}/corrections"
    tally = {**TALLY, "taken": {**TALLY["taken"], "JS": 2}}
    made.organiser.made(path, {"result": sheet, "tally": tally, "note": "Counted twice."})
    result = made.players[1].read(f"{made.path}/results/{sheet}")
    assert [each["points"] for each in result["versions"]] == [[2, 2, 1], [0, 2, 3]]
    assert [each["note"] for each in result["versions"]] == [None, "Counted twice."]
    assert anybody.read(f"{made.path}/results/{sheet}")["versions"][1]["note"] is None
    assert units(made, conn) == [540, 300, 60, 0]
    lines = ledger.transfers_of(conn, made.season)
    assert [line.kind for line in lines] == ["placement", "reversal", "placement"]
    made.organiser.made(path, {"result": sheet, "void": True, "note": "Not played."})
    assert made.read(f"/results/{sheet}")["status"] == "void" and units(made, conn) == [0, 0, 0, 0]
    assert made.organiser.post(path, {"result": sheet, "points": [1, 2, 1], "note": "x"}).json["state"] == "void"


WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, "points"),
    ({"points": [1, 2]}, "points"),
    ({"points": [1, 2, 1.5]}, "points.2"),
    ({"points": [1, 2, 1], "void": True}, "void"),
    ({"void": False}, "void"),
    ({"result": "nothing", "void": True}, "result"),
    ({"tally": {"taken": {"JS": 7}}}, "tally."),
]


@pytest.mark.parametrize(("body", "field"), WRONG, ids=[str(body)[:40] for body, _ in WRONG])
def test_a_correction_that_cannot_be_is_refused_by_its_field(
    made: Club, conn: Connection, body: Any, field: str
) -> None:
    sheet = submitted(made, conn)
    made.organiser.made(f"{made.path}/results/{sheet}/confirm")
    answer = made.organiser.post(f"{made.path}/corrections", {"result": sheet, "note": "x", **body})
    assert answer.status == 422 and any(name.startswith(field) for name in answer.json["errors"]), answer
    assert len(made.read(f"/results/{sheet}")["versions"]) == 1


def test_an_adjustment_is_in_the_ledger_until_it_is_cancelled(made: Club, conn: Connection) -> None:
    path, ids = f"{made.path}/adjustments", made.ids
    body = {"member": ids[3], "kind": "penalty", "points": -2.5, "note": "Late."}
    assert made.players[1].post(path, body).code == "not_allowed"
    answer = made.organiser.post(path, body, Idempotency_Key="fine")
    again = made.organiser.post(path, body, Idempotency_Key="fine")
    assert answer.headers["Location"] == again.headers["Location"]
    made.organiser.made(path, {"member": ids[0], "kind": "bonus", "points": "1/3", "note": "Cake."})
    assert units(made, conn) == [20, 0, 0, -150]
    assert [each["note"] for each in made.players[1].read(path)["items"]] == ["Late.", "Cake."]
    assert made.players[1].delete(answer.headers["Location"]).code == "not_allowed"
    assert made.organiser.delete(answer.headers["Location"]).status == 204
    assert made.organiser.delete(answer.headers["Location"]).json["state"] == "cancelled"
    assert made.organiser.delete(f"{path}/nothing").code == "not_found"
    assert units(made, conn) == [20, 0, 0, 0]


WRONG_ADJUSTMENTS: list[tuple[dict[str, Any], str]] = [
    ({"points": 2}, "points"),
    ({"points": 0}, "points"),
    ({"points": "1/7"}, "points"),
    ({"points": "1e9"}, "points"),
    ({"points": True}, "points"),
    ({"points": None}, "points"),
    ({"points": 10**400}, "points"),
    ({"kind": "fine"}, "kind"),
    ({"member": "nobody"}, "member"),
    ({"effective_at": "2026-03-01"}, "effective_at"),
    ({"note": ""}, "note"),
]


@pytest.mark.parametrize(("body", "field"), WRONG_ADJUSTMENTS, ids=[str(body)[:40] for body, _ in WRONG_ADJUSTMENTS])
def test_an_adjustment_that_cannot_be_is_refused_by_its_field(made: Club, body: Any, field: str) -> None:
    good = {"member": made.ids[0], "kind": "penalty", "points": -1, "note": "x"}
    answer = made.organiser.post(f"{made.path}/adjustments", {**good, **body})
    assert (answer.status, list(answer.json["errors"])) == (422, [field])


def test_a_penalty_counts_from_the_day_it_is_for(made: Club, conn: Connection) -> None:
    body = {"member": made.ids[0], "kind": "penalty", "points": -1, "note": "x", "effective_at": "2026-03-01T20:00:00Z"}
    made.organiser.made(f"{made.path}/adjustments", body)
    units(made, conn)
    assert ledger.transfers_of(conn, made.season)[0].effective_at.isoformat() == "2026-03-01T20:00:00+00:00"  # type: ignore[union-attr]


def test_a_changed_scheme_posts_everything_anew(made: Club, conn: Connection) -> None:
    sheet = submitted(made, conn)
    made.organiser.made(f"{made.path}/results/{sheet}/confirm")
    made.organiser.made(f"{made.path}/scheme", {"scheme": "raw", "note": "As it was."})
    assert units(made, conn) == [-120, -120, -60, 0]
    assert made.read(f"/results/{sheet}")["worth"] == [-120, -120, -60]


def test_a_season_closes_when_nothing_is_open_and_what_follows_is_a_revision(made: Club, conn: Connection) -> None:
    sheet = submitted(made, conn)
    made.organiser.made(f"{made.path}/results/{sheet}/confirm")
    closed = made.organiser.made(f"{made.path}/close")["season"]
    held = ledger.balances(conn, made.season)
    assert sum(held.values()) == 0 and len(held) == 4, "posted by the closing itself"
    assert made.players[1].post(f"{made.path}/results/{sheet}/dispute", {"note": "x"}).code == "season_closed"
    after = made.organiser.made(f"{made.path}/corrections", {"result": sheet, "points": [0, 0, 5], "note": "x"})
    assert after["season"]["revisions"] == [closed["version"], closed["version"] + 1]
    assert units(made, conn) == [420, 420, 60, 0]


def test_results_are_read_in_pages_newest_first(made: Club, conn: Connection) -> None:
    sheets = [submitted(made, conn, table=None) for _ in range(3)]
    for sheet in sheets[:2]:
        made.organiser.made(f"{made.path}/results/{sheet}/confirm")
    first = made.read("/results?limit=2")
    rest = made.read(f"/results?limit=2&cursor={first['next']}")
    assert [each["id"] for each in first["items"] + rest["items"]] == [sheets[2], sheets[1], sheets[0]]
    assert rest["next"] is None
