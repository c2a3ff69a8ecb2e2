"""Deals and matches of Polignac set up by hand: only the cards that matter are named, the rest is filled in."""

from __future__ import annotations

from random import Random
from typing import Any

from domain import decide, rules
from domain.match import Match, emit
from domain.secrecy import options_json
from tests.laws.matches import drawing

GAME = rules.games()["polignac"]
PACKETS = {2: (3, 3, 2, 3, 3, 2), 3: (3, 2, 3, 2), 4: (3, 2, 3), 5: (3, 3), 6: (3, 2)}
DRAW = drawing(Random(20))
Hands = dict[int, str]
# Seat 0 (A) leads 9H and seat 1 (B) plays JS: B_REVOKES holding 7H, B_IS_VOID without a heart.
B_REVOKES = {0: "9H TH", 1: "7H JS 7S 8S 9S TS QS KS", 2: "KH TC QH 7D", 3: "8H AH 9C AC"}
B_IS_VOID = {**B_REVOKES, 1: "JD JS 7S 8S 9S TS QS KS"}
OPENING = "0 9H, 1 JS, 2 KH, 3 8H"


def rules_of(variant: str, seats: int, **given: Any) -> Any:
    """The effective options; nothing is declared unless asked for."""
    return rules.effective(GAME, variant, {"declarations": "none", **given}, seats)


def pack_for(options: Any, seats: list[int], dealer: int, hands: Hands) -> list[str]:
    """A pack that deals each seat these cards; whoever is short gets what is left, in the pack's canonical order."""
    order = sorted(seats, key=lambda seat: (seat <= dealer, seat))
    canonical = GAME.pack(options, seats)
    to = [seat for size in PACKETS[len(order)] for seat in order for _ in range(size)]
    to += order[: len(canonical) - len(to)]
    given = {seat: hands.get(seat, "").split() for seat in order}
    named = [card for cards in given.values() for card in cards]
    assert set(named) <= set(canonical), "a card that is not in the pack"
    assert len(named) == len(set(named)), "a card in two hands"
    left = [card for card in canonical if card not in named]
    for seat in order:
        while len(given[seat]) < to.count(seat):
            given[seat].append(left.pop(0))
    return [given[seat].pop(0) for seat in to]


def dealt(
    hands: Hands, variant: str = "polignac", seats: int = 4, totals: list[int] | None = None, **given: Any
) -> Any:
    """A Deal with these hands, in which seat 0 is eldest."""
    options, playing = rules_of(variant, seats, **given), list(range(seats))
    pack = pack_for(options, playing, seats - 1, hands)
    return GAME.deal(options, playing, seats - 1, pack, totals or [0] * seats)


def claimed(hands: Hands, **given: Any) -> Any:
    """A Deal at a table where revokes are claimed."""
    return dealt(hands, revoke="claim", **given)


def claims(d: Any, seat: int) -> list[str]:
    """What the seat may say of revokes."""
    return [word for word in GAME.legal(d, seat) if word.split(" ")[0] in GAME.OUT_OF_TURN]


def cards(d: Any, seat: int) -> set[str]:
    """The cards that the seat may play."""
    return {word for word in GAME.legal(d, seat) if len(word) == 2}


def say(d: Any, words: str) -> None:
    """`say(d, "0 9H, 1 JS, 3 claim 1 1")`: each seat says its word, which must be legal."""
    for each in words.split(", "):
        seat, word = each.split(" ", 1)
        legal = GAME.legal(d, int(seat))
        assert word in legal, f"{each}: only {legal}"
        GAME.play(d, int(seat), word)


def play_out(d: Any) -> None:
    """Everybody says what the clock says until the deal is over."""
    while owing := GAME.to_act(d):
        GAME.play(d, owing[0], GAME.clock(d, owing[0]))


def until_trick(d: Any, number: int) -> None:
    """The clock says everybody's words until so many tricks are gathered."""
    while len(d.tricks) < number:
        seat = GAME.to_act(d)[0]
        GAME.play(d, seat, GAME.clock(d, seat))


def lead(d: Any, seat: int, cards: str) -> None:
    """The seat leads these cards one after the other; the clock says what the others say."""
    for card in cards.split():
        say(d, f"{seat} {card}")
        until_trick(d, len(d.tricks) + 1)


def points(d: Any) -> list[int]:
    """By seat, as the deal stands."""
    lines = GAME.score(d.options, d.seats, GAME.tally(d))
    return [sum(more for seat, _, more in lines if seat == each) for each in range(len(d.totals))]


def match_at(
    totals: list[int], hands: Hands, variant: str = "polignac", among: list[int] | None = None, **given: Any
) -> Match:
    """A match that has reached these totals and is dealt these hands, seat 0 (or the first `among`) eldest.

    `among`: it is a tie-break deal among these seats.
    """
    seats = len(totals)
    m, options, everybody = Match("m-1"), rules_of(variant, seats, **given), list(range(seats))
    places = [{"player": f"p-{seat}"} for seat in everybody]
    emit(
        m, "opened", game="polignac", variant=variant, rules=1, options=options_json(options), seats=places, host="p-0"
    )
    for seat in everybody[1:]:
        emit(m, "seated", seat=seat, player=f"p-{seat}")
    before = pack_for(options, everybody, 0, {})
    emit(m, "dealt", deal=1, extra=False, dealer=seats - 2, seats=everybody, pack=before)
    emit(m, "scored", deal=1, extra=False, tally=GAME.tally(m.deal), lines=[], points=totals)
    playing = among or everybody
    shown = GAME.for_extra(options) if among else options
    pack = pack_for(shown, playing, playing[-1], hands)
    emit(m, "dealt", deal=2, extra=bool(among), dealer=playing[-1], seats=playing, pack=pack)
    return m


def move(m: Match, words: str) -> None:
    """Like `say`, through the door that every move takes; the house does what follows."""
    for each in words.split(", "):
        seat, word = each.split(" ", 1)
        decide.move(m, int(seat), word, DRAW)


def play_deal(m: Match) -> None:
    """The clock says everybody's words until the deal that is being played is over."""
    deals = m.deals + m.extra_deals
    while m.status == "playing" and m.deals + m.extra_deals == deals:
        seat = m.to_act[0]
        decide.move(m, seat, GAME.clock(m.deal, seat), DRAW)
