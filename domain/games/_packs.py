"""What can be sold as one pack, and for how much: 2.4 of mykonos.md. Read beside it: mykonos.py."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product

from domain.cards import RANKS, SUITS

CARDS = {rank + suit: at for at, (rank, suit) in enumerate(product(RANKS, SUITS))}  # by rank, ace low, then suit
spelling = CARDS.__getitem__  # the key by which the cards of a sale are listed
SHAPES = {(1,): 1, (2,): 2, (2, 2): 4, (3,): 5, (2, 3): 8, (4,): 11}  # how many of each rank -> $ (2.4)
SEQUENCE, FLUSH, SEQUENCE_OF_ONE_SUIT = 6, 7, 15


def price(cards: Sequence[str]) -> int:
    """What these cards fetch as one pack, in $; 0 when they are none."""
    ranks = [card[0] for card in cards]
    kinds = set(ranks)
    if len(kinds) != 5 or len(cards) != 5:
        return SHAPES.get(tuple(sorted(map(ranks.count, kinds))), 0)
    one_suit = len({card[1] for card in cards}) == 1
    if "".join(sorted(kinds, key=RANKS.index)) in RANKS:
        return SEQUENCE_OF_ONE_SUIT if one_suit else SEQUENCE
    return FLUSH if one_suit else 0


def packs(hand: Sequence[str]) -> list[tuple[str, ...]]:
    """Every set of these cards that can be sold, each once, its cards by rank, then suit."""
    cards = sorted(hand, key=spelling)
    found: list[tuple[str, ...]] = [(card,) for card in cards]
    ranks: dict[str, list[str]] = {}
    for card in cards:
        ranks.setdefault(card[0], []).append(card)
    if len(ranks) < len(cards):
        found += _alike([rank for rank in ranks.values() if len(rank) > 1])
    if len(ranks) >= 5:
        found += _sequences(ranks) + _flushes(cards)
    return found


@lru_cache(maxsize=1 << 15)
def dearest(hand: frozenset[str]) -> int:
    """What the best pack in a hand fetches, in $; 0 for none."""
    return max(map(price, packs(list(hand))), default=0)


def _alike(ranks: list[list[str]]) -> list[tuple[str, ...]]:
    """Packs of equal ranks."""
    twos = [two for rank in ranks for two in combinations(rank, 2)]
    threes = [three for rank in ranks for three in combinations(rank, 3)]
    fours = [tuple(rank) for rank in ranks if len(rank) == 4]
    two_pairs = [low + high for low, high in combinations(twos, 2) if low[0][0] != high[0][0]]
    full = [three + two for three in threes for two in twos if three[0][0] != two[0][0]]
    return [*twos, *threes, *fours, *two_pairs, *(tuple(sorted(five, key=spelling)) for five in full)]


def _sequences(ranks: dict[str, list[str]]) -> list[tuple[str, ...]]:
    held = "".join(ranks)
    runs = [held[at : at + 5] for at in range(len(held) - 4) if held[at : at + 5] in RANKS]
    return [five for run in runs for five in product(*(ranks[rank] for rank in run))]


def _flushes(cards: list[str]) -> list[tuple[str, ...]]:
    """Five of one suit that are no sequence."""
    suits = ([card for card in cards if card[1] == suit] for suit in SUITS)
    return [five for suit in suits for five in combinations(suit, 5) if price(five) == FLUSH]
