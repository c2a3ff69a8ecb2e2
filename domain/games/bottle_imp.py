"""The Bottle Imp: whoever took the last card below the price holds the bottle, and pays. Rules: bottle_imp.md.

A deal goes through `pass` (2.2), in the bright house `open` (5.3), `play` (3) and `over`. Lists have one entry a place:
the seats and, in Lopaka, a third place that plays by itself (5.2). Suits and coins of the cards: bottle_imp.json.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from domain.rules import Line, Place, Tally, Variant, Word, fixed, option
from domain.secrecy import UNKNOWN, counted, own, said, shown

NAME = {"en": "The Bottle Imp", "es": "El diablo de la botella"}
RULES = 1
LOW_WINS = False
FACE_DOWN = frozenset({"imp", "left", "right", "give", "open"})  # (2.2) (5.3)
EXTRA_DEALS, EXTRA_AMONG_TIED = 1, False  # (6.2)
PLACES = ("hands", "down", "second", "unseen", "open", "trick", "tricks")
START = 19  # (3.2)
VERBS = {1: ("imp", "left", "right"), 2: ("imp", "give")}  # by the number of piles (2.2) (5.3)

TABLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
DECKS: dict[str, dict[str, dict[str, Any]]] = TABLES["decks"]
SUIT = {deck: {card: row["suit"] for card, row in rows.items()} for deck, rows in DECKS.items()}
COINS = {deck: {card: row["coins"] for card, row in rows.items()} for deck, rows in DECKS.items()}
CARDS = [str(rank) for rank in range(1, 38) if rank != START]
RANK = {card: int(card) for card in CARDS}


# fmt: off
@dataclass(frozen=True, slots=True)
class Options:
    deals: int | None = option(None, range(1, 1001), "The match ends after this many deals; each seat deals twice when "
                               "neither this nor a target is given", "La partida termina tras este número de repartos; "
                               "si no se da ni esto ni un límite, cada jugador reparte dos veces")
    target: int | None = option(None, range(1, 1001), "The match ends when a seat has this many points",
                                "La partida termina cuando alguien llega a estos puntos")
    max_deals: int = option(100, range(1, 1001), "A match to a target ends after this many deals at the latest",
                            "Una partida con límite de puntos termina como mucho tras este número de repartos")
    deck: str = option("classic", ("classic", "matagot"), "The edition of the cards", "La edición de las cartas")
    holder_scores: str = option("negate_tricks", ("negate_tricks", "imp_trick"), "Whoever holds the bottle loses the "
                                "coins of his own tricks, or those under the bottle", "Quien acaba con la botella "
                                "pierde las monedas de sus bazas, o las que hay bajo la botella")
    tie_break: str = option("shared", ("shared", "extra_deal"), "A tie for first place is shared, or one more deal is "
                            "played", "El empate en el primer puesto se comparte, o se juega un reparto más")
    passive: int = fixed(0)
    piles: int = fixed(1)
# fmt: on


VARIANTS = {  # (5.1)
    "standard": Variant(range(3, 5), {}, {"en": "The Bottle Imp", "es": "El diablo de la botella"}),
    "lopaka": Variant(range(2, 3), {"passive": 1}, {"en": "Lopaka", "es": "Lopaka"}),
    "bright_house": Variant(range(2, 3), {"piles": 2}, {"en": "The bright house", "es": "La casa brillante"}),
}


def settle(options: Options, variant: str, seats: int) -> Options:
    if options.target is None and options.deals is None:
        return replace(options, deals=2 * seats)  # (6.1)
    return options


def tables() -> dict[str, Any]:
    return dict(TABLES)


@dataclass(slots=True)
class Deal:
    options: Options = shown()
    seats: list[int] = shown()  # who plays, from the dealer's left on
    dealer: int = shown()
    totals: list[int] = shown()  # before this deal
    table: list[int] = shown()  # the places in playing order: the seats and Lopaka
    phase: str = shown()  # pass, open, play, over
    waiting: list[int] = shown()  # who still owes a word or a card of this trick, in order (in `play`: only the first)
    hands: list[list[str]] = own()  # in the bright house the first pile, then the one that stays hidden
    down: list[list[str]] = own()  # laid face down: what was named until all have given, then what is under the bottle
    said: list[list[Word]] = said()  # the words said face down
    second: list[list[str]] = own()  # the second pile, once its owner may see it (5.3)
    unseen: list[list[str]] = counted()  # and before
    open: list[list[str]] = shown()  # Lopaka's hand, the open piles
    price: int = shown()
    bottle: int | None = shown()  # the place that holds it
    trick: list[tuple[int, str]] = shown()  # on the table
    tricks: list[list[tuple[int, str]]] = shown()  # gathered, each as it was played
    winners: list[int] = shown()  # of each gathered trick
    coins: list[int] = shown()  # won so far, by place
    news: list[dict[str, Any]] = shown()


def pack(options: Options, seats: list[int]) -> list[str]:
    return CARDS[:]


def deal(options: Options, seats: list[int], dealer: int, pack: list[str], totals: list[int]) -> Deal:
    order = [seat for seat in seats if seat > dealer] + [seat for seat in seats if seat <= dealer]  # (2.1)
    passive = [len(totals) + extra for extra in range(options.passive)]
    table = order[:-1] + passive + order[-1:]  # on the dealer's right (5.2)
    hands, down, words, second, unseen, open_ = (_none(len(totals) + options.passive) for _ in range(6))
    d = Deal(
        options, order, dealer, totals[:], table, "pass", order[:], hands, down, words, second, unseen, open_,
        price=START, bottle=None, trick=[], tricks=[], winners=[], coins=[0] * len(hands), news=[],
    )  # fmt: skip
    piles = [hands[place] for place in table] + [unseen[place] for place in table] * (options.piles - 1)
    for at, card in enumerate(pack):
        piles[at % len(piles)].append(card)
    for place in passive:
        for verb, card in zip(VERBS[1], hands[place][:3], strict=True):
            _lay_down(d, place, verb, card)
    return d


def _none(places: int) -> list[list[str]]:
    return [[] for _ in range(places)]


def to_act(d: Deal) -> list[int]:
    return d.waiting[:1] if d.phase == "play" else d.waiting[:]


def legal(d: Deal, seat: int) -> list[Word]:
    if d.phase == "play":
        return _cards(d, seat) if d.waiting[:1] == [seat] else []
    if seat not in d.waiting:
        return []
    if d.phase == "open":
        return ["open first", "open second"]
    return [f"{verb} {card}" for verb in _owed(d, seat) for card in _looked_at(d, seat)]


def play(d: Deal, seat: int, word: Word) -> None:
    if d.news:
        d.news = []
    if d.phase == "play":
        _lay(d, seat, word)
        while d.waiting and d.waiting[0] >= len(d.totals):
            _lay_by_itself(d, d.waiting[0])
    elif d.phase == "open":
        _choose(d, seat, word)
    else:
        _put_aside(d, seat, word)


# 2 Before the first trick


def _owed(d: Deal, seat: int) -> list[str]:
    """The verbs that the seat has not used at this pile."""
    verbs = VERBS[d.options.piles]
    words = d.said[seat]
    used = {word.split(" ")[0] for word in words[len(words) - len(words) % len(verbs) :]}
    return [verb for verb in verbs if verb not in used]


def _looked_at(d: Deal, seat: int) -> list[str]:
    return d.second[seat] or d.hands[seat]


def _lay_down(d: Deal, place: int, verb: str, card: str) -> None:
    _looked_at(d, place).remove(card)
    d.down[place].append(card)
    d.said[place].append(f"{verb} {card}")


def _put_aside(d: Deal, seat: int, word: Word) -> None:
    _lay_down(d, seat, *word.split(" "))
    verbs = VERBS[d.options.piles]
    if len(d.said[seat]) == len(verbs):
        d.second[seat], d.unseen[seat] = d.unseen[seat], []  # the second pile may be seen now (5.3)
    if len(d.said[seat]) == len(verbs) * d.options.piles:
        d.waiting.remove(seat)
    if not d.waiting:
        _exchange(d)


def _exchange(d: Deal) -> None:
    """All at once: what was given stands last in the hand, first the card of the neighbour on the right (2.2)."""
    for verb in ("left", "right", "give"):
        for giver in d.table:
            for number, word in enumerate(d.said[giver]):
                if word.startswith(verb):
                    card = word.split(" ")[1]
                    d.down[giver].remove(card)
                    _given(d, number)[_receiver(d, giver, verb)].append(card)
    for place in range(len(d.totals), len(d.hands)):
        d.open[place], d.hands[place] = d.hands[place], []  # (5.2)
    if d.options.piles == 2:
        d.phase, d.waiting = "open", d.seats[:]
    else:
        _lead(d, d.table[0])  # (2.4)


def _given(d: Deal, number: int) -> list[list[str]]:
    """Where the card of a seat's word of this number goes: to the pile of the same step (5.3)."""
    return d.hands if number < len(VERBS[d.options.piles]) else d.second


def _receiver(d: Deal, giver: int, verb: str) -> int:
    at = d.table.index(giver) + (1 if verb == "left" else -1)
    return d.table[at % len(d.table)]


def _choose(d: Deal, seat: int, word: Word) -> None:
    d.said[seat].append(word)
    d.waiting.remove(seat)
    if d.waiting:
        return
    for place in d.table:
        number = d.said[place][-1].split(" ")[1]
        first, second = d.hands[place], d.second[place]
        d.open[place], d.hands[place] = (first, second) if number == "first" else (second, first)
        d.second[place] = []
        d.news.append({"what": "open", "seat": place, "why": number})
    _lead(d, d.table[0])


# 3 The trick


def _lead(d: Deal, leader: int) -> None:
    at = d.table.index(leader)
    d.phase, d.waiting = "play", (d.table[at:] + d.table[:at]) * d.options.piles


def _pile(d: Deal, place: int) -> list[str]:
    """Where the next card of this place comes from: first what lies open, then what is hidden (5.3)."""
    return d.open[place] if d.open[place] and len(d.trick) < len(d.table) else d.hands[place]


def _cards(d: Deal, place: int) -> list[str]:
    pile = _pile(d, place)
    if d.trick:
        suits = SUIT[d.options.deck]
        suit = suits[d.trick[0][1]]
        follow = [card for card in pile if suits[card] == suit]
        if follow:
            return follow
    return pile[:]  # (3.1)


def _lay(d: Deal, place: int, card: str) -> None:
    _pile(d, place).remove(card)
    d.trick.append((place, card))
    d.waiting.pop(0)
    if not d.waiting:
        _gather(d)


def _lay_by_itself(d: Deal, place: int) -> None:
    """Lopaka: its highest card that wins as the table lies, else its lowest (5.2)."""
    cards = sorted(_cards(d, place), key=RANK.__getitem__)
    winning = [card for card in cards if winner(d.price, [*d.trick, (place, card)]) == (place, card)]
    why = ("wins" if winning else "loses") if d.trick else "leads"
    card = winning[-1] if winning else cards[0]
    _lay(d, place, card)
    d.news.append({"what": "lopaka", "card": card, "why": why})


def winner(price: int, trick: Sequence[tuple[int, str]]) -> tuple[int, str]:
    """The place and card that win: the highest below the price, else the highest of all (3.3) (3.4)."""
    best, at, under = 0, 0, False
    for number, (_, card) in enumerate(trick):
        rank = RANK[card]
        if (rank < price) > under or (rank < price) == under and rank > best:
            best, at, under = rank, number, rank < price
    return trick[at]


def _gather(d: Deal) -> None:
    coins = COINS[d.options.deck]
    place, card = winner(d.price, d.trick)
    if RANK[card] < d.price:
        d.bottle, d.price = place, RANK[card]  # (3.4)
    d.coins[place] += sum(coins[card] for _, card in d.trick)
    d.winners.append(place)
    d.tricks.append(d.trick)
    d.trick = []
    if d.hands[d.seats[0]]:
        _lead(d, place)
    else:
        d.phase = "over"


# 4 Scoring


def tally(d: Deal) -> Tally:
    """What a scorer would write on the pad (4.5); nobody looks under the bottle before the deal is over (2.3)."""
    passive = d.coins[len(d.totals) :]
    return {
        "coins": d.coins[: len(d.totals)],
        "holder": d.bottle,
        "imp": [card for place in d.table for card in d.down[place]] if d.phase == "over" else [],
        "lopaka": passive[0] if passive else None,
    }


def score(options: Options, seats: list[int], tally: Tally) -> list[Line]:
    return [
        (seat, "bottle", -_price_paid(options, tally)) if seat == tally["holder"] else (seat, "coins", coins)
        for seat, coins in enumerate(tally["coins"])
        if seat in seats
    ]


def _price_paid(options: Options, tally: Tally) -> int:
    """What the holder loses (4.2)."""
    if options.holder_scores == "imp_trick":
        return sum(COINS[options.deck][card] for card in tally["imp"])
    return int(tally["coins"][tally["holder"]])


def clock(d: Deal, seat: int) -> Word:
    if d.phase == "open":
        return "open first"
    if d.phase == "play":
        return min(_cards(d, seat), key=RANK.__getitem__)
    return f"{_owed(d, seat)[0]} {min(_looked_at(d, seat), key=RANK.__getitem__)}"  # (4.5)


# What a seat knows of hidden cards


def pinned(d: Deal, seat: int) -> dict[Word, Place]:
    """Where the cards lie that the seat gave away, as long as they are hidden."""
    found: dict[Word, Place] = {}
    for number, word in enumerate(d.said[seat]):
        verb, card = word.split(" ")
        if verb in ("left", "right", "give"):
            pile = "hands" if _given(d, number) is d.hands or d.phase == "play" else "second"
            found[card] = (pile, _receiver(d, seat, verb))
    return found


def barred(d: Deal, seat: int) -> dict[Place, set[Word]]:
    """Who did not follow from his hidden cards holds none of that suit (3.1)."""
    voids: dict[Place, set[Word]] = {}
    suits = SUIT[d.options.deck]
    hidden_from = len(d.table) * (d.options.piles - 1)
    for trick in [*d.tricks, d.trick]:
        for place, card in trick[hidden_from:]:
            suit = suits[trick[0][1]]
            if suits[card] != suit:
                voids.setdefault(("hands", place), set()).update(other for other in CARDS if suits[other] == suit)
    return voids


def guess(d: Deal) -> None:
    """Words that others said face down, made to fit the cards."""
    known = {word.split(" ")[1] for words in d.said for word in words if word != UNKNOWN}
    had = [d.hands[place] + d.second[place] + d.open[place] for place in range(len(d.hands))]
    for place, card in (play for trick in [*d.tricks, d.trick] for play in trick):
        had[place].append(card)
    had = [[card for card in cards if card not in known] for cards in had]
    verbs = VERBS[d.options.piles] * d.options.piles
    for place, words in enumerate(d.said):
        if UNKNOWN in words:
            down = iter(d.down[place])
            passed_on = d.phase != "pass"
            cards = [
                had[_receiver(d, place, verb)].pop() if passed_on and verb != "imp" else next(down)
                for verb in verbs[: len(words)]
            ]
            guessed = [f"{verb} {card}" for verb, card in zip(verbs, cards, strict=False)]
            d.said[place] = guessed + ["open first"] * (len(words) - len(verbs))
