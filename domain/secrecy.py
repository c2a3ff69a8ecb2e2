"""Who may see what: a mark beside each field of a Deal, and `view_for`, the only way out of one.

A mark never changes with time: a card that is turned face up moves to a shown field. A field without a mark raises.
Read beside it: rules.py (the contract), seen.py (events and matches as somebody sees them), imagine.py (the way back).
"""

from __future__ import annotations

from dataclasses import field, fields
from functools import cache
from typing import Any, Literal, TypeAlias

UNKNOWN = "??"  # a card whose face is hidden
EVERYTHING: Literal["all"] = "all"  # the eyes that see a deal lying open
Eyes: TypeAlias = "int | Literal['all'] | None"  # a seat; everything; a spectator


def shown() -> Any:
    """Everybody at the table sees it."""
    return field(metadata={"secrecy": "shown"})


def own() -> Any:
    """One entry a seat, which that seat alone sees; the others see its size."""
    return field(metadata={"secrecy": "own"})


def counted() -> Any:
    """A pile, or a list of piles, of which everybody sees the size and nobody the faces."""
    return field(metadata={"secrecy": "counted"})


def said() -> Any:
    """Words said face down, one list a seat, seen like `own`: the seat alone reads its own, the others count."""
    return field(metadata={"secrecy": "said"})


@cache
def marks(state: type) -> dict[str, str]:
    """field -> mark, in order. Raises TypeError for a field that nobody has marked."""
    bare = [f.name for f in fields(state) if "secrecy" not in f.metadata]
    if bare:
        raise TypeError(f"{state.__module__}.{state.__name__} has fields without a secrecy mark: {', '.join(bare)}")
    return {f.name: f.metadata["secrecy"] for f in fields(state)}


def view_for(state: Any, eyes: Eyes) -> dict[str, Any]:
    """What these eyes may see of a Deal, as JSON: its own fields, hidden things as sizes.

    The answer shares lists with the state: dump or copy it before the next word is played.
    """
    return {name: _seen(mark, getattr(state, name), eyes) for name, mark in marks(state.__class__).items()}


def _seen(mark: str, value: Any, eyes: Eyes) -> Any:
    if mark == "shown" or eyes == EVERYTHING:
        return options_json(value) if hasattr(value, "__dataclass_fields__") else value
    if mark == "counted":
        return _size(value) if not value or isinstance(value[0], str) else [_size(pile) for pile in value]
    return [entry if seat == eyes else _size(entry) for seat, entry in enumerate(value)]


def _size(value: Any) -> int | None:
    return len(value) if hasattr(value, "__len__") else None


def options_json(options: Any) -> dict[str, Any]:
    """A frozen Options as JSON, in the order of its fields."""
    return {name: getattr(options, name) for name in _names(options.__class__)}


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind))
