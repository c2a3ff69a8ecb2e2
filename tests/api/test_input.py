"""Bad input: each a clear problem that names field or rule, nothing stored, nothing lost, never a fault of ours."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from domain.rules import games
from store.db import Connection
from tests.api.http import Client
from tests.api.tables import BOT, PACK, moves, opened, started, turn

BODY: dict[str, Any] = {"game": "polignac", "seats": [{"player": "me"}, BOT, BOT, BOT]}

MALFORMED = {
    "half an object": b'{"game": "polignac"',
    "a comma too many": b'{"game": "polignac",}',
    "two objects": b"{}{}",
    "a word": b"polignac",
    "a name twice": b'{"game": "polignac", "game": "mykonos", "seats": []}',
    "a name twice within": b'{"game": "polignac", "seats": [{"bot": "rule", "bot": "random"}]}',
    "no number": b'{"game": "polignac", "seats": [], "dealer": NaN}',
    "no end": b'{"game": "polignac", "seats": [], "dealer": -Infinity}',
    "latin-1": '{"game": "mýkonos"}'.encode("latin-1"),
    "utf-16": '{"game": "mykonos"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"game": "mykonos"}',
    "a raw NUL": b'{"game": "a\0b", "seats": []}',
    "an escaped NUL": rb'{"game": "a\u0000b", "seats": []}',
    "a NUL in a name": rb'{"game": "polignac", "seats": [], "a\u0000b": 1}',
    "a NUL deep down": rb'{"game": "polignac", "seats": [], "options": {"ranks": [["\u0000"]]}}',
    "half a pair": rb'{"game": "a\ud800b", "seats": []}',
    "the other half": rb'{"game": "polignac", "seats": [], "options": {"\udfff": 1}}',
    "a digit too many": b'{"game": "polignac", "seats": [], "dealer": ' + b"9" * 5000 + b"}",
    "forty levels": b'{"game": ' + b"[" * 40 + b"]" * 40 + b"}",
    "thirty thousand levels": b"[" * 30_000 + b"]" * 30_000,
    "thirty thousand open levels": b'{"a":' * 10_000,
    "only control characters": b"\x01\x02",
}


@pytest.mark.parametrize("raw", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_json_object_is_malformed(ana: Client, raw: bytes) -> None:
    answer = ana.call("POST", "/v1/matches", raw)
    assert (answer.code, answer.status) == ("malformed", 400), answer.text[:300]


@pytest.mark.parametrize("raw", [b"[]", b'"text"', b"7", b"null", b"true", b"[{}]"], ids=bytes.decode)
def test_a_body_that_is_no_object_is_invalid(ana: Client, raw: bytes) -> None:
    answer = ana.call("POST", "/v1/matches", raw)
    assert answer.code == "invalid" and list(answer.json["errors"]) == ["body"]


INVALID: list[tuple[dict[str, Any], str]] = [
    ({"game": None}, "game"),
    ({"game": 7}, "game"),
    ({"game": "chess"}, "game"),
    ({"game": ["polignac"]}, "game"),
    ({"variant": "polka"}, "variant"),
    ({"variant": 7}, "variant"),
    ({"options": []}, "options"),
    ({"options": None}, "options"),
    ({"options": {"colour": "blue"}}, "options.colour"),
    ({"options": {"costs": {"JS": 5}}}, "options.costs"),
    ({"options": {"target": 0}}, "options.target"),
    ({"options": {"target": "10"}}, "options.target"),
    ({"options": {"target": True}}, "options.target"),
    ({"options": {"target": 10.0}}, "options.target"),
    ({"options": {"target": 10**30}}, "options.target"),
    ({"options": {"target": {"a": []}}}, "options.target"),
    ({"options": {"ranks": 7}}, "options.ranks"),
    ({"options": {"ranks": []}}, "options.ranks"),
    ({"options": {"declarer_leads": 1}}, "options.declarer_leads"),
    ({"options": {"target": 5, "deals": 5}}, "options.deals"),
    ({"seats": []}, "seats"),
    ({"seats": "me"}, "seats"),
    ({"seats": [{"player": "me"}]}, "seats"),
    ({"seats": [BOT] * 1000}, "seats"),
    ({"seats": [{}, BOT, BOT]}, "seats.0"),
    ({"seats": [{"player": "me", "bot": "rule"}, BOT, BOT]}, "seats.0"),
    ({"seats": [{"player": "me"}, {"player": "me"}, BOT]}, "seats.1.player"),
    ({"seats": [{"player": "nobody"}, BOT, BOT]}, "seats.0.player"),
    ({"seats": [{"player": "not an id"}, BOT, BOT]}, "seats.0.player"),
    ({"seats": [{"player": None}, BOT, BOT]}, "seats.0.player"),
    ({"seats": [{"bot": "deep blue"}, BOT, BOT]}, "seats.0.bot"),
    ({"seats": [{"open": False}, BOT, BOT]}, "seats.0.open"),
    ({"seats": [{"open": 1}, BOT, BOT]}, "seats.0.open"),
    ({"seats": [{"throne": True}, BOT, BOT]}, "seats.0.throne"),
    ({"seats": [7, BOT, BOT]}, "seats.0"),
    ({"rated": True}, "rated"),
    ({"rated": "yes"}, "rated"),
    ({"rated": None}, "rated"),
    ({"visibility": "secret"}, "visibility"),
    ({"visibility": ["public"]}, "visibility"),
    ({"clock": {"turn_seconds": 4}}, "clock.turn_seconds"),
    ({"fair": True, "packs": [["JS"]]}, "fair"),
    ({"fair": 0}, "fair"),
    ({"packs": [PACK[1:]]}, "packs.0"),
    ({"packs": [PACK, [*PACK[1:], "JS"]]}, "packs.1"),
    ({"packs": [[7] * 32]}, "packs.0.0"),
    ({"packs": "JS"}, "packs"),
    ({"packs": [PACK], "dealer": 4}, "dealer"),
    ({"packs": [PACK], "dealer": -1}, "dealer"),
    ({"packs": [PACK], "dealer": 1.5}, "dealer"),
    ({"packs": [PACK], "dealer": True}, "dealer"),
    ({"dealer": 1}, "dealer"),
    ({"season": "s"}, "season"),
    ({"x" * 2000: 1}, ("x" * 299) + "…"),
]


@pytest.mark.parametrize(("wrong", "field"), INVALID, ids=[str(wrong)[:60] for wrong, _ in INVALID])
def test_a_wrong_field_is_named_and_nothing_opened(
    ana: Client, conn: Connection, wrong: dict[str, Any], field: str
) -> None:
    count = "select count(*) from event"
    before = conn.execute(count).fetchone()
    answer = ana.post("/v1/matches", {**BODY, **wrong})
    assert answer.code == "invalid", answer.text
    assert field in answer.json["errors"], answer.text
    assert field[:100] in answer.json["detail"] and len(answer.text) < 70_000
    assert conn.execute(count).fetchone() == before


@pytest.mark.parametrize("name", games())
def test_every_option_that_is_offered_is_refused_when_it_is_nonsense(ana: Client, name: str) -> None:
    game = ana.read(f"/v1/games/{name}")
    seats = [BOT] * game["variants"][0]["seats"]["min"]
    for option in game["options"]:
        nonsenses: list[Any] = [{"a": 1}, [[]], "nonsense", -(10**9), 1.5, [None], [10**9]]
        for nonsense in nonsenses:
            body = {"game": name, "seats": seats, "options": {option["name"]: nonsense}}
            answer = ana.post("/v1/matches", body)
            assert answer.code == "invalid", (option["name"], nonsense, answer)
            assert list(answer.json["errors"]) == [f"options.{option['name']}"]


def test_a_number_beyond_all_bounds_is_refused(ana: Client) -> None:
    raw = json.dumps({**BODY, "options": {"target": 0.5}}).replace("0.5", "1e999").encode()
    answer = ana.call("POST", "/v1/matches", raw)
    assert answer.code == "invalid" and list(answer.json["errors"]) == ["options.target"]


class Case(NamedTuple):
    """A path under the match, a body, the code and, if there is one, the field."""

    path: str
    body: Any
    code: str
    field: str | None = None


AT_A_MATCH = [
    Case("moves", {}, "invalid", "move"),
    Case("moves", {"move": None}, "invalid", "move"),
    Case("moves", {"move": 7}, "invalid", "move"),
    Case("moves", {"move": ["pass"]}, "invalid", "move"),
    Case("moves", {"move": "pass", "version": 7}, "invalid", "version"),
    Case("moves", {"move": ""}, "illegal_move"),
    Case("moves", {"move": " "}, "illegal_move"),
    Case("moves", {"move": "PASS"}, "illegal_move"),
    Case("moves", {"move": "pass "}, "illegal_move"),
    Case("moves", {"move": "pass pass"}, "illegal_move"),
    Case("moves", {"move": "js"}, "illegal_move"),
    Case("moves", {"move": "🃋"}, "illegal_move"),
    Case("moves", {"move": "x" * 60_000}, "illegal_move"),
    Case("seats", {"seat": "1"}, "invalid", "seat"),
    Case("seats", {"seat": -1}, "invalid", "seat"),
    Case("seats", {"seat": 10**40}, "invalid", "seat"),
    Case("seats", {"seat": True}, "invalid", "seat"),
    Case("seats", {"seat": 1, "bot": "deep blue"}, "invalid", "bot"),
    Case("seats", {"bot": "rule", "code": "x"}, "invalid", "code"),
    Case("seats", {"code": 7}, "invalid", "code"),
    Case("seats", {"code": ""}, "invalid", "code"),
    Case("seats", {"place": 1}, "invalid", "place"),
    Case("seats", {"seat": 1}, "match_started"),
    Case("invitations", {"to": "x"}, "invalid", "to"),
    Case("resignation", {"seat": 1}, "invalid", "seat"),
    Case("void", {"note": 7}, "invalid", "note"),
    Case("void", {"note": ""}, "invalid", "note"),
    Case("void", {"note": "x" * 1001}, "invalid", "note"),
]


@pytest.fixture(scope="module")
def four(anybody: Client) -> list[Client]:
    return [anybody.player() for _ in range(4)]


@pytest.fixture(scope="module")
def match(four: list[Client]) -> str:
    return str(started(*four)["id"])


@pytest.mark.parametrize("case", AT_A_MATCH, ids=[f"{case.path} {str(case.body)[:40]}" for case in AT_A_MATCH])
def test_what_cannot_be_done_at_a_match_leaves_it_as_it_is(four: list[Client], match: str, case: Case) -> None:
    client, before = turn(four, match)
    doer = four[0] if case.path == "void" else client
    answer = doer.post(f"/v1/matches/{match}/{case.path}", case.body)
    assert answer.code == case.code, answer.text[:500]
    assert case.field is None or list(answer.json["errors"]) == [case.field]
    assert client.read(f"/v1/matches/{match}") == before


QUERIES = [
    ("", "at=0", "at"),
    ("", "at=-1", "at"),
    ("", "at=x", "at"),
    ("", "at=1.0", "at"),
    ("", "at=99999999999999999999", "at"),
    ("", "at=2147483648", "at"),
    ("", "at=4000", "at"),
    ("", "at=1&at=2", "at"),
    ("", "eyes=mine", "eyes"),
    ("", "eyes=", "eyes"),
    ("", "eyes=-1", "eyes"),
    ("", "version=1", "version"),
    ("", "%00=1", ""),
    ("/events", "after=-1", "after"),
    ("/events", "after=x", "after"),
    ("/events", "after=99999999999", "after"),
    ("/events", "limit=0", "limit"),
    ("/events", "cursor=x", "cursor"),
    ("/audit", "deep=1", "deep"),
]


@pytest.mark.parametrize(("path", "query", "field"), QUERIES, ids=[f"{p}?{q}" for p, q, _ in QUERIES])
def test_a_wrong_parameter_is_named(four: list[Client], match: str, path: str, query: str, field: str) -> None:
    answer = four[0].get(f"/v1/matches/{match}{path}?{query}")
    assert answer.code == "invalid" and list(answer.json["errors"]) == [field], answer.text


@pytest.mark.parametrize("path", ["/v1/games", "/v1/players?name=x", "/v1/matches", "/healthz", "/v1/openapi.json"])
def test_a_parameter_that_is_not_known_is_refused_everywhere(anybody: Client, path: str) -> None:
    answer = anybody.get(f"{path}{'&' if '?' in path else '?'}verbose=1")
    assert answer.code == "invalid" and list(answer.json["errors"]) == ["verbose"]


@pytest.mark.parametrize("query", ["name=%00", "name=a%00b", "name=%ff", "name=", "", "name=a&name=b"])
def test_a_name_that_nobody_can_have_is_not_looked_for(anybody: Client, query: str) -> None:
    answer = anybody.get(f"/v1/players?{query}")
    assert answer.status in (200, 422)
    assert answer.json.get("items", []) == []


PATHS = [
    "/v1/matches/%00",
    "/v1/matches/a%00b",
    "/v1/matches/%ff%fe",
    "/v1/matches/" + "x" * 41,
    "/v1/matches/" + "x" * 3000,
    "/v1/matches/..%2f..%2fetc",
    "/v1/matches/a b",
    "/v1/players/%F0%9F%83%8F",
    "/v1/games/polignac.md/rules",
    "/v1/games/..%2Fpolignac/rules",
    "/v1/games/",
    "//v1/games",
    "/v1//games",
    "/V1/games",
    "/v2/games",
]


@pytest.mark.parametrize("path", PATHS, ids=[path[:40] for path in PATHS])
def test_what_is_no_path_is_not_found(anybody: Client, path: str) -> None:
    assert anybody.get(path).code == "not_found"


def test_a_foreign_seat_is_not_for_others_to_free(anybody: Client, four: list[Client]) -> None:
    match = opened(*four)["id"]
    assert four[2].delete(f"/v1/matches/{match}/seats/1").code == "not_allowed"
    assert anybody.player().delete(f"/v1/matches/{match}/seats/1").code == "not_allowed"
    assert four[1].delete(f"/v1/matches/{match}/seats/1").status == 204


MATCHES_NOTHING = ['"1"', 'W/"{}"', '"x"', '""', '"1", "2"', '"01"', '"99999999999999999999"', '"-1"', '"{}', "rubbish"]


@pytest.mark.parametrize("tag", MATCHES_NOTHING)
def test_an_if_match_that_names_another_version_stops_the_write(four: list[Client], match: str, tag: str) -> None:
    client, seen = turn(four, match)
    answer = client.post(moves(match), {"move": "pass"}, If_Match=tag.format(seen["version"]))
    assert answer.code in ("stale_version", "malformed")
    assert answer.json.get("version", seen["version"]) == seen["version"]
    assert client.read(f"/v1/matches/{match}") == seen


@pytest.mark.parametrize("tag", ["*", '"1", "{}", "x"', '"{}"', '  "{}"  ', 'W/"1", "{}"'])
def test_an_if_match_that_names_this_version_lets_it_through(four: list[Client], tag: str) -> None:
    fresh = started(*four)["id"]
    client, seen = turn(four, fresh)
    answer = client.post(moves(fresh), {"move": "pass"}, If_Match=tag.format(seen["version"]))
    assert answer.status == 201 and answer.headers["ETag"] == f'"{answer.json["version"]}"'


def test_a_code_that_admits_nowhere_admits_nobody(anybody: Client, four: list[Client]) -> None:
    match = opened(*four, visibility="private")["id"]
    stranger = anybody.player()
    for code in ("x", "🃏", "' or 1=1 --", "x" * 80):
        assert stranger.post(f"/v1/matches/{match}/seats", {"code": code}).code == "not_found"


def test_a_body_of_64_kib_is_read_and_one_byte_more_is_not(ana: Client) -> None:
    frame = len(json.dumps({"name": ""}))
    for size, code in ((64 * 1024, "invalid"), (64 * 1024 + 1, "too_large")):
        raw = json.dumps({"name": "x" * (size - frame)}).encode()
        assert len(raw) == size
        assert ana.call("POST", "/v1/players", raw).code == code


def test_no_body_is_an_empty_object(four: list[Client]) -> None:
    match = started(*four)["id"]
    assert four[1].call("POST", f"/v1/matches/{match}/resignation").status == 201
    assert list(four[0].call("POST", "/v1/matches").json["errors"]) == ["game", "seats"]
