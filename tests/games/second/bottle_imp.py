"""The Bottle Imp, told again from its rules page (domain/games/bottle_imp.md). What must hold here: __init__.py.

Of the bottle nothing is kept: its price is the lowest card that has won a trick, and who won that trick holds it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from tests.games.second import Lines, Perft, Question, Said, Story, answers

SUITS = (
    (1, 2, 3, 5, 7, 9, 12, 15, 18, 22, 25, 28),
    (4, 6, 8, 10, 13, 17, 20, 24, 27, 30, 32, 34),
    (11, 14, 16, 21, 23, 26, 29, 31, 33, 35, 36, 37),
)
SWAPPED = {3: 4, 4: 3, 23: 24, 24: 23, 34: 35, 35: 34}
LOPAKA = -1  # a place at the table and no seat

Hand = tuple[int, str]  # a place and one of its piles; "" where it has but one
Hands = dict[Hand, list[int]]
Given = dict[tuple[int, str, str], int]  # place, pile and what for: the card
Prepared = Generator[Question, Said, tuple[Hands, Given]]
Trick = list[tuple[int, int]]  # card and place
Faces = dict[int, tuple[int, int]]  # suit and coins of each card


def story(options: dict[str, Any], seats: list[int], dealer: int, pack: list[str], totals: list[int]) -> Story:
    ring = sorted(seats, key=lambda seat: (seat <= dealer, seat))  # 2.1
    if options["passive"]:
        ring.insert(-1, LOPAKA)  # 5.2: on the dealer's right
    bright = options["piles"] == 2
    hands, given = yield from (two_piles if bright else one_hand)(ring, [int(card) for card in pack])
    faces, tricks = faces_of(options["deck"]), list[Trick]()
    while any(hands.values()):
        at = ring.index(winners(tricks)[-1][1]) if tricks else 0  # 2.4
        tricks.append([])
        for pile in ("open", "hidden") if bright else ("",):
            for place in ring[at:] + ring[:at]:
                yield from add_card(place, hands[place, pile], tricks, faces)
    imp = [card for (_, _, gift), card in given.items() if gift == "imp"]
    return paid(options, seats, imp, tricks, faces)


def faces_of(deck: str) -> Faces:
    """1.1, 1.2"""
    named = SWAPPED if deck == "matagot" else {}
    return {named.get(card, card): (suit, 1 + at // 2) for suit in range(3) for at, card in enumerate(SUITS[suit])}


# 2 Before the first trick


def one_hand(ring: list[int], pack: list[int]) -> Prepared:
    """2.2, 5.2"""
    gifts = ("imp", "left", "right")
    dealt = {(place, ""): pack[at :: len(ring)] for at, place in enumerate(ring)}
    given: Given = {}
    if LOPAKA in ring:
        given = {(LOPAKA, "", gift): card for gift, card in zip(gifts, dealt[LOPAKA, ""], strict=False)}
    while len(given) < 3 * len(ring):
        seat, word = yield {place: owed((place, ""), gifts, dealt, given) for place in ring}
        given[seat, "", word.split()[0]] = int(word.split()[1])
    hands = kept(dealt, given)
    for place, on_its_left in zip(ring, ring[1:] + ring[:1], strict=True):
        hands[on_its_left, ""].append(given[place, "", "left"])
        hands[place, ""].append(given[on_its_left, "", "right"])
    return hands, given


def two_piles(ring: list[int], pack: list[int]) -> Prepared:
    """5.3"""
    gifts = ("imp", "give")
    hands = [(seat, step) for step in ("first", "second") for seat in ring]
    dealt = {hand: pack[at::4] for at, hand in enumerate(hands)}
    given: Given = {}
    while len(given) < 8:
        steps = {seat: "first" if len([key for key in given if key[0] == seat]) < 2 else "second" for seat in ring}
        seat, word = yield {seat: owed((seat, step), gifts, dealt, given) for seat, step in steps.items()}
        given[seat, steps[seat], word.split()[0]] = int(word.split()[1])
    piles, chosen = kept(dealt, given), dict[int, str]()
    while len(chosen) < 2:
        seat, word = yield {seat: ("open first", "open second") for seat in ring if seat not in chosen}
        chosen[seat] = word.split()[1]
    for giver, taker in (ring, ring[::-1]):
        for step in ("first", "second"):
            piles[taker, step].append(given[giver, step, "give"])
    return {(seat, "open" if chosen[seat] == step else "hidden"): piles[seat, step] for seat, step in piles}, given


def owed(hand: Hand, gifts: tuple[str, ...], dealt: Hands, given: Given) -> list[str]:
    """What may still be given from a hand as it was dealt."""
    open_gifts = [gift for gift in gifts if (*hand, gift) not in given]
    return [f"{gift} {card}" for gift in open_gifts for card in kept(dealt, given)[hand]]


def kept(dealt: Hands, given: Given) -> Hands:
    return {hand: [card for card in cards if card not in given.values()] for hand, cards in dealt.items()}


# 3 The trick


def add_card(place: int, hand: list[int], tricks: list[Trick], faces: Faces) -> Generator[Question, Said, None]:
    """3.1; 5.2 for a card that Lopaka plays; the trick is the last of those."""
    trick = tricks[-1]
    allowed = [card for card in hand if trick and faces[card][0] == faces[trick[0][0]][0]] or hand
    if place == LOPAKA:
        winning = [card for card in allowed if winners([*tricks[:-1], [*trick, (card, place)]])[-1][0] == card]
        card = max(winning) if winning else min(allowed)
    else:
        _, word = yield {place: map(str, allowed)}
        card = int(word)
    hand.remove(card)
    trick.append((card, place))


def winners(tricks: list[Trick]) -> Trick:
    """3.3 to 3.5: of each trick the card that wins it, and its place."""
    won: Trick = []
    for trick in tricks:
        price = min([19, *(card for card, _ in won)])
        won.append(max([play for play in trick if play[0] < price] or trick))
    return won


# 4 Scoring


def paid(options: dict[str, Any], seats: list[int], imp: list[int], tricks: list[Trick], faces: Faces) -> Lines:
    """4.1, 4.2; Lopaka is no seat (5.2)."""
    won = winners(tricks)
    _, holder = min(won)  # 4.3: a low card has won
    coins = dict.fromkeys([*seats, LOPAKA], 0)
    for trick, (_, place) in zip(tricks, won, strict=True):
        coins[place] += sum(faces[card][1] for card, _ in trick)
    if options["holder_scores"] == "imp_trick":
        coins[holder] = sum(faces[card][1] for card in imp)
    return [(seat, "bottle", -coins[seat]) if seat == holder else (seat, "coins", coins[seat]) for seat in seats]


legal, lines = answers(story)
PERFT = [
    Perft("standard", 3, 6, 2, 792),
    Perft("standard", 3, 9, 4, 1260),
    Perft("standard", 3, 24, 5, 692),
    Perft("standard", 3, 27, 6, 880, {"deck": "matagot"}),
    Perft("standard", 4, 9, 2, 432),
    Perft("standard", 4, 21, 7, 1039),
    Perft("standard", 4, 33, 7, 208),
    Perft("lopaka", 2, 3, 2, 792),
    Perft("lopaka", 2, 6, 4, 592),
    Perft("lopaka", 2, 9, 5, 636),
    Perft("lopaka", 2, 12, 6, 856),
    Perft("lopaka", 2, 18, 8, 476),
    Perft("bright_house", 2, 3, 2, 432),
    Perft("bright_house", 2, 6, 4, 1152),
    Perft("bright_house", 2, 12, 5, 510),
    Perft("bright_house", 2, 21, 5, 360),
    Perft("bright_house", 2, 30, 7, 216),
]
