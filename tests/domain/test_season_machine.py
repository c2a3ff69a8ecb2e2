"""Seasons driven at random by everybody: refused by name or decided whole, and always what a rebuild makes of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest

from domain import season_decide as decide
from domain import season_results as results
from domain.errors import RefusedError
from domain.event import Event, StaleVersionError
from domain.rules import OptionsError
from domain.season import Season, fold
from domain.season_decide import Caller
from domain.season_rounds import draw
from domain.season_scoring import season_transfers, sums
from domain.standings import standings
from tests.domain.clubs import DEAL, TALLY, deal
from tests.domain.seasons import ORGANISER, season

STEPS = 120
Attempt = Callable[[Season, Random], object]


def caller(s: Season, random: Random) -> Caller:
    player = random.choice([None, "somebody", *(member.player for member in s.members.values())])
    return random.choice([ORGANISER, ORGANISER, Caller(player), Caller(player)])


def some(random: Random, known: Iterable[str]) -> str:
    """An id that is one, mostly."""
    return random.choice([*known, "none"]) if random.random() < 0.1 else random.choice([*known] or ["none"])


def seats(s: Season, random: Random) -> list[dict[str, str]]:
    found = [{"member": some(random, s.members)} for _ in range(random.choice([2, 3, 4, 4, 4]))]
    if random.random() < 0.2:
        found[-1]["for"] = some(random, s.members)
    return found


def paper(random: Random) -> dict[str, Any]:
    return random.choice([DEAL, DEAL, {"void": True}, {"dealer": 7, "tally": TALLY}, deal(taken={}), {}])


def amended(random: Random) -> results.Amended | None:
    points = [random.randint(-3, 9) for _ in range(random.choice([3, 4, 4]))]
    return random.choice(
        [None, results.Amended(points=points), results.Amended(deals=[paper(random)]), results.Amended(void=True)]
    )


def given(s: Season, random: Random) -> results.Amended:
    return amended(random) or results.Amended()


ATTEMPTS: list[Attempt] = [
    lambda s, r: decide.add_member(s, caller(s, r), f"m{r.randint(0, 14)}", r.choice([None, f"p{r.randint(0, 14)}"])),
    lambda s, r: decide.remove_member(s, caller(s, r), some(r, s.members)),
    lambda s, r: decide.claim_guest(s, some(r, s.members), f"p{r.randint(0, 20)}"),
    lambda s, r: decide.change_scheme(s, caller(s, r), {"kind": r.choice(["raw", "wins", "places", "x"])}, None, "n"),
    lambda s, r: draw(s, caller(s, r), pairing="swiss", seats=r.choice([3, 4]), seed="s"),
    lambda s, r: draw(s, ORGANISER, pairing="manual", tables=[r.sample(list(s.members), 4)]),
    lambda s, r: draw(s, ORGANISER, pairing="spread", rounds=2, seed="s", first=r.choice([None, 1, 2, 3])),
    lambda s, r: decide.seat(s, caller(s, r), some(r, s.tables), seats(s, r)),
    lambda s, r: decide.seat_match(s, caller(s, r), some(r, s.tables), f"match{r.randint(0, 9)}"),
    lambda s, r: decide.abandon(s, ORGANISER, some(r, s.tables), "n"),
    lambda s, r: results.open_sheet(s, caller(s, r), f"sh{r.randint(0, 20)}", seats(s, r)),
    lambda s, r: at_table(s, r),
    lambda s, r: results.enter_deal(s, caller(s, r), some(r, s.sheets), paper(r), r.choice([None, None, 0, 1])),
    lambda s, r: results.enter_deal(s, ORGANISER, some(r, s.sheets), DEAL),
    lambda s, r: results.drop_deal(s, caller(s, r), some(r, s.sheets)),
    lambda s, r: results.submit(s, caller(s, r), some(r, s.sheets)),
    lambda s, r: results.confirm(s, caller(s, r), some(r, s.sheets)),
    lambda s, r: results.confirm(s, ORGANISER, some(r, s.sheets)),
    lambda s, r: results.dispute(s, caller(s, r), some(r, [*s.sheets, *s.results]), "n"),
    lambda s, r: results.rule(
        s, caller(s, r), some(r, [*s.sheets, *s.results]), r.choice([*results.OUTCOMES, "x"]), "n", amended(r)
    ),
    lambda s, r: results.correct(s, caller(s, r), some(r, [*s.sheets, *s.results]), given(s, r), "n"),
    lambda s, r: played(s, r),
    lambda s, r: results.void_match(s, some(r, [table.match for table in s.tables.values() if table.match])),
    lambda s, r: decide.adjust(
        s, ORGANISER, f"a{r.randint(0, 9)}", some(r, s.members), "penalty", -r.randint(0, 90), "n"
    ),
    lambda s, r: decide.cancel_adjustment(s, caller(s, r), some(r, s.adjustments)),
    lambda s, r: decide.close(s, caller(s, r)),
    lambda s, r: decide.reopen(s, caller(s, r), "n"),
]


def at_table(s: Season, random: Random) -> None:
    table = s.tables.get(some(random, s.tables))
    members = [sitting.json() for sitting in table.seats] if table else seats(s, random)
    results.open_sheet(s, ORGANISER, f"sh{random.randint(0, 20)}", members, table.id if table else "none")


def played(s: Season, random: Random) -> None:
    """A worker reports the match of a table, perhaps again, perhaps too late."""
    playing = [table for table in s.tables.values() if table.match]
    if playing:
        table = random.choice(playing)
        points = [random.randint(0, 9) for _ in table.seats]
        places = results.by_points(points, low_wins=True)
        results.record_match(s, str(table.match), table.id, points, places, None)


def state(s: Season) -> dict[str, Any]:
    names = [name for name in Season.__slots__ if name not in ("fresh", "now", "game")]
    return {name: getattr(s, name) for name in names}


def rebuilt(s: Season) -> Season:
    return fold(s.id, [Event(e.type, json.loads(json.dumps(e.data)), e.version, e.at) for e in s.fresh])


SEEN: Counter[str] = Counter()


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_tried_a_season_is_what_its_events_make(seed: int) -> None:
    random = Random(seed)
    s = season(10, guests=2)
    for _ in range(STEPS):
        before = len(s.fresh)
        try:
            random.choice(ATTEMPTS)(s, random)
        except (RefusedError, OptionsError, StaleVersionError):
            assert len(s.fresh) == before, "refused, and yet something was recorded"
    SEEN.update(event.type for event in s.fresh)
    assert state(rebuilt(s)) == state(s)
    assert standings(rebuilt(s)) == standings(s)
    assert_ledger(s)
    assert_tables(s)


def assert_ledger(s: Season) -> None:
    found: Counter[str] = Counter()
    for transfer in season_transfers(s.id, s.fresh):
        assert sum(posting.amount for posting in transfer.postings) == 0
        for posting in transfer.postings:
            found[posting.member or "bank"] += posting.amount
    assert {member: found[member] for member in s.members} == sums(s)
    for event in s.fresh:
        if event.type == "closed":
            assert sums(fold(s.id, s.fresh[: event.version])) == event.data["sums"]


def assert_tables(s: Season) -> None:
    """Nobody is at two tables of a round, no player is two members, and what is closed has nothing open."""
    for each in s.rounds.values():
        there = [sitting.member for table in each.tables for sitting in s.tables[table].seats]
        assert len(there) == len(set(there))
    players = [member.player for member in s.members.values() if member.player]
    assert len(players) == len(set(players))
    assert s.status == "open" or not s.open_work()
    for result in s.results.values():
        counted = [sitting.credited for sitting in result.seats]
        assert len(counted) == len(set(counted)) == len(result.versions[0].points or [])


def test_everything_that_can_happen_has_happened_in_those_seasons() -> None:
    missing = {
        "member_added", "member_left", "guest_claimed", "scheme_changed", "round_drawn", "seated", "sheet_opened",
        "deal_entered", "deal_dropped", "submitted", "confirmed", "disputed", "ruled", "result_recorded", "corrected",
        "adjusted", "adjustment_cancelled",
    } - set(SEEN)  # fmt: skip
    assert not missing or not SEEN
