"""Seasons in every state that a decision meets: a club of eight with tables drawn, a sheet written, disputed, closed"""

from __future__ import annotations

from typing import Any

from domain.season import Season
from domain.season_decide import Caller, abandon, close, seat_match
from domain.season_results import Amended, confirm, correct, dispute, enter_deal, open_sheet, rule, submit
from domain.season_rounds import draw
from tests.domain.seasons import ORGANISER, Chain, season

TALLY: dict[str, Any] = {
    "taken": {"JS": 0, "JH": 1, "JD": 1, "JC": 2}, "first": None, "last": None, "declaration": None, "swept": None,
    "revokes": [],
}  # fmt: skip
DEAL = {"dealer": 0, "tally": TALLY}
STRANGER = Caller("somebody")


def by(member: int) -> Caller:
    return Caller(f"p{member}")


def at(*members: int) -> list[dict[str, str]]:
    return [{"member": f"m{member}"} for member in members]


def club() -> Season:
    """Eight members, m7 a guest; one round at fours drawn by hand."""
    s = season(8, guests=1)
    draw(s, ORGANISER, pairing="manual", tables=[["m0", "m1", "m2", "m3"], ["m4", "m5", "m6", "m7"]])
    return s


def with_sheet() -> Season:
    s = club()
    open_sheet(s, by(0), "sh", at(0, 1, 2, 3), table="1-1")
    enter_deal(s, by(0), "sh", DEAL)
    return s


def submitted() -> Season:
    s = with_sheet()
    submit(s, by(0), "sh")
    return s


def confirmed() -> Season:
    s = submitted()
    confirm(s, by(1), "sh")
    return s


def disputed() -> Season:
    s = confirmed()
    dispute(s, by(2), "sh", "n1")
    return s


def finished() -> Season:
    s = confirmed()
    abandon(s, ORGANISER, "1-2", "n2")
    return s


def closed() -> Season:
    s = finished()
    close(s, ORGANISER)
    return s


def playing() -> Season:
    s = club()
    seat_match(s, by(0), "1-1", "match")
    return s


def voided() -> Season:
    s = confirmed()
    correct(s, ORGANISER, "sh", Amended(void=True), "n")
    return s


def deal(**changed: Any) -> dict[str, Any]:
    return {"dealer": 0, "tally": {**TALLY, **changed}}


def paper_chain(sheet: str) -> Chain:
    """A sheet from its first deal to a ruling on it, with a step of the club's life between any two."""
    return [
        lambda s: open_sheet(s, by(0), sheet, at(0, 1, 2, 3), played_at="2026-01-05T20:00:00+00:00"),
        lambda s: enter_deal(s, by(0), sheet, DEAL),
        lambda s: enter_deal(s, by(2), sheet, {"void": True}),
        lambda s: submit(s, by(1), sheet),
        lambda s: confirm(s, by(2), sheet),
        lambda s: dispute(s, by(3), sheet, "n"),
        lambda s: rule(s, ORGANISER, sheet, "correct", "n", Amended(points=[0, 1, 2, 2])),
    ]
