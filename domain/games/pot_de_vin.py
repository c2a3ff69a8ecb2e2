"""Pot de Vin: tricks with a trump turned for each, gems to keep out of them, guilds that pay in waves.

Rules, by number: pot_de_vin.md. What each card carries: pot_de_vin.json, with where each figure comes from. The table
that a match was opened with is recorded in its options, so correcting the file touches no stored match.
A deal goes through two phases: `tricks` (2) and, if anybody has won one, `jokers` (3.2).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

from domain.games._pot_de_vin_tally import check as check
from domain.games._pot_de_vin_tally import paper as paper
from domain.rules import Line, Place, Tally, Variant, Word, fixed, option
from domain.secrecy import counted, own, shown

NAME = {"en": "Pot de Vin", "es": "Pot de Vin"}
RULES = 1
LOW_WINS = False
PLACES = ("hands", "deck", "turned", "trick", "won")
CHARACTERS, VALUES = "AEPU", range(1, 14)  # Aldo, Enzo, Pietra, Ugo (1.1)
PACK = [f"{character}{value}" for character in CHARACTERS for value in VALUES]
HEIGHT = {card: int(card[1:]) for card in PACK}
SUITS = {character: [card for card in PACK if card[0] == character] for character in CHARACTERS}
BRIBE = "bribe"

TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("pot_de_vin.json").read_text("utf-8"))
GUILDS = tuple(TABLE["guilds"])
GREY = ("joker", "plus_two", "minus_two", "pot_de_vin")  # (1.2)
CARRIED = {card: " ".join([what.get("guild") or what["kind"]] * what.get("symbols", 1))
           for card, what in TABLE["cards"].items()}  # "A12" -> "craftsmen craftsmen"  # fmt: skip
LAID = {f"joker {guild}": guild for guild in GUILDS}


# fmt: off
@dataclass(frozen=True, slots=True)
class Options:
    won_gems_reusable: bool = option(False, (), "Gems that were won may be spent again",
                                     "Las gemas ganadas se pueden volver a gastar")
    columns: tuple[int, ...] = option(tuple(TABLE["columns"]), range(-100, 101), "What a guild column pays by its "
                                      "number of symbols from 0 on; the last entry stands for all above",
                                      "Lo que paga una columna según sus símbolos, desde 0; la última cifra vale "
                                      "para todos los números mayores")
    pot_points: int = option(TABLE["pot_points"], range(-100, 101), "What each Pot de Vin card pays",
                             "Lo que paga cada carta Pot de Vin")
    all_pots_points: int = option(TABLE["all_pots_points"], range(-100, 101), "What all four Pot de Vin cards pay "
                                  "together, instead", "Lo que pagan en su lugar las cuatro cartas Pot de Vin juntas")
    gem_points: int = fixed(TABLE["gem_points"])
    plus_two_points: int = fixed(TABLE["plus_two_points"])
    minus_two_points: int = fixed(TABLE["minus_two_points"])
    hand_sizes: dict[str, int] = fixed({seats: size["hand"] for seats, size in TABLE["setup"].items()})
    starting_gems: dict[str, int] = fixed({seats: size["gems"] for seats, size in TABLE["setup"].items()})
    cards: dict[str, str] = fixed(CARRIED)
# fmt: on


VARIANTS = {"standard": Variant(range(3, 6), {}, NAME)}  # (1.3)


@dataclass(slots=True)
class Deal:
    options: Options = shown()
    seats: list[int] = shown()  # who plays, from the first leader on
    dealer: int = shown()
    totals: list[int] = shown()  # before this deal
    hands: list[list[str]] = own()
    deck: list[str] = counted()  # the trick deck, next card first
    phase: str = shown()  # tricks, jokers, over
    waiting: list[int] = shown()  # who still owes a word, in order (in `jokers`: in any order)
    turned: list[str] = shown()  # the card that sets the trump of this trick, or none
    trick: list[tuple[int, str]] = shown()  # on the table
    bribed: list[int] = shown()  # the seats that have put a gem on this trick, one each
    gems: list[int] = shown()  # that each seat began with and has not spent
    treasure: list[int] = shown()  # the gems that each seat has won
    won: list[list[str]] = shown()  # the cards that each seat has won, turned ones included
    columns: list[dict[str, int]] = shown()  # of those: symbols by guild, and grey cards; `joker`: not laid yet
    voids: list[str] = shown()  # the characters of which each seat has shown to hold none
    news: list[dict[str, Any]] = shown()


def pack(options: Options, seats: list[int]) -> list[str]:
    return PACK[:]


def tables() -> dict[str, Any]:
    return TABLE


def deal(options: Options, seats: list[int], dealer: int, pack: list[str], totals: list[int]) -> Deal:
    order = [seat for seat in seats if seat > dealer] + [seat for seat in seats if seat <= dealer]
    full = len(order) * options.hand_sizes[str(len(order))]
    gems = options.starting_gems[str(len(order))]
    d = Deal(
        options, order, dealer, totals[:], hands=[[] for _ in totals], deck=pack[full:], phase="tricks", waiting=[],
        turned=[], trick=[], bribed=[], gems=[gems if seat in seats else 0 for seat, _ in enumerate(totals)],
        treasure=[0 for _ in totals], won=[[] for _ in totals],
        columns=[dict.fromkeys((*GUILDS, *GREY), 0) for _ in totals], voids=["" for _ in totals], news=[],
    )  # fmt: skip
    for at, seat in enumerate(order):
        d.hands[seat] = pack[at : full : len(order)]  # (1.3)
    _turn(d, order[0])
    return d


def to_act(d: Deal) -> list[int]:
    return d.waiting[:] if d.phase == "jokers" else d.waiting[:1]


def legal(d: Deal, seat: int) -> list[Word]:
    if d.phase == "jokers":
        return list(LAID) if seat in d.waiting else []
    if seat not in d.waiting[:1]:
        return []
    if not d.trick:
        return d.hands[seat][:]  # (2.2)
    led = d.trick[0][1][0]
    words = [card for card in d.hands[seat] if card[0] == led] or d.hands[seat][:]  # (2.4)
    if d.gems[seat] or (d.options.won_gems_reusable and d.treasure[seat]):
        words.append(BRIBE)  # (2.3)
    return words


def play(d: Deal, seat: int, word: Word) -> None:
    if d.news:
        d.news = []
    if word in LAID:
        return _lay_joker(d, seat, LAID[word])
    if word == BRIBE:
        purse = d.gems if d.gems[seat] else d.treasure  # (2.7)
        purse[seat] -= 1
        d.bribed.append(seat)
    else:
        _lay(d, seat, word)
    d.waiting.pop(0)
    if not d.waiting:
        _gather(d)
    return None


def _lay(d: Deal, seat: int, card: str) -> None:
    d.hands[seat].remove(card)
    d.trick.append((seat, card))
    led = d.trick[0][1][0]
    if card[0] != led and led not in d.voids[seat]:
        d.voids[seat] += led


def _turn(d: Deal, leader: int) -> None:
    """The next trick: its trump (2.1), and the seats that hold a card, from the leader on or the next with one."""
    d.turned = [d.deck.pop(0)]
    d.news.append({"what": "turned", "card": d.turned[0]})
    at = d.seats.index(leader)
    d.waiting = [seat for seat in d.seats[at:] + d.seats[:at] if d.hands[seat]]
    if d.waiting[0] != leader:
        d.news.append({"what": "leads", "seat": d.waiting[0], "why": "no_cards"})  # (2.6)


def _gather(d: Deal) -> None:
    winner, best = _winning(d)
    d.news.append({"what": "won", "seat": winner, "card": best})
    cards = [*d.turned, *(card for _, card in d.trick)]
    columns = d.columns[winner]
    for card in cards:
        for symbol in d.options.cards[card].split(" "):
            columns[symbol] += 1
    d.won[winner] += cards
    d.treasure[winner] += len(d.bribed)
    d.turned, d.trick, d.bribed = [], [], []
    if d.deck and any(d.hands):
        return _turn(d, winner)
    d.phase = "jokers"
    d.waiting = [seat for seat in d.seats if d.columns[seat]["joker"]]
    return _end(d)


def _winning(d: Deal) -> tuple[int, str]:
    """The seat and the card that win the trick as it lies: never the turned one (2.5)."""
    trump, led = d.turned[0][0], d.trick[0][1][0]
    seat, best = max(d.trick, key=lambda played: _force(played[1], trump, led))
    return seat, best


def _force(card: str, trump: str, led: str) -> int:
    return HEIGHT[card] + (26 if card[0] == trump else 13 if card[0] == led else 0)


def _lay_joker(d: Deal, seat: int, guild: str) -> None:
    d.columns[seat]["joker"] -= 1
    d.columns[seat][guild] += 1
    if not d.columns[seat]["joker"]:
        d.waiting.remove(seat)
    _end(d)


def _end(d: Deal) -> None:
    if not d.waiting:
        d.phase = "over"


def tally(d: Deal) -> Tally:
    """What a scorer would write down, in lists by seat (3.5)."""
    return {
        "won": [cards[:] for cards in d.won],
        "gems": [left + won for left, won in zip(d.gems, d.treasure, strict=True)],
        "columns": [{guild: columns[guild] for guild in GUILDS} for columns in d.columns],
        "plus_two": [columns["plus_two"] for columns in d.columns],
        "minus_two": [columns["minus_two"] for columns in d.columns],
        "pots": [columns["pot_de_vin"] for columns in d.columns],
    }


def score(options: Options, seats: list[int], tally: Tally) -> list[Line]:
    lines: list[Line] = []
    for seat in seats:  # (3.3)
        columns = tally["columns"][seat]
        lines += [(seat, guild, _paid(options.columns, columns[guild])) for guild in GUILDS]
        lines += [
            (seat, "gems", tally["gems"][seat] * options.gem_points),
            (seat, "plus_two", tally["plus_two"][seat] * options.plus_two_points),
            (seat, "minus_two", tally["minus_two"][seat] * options.minus_two_points),
            (seat, "pots", _pots(options, tally["pots"][seat])),
        ]
    return lines


def _paid(by_symbols: tuple[int, ...], symbols: int) -> int:
    return by_symbols[min(symbols, len(by_symbols) - 1)]


def _pots(options: Options, pots: int) -> int:
    return options.all_pots_points if pots == len(CHARACTERS) else pots * options.pot_points


def ties(tally: Tally) -> list[list[int]]:
    return [[gems, -pots] for gems, pots in zip(tally["gems"], tally["pots"], strict=True)]  # (3.4)


def barred(d: Deal, seat: int) -> dict[Place, set[str]]:
    """Who played another character than the one led holds none of it (2.4); who bribed has shown nothing."""
    return {
        ("hands", other): {card for card in PACK if card[0] in characters}
        for other, characters in enumerate(d.voids)
        if characters
    }


def clock(d: Deal, seat: int) -> Word:
    words = legal(d, seat)
    if d.phase == "jokers":
        return _best_joker(d, seat, words)
    return min((word for word in words if word != BRIBE), key=lambda card: (HEIGHT[card], card))  # (3.6)


def _best_joker(d: Deal, seat: int, words: list[Word]) -> Word:
    """The joker that leads to most points once all are laid; of equal ones the first (3.6)."""
    columns, by_symbols = d.columns[seat], d.options.columns
    others = list(combinations_with_replacement(GUILDS, columns["joker"] - 1))

    def points(word: Word) -> int:
        return max(
            sum(_paid(by_symbols, columns[guild] + (LAID[word], *more).count(guild)) for guild in GUILDS)
            for more in others
        )

    return max(words, key=points)


# The rule bot: what winning the trick is worth to this seat, against what losing it hands to a rival

SPITE = 0.5  # what a point for a rival hurts, found by trial: 0.4 to 1 play alike, 0 much worse


def advise(d: Deal, seat: int, words: list[Word]) -> Word:
    if d.phase == "jokers":
        return _best_joker(d, seat, words)
    options, gems = d.options, len(d.bribed)
    hope = _hope(options.columns, len(d.deck))
    pile = [*d.turned, *(card for _, card in d.trick)]
    symbols = " ".join([options.cards[card] for card in pile])
    rivals = [_winning(d)[0]] if d.trick else d.waiting[1:]
    chances = _chances(d, seat, pile)
    known: dict[str, tuple[float, float]] = {}  # what the trick holds -> the gain of this seat, the mean of the rivals'

    def outlook(word: Word) -> float:
        if word == BRIBE:  # the gem is as dear as the card it keeps
            return -SPITE * sum(_gain(d, rival, symbols, gems + 1, hope) for rival in rivals)
        carried = options.cards[word]
        if carried not in known:
            trick = f"{symbols} {carried}"
            gifts = sum(_gain(d, rival, trick, gems, hope) for rival in rivals) / max(1, len(rivals))
            known[carried] = _gain(d, seat, trick, gems, hope), gifts
        mine, gift = known[carried]
        return chances[word] * mine - (1 - chances[word]) * SPITE * gift

    return max(words, key=outlook)


def _chances(d: Deal, seat: int, pile: list[str]) -> dict[str, float]:
    """How likely each card in hand is to win the trick, if the seats still to play hold a fair share of the unseen."""
    seen = set(pile).union(d.hands[seat], *d.won)
    unseen = {suit: [HEIGHT[card] for card in cards if card not in seen] for suit, cards in SUITS.items()}
    share = sum(len(d.hands[other]) for other in d.waiting[1:]) / max(1, sum(map(len, unseen.values())))
    trump, best = d.turned[0][0], _winning(d)[1] if d.trick else None
    chances = {}
    for card in d.hands[seat]:
        suit, height = card[0], HEIGHT[card]
        led = d.trick[0][1][0] if d.trick else suit
        if best and _force(best, trump, led) > _force(card, trump, led):
            chances[card] = 0.0
            continue
        above = [higher for higher in unseen[suit] if higher > height]
        chances[card] = (1 - share) ** (len(above) + (suit != trump) * len(unseen[trump]))
    return chances


def _gain(d: Deal, seat: int, symbols: str, gems: int, hope: tuple[float, ...]) -> float:
    """What these symbols and gems promise a seat, in points."""
    options, columns = d.options, d.columns[seat]
    gain = float(gems * options.gem_points)
    found = symbols.split(" ")
    for symbol in dict.fromkeys(found):
        held, more = columns[symbol], found.count(symbol)
        if symbol in GUILDS:
            gain += hope[held + more] - hope[held]
        elif symbol == "joker":
            gain += more * max(hope[columns[guild] + 1] - hope[columns[guild]] for guild in GUILDS)
        elif symbol == "pot_de_vin":
            gain += _pots(options, held + more) - _pots(options, held)
        else:
            gain += more * (options.plus_two_points if symbol == "plus_two" else options.minus_two_points)
    return gain


@lru_cache(maxsize=1024)
def _hope(by_symbols: tuple[int, ...], tricks: int) -> tuple[float, ...]:
    """What a column of 0, 1, 2 ... symbols promises when that many tricks follow: more may come, each less likely."""
    chance = tricks / (tricks + 5)  # a trick brings a seat about a fifth of a symbol of each guild
    now = [_paid(by_symbols, symbols) for symbols in range(2 * len(PACK))]
    return tuple(max(now[n] + chance**more * (now[n + more] - now[n]) for more in range(9)) for n in range(len(PACK)))
