"""The demo: what somebody else's program would do, over HTTP alone, with what it saw printed.

It registers players, opens one match of each game in the catalogue, plays its own seats while the house's bots play the
others, and shows score pad, ledger and places. It imports nothing of the server. Read beside it: docs/api, README.md.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import requests
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

PATIENCE_SECONDS = 120.0  # without any event, before the demo says that something is wrong


class StaleError(RuntimeError):
    """The match has moved on since it was read."""


class Client:
    """One player's connection to the API."""

    def __init__(self, base: str, name: str) -> None:
        self.base, self.session = base.rstrip("/"), requests.Session()
        self.me = self.post("/v1/players", {"name": name})
        self.session.headers["Authorization"] = f"Bearer {self.me['token']}"

    def get(self, path: str, **query: Any) -> Any:
        return self._answer(self.session.get(self.base + path, params=query, timeout=15))

    def post(self, path: str, body: dict[str, Any], **headers: str) -> Any:
        headers.setdefault("Idempotency-Key", secrets.token_hex(16))  # a lost answer can be asked for again
        return self._answer(self.session.post(self.base + path, json=body, headers=headers, timeout=15))

    def _answer(self, response: requests.Response) -> Any:
        if response.status_code == 412:
            raise StaleError(response.text)
        if not response.ok:
            raise RuntimeError(f"{response.request.method} {response.url}: {response.status_code} {response.text}")
        return response.json()


def run(base: str, console: Console) -> str:
    """Play one match of each game at the server under `base` and print it; what one may try then."""
    ana, luis = Client(base, "Ana"), Client(base, "Luis")
    games = ana.get("/v1/games")["items"]
    console.print(f"[bold]Ana[/] and [bold]Luis[/] play {len(games)} game(s) against the house's bots at {base}")
    with Progress(
        TextColumn("{task.description:>12}"), BarColumn(), TextColumn("{task.fields[now]}"), TimeElapsedColumn(),
        console=console,
    ) as progress, ThreadPoolExecutor(len(games)) as pool:  # fmt: skip
        played = [pool.submit(_play, game, ana, luis, progress) for game in games]
        matches = [each.result() for each in played]
    for match in matches:
        _report(console, ana, match)
    token, path = ana.me["token"], f"{base}/v1/matches/{matches[0]['id']}"
    return f"Ana's token: {token}\nTry: curl -H 'Authorization: Bearer {token}' {path}"


def _play(game: dict[str, Any], ana: Client, luis: Client, progress: Progress) -> dict[str, Any]:
    """One match to its end: two seats are ours, the others the bots'."""
    seats = _seats(game)
    body = {"game": game["id"], "seats": [{"player": "me"}, {"open": True}, *[{"bot": "rule"}] * (seats - 2)]}
    match = str(ana.post("/v1/matches", body)["id"])
    luis.post(f"/v1/matches/{match}/seats", {})
    bar = progress.add_task(game["name"]["en"], total=1.0, now="")
    return play_on(match, (ana, luis), lambda seen: _show(progress, bar, seen))


def play_on(
    match: str, clients: Sequence[Client], show: Callable[[dict[str, Any]], None] = lambda seen: None
) -> dict[str, Any]:
    """The clients' seats say any legal word until the match is over; the match as it ended."""
    version, heard = 0, time.monotonic()
    while True:
        seen = turn(match, clients)
        show(seen)
        if seen["status"] not in ("open", "playing"):
            return seen
        if seen["version"] != version:
            version, heard = seen["version"], time.monotonic()
        elif time.monotonic() - heard > PATIENCE_SECONDS:
            raise RuntimeError(f"nothing has happened at match {match} for {PATIENCE_SECONDS:.0f} s")
        else:
            time.sleep(0.02)


def _seats(game: dict[str, Any]) -> int:
    """Four seats where the game's first variant takes them."""
    takes = game["variants"][0]["seats"]
    return 4 if takes["min"] <= 4 <= takes["max"] else int(takes["max"])


def turn(match: str, clients: Sequence[Client]) -> dict[str, Any]:
    """Whoever of us owes a word says one of his legal ones; then the match as it stands."""
    for client in clients:
        seen = client.get(f"/v1/matches/{match}")
        if seen["status"] == "playing" and seen["deal"]["your_turn"]:
            word = random.choice(seen["deal"]["legal"])
            try:
                seen = client.post(f"/v1/matches/{match}/moves", {"move": word}, **_if_match(seen))["match"]
            except StaleError:  # a neighbour who owed a word too was faster: read and post again
                continue
            break
    return dict(seen)


def _if_match(seen: dict[str, Any]) -> dict[str, str]:
    return {"If-Match": f'"{seen["version"]}"'}


def _show(progress: Progress, bar: TaskID, match: dict[str, Any]) -> None:
    options = match["options"]
    if match["result"]:
        done = 1.0
    elif options.get("deals"):
        done = match["deals"] / options["deals"]
    elif options.get("target"):
        done = max(0, *match["totals"]) / options["target"]
    else:
        done = 1 - 0.98 ** (match["version"] / 4)  # one deal of unknown length
    progress.update(bar, completed=min(done, 1.0), now=f"event {match['version']}, points {match['totals']}")


def _report(console: Console, client: Client, match: dict[str, Any]) -> None:
    console.print(_pad(client, match))
    console.print(_ledger(client, match))


def _pad(client: Client, match: dict[str, Any]) -> Table:
    """The score pad, deal by deal, with the final places under it."""
    pad = Table(
        title=f"{match['game']} · {match['variant']} · ended: {match['result']['reason']}",
        show_footer=True,
        show_lines=True,
    )
    pad.add_column("deal", "place")
    for seat, place in zip(match["seats"], match["result"]["places"], strict=True):
        who = seat["player"]["name"] if seat["player"] else f"bot {seat['bot']}"
        pad.add_column(f"{seat['seat']} {who}", str(place), justify="right")
    for event in _events(client, match["id"]):
        if event["type"] == "scored":
            cells = (_cell(event, seat["seat"]) for seat in match["seats"])
            pad.add_row(f"{event['deal']}{' extra' if event['extra'] else ''}", *cells)
    pad.add_row("total", *(f"[bold]{total}[/]" for total in match["totals"]))
    return pad


def _cell(event: dict[str, Any], seat: int) -> str:
    """A seat's points of one deal, and under them what they are made of."""
    why = [f"[dim]{line['reason']} {line['points']:+d}[/]" for line in event["lines"] if line["seat"] == seat]
    return "\n".join([f"[bold]{event['points'][seat]}[/]", *why])


def _events(client: Client, match: str) -> Iterator[dict[str, Any]]:
    after: int | None = 0
    while after is not None:
        page = client.get(f"/v1/matches/{match}/events", after=after, limit=200)
        yield from page["items"]
        after = page["next"]


def _ledger(client: Client, match: dict[str, Any]) -> Table:
    """What each account holds, once the tally worker has posted the end."""
    balances = _settled_balances(client, match)
    table = Table(title="ledger of the match: every transfer sums to zero")
    table.add_column("account")
    table.add_column("points", justify="right")
    for account, amount in sorted(balances.items()):
        table.add_row(account, f"{amount:+d}")
    table.add_row("[dim]sum[/]", f"[dim]{sum(balances.values())}[/]")
    return table


def _settled_balances(client: Client, match: dict[str, Any]) -> dict[str, int]:
    """Account -> points, as soon as the last deal's and the result's transfers are in."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        transfers = _transfers(client, match["id"])
        if any(transfer["kind"] == "result" for transfer in transfers) or not any(match["totals"]):
            break
        if time.monotonic() > deadline:
            raise RuntimeError(f"the tally of match {match['id']} is not in the ledger")
        time.sleep(0.1)
    balances: dict[str, int] = {}
    for posting in (posting for transfer in transfers for posting in transfer["postings"]):
        balances[posting["account"]] = balances.get(posting["account"], 0) + posting["amount"]
    return balances


def _transfers(client: Client, match: str) -> list[dict[str, Any]]:
    found, cursor = [], None
    while True:
        page = client.get(f"/v1/matches/{match}/ledger", limit=200, **({"cursor": cursor} if cursor else {}))
        found += page["items"]
        cursor = page["next"]
        if cursor is None:
            return found
