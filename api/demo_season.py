"""The demo's season: a club of nine plays two rounds at threes here and an evening on paper, over HTTP alone.

One result is corrected, somebody is fined, the season is closed; the table says how each tie was decided, and the
ledger how one number came about. Beside it: demo.py (its clients, and how they play), docs/leagues.md.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rich.console import Console
from rich.table import Table

from api.demo import Client, play_on

NAMES = ("Ana", "Luis", "Eva", "Pau", "Inés", "Marc", "Nora", "Leo")
GUEST = "Rosa"
JACKS = ("JS", "JH", "JD", "JC")
DEALS = 2
OPTIONS = {"deals": DEALS, "tie_break": "shared"}
TIE_BREAKS = ["wins", "head_to_head", "seconds", "lot"]
PATIENCE_SECONDS = 60.0  # for the workers


class Club:
    """The season that Ana organises, and who is who in it."""

    def __init__(self, clients: Sequence[Client]) -> None:
        self.ana = clients[0]
        league = self.ana.post("/v1/leagues", {"name": "Thursday club", "game": "polignac", "options": OPTIONS})
        season = {"name": "Demo season", "scheme": "places", "tie_breaks": TIE_BREAKS}
        self.path = "/v1/seasons/" + self.ana.post(f"/v1/leagues/{league['id']}/seasons", season)["id"]
        members = [{"player": client.me["id"]} for client in clients] + [{"name": GUEST}]
        self.members = [self.post("/members", member)["member"]["id"] for member in members]
        self.clients = dict(zip(self.members, clients, strict=False))  # the guest has none
        self.names = dict(zip(self.members, [*NAMES, GUEST], strict=True))

    def get(self, path: str = "", **query: Any) -> Any:
        return self.ana.get(self.path + path, **query)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return self.ana.post(self.path + path, body)

    def pages(self, path: str) -> Iterator[dict[str, Any]]:
        """Every item of a list."""
        cursor: dict[str, str] = {}
        while True:
            page = self.get(path, limit=200, **cursor)
            yield from page["items"]
            if page["next"] is None:
                return
            cursor = {"cursor": page["next"]}

    def sitters(self, table: dict[str, Any]) -> str:
        return ", ".join(self.names[seat["member"]] for seat in table["seats"])


def run(base: str, console: Console) -> Club:
    """Play the season at the server under `base` and print what came of it; the club."""
    club = Club([Client(base, name) for name in NAMES])
    console.print(f"\n[bold]Thursday club[/], a season of nine: {', '.join(NAMES)}, and {GUEST}, a guest")
    club.post("/rounds", {"pairing": "spread", "seats": 3, "rounds": 2, "seed": "demo"})
    for number in (1, 2):
        _round(club, number, console)
    club.post("/rounds", {"pairing": "swiss", "seats": 3, "seed": "demo"})
    console.print("Round 3, neighbours in the standings, is an evening with real cards: three score sheets.")
    for table in club.get("/tables", round=3)["items"]:
        _on_paper(club, table)
    corrected = _correct(club, console)
    _fine(club, console)
    club.post("/close", {})
    standings = club.get("/standings")
    console.print(_table(club, standings))
    console.print(_ties(club, standings["rows"]))
    console.print(_ledger(club, standings["rows"], corrected))
    return club


# Rounds


def _round(club: Club, number: int, console: Console) -> None:
    """Tables of accounts are played here, all at once; where the guest sits, with cards."""
    tables = club.get("/tables", round=number)["items"]
    here = [table for table in tables if all(seat["member"] in club.clients for seat in table["seats"])]
    with ThreadPoolExecutor(len(tables)) as pool:
        list(pool.map(lambda table: _match(club, table), here))
    for table in tables:
        how = "played here" if table in here else "on paper, for the guest"
        console.print(f"Round {number}, table {table['id']}: {club.sitters(table)} ({how})")
        if table not in here:
            _on_paper(club, table)
    _wait("the results of the round", lambda: not club.get("/tables", round=number, status="open")["items"])


def _match(club: Club, table: dict[str, Any]) -> None:
    clients = tuple(club.clients[seat["member"]] for seat in table["seats"])
    match = clients[0].post(f"{club.path}/tables/{table['id']}/match", {})["match"]["id"]
    for client in clients[1:]:
        client.post(f"/v1/matches/{match}/seats", {})
    play_on(match, clients)


def _on_paper(club: Club, table: dict[str, Any]) -> None:
    """One of the table writes the sheet, another one confirms it; the last word is Ana's, who organises."""
    sitting = [club.clients[seat["member"]] for seat in table["seats"] if seat["member"] in club.clients]
    writer, second = (sitting * 2)[:2] if len(sitting) > 1 else (sitting[0], club.ana)
    deals = [{"tally": tally(len(table["seats"]))} for _ in range(DEALS)]
    sheet = writer.post(f"{club.path}/sheets", {"table": table["id"], "deals": deals, "submit": True})
    second.post(f"{club.path}/results/{sheet['id']}/confirm", {})


def tally(seats: int) -> dict[str, Any]:
    """What a scorer writes down: who took which jack."""
    taken = {jack: random.randrange(seats) for jack in JACKS}
    return {"taken": taken, "first": None, "last": None, "declaration": None, "swept": None, "revokes": []}


# An organiser's evening


def _correct(club: Club, console: Console) -> str:
    """The first two of a result change places; the member whose points fell."""
    result = next(each for each in club.pages("/results") if len(set(each["points"])) == len(each["points"]))
    by_place = sorted(result["seats"], key=lambda seat: result["places"][seat["seat"]])
    first, second = by_place[0]["seat"], by_place[1]["seat"]
    points = result["points"][:]
    points[first], points[second] = points[second], points[first]
    one, other = (club.names[seat["member"]] for seat in by_place[:2])
    why = f"{one} and {other} were written in each other's column."
    club.post("/corrections", {"result": result["id"], "points": points, "note": why})
    console.print(f"A correction of round {result['round']}, table {result['table']}: {why}")
    return str(by_place[0]["member"])


def _fine(club: Club, console: Console) -> None:
    """Whoever leads the closest pair came late: by so much that there is a tie to decide."""
    rows = club.get("/standings")["rows"]
    pairs = [(upper["points"] - lower["points"], upper) for upper, lower in zip(rows, rows[1:], strict=False)]
    points, late = min((pair for pair in pairs if pair[0] > 0), key=lambda pair: pair[0])
    fine = {"member": late["member"], "kind": "penalty", "points": -points, "note": "Late for the third evening."}
    club.post("/adjustments", fine)
    console.print(f"A penalty: {-points:g} points for {late['name']}, late for the third evening.")


# What is shown


def _table(club: Club, standings: dict[str, Any]) -> Table:
    title = f"final table, version {standings['version']} of the season" if standings["final"] else "standings"
    shown = Table(title=title)
    for column in ("place", "name"):
        shown.add_column(column)
    for column in ("points", "1st", "2nd", "3rd", "penalties"):
        shown.add_column(column, justify="right")
    shown.add_column("before the next by")
    for row in standings["rows"]:
        places = [*row["places"], 0, 0, 0][:3]
        shown.add_row(
            str(row["place"]), row["name"], f"{row['points']:g}", *map(str, places), f"{row['adjustments']:g}",
            row["decided_by"] or "",
        )  # fmt: skip
    return shown


def _ties(club: Club, rows: Sequence[dict[str, Any]]) -> str:
    """How those with equal points were put in order."""
    lines = []
    for upper, lower in zip(rows, rows[1:], strict=False):
        if upper["exact"] == lower["exact"]:
            who = f"{upper['name']} and {lower['name']}, both with {upper['points']:g} points"
            lines.append(f"{who}, {_parted(upper, lower)}.")
    return "\n".join(lines) or "Nobody has as many points as another."


def _parted(upper: dict[str, Any], lower: dict[str, Any]) -> str:
    how = upper["decided_by"]
    if how in ("shared", "lot"):
        return {"shared": "share the place", "lot": "are parted by a lot, which the season's seed drew"}[how]
    return f"are parted by {how}, {_value(upper, how)} to {_value(lower, how)}"


def _value(row: dict[str, Any], criterion: str) -> str:
    return next((f"{each['value']:g}" for each in row["ties"] if each["criterion"] == criterion), "?")


def _ledger(club: Club, rows: Sequence[dict[str, Any]], member: str) -> Table:
    """Every line behind a member's points, once the workers have posted all of it."""
    (points,) = [row["points"] for row in rows if row["member"] == member]
    found: list[tuple[dict[str, Any], float]] = []

    def posted() -> bool:
        found[:] = _lines(club, member)
        return bool(abs(sum(amount for _, amount in found) - points) < 1e-6)

    _wait("the ledger", posted)
    shown = Table(title=f"the ledger behind {club.names[member]}'s {points:g} points", show_footer=True)
    shown.add_column("version", "sum", justify="right")
    shown.add_column("line")
    shown.add_column("because of")
    shown.add_column("points", f"{points:g}", justify="right")
    where = {each["id"]: f"round {each['round']}, table {each['table']}" for each in club.pages("/results")}
    for transfer, amount in found:
        shown.add_row(str(transfer["version"]), transfer["kind"], _cause(transfer["cause"], where), f"{amount:+g}")
    return shown


def _lines(club: Club, member: str) -> list[tuple[dict[str, Any], float]]:
    """Oldest first, each with what it gave the member."""
    return [
        (transfer, posting["amount"] / posting["scale"])
        for transfer in reversed(list(club.pages("/ledger")))
        for posting in transfer["postings"]
        if posting["member"] == member
    ]


def _cause(cause: dict[str, Any], where: Mapping[str, str]) -> str:
    """Which result, and what was written to it."""
    return ": ".join(words for words in (where.get(cause["result"]), cause["note"]) if words)


def _wait(what: str, question: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not question():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} did not come within {PATIENCE_SECONDS:.0f} s: is a worker running?")
        time.sleep(0.1)
