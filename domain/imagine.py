"""A whole deal that could lie behind a view, each equally likely: hidden cards are dealt anew where they may lie.

Places hold a known number of cards; some cards are pinned to a place, some barred from one. Cards that are barred from
the same places are alike, so worlds are counted group by group with exact weights: no dead ends, no favourites.
"""

from __future__ import annotations

import marshal
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
        entries = [_unfold(entry, hidden) for entry in value]
        return tuple(entries) if [*map(type, entries[:2])] == [int, str] else entries  # a seat and its word
    return dict(value) if isinstance(value, dict) else value


class Worlds:
    """The deals that could lie behind one seat's view; what follows from the view alone is worked out once."""

    def __init__(self, game: Game, view: dict[str, Any], seat: int) -> None:
        self.game, d = game, deal_seen(game, view)
        places = [(place, list(cards)) for place, cards in _places(game, d)]
        self.room = {place: cards.count(UNKNOWN) for place, cards in places if UNKNOWN in cards}
        seen = {card for _, cards in places for card in cards}
        unseen = [card for card in game.pack(d.options, sorted(d.seats)) if card not in seen]
        self.pinned: dict[Place, list[str]] = {place: [] for place in self.room}
        for card, place in game.pinned(d, seat).items():
            if card in unseen:
                unseen.remove(card)
                self.pinned[place].append(card)
        barred, self.groups = game.barred(d, seat), dict[tuple[bool, ...], list[str]]()
        for card in unseen:
            allowed = tuple(card not in barred.get(place, ()) for place in self.room)
            self.groups.setdefault(allowed, []).append(card)
        self.seen = Frozen(d)

    def draw(self, random: Random) -> Any:
        """One of them, each equally likely. Raises ValueError when there is none."""
        d = self.seen.thawed()
        for (name, index), cards in self._dealt(random).items():
            pile = getattr(d, name) if index is None else getattr(d, name)[index]
            pile[:] = [cards.pop() if card == UNKNOWN else card for card in pile]
        self.game.guess(d)
        return d

    def _dealt(self, random: Random) -> dict[Place, list[str]]:
        dealt = {place: cards[:] for place, cards in self.pinned.items()}
        caps = tuple(room - len(dealt[place]) for place, room in self.room.items())
        sizes = tuple((allowed, len(cards)) for allowed, cards in sorted(self.groups.items()))
        for at, (allowed, _) in enumerate(sizes):
            cards = self.groups[allowed][:]
            split = _drawn_split(sizes[at:], caps, random)
            caps = tuple(cap - count for cap, count in zip(caps, split, strict=True))
            for pile, count in zip(dealt.values(), split, strict=True):
                pile += [cards.pop(int(random() * len(cards))) for _ in range(count)]
        for pile in dealt.values():
            for last in range(len(pile) - 1, 0, -1):
                other = int(random() * (last + 1))
                pile[last], pile[other] = pile[other], pile[last]
        return dealt


def imagine(game: Game, view: dict[str, Any], seat: int, random: Random) -> Any:
    """A Deal that gives this seat this very view. `random` draws from [0, 1), as random.random does.

    Raises ValueError when no deal fits, which only a made-up view can bring about.
    """
    return Worlds(game, view, seat).draw(random)


class Frozen:
    """A Deal of which copies are had cheaply: several times as fast as copy.deepcopy."""

    def __init__(self, d: Any) -> None:
        self.kind, self.options = d.__class__, d.options
        self.names = [name for name in marks(self.kind) if name != "options"]
        self.text = marshal.dumps([getattr(d, name) for name in self.names])

    def thawed(self) -> Any:
        """A copy that shares nothing with any other but its options, which are frozen."""
        return self.kind(options=self.options, **dict(zip(self.names, marshal.loads(self.text), strict=True)))


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


Sizes = tuple[tuple[tuple[bool, ...], int], ...]  # of groups: where their cards may lie, how many they are


def _drawn_split(sizes: Sizes, caps: tuple[int, ...], random: Random) -> tuple[int, ...]:
    """How many cards of the first group go to each place, drawn by the number of worlds behind each split."""
    weighed = _splits(sizes, caps)
    if not weighed:
        raise ValueError("no deal fits this view")
    left = random() * sum(weight for _, weight in weighed)
    for split, weight in weighed:
        left -= weight
        if left < 0:
            return split
    return weighed[-1][0]


@lru_cache(maxsize=1 << 14)
def _splits(sizes: Sizes, caps: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
    (allowed, size), *later = sizes
    found = []
    for split, ways in _parts(size, tuple(cap if ok else 0 for cap, ok in zip(caps, allowed, strict=True))):
        rest = tuple(cap - count for cap, count in zip(caps, split, strict=True))
        if weight := ways * _ways(*_alike(tuple(later), rest)):
            found.append((split, weight))
    return found


def _alike(sizes: Sizes, caps: tuple[int, ...]) -> tuple[Sizes, tuple[int, ...]]:
    """The same count with its places in one order and without the full ones: how many places differ only in name!"""
    places = sorted((cap, tuple(allowed[at] for allowed, _ in sizes)) for at, cap in enumerate(caps) if cap)
    columns = [column for _, column in places]
    named = tuple((tuple(column[nth] for column in columns), size) for nth, (_, size) in enumerate(sizes))
    return named, tuple(cap for cap, _ in places)


@lru_cache(maxsize=1 << 16)
def _ways(sizes: Sizes, caps: tuple[int, ...]) -> int:
    """How many deals of these groups there are."""
    return sum(weight for _, weight in _splits(sizes, caps)) if sizes else 1


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
