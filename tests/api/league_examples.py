"""The part of the session of examples.py that is about leagues: an evening of a club, with two tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from domain import season_play, season_results
from domain.season_decide import Caller
from store.db import connection
from store.events import Events
from tests.api import sheet_examples
from tests.api.http import Client

if TYPE_CHECKING:
    from tests.api.examples import Session

POLIGNAC = {"name": "Thursday club", "game": "polignac", "options": {"deals": 1, "tie_break": "shared"}}
TALLY: dict[str, Any] = {
    "taken": {"JS": 0, "JH": 1, "JD": 1, "JC": 2}, "first": None, "last": None, "declaration": None, "swept": None,
    "revokes": [],
}  # fmt: skip


def leagues(s: Session, ana: Client, luis: Client, eva: Client) -> None:
    """A league is founded, its season played and closed."""
    season = founded(s, ana, eva)
    members = joined(s, season, ana, luis, eva)
    tables(s, season, ana, luis, members)
    results(s, season, ana, luis, members[:3])
    sheet_examples.sheets(s, season, ana, luis, members, TALLY)
    sheet_examples.standings(s, season, ana)
    ended(s, season, ana, members[-1])


def founded(s: Session, ana: Client, eva: Client) -> str:
    """The path of its season."""
    league = s.show(ana, "POST", "/v1/leagues", POLIGNAC).json["id"]
    s.show(ana, "GET", "/v1/leagues?limit=1")
    path = f"/v1/leagues/{league}"
    s.show(ana, "POST", f"{path}/organisers", {"player": eva.id})
    s.show(ana, "GET", path)
    s.show(ana, "DELETE", f"{path}/organisers/{eva.id}")
    spring = {"name": "Spring", "scheme": "places", "drop_worst": 1, "starts": "2026-03-01", "ends": "2026-06-30"}
    season = s.show(ana, "POST", f"{path}/seasons", spring).json["id"]
    s.show(ana, "GET", f"{path}/seasons")
    return f"/v1/seasons/{season}"


def joined(s: Session, path: str, ana: Client, luis: Client, eva: Client) -> list[str]:
    """Three players and three guests, of whom one claims an account: the ids of the members."""
    s.show(ana, "GET", path)
    members = [ana.made(f"{path}/members", {"player": player.id})["member"]["id"] for player in (ana, luis)]
    for name in ("Bea", "Carla", "Diego", "Elena"):
        members.append(s.show(ana, "POST", f"{path}/members", {"name": name}).json["member"]["id"])
    code = s.show(ana, "POST", f"{path}/members/{members[2]}/claim-code", {}).json["code"]
    s.show(eva, "POST", "/v1/claims", {"code": code})
    s.show(ana, "GET", f"{path}/members")
    return members


def tables(s: Session, path: str, ana: Client, luis: Client, members: list[str]) -> None:
    """A round is drawn; one table is played here."""
    s.show(ana, "POST", f"{path}/rounds?preview=true", {"pairing": "spread", "seats": 3, "seed": "first evening"})
    by_hand = {"pairing": "manual", "tables": [members[:3], members[3:]]}
    s.show(ana, "POST", f"{path}/rounds", by_hand)
    s.show(ana, "GET", f"{path}/rounds")
    s.show(ana, "GET", f"{path}/paper", most=1)
    s.show(ana, "GET", f"{path}/tables?status=open")
    s.show(ana, "POST", f"{path}/tables/1-1/seats", {"members": [{"member": member} for member in members[:3]]})
    s.show(ana, "GET", f"{path}/tables/1-1")
    opened = s.show(luis, "POST", f"{path}/tables/1-1/match", {"clock": {"turn_seconds": 3600}}).json
    s.show(ana, "POST", f"/v1/matches/{opened['match']['id']}/start", {})
    s.show(ana, "POST", f"{path}/tables/1-2/void", {"note": "Two of them were ill."})


def results(s: Session, path: str, ana: Client, luis: Client, members: list[str]) -> None:
    """A sheet is confirmed, disputed, ruled on and corrected; somebody was late."""
    sheet, at = "0c5d1f7a9b3e4826a1d0", f"{path}/results"
    with connection(s.app.extensions["tapete"].pool) as conn:
        store, who, season = Events(conn, "season"), Caller(luis.id), path.rpartition("/")[2]
        seats = [{"member": member} for member in members]
        season_play.decided(store, season, lambda found: season_results.open_sheet(found, who, sheet, seats))
        deal = {"dealer": 0, "tally": TALLY}
        season_play.decided(store, season, lambda found: season_results.enter_deal(found, who, sheet, deal))
        season_play.decided(store, season, lambda found: season_results.submit(found, who, sheet))
    s.show(ana, "POST", f"{at}/{sheet}/confirm", {})
    s.show(luis, "POST", f"{at}/{sheet}/dispute", {"note": "The jack of spades was mine."})
    s.show(ana, "POST", f"{at}/{sheet}/ruling", {"outcome": "correct", "points": [0, 4, 1], "note": "So it was."})
    mended = {"result": sheet, "points": [0, 3, 2], "note": "And one of the others was not."}
    s.show(ana, "POST", f"{path}/corrections", mended)
    s.show(ana, "GET", f"{at}?limit=1")
    s.show(ana, "GET", f"{at}/{sheet}")
    fine = {"member": members[1], "kind": "penalty", "points": -2.5, "note": "An hour late."}
    made = s.show(ana, "POST", f"{path}/adjustments", fine)
    s.show(ana, "GET", f"{path}/adjustments")
    s.show(ana, "DELETE", made.headers["Location"])


def ended(s: Session, path: str, ana: Client, guest: str) -> None:
    """Counted another way; a guest goes; another season is closed and opened again."""
    s.show(ana, "POST", f"{path}/scheme", {"scheme": "wins", "note": "Voted by all."})
    s.show(ana, "DELETE", f"{path}/members/{guest}?erase=true")
    s.show(ana, "GET", f"{path}/events?after=15&limit=2")
    league = ana.read(path)["league"]
    other = ana.made(f"/v1/leagues/{league}/seasons", {"name": "Trial"})["id"]
    s.show(ana, "POST", f"/v1/seasons/{other}/close", {})
    s.show(ana, "POST", f"/v1/seasons/{other}/reopen", {"note": "One evening is missing."})
