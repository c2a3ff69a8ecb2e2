"""The part of the session of examples.py that is about score sheets and what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from domain.season_scoring import season_transfers
from store import ledger
from store.db import connection
from store.events import Events
from tests.api.http import Client

if TYPE_CHECKING:
    from tests.api.examples import Session

HTML, CSV, SVG = "text/html", "text/csv", "image/svg+xml"


def sheets(s: Session, path: str, ana: Client, luis: Client, members: list[str], tally: dict[str, Any]) -> None:
    """A table of the draw plays with real cards, and two more that met by themselves."""
    for place in ("tables/1-2/sheet", "rounds/1/sheets"):
        s.show(ana, "GET", f"{path}/{place}", Accept=HTML, most=8)
        s.show(ana, "GET", f"{path}/{place}", Accept=CSV)
    seats = [{"member": member} for member in members[:3]]
    sheet = s.show(luis, "POST", f"{path}/sheets", {"members": seats, "deals": []}).json["id"]
    at = f"{path}/sheets/{sheet}"
    deal = {"dealer": 0, "tally": tally}
    s.show(luis, "POST", f"{at}/deals?preview=true", deal, If_Match='"0"')
    s.show(luis, "POST", f"{at}/deals", deal, If_Match='"0"')
    s.show(luis, "DELETE", f"{at}/deals/last", If_Match='"1"')
    luis.made(f"{at}/deals", deal, If_Match='"0"')
    s.show(luis, "POST", f"{at}/submit", If_Match='"1"')
    s.show(ana, "GET", at, Accept="application/json")
    s.show(ana, "GET", at, Accept=HTML, most=8)
    s.show(ana, "GET", f"{path}/sheets?limit=1")
    evening = f"A,B,C,dealer,taken.JS,taken.JH,taken.JD,taken.JC\r\n{','.join(members[3:])},A,B,B,C,A\r\n".encode()
    s.show(ana, "POST", f"{path}/sheets?preview=true", evening, Content_Type=CSV)
    s.show(ana, "POST", f"{path}/sheets?confirm=true", evening, Content_Type=CSV)


def standings(s: Session, path: str, ana: Client) -> None:
    """Who stands where, and by what."""
    season = path.rpartition("/")[2]
    with connection(s.app.extensions["tapete"].pool) as conn:
        ledger.post(conn, season_transfers(season, Events(conn, "season").read_all(season).events))
    s.show(ana, "GET", f"{path}/standings?view=corrected", Accept=CSV)
    s.show(ana, "GET", f"{path}/standings?view=corrected", Accept="application/json")
    s.show(ana, "GET", f"{path}/history?chart=places&top=12", Accept="application/json")
    s.show(ana, "GET", f"{path}/ledger?limit=1", Accept=CSV, most=5)
    s.show(ana, "GET", f"{path}/ledger?limit=1", Accept="application/json")
