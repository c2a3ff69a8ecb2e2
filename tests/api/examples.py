"""Records the examples of openapi.yaml: a session with a real application, always the same; `make examples` runs it.

How an operation gets its example: call it once with `show` in the function of its resource below, then
`make examples openapi`. What is random comes from a seeded source here; times become minutes of one evening, hashes of
the chain (which hang on times) are numbered. A long answer is cut: `most` says to how many items or lines.
Read beside it: api/woven.py (which puts them into the document), test_openapi.py (which holds them against it).
"""

from __future__ import annotations

import json
import random
import re
import secrets
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qsl

from flask import Flask

from api.description import operation_id
from store import embedded, jobs
from store.db import connection
from store.migrate import migrate
from tests.api.conftest import application
from tests.api.http import Answer, Client, over_flask
from tests.api.league_examples import leagues
from tests.api.tables import BOT, say, turn
from workers.work import work_off

FOLDER = Path(__file__).parents[2] / "api" / "examples"
JSON, TOML, NDJSON, SSE = "application/json", "application/toml", "application/x-ndjson", "text/event-stream"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)")
HASH = re.compile(r'(?<="hash": ")[0-9a-f]{64}|(?<="hash":")[0-9a-f]{64}')
EVENING = datetime(2026, 6, 1, 18, tzinfo=UTC)
ROUNDED_SECONDS = 10  # of a time to come, such as a deadline
FAR = timedelta(days=30)  # a time further ahead than this was named by the client


@dataclass
class Session:
    """What has been shown, by operation; and what the times and hashes of this run are called."""

    app: Flask
    shown: dict[str, Any] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    writes: int = 0

    def __post_init__(self) -> None:
        self.send = over_flask(self.app.test_client(use_cookies=False))
        self.anybody = Client(self._transport)

    def _transport(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        self.writes += method != "GET"
        answer = self.send(method, path, body, headers)
        self._learn(answer.text)
        return answer

    def _learn(self, text: str) -> None:
        now, minute = datetime.now(UTC), EVENING + timedelta(minutes=self.writes)
        for time in TIME.findall(text):
            if datetime.fromisoformat(time) - now > FAR:
                continue
            ahead = round((datetime.fromisoformat(time) - now).total_seconds() / ROUNDED_SECONDS) * ROUNDED_SECONDS
            called = minute + timedelta(seconds=max(0, ahead))
            self.names.setdefault(time, called.isoformat(timespec="milliseconds").replace("+00:00", "Z"))
        for found in HASH.findall(text):
            self.names.setdefault(found, sha256(f"hash {len(self.names)}".encode()).hexdigest())

    def show(
        self, client: Client, method: str, path: str, body: Any = None, /, most: int = 10**9, **headers: str
    ) -> Answer:
        """Make the request, and keep it and its answer as the example of their operation."""
        answer = client.call(method, path, body, **headers)
        mimetype = answer.headers.get("Content-Type", "").partition(";")[0]
        kept = self._kept(method, path)
        if body is not None:
            kept["request"].setdefault("bodies", {})[headers.get("Content_Type", JSON)] = _plain(body, headers)
        if answer.text:
            self._keep(kept, answer.status, mimetype, _cut(answer.json if mimetype == JSON else answer.text, most))
        return answer

    def _kept(self, method: str, path: str) -> Any:
        place, _, query = path.partition("?")
        endpoint, found = self.app.url_map.bind("localhost").match(place, method)
        kept = self.shown.setdefault(
            operation_id(endpoint.rpartition(".")[2]), {"request": {"path": {}, "query": {}}, "answers": []}
        )
        kept["request"]["path"] |= found
        kept["request"]["query"] |= parse_qsl(query)
        return kept

    def _keep(self, kept: Any, status: int, mimetype: str, body: Any) -> None:
        others = [each for each in kept["answers"] if (each["status"], each["mimetype"]) != (status, mimetype)]
        kept["answers"] = [*others, {"status": status, "mimetype": mimetype, "body": body}]

    def listen(self, client: Client, path: str, mimetype: str, most: int) -> None:
        """Keep the first lines of a stream that never ends."""
        sent = {"Authorization": f"Bearer {client.token}", "Accept": mimetype}
        response = self.app.test_client(use_cookies=False).get(path, headers=sent, buffered=False)
        lines = (line for piece in response.iter_encoded() for line in piece.decode().splitlines(keepends=True))
        text = "".join(islice(lines, most))
        response.close()
        self._learn(text)
        self._keep(self._kept("GET", path), response.status_code, mimetype, text)

    def files(self) -> Iterator[tuple[str, str]]:
        """Name and text of each file."""
        for name, example in sorted(self.shown.items()):
            text = json.dumps(example, indent=1, ensure_ascii=False)
            for found, called in self.names.items():
                text = text.replace(found, called)
            yield f"{name}.json", text + "\n"


def _plain(body: Any, headers: dict[str, str]) -> Any:
    if not isinstance(body, bytes):
        return body
    return json.loads(body) if headers["Content_Type"] == JSON else body.decode()


def _cut(body: Any, most: int) -> Any:
    if isinstance(body, str):
        return "".join(body.splitlines(keepends=True)[:most])
    if isinstance(body, dict) and isinstance(body.get("items"), list):
        return {**body, "items": body["items"][:most]}
    return body


# The session, resource by resource


def catalogue(s: Session) -> None:
    """What can be played."""
    s.show(s.anybody, "GET", "/v1/games", most=1)
    s.show(s.anybody, "GET", "/v1/games/polignac")
    s.show(s.anybody, "GET", "/v1/games/polignac/rules", most=5)


def players(s: Session) -> list[Client]:
    """Three of them; what the first one does with his account, and a fourth who leaves."""
    made = s.show(s.anybody, "POST", "/v1/players", {"name": "Ana"}).json
    ana = Client(s.anybody.transport, made["token"], made["id"], made["name"])
    luis, eva, leaving = (s.anybody.player(name) for name in ("Luis", "Eva", "Max"))
    s.show(s.anybody, "GET", "/v1/players?name=Ana")
    s.show(s.anybody, "GET", f"/v1/players/{ana.id}")
    s.show(ana, "GET", "/v1/me")
    s.show(ana, "PATCH", "/v1/me", {"name": "Ana María"})
    wanted = {"label": "my bot", "scopes": ["read", "play"], "expires_at": "2099-12-31T00:00:00Z"}
    token = s.show(ana, "POST", "/v1/me/tokens", wanted).json["id"]
    s.show(ana, "GET", "/v1/me/tokens")
    s.show(ana, "DELETE", f"/v1/me/tokens/{token}")
    s.show(leaving, "DELETE", "/v1/me")
    return [ana, luis, eva]


def coming(s: Session, ana: Client, luis: Client, eva: Client) -> str:
    """A match is opened and filled."""
    seats = [{"player": "me"}, {"player": luis.id}, {"open": True}]
    proposal = {"game": "polignac", "options": {"deals": 1, "tie_break": "shared"}, "seats": seats,
                "clock": {"turn_seconds": 3600}, "visibility": "unlisted"}  # fmt: skip
    match: str = s.show(ana, "POST", "/v1/matches", proposal).json["id"]
    code = s.show(ana, "POST", f"/v1/matches/{match}/invitations", {}).json["code"]
    eva.made(f"/v1/matches/{match}/seats", {"code": code})
    s.show(luis, "POST", f"/v1/matches/{match}/seats", {"seat": 1})
    s.show(ana, "GET", "/v1/matches?game=polignac&status=playing&limit=1")
    return match


def playing(s: Session, players: list[Client], match: str) -> None:
    """Two tricks' words and then the rest; what is read meanwhile, by whose turn it is."""
    for choice in range(5):
        say(players, match, choice)
    seat = players[0].read(f"/v1/matches/{match}")["deal"]["to_act"][0]
    seen = s.show(players[seat], "GET", f"/v1/matches/{match}").json
    s.listen(players[seat], "/v1/stream", NDJSON, 2)
    s.listen(players[seat], "/v1/stream", SSE, 4)
    said = {"move": seen["deal"]["legal"][0]}
    s.show(players[seat], "POST", f"/v1/matches/{match}/moves", said, If_Match=f'"{seen["version"]}"')
    while players[0].read(f"/v1/matches/{match}")["status"] == "playing":
        say(players, match)


def history(s: Session, ana: Client, match: str) -> None:
    """What is left of a match that is over."""
    path = f"/v1/matches/{match}"
    s.show(ana, "GET", f"{path}/events?after=5&limit=3")
    s.show(ana, "GET", f"{path}/events?after=5", most=3, Accept=NDJSON)
    s.show(ana, "GET", f"{path}/events?after=5", most=8, Accept=SSE)
    s.show(ana, "GET", f"{path}/replay", most=1)
    s.show(ana, "GET", f"{path}/audit")
    s.show(ana, "GET", f"{path}/ledger?limit=2")
    s.show(ana, "GET", f"/v1/players/{ana.id}/ledger?limit=2")


def analysis(s: Session, ana: Client, match: str) -> None:
    """What words were worth, and advice."""
    s.show(ana, "POST", f"/v1/matches/{match}/analysis", {})
    with connection(s.app.extensions["tapete"].pool) as conn:
        while keys := jobs.due(conn, "analysis", 1):
            work_off(conn, keys[0])
    s.show(ana, "POST", f"/v1/matches/{match}/analysis", {})
    s.show(ana, "GET", f"/v1/matches/{match}/analysis?after=5&limit=1")
    options = {"deals": 1, "declarations": "none"}
    bots = ana.made("/v1/matches", {"game": "polignac", "seats": [{"player": "me"}, BOT, BOT], "options": options})[
        "id"
    ]
    with connection(s.app.extensions["tapete"].pool) as conn:
        while len((seen := ana.read(f"/v1/matches/{bots}"))["deal"]["legal"]) < 2:
            if seen["deal"]["your_turn"]:
                ana.made(f"/v1/matches/{bots}/moves", {"move": seen["deal"]["legal"][0]})
            else:
                work_off(conn, f"bot_turn:{bots}:{seen['version']}")
    s.show(ana, "GET", f"/v1/matches/{bots}/hint")


def taking_back(s: Session, *players: Client) -> None:
    """A word asked back, and given."""
    seats = [{"player": player.id} for player in players]
    match = players[0].made("/v1/matches", {"game": "polignac", "seats": seats})["id"]
    for seat, other in enumerate(players[1:], 1):
        other.made(f"/v1/matches/{match}/seats", {"seat": seat})
    mover, _ = turn(players, match)
    say(players, match)
    mover.made(f"/v1/matches/{match}/takeback")
    asked = s.show(mover, "GET", f"/v1/matches/{match}/takeback").json
    first, second = (players[seat] for seat in asked["awaiting"])
    first.made(f"/v1/matches/{match}/takeback", {"consent": True})
    s.show(second, "POST", f"/v1/matches/{match}/takeback", {"consent": True})


def duplicates(s: Session, ana: Client) -> None:
    """The same deals for everybody."""
    wanted = {"game": "polignac", "deals": 2, "seats": 3, "bot": "rule"}
    event = s.show(ana, "POST", "/v1/duplicates", wanted).json["id"]
    s.show(ana, "POST", f"/v1/duplicates/{event}/entries", {})
    s.show(ana, "GET", f"/v1/duplicates/{event}")
    s.show(ana, "GET", "/v1/duplicates?game=polignac&limit=1")
    for _ in range(2):
        daily = s.show(ana, "POST", "/v1/duplicates", {"game": "mykonos", "daily": True}).json
    s.names[f'"day": "{daily["day"]}"'] = '"day": "2026-06-01"'
    s.names[daily["ends_at"]] = "2026-06-02T00:00:00.000Z"


def records(s: Session, ana: Client, match: str) -> None:
    """A match as text, and back."""
    for mimetype in (TOML, JSON):
        text = s.show(ana, "GET", f"/v1/matches/{match}/record", Accept=mimetype).text
        s.show(ana, "POST", "/v1/records?visibility=unlisted", text.encode(), Content_Type=mimetype)


def leaving(s: Session, ana: Client, luis: Client, eva: Client) -> None:
    """Seats left, a match given up, a match voided."""
    seats = [{"player": "me"}, {"player": luis.id}, {"player": eva.id}]
    match = ana.made("/v1/matches", {"game": "polignac", "seats": seats})["id"]
    luis.made(f"/v1/matches/{match}/seats", {"seat": 1})
    s.show(eva, "DELETE", f"/v1/matches/{match}/seats/2")
    eva.made(f"/v1/matches/{match}/seats")
    s.show(eva, "POST", f"/v1/matches/{match}/resignation", {})
    s.show(ana, "POST", f"/v1/matches/{match}/void", {"note": "The table was called away."})
    s.show(ana, "GET", "/v1/me/export", most=3)


def fair(s: Session, ana: Client, luis: Client, eva: Client) -> None:
    """A shuffle to which everybody adds something."""
    seats = [{"player": "me"}, {"player": luis.id}, {"player": eva.id}]
    match = ana.made("/v1/matches", {"game": "polignac", "seats": seats, "fair": True})["id"]
    luis.made(f"/v1/matches/{match}/seats", {"seat": 1})
    eva.made(f"/v1/matches/{match}/seats", {"seat": 2})
    s.show(ana, "POST", f"/v1/matches/{match}/nonces", {"deal": 1, "nonce": "c0ffee"})


def ratings(s: Session, ana: Client, luis: Client, eva: Client) -> None:
    """A rated match that two give up, and what it means."""
    seats = [{"player": "me"}, {"player": luis.id}, {"player": eva.id}]
    match = ana.made("/v1/matches", {"game": "polignac", "seats": seats, "rated": True})["id"]
    for player, seat in ((luis, 1), (eva, 2)):
        player.made(f"/v1/matches/{match}/seats", {"seat": seat})
    for player in (luis, eva):
        player.made(f"/v1/matches/{match}/resignation", {})
    with connection(s.app.extensions["tapete"].pool) as conn:
        for kind in ("tally", "ratings"):
            for key in jobs.awaited(conn, f"{kind}:"):
                work_off(conn, key)
    s.show(ana, "GET", "/v1/ratings?game=polignac")
    s.show(ana, "GET", f"/v1/players/{ana.id}/ratings")
    s.show(ana, "GET", f"/v1/players/{ana.id}/ratings/history?game=polignac")


def webhooks(s: Session, ana: Client) -> None:
    """Being told."""
    wanted = {"url": "https://example.org/tapete", "events": ["turn", "ended"]}
    hook = s.show(ana, "POST", "/v1/webhooks", wanted).json["id"]
    s.show(ana, "GET", "/v1/webhooks")
    s.show(ana, "GET", f"/v1/webhooks/{hook}")
    delivery = s.show(ana, "POST", f"/v1/webhooks/{hook}/test", {}).json["id"]
    s.show(ana, "GET", f"/v1/webhooks/{hook}/deliveries")
    s.show(ana, "POST", f"/v1/webhooks/{hook}/deliveries/{delivery}/redeliver", {})
    s.show(ana, "DELETE", f"/v1/webhooks/{hook}")


def operations(s: Session) -> None:
    """For whoever runs the server: always the same but for the figures, of which one is enough."""
    s.show(s.anybody, "GET", "/healthz")
    s.show(s.anybody, "GET", "/readyz")
    s.shown["readMetrics"] = _by_hand("text/plain", "# TYPE tapete_streams_open gauge\ntapete_streams_open 0.0\n")
    s.shown["readDescription"] = _by_hand(JSON, {"openapi": "3.1.0", "info": {"title": "Tapete", "version": "1"}})


def _by_hand(mimetype: str, body: Any) -> Any:
    return {"request": {"path": {}, "query": {}}, "answers": [{"status": 200, "mimetype": mimetype, "body": body}]}


def session(s: Session) -> None:
    """All of it."""
    catalogue(s)
    people = players(s)
    match = coming(s, *people)
    playing(s, people, match)
    history(s, people[0], match)
    records(s, people[0], match)
    leaving(s, *people)
    fair(s, *people)
    webhooks(s, people[0])
    analysis(s, people[0], match)
    taking_back(s, *people)
    duplicates(s, people[0])
    ratings(s, *people)
    leagues(s, *people)
    operations(s)


def record(folder: Path, database_url: str, redis_url: str) -> None:
    """Write all examples into `folder`, and remove those of operations that are gone."""
    secrets.token_bytes = partial(_drawn, random.Random("examples"))  # on which all of that module stands
    with application(database_url, redis_url) as app:
        app.extensions["tapete"].cursor_key = b"examples"
        s = Session(app)
        session(s)
    written = dict(s.files())
    for old in folder.glob("*.json"):
        if old.name not in written:
            old.unlink()
    for name, text in written.items():
        (folder / name).write_text(text, "utf-8")


def _drawn(draw: random.Random, nbytes: int | None = None) -> bytes:
    return draw.randbytes(nbytes or 32)


def main(folder: str = str(FOLDER), database_url: str = "", redis_url: str = "") -> None:
    """On servers of its own, or on those that are named: a fresh database, migrated."""
    if database_url:
        record(Path(folder), database_url, redis_url)
        return
    with TemporaryDirectory() as home, embedded.servers(Path(home)) as servers:
        migrate(servers.database_url)
        record(Path(folder), servers.database_url, servers.redis_url)


if __name__ == "__main__":
    main(*sys.argv[1:])
