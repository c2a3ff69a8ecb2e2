"""Several at once, at the server that really runs: two processes, real connections (C5-C9, C12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import psycopg
import pytest
from psycopg import sql

from tests.api.http import Answer, Client
from tests.api.tables import moves, opened, started, turn


def at_once(*asked: Callable[[], Answer]) -> list[Answer]:
    """What each is answered when all ask at the same moment."""
    gate = Barrier(len(asked))

    def ask(call: Callable[[], Answer]) -> Answer:
        gate.wait()
        return call()

    with ThreadPoolExecutor(len(asked)) as pool:
        return list(pool.map(ask, asked))


@pytest.fixture(scope="module")
def four(server: Client) -> list[Client]:
    return [server.player() for _ in range(4)]


def events(client: Client, match: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.read(f"/v1/matches/{match}/events?limit=200")["items"]
    return found


@pytest.mark.parametrize("named", [True, False], ids=["with If-Match", "without"])
def test_of_sixteen_at_the_same_version_one_wins(four: list[Client], named: bool) -> None:
    """C5"""
    match = started(*four)["id"]
    client, seen = turn(four, match)
    headers = {"If_Match": f'"{seen["version"]}"'} if named else {}
    answers = at_once(*[lambda: client.post(moves(match), {"move": "pass"}, **headers)] * 16)
    assert Counter(answer.status for answer in answers)[201] == 1
    assert {answer.code for answer in answers} <= {None, "stale_version", "not_your_turn"}
    assert all(answer.code == "stale_version" for answer in answers if named and answer.status != 201)
    assert [event["type"] for event in events(client, match)].count("moved") == 1


def test_a_lost_answer_is_given_again(four: list[Client]) -> None:
    """C6: with the key of the first request, and its If-Match, which is stale by now."""
    match = started(*four)["id"]
    client, seen = turn(four, match)
    headers = {"If_Match": f'"{seen["version"]}"', "Idempotency_Key": "lost"}
    first, again = (client.post(moves(match), {"move": "pass"}, **headers) for _ in range(2))
    assert (first.status, again.status, again.text) == (201, 201, first.text)
    assert again.headers["Idempotent-Replayed"] == "true" and "Idempotent-Replayed" not in first.headers
    assert again.headers["ETag"] == first.headers["ETag"]
    assert [event["type"] for event in events(client, match)].count("moved") == 1


def test_a_double_click_plays_one_card(four: list[Client]) -> None:
    """C7: the card has left the hand when it is said again."""
    match = started(*four, options={"declarations": "none"})["id"]
    client, seen = turn(four, match)
    card = seen["deal"]["legal"][0]
    answers = at_once(*[lambda: client.post(moves(match), {"move": card})] * 2)
    assert sorted(answer.status for answer in answers)[0] == 201
    assert [answer.code for answer in answers if answer.status != 201][0] in ("not_your_turn", "stale_version")
    assert [event["type"] for event in events(client, match)].count("moved") == 1


def test_of_twelve_twins_one_executes(four: list[Client]) -> None:
    """C8"""
    match = started(*four)["id"]
    client, seen = turn(four, match)
    headers = {"If_Match": f'"{seen["version"]}"', "Idempotency_Key": "twins"}
    answers = at_once(*[lambda: client.post(moves(match), {"move": "pass"}, **headers)] * 12)
    assert {(answer.status, answer.text) for answer in answers} == {(201, answers[0].text)}
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 11
    assert [event["type"] for event in events(client, match)].count("moved") == 1
    assert client.post(moves(match), {"move": "capot"}, **headers).code == "idempotency_conflict"


def test_a_failure_leaves_the_key_free(four: list[Client]) -> None:
    match = started(*four)["id"]
    client, _ = turn(four, match)
    assert client.post(moves(match), {"move": "JJ"}, Idempotency_Key="second try").code == "illegal_move"
    assert client.post(moves(match), {"move": "pass"}, Idempotency_Key="second try").status == 201


def test_keys_of_one_player_or_match_are_no_keys_of_another(four: list[Client]) -> None:
    one, other = (started(*four)["id"] for _ in range(2))
    for match in (one, other):
        client, _ = turn(four, match)
        answer = client.post(moves(match), {"move": "pass"}, Idempotency_Key="same")
        assert answer.status == 201 and "Idempotent-Replayed" not in answer.headers
    client, _ = turn(four, one)
    assert client.post(moves(one), {"move": "pass"}, Idempotency_Key="same").status == 201


def test_two_who_take_the_last_seat_start_one_deal(server: Client) -> None:
    """C9"""
    host, one, other = (server.player() for _ in range(3))
    seats = [{"player": "me"}, {"bot": "rule"}, {"open": True}]
    match = host.made("/v1/matches", {"game": "polignac", "seats": seats})["id"]
    answers = at_once(*(lambda each=each: each.post(f"/v1/matches/{match}/seats") for each in (one, other)))
    assert sorted(answer.status for answer in answers) == [201, 409]
    assert next(answer.code for answer in answers if answer.status == 409) in ("seat_taken", "match_started")
    assert [event["type"] for event in events(host, match)].count("dealt") == 1


def test_seats_taken_at_once_are_all_taken_and_dealt_once(four: list[Client]) -> None:
    match = opened(*four)["id"]
    answers = at_once(*(lambda each=each: each.post(f"/v1/matches/{match}/seats") for each in four[1:]))
    assert [answer.status for answer in answers] == [201] * 3
    assert [event["type"] for event in events(four[0], match)] == ["opened", *["seated"] * 3, "dealt"]


def test_nothing_but_a_void_comes_after_the_end(four: list[Client]) -> None:
    """C12"""
    match = started(*four)["id"]
    for client in four[:3]:
        ended = client.made(f"/v1/matches/{match}/resignation")["match"]
    assert (ended["status"], ended["result"]["reason"]) == ("ended", "resignation")
    client = four[3]
    late = [
        client.post(moves(match), {"move": "pass"}),
        client.post(f"/v1/matches/{match}/seats"),
        client.delete(f"/v1/matches/{match}/seats/3"),
        client.post(f"/v1/matches/{match}/resignation"),
        four[0].post(f"/v1/matches/{match}/invitations"),
    ]
    assert [answer.code for answer in late] == ["match_over"] * len(late)
    assert four[0].made(f"/v1/matches/{match}/void")["match"]["status"] == "voided"
    assert four[0].post(f"/v1/matches/{match}/void").code == "match_over"


def test_a_read_changes_nothing(four: list[Client], owner: psycopg.Connection[Any]) -> None:
    """C10, over every row there is."""
    match = started(*four)["id"]
    paths = ["", "?at=1", "/events", "/audit", "/ledger"]
    before = rows(owner)
    for path in paths:
        four[0].get(f"/v1/matches/{match}{path}")
    for path in ("/v1/matches", "/v1/me", "/v1/me/tokens", f"/v1/players/{four[1].id}", "/metrics"):
        four[0].get(path)
    assert rows(owner) == before


def rows(owner: psycopg.Connection[Any]) -> dict[str, str]:
    """A digest of each table."""
    tables = owner.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
    digest = "select coalesce(md5(string_agg(row::text, '' order by row::text)), '') from {} as row"
    found = {}
    for (table,) in tables:
        query = sql.SQL(digest).format(sql.Identifier(table))
        found[table] = (owner.execute(query).fetchone() or [""])[0]
    return found
