"""What a scorer wrote, doubted piece by piece: the words in which every game's `check` says what is wrong.

A fault is a sentence under the name of its field: {"coins.2": "-1 is no whole number from 0 to 126"}. Read beside it:
rules.py (`check`), sheets.py (who asks).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

Faults: TypeAlias = dict[str, str]


def field_faults(tally: object, fields: Sequence[str]) -> Faults:
    """The fields that are missing, and those that nobody knows."""
    if not isinstance(tally, Mapping):
        return {"": "a tally has fields"}
    missing = {name: "is missing" for name in fields if name not in tally}
    return missing | {str(name): f"is none of {', '.join(fields)}" for name in tally if name not in fields}


def whole(name: str, value: object, low: int, high: int) -> Faults:
    if type(value) is int and low <= value <= high:
        return {}
    return {name: f"{value!r:.40} is no whole number from {low} to {high}"}


def whole_list(name: str, values: object, size: int, low: int, high: int) -> Faults:
    """A list by seat of whole numbers."""
    return list_faults(name, values, size) or merged(whole(f"{name}.{n}", v, low, high) for n, v in enumerate(values))  # type: ignore[arg-type,var-annotated]


def list_faults(name: str, values: object, size: int) -> Faults:
    if isinstance(values, list) and len(values) == size:
        return {}
    return {name: f"is a list with one entry for each of {size} seats"}


def one_of(name: str, value: object, allowed: Collection[Any]) -> Faults:
    """`allowed` are words, seats and null; true and false are neither."""
    if any(type(value) is type(each) and value == each for each in allowed):
        return {}
    return {name: f"{value!r:.40} is none of {', '.join('null' if each is None else str(each) for each in allowed)}"}


def cards(name: str, values: object, pack: Collection[str]) -> Faults:
    """A list of cards of this pack, none twice."""
    if not isinstance(values, list):
        return {name: "is a list of cards"}
    for card in values:
        if not isinstance(card, str) or card not in pack:
            return {name: f"{card!r:.40} is no card of this pack"}
    if len(set(values)) == len(values):
        return {}
    return {name: f"{next(card for at, card in enumerate(values) if card in values[:at])} is there twice"}


def total(name: str, found: int, low: int, high: int, what: str) -> Faults:
    """A sum that must lie within bounds; `what` names the things that are summed."""
    if low <= found <= high:
        return {}
    return {name: f"{found} {what} in all, where {low if low == high else f'{low} to {high}'} is possible"}


def merged(faults: Any) -> Faults:
    return {name: what for each in faults for name, what in each.items()}
