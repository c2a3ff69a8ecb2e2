"""What the events of a match mean, one by one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.event import Event
from domain.match import Match, Seat, fold
from domain.secrecy import options_json
from tests.games.polignac import match_at, move, pack_for, rules_of
from tests.laws.matches import state, stored, unscored

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SEATS: list[dict[str, Any]] = [{"player": "p-host"}, {"player": "p-ana"}, {}, {"bot": "rule"}]
TALLY: dict[str, Any] = {"taken": {}, "first": None, "last": None, "declaration": None, "swept": None, "revokes": []}


def told(*events: tuple[str, dict[str, Any]], **given: Any) -> Match:
    """A match of four with these events after `opened`, a minute apart from noon on."""
    options = rules_of("polignac", 4, **given)
    first = {"game": "polignac", "variant": "polignac", "rules": 1, "options": options_json(options), "seats": SEATS}
    every = [("opened", {**first, "host": "p-host"}), *events]
    return fold("m-1", [Event(t, data, n, NOON + timedelta(minutes=n)) for n, (t, data) in enumerate(every, 1)])


def dealt(number: int = 1, extra: bool = False, seats: tuple[int, ...] = (0, 1, 2, 3)) -> tuple[str, dict[str, Any]]:
    pack = pack_for(rules_of("polignac", 4), list(seats), seats[-1], {})
    return "dealt", {"deal": number, "extra": extra, "dealer": seats[-1], "seats": list(seats), "pack": pack}


def scored(points: list[int], seats: tuple[int, ...] = ()) -> tuple[str, dict[str, Any]]:
    """Of an extra deal among these seats, when there are any."""
    among = {"seats": seats} if seats else {}
    return "scored", {"deal": 1, "extra": bool(seats), "tally": TALLY, "lines": [], "points": points, **among}


def test_opened_seats_the_host_and_the_bots_and_invites_the_others() -> None:
    m = told()
    assert m.seats == [Seat("p-host", accepted=True), Seat("p-ana"), Seat(), Seat(bot="rule")]
    assert [seat.ready for seat in m.seats] == [True, False, False, True]
    assert [seat.driver for seat in m.seats] == [None, None, None, "rule"]
    assert (m.status, m.over, m.to_act, m.deal, m.version) == ("open", False, [], None, 1)
    assert m.totals == [0, 0, 0, 0]


def test_a_bot_as_host_does_not_accept_for_open_seats() -> None:
    m = fold("m-1", [Event("opened", {**told().opened, "host": None}, 1)])
    assert [seat.accepted for seat in m.seats] == [False] * 4


def test_seated_and_left() -> None:
    m = told(
        ("seated", {"seat": 2, "player": "p-eva"}), ("left", {"seat": 1}), ("seated", {"seat": 1, "bot": "random"})
    )
    assert m.seats[1:3] == [Seat(bot="random"), Seat("p-eva", accepted=True)]
    assert (m.seat_of("p-eva"), m.seat_of("p-ana"), m.seat_of(None)) == (2, None, None)


def test_dealt_starts_the_match_and_moved_plays_on() -> None:
    m = told(dealt())
    assert (m.status, m.to_act, m.dealt_at) == ("playing", [0], 2)
    card = m.deal.hands[0][0]
    m = told(dealt(), ("moved", {"seat": 0, "move": card}))
    assert m.deal.trick == [(0, card)]
    assert m.to_act == [1]


def test_scored_adds_the_points_that_were_recorded_and_opens_the_deal() -> None:
    m = told(dealt(), scored([1, 0, 4, 0]), dealt(2), scored([0, 2, 3, 0]))
    assert (m.totals, m.deals, m.open_through, m.verdict) == ([1, 2, 7, 0], 2, 5, None)


@pytest.mark.parametrize(
    ("given", "points", "verdict"),
    [
        ({}, [9, 9, 9, 9], None),
        ({}, [10, 0, 0, 0], "target"),
        ({}, [0, 0, 0, 13], "target"),
        ({"target": 20}, [19, 0, 0, 0], None),
        ({"deals": 1}, [0, 0, 0, 0], "deals"),
        ({"deals": 2}, [99, 0, 0, 0], None),
    ],
)
def test_the_verdict_on_the_ordinary_deals(given: dict[str, Any], points: list[int], verdict: str | None) -> None:
    assert told(dealt(), scored(points), **given).verdict == verdict


def test_an_extra_deal_among_the_tied_is_kept_apart() -> None:
    m = told(dealt(), scored([12, 3, 3, 9]), dealt(2, extra=True, seats=(1, 2)), scored([0, 0, 5, 0], seats=(1, 2)))
    assert (m.totals, m.extras) == ([12, 3, 3, 9], [[], [0], [5], []])
    assert (m.deals, m.extra_deals, m.verdict) == (1, 1, "target")
    assert (m.deal_options.declarations, m.deal_options.end_check) == ("none", "deal")


def test_ended_and_voided() -> None:
    result = {"places": [1, 2, 2, 4], "totals": [0, 1, 1, 9], "reason": "deals"}
    m = told(dealt(), ("ended", result))
    assert (m.status, m.result, m.over, m.to_act) == ("ended", result, True, [])
    m = told(dealt(), ("ended", result), ("voided", {"by": None, "reason": "a slip"}))
    assert (m.status, m.result, m.over) == ("voided", None, True)


def test_times_are_those_of_the_events() -> None:
    minute = timedelta(minutes=1)
    m = told(dealt(), scored([0, 0, 0, 0]), dealt(2), ("ended", {"places": [1] * 4, "totals": [0] * 4, "reason": "x"}))
    assert m.times == {"created": NOON + minute, "started": NOON + 2 * minute, "ended": NOON + 5 * minute}
    m = told(("voided", {"by": None, "reason": "lapsed"}))
    assert m.times == {"created": NOON + minute, "ended": NOON + 2 * minute}


@pytest.mark.parametrize(
    ("events", "driver"),
    [
        ([("resigned", {"seat": 0})], "rule"),
        ([("replaced", {"seat": 0, "bot": "random"})], "random"),
        ([("replaced", {"seat": 0, "bot": "random"}), ("replaced", {"seat": 0, "bot": None})], None),
        ([("resigned", {"seat": 0}), ("replaced", {"seat": 0, "bot": None})], "rule"),
    ],
)
def test_who_speaks_for_a_seat(events: list[tuple[str, dict[str, Any]]], driver: str | None) -> None:
    assert told(dealt(), *events).seats[0].driver == driver


def test_the_fold_trusts_what_was_recorded() -> None:
    """A word is applied without asking whether it was legal, a score without making it again."""
    m = told(dealt(), scored([7, 7, 7, 7]))
    assert m.totals == [7, 7, 7, 7]


def test_words_of_scored_deals_may_be_left_out() -> None:
    m = match_at([3, 1, 2, 0], {})
    for _ in range(40):
        move(m, f"{m.to_act[0]} {m.game.clock(m.deal, m.to_act[0])}")
    events = stored(m.fresh)
    short = unscored(events)
    assert len(short) < len(events)
    assert state(fold("m-1", short)) == state(fold("m-1", events)) == state(m)
