"""The bytes of the shuffle, by the published vectors V1 to V7 (docs/fairness.md): they never change (C22)."""

from __future__ import annotations

from itertools import islice

import pytest

from domain import rules
from domain.cards import RANKS, drawn_dealer, french, numbers, shuffled, uniform
from domain.fairness import commitment, key, verify

COUNTING = bytes(range(32))
PIQUET = french("A789TJQK")
BOTTLE_IMP = [str(number) for number in range(1, 38) if number != 19]
POT_DE_VIN = [f"{character}{value}" for character in "AEPU" for value in range(1, 14)]

VECTORS = {
    "V1": (
        PIQUET, COUNTING, "m-0001", 1, [], 4,
        "2c5868f126054fac94405f7a19859f16a541c05768f0c0dd302cad753174f54e",
        "ebbd62e2b8b4316c009db494b853f97e2f3a656a996c711321c4a2bfa2fd1776", 1,
        "AS 9C TS AH JC KS TH 9H 8D TC TD KC KH AC JS AD JD QC 7C 7D 8H 7H QD 9D JH QH 8C 9S 7S QS KD 8S",
    ),
    "V2": (
        PIQUET, COUNTING, "m-0001", 1, [b"ana", b"", b"luis", b"\x00\xff"], 4,
        "2c5868f126054fac94405f7a19859f16a541c05768f0c0dd302cad753174f54e",
        "3e8b24b903f22b6f61961a6994316007d1a0bfecc4cdb13802c5c6372204ebd7", 3,
        "KC JH TH QH QC 9H QD JC KS AS 9C JD 9S 8H 8C AH KH TD 7C QS TC TS 7S AC 7H 8D AD JS 8S KD 7D 9D",
    ),
    "V3": (
        [card for card in PIQUET if card not in ("7S", "7C")], COUNTING, "m-0001", 7, [], 3,
        "fe17fa91da1b7cd67b78d0cc2a0a2126b55896a29f41c75b24c07976e92d9945",
        "ac4922fede92f9336bf2d98312b6cd3e053193f07cc607079b5ea0d94c19c3e5", 1,
        "9S QC TD AC JC TH KH KC JD 7D 8S 7H JS KS KD 8H QS 9H 9D AS AD TC 9C QH AH TS 8C JH 8D QD",
    ),
    "V4": (
        BOTTLE_IMP, bytes(32), "01J0ZZZZZZ", 2, [b"a", b"b", b"c"], 3,
        "5c6f68a4fcbc2b6b1759bebf138a473f18089b0d60b685bbebb0cc74743cfe25",
        "2a10ffdd1240bc5410398cfab99b4f11956df3e0db48fc8b54ccb632a7be913f", 1,
        "6 18 34 24 16 20 23 28 9 21 35 8 31 4 33 11 15 17 13 3 26 1 32 25 5 27 2 14 29 7 22 10 37 12 36 30",
    ),
    "V5": (
        POT_DE_VIN, bytes.fromhex("7d6c36a4fd820ad5668e6c801b2027a09a8652dff1a91774e8cf69e3f62e3953"),
        "partida/ñ/7", 1, [], 5,
        "f08539782f7d29fdce0daf580346c706dcdef70ca19a247edacc7b3f4fd5fc30",
        "d4b5c4ea4f496b8b0599ebe77423b19f78188ca37875ed8be1939c52a0fb6082", 4,
        "A5 U4 U13 A1 P12 E7 P7 U5 U10 U11 E1 E11 U9 P10 E3 A8 E2 E13 U8 U2 A9 P6 A10 A3 E8 E6 A7 E4 P8 P3 A2 E9 A12 "
        "U6 E12 P13 P4 P2 P5 U7 U1 P9 E10 A11 A4 E5 P11 P1 A13 U12 A6 U3",
    ),
    "V6": (
        french(), bytes(32), "m-0002", 1, [], 4,
        "86aeb762e5b1abcd80b42a282d31e7b42065ee1594a7f1c6133c34c4ce73ec73",
        "ecc4f0a172999dcccefa6fcab2feb1ae169e7a69d3e7eafda8d3b52751cf9589", 0,
        "3S 8S 2C AD 2S 5S KD 7C 4D 9C 5C 2H 6S JD 7H 3C 8C JS 4S AS AC QC 6H QD AH 4H TD JC TC 7S 8D QS 9S 3H 7D 5H "
        "KH TS QH 3D 9D 6D KS KC 9H 4C JH 2D TH 5D 8H 6C",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", VECTORS)
def test_v1_to_v6_commitment_key_dealer_and_pack(name: str) -> None:
    canonical, seed, match, deal, nonces, seats, committed, made, dealer, pack = VECTORS[name]
    assert commitment(seed, match, deal) == committed
    assert key(seed, match, deal, nonces).hex() == made
    assert drawn_dealer(bytes.fromhex(made), seats) == dealer
    assert shuffled(canonical, bytes.fromhex(made)) == pack.split()
    assert verify(pack.split(), canonical, seed, match, deal, committed, nonces) == []


def test_v7_words_that_would_favour_some_are_skipped() -> None:
    stream = numbers(bytes(32), b"/pack\0")
    drawn = [uniform(stream, 3_000_000_000) for _ in range(8)]
    assert drawn == [1298271956, 2219773381, 2836577657, 140921863, 1755854919, 55423733, 1503055387, 1286795131]
    following = next(stream)
    assert following == next(islice(numbers(bytes(32), b"/pack\0"), 8 + 3, None)), "3 words were rejected"


@pytest.mark.parametrize(
    ("changed", "faults"),
    [
        ({"seed": bytes(32)}, ["the seed does not give the commitment", "the seed does not give the pack"]),
        ({"deal": 2}, ["the seed does not give the commitment", "the seed does not give the pack"]),
        ({"match": "m-0002"}, ["the seed does not give the commitment", "the seed does not give the pack"]),
        ({"nonces": [b"", b"", b"", b""]}, ["the seed does not give the pack"]),
        ({"committed": "00" * 32}, ["the seed does not give the commitment"]),
        ({"pack": [*PIQUET]}, ["the seed does not give the pack"]),
        ({"canonical": PIQUET[::-1]}, ["the seed does not give the pack"]),
    ],
)
def test_verify_names_what_does_not_fit(changed: dict[str, object], faults: list[str]) -> None:
    canonical, seed, match, deal, nonces, _, committed, _, _, pack = VECTORS["V1"]
    shown = {"pack": pack.split(), "canonical": canonical, "seed": seed, "match": match, "deal": deal,
             "committed": committed, "nonces": nonces}  # fmt: skip
    assert verify(**{**shown, **changed}) == faults  # type: ignore[arg-type]


def test_the_length_stands_before_a_name_so_that_no_two_are_alike() -> None:
    assert commitment(bytes(32), "m-1", 1) != commitment(bytes(32), "m-11", 1)
    assert key(bytes(32), "m", 1, [b"a", b"bc"]) != key(bytes(32), "m", 1, [b"ab", b"c"])


CANONICAL = {
    "polignac": {4: PIQUET, 3: [card for card in PIQUET if card not in ("7S", "7C")]},
    "bottle_imp": {4: BOTTLE_IMP},
    "pot_de_vin": {4: POT_DE_VIN},
    "mykonos": {4: french(), 3: french("3456789TJQK"), 2: french("56789TJQK")},
}


@pytest.mark.parametrize("name", [name for name in rules.games() if name in CANONICAL])
def test_the_order_of_the_canonical_packs_is_part_of_every_replay(name: str) -> None:
    """Suits C D H S, in each A 2 3 … T J Q K; 1 … 37 without 19; A1 … A13, E1 …, P1 …, U1 …"""
    game = rules.games()[name]
    for seats, pack in CANONICAL[name].items():
        variant = next(v for v, preset in game.VARIANTS.items() if seats in preset.seats)
        assert game.pack(rules.effective(game, variant, {}, seats), list(range(seats))) == pack


def test_the_french_pack_stands_by_suits_then_ranks() -> None:
    assert french()[:14] == [*(rank + "C" for rank in "A23456789TJQK"), "AD"]
    assert [card[1] for card in french("A")] == ["C", "D", "H", "S"]
    assert french("KA") == french("AK"), "the order asked for does not matter"
    assert len(french()) == len(set(french())) == 4 * len(RANKS)
