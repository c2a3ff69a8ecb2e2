"""The text record of one match: a tree of tables, lists, texts and whole numbers, written as TOML or as JSON.

It is made of events that have passed seen.py, so a record shows what its reader may see. docs/record.md has the format.
Read beside it: record_reading.py (the way back), seen.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import tomli_w

from domain.event import rfc3339
from domain.match import Match
from domain.secrecy import UNKNOWN, options_json

Tree: TypeAlias = dict[str, Any]

FORMAT = 1
NONE = "none"  # an option that is not in force: TOML has no null, and JSON has the same tree
TIMES = ("created", "started", "ended")
HEAD = ("number", "extra", "dealer", "seats", "commitment", "seed", "shuffled_as", "pack")  # of a deal
SCHEMA = Path(__file__).with_name("record.schema.json")  # of the tree


def to_toml(tree: Tree) -> str:
    """The record as TOML: always the same text for the same tree."""
    return tomli_w.dumps(tree)


def to_json(tree: Tree) -> str:
    """The record as JSON, likewise."""
    return json.dumps(tree, ensure_ascii=False, indent=1) + "\n"


def digest(tree: Tree) -> bytes:
    """SHA-256 of what a canonical record says, however it was spelled."""
    return sha256(json.dumps(tree, sort_keys=True).encode()).digest()


def tree(m: Match, events: Iterable[dict[str, Any]], labels: Sequence[str | None]) -> Tree:
    """The record of `m`, from all its events as `seen.event` shows them; `labels` are names by seat.

    It holds no null: what is not there has no key.
    """
    pages = Pages(m)
    for event in events:
        pages.write(event)
    head, original = m.opened, m.opened.get("record") or _original(m)
    return {
        "tapete_record": FORMAT,
        "game": m.game.id,
        "rules": head["rules"],
        "variant": head["variant"],
        "match": original["match"],
        "status": m.status,
        "rated": original["rated"],
        "fair": head["fair"],
        "prepared": bool(head.get("packs")),
        **{f"{name}_at": original[name] for name in TIMES if name in original},
        "players": [_player(n, seat.bot, label) for n, (seat, label) in enumerate(zip(m.seats, labels, strict=True))],
        **({"clock": original["clock"]} if original["clock"] else {}),
        "options": {name: _option(value) for name, value in options_json(m.options).items()},
        "deals": pages.deals,
        **pages.end,
    }


def _original(m: Match) -> Tree:
    """What an imported match keeps of the one that its record is of."""
    times = {name: rfc3339(time) for name, time in m.times.items() if time}
    return {"match": m.id, "rated": m.opened["rated"], "clock": m.opened["clock"], **times}


def _option(value: Any) -> Any:
    return NONE if value is None else list(value) if isinstance(value, tuple) else value


def _player(number: int, bot: str | None, label: str | None) -> Tree:
    return {"seat": number, **({"bot": bot} if bot else {"label": label} if label else {})}


def _shuffle(event: Tree) -> Tree:
    """How a deal begins, as far as it may be seen. It has no dealer and no pack before it is dealt."""
    known = {"number": event["deal"], **{name: event.get(name) for name in HEAD[1:]}}
    if known["pack"]:
        known["pack"] = " ".join(known["pack"])
    return {name: value for name, value in known.items() if value is not None}


@dataclass(slots=True)
class Pages:
    """The deals and the end, as far as they are written."""

    m: Match
    deals: list[Tree] = field(default_factory=list)
    end: Tree = field(default_factory=dict)
    totals: list[int] = field(default_factory=list)

    def write(self, event: Tree) -> None:
        """One event more. What happened before the first deal has left its trace in the players."""
        if event["type"] in _WRITE:
            _WRITE[event["type"]](self, event)

    def committed(self, event: Tree) -> None:
        """A deal begins with this where nonces are asked for, and with `dealt` where not."""
        self.deals.append({**_shuffle(event), "nonces": []})

    def nonce(self, event: Tree) -> None:
        self._add(f"{event['seat']} {event['nonce']}".rstrip())

    def dealt(self, event: Tree) -> None:
        asked = self.deals.pop() if self.deals and "words" not in self.deals[-1] else {}
        nonces = {"nonces": asked["nonces"]} if asked else {}
        self.deals.append({**_shuffle(event), **nonces, "words": []})

    def moved(self, event: Tree) -> None:
        self._add(f"{event['seat']} {event['move'] or UNKNOWN}")

    def taken_back(self, event: Tree) -> None:
        """A record tells how the deal was played in the end. No word came between."""
        self.deals[-1]["words"].pop()

    def resigned(self, event: Tree) -> None:
        self._add(f"!resigned {event['seat']}")

    def expired(self, event: Tree) -> None:
        self._add(f"!expired {event['seat']}")

    def replaced(self, event: Tree) -> None:
        self._add(f"!replaced {event['seat']} {event['bot']}" if event["bot"] else f"!returned {event['seat']}")

    def _add(self, said: str) -> None:
        deal = self.deals[-1]
        deal["words" if "words" in deal else "nonces"].append(said)

    def scored(self, event: Tree) -> None:
        among_tied = event["extra"] and self.m.game.EXTRA_AMONG_TIED  # then it is not added
        before = self.totals or [0] * len(event["points"])
        self.totals = before if among_tied else [a + b for a, b in zip(before, event["points"], strict=True)]
        self.deals[-1] |= {"points": event["points"], "totals": self.totals}

    def ended(self, event: Tree) -> None:
        self.end["result"] = {name: event[name] for name in ("reason", "places", "totals")}

    def voided(self, event: Tree) -> None:
        self.end["voided"] = {"reason": event["reason"]}


_WRITE: dict[str, Callable[[Pages, Tree], None]] = {
    kind: getattr(Pages, kind)
    for kind in ("committed", "nonce", "dealt", "moved", "taken_back", "resigned", "expired", "replaced", "scored",
                 "ended", "voided")
}  # fmt: skip
