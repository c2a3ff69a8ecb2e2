"""Who may do what, over every operation there is: tokens, private matches, invitations (C3, C27)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from api.auth import SCOPES
from tests.api.clubs import club, drawn
from tests.api.described import NOWHERE, Described, document, operations, sample
from tests.api.http import Answer, Client
from tests.api.tables import opened, started

EVERY = list(operations())
GUARDED = [each for each in EVERY if each.scopes]
AT_MATCHES = [each for each in EVERY if "{match}" in each.template]
AT_LEAGUES = [each for each in EVERY if "{league}" in each.template or "{season}" in each.template]
BODIES = {"POST /v1/seasons/{season}/members": {"name": "Bea"}}  # where a sample is none: one of several fields
NEVER = {"Accept": "image/png"}  # nobody has that, so what may be done stops there, and nothing is done


def test_there_are_operations_to_be_tried() -> None:
    assert len(EVERY) >= 30 and len(GUARDED) >= 20 and len(AT_MATCHES) >= 10
    assert all(set(each.scopes) <= set(SCOPES) for each in GUARDED)


def test_what_writes_is_never_public_but_registering() -> None:
    """Default deny."""
    assert [str(each) for each in EVERY if each.method != "GET" and each.public] == ["POST /v1/players"]


# Tokens


def tried(client: Client, operation: Described) -> str | None:
    """What somebody is told who may want it; `not_acceptable` when he may."""
    body = operation.body if operation.method != "GET" else None
    return client.call(operation.method, operation.path(seat=1), body, **NEVER).code


@pytest.fixture(scope="module")
def owner_of_tokens(anybody: Client) -> Client:
    return anybody.player("Ana")


def token(client: Client, *scopes: str, **facts: Any) -> tuple[str, Client]:
    """Another token of the same player: its id, and him with it."""
    made = client.made("/v1/me/tokens", {"label": "x", "scopes": scopes, **facts})
    return made["id"], client.bearing(made["token"])


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_what_its_scope_says_and_nothing_else(owner_of_tokens: Client, scope: str) -> None:
    _, bearer = token(owner_of_tokens, scope)
    told = {str(operation): tried(bearer, operation) for operation in GUARDED}
    expected = {str(each): "not_acceptable" if scope in each.scopes else "missing_scope" for each in GUARDED}
    assert told == expected


def test_a_token_of_all_scopes_does_everything(owner_of_tokens: Client) -> None:
    assert {tried(owner_of_tokens, operation) for operation in GUARDED} == {"not_acceptable"}


def test_without_a_token_only_what_is_public_is_done(anybody: Client) -> None:
    told = {str(operation): tried(anybody, operation) for operation in GUARDED}
    assert told == {str(each): "not_acceptable" if each.public else "unauthenticated" for each in GUARDED}


BAD = ["revoked", "expired", "unknown", "of one who left", "cut short", "empty"]


@pytest.mark.parametrize("what", BAD)
def test_a_token_that_holds_no_more_opens_nothing_not_even_what_is_public(
    anybody: Client, owner: psycopg.Connection[Any], what: str
) -> None:
    client = anybody.player("Luis")
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    number, bearer = token(client, *SCOPES, expires_at=soon)
    if what == "revoked":
        client.delete(f"/v1/me/tokens/{number}")
    elif what == "expired":
        owner.execute("update token set expires_at = now() where id = %s", [number])
    elif what == "of one who left":
        client.delete("/v1/me")
    else:
        said = {"unknown": "tpt_" + "A" * 43, "cut short": str(bearer.token)[:-1], "empty": "x"}[what]
        bearer = client.bearing(said)
    assert {tried(bearer, operation) for operation in GUARDED} == {"unauthenticated"}


def test_what_is_asked_without_a_token_is_answered_with_a_wrong_one_too(anybody: Client) -> None:
    for operation in EVERY:
        if not operation.scopes and operation.method == "GET":
            answer = anybody.bearing("tpt_wrong").call("GET", operation.path(game="polignac"), **NEVER)
            assert answer.code in ("not_acceptable", None), operation


# Private matches


def asked(stranger: Client, operation: Described, match: str, **known: str) -> Iterator[Answer]:
    """The operation at a match, or at what is known, in each of its media types, at several versions, and as HEAD."""
    known = {"player": stranger.id or NOWHERE, **known}
    path = operation.path(match=match, seat=1, version=1, number=1, **known)
    query = "&".join(f"{name}={value}" for name, value in operation.needed.items())
    path += f"?{query}" if query else ""
    body = BODIES.get(str(operation), operation.body) if operation.method != "GET" else None
    for accept in operation.answers or ["*/*"]:
        yield stranger.call(operation.method, path, body, Accept=accept)
    for version in ('"1"', '"8", "9"', "*"):
        yield stranger.call(operation.method, path, body, If_Match=version)
    if operation.method == "GET":
        yield stranger.call("HEAD", path)


@pytest.fixture(scope="module")
def private(anybody: Client) -> list[str]:
    """Private matches: open, being played, ended, voided."""
    players = [anybody.player() for _ in range(3)]
    made = [started(*players, visibility="private")["id"] for _ in range(3)]
    players[0].made(f"/v1/matches/{made[0]}/void")
    for each in players[:2]:
        each.made(f"/v1/matches/{made[1]}/resignation")
    return [opened(*players, visibility="private")["id"], *made]


@pytest.mark.parametrize("operation", AT_MATCHES, ids=str)
def test_a_private_match_is_to_strangers_like_one_that_is_none(
    anybody: Client, private: list[str], operation: Described
) -> None:
    """C3, byte for byte: status, headers and body differ in nothing but the path that was asked for."""
    for stranger in (anybody, anybody.player()):
        missing = [plain(answer, NOWHERE) for answer in asked(stranger, operation, NOWHERE)]
        for match in private:
            assert [plain(answer, match) for answer in asked(stranger, operation, match)] == missing
        code = "unauthenticated" if not operation.public and not stranger.token else "not_found"
        assert {answer.code for answer in asked(stranger, operation, private[0]) if answer.text} == {code}


def test_a_private_match_is_in_no_strangers_list(anybody: Client) -> None:
    players = [anybody.player() for _ in range(3)]
    made = {opened(*players, visibility="private")["id"], started(*players, visibility="private")["id"]}
    for stranger in (anybody, anybody.player()):
        for more in ("", f"&player={players[1].id}", "&status=playing", "&game=polignac"):
            assert not made & {item["id"] for item in stranger.read(f"/v1/matches?limit=200{more}")["items"]}
        assert stranger.read(f"/v1/players/{players[1].id}/ledger")["items"] == []
    assert made <= {item["id"] for item in players[2].read("/v1/matches?limit=200")["items"]}


# Private leagues


@pytest.fixture(scope="module")
def private_clubs(anybody: Client) -> list[dict[str, str]]:
    """Private leagues, their seasons and what there is: a round drawn, a match opened; closed."""
    ana = anybody.player("Ana")
    open_one, closed = (club(ana, 3, visibility="private") for _ in range(2))
    drawn(open_one, [0, 1, 2])
    match = ana.made(f"{open_one.path}/tables/1-1/match")["match"]["id"]
    fine = {"member": open_one.ids[0], "kind": "penalty", "points": -1, "note": "x"}
    adjustment = ana.post(f"{open_one.path}/adjustments", fine).headers["Location"].rpartition("/")[2]
    ana.made(f"{closed.path}/close")
    return [
        {"league": made.league, "season": made.season, "member": made.ids[1], "table": "1-1", "result": match,
         "sheet": match, "player": ana.id, "adjustment": adjustment}
        for made in (open_one, closed)
    ]  # fmt: skip


@pytest.mark.parametrize("operation", AT_LEAGUES, ids=str)
def test_a_private_league_is_to_strangers_like_one_that_is_none(
    anybody: Client, private_clubs: list[dict[str, str]], operation: Described
) -> None:
    """C3 for leagues, byte for byte."""
    for stranger in (anybody, anybody.player()):
        for known in private_clubs:
            nowhere = {**known, "league": NOWHERE, "season": NOWHERE}
            missing = [plain(each, NOWHERE) for each in asked(stranger, operation, NOWHERE, **nowhere)]
            found = list(asked(stranger, operation, NOWHERE, **known))
            name = known["season" if "{season}" in operation.template else "league"]
            assert [plain(each, name) for each in found] == missing
            code = "unauthenticated" if not operation.public and not stranger.token else "not_found"
            assert {each.code for each in found if each.text} == {code}


def test_a_private_league_is_in_no_strangers_list(anybody: Client, private_clubs: list[dict[str, str]]) -> None:
    made = {known["league"] for known in private_clubs}
    for stranger in (anybody, anybody.player()):
        assert not made & {item["id"] for item in stranger.read("/v1/leagues?limit=200")["items"]}
        assert stranger.read(f"/v1/players/{private_clubs[0]['player']}/ledger")["items"] == []


def plain(answer: Answer, match: str) -> tuple[int, dict[str, str], str]:
    passing = ("X-Request-ID", "RateLimit", "Date", "Content-Length")
    headers = {name: value for name, value in answer.headers.items() if name not in passing}
    return answer.status, headers, answer.text.replace(match, "match")


# Invitations by code


def invited(host: Client, match: str) -> tuple[str, datetime]:
    made = host.made(f"/v1/matches/{match}/invitations")
    return made["code"], datetime.fromisoformat(made["expires_at"])


def test_a_code_admits_whoever_says_it_as_often_as_there_are_seats(anybody: Client, ana: Client) -> None:
    seats = [{"player": "me"}, {"open": True}, {"open": True}, {"open": True}]
    match = ana.made("/v1/matches", {"game": "polignac", "seats": seats, "visibility": "private"})["id"]
    code, expires_at = invited(ana, match)
    again, _ = invited(ana, match)
    assert len(code) >= 16 and code != again
    assert timedelta(hours=23) < expires_at - datetime.now(UTC) <= timedelta(hours=24, minutes=1)
    for each in (code, again, code):
        guest = anybody.player()
        assert guest.post(f"/v1/matches/{match}/seats", {}).code == "not_found"
        assert guest.post(f"/v1/matches/{match}/seats", {"code": each}).status == 201
        assert guest.get(f"/v1/matches/{match}").status == 200
    late = anybody.player()
    assert late.post(f"/v1/matches/{match}/seats", {"code": code}).code == "match_started"
    assert late.get(f"/v1/matches/{match}").code == "not_found", "a code lets in, not look on"


def test_only_the_host_makes_codes_and_only_before_the_start(anybody: Client) -> None:
    players = [anybody.player() for _ in range(3)]
    match = opened(*players, visibility="private")["id"]
    assert players[1].post(f"/v1/matches/{match}/invitations").code == "not_allowed"
    assert players[0].post(f"/v1/matches/{match}/invitations").status == 201
    running = started(*players)["id"]
    assert players[0].post(f"/v1/matches/{running}/invitations").code == "match_started"


def test_a_code_expires_and_holds_for_its_match_alone(
    anybody: Client, ana: Client, owner: psycopg.Connection[Any]
) -> None:
    seats = [{"player": "me"}, {"open": True}, {"open": True}]
    body = {"game": "polignac", "seats": seats, "visibility": "private"}
    match, other = (ana.made("/v1/matches", body)["id"] for _ in range(2))
    code, _ = invited(ana, match)
    guest = anybody.player()
    assert guest.post(f"/v1/matches/{other}/seats", {"code": code}).code == "not_found"
    owner.execute("update invitation set expires_at = now() where match = %s", [match])
    assert guest.post(f"/v1/matches/{match}/seats", {"code": code}).code == "not_found"


def test_a_code_is_kept_as_a_hash_and_shown_once(ana: Client, owner: psycopg.Connection[Any]) -> None:
    seats = [{"player": "me"}, {"open": True}, {"open": True}]
    match = ana.made("/v1/matches", {"game": "polignac", "seats": seats})["id"]
    first = ana.post(f"/v1/matches/{match}/invitations", Idempotency_Key="code")
    again = ana.post(f"/v1/matches/{match}/invitations", Idempotency_Key="code")
    assert (first.status, again.code) == (201, "already_done")
    kept = owner.execute("select invitation::text from invitation union all select answer::text from answer").fetchall()
    assert kept and not any(first.json["code"] in row for (row,) in kept)


def test_a_sample_is_what_its_operation_takes() -> None:
    """What this file sends gets as far as the rules, or it would try nothing."""
    assert sample(document()["components"]["schemas"]["Move"]) == {"move": "JS"}
