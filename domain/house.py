"""What the house does unasked: the first deal, the score of a deal that is over, the next deal, the end, the places.

Read beside it: match.py (the state), rules.py (what a game says of its own end), fairness.py (the shuffle).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, TypeAlias

from domain import cards, fairness
from domain.match import Match, emit

Draw: TypeAlias = Callable[[], bytes]  # 32 fresh secret bytes at each call


def house(m: Match, draw: Draw) -> None:
    """What happens unasked: the first deal, the score of a deal that is over, the next deal or the end."""
    if m.status == "open" and all(seat.ready for seat in m.seats):
        return _deal(m, first_deal(m), draw)
    if m.status != "playing" or m.committed or m.to_act:
        return None
    loser = m.game.forfeit(m.deal)
    if loser is not None:
        return end(m, "revoke", loser)
    emit(m, "scored", **scored(m))
    due = next_deal(m)
    return _deal(m, due, draw) if due else end(m, str(m.verdict))


Due: TypeAlias = tuple[list[int], bool]  # who plays the deal, and whether it is a tie-break


def first_deal(m: Match) -> Due:
    return list(range(len(m.seats))), False


def next_deal(m: Match) -> Due | None:
    """The deal that is due after one was scored, or None when the match is over."""
    if m.verdict is None:
        return first_deal(m)
    if m.extra_deals >= m.game.EXTRA_DEALS or m.options.tie_break != "extra_deal":
        return None
    again = tied(m)
    if len(again) < 2:
        return None
    return (again, True) if m.game.EXTRA_AMONG_TIED else (list(range(len(m.seats))), True)


def _deal(m: Match, due: Due, draw: Draw) -> None:
    """The next deal, or the promise of it where the players add nonces first."""
    seats, extra = due
    number = m.dealt["deal"] + 1 if m.dealt else 1
    prepared = m.opened.get("packs") or []
    if not extra and m.deals < len(prepared):
        dealer = next_dealer(m, seats, m.opened["dealer"])
        return emit(m, "dealt", deal=number, extra=extra, dealer=dealer, seats=seats, commitment=None, seed=None,
                    pack=prepared[m.deals], shuffled_as=None)  # fmt: skip
    seed = draw()
    promise = {"deal": number, "extra": extra, "seats": seats, "commitment": fairness.commitment(seed, m.id, number),
               "seed": seed.hex(), "shuffled_as": m.id}  # fmt: skip
    if not m.opened.get("fair"):
        return emit(m, "dealt", **shuffled(m, promise, ()))
    emit(m, "committed", **promise)
    return gather(m)


def give_nonce(m: Match, seat: int, nonce: bytes = b"") -> None:
    """What a seat adds to the shuffle of the deal that waits for it."""
    assert m.committed
    emit(m, "nonce", deal=m.committed["deal"], seat=seat, nonce=nonce.hex())


def gather(m: Match) -> None:
    """Whoever no person speaks for gives the empty nonce; with the last one the deal is dealt."""
    for seat in m.awaiting:
        if m.seats[seat].driver:
            give_nonce(m, seat)
    if m.committed and not m.awaiting:
        emit(m, "dealt", **shuffled(m, m.committed, [bytes.fromhex(m.nonces[seat]) for seat in m.committed["seats"]]))


def shuffled(m: Match, promise: dict[str, Any], nonces: Sequence[bytes]) -> dict[str, Any]:
    """The `dealt` that a promised seed and the nonces, in order of seats, make."""
    seats, number, name = promise["seats"], promise["deal"], promise["shuffled_as"]
    options = m.game.for_extra(m.options) if promise["extra"] else m.options
    key = fairness.key(bytes.fromhex(promise["seed"]), name, number, nonces)
    return {
        "deal": number,
        "extra": promise["extra"],
        "dealer": next_dealer(m, seats, cards.drawn_dealer(key, len(m.seats))),
        "seats": seats,
        "commitment": promise["commitment"],
        "seed": promise["seed"],
        "pack": cards.shuffled(m.game.pack(options, seats), key),
        "shuffled_as": name,
    }


def next_dealer(m: Match, seats: Sequence[int], first: int) -> int:
    """The next playing seat after the last dealer; `first` at the first deal."""
    if m.dealt is None:
        return first
    return min((seat for seat in seats if seat > m.dealt["dealer"]), default=min(seats))


def end(m: Match, reason: str, forfeited: int | None = None) -> None:
    emit(m, "ended", places=places(m, forfeited), totals=m.totals[:], reason=reason)


def scored(m: Match) -> dict[str, Any]:
    """The `scored` of the deal as it stands: tally, lines, points by seat."""
    dealt = m.dealt or {}
    tally = m.game.tally(m.deal)
    lines = m.game.score(m.deal_options, dealt["seats"], tally)
    points = [sum(p for s, _, p in lines if s == seat) for seat in range(len(m.seats))]
    shown = [{"seat": seat, "reason": reason, "points": p} for seat, reason, p in lines if p]
    found = {"deal": dealt["deal"], "extra": dealt["extra"], "tally": tally, "lines": shown, "points": points}
    if dealt["extra"]:
        found["seats"] = dealt["seats"]  # who played it, for a fold that leaves out what was dealt
    return {**found, "clock": m.clocks.state()} if m.clocks else found


def places(m: Match, forfeited: int | None = None) -> list[int]:
    """By seat; equal seats share a place, and the next one counts them all: 1 2 2 4."""
    keys = [_standing(m, seat, forfeited) for seat in range(len(m.seats))]
    return [1 + sum(other < key for other in keys) for key in keys]


def tied(m: Match) -> list[int]:
    """The seats that share the first place."""
    return [seat for seat, place in enumerate(places(m)) if place == 1 and not m.seats[seat].resigned]


def _standing(m: Match, seat: int, forfeited: int | None) -> tuple[Any, ...]:
    """The one key by which seats are ranked, least first. The resigned share the last place."""
    if m.seats[seat].resigned:
        return (True,)
    sign = 1 if m.game.LOW_WINS else -1
    in_extra = bool(m.dealt and m.dealt["extra"] and m.game.EXTRA_AMONG_TIED)
    lost = seat == forfeited
    extra = [sign * points for points in m.extras[seat]] + [inf] * (lost and in_extra)
    ties = [-more for more in m.ties[seat]] if m.ties else []
    return (False, lost and not in_extra, sign * m.totals[seat], extra, ties)
