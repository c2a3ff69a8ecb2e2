"""A whole deal that could lie behind a view, each equally likely: hidden cards are dealt anew where they may lie.

Places hold a known number of cards; some cards are pinned to a place, some barred from one. Cards that are barred from
the same places are alike, so worlds are counted group by group with exact weights: no dead ends, no favourites.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import comb
from typing import Any

from domain.rules import Game, Place, recorded
from domain.secrecy import UNKNOWN, marks

Random = Callable[[], float]


def deal_seen(game: Game, view: dict[str, Any]) -> Any:
    """A Deal as somebody sees it: what is hidden stands as `UNKNOWN`, so that sizes are right. Own lists are copied."""
    found = marks(game.Deal)
    values = {name: _unfold(view[name], found[name] != "shown") for name in found}
    values["options"] = recorded(game, view["options"])
    return game.Deal(**values)


def _unfold(value: Any, hidden: bool) -> Any:
    if hidden and isinstance(value, int) and not isinstance(value, bool):
        return [UNKNOWN] * value
    if isinstance(value, list):
        return [_unfold(entry, hidden) for entry in value]
    return dict(value) if isinstance(value, dict) else value


def imagine(game: Game, view: dict[str, Any], seat: int, random: Random) -> Any:
    """A Deal that gives this seat this very view. `random` draws from [0, 1), as random.random does.

    Raises ValueError when no deal fits, which only a made-up view can bring about.
    """
    d = deal_seen(game, view)
    room = {place: cards.count(UNKNOWN) for place, cards in _places(game, d) if UNKNOWN in cards}
    seen = {card for _, cards in _places(game, d) for card in cards}
    unseen = [card for card in game.pack(d.options, sorted(d.seats)) if card not in seen]
    pinned = {card: place for card, place in game.pinned(d, seat).items() if card in unseen}
    barred = game.barred(d, seat)
    dealt: dict[Place, list[str]] = {place: [] for place in room}
    for card, place in pinned.items():
        dealt[place].append(card)
        room[place] -= 1
    _share_out([card for card in unseen if card not in pinned], room, barred, dealt, random)
    for (name, index), cards in dealt.items():
        pile = getattr(d, name) if index is None else getattr(d, name)[index]
        pile[:] = [cards.pop() if card == UNKNOWN else card for card in pile]
    game.guess(d)
    return d


def _places(game: Game, d: Any) -> Iterator[tuple[Place, list[str]]]:
    """Every place that holds cards, with its words; a place is a field, or one list of a field."""
    for name in game.PLACES:
        value = getattr(d, name)
        if all(isinstance(entry, str) for entry in value):
            yield (name, None), value
        else:
            yield from (((name, index), list(_words(entry))) for index, entry in enumerate(value))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from _words(entry)


def cards_in(game: Game, d: Any) -> list[str]:
    """Every card that lies somewhere in this Deal."""
    return [card for _, cards in _places(game, d) for card in cards]


def _share_out(
    unseen: list[str],
    room: dict[Place, int],
    barred: dict[Place, set[str]],
    dealt: dict[Place, list[str]],
    random: Random,
) -> None:
    places = list(room)
    groups: dict[tuple[bool, ...], list[str]] = {}
    for card in unseen:
        groups.setdefault(tuple(card not in barred.get(place, ()) for place in places), []).append(card)
    sizes = tuple((allowed, len(cards)) for allowed, cards in sorted(groups.items()))
    caps = tuple(room.values())
    for at, (allowed, _) in enumerate(sizes):
        cards = groups[allowed]
        split = _drawn_split(sizes, at, caps, random)
        caps = tuple(cap - count for cap, count in zip(caps, split, strict=True))
        for place, count in zip(places, split, strict=True):
            dealt[place] += [cards.pop(int(random() * len(cards))) for _ in range(count)]
    for pile in dealt.values():
        for last in range(len(pile) - 1, 0, -1):
            other = int(random() * (last + 1))
            pile[last], pile[other] = pile[other], pile[last]


Sizes = tuple[tuple[tuple[bool, ...], int], ...]


def _drawn_split(sizes: Sizes, at: int, caps: tuple[int, ...], random: Random) -> tuple[int, ...]:
    """How many cards of this group go to each place, drawn by the number of worlds behind each split."""
    weighed = _splits(sizes, at, caps)
    if not weighed:
        raise ValueError("no deal fits this view")
    left = random() * sum(weight for _, weight in weighed)
    for split, weight in weighed:
        left -= weight
        if left < 0:
            return split
    return weighed[-1][0]


@lru_cache(maxsize=1 << 16)
def _ways(sizes: Sizes, at: int, caps: tuple[int, ...]) -> int:
    return 1 if at == len(sizes) else sum(weight for _, weight in _splits(sizes, at, caps))


def _splits(sizes: Sizes, at: int, caps: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
    allowed, size = sizes[at]
    found = []
    for split, ways in _parts(size, tuple(cap if ok else 0 for cap, ok in zip(caps, allowed, strict=True))):
        rest = tuple(cap - count for cap, count in zip(caps, split, strict=True))
        weight = ways * _ways(sizes, at + 1, rest)
        if weight:
            found.append((split, weight))
    return found


@lru_cache(maxsize=1 << 16)
def _parts(size: int, caps: tuple[int, ...]) -> Sequence[tuple[tuple[int, ...], int]]:
    """Every way to split `size` alike cards over places with these caps, and in how many orders."""
    if not caps:
        return [((), 1)] if size == 0 else []
    return [
        ((count, *rest), ways * comb(size, count))
        for count in range(min(size, caps[0]) + 1)
        for rest, ways in _parts(size - count, caps[1:])
    ]
