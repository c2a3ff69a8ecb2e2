"""The Bottle Imp: whoever took the last card below the price holds the bottle, and pays. Rules: bottle_imp.md.

A deal goes through `pass` (2.2), in the bright house `open` (5.3), `play` (3) and `over`. Lists have one entry a place:
the seats and, in Lopaka, a third place that plays by itself (5.2). Suits and coins of the cards: _bottle_imp_cards.py.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from domain.games._bottle_imp_cards import CARDS, COINS, RANK, START, SUIT, TABLES
from domain.games._bottle_imp_cards import check as check
from domain.games._bottle_imp_cards import paper as paper
from domain.rules import Line, Place, Tally, Variant, Word, fixed, option
from domain.secrecy import UNKNOWN, counted, own, said, shown

NAME = {"en": "The Bottle Imp", "es": "El diablo de la botella"}
RULES = 1
LOW_WINS = False
FACE_DOWN = frozenset({"imp", "left", "right", "give", "open"})  # (2.2) (5.3)
EXTRA_DEALS, EXTRA_AMONG_TIED = 1, False  # (6.2)
PLACES = ("hands", "down", "second", "unseen", "open", "trick", "tricks")
VERBS = {1: ("imp", "left", "right"), 2: ("imp", "give")}  # by the number of piles (2.2) (5.3)


# fmt: off
@dataclass(frozen=True, slots=True)
class Options:
    deals: int | None = option(None, range(1, 1001), "The match ends after this many deals; by default two a seat",
                               "La partida termina tras este número de repartos; de no decirse, dos por jugador")
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
    return options if options.target or options.deals else replace(options, deals=2 * seats)  # (6.1)


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

    def none() -> list[list[str]]:
        return [[] for _ in totals + passive]

    d = Deal(
        options, order, dealer, totals[:], table, "pass", order[:], none(), none(), none(), none(), none(), none(),
        price=START, bottle=None, trick=[], tricks=[], winners=[], coins=[0 for _ in totals + passive], news=[],
    )  # fmt: skip
    piles = [pile[place] for pile in (d.hands, d.unseen)[: options.piles] for place in table]
    for at, card in enumerate(pack):
        piles[at % len(piles)].append(card)
    for place in passive:
        for verb in VERBS[1]:
            _lay_down(d, place, verb, d.hands[place][0])
    return d


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
                    (d.hands, d.second)[_step(d, number)][_receiver(d, giver, verb)].append(card)
    for place in range(len(d.totals), len(d.hands)):
        d.open[place], d.hands[place] = _sorted(d.hands[place]), []  # (5.2)
    if d.options.piles == 2:
        d.phase, d.waiting = "open", d.seats[:]
    else:
        _lead(d, d.table[0])  # (2.4)


def _sorted(cards: list[str]) -> list[str]:
    """Cards to be laid open: their order must not tell which of them were given."""
    return sorted(cards, key=RANK.__getitem__)


def _step(d: Deal, number: int) -> int:
    """At which of its piles, 0 or 1, a seat says its word of this number (5.3)."""
    return number // len(VERBS[d.options.piles])


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
        piles = d.hands[place], d.second[place]
        opened, d.hands[place] = piles if number == "first" else piles[::-1]
        d.open[place], d.second[place] = _sorted(opened), []
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
    cards = _sorted(_cards(d, place))
    best = max((_strength(d.price, card) for _, card in d.trick), default=0)
    winning = [card for card in cards if _strength(d.price, card) > best]
    why = ("wins" if winning else "loses") if d.trick else "leads"
    card = winning[-1] if winning else cards[0]
    _lay(d, place, card)
    d.news.append({"what": "lopaka", "card": card, "why": why})


def winner(price: int, trick: Sequence[tuple[int, str]]) -> tuple[int, str]:
    """The place and card that win: the highest below the price, else the highest of all (3.3) (3.4)."""
    return max(trick, key=lambda played: _strength(price, played[1]))


def _strength(price: int, card: str) -> int:
    rank = RANK[card]
    return rank + 37 if rank < price else rank


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
    seats, over = len(d.totals), d.phase == "over"
    imp = [card for place in d.table for card in d.down[place]] if over else []
    found: Tally = {"coins": d.coins[:seats], "holder": d.bottle, "imp": imp, "lopaka": None, "lopaka_points": None}
    for lopaka, coins in enumerate(d.coins[seats:], seats):  # (5.2)
        found["lopaka"] = coins
        found["lopaka_points"] = _points(d.options, found, lopaka, coins) if over else None
    return found


def score(options: Options, seats: list[int], tally: Tally) -> list[Line]:
    reasons = {seat: "bottle" if seat == tally["holder"] else "coins" for seat in seats}
    return [(seat, reason, _points(options, tally, seat, tally["coins"][seat])) for seat, reason in reasons.items()]


def _points(options: Options, tally: Tally, place: int, coins: int) -> int:
    if place != tally["holder"]:
        return coins  # (4.1)
    if options.holder_scores == "negate_tricks":
        return -coins  # (4.2)
    return -sum(COINS[options.deck][card] for card in tally["imp"])


def clock(d: Deal, seat: int) -> Word:
    return min(legal(d, seat), key=_named)  # (4.5)


def _named(word: Word) -> int:
    return RANK.get(word.split(" ")[-1], 0)  # `open first` names none


def advise(d: Deal, seat: int, words: list[Word]) -> Word:
    """Give the lowest cards away, shed low ones under others, take coins while somebody may still undercut."""
    if d.phase != "play":
        return min(words, key=lambda word: (_named(word), word.startswith("imp")))
    if len(words) == 1:
        return words[0]
    seen = {card for trick in [*d.tricks, d.trick] for _, card in trick}
    seen.update(d.hands[seat], d.down[seat], d.open[seat])
    return max(words, key=_Outlook(d, seat, [card for card in CARDS if card not in seen]).worth)


class _Outlook:
    """What the seat may expect. `others`: the cards that may still be played by somebody else."""

    def __init__(self, d: Deal, seat: int, others: list[str]) -> None:
        coins, own = COINS[d.options.deck], d.hands[seat] + d.open[seat]
        self.coins, self.price, self.later = coins, d.price, len(d.waiting) - 1
        self.ranks = sorted(RANK[card] for card in others)
        self.strengths = sorted(_strength(d.price, card) for card in others)
        self.stake = 2 * (d.coins[seat] + sum(coins[card] for card in others + own) / len(d.table))
        self.held = self.stuck(d.price) if d.bottle == seat else 0.0
        self.pot = sum(coins[laid] for _, laid in d.trick)
        self.best = max((_strength(d.price, laid) for _, laid in d.trick), default=-1)

    def worth(self, card: str) -> float:
        """Coins to expect of this card, roughly."""
        strength, wins = _strength(self.price, card), 0.0
        if strength > self.best:
            better = len(self.strengths) - bisect_right(self.strengths, strength)
            wins = (1 - better / (len(self.strengths) or 1)) ** self.later
        pot = self.pot + self.coins[card] + 3.5 * self.later
        worth = wins * pot * (1 - 2 * self.held)
        if RANK[card] >= self.price:
            return worth - 1.5 * (RANK[card] - self.price) / 37
        return worth + self.stake * (self.stuck(RANK[card]) * (1 - 2 * wins) + wins * self.held)

    def stuck(self, price: int) -> float:
        """How likely the bottle stays where it is."""
        return float(0.8 ** bisect_left(self.ranks, price))


def pinned(d: Deal, seat: int) -> dict[Word, Place]:
    """Where the cards lie that the seat gave away, as long as they are hidden."""
    found: dict[Word, Place] = {}
    for number, word in enumerate(d.said[seat]):
        verb, card = word.split(" ")
        if verb in ("left", "right", "give"):
            in_second = d.phase == "open" and _step(d, number) == 1
            found[card] = ("second" if in_second else "hands", _receiver(d, seat, verb))
    return found


def barred(d: Deal, seat: int) -> dict[Place, set[Word]]:
    """Who did not follow from his hidden cards holds none of that suit (3.1)."""
    voids: dict[Place, set[Word]] = {}
    suits = SUIT[d.options.deck]
    for trick in [*d.tricks, d.trick]:
        for place, card in trick[len(d.table) * (d.options.piles - 1) :]:
            if suits[card] != (suit := suits[trick[0][1]]):
                voids.setdefault(("hands", place), set()).update(other for other in CARDS if suits[other] == suit)
    return voids


def guess(d: Deal) -> None:
    """Words that others said face down, made to fit the cards."""
    known = {word.split(" ")[1] for words in d.said for word in words if word != UNKNOWN}
    had = [[*first, *second, *laid] for first, second, laid in zip(d.hands, d.second, d.open, strict=True)]
    for place, card in (played for trick in [*d.tricks, d.trick] for played in trick):
        had[place].append(card)
    verbs = VERBS[d.options.piles] * d.options.piles
    for place, words in enumerate(d.said):
        if UNKNOWN in words:
            down = d.down[place][:]
            for number, verb in enumerate(verbs[: len(words)]):
                given_away = d.phase != "pass" and verb != "imp"
                given = [card for card in had[_receiver(d, place, verb)] if card not in known]
                card = given[0] if given_away else down.pop(0)
                words[number] = f"{verb} {card}"
                known.add(card)
            words[len(verbs) :] = ["open first"] * (len(words) - len(verbs))
