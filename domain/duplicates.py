"""Duplicate events: the same packs at several tables, or for one person and bots at each, and what each made of them.

The packs are drawn here and committed to; who has not played a board learns nothing of it until the event ends. Read
beside it: docs/duplicates.md, play.py (opens the matches), store/duplicates.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from domain import bots
from domain.cards import shuffled
from domain.house import Draw
from domain.play import Proposal
from domain.rules import OptionsError, effective, games
from domain.secrecy import options_json

KINDS = ("solo", "tables")
MOST_DEALS = 32


@dataclass(frozen=True, slots=True)
class Plan:
    """What somebody wants to be played: `kind` solo is one person, in seat 0, and bots at each table."""

    game: str
    variant: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    kind: str = "solo"
    seats: int = 4
    deals: int = 1
    bot: str = "rule"


class Event(NamedTuple):
    """The effective options and the packs of an event, with the salt of its commitment."""

    variant: str
    options: dict[str, Any]
    packs: list[list[str]]
    salt: bytes


def prepared(plan: Plan, draw: Draw) -> Event:
    """Draw the packs. Raises OptionsError naming each field that cannot be played."""
    game = games().get(plan.game)
    if game is None:
        raise OptionsError({"game": f"{plan.game!r} is none of {', '.join(games())}"})
    if plan.bot not in bots.BOTS:
        raise OptionsError({"bot": f"{plan.bot!r} is none of {', '.join(bots.BOTS)}"})
    several = hasattr(game.Options, "deals")
    if not several and plan.deals != 1:
        raise OptionsError({"deals": f"a match of {plan.game} is one deal"})
    given = {name for name in ("deals", "target", "tie_break") if name in plan.options}
    if given:
        raise OptionsError({f"options.{name}": "is settled by the event" for name in given})
    ending: dict[str, Any] = {"deals": plan.deals} if several else {}
    ending |= {"tie_break": "shared"} if hasattr(game.Options, "tie_break") else {}
    variant = plan.variant or next(iter(game.VARIANTS))
    options = effective(game, variant, {**plan.options, **ending}, plan.seats)
    pack = game.pack(options, list(range(plan.seats)))
    return Event(variant, {**plan.options, **ending}, [shuffled(pack, draw()) for _ in range(plan.deals)], draw())


def commitment(packs: Sequence[Sequence[str]], salt: bytes) -> str:
    """SHA-256 of the salt and the packs: a line a pack, its cards with a space between, top card first."""
    return sha256(salt + "\n".join(map(" ".join, packs)).encode()).hexdigest()


def proposal(plan: Plan, event: Event, name: str, ends_at: str, players: Sequence[str]) -> Proposal:
    """The match of these entrants, seat by seat; in a solo event of one and the bots."""
    seats: list[dict[str, Any]] = [{"player": player} for player in players]
    seats += [{"bot": plan.bot}] * (plan.seats - len(players))
    return Proposal(
        plan.game, seats, event.variant, event.options, visibility="private", packs=event.packs, dealer=0,
        event=name, opens_at=ends_at,
    )  # fmt: skip


class Scored(NamedTuple):
    """What an entrant made of a board, in game points; more is better where the game says so."""

    player: str
    board: int
    seat: int
    points: int


class Standing(NamedTuple):
    """An entrant: his place, how much better than the field he was on average, and board by board."""

    player: str
    place: int
    difference: float
    boards: list[dict[str, Any]]


def boards_played(seats: Mapping[str, tuple[str, int]], events: Iterable[tuple[str, dict[str, Any]]]) -> list[Scored]:
    """What the entrants scored, from `scored` and `resigned` of their matches in order; a seat given up scores no more.

    `seats` has each entrant's match and seat.
    """
    owners = {place: player for player, place in seats.items()}
    gone, found = set[tuple[str, int]](), list[Scored]()
    for match, event in events:
        if event["type"] == "resigned":
            gone.add((match, event["seat"]))
            continue
        for seat, points in enumerate(event["points"]):
            if (match, seat) in owners and (match, seat) not in gone:
                found.append(Scored(owners[match, seat], event["deal"], seat, points))
    return found


def standings(
    scored: Iterable[Scored], entrants: Sequence[str], visible: Collection[int], low_wins: bool
) -> list[Standing]:
    """The entrants by what they made of the visible boards, each compared with the others in the same seat.

    A board not played is no difference. Equal differences share a place.
    """
    field_of: dict[tuple[int, int], list[Scored]] = defaultdict(list)
    for each in scored:
        if each.board in visible:
            field_of[each.board, each.seat].append(each)
    lines: dict[str, list[dict[str, Any]]] = {player: [] for player in entrants}
    for (board, _), same in sorted(field_of.items()):
        for each in same:
            others = [other.points for other in same if other is not each]
            ahead = each.points - sum(others) / len(others) if others else 0.0
            line = {"board": board, "seat": each.seat, "points": each.points}
            lines[each.player].append({**line, "difference": round(-ahead if low_wins else ahead, 3)})
    count = max(1, len(visible))
    mean = {player: round(sum(line["difference"] for line in own) / count, 3) for player, own in lines.items()}
    placed = [Standing(p, 1 + sum(other > mean[p] for other in mean.values()), mean[p], lines[p]) for p in entrants]
    return sorted(placed, key=lambda each: each.place)


def effective_options(plan: Plan, event: Event) -> dict[str, Any]:
    """All options of its matches."""
    return options_json(effective(games()[plan.game], event.variant, event.options, plan.seats))
