"""Rounds of a season: draws tables for its members and records them. Read beside it: pairing.py, season_decide.py.

    draw(s, who, pairing="spread", seats=4, rounds=5, seed="s1", absent=["me7"])
    draw(s, who, pairing="swiss", seats=4, seed="s2")                       # by the standings as they are
    draw(s, who, pairing="manual", tables=[["me1", "me2", "me3"], …])       # whoever is at no table sits out
    draw(s, who, pairing="spread", seats=4, rounds=3, seed="s3", first=3)   # rounds 3, 4, 5 anew: nobody had begun

Late joiners are drawn from the next round on, members who left no more. No round is drawn before the one before it has
ended, unless all are drawn at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from domain.designs import cyclic
from domain.pairing import Draw, Past, swiss
from domain.rules import OptionsError
from domain.season import Season, emit
from domain.season_decide import Caller, line_up, members_of, organiser, running
from domain.season_errors import StillOpenError, TwiceAtTableError
from domain.spread import spread
from domain.standings import standings

PAIRINGS = ("spread", "swiss", "cyclic", "manual")
MOST_ROUNDS = 50
MOST_DRAWN = 3000  # places in all rounds of one draw, so that the search takes seconds


def draw(
    s: Season,
    who: Caller,
    *,
    pairing: str,
    seats: int = 4,
    rounds: int = 1,
    seed: str | None = None,
    absent: Sequence[str] = (),
    tables: Sequence[Sequence[str]] | None = None,
    first: int | None = None,
) -> list[int]:
    """Records `round_drawn` for each round; answers their numbers. `seats` is the size of table that is wanted.

    Raises OptionsError by field, NoDesignError, StillOpenError (the last round has not ended), NotMemberError.
    """
    organiser(who)
    running(s)
    members_of(s, absent)
    _asked(s, pairing, seats, rounds, seed, tables)
    number = first if first is not None else max(s.rounds, default=0) + 1
    _may_begin(s, number)
    members = [member for member in s.active() if member not in absent]
    if len(members) * rounds > MOST_DRAWN:
        raise OptionsError(
            {"rounds": f"at most {MOST_DRAWN // max(1, len(members))} rounds at once for so many members"}
        )
    drawn = _drawn(s, pairing, members, seats, rounds, seed or "", tables or [], number)
    if not drawn[0].tables:
        raise OptionsError({"tables": f"no table of {', '.join(map(str, s.sizes))} from {len(members)} members"})
    for at, each in enumerate(drawn, number):
        _record(s, who, at, pairing, seed, each, absent)
    return list(range(number, number + len(drawn)))


def _asked(
    s: Season, pairing: str, seats: int, rounds: int, seed: str | None, tables: Sequence[Sequence[str]] | None
) -> None:
    faults = {}
    if pairing not in PAIRINGS:
        faults["pairing"] = f"{pairing!r:.40} is none of {', '.join(PAIRINGS)}"
    if (pairing == "manual") != (tables is not None):
        faults["tables"] = "are given with manual, and with nothing else"
    if pairing in ("spread", "swiss") and not seed:
        faults["seed"] = "is missing"
    if pairing != "manual" and seats not in s.sizes:
        faults["seats"] = f"a table has {', '.join(map(str, s.sizes))} seats, not {seats}"
    if type(rounds) is not int or not 1 <= rounds <= MOST_ROUNDS or (rounds > 1 and pairing != "spread"):
        faults["rounds"] = f"1 to {MOST_ROUNDS}; more than one only with spread"
    if faults:
        raise OptionsError(faults)


def _may_begin(s: Season, number: int) -> None:
    """The rounds before have ended; those that are drawn anew had not begun."""
    if not 1 <= number <= max(s.rounds, default=0) + 1:
        raise OptionsError({"first": f"the next round is {max(s.rounds, default=0) + 1}, not {number}"})
    waiting = [t.id for t in s.tables.values() if t.round < number and t.status == "open"]
    waiting += [t.id for t in s.tables.values() if t.round >= number and (t.status != "open" or t.match or t.sheet)]
    if waiting:
        raise StillOpenError("a round before has not ended, or one to be drawn anew has begun", open=waiting)


def _drawn(
    s: Season, pairing: str, members: list[str], seats: int, rounds: int, seed: str, tables: Sequence[Sequence[str]],
    number: int,
) -> list[Draw]:  # fmt: skip
    past = past_of(s, before=number)
    if pairing == "spread":
        return spread(members, s.sizes, seats, rounds, seed, past)
    if pairing == "swiss":
        return [swiss(in_order(s, members, seed), s.sizes, seats, seed, past)]
    if pairing == "cyclic":
        return cyclic(members, seats)
    return [_by_hand(s, members, tables)]


def _by_hand(s: Season, members: Sequence[str], tables: Sequence[Sequence[str]]) -> Draw:
    seated = [member for table in tables for member in table]
    strangers = [member for member in seated if member not in members]
    members_of(s, strangers)
    twice = sorted({member for member in seated if seated.count(member) > 1} | set(strangers))
    if twice:
        raise TwiceAtTableError(f"at two tables, or absent: {', '.join(twice)[:200]}", members=twice)
    for table in tables:
        line_up(s, [{"member": member} for member in table])
    return Draw([list(table) for table in tables], [member for member in members if member not in seated])


def _record(
    s: Season, who: Caller, number: int, pairing: str, seed: str | None, drawn: Draw, absent: Sequence[str]
) -> None:
    tables: list[Mapping[str, object]] = [
        {"id": f"{number}-{at}", "members": [{"member": member} for member in table]}
        for at, table in enumerate(drawn.tables, 1)
    ]
    emit(
        s, "round_drawn", round=number, pairing=pairing, seed=seed, tables=tables, byes=drawn.byes,
        absent=list(absent), by=who.player,
    )  # fmt: skip


def past_of(s: Season, before: int | None = None) -> Past:
    """Who has met, sat where and sat out in the rounds before; substitutes as themselves, nobody at void tables."""
    past = Past()
    for number, each in s.rounds.items():
        if before is None or number < before:
            played = [table for name in each.tables if (table := s.tables[name]).status != "void"]
            past.add(Draw([[sitting.member for sitting in table.seats] for table in played], each.byes))
    return past


def in_order(s: Season, members: Sequence[str], seed: str) -> list[str]:
    """By place in the standings; equal ones, and those without a place, drawn."""
    random = Random(seed)
    places = {row.member: row.place for row in standings(s).rows}
    last = len(s.members) + 1
    drawn = [(places.get(member) or last, random.random(), member) for member in sorted(members)]
    return [member for _, _, member in sorted(drawn)]
