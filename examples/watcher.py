"""Follows a match of Tapete and prints what happens there, with nothing but Python 3.11.

Cut off at any moment, it comes back and goes on after the last event that it had: none is missed, none told twice.

    python3 watcher.py ID

Read beside it: docs/integrating.md, docs/streams.md, bot.py.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SILENCE_SECONDS = 40  # a stream says something every 15 s, or it is dead
LAST = ("ended", "voided")


def messages(stream: HTTPResponse) -> Iterator[dict[str, str]]:
    """Server-sent events: the fields of each that came whole."""
    fields: dict[str, str] = {}
    for line in stream:
        name, _, value = line.decode().rstrip("\n").partition(":")
        if line == b"\n":
            if "data" in fields:
                yield fields
            fields = {}
        elif name:  # without one it is a comment, which says that the connection lives
            fields[name] = value.removeprefix(" ")


def events(base: str, match: str, token: str | None, after: int) -> Iterator[dict[str, Any]]:
    """Every event after a version, once and in order, until the match is over."""
    sent = {"Accept": "text/event-stream", **({"Authorization": f"Bearer {token}"} if token else {})}
    while True:
        wait_seconds = random.uniform(0.2, 1)
        try:
            asked = Request(f"{base}/v1/matches/{match}/events", headers={**sent, "Last-Event-ID": str(after)})
            with urlopen(asked, timeout=SILENCE_SECONDS) as stream:
                if stream.status == 204:  # there is nothing more, and never will be
                    return
                for message in messages(stream):
                    event = json.loads(message["data"])
                    after = event["version"]
                    yield event
                    if event["type"] in LAST:
                        return
        except HTTPError as problem:
            if problem.code not in (429, 500, 502, 503, 504):
                sys.exit(f"{problem.code}: {json.load(problem)['detail']}")
            wait_seconds = max(wait_seconds, float(problem.headers.get("Retry-After") or 0))
        except (OSError, HTTPException):  # refused, cut off, or silent
            pass
        time.sleep(wait_seconds)


def told(event: dict[str, Any]) -> str:
    """An event in a line."""
    common = ("version", "type", "at", "hash")
    facts = {name: value for name, value in event.items() if name not in common and value not in (None, [])}
    if event["type"] == "opened":
        facts = {"game": event["game"], "variant": event["variant"]}
    if event["type"] == "moved":
        return f"{event['version']:4} seat {event['seat']} says {event['move'] or 'something face down'}"
    return f"{event['version']:4} {event['type']} {json.dumps(facts, ensure_ascii=False)}"


def main() -> None:
    """Parse the command line, and watch."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("match", help="its id")
    parser.add_argument("--api", default="http://127.0.0.1:8000", help="where the server is (%(default)s)")
    parser.add_argument("--token", help="of a player, for what a stranger may not see")
    parser.add_argument("--after", type=int, default=0, help="begin after this version (%(default)s)")
    args = parser.parse_args()
    for event in events(args.api.rstrip("/"), args.match, args.token, args.after):
        print(told(event), flush=True)


if __name__ == "__main__":
    main()
