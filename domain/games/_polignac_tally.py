"""What a tally of Polignac's family can be: sections 3.3, 4 and 6 of polignac.md. See polignac.py."""

from __future__ import annotations

from typing import Any, Protocol

from domain.paper import SEAT, SEATS, YES, Field, Paper
from domain.rules import OptionsError, Tally
from domain.tallies import Faults, field_faults, merged, one_of

FIELDS = ("taken", "first", "last", "declaration", "swept", "revokes")
DECLARATION = ("seat", "kind", "made", "void")
KINDS = {"none": (), "capot": ("capot",), "general": ("general",), "both": ("capot", "general")}


class Rules(Protocol):
    """What of the options a tally depends on."""

    @property
    def costs(self) -> dict[str, int]: ...
    @property
    def first_trick(self) -> int: ...
    @property
    def last_trick(self) -> int: ...
    @property
    def declarations(self) -> str: ...
    @property
    def end_check(self) -> str: ...
    @property
    def revoke(self) -> str: ...
    @property
    def revoke_penalty(self) -> str: ...


def check(options: Rules, seats: list[int], tally: Any) -> Faults:
    return (
        field_faults(tally, FIELDS)
        or merged(fault(options, seats, tally[name]) for name, fault in _PARTS.items())
        or _together(options, tally)
    )


def _taken(options: Rules, seats: list[int], taken: Any) -> Faults:
    """Each penalty card once, by whoever won its trick; a deal that was cut short may lack some (5.1)."""
    if not isinstance(taken, dict):
        return {"taken": "tells who took which penalty card"}
    faults = merged(one_of(f"taken.{card}", seat, seats) for card, seat in taken.items() if card in options.costs)
    faults |= {f"taken.{card}": "is no penalty card here" for card in taken if card not in options.costs}
    lacking = [card for card in options.costs if card not in taken]
    if lacking and options.end_check == "deal":
        faults |= {f"taken.{card}": "somebody took it" for card in lacking}
    return faults


def _first(options: Rules, seats: list[int], first: Any) -> Faults:
    return one_of("first", first, seats if options.first_trick else [None])


def _last(options: Rules, seats: list[int], last: Any) -> Faults:
    cut = [] if options.end_check == "deal" else [None]
    return one_of("last", last, [*seats, *cut] if options.last_trick else [None])


def _declaration(options: Rules, seats: list[int], said: Any) -> Faults:
    if said is None:
        return {}
    if not isinstance(said, dict):
        return {"declaration": "is null, or has seat, kind, made and void"}
    faults = field_faults(said, DECLARATION) or {
        **one_of("seat", said["seat"], seats),
        **one_of("kind", said["kind"], KINDS[options.declarations] or ["declarations that this table does not know"]),
        **one_of("made", said["made"], [True, False]),
        **one_of("void", said["void"], [True, False]),
    }
    return {f"declaration.{name}": what for name, what in faults.items()}


def _swept(options: Rules, seats: list[int], swept: Any) -> Faults:
    return one_of("swept", swept, [*seats, None])


def _revokes(options: Rules, seats: list[int], revokes: Any) -> Faults:
    if not isinstance(revokes, list):
        return {"revokes": "is a list of seats"}
    if revokes and (options.revoke != "claim" or options.revoke_penalty != "points"):
        return {"revokes": "no revoke costs points at this table"}
    most = 16 * len(seats)  # (1.3): as many cards as a seat can hold
    if len(revokes) > most:
        return {"revokes": f"{len(revokes)} revokes are more than the cards allow"}
    return merged(one_of(f"revokes.{number}", seat, seats) for number, seat in enumerate(revokes))


_PARTS = {
    "taken": _taken, "first": _first, "last": _last, "declaration": _declaration, "swept": _swept, "revokes": _revokes,
}  # fmt: skip


def _together(options: Rules, tally: Tally) -> Faults:
    """Parts that contradict each other: who took every trick took every card, and has made what he declared (4.2)."""
    swept, said, revokes = tally["swept"], tally["declaration"], tally["revokes"]
    takers = {**tally["taken"], "first": tally["first"], "last": tally["last"]}
    if swept is not None:
        others = [name for name, seat in takers.items() if seat not in (swept, None)]
        if others or (options.last_trick and tally["last"] is None):
            return {"swept": f"seat {swept} did not take everything: {', '.join(others) or 'last'}"}
    if said is None:
        return {}
    if said["made"] != (swept == said["seat"] and swept not in revokes):
        return {"declaration.made": "is true where the declarer swept, without a revoke of his own, and only there"}
    if said["void"] != any(offender != said["seat"] for offender in revokes):
        return {"declaration.void": "is true where another seat revoked, and only there (6.7)"}
    return {}


# On paper


def paper(options: Rules, seats: int) -> Paper:
    """Who took what, and what was declared and came of it; only what costs at this table."""
    kinds = KINDS[options.declarations]
    fields = [Field(f"taken.{card}", SEAT, *[_pip(card)] * 2) for card in options.costs]
    fields += [Field("first", SEAT, "First trick", "Primera baza")] * bool(options.first_trick)
    fields += [Field("last", SEAT, "Last trick", "Última baza")] * bool(options.last_trick)
    if kinds:
        fields.append(Field("declaration.seat", SEAT, "Declared by", "Declara"))
        fields += [Field("declaration.kind", kinds, "What", "Qué")] * (len(kinds) > 1)
        fields.append(Field("declaration.made", YES, "Made", "Cumple"))
    if options.revoke == "claim" and options.revoke_penalty == "points":
        fields.append(Field("revokes", SEATS, "Revokes", "Renuncias"))
    return Paper(fields, lambda written: _rest(kinds, written))


def _pip(card: str) -> str:
    return card[0] + dict(zip("SHDC", "♠♥♦♣", strict=True))[card[1]]


def _rest(kinds: tuple[str, ...], written: Tally) -> Tally:
    """A declaration is void where another seat revoked; whoever made it swept, which nobody else needs to write."""
    said, revokes = written.get("declaration") or {}, written.get("revokes", [])
    declarer = said.get("seat")
    if declarer is None and any(said.values()):
        raise OptionsError({"declaration.seat": "is missing"})
    declaration = None
    if declarer is not None:
        void = any(offender != declarer for offender in revokes)
        declaration = {"seat": declarer, "kind": said.get("kind") or kinds[0], "made": said["made"], "void": void}
    return {
        "taken": {card: seat for card, seat in written.get("taken", {}).items() if seat is not None},
        "first": written.get("first"),
        "last": written.get("last"),
        "declaration": declaration,
        "swept": declarer if said.get("made") else None,
        "revokes": revokes,
    }
