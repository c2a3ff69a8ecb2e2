"""Mýkonos: workers placed in the open bid for cards that are sold as poker packs. Rules, by number: mykonos.md.

One deal is the whole match. A round goes through `demand` (2.2), `purchases` (2.3), `sales` (2.4), where single cards
follow a pack `surplus` (2.7), and `discards` (2.6); income (2.5) is nobody's word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from domain.cards import RANKS, SUITS, french
from domain.games._mykonos_tally import check as check
from domain.games._mykonos_tally import paper as paper
from domain.games._packs import CARDS, dearest, packs, price, spelling
from domain.rules import Line, OptionsError, Place, Tally, Variant, Word, option
from domain.secrecy import counted, own, shown

NAME = {"en": "Mýkonos", "es": "Mýkonos"}
RULES = 1
LOW_WINS = False
PLACES = ("pack", "offer", "hands", "discards")
WORKERS, ROOM, HAND_LIMIT, START = 4, 4, 5, 5  # (1.1) (2.2) (2.6)
KEPT = {2: "56789TJQK", 3: "3456789TJQK", 4: RANKS}  # (1.1)
PLACE, NEUTRAL = ([f"{verb} {at}" for at in range(5)] for verb in ("place", "neutral"))
FIGURES = {rank + suit for rank in "JQK" for suit in SUITS}
REASONS = ("start", "purchases", "sales", "income", "no_purchase", "figure_income")
NEUTRAL_ORDER = (0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1)  # who places, the first seat or the other (4.1)
NEUTRAL_TURNS = (10, 8, 6, 4)  # how many workers are still to come when a neutral is due


# fmt: off
@dataclass(frozen=True, slots=True)
class Options:
    neutral: bool = option(False, (), "Two seats also place four neutral workers",
                           "Dos jugadores colocan además cuatro trabajadores neutrales")
    neutral_at_base: str = option("steps_aside", ("steps_aside", "stays", "takes"), "A neutral worker at the base "
                                  "steps aside, stays while the next one decides, or takes the card away",
                                  "El neutral de la base se aparta, se queda mientras decide el siguiente, o se lleva "
                                  "la carta")
    sell_singles: str = option("none", ("none", "surplus"), "After a pack, cards above five may be sold one by one",
                               "Tras un lote, las cartas que pasan de cinco se pueden vender una a una")
# fmt: on


VARIANTS = {"standard": Variant(range(2, 5), {}, {"en": "Mýkonos", "es": "Mýkonos"})}


def settle(options: Options, variant: str, seats: int) -> Options:
    if options.neutral and seats != 2:
        raise OptionsError({"options.neutral": f"neutral workers are for 2 seats, not {seats}"})  # (4.1)
    return options


@dataclass(slots=True)
class Deal:
    options: Options = shown()
    seats: list[int] = shown()  # who plays, from the first seat of the first round on
    dealer: int = shown()
    totals: list[int] = shown()  # before this deal
    pack: list[str] = counted()
    hands: list[list[str]] = own()
    round: int = shown()  # from 1
    first: int = shown()  # the seat with the marker
    phase: str = shown()  # demand, purchases, sales, surplus, discards, over
    waiting: list[int] = shown()  # who still owes a word, in order (in `discards`: in any order)
    offer: list[str] = shown()  # the row, from the left; in `purchases` its first card is the one asked about
    columns: list[list[int | None]] = shown()  # the seats of the workers on each card, base first; a neutral is null
    workers: list[int] = shown()  # own ones in hand, by seat
    money: list[int] = shown()
    accounts: list[dict[str, int]] = shown()  # where each seat's money comes from
    buyers: list[int] = shown()  # the seats that have bought in this round
    bought: list[list[str]] = shown()  # by seat, in the whole match: everybody has seen it
    sold: list[tuple[int, str, int]] = shown()  # (seat, cards, $) of each sale
    figures: list[list[str]] = shown()  # by seat, in hand at the last income
    discards: list[str] = shown()  # unsold, sold and discarded cards
    news: list[dict[str, Any]] = shown()


def pack(options: Options, seats: list[int]) -> list[str]:
    return french(KEPT[len(seats)])


def deal(options: Options, seats: list[int], dealer: int, pack: list[str], totals: list[int]) -> Deal:
    order = [seat for seat in seats if seat > dealer] + [seat for seat in seats if seat <= dealer]  # (1.1)
    hands: list[list[str]] = [[] for _ in totals]
    for at, card in enumerate(pack[: 2 * len(order)]):
        hands[order[at % len(order)]].append(card)
    d = Deal(
        options, order, dealer, totals[:], pack=pack[2 * len(order) :], hands=hands, round=0, first=order[0],
        phase="demand", waiting=[], offer=[], columns=[], workers=[WORKERS] * len(totals),
        money=[START] * len(totals), accounts=[{**dict.fromkeys(REASONS, 0), "start": START} for _ in totals],
        buyers=[], bought=[[] for _ in totals], sold=[], figures=[[] for _ in totals], discards=[], news=[],
    )  # fmt: skip
    _open_round(d)
    return d


def _pay(d: Deal, seat: int, reason: str, money: int) -> None:
    d.money[seat] += money
    d.accounts[seat][reason] += money


def _from_first(d: Deal) -> list[int]:
    at = d.seats.index(d.first)
    return d.seats[at:] + d.seats[:at]


def to_act(d: Deal) -> list[int]:
    return d.waiting[:] if d.phase == "discards" else d.waiting[:1]


def legal(d: Deal, seat: int) -> list[Word]:
    waiting, phase = d.waiting, d.phase
    if not waiting or (seat != waiting[0] if phase != "discards" else seat not in waiting):
        return []
    if phase == "demand":
        words = NEUTRAL if d.options.neutral and len(waiting) in NEUTRAL_TURNS else PLACE
        return [words[at] for at, column in enumerate(d.columns) if len(column) < ROOM]  # (2.2)
    if phase == "purchases":
        return ["buy", "pass"]
    if phase == "sales":
        return ["sell " + " ".join(cards) for cards in packs(d.hands[seat])] + ["pass"]
    cards = sorted(d.hands[seat], key=spelling)
    if phase == "discards":
        return ["discard " + card for card in cards]
    return [*("sell " + card for card in cards), "pass"]


def spell(word: Word) -> Word:
    """The cards of a sale may be said in any order; the event lists them by rank, then suit (2.4)."""
    verb, *cards = word.split(" ")
    if verb != "sell" or not all(card in CARDS for card in cards):
        return word
    return " ".join([verb, *sorted(cards, key=spelling)])


def play(d: Deal, seat: int, word: Word) -> None:
    if d.news:
        d.news = []
    _PLAY[d.phase](d, seat, word)


# 2.2 Demand


def _open_round(d: Deal) -> None:
    """A new row, or the end when the pack cannot fill one (2.1)."""
    row = len(d.seats) + 1
    if len(d.pack) < row:
        d.phase = "over"
        return
    d.round += 1
    d.offer, d.pack = d.pack[:row], d.pack[row:]
    d.columns = [[] for _ in d.offer]
    d.buyers = []
    order = _from_first(d)
    d.waiting = [order[at] for at in NEUTRAL_ORDER] if d.options.neutral else order * WORKERS
    d.phase = "demand"


def _place(d: Deal, seat: int, word: Word) -> None:
    column = d.columns[int(word[-1])]
    if word[0] == "n":
        column.append(None)
    else:
        column.append(seat)
        d.workers[seat] -= 1
    d.waiting.pop(0)
    if not d.waiting:
        d.phase = "purchases"
        _ask_about_next(d)


# 2.3 Purchases


def _ask_about_next(d: Deal) -> None:
    """Go on until a worker can pay for its card; what happens by itself on the way is news."""
    while d.offer:
        seat = _asked(d)
        if seat is None:
            _clear(d)
            continue
        cost = len(d.columns[0])
        if d.money[seat] >= cost:
            d.waiting = [seat]
            return
        d.news.append({"what": "pass", "seat": seat, "card": d.offer[0], "price": cost, "why": "no_money"})
        _withdraw(d, seat)
    _open_sales(d)


def _asked(d: Deal) -> int | None:
    """Whose worker decides about the first card; None when nobody buys it. Neutrals at the base: (4.2)."""
    column = d.columns[0]
    while column and column[0] is None:
        if d.options.neutral_at_base == "takes":
            return None
        if d.options.neutral_at_base == "stays":
            return next((worker for worker in column if worker is not None), None)
        column.pop(0)
        d.news.append({"what": "steps_aside", "card": d.offer[0], "why": "neutral"})
    return column[0] if column else None


def _withdraw(d: Deal, seat: int) -> None:
    """The worker that was asked leaves: the lowest of its seat."""
    d.columns[0].remove(seat)
    d.workers[seat] += 1


def _clear(d: Deal, buyer: int | None = None) -> None:
    """The card leaves the row, to its buyer or unsold, and the workers on it return."""
    card, column = d.offer.pop(0), d.columns.pop(0)
    for worker in column:
        if worker is not None:
            d.workers[worker] += 1
    if buyer is None:
        d.discards.append(card)
        d.news.append({"what": "unsold", "card": card, "why": "neutral" if column else "no_worker"})
    else:
        d.hands[buyer].append(card)
        d.bought[buyer].append(card)


def _decide(d: Deal, seat: int, word: Word) -> None:
    if word == "buy":
        _pay(d, seat, "purchases", -len(d.columns[0]))
        d.buyers.append(seat)
        _clear(d, seat)
    else:
        _withdraw(d, seat)
    _ask_about_next(d)


# 2.4 Sales


def _open_sales(d: Deal) -> None:
    d.phase = "sales"
    d.waiting = [seat for seat in _from_first(d) if d.hands[seat]]
    if not d.waiting:
        _receive_income(d)


def _sell(d: Deal, seat: int, word: Word) -> None:
    """A pack, or in `surplus` a single card; who passes or has no surplus gives the turn on."""
    if word != "pass":
        _take_to_market(d, seat, word.split(" ")[1:])
        if d.options.sell_singles == "surplus" and len(d.hands[seat]) > HAND_LIMIT:  # (2.7)
            d.phase = "surplus"
            return
    d.phase = "sales"
    d.waiting.pop(0)
    if not d.waiting:
        _receive_income(d)


def _take_to_market(d: Deal, seat: int, cards: list[str]) -> None:
    money = price(cards)
    for card in cards:
        d.hands[seat].remove(card)
    d.discards += cards
    d.sold.append((seat, " ".join(cards), money))
    _pay(d, seat, "sales", money)


# 2.5 Income, 2.6 the end of the round


def _receive_income(d: Deal) -> None:
    for seat in d.seats:
        figures = [card for card in d.hands[seat] if card in FIGURES]
        got = {"income": 2, "no_purchase": 0 if seat in d.buyers else 1, "figure_income": len(figures)}
        for reason, money in got.items():
            _pay(d, seat, reason, money)
        d.figures[seat] = figures
        d.news.append({"what": "income", "seat": seat, **got})
    d.first = _from_first(d)[1]
    d.phase = "discards"
    d.waiting = [seat for seat in d.seats if len(d.hands[seat]) > HAND_LIMIT]
    if not d.waiting:
        _open_round(d)


def _discard(d: Deal, seat: int, word: Word) -> None:
    card = word[-2:]
    d.hands[seat].remove(card)
    d.discards.append(card)
    if len(d.hands[seat]) == HAND_LIMIT:
        d.waiting.remove(seat)
    if not d.waiting:
        _open_round(d)


_PLAY: dict[str, Callable[[Deal, int, Word], None]] = {
    "demand": _place, "purchases": _decide, "sales": _sell, "surplus": _sell, "discards": _discard,
}  # fmt: skip


# 3 The end


def tally(d: Deal) -> Tally:
    """What each seat has, by seat (3)."""
    return {
        "money": d.money[:],
        "figures": [sum(card in FIGURES for card in hand) for hand in d.hands],
        "accounts": [dict(account) for account in d.accounts],
    }


def score(options: Options, seats: list[int], tally: Tally) -> list[Line]:
    if tally["accounts"] is None:
        return [(seat, "money", tally["money"][seat]) for seat in seats]
    return [(seat, reason, money) for seat in seats for reason, money in tally["accounts"][seat].items() if money]


def ties(tally: Tally) -> list[list[int]]:
    return [[figures] for figures in tally["figures"]]


def clock(d: Deal, seat: int) -> Word:
    """The leftmost card, no purchase, no sale, the lowest card: figures rank above all others (3.3)."""
    return legal(d, seat)[0] if d.phase in ("demand", "discards") else "pass"


# 5 What a seat may know


def pinned(d: Deal, seat: int) -> dict[Word, Place]:
    """What a seat has bought or shown, and nobody has seen since, is in its hand."""
    return {card: ("hands", other) for other in d.seats for card in d.bought[other] + d.figures[other]}


def barred(d: Deal, seat: int) -> dict[Place, set[Word]]:
    """At an income every figure is shown: what else a seat holds is none, unless it was bought since."""
    return {("hands", other): FIGURES for other in d.seats if d.accounts[other]["income"]}


# The rule bot: what a hand is worth, with so many incomes and sales to come; the constants were tuned in the arena


def advise(d: Deal, seat: int, words: list[Word]) -> Word:
    """Figures for every income to come, and the best pack in hand, against what they cost."""
    if d.phase == "demand":
        gains = _gains(d, seat, d.offer)
        return max(words, key=lambda word: _attraction(d, seat, word, gains[int(word[-1])]))
    if d.phase == "purchases":
        said = "buy" if _is_worth_its_price(d, seat) else "pass"
        return said if said in words else words[0]
    incomes, hand = _incomes(d), d.hands[seat]
    sales = incomes - (d.phase != "discards")

    def outcome(word: Word) -> float:
        return price(word.split(" ")[1:]) + _worth([card for card in hand if card not in word], incomes, sales)

    return max(words, key=outcome)


def _incomes(d: Deal) -> int:
    """How many are still to come: one a row, and this round's."""
    return len(d.pack) // (len(d.seats) + 1) + (d.phase != "discards")


def _worth(cards: list[str], incomes: int, sales: int) -> float:
    held = frozenset(cards)
    return min(len(held & FIGURES), HAND_LIMIT) * incomes + 0.4 * min(sales, 2) * dearest(held)


def _gains(d: Deal, seat: int, cards: list[str]) -> list[float]:
    """How much more than without it the hand is worth with each of these cards."""
    incomes, hand = _incomes(d), d.hands[seat]
    without = _worth(hand, incomes, incomes)
    return [_worth([*hand, card], incomes, incomes) - without for card in cards]


def _attraction(d: Deal, seat: int, word: Word, gain: float) -> float:
    """The base of a good card is best; then to make a rival's dearer; a full column keeps rivals out of one's own."""
    column = d.columns[int(word[-1])]
    base = next((worker for worker in column if worker is not None), None)
    if word in NEUTRAL:
        return 0 if base is None else -gain if base == seat else gain
    if base is None:
        return gain - 1.5
    if base == seat:
        return 0.3 * gain
    return (0.5 if len(d.seats) == 2 else 0.25) * (gain - len(column))


def _is_worth_its_price(d: Deal, seat: int) -> bool:
    column = d.columns[0]
    cost, at = len(column), column.index(seat)
    for lower, worker in enumerate(column[at + 1 :], 1):
        if worker == seat:
            return False  # nobody between can pay: the next worker has it for less
        if worker is None or d.money[worker] >= cost - lower:
            break
    return _gains(d, seat, d.offer[:1])[0] >= cost + (seat not in d.buyers)
