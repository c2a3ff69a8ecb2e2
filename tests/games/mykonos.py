"""Tables, positions and random walks for the three files of tests of Mýkonos."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from domain import rules
from domain.imagine import deal_seen
from domain.secrecy import view_for
from tests.laws.tables import Table, house_rules

GAME = rules.games()["mykonos"]
RANKS, SUITS = "A23456789TJQK", "CDHS"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
KEPT = {2: "56789TJQK", 3: "3456789TJQK", 4: RANKS}
SEATS = (2, 3, 4)
ROUNDS = {2: 10, 3: 9, 4: 8}
LEFT = {2: 2, 3: 2, 4: 4}
NEUTRALS = ("steps_aside", "stays", "takes")
NO_WORDS = [
    "", " ", "Pass", "PASS", "pass ", " pass", "pass pass", "Buy", "BUY", "buy ", " buy", "buy 1", "bid 3", "place",
    "place ", "Place 1", "place  1", "place 01", "place 1 ", "place -1", "place 5", "place 9", "place 1 2",
    "place +1", "place one", "place １", "place\t1", "neutral", "neutral 3", "neutral  0", "neutral 00", "Neutral 0",
    "place X", "sell", "sell ", "Sell 7H", "sell 7h", "sell H7", "sell  7H", "sell 7H ", "sell 7H  7S", "sell 7H 7H",
    "sell 7H,7S", "sell 10H", "sell pass", "sell 1H", "sell ??", "sell 7H 7S 7H", "sell 7H buy", "discard",
    "discard ", "Discard 7H", "discard  7H", "discard 7h", "discard 7H 7S", "discard 7H 7H", "discard ??", "7H",
    "7H 7S", "capot", "imp 5", "bribe", "A12", "joker knights", "claim 1 2", "done",
]  # fmt: skip


def table(seats: int) -> Table:
    return Table(GAME, "standard", seats)


def options(seats: int = 4, **given: Any) -> Any:
    return rules.effective(GAME, "standard", given, seats)


def dealt(hands: Sequence[str], rows: str = "", **given: Any) -> Any:
    """A deal in which seat 0 is first, with these hands of two and these cards on top of the pack."""
    seats = len(hands)
    held = [hand.split() for hand in hands]
    top = [card for one_each in zip(*held, strict=True) for card in one_each] + rows.split()
    rest = [card for card in PACK if card[0] in KEPT[seats] and card not in top]
    return GAME.deal(options(seats, **given), list(range(seats)), seats - 1, top + rest, [0] * seats)


def say(d: Any, *words: str) -> Any:
    """Each word by the seat that owes one, if it may say it."""
    for word in words:
        seat = GAME.to_act(d)[0]
        assert word in GAME.legal(d, seat), (seat, word, GAME.legal(d, seat))
        GAME.play(d, seat, word)
    return d


def bid(d: Any, columns: str) -> Any:
    """The demand of a round, one column a worker, own or neutral as it is due: `0 0 1 …`."""
    for column in columns.split():
        verb = GAME.legal(d, GAME.to_act(d)[0])[0].split(" ")[0]
        say(d, f"{verb} {column}")
    return d


def has(d: Any, seat: int, money: int) -> Any:
    """The seat has this much money, as if it had started with it."""
    d.accounts[seat]["start"] += money - d.money[seat]
    d.money[seat] = money
    return d


def selling(hand: str, seats: int = 2, **given: Any) -> Any:
    """Seat 0 holds these cards and is asked for a pack; the others hold none, so that its word ends the sales."""
    d = GAME.deal(options(seats, **given), list(range(seats)), seats - 1, PACK[-36:], [0] * seats)
    d.hands = [hand.split()] + [[] for _ in range(seats - 1)]
    d.phase, d.waiting, d.offer, d.columns = "sales", [0], [], []
    return d


def walk(seats: int, seed: int, **given: Any) -> Iterator[tuple[Any, int, str]]:
    """A deal played at random with house rules at random: before each word the Deal, the seat, the word."""
    random = Random(seed)
    chosen = options(seats, **(given or house_rules(table(seats), random)))
    pack = [card for card in PACK if card[0] in KEPT[seats]]
    random.shuffle(pack)
    d = GAME.deal(chosen, list(range(seats)), random.randrange(seats), pack, [0] * seats)
    while GAME.to_act(d):
        seat = random.choice(GAME.to_act(d))
        word = next_word(d, seat, random)
        yield d, seat, word
        GAME.play(d, seat, word)
    yield d, -1, ""


def next_word(d: Any, seat: int, random: Random) -> str:
    """A word of one of its kinds, so that `pass` is as likely as all packs together."""
    words = GAME.legal(d, seat)
    return "pass" if "pass" in words and random.random() < 0.5 else random.choice(words)


def walks(seats: int, deals: int = 12, **given: Any) -> Iterator[tuple[Any, int, str]]:
    for seed in range(deals):
        yield from walk(seats, seed, **given)


def after_word(d: Any, seat: int, word: str) -> Any:
    """The Deal after this word, on a copy that has been through JSON."""
    copy = deal_seen(GAME, json.loads(json.dumps(view_for(d, "all"))))
    GAME.play(copy, seat, word)
    return copy
