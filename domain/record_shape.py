"""What the tree of a record looks like, checked: the first place that is wrong is named. docs/record.md, in code.

Nothing of the game is known here. Read beside it: record.schema.json (the same for others), record_reading.py.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeAlias

from domain.bots import BOTS
from domain.event import rfc3339
from domain.record import FORMAT, Tree
from domain.rules import OptionsError

MOST_WORDS = 50_000  # the longest match that the games allow has fewer
MOST_NONCES = 1_000  # a deal
MOST_VALUES = 150_000  # half as many again as such a match has in its record
DEEPEST_KEY = 4
BEFELL = rf"!(?:resigned|expired|returned) [0-9]|!replaced [0-9] (?:{'|'.join(BOTS)})"
DEEP_KEY = re.compile(
    rf"""(?<![^\s.="'\[\]{{}},#])(?:(?>[^\s.="'\[\]{{}},#]+|"[^"\n]*"|'[^'\n]*')[ \t]*+\.[ \t]*+){{{DEEPEST_KEY}}}"""
)

Check: TypeAlias = Callable[[Any, str], None]  # of a value and its place


class RecordError(OptionsError):
    """A record that is not one of a match that could have been played. `errors` says what is wrong, by place."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__({place: what})


def from_toml(text: str) -> Tree:
    """The tree of a text. Raises ValueError that names line and column."""
    if sum(map(text.count, "=,[")) > MOST_VALUES:
        raise ValueError(f"the text holds more than {MOST_VALUES} values")
    if deep := DEEP_KEY.search(text):  # the library's time grows with the square of a key's length
        line = text.count("\n", 0, deep.start()) + 1
        raise ValueError(f"a key has more than {DEEPEST_KEY} parts (at line {line})")
    return tomllib.loads(text)


def check(tree: Any) -> None:
    """Raise RecordError unless the tree has the shape of a record that can be imported."""
    _RECORD(tree, "")
    if sum(len(deal.get("words", ())) + len(deal.get("nonces", ())) for deal in tree["deals"]) > MOST_WORDS:
        raise RecordError("deals", f"hold more than {MOST_WORDS} words")
    for number, player in enumerate(tree["players"]):
        if player["seat"] != number:
            raise RecordError(f"players.{number}.seat", f"should be {number}: the seats stand in order")


def _table(required: Mapping[str, Check], optional: Mapping[str, Check]) -> Check:
    known = {**required, **optional}

    def check(value: Any, place: str) -> None:
        if not isinstance(value, dict):
            raise RecordError(place or "record", "is no table")
        inside = f"{place}." if place else ""
        for name in required:
            if name not in value:
                raise RecordError(f"{inside}{name}", "is missing")
        for name, below in value.items():
            if name in known:
                known[name](below, f"{inside}{name}")
            elif not name.startswith("_"):
                raise RecordError(f"{inside}{name[:40]}", "is no key of a record; one of your own begins with _")

    return check


def _listed(inner: Check, least: int, most: int) -> Check:
    def check(value: Any, place: str) -> None:
        if not isinstance(value, list):
            raise RecordError(place, "is no list")
        if not least <= len(value) <= most:
            raise RecordError(place, f"has {len(value)} entries, not {least} to {most}")
        for number, each in enumerate(value):
            inner(each, f"{place}.{number}")

    return check


def _text(pattern: str, what: str) -> Check:
    fits = re.compile(pattern).fullmatch

    def check(value: Any, place: str) -> None:
        if not isinstance(value, str):
            raise RecordError(place, f"is no text: it should be {what}")
        if not fits(value):
            raise RecordError(place, f"{value[:60]!r} is not {what}")

    return check


def _whole(low: int, high: int) -> Check:
    def check(value: Any, place: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise RecordError(place, f"is no whole number from {low} to {high}")

    return check


def _truth(value: Any, place: str) -> None:
    if not isinstance(value, bool):
        raise RecordError(place, "is neither true nor false")


def _anything(value: Any, place: str) -> None:
    """Checked where the game is known."""


def _time(value: Any, place: str) -> None:
    with suppress(TypeError, ValueError, OverflowError):
        if rfc3339(datetime.fromisoformat(value)) == value:
            return
    raise RecordError(place, "is no text such as '2026-01-31T18:04:05.000000Z'")


_MATCH = _text(r"[A-Za-z0-9_-]{1,40}", "the id of a match")
_NAME = _text(r"[a-z0-9_]{1,40}", "a name in small letters")
_SEAT, _POINTS = _whole(0, 9), _whole(-(10**6), 10**6)
_HASH = _text(r"[0-9a-f]{64}", "32 bytes in hexadecimal")
_NUMBER = _whole(1, 10**6)
_NONCES = _listed(_text(rf"[0-9](?: (?:[0-9a-f]{{2}}){{1,64}})?|{BEFELL}", "a seat and its nonce"), 0, MOST_NONCES)
_WORDS = _listed(_text(rf"[0-9] \S.{{0,99}}|{BEFELL}", "a seat and its word, or what befell a seat"), 0, MOST_WORDS)
_DEALT = _table(
    {
        "number": _NUMBER,
        "extra": _truth,
        "dealer": _SEAT,
        "seats": _listed(_SEAT, 1, 10),
        "pack": _text(r"\S{1,4}(?: \S{1,4}){0,199}", "a pack: its cards, with a space between"),
        "words": _WORDS,
    },
    {
        "commitment": _HASH,
        "seed": _HASH,
        "shuffled_as": _MATCH,
        "nonces": _NONCES,
        "points": _listed(_POINTS, 1, 10),
        "totals": _listed(_POINTS, 1, 10),
    },
)
_ASKED = _table(  # a deal that was never dealt: the match ended while nonces were awaited
    {
        "number": _NUMBER,
        "extra": _truth,
        "seats": _listed(_SEAT, 1, 10),
        "commitment": _HASH,
        "seed": _HASH,
        "shuffled_as": _MATCH,
        "nonces": _NONCES,
    },
    {},
)


def _deal(value: Any, place: str) -> None:
    asked = isinstance(value, dict) and "nonces" in value and "words" not in value
    (_ASKED if asked else _DEALT)(value, place)


_PLAYER = _table(
    {"seat": _SEAT},
    {"label": _text(r"(?s).{1,200}", "a name"), "bot": _text("|".join(BOTS), f"one of {', '.join(BOTS)}")},
)
_RESULT = _table(
    {
        "reason": _text("target|deals|revoke|resignation", "a reason why a match ends"),
        "places": _listed(_whole(1, 10), 1, 10),
        "totals": _listed(_POINTS, 1, 10),
    },
    {},
)
_RECORD = _table(
    {
        "tapete_record": _whole(FORMAT, FORMAT),
        "game": _NAME,
        "rules": _whole(1, 10**6),
        "variant": _NAME,
        "match": _MATCH,
        "status": _text("ended|voided", "ended or voided: only a match that is over can be imported"),
        "rated": _truth,
        "fair": _truth,
        "prepared": _truth,
        "players": _listed(_PLAYER, 1, 10),
        "options": _anything,
        "deals": _listed(_deal, 1, MOST_WORDS),
    },
    {
        "created_at": _time,
        "started_at": _time,
        "ended_at": _time,
        "clock": _table({"turn_seconds": _whole(1, 10**7), "bank_seconds": _whole(0, 10**7)}, {}),
        "result": _RESULT,
        "voided": _table({"reason": _text(r"[a-z_]{1,40}", "a reason why a match is voided")}, {}),
    },
)
