"""Fair deals over HTTP: the promise, the nonces, the deal; who may say what meanwhile, and what leaves when (C2)."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from domain.fairness import commitment, verify
from store.db import Connection
from store.events import Events
from tests.api.http import Answer, Client
from tests.api.tables import BOT, PACK, moves, played, say, started, text
from tests.api.test_replay import agrees, table

NONCES = ("616e61", "", "6c756973", "00FF")


@pytest.fixture
def four(anybody: Client) -> list[Client]:
    return [anybody.player() for _ in range(4)]


def give(client: Client, match: str, nonce: Any = "", deal: Any = 1, **headers: str) -> Answer:
    return client.post(f"/v1/matches/{match}/nonces", {"deal": deal, "nonce": nonce}, **headers)


def give_all(players: Sequence[Client], match: str) -> None:
    """Every nonce that is awaited; the table may have more deals than one."""
    seen = players[0].read(f"/v1/matches/{match}")
    for seat in (seen["deal"] or {}).get("awaiting_nonces", []):
        assert give(players[seat], match, NONCES[seat], seen["deal"]["number"]).status == 201


def events(client: Client, match: str) -> list[Any]:
    found: list[Any] = client.read(f"/v1/matches/{match}/events?limit=200")["items"]
    return found


def test_the_deal_waits_for_every_seat_s_nonce_and_is_dealt_with_the_same_promise(four: list[Client]) -> None:
    seen = started(*four, fair=True)
    match, deal = seen["id"], seen["deal"]
    assert (seen["fair"], seen["status"], seen["totals"]) == (True, "playing", [0] * 4) and seen["started_at"]
    assert deal == {
        "number": 1, "extra": False, "seats": [0, 1, 2, 3], "commitment": deal["commitment"],
        "awaiting_nonces": [0, 1, 2, 3], "to_act": [], "your_turn": False, "deadlines": [], "legal": [],
    }  # fmt: skip
    for waiting, seat in enumerate([2, 0, 3], 1):
        answer = give(four[seat], match, NONCES[seat])
        assert [event["type"] for event in answer.json["events"]] == ["nonce"]
        assert len(answer.json["match"]["deal"]["awaiting_nonces"]) == 4 - waiting
    last = give(four[1], match, NONCES[1]).json
    assert [event["type"] for event in last["events"]] == ["nonce", "dealt"]
    assert last["match"]["deal"]["commitment"] == last["events"][1]["commitment"] == deal["commitment"]
    assert [event["nonce"] for event in events(four[0], match) if event["type"] == "nonce"] == [
        "6c756973", "616e61", "00ff", "",
    ]  # fmt: skip


def test_with_the_nonces_and_the_seed_anybody_recomputes_the_pack(four: list[Client], anybody: Client) -> None:
    match = started(*four, fair=True, options={"deals": 2, "tie_break": "shared"})["id"]
    give_all(four, match)
    while anybody.read(f"/v1/matches/{match}")["status"] == "playing":
        give_all(four, match)
        if anybody.read(f"/v1/matches/{match}")["deal"]["to_act"]:
            say(four, match)
    dealings = [event for event in events(anybody, match) if event["type"] == "dealt"]
    assert [dealt["deal"] for dealt in dealings] == [1, 2]
    for dealt in dealings:
        seed, given = bytes.fromhex(dealt["seed"]), list(map(bytes.fromhex, NONCES))
        assert dealt["shuffled_as"] == match
        assert verify(dealt["pack"], PACK, seed, match, dealt["deal"], dealt["commitment"], given) == []
    assert anybody.read(f"/v1/matches/{match}/audit") == {"ok": True, "faults": []}
    for client in (four[2], anybody):
        agrees(client, match, "own")
        agrees(client, match, "all")


def test_no_secret_leaves_before_the_deal_is_scored(four: list[Client], anybody: Client, conn: Connection) -> None:
    """C2: neither of the promise nor of the deal, on any path, to anybody."""
    match = started(*four, fair=True, options={"deals": 1, "tie_break": "shared"})["id"]
    (seed,) = [event.data["seed"] for event in Events(conn).read(match).events if event.type == "committed"]
    for step in range(8):
        for client in (*four, anybody):
            told = [client.get(f"/v1/matches/{match}{path}").text
                    for path in ("", "?at=5", "/events", "/replay", "/audit", "/ledger")]  # fmt: skip
            assert not [answer for answer in told if seed in answer or '"pack"' in answer]
            shown = events(client, match)
            assert all((event["hash"] is None) == (event["version"] >= 5) for event in shown), text(shown)
            refused = client.post(f"/v1/matches/{match}/nonces", {"deal": 1, "nonce": "zz"})
            assert seed not in refused.text
        if step < 4:
            assert give(four[step], match, NONCES[step]).status == 201
        else:
            say(four, match)
    assert commitment(bytes.fromhex(seed), match, 1) == anybody.read(f"/v1/matches/{match}")["deal"]["commitment"]
    played(four, match)
    assert [event["seed"] for event in events(anybody, match) if event["type"] in ("committed", "dealt")] == [seed] * 2


@pytest.mark.parametrize("game", ["bottle_imp", "pot_de_vin", "mykonos"])
def test_a_fair_match_of_every_other_game_can_be_replayed(anybody: Client, game: str) -> None:
    players = [anybody.player() for _ in range(3)]
    match = table(players, game, fair=True, clock={"turn_seconds": 600})
    for step in range(4):
        agrees(players[1], match, "own")
        if step < 2:
            give(players[step], match, "00" * 64)
    give_all(players, match)
    say(players, match)
    agrees(players[1], match, "own")


def test_nobody_says_a_word_twice_answers_or_answers_for_another_deal(four: list[Client], anybody: Client) -> None:
    match = started(*four, fair=True)["id"]
    assert four[0].post(moves(match), {"move": "JS"}).code == "not_your_turn"
    assert four[0].delete(f"/v1/matches/{match}/seats/0").code == "match_started"
    for deal in (2, 7, 2**31 - 1):
        assert give(four[0], match, deal=deal).code == "not_your_turn"
    assert give(anybody, match).code == "unauthenticated"
    assert give(anybody.player(), match).code == "not_allowed"
    assert give(four[0], match, "01").status == 201
    for nonce in ("01", "02"):
        assert give(four[0], match, nonce).code == "not_your_turn"
    give_all(four, match)
    assert give(four[0], match).code == "not_your_turn", "the deal is dealt"
    plain = started(*four)["id"]
    assert give(four[0], plain).code == "not_your_turn", "the match asks for none"


@pytest.mark.parametrize("nonce", ["6", "zz", "61 61", "616e61\n", " ", "00" * 65, None, 7, ["00"], "0x00"])
def test_a_nonce_is_up_to_64_bytes_in_hex(four: list[Client], nonce: Any) -> None:
    match = started(*four, fair=True)["id"]
    refused = give(four[0], match, nonce)
    assert refused.code == "invalid" and list(refused.json["errors"]) == ["nonce"]
    assert len(four[0].read(f"/v1/matches/{match}")["deal"]["awaiting_nonces"]) == 4


NOT_NONCES: list[Any] = [
    {}, {"nonce": "00"}, {"deal": 1}, {"deal": "1", "nonce": ""}, {"deal": 0, "nonce": ""},
    {"deal": 1, "nonce": "", "seat": 2},
]  # fmt: skip


@pytest.mark.parametrize("body", NOT_NONCES)
def test_what_is_not_a_nonce_is_refused(four: list[Client], body: Any) -> None:
    match = started(*four, fair=True)["id"]
    assert four[0].post(f"/v1/matches/{match}/nonces", body).code == "invalid"


def test_a_nonce_with_a_key_is_given_once_and_a_stale_version_gives_none(four: list[Client]) -> None:
    seen = started(*four, fair=True)
    match, version = seen["id"], seen["version"]
    first = give(four[0], match, "01", Idempotency_Key="n", If_Match=f'"{version}"')
    again = give(four[0], match, "01", Idempotency_Key="n", If_Match=f'"{version}"')
    assert first.text == again.text and again.headers["Idempotent-Replayed"] == "true"
    assert give(four[1], match, "01", If_Match=f'"{version}"').code == "stale_version"
    assert give(four[0], match, "02", Idempotency_Key="n").code == "idempotency_conflict"


def test_nonces_that_come_at_once_are_all_taken_and_the_deal_is_dealt_once(server: Client) -> None:
    """A lost race against other seats is run again; of one seat's twins a single one counts."""
    players = [server.player() for _ in range(4)]
    match = started(*players, fair=True)["id"]
    with ThreadPoolExecutor(8) as threads:
        answers = [*threads.map(lambda seat: (seat, give(players[seat], match, f"0{seat}")), [0, 1, 2, 3] * 2)]
    for seat in range(4):
        codes = [answer.code for each, answer in answers if each == seat]
        assert codes.count(None) == 1 and set(codes) <= {None, "not_your_turn", "stale_version"}, codes
    kinds = [event["type"] for event in events(players[0], match)]
    assert (kinds.count("nonce"), kinds.count("dealt")) == (4, 1) and kinds[-1] == "dealt"


def test_bots_answer_at_once_and_alone_they_wait_for_nobody(four: list[Client]) -> None:
    ana = four[0]
    match = ana.made("/v1/matches", {"game": "polignac", "fair": True, "seats": [{"player": "me"}, BOT, BOT, BOT]})
    assert match["deal"]["awaiting_nonces"] == [0]
    alone = ana.made("/v1/matches", {"game": "polignac", "fair": True, "seats": [BOT] * 4})
    assert alone["deal"]["view"] and [event["type"] for event in events(ana, alone["id"])][1:7] == [
        "committed", "nonce", "nonce", "nonce", "nonce", "dealt",
    ]  # fmt: skip


def test_whoever_resigns_or_voids_leaves_nobody_waiting(four: list[Client], anybody: Client) -> None:
    match = started(*four, fair=True)["id"]
    for client in four[:3]:
        give(client, match)
    kinds = [event["type"] for event in four[3].made(f"/v1/matches/{match}/resignation")["events"]]
    assert kinds == ["resigned", "nonce", "dealt"]
    waiting = started(*four, fair=True)["id"]
    voided = four[0].made(f"/v1/matches/{waiting}/void")["match"]
    assert (voided["status"], voided["deal"]["awaiting_nonces"]) == ("voided", [])
    promise = next(event for event in events(anybody, waiting) if event["type"] == "committed")
    assert commitment(bytes.fromhex(promise["seed"]), waiting, 1) == promise["commitment"]
    assert give(four[1], waiting).code == "match_over"
    open_match = four[0].made(
        "/v1/matches", {"game": "polignac", "fair": True, "seats": [{"player": "me"}, *[{"open": True}] * 3]}
    )
    assert give(four[0], open_match["id"]).code == "match_not_started"


def test_a_fair_match_has_no_prepared_packs_and_says_so(ana: Client) -> None:
    seats = [{"player": "me"}, BOT, BOT, BOT]
    refused = ana.post("/v1/matches", {"game": "polignac", "fair": True, "packs": [PACK], "seats": seats})
    assert refused.code == "invalid" and list(refused.json["errors"]) == ["fair"]


def test_a_list_shows_a_match_that_awaits_nonces_as_playing(four: list[Client]) -> None:
    match = started(*four, fair=True)["id"]
    listed = four[0].read(f"/v1/matches?status=playing&player={four[3].id}")["items"]
    assert [(item["id"], item["status"]) for item in listed] == [(match, "playing")]
