"""A match of Polignac against a model: any order of opening, sitting, leaving, moving, resigning and voiding.

What always holds: one version an event, a refusal changes nothing, the totals are the points that were scored, the
events make the match again, and after the end nothing is added but a void.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain import decide, rules
from domain.errors import RefusedError
from domain.match import Match, fold
from domain.secrecy import options_json
from tests.laws.matches import drawing, short_rules, state, stored, unscored
from tests.laws.tables import MANNERS, Table, next_word

GAME = rules.games()["polignac"]
TABLES = [Table(GAME, variant, seats) for variant, preset in GAME.VARIANTS.items() for seats in preset.seats]
PLAYERS = [f"p-{number}" for number in range(8)]
seats = st.integers(-1, 6)


class MatchMachine(RuleBasedStateMachine):
    """Every call goes through `attempt`, which compares the match before and after."""

    m: Match
    random: Random

    @initialize(
        table=st.sampled_from(TABLES), seed=st.integers(0, 10**6), full=st.sampled_from([True, True, True, False])
    )
    def open(self, table: Table, seed: int, full: bool) -> None:
        self.random = Random(seed)
        self.draw = drawing(self.random)
        given = {**short_rules(table, self.random), **self.random.choice([{}, {"target": 2, "deals": None}])}
        options = rules.effective(GAME, table.variant, given, table.seats)
        host, *others = PLAYERS[: table.seats]
        places = [{"player": host}, *({"player": other} if self.random.random() < 0.3 else {} for other in others)]
        self.m = Match(f"m-{seed}")
        opened = {"game": "polignac", "variant": table.variant, "rules": 1, "options": options_json(options)}
        decide.open_match(self.m, {**opened, "seats": places, "host": host, "visibility": "public"}, self.draw)
        for seat in range(1, table.seats if full else 1):
            decide.sit(self.m, None if places[seat] else seat, PLAYERS[seat], self.draw)

    def attempt(self, act: Callable[..., None], *given: Any) -> None:
        """Does it, or is refused; a refusal leaves everything as it was."""
        before, count, over = state(self.m), len(self.m.fresh), self.m.over
        try:
            act(self.m, *given)
        except RefusedError:
            assert (state(self.m), len(self.m.fresh)) == (before, count)
        if over:
            assert [event.type for event in self.m.fresh[count:]] in ([], ["voided"])

    @rule(seat=st.none() | seats, player=st.sampled_from(PLAYERS))
    def sit(self, seat: int | None, player: str) -> None:
        self.attempt(decide.sit, seat, player, self.draw)
        if self.m.status == "open":
            assert sum(place.player == player for place in self.m.seats) <= 1

    @rule(seat=seats)
    def leave(self, seat: int) -> None:
        self.attempt(decide.leave, seat)

    @rule(seat=st.none() | seats, bot=st.sampled_from(["random", "rule"]))
    def seat_a_bot(self, seat: int | None, bot: str) -> None:
        self.attempt(decide.seat_bot, seat, bot, self.draw)

    @precondition(lambda self: self.m.to_act)
    @rule(words=st.sampled_from([1, 5, 40, 200]), manner=st.sampled_from(MANNERS))
    def play_on(self, words: int, manner: str) -> None:
        for _ in range(words):
            if self.m.to_act:
                seat, word = next_word(GAME, self.m.deal, self.random, manner)
                count = self.m.version
                self.attempt(decide.move, seat, word, self.draw)
                assert self.m.version > count, "a legal word is never refused"

    @precondition(lambda self: self.m.to_act)
    @rule(seat=st.integers(0, 2), word=st.sampled_from(GAME.pack(GAME.Options(), [0, 1, 2, 3])) | st.text(max_size=12))
    def say_anything(self, seat: int, word: str) -> None:
        legal, count = decide.legal(self.m, seat), self.m.version
        self.attempt(decide.move, seat, word, self.draw)
        assert (self.m.version > count) == (word in legal)

    @rule(seat=st.integers(0, 2))
    def resign(self, seat: int) -> None:
        self.attempt(decide.resign, seat)

    @precondition(lambda self: self.m.version > 40)
    @rule()
    def void(self) -> None:
        self.attempt(decide.void, "p-0", "a slip")
        assert (self.m.status, self.m.result) == ("voided", None)

    @invariant()
    def versions_count_the_events(self) -> None:
        assert [event.version for event in self.m.fresh] == list(range(1, self.m.version + 1))

    @invariant()
    def totals_are_the_points_of_the_ordinary_deals(self) -> None:
        scored = [event.data for event in self.m.fresh if event.type == "scored"]
        ordinary = [data["points"] for data in scored if not data["extra"]]
        assert self.m.totals == [sum(points[seat] for points in ordinary) for seat in range(len(self.m.seats))]
        assert (self.m.deals, self.m.extra_deals) == (len(ordinary), len(scored) - len(ordinary))

    @invariant()
    def a_match_that_is_played_waits_for_somebody_who_can_speak(self) -> None:
        if self.m.status == "playing":
            assert self.m.to_act
            assert all(decide.legal(self.m, seat) for seat in self.m.to_act)
        else:
            assert self.m.to_act == []
            assert (self.m.status == "open") == (not self.m.over and self.m.dealt is None)

    @invariant()
    def whoever_resigned_ranks_last_and_the_places_are_whole(self) -> None:
        if self.m.result:
            places = self.m.result["places"]
            assert places == [1 + sum(other < place for other in places) for place in places]
            last = max(places)
            assert all(places[n] == last for n, seat in enumerate(self.m.seats) if seat.resigned)

    def teardown(self) -> None:
        if hasattr(self, "m"):
            events = stored(self.m.fresh)
            for kept in (events, unscored(events)):
                assert state(fold(self.m.id, kept)) == state(self.m)


MatchMachine.TestCase.settings = settings(max_examples=100, stateful_step_count=20, deadline=None)
TestMatch = MatchMachine.TestCase
