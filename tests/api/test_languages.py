"""Whoever asks for Spanish is told everything in Spanish, and no sentence is forgotten."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from marshmallow import Schema, fields

from api import league_schemas, schemas
from api.errors import CODES, PROBLEMS
from api.languages import spanish
from api.spanish import SPANISH
from tests.api.http import Answer, Client
from tests.api.tables import BOT, moves, opened, started, turn

ROOT = Path(__file__).parents[2]
BODY = {"game": "polignac", "seats": [BOT] * 3}

# Which language

ASKED = [
    ("es", "es"),
    ("ES", "es"),
    ("es-MX", "es"),
    ("es-419,pt;q=0.5", "es"),
    ("es-MX,en;q=0.5", "es"),
    ("en-US,es;q=0.9", "en"),
    ("en-US,en;q=0.9,es;q=0.8", "en"),
    ("fr,es;q=0.5,en;q=0.4", "es"),
    ("fr,*;q=0.1,es;q=0.5", "es"),
    ("es,en", "es"),
    ("en,es", "en"),
    ("es;q=0.5,en;q=0.5", "es"),
    ("es;q=0,*", "en"),
    ("en;q=0,*;q=0.5", "es"),
    ("*", "en"),
    ("fr", "en"),
    ("en;q=0,es;q=0", "en"),
    ("", "en"),
    ("español", "en"),
    ("es;q=much", "en"),
    (";;,=,q", "en"),
    ("esperanto", "en"),
    ("x" * 5000, "en"),
]


@pytest.mark.parametrize(("header", "language"), ASKED, ids=[header[:30] or "none" for header, _ in ASKED])
def test_the_language_is_the_one_that_is_liked_best_of_ours(anybody: Client, header: str, language: str) -> None:
    problem = anybody.get("/v1/me", Accept_Language=header.encode().decode("latin-1"))
    page = anybody.get("/v1/games/polignac/rules", Accept_Language=header.encode().decode("latin-1"))
    titles = {"en": "Unauthenticated", "es": "Sin identificar"}
    assert (problem.json["title"], problem.headers["Content-Language"]) == (titles[language], language)
    assert page.headers["Content-Language"] == language


def test_the_language_varies_and_caches_are_told_so(anybody: Client) -> None:
    assert "Accept-Language" in anybody.get("/v1/me").headers["Vary"]


# Which sentences

FAULTS = ("fault", "mixes", "settle", "check", "fits")  # in the name of a function that says what is wrong
EXCEPTIONS = {kind.__name__ for kind in CODES} | {"ProblemError", "invalid", "NotAcceptable", "UnsupportedMediaType"}
# What no request reaches, and what says of a history where it is broken
PROGRAMS = {"cli", "demo", "demo_season", "arena", "house", "processes", "verify"}
READERS = {"audit", "audits", "season_audit", "events", "fairness", "imagine"}
ELSEWHERE = PROGRAMS | READERS | {"answers", "encoding", "settings", "secrecy"}


def sentence(node: ast.AST) -> str | None:
    """A text of several words, `{}` where it has values."""
    if isinstance(node, ast.JoinedStr):
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    else:
        return None
    return text if " " in text.strip(" ,;:") else None


def sentences(node: ast.AST) -> Iterator[str]:
    """Those that stand somewhere below, each whole, docstrings apart."""
    found = sentence(node)
    if found is not None:
        yield found
    elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        for below in ast.iter_child_nodes(node):
            yield from sentences(below)


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def raised(path: Path) -> Iterator[str]:
    """What a file may say when it refuses something."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and called(node) in EXCEPTIONS:
            yield from sentences(ast.Tuple([*node.args, *(word.value for word in node.keywords)]))
        elif isinstance(node, ast.FunctionDef) and any(word in node.name for word in FAULTS):
            for statement in node.body:
                yield from sentences(statement)


def in_the_code() -> set[str]:
    files = [
        *ROOT.glob("api/*.py"),
        *ROOT.glob("domain/*.py"),
        *ROOT.glob("domain/games/*.py"),
        *ROOT.glob("store/*.py"),
    ]
    return {text for file in files if file.stem not in ELSEWHERE for text in raised(file)} - {"{}: {}", "{} {}"}


def of_schemas() -> set[str]:
    """What marshmallow says, for the fields that there are."""
    found: set[str] = set(map(str, Schema._default_error_messages.values()))
    for schema in [*vars(schemas).values(), *vars(league_schemas).values()]:
        if isinstance(schema, type) and issubclass(schema, Schema):
            for field in schema().fields.values():
                found |= set(of_field(field))
    return found


def of_field(field: fields.Field[Any]) -> Iterator[str]:
    for message in field.error_messages.values():
        yield str(message).format(input="{}", obj_type="datetime", awareness="aware")
    for validator in field.validators:
        for name in ("message_min", "message_max", "message_all", "message_equal", "error"):
            text = getattr(validator, name, None)
            if isinstance(text, str):
                names = ("min", "max", "equal", "choices", "other", "input")
                yield text.format(**dict.fromkeys(names, "{}"))
    if isinstance(field, fields.List):
        yield from of_field(field.inner)


def known(text: str) -> bool:
    return text in SPANISH or spanish(text.replace("{}", "1")) is not None


def test_every_sentence_of_a_refusal_has_a_spanish_one() -> None:
    """One that is missing goes into api/spanish.py."""
    found = in_the_code() | of_schemas()
    assert len(found) > 90, "this test has become blind"
    assert [text for text in sorted(found) if not known(text)] == []


def test_a_spanish_sentence_says_the_same_values() -> None:
    for english, text in SPANISH.items():
        values = [f"<{number}>" for number in range(english.count("{}"))]
        said = text.format(*values) if values else text
        assert all(value in said for value in values) or english in SHORTER, english
        assert text.strip() == text and text


SHORTER = {
    "{} codec can't decode bytes in position {}: {}",
    "{} codec can't decode byte {} in position {}: {}",
    "Exceeds the limit {} for integer string conversion: {}",
    "maximum recursion depth exceeded{}",
}


def test_values_are_kept_and_what_the_client_said_is_not_translated() -> None:
    assert spanish("seat 2 owes no word at version 41") == "al sitio 2 no le toca hablar en la versión 41"
    assert spanish("polignac takes 3 to 6 seats, not 7") == "polignac se juega con 3 a 6 sitios, no con 7"
    assert spanish("'no seat is free' is none of a, b") == "'no seat is free' no es ninguno de estos: a, b"
    assert spanish("'{0} {}' is none of a") == "'{0} {}' no es ninguno de estos: a"
    assert spanish("the match is ended") == "la partida ha terminado"
    assert spanish("the moon is green") is None


def test_a_long_text_full_of_what_is_looked_for_costs_nothing() -> None:
    text = " is none of " * 5000
    assert spanish(f"'{text}' is not legal for seat 1 at version 2") is not None


# Over HTTP


@pytest.fixture(scope="module")
def four(anybody: Client) -> list[Client]:
    return [anybody.player() for _ in range(4)]


def twice(client: Client, method: str, path: str, body: Any = None, **headers: str) -> tuple[Answer, Answer]:
    english = client.call(method, path, body, **headers)
    return english, client.call(method, path, body, **headers, Accept_Language="es")


def same_but_the_words(english: Answer, other: Answer) -> None:
    """Every text is another, every fact the same."""
    one, two = english.json, other.json
    assert english.status == other.status and one["code"] == two["code"]
    assert (two["title"], other.headers["Content-Language"]) == (PROBLEMS[one["code"]].es, "es")
    assert one["detail"] != two["detail"]
    assert {**one, **dict.fromkeys(("title", "detail", "errors"))} == {
        **two,
        **dict.fromkeys(("title", "detail", "errors")),
    }
    errors, fehler = one.get("errors", {}), two.get("errors", {})
    assert errors.keys() == fehler.keys() and all(errors[field] != fehler[field] for field in errors), fehler


WRONG: list[dict[str, Any]] = [
    {"game": None},
    {"game": "chess"},
    {"variant": "polka"},
    {"options": []},
    {"options": {"colour": "blue"}},
    {"options": {"target": "10"}},
    {"options": {"ranks": 7}},
    {"options": {"declarer_leads": 1}},
    {"options": {"target": 5, "deals": 5}},
    {"options": {"end_check": "trick", "deals": 3}},
    {"seats": []},
    {"seats": "me"},
    {"seats": [{}, BOT, BOT]},
    {"seats": [{"player": "nobody"}, BOT, BOT]},
    {"seats": [{"player": "not an id"}, BOT, BOT]},
    {"seats": [{"bot": "deep blue"}, BOT, BOT]},
    {"seats": [{"open": False}, BOT, BOT]},
    {"seats": [{"throne": True}, 7, BOT]},
    {"rated": True},
    {"rated": "yes"},
    {"visibility": "secret"},
    {"clock": {"turn_seconds": 4}},
    {"packs": [["JS"]]},
    {"packs": "JS"},
    {"dealer": 1},
    {"x": 1, "y": 2, "game": 7},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_is_wrong_with_a_field_is_said_in_spanish(four: list[Client], wrong: dict[str, Any]) -> None:
    same_but_the_words(*twice(four[0], "POST", "/v1/matches", {**BODY, **wrong}))


@pytest.mark.parametrize("raw", [b"{", b'{"a":1,}', b"{}{}", b"abc", b'{"a" 1}', b'{"a":1,"a":2}', b"\xff", b"[" * 9999,
                                 b'{"dealer":NaN}', b'["\x01"]', b'"abc', b"[1 2]", b'{1:2}', b"9" * 5000,
                                 b'["\\x"]', b'"\\u12"', b'["\\u0000"]', b"[" * 40 + b"]" * 40])  # fmt: skip
def test_what_is_no_json_is_said_in_spanish(ana: Client, raw: bytes) -> None:
    english, other = twice(ana, "POST", "/v1/matches", raw)
    same_but_the_words(english, other)
    assert english.code != "malformed" or " line " not in other.json["detail"]


def test_what_cannot_be_done_at_a_match_is_said_in_spanish_with_value_and_place(four: list[Client]) -> None:
    match, unstarted = started(*four)["id"], opened(*four)["id"]
    client, seen = turn(four, match)
    other = next(each for each in four if each is not client)
    host, path = four[0], f"/v1/matches/{match}"
    answers = [
        twice(client, "POST", moves(match), {"move": "JJ"}),
        twice(other, "POST", moves(match), {"move": seen["deal"]["legal"][0]}),
        twice(client, "POST", moves(match), {"move": "pass"}, If_Match='"1"'),
        twice(four[1], "POST", f"{path}/void", {}),
        twice(four[1], "DELETE", f"{path}/seats/1"),
        twice(host, "GET", f"{path}?eyes=1"),
        twice(host, "GET", f"{path}?at=4000"),
        twice(host, "GET", f"{path}?at=1&at=2"),
        twice(host, "GET", f"{path}?eyes=mine"),
        twice(host, "GET", "/v1/matches/nothing"),
        twice(host, "GET", "/v1/nothing"),
        twice(host, "GET", "/v1/games/chess"),
        twice(host, "GET", "/v1/games", Accept="text/html"),
        twice(host, "GET", "/v1/matches?cursor=x"),
        twice(host, "GET", "/v1/matches?limit=0&since=now"),
        twice(host, "PUT", "/v1/matches"),
        twice(host, "DELETE", "/v1/me/tokens/none"),
        twice(host, "POST", "/v1/me/tokens", {"label": "", "scopes": ["all"], "expires_at": 7}),
        twice(host, "POST", "/v1/me/tokens", {"label": "x", "scopes": ["read"], "expires_at": "2020-01-01T00:00:00Z"}),
        twice(host, "POST", "/v1/matches", b"x", Content_Type="text/plain"),
        twice(host, "POST", "/v1/matches", b"x" * 70_000),
        twice(host, "POST", f"/v1/matches/{unstarted}/moves", {"move": "pass"}),
        twice(host, "POST", f"/v1/matches/{unstarted}/seats", {}),
        twice(four[2], "DELETE", f"/v1/matches/{unstarted}/seats/7"),
        twice(host, "POST", f"/v1/matches/{unstarted}/seats", {"seat": 7, "bot": "rule"}),
        twice(client.bearing("tpt_nobody"), "GET", "/v1/me"),
        twice(client.bearing(""), "GET", "/v1/me", Authorization="Basic x"),
    ]
    for english, other_answer in answers:
        same_but_the_words(english, other_answer)
    seat = seen["deal"]["to_act"][0]
    assert (
        answers[0][1].json["detail"]
        == f"'JJ' no es una jugada legal para el sitio {seat} en la versión {seen['version']}"
    )
    assert answers[0][1].json["legal"] == seen["deal"]["legal"]
