"""Shuffles and draws: whole, even, and the same for the same key."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cards import drawn_dealer, numbers, shuffled, uniform


@given(st.binary(min_size=32, max_size=32), st.integers(0, 60))
def test_a_shuffle_keeps_every_card_and_leaves_the_given_pack_alone(key: bytes, size: int) -> None:
    before = [str(card) for card in range(size)]
    pack = before[:]
    assert sorted(shuffled(pack, key)) == sorted(pack)
    assert shuffled(pack, key) == shuffled(pack, key)
    assert pack == before


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32))
def test_a_draw_lies_below_its_bound(key: bytes, below: int) -> None:
    assert 0 <= uniform(numbers(key, b"/x\0"), below) < below


def test_every_order_of_three_cards_is_equally_likely() -> None:
    drawn = Counter("".join(shuffled("abc", number.to_bytes(32, "big"))) for number in range(6_000))
    assert set(drawn) == {"".join(order) for order in permutations("abc")}
    assert all(abs(count - 1_000) < 5 * (1_000 * 5 / 6) ** 0.5 for count in drawn.values())


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_seat_is_equally_likely_to_deal_first(seats: int) -> None:
    drawn = Counter(drawn_dealer(number.to_bytes(32, "big"), seats) for number in range(3_000))
    share = 3_000 / seats
    assert set(drawn) == set(range(seats))
    assert all(abs(count - share) < 5 * (share * (1 - 1 / seats)) ** 0.5 for count in drawn.values())


def test_streams_of_different_labels_have_nothing_in_common() -> None:
    pack, dealer = (numbers(bytes(32), label) for label in (b"/pack\0", b"/dealer\0"))
    assert not {next(pack) for _ in range(100)} & {next(dealer) for _ in range(100)}
