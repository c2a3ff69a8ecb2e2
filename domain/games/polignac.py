"""Polignac and its family: tricks in which some cards cost whoever takes them. Rules, by number: polignac.md.

A deal goes through three phases: `call` (4), `play` (2) and, where revokes are claimed, `claims` (6.6). Section 6 is
in _revokes.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from domain.cards import SUITS, french
from domain.games import _revokes
from domain.games._polignac_tally import check as check
from domain.games._polignac_tally import paper as paper
from domain.rules import Line, OptionsError, Place, Tally, Variant, Word, fixed, option
from domain.secrecy import own, shown

NAME = {"en": "Polignac", "es": "Polignac"}
RULES = 1
LOW_WINS = True
OUT_OF_TURN = frozenset({"claim", "admit"})  # (6.2)
EXTRA_DEALS = 20  # (5.3)
PLACES = ("hands", "trick", "tricks")
PACKETS = {2: (3, 3, 2, 3, 3, 2), 3: (3, 2, 3, 2), 4: (3, 2, 3), 5: (3, 3), 6: (3, 2)}  # (1.3)
DEALT = {  # for each seat from eldest on, what picks its cards from the pack
    seats: [
        itemgetter(
            *(seats * sum(sizes[:turn]) + place * size + at for turn, size in enumerate(sizes) for at in range(size))
        )
        for place in range(seats)
    ]
    for seats, sizes in PACKETS.items()
}
CALLS = {"capot": ["pass", "capot"], "general": ["pass", "general"], "both": ["pass", "capot", "general"]}  # (4.1)
SLAM = 5  # (4.2)
PIQUET = french("AKQJT987")
HEIGHTS = {  # by rank, then by suit
    ranks: {card: at for at, card in enumerate(rank + suit for rank in reversed(ranks) for suit in SUITS)}
    for ranks in ("KQJAT987", "AKQJT987")
}
JACKS, QUEENS = ({rank + suit: 1 for suit in SUITS} for rank in "JQ")


# fmt: off
@dataclass(frozen=True, slots=True)
class Options:
    target: int | None = option(10, range(1, 101), "The match ends when a seat has this many points",
                                "La partida termina cuando alguien llega a estos puntos")
    deals: int | None = option(None, range(1, 1001), "The match ends after this many deals",
                               "La partida termina tras este número de repartos")
    tie_break: str = option("extra_deal", ("extra_deal", "shared"), "How a tie for first place is broken",
                            "Cómo se deshace un empate en el primer puesto")
    end_check: str = option("deal", ("deal", "trick", "exact"), "When the target is looked at: after the deal, after "
                            "each trick, or after each trick for exactly the target",
                            "Cuándo se mira el límite: tras el reparto, tras cada baza, o tras cada baza y exacto")
    surplus: str = option("black_sevens", ("black_sevens", "red_sevens", "unequal"),
                          "What makes hands even with 3, 5 or 6 seats", "Qué iguala las manos con 3, 5 o 6 jugadores")
    ranks: str = option("KQJAT987", ("KQJAT987", "AKQJT987"), "The ranks, strongest first",
                        "El orden de las cartas, de mayor a menor")
    declarations: str = option("none", ("none", "capot", "general", "both"), "What may be declared before the lead",
                               "Qué se puede declarar antes de la primera salida")
    declarer_leads: bool = option(False, (), "The declarer leads the first trick",
                                  "Quien declara sale en la primera baza")
    failed_slam_jacks: str = option("all", ("all", "opponents"), "Who pays for penalty cards when a declaration fails",
                                    "Quién paga las cartas de castigo cuando falla una declaración")
    revoke: str = option("prevent", ("prevent", "claim"), "A card that does not follow is refused, or can be claimed",
                         "La renuncia se impide, o se puede cometer y reclamar")
    revoke_points: int = option(5, range(0, 101), "What an established revoke costs", "Lo que cuesta una renuncia")
    revoke_penalty: str = option("points", ("points", "match"), "An established revoke costs points, or the match",
                                 "Una renuncia cuesta puntos, o la partida")
    doubled_queen: str = option("none", ("none", "QS", "QC"), "The queen that costs two", "La dama que cuesta dos")
    all_three_bonus: int = option(0, range(0, 2), "One more for all three penalties in a deal",
                                  "Uno más por los tres castigos en un reparto")
    costs: dict[str, int] = fixed({})
    first_trick: int = fixed(0)
    last_trick: int = fixed(0)
# fmt: on


VARIANTS = {  # (3.1)
    "polignac": Variant(
        range(3, 7), {"costs": {**JACKS, "JS": 2}, "declarations": "capot"}, {"en": "Polignac", "es": "Polignac"}
    ),
    "quatre_valets": Variant(
        range(3, 7), {"costs": JACKS, "declarations": "capot"}, {"en": "Quatre valets", "es": "Cuatro jotas"}
    ),
    "slobberhannes": Variant(
        range(3, 7),
        {"costs": {"QC": 1}, "first_trick": 1, "last_trick": 1, "all_three_bonus": 1, "ranks": "AKQJT987"},
        {"en": "Slobberhannes", "es": "Slobberhannes"},
    ),
    "knaves": Variant(range(3, 5), {"costs": {"JS": 2, "JD": 1}}, {"en": "Knaves", "es": "Jotas"}),
    "eichel_obern": Variant(
        range(3, 7),
        {"costs": QUEENS, "doubled_queen": "QS", "ranks": "AKQJT987"},
        {"en": "Eichel-Obern", "es": "Eichel-Obern"},
    ),
    "bassadewitz": Variant(
        range(3, 7),
        {"costs": {**{"A" + suit: 1 for suit in SUITS}, "QC": 1}, "ranks": "AKQJT987"},
        {"en": "Bassadewitz", "es": "Bassadewitz"},
    ),
}


def settle(options: Options, variant: str, seats: int) -> Options:
    preset = VARIANTS[variant].options
    errors = {}
    if options.end_check != "deal" and (options.deals or options.revoke == "claim"):  # (5.1)
        errors["options.end_check"] = f"{options.end_check} goes neither with deals nor with revoke: claim"
    if options.doubled_queen != "none" and "doubled_queen" not in preset:
        errors["options.doubled_queen"] = f"{variant} has no doubled queen"
    if options.all_three_bonus and "all_three_bonus" not in preset:
        errors["options.all_three_bonus"] = f"{variant} has no bonus for all three"
    if errors:
        raise OptionsError(errors)
    if options.doubled_queen == "none":
        return options
    return replace(options, costs={**options.costs, options.doubled_queen: 2})


def for_extra(options: Options) -> Options:
    surplus = "black_sevens" if options.surplus == "unequal" else options.surplus
    return replace(options, declarations="none", end_check="deal", surplus=surplus)  # (5.3)


@dataclass(slots=True)
class Deal:
    options: Options = shown()
    seats: list[int] = shown()  # who plays, from eldest hand on
    dealer: int = shown()
    totals: list[int] = shown()  # before this deal
    hands: list[list[str]] = own()
    phase: str = shown()  # call, play, claims, over
    waiting: list[int] = shown()  # who still owes a word, in order (in `claims`: in any order)
    calls: list[tuple[int, str]] = shown()  # who said what before the first lead
    declaration: dict[str, Any] | None = shown()  # seat, kind, and `alive` until a trick is lost
    trick: list[tuple[int, str]] = shown()  # on the table
    tricks: list[list[tuple[int, str]]] = shown()  # gathered, each as it was played
    winners: list[int] = shown()  # of each gathered trick
    taken: dict[str, int] = shown()  # penalty card -> who took it
    bound: list[int] = shown()  # the seats that must follow in their next play (6.3)
    settled: list[list[int]] = shown()  # seat and trick of each play that a claim has settled
    rejected: list[int] = shown()  # claims that were wrong, by seat
    revokes: list[int] = shown()  # seats, one entry a revoke that costs (6.4)
    lost: int | None = shown()  # who has lost the match by a revoke
    news: list[dict[str, Any]] = shown()


def pack(options: Options, seats: list[int]) -> list[str]:
    if len(seats) in (2, 4) or options.surplus == "unequal":
        return PIQUET[:]
    out = ("7S", "7C") if options.surplus == "black_sevens" else ("7H", "7D")  # (1.1)
    return [card for card in PIQUET if card not in out]


def deal(options: Options, seats: list[int], dealer: int, pack: list[str], totals: list[int]) -> Deal:
    order = [seat for seat in seats if seat > dealer] + [seat for seat in seats if seat <= dealer]  # (2.1)
    hands: list[list[str]] = [[] for _ in totals]
    _share_out(hands, order, pack)
    d = Deal(
        options, order, dealer, totals[:], hands, phase="call", waiting=order[:], calls=[], declaration=None, trick=[],
        tricks=[], winners=[], taken={}, bound=[], settled=[], rejected=[0] * len(totals), revokes=[], lost=None,
        news=[],
    )  # fmt: skip
    if options.declarations == "none":  # (4)
        _lead(d, order[0])
    return d


def _share_out(hands: list[list[str]], order: list[int], pack: list[str]) -> None:
    """In packets from eldest on, then the surplus one by one (1.3)."""
    for seat, packets in zip(order, DEALT[len(order)], strict=True):
        hands[seat] = [*packets(pack)]
    for seat, card in zip(order, pack[len(hands[order[0]]) * len(order) :], strict=False):
        hands[seat].append(card)


def to_act(d: Deal) -> list[int]:
    return d.waiting[:] if d.phase == "claims" else d.waiting[:1]


def legal(d: Deal, seat: int) -> list[Word]:
    if d.options.revoke == "prevent":
        return honest(d, seat)
    free = d.phase == "play" and d.waiting[0] == seat and seat not in d.bound
    words = d.hands[seat][:] if free else honest(d, seat)  # (6.1)
    return words + _revokes.claims(d, seat)


def honest(d: Deal, seat: int) -> list[Word]:
    if d.phase == "play" and d.waiting[0] == seat:
        hand = d.hands[seat]
        if not d.trick:
            return hand[:]
        suit = d.trick[0][1][1]
        return [card for card in hand if card[1] == suit] or hand[:]  # (2.2)
    if seat not in to_act(d):
        return []
    return ["done"] if d.phase == "claims" else CALLS[d.options.declarations][:]


def play(d: Deal, seat: int, word: Word) -> None:
    if d.news:
        d.news = []
    if len(word) == 2:
        d.hands[seat].remove(word)
        d.trick.append((seat, word))
        del d.waiting[0]
        if d.bound and seat in d.bound:
            d.bound.remove(seat)
        if not d.waiting:
            _gather(d)
    elif word.startswith(("claim", "admit")):
        _revokes.accuse(d, seat, word)
        _judge(d)
    elif word == "done":  # (6.6)
        d.waiting.remove(seat)
        if not d.waiting:
            d.phase = "over"
    else:
        _call(d, seat, word)


def _call(d: Deal, seat: int, word: Word) -> None:
    d.calls.append((seat, word))
    d.waiting.pop(0)
    if word != "pass":
        d.declaration = {"seat": seat, "kind": word, "alive": True}
        d.waiting = []
    if not d.waiting:
        _lead(d, seat if d.declaration and d.options.declarer_leads else d.seats[0])


def _lead(d: Deal, leader: int) -> None:
    """The seats that hold a card, from the leader on or the next one that has one (1.1)."""
    d.phase = "play"
    seats, hands = d.seats, d.hands
    at = seats.index(leader)
    d.waiting = seats[at:] + seats[:at]
    if d.options.surplus == "unequal" or not hands[leader]:
        d.waiting = [seat for seat in d.waiting if hands[seat]]


def _gather(d: Deal) -> None:
    options, trick = d.options, d.trick
    heights, costs, costly = HEIGHTS[options.ranks], options.costs, []
    suit, best, winner = trick[0][1][1], -1, -1
    for seat, card in trick:
        if card[1] == suit and (height := heights[card]) > best:
            best, winner = height, seat  # (2.3)
        if card in costs:
            costly.append(card)
    for card in costly:
        d.taken[card] = winner
    d.tricks.append(trick)
    d.winners.append(winner)
    d.trick = []
    if d.declaration:
        _judge(d)
    if options.end_check != "deal" and _reached(d):
        d.phase = "over"  # (5.1)
        return
    _lead(d, winner)
    if not d.waiting:
        _close(d)


def _judge(d: Deal) -> None:
    """A declaration lives until its seat has lost a trick or anybody's revoke is established (4.3) (6.7)."""
    if d.declaration:
        d.declaration["alive"] = not d.revokes and all(winner == d.declaration["seat"] for winner in d.winners)


def _close(d: Deal) -> None:
    """After the last trick the deal is over, or everybody may still claim until he says `done` (6.6)."""
    d.phase = "over"
    if d.options.revoke == "claim":
        d.phase, d.waiting = "claims", d.seats[:]


def _reached(d: Deal) -> bool:
    """Whether a seat stands at the target (5.1); while a declaration is alive no jack is final."""
    if d.declaration and d.declaration["alive"]:
        return False
    target, totals = d.options.target, d.totals[:]
    for seat, _, points in score(d.options, d.seats, tally(d)):
        totals[seat] += points
    return any(total == target if d.options.end_check == "exact" else total >= (target or 0) for total in totals)


def tally(d: Deal) -> Tally:
    """What a scorer would write on the pad (3.3)."""
    complete = bool(d.winners) and not d.trick and not any(d.hands)
    swept = d.winners[0] if complete and len(set(d.winners)) == 1 else None
    return {
        "taken": dict(d.taken),
        "first": d.winners[0] if d.winners and d.options.first_trick else None,
        "last": d.winners[-1] if complete and d.options.last_trick else None,
        "declaration": _outcome(d, swept),
        "swept": swept,
        "revokes": d.revokes[:],
    }


def _outcome(d: Deal, swept: int | None) -> dict[str, Any] | None:
    if not d.declaration:
        return None
    seat = d.declaration["seat"]
    return {
        "seat": seat,
        "kind": d.declaration["kind"],
        "made": swept == seat and seat not in d.revokes,
        "void": any(offender != seat for offender in d.revokes),  # (6.7)
    }


def score(options: Options, seats: list[int], tally: Tally) -> list[Line]:
    declared = tally["declaration"] or {"void": True}
    lines: list[Line] = [(seat, "revoke", options.revoke_points) for seat in tally["revokes"]]
    if not declared["void"] and declared["made"]:
        return lines + _slam(declared, seats)
    lines += _penalties(options, tally)
    if declared["void"]:
        return lines
    if options.failed_slam_jacks == "opponents":
        lines = [line for line in lines if line[0] != declared["seat"] or line[1] == "revoke"]
    return [*lines, (declared["seat"], "declaration_failed", SLAM)]  # (4.3)


def _slam(declared: dict[str, Any], seats: list[int]) -> list[Line]:
    kind, declarer = declared["kind"], declared["seat"]
    lines: list[Line] = [(seat, kind, SLAM) for seat in seats if seat != declarer]
    return lines if kind == "capot" else [(declarer, kind, -SLAM), *lines]  # (4.2)


def _penalties(options: Options, tally: Tally) -> list[Line]:
    """The winner of the trick pays, not the player of the card (3)."""
    first, last = tally["first"], tally["last"]
    lines = [(seat, card, options.costs[card]) for card, seat in tally["taken"].items()]
    lines += [(first, "first_trick", options.first_trick)] if first is not None else []
    lines += [(last, "last_trick", options.last_trick)] if last is not None else []
    takers = {first, last, *tally["taken"].values()}
    if options.all_three_bonus and len(takers) == 1 and last is not None and tally["taken"]:
        lines.append((last, "all_three", options.all_three_bonus))  # (3.2)
    return lines


def clock(d: Deal, seat: int) -> Word:
    words = honest(d, seat)
    return min(words, key=HEIGHTS[d.options.ranks].__getitem__) if d.phase == "play" else words[0]  # (3.3)


def advise(d: Deal, seat: int, words: list[Word]) -> Word:
    """Duck as high as it goes, throw what costs on others, lead low."""
    if d.phase != "play":
        return words[0]
    costs, heights = d.options.costs, HEIGHTS[d.options.ranks]

    def dear(card: str) -> int:
        return 1000 * costs.get(card, 0) + heights[card]

    if not d.trick:
        return min(words, key=dear)
    suit = d.trick[0][1][1]
    if words[0][1] != suit:
        return max(words, key=dear)
    best = max([heights[card] for _, card in d.trick if card[1] == suit])
    if under := [card for card in words if heights[card] < best]:
        return max(under, key=dear)
    if len(d.waiting) == 1 and not any(card in costs for _, card in d.trick):
        return max(words, key=lambda card: heights[card] - 1000 * costs.get(card, 0))
    return min(words, key=dear)


def alike(d: Deal, seat: int, word: Word) -> Any:
    """Cards of one suit and price are alike when none that another may still play, or lies there, is between them."""
    if len(word) != 2:
        return word
    heights, gone = HEIGHTS[d.options.ranks], {card for trick in d.tricks for _, card in trick}.union(d.hands[seat])
    below = [card for card in heights if card[1] == word[1] and heights[card] < heights[word] and card not in gone]
    return word[1], d.options.costs.get(word), len(below)


def barred(d: Deal, seat: int) -> dict[Place, set[str]]:
    """Who did not follow holds none of that suit, unless revokes are possible (2.2)."""
    voids: dict[Place, set[str]] = {}
    for trick in _revokes.tricks(d) if d.options.revoke == "prevent" else []:
        suit = trick[0][1][1]
        for other, card in trick:
            if card[1] != suit:
                voids.setdefault(("hands", other), set()).update(rank + suit for rank in d.options.ranks)
    return voids


def forfeit(d: Deal) -> int | None:
    return d.lost
