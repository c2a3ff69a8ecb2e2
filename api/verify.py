"""What `tapete verify` does: commitments, packs and dealers of a file recomputed, without any server.

The file holds events as the API gives them (a page, NDJSON, replay frames) or text records. Read beside it:
docs/fairness.md (the bytes), domain/fairness.py, domain/record.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain import cards, fairness
from domain.record import NONE
from domain.record_shape import from_toml
from domain.rules import Game, games, recorded

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, RecursionError)


@dataclass(slots=True)
class Dealt:
    """What a file says of one deal. What it does not say is None; nonces are bytes by seat."""

    number: int
    extra: bool
    seats: list[int]
    commitment: str | None = None
    seed: bytes | None = None
    shuffled_as: str | None = None
    dealer: int | None = None
    pack: list[str] | None = None
    nonces: dict[int, bytes] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)  # those that the file shows by itself


@dataclass(slots=True)
class Played:
    """One match of a file, as far as shuffles go. `name` is None where the file does not say it."""

    game: Game
    options: Any
    seats: int
    fair: bool
    first_dealer: int | None = None  # of prepared packs
    deals: list[Dealt] = field(default_factory=list)
    name: str | None = None


class Verdict(NamedTuple):
    """What became of checking one deal."""

    deal: Dealt
    what: str  # sound | prepared | not open yet | at fault
    faults: Sequence[str] = ()


def run(raw: bytes) -> int:
    """Verify a file's matches and show what came of it; the exit code is 1 where there is a fault."""
    console = Console(soft_wrap=True, highlight=False)
    try:
        found = [(match, verdict) for match in read(raw.decode()) for verdict in verify(match)]
    except UNREADABLE as broken:
        raise click.ClickException(f"this is neither events nor a record: {broken}") from None
    if not found:
        raise click.ClickException("nothing is dealt in this file")
    console.print(_table(found))
    for match, (deal, _, faults) in found:
        for fault in faults:
            console.print(f"{_name(match, deal)} deal {deal.number}: {fault}", markup=False)
    counts = {what: sum(verdict.what == what for _, verdict in found) for what in WHAT}
    console.print(", ".join(f"{what}: {count}" for what, count in counts.items()))
    return 1 if counts["at fault"] else 0


WHAT = ("sound", "prepared", "not open yet", "at fault")


def _table(found: Sequence[tuple[Played, Verdict]]) -> Table:
    table = Table("match", "deal", "dealer", "nonces", "commitment", "verdict")
    for match, (deal, what, _) in found:
        dealer, begins = "" if deal.dealer is None else deal.dealer, (deal.commitment or "")[:16]
        row = (_name(match, deal), deal.number, dealer, len(deal.nonces), begins, what)
        table.add_row(*(Text(str(cell), no_wrap=True) for cell in row))
    return table


# Checking


def verify(match: Played) -> Iterator[Verdict]:
    """The verdict on each deal, in order."""
    before: Dealt | None = None
    for number, deal in enumerate(match.deals, 1):
        faults = [*deal.faults, *_faults(match, deal, before)]
        if deal.number != number:
            faults.append(f"this is deal {number}")
        before = deal
        yield Verdict(deal, "at fault" if faults else _sound(deal), faults)


def _sound(deal: Dealt) -> str:
    if deal.pack is not None and deal.commitment is None:
        return "prepared"
    return "sound" if deal.seed is not None else "not open yet"


def _faults(match: Played, deal: Dealt, before: Dealt | None) -> list[str]:
    if deal.dealer is None:  # committed, and the match was over before it was dealt
        return [] if deal.seed is None or _keeps_its_promise(match, deal) else ["the seed does not give the commitment"]
    if deal.seed is None:
        return _dealer_faults(match, deal, before, match.first_dealer)
    key = fairness.key(deal.seed, _name(match, deal), deal.number, _nonces(deal))
    options = match.game.for_extra(match.options) if deal.extra else match.options
    canonical = match.game.pack(options, deal.seats)
    faults = fairness.verify(
        deal.pack or [], canonical, deal.seed, _name(match, deal), deal.number, deal.commitment or "", _nonces(deal)
    )
    silent = [seat for seat in deal.seats if match.fair and seat not in deal.nonces]
    return [
        *faults,
        *(f"seat {seat} gave no nonce" for seat in silent),
        *_dealer_faults(match, deal, before, cards.drawn_dealer(key, match.seats)),
    ]


def _keeps_its_promise(match: Played, deal: Dealt) -> bool:
    return fairness.commitment(deal.seed or b"", _name(match, deal), deal.number) == deal.commitment


def _name(match: Played, deal: Dealt) -> str:
    return deal.shuffled_as or match.name or ""


def _nonces(deal: Dealt) -> list[bytes]:
    return [deal.nonces[seat] for seat in sorted(deal.nonces)]


def _dealer_faults(match: Played, deal: Dealt, before: Dealt | None, first: int | None) -> list[str]:
    if before is None:
        due = first
    else:
        due = min((seat for seat in deal.seats if seat > (before.dealer or 0)), default=min(deal.seats))
    return [] if due in (None, deal.dealer) else [f"seat {due} was due to deal"]


# Reading


def read(text: str) -> list[Played]:
    """The matches of a file. Raises ValueError and the like where it is none of ours."""
    values = _values(text)
    if any("tapete_record" in value for value in values):
        return [_of_record(value) for value in values]
    return [_of_events([*_events(values)])]


def _values(text: str) -> list[Any]:
    """The JSON values of a file, one or one a line; a TOML record is one."""
    if not text.lstrip().startswith(("{", "[")) or text.lstrip().startswith("[["):
        return [from_toml(text)]
    try:
        whole = json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return whole if isinstance(whole, list) else [whole]


def _events(values: Iterable[Any]) -> Iterator[Any]:
    """Events, out of pages and frames."""
    for value in values:
        yield from value["items"] if "items" in value else [value.get("event", value)]


def _of_events(events: Sequence[Any]) -> Played:
    if not events or events[0]["type"] != "opened":
        raise ValueError("the first event is not opened")
    opened, game = events[0], games()[events[0]["game"]]
    options = recorded(game, opened["options"])
    match = Played(game, options, len(opened["seats"]), opened["fair"], opened.get("dealer"))
    for version, event in enumerate(events, 1):
        if event["version"] != version:
            raise ValueError(f"version {version} is missing")
        if event["type"] == "committed":
            match.deals.append(_promised(event))
        elif event["type"] == "nonce":
            match.deals[-1].nonces[event["seat"]] = bytes.fromhex(event["nonce"])
        elif event["type"] == "dealt":
            _deal(match, event)
    return match


def _promised(said: Any) -> Dealt:
    """A deal as its `committed`, its `dealt` or a record shows it, without pack and dealer."""
    seed = bytes.fromhex(said["seed"]) if said.get("seed") else None
    return Dealt(said["deal"], said["extra"], said["seats"], said.get("commitment"), seed, said.get("shuffled_as"))


def _deal(match: Played, event: Any) -> None:
    dealt = _promised(event)
    dealt.dealer, dealt.pack = event["dealer"], event.get("pack")
    if match.deals and match.deals[-1].dealer is None:
        promised = match.deals.pop()
        dealt.nonces = promised.nonces
        if promised.commitment != dealt.commitment:
            dealt.faults.append("this is not what was committed")
    elif match.fair:
        dealt.faults.append("it was not committed before the nonces")
    match.deals.append(dealt)


def _of_record(tree: Any) -> Played:
    game = games()[tree["game"]]
    said = {name: value for name, value in tree["options"].items() if not name.startswith("_")}
    options = recorded(game, {name: None if value == NONE else value for name, value in said.items()})
    match = Played(game, options, len(tree["players"]), tree["fair"], name=tree["match"])
    for deal in tree["deals"]:
        dealt = _promised({"deal": deal["number"], "extra": False, "seats": [], **deal})
        dealt.dealer, dealt.pack = deal.get("dealer"), deal["pack"].split(" ") if "pack" in deal else None
        for seat, _, nonce in (entry.partition(" ") for entry in deal.get("nonces", []) if entry[0] != "!"):
            dealt.nonces[int(seat)] = bytes.fromhex(nonce)
        match.deals.append(dealt)
    return match
