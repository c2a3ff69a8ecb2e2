"""A player for Tapete that needs nothing but Python 3.11: it sits down at a match, and says a legal word when asked.

It and the server can be stopped and started at any time: --state remembers player and match, what is written is sent
again under its key until it is answered, and each word names the version that it answers. See docs/integrating.md.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SILENCE_SECONDS = 40  # a stream says something every 15 s, or it is dead
BROKEN = (OSError, HTTPException, ValueError)  # refused, cut off, silent, or half an answer: to be tried again


class Api:
    """The server, for one player."""

    def __init__(self, base: str, token: str | None) -> None:
        self.base, self.token = base.rstrip("/"), token

    def connect(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """One request, once. Raises HTTPError for a problem, else one of BROKEN."""
        sent = {name.replace("_", "-"): text for name, text in headers.items()} | {"Content-Type": "application/json"}
        sent |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        content = None if body is None else json.dumps(body).encode()
        return urlopen(Request(self.base + path, content, sent, method=method), timeout=SILENCE_SECONDS)

    def ask(self, method: str, path: str, body: Any = None, fatal: bool = True, **headers: str) -> Any:
        """The JSON that is answered, asked for until it is: under one key it is done once."""
        headers.setdefault("Idempotency_Key", token_hex(16))
        longest, wait_seconds = 0.2, 0.0
        while True:
            try:
                with self.connect(method, path, body, **headers) as answer:
                    return json.load(answer)
            except HTTPError as problem:
                wait_seconds = float(problem.headers.get("Retry-After") or 0)
                if problem.code < 500 and problem.code != 429 and (said := json.load(problem))["code"] != "in_progress":
                    return sys.exit(f"{path}: {said['code']}: {said['detail']}") if fatal else said
            except BROKEN:
                pass
            time.sleep(max(wait_seconds, random.uniform(longest / 2, longest)))
            longest = min(5, longest * 2)


def hints(api: Api, poll: bool) -> Iterator[None]:
    """Now and then, for ever: something may have happened. Whatever was missed, a hint follows each new connection."""
    while True:
        with suppress(*BROKEN):  # an HTTPError is one of them: where there are too many streams, it polls
            if not poll:
                with api.connect("GET", "/v1/stream", Accept="application/x-ndjson") as stream:
                    yield
                    yield from (None for line in stream if line.strip())
        yield
        time.sleep(random.uniform(0.1, 0.5))


def play(api: Api, match: str, poll: bool) -> Any:
    """The match as it ended. What is said too late, or twice, changes nothing, because of its version and its key."""
    path = f"/v1/matches/{match}"
    for _ in hints(api, poll):
        seen = api.ask("GET", path)
        if seen["status"] in ("ended", "voided"):
            return seen
        deal, version = seen["deal"] or {}, seen["version"]
        once = {"If_Match": f'"{version}"', "Idempotency_Key": f"{match}-{version}"}  # also after a restart
        if deal.get("your_turn"):
            api.ask("POST", f"{path}/moves", {"move": random.choice(deal["legal"])}, fatal=False, **once)
        elif any(seen["seats"][seat]["you"] for seat in deal.get("awaiting_nonces", [])):  # a fair match
            api.ask("POST", f"{path}/nonces", {"deal": deal["number"], "nonce": token_hex(16)}, fatal=False, **once)
    raise AssertionError("there are hints for ever")


def sit_down(api: Api, args: argparse.Namespace) -> str:
    """The id of the match that is named, or of a new one."""
    if not args.match:
        others = [{"open": True} if kind == "open" else {"bot": kind} for kind in args.others.split()]
        proposal = {"game": args.game, "options": json.loads(args.options), "seats": [{"player": "me"}, *others]}
        return str(api.ask("POST", "/v1/matches", proposal)["id"])
    if not any(seat["you"] and seat["accepted"] for seat in api.ask("GET", f"/v1/matches/{args.match}")["seats"]):
        api.ask("POST", f"/v1/matches/{args.match}/seats", {})
    return str(args.match)


def main() -> None:
    """Parse the command line, and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--api", default="http://127.0.0.1:8000", help="where the server is (%(default)s)")
    parser.add_argument("--token", help="of a player there is; without it one is registered")
    parser.add_argument("--match", help="the id of the match to join; without it one is opened")
    parser.add_argument("--game", default="polignac", help="of the match that is opened (%(default)s)")
    parser.add_argument("--options", default="{}", help="its options, as JSON")
    parser.add_argument("--others", default="rule rule", help="who else sits there: rule, random, open (%(default)s)")
    parser.add_argument("--state", default="/dev/null", type=Path, help="a file that remembers token and match")
    parser.add_argument("--poll", action="store_true", help="ask again and again instead of listening to a stream")
    args = parser.parse_args()
    state = json.loads((args.state.exists() and args.state.read_text()) or "{}")
    api = Api(args.api, args.token or state.get("token"))
    api.token = api.token or api.ask("POST", "/v1/players", {"name": "Bot"})["token"]
    match = state.get("match") or sit_down(api, args)
    args.state.touch(0o600)
    args.state.write_text(json.dumps({"token": api.token, "match": match}))
    print(f"playing {match}", flush=True)
    print("{status}: {result}".format_map(play(api, match, args.poll)))


if __name__ == "__main__":
    main()
