"""What may be added to a match, and what is refused by name: nothing recorded, version and facts told."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from domain import decide, errors, rules
from domain.match import Match, Seat, emit
from tests.games.polignac import match_at, move, play_deal
from tests.laws.matches import drawing, opened, state
from tests.laws.tables import Table

TABLE = Table(rules.games()["polignac"], "polignac", 4)
DRAW = drawing(Random(4))
PLACES: list[dict[str, Any]] = [{"player": "p-host"}, {"player": "p-ana"}, {}, {"bot": "rule"}]


def waiting() -> Match:
    """The host sits at 0, Ana is invited to 1, 2 is open, a bot has 3."""
    m = Match("m-1")
    decide.open_match(m, {**opened(TABLE, {"declarations": "none"}), "seats": PLACES}, DRAW)
    return m


def playing() -> Match:
    """Seat 0 is eldest."""
    return match_at([0, 0, 0, 0], {0: "9H TH", 1: "7H JS 7S 8S 9S TS QS KS", 2: "KH", 3: "8H"}, revoke="claim")


def ended() -> Match:
    m = match_at([9, 1, 2, 3], {0: "KS QS JS AS TS 9S 8S 7S"})
    play_deal(m)
    return m


def voided() -> Match:
    m = playing()
    decide.void(m, "p-0", "wrong round")
    return m


def test_an_invited_player_accepts_and_anybody_takes_an_open_seat() -> None:
    m = waiting()
    decide.sit(m, None, "p-ana", DRAW)
    assert m.seats[1] == Seat("p-ana", accepted=True)
    decide.sit(m, 2, "p-eva", DRAW)
    assert m.seats[2] == Seat("p-eva", accepted=True)
    assert m.status == "playing"


def test_an_open_seat_without_a_number_is_the_lowest_one() -> None:
    m = waiting()
    decide.leave(m, 0)
    decide.sit(m, None, "p-eva", DRAW)
    assert m.seat_of("p-eva") == 0


def test_leaving_opens_the_seat_and_leaving_an_open_one_is_no_event() -> None:
    m = waiting()
    decide.leave(m, 1)
    assert m.seats[1] == Seat()
    count = m.version
    decide.leave(m, 2)
    assert m.version == count


def test_a_bot_takes_a_seat_that_nobody_has_accepted() -> None:
    m = waiting()
    decide.seat_bot(m, 1, "random", DRAW)
    assert m.seats[1] == Seat(bot="random")
    decide.seat_bot(m, None, "random", DRAW)
    assert (m.seats[2].driver, m.status) == ("random", "playing")


REFUSED: list[tuple[str, Callable[[], Match], Callable[[Match], None], type[errors.RefusedError]]] = [
    ("a taken seat", waiting, lambda m: decide.sit(m, 3, "p-eva", DRAW), errors.SeatTakenError),
    ("an invited player's seat", waiting, lambda m: decide.sit(m, 1, "p-eva", DRAW), errors.SeatTakenError),
    ("a second seat", waiting, lambda m: decide.sit(m, 2, "p-host", DRAW), errors.AlreadySeatedError),
    ("one's own seat again", waiting, lambda m: decide.sit(m, 0, "p-host", DRAW), errors.AlreadySeatedError),
    ("another than invited to", waiting, lambda m: decide.sit(m, 2, "p-ana", DRAW), errors.AlreadySeatedError),
    ("seat 4 of four", waiting, lambda m: decide.sit(m, 4, "p-eva", DRAW), errors.NoSuchSeatError),
    ("seat -1", waiting, lambda m: decide.sit(m, -1, "p-eva", DRAW), errors.NoSuchSeatError),
    ("a bot on a bot", waiting, lambda m: decide.seat_bot(m, 3, "rule", DRAW), errors.SeatTakenError),
    ("a bot on the host", waiting, lambda m: decide.seat_bot(m, 0, "rule", DRAW), errors.SeatTakenError),
    ("a bot on seat 4", waiting, lambda m: decide.seat_bot(m, 4, "rule", DRAW), errors.NoSuchSeatError),
    ("leaving seat 4", waiting, lambda m: decide.leave(m, 4), errors.NoSuchSeatError),
    ("leaving seat -1", waiting, lambda m: decide.leave(m, -1), errors.NoSuchSeatError),
    ("a word before the start", waiting, lambda m: decide.move(m, 0, "9H", DRAW), errors.MatchNotStartedError),
    ("resigning before the start", waiting, lambda m: decide.resign(m, 0), errors.MatchNotStartedError),
    ("sitting down late", playing, lambda m: decide.sit(m, None, "p-eva", DRAW), errors.MatchStartedError),
    ("coming back to a seat never left", playing, lambda m: decide.sit(m, 0, "p-0", DRAW), errors.MatchStartedError),
    ("a bot late", playing, lambda m: decide.seat_bot(m, 1, "rule", DRAW), errors.MatchStartedError),
    ("leaving late", playing, lambda m: decide.leave(m, 1), errors.MatchStartedError),
    ("a word out of turn", playing, lambda m: decide.move(m, 1, "7H", DRAW), errors.NotYourTurnError),
    ("another's card", playing, lambda m: decide.move(m, 0, "KH", DRAW), errors.IllegalMoveError),
    ("a claim of nothing", playing, lambda m: decide.move(m, 1, "claim 0 1", DRAW), errors.IllegalMoveError),
    ("an empty word", playing, lambda m: decide.move(m, 0, "", DRAW), errors.IllegalMoveError),
    ("a long word", playing, lambda m: decide.move(m, 0, "x" * 10_000, DRAW), errors.IllegalMoveError),
    ("a word after the end", ended, lambda m: decide.move(m, 0, "9H", DRAW), errors.MatchOverError),
    ("resigning after the end", ended, lambda m: decide.resign(m, 0), errors.MatchOverError),
    ("sitting after the end", ended, lambda m: decide.sit(m, None, "p-eva", DRAW), errors.MatchOverError),
    ("a word after a void", voided, lambda m: decide.move(m, 0, "9H", DRAW), errors.MatchOverError),
    ("resigning after a void", voided, lambda m: decide.resign(m, 0), errors.MatchOverError),
    ("leaving after a void", voided, lambda m: decide.leave(m, 0), errors.MatchOverError),
    ("voiding twice", voided, lambda m: decide.void(m, "p-0", "again"), errors.MatchOverError),
]  # fmt: skip


@pytest.mark.parametrize(("case", "start", "attempt", "refusal"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_may_not_be_is_refused_by_name_and_nothing_is_recorded(
    case: str, start: Callable[[], Match], attempt: Callable[[Match], None], refusal: type[errors.RefusedError]
) -> None:
    m = start()
    before, count = state(m), len(m.fresh)
    with pytest.raises(refusal) as refused:
        attempt(m)
    assert type(refused.value) is refusal
    assert (state(m), len(m.fresh)) == (before, count)


def test_no_seat_is_free_when_the_last_one_is_kept_for_somebody() -> None:
    m = waiting()
    decide.seat_bot(m, 2, "rule", DRAW)
    with pytest.raises(errors.SeatTakenError, match="no seat is free"):
        decide.sit(m, None, "p-eva", DRAW)


def test_a_refused_word_tells_version_place_and_what_is_legal() -> None:
    m = playing()
    with pytest.raises(
        errors.IllegalMoveError, match=f"'KH' is not legal for seat 0 at version {m.version}"
    ) as refused:
        decide.move(m, 0, "KH", DRAW)
    assert refused.value.facts == {"version": m.version, "legal": decide.legal(m, 0)}
    with pytest.raises(errors.NotYourTurnError, match=f"seat 2 owes no word at version {m.version}") as early:
        decide.move(m, 2, "KH", DRAW)
    assert early.value.facts == {"version": m.version, "legal": []}


def test_a_word_out_of_turn_is_heard_where_the_game_allows_it() -> None:
    m = playing()
    move(m, "0 9H, 1 JS")
    assert m.to_act == [2]
    decide.move(m, 3, "claim 1 1", DRAW)
    assert m.to_act == [1]
    assert m.fresh[-1].data == {"seat": 3, "move": "claim 1 1"}


def test_nothing_is_legal_unless_the_match_is_being_played() -> None:
    for m in (waiting(), ended(), voided()):
        assert [decide.legal(m, seat) for seat in range(4)] == [[]] * 4


def test_who_resigns_is_driven_by_a_bot_for_good_and_ranks_last() -> None:
    m = match_at([5, 9, 5, 7], {0: "KS QS JS AS TS 9S 8S 7S"})
    decide.resign(m, 0)
    assert (m.seats[0].driver, m.status) == ("rule", "playing")
    with pytest.raises(errors.NotAllowedError, match="seat 0 has resigned already"):
        decide.resign(m, 0)
    play_deal(m)
    assert m.result == {"places": [4, 3, 1, 2], "totals": [10, 9, 5, 7], "reason": "target"}


def test_when_all_but_one_have_resigned_he_has_won() -> None:
    m = playing()
    for seat in (3, 1):
        decide.resign(m, seat)
        assert m.status == "playing"
    decide.resign(m, 0)
    assert m.result == {"places": [2, 2, 1, 2], "totals": [0, 0, 0, 0], "reason": "resignation"}


@pytest.mark.parametrize("attempt", [
    (decide.sit, (None, "p-0", DRAW)), (decide.sit, (0, "p-0", DRAW)), (decide.move, (0, "9H", DRAW)),
])  # fmt: skip
def test_a_player_comes_back_to_the_seat_a_bot_took_by_sitting_or_by_speaking(
    attempt: tuple[Callable[..., None], tuple[Any, ...]],
) -> None:
    m = playing()
    emit(m, "replaced", seat=0, bot="rule")
    come_back, more = attempt
    come_back(m, *more)
    assert [seat.driver for seat in m.seats] == [None] * 4
    assert [event.data for event in m.fresh if event.type == "replaced"][-1] == {"seat": 0, "bot": None}


def test_what_the_house_says_for_a_seat_brings_nobody_back() -> None:
    m = playing()
    emit(m, "replaced", seat=0, bot="rule")
    decide.say(m, 0, "9H", DRAW)
    assert m.seats[0].driver == "rule"
    assert m.fresh[-1].data == {"seat": 0, "move": "9H"}


def test_a_match_may_be_voided_at_any_time_and_has_no_result_then() -> None:
    for m in (waiting(), playing(), ended()):
        decide.void(m, "p-host", "a slip")
        assert (m.status, m.result, m.over, m.to_act) == ("voided", None, True, [])
        assert m.fresh[-1].data == {"by": "p-host", "reason": "a slip"}
