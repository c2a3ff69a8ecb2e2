"""Records over HTTP: read, imported, refused with the place that is wrong. Case C25. Beside it: api/records.py."""

from __future__ import annotations

import json
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from domain.cards import french
from store import db
from tests.api.conftest import ROOT
from tests.api.http import Answer, Client, over_flask
from tests.api.tables import played, started

TOML, JSON = "application/toml", "application/json"
GOLDEN = sorted((ROOT / "tests" / "domain" / "records").glob("*.toml"))


def record_of(client: Client, match: str) -> str:
    answer = client.get(f"/v1/matches/{match}/record")
    assert (answer.status, answer.headers["Content-Type"]) == (200, TOML), answer
    return answer.text


def whole(*players: Client, **facts: Any) -> tuple[str, str]:
    """A match of one deal that has ended, and its record."""
    match = started(*players, **{"options": {"deals": 1, "tie_break": "shared"}, **facts})["id"]
    played(players, match)
    return match, record_of(players[0], match)


def send(client: Client, record: str | bytes, mimetype: str = TOML, query: str = "", **headers: str) -> Answer:
    raw = record if isinstance(record, bytes) else record.encode()
    return client.call("POST", f"/v1/records{query}", raw, Content_Type=mimetype, **headers)


def test_a_record_is_the_same_tree_in_toml_and_json_and_says_who_played(ana: Client, luis: Client, eva: Client) -> None:
    match, text = whole(ana, luis, eva)
    tree = tomllib.loads(text)
    assert tree == json.loads(ana.get(f"/v1/matches/{match}/record", Accept=JSON).text)
    assert next(iter(tree)) == "tapete_record"
    assert [player["label"] for player in tree["players"]] == ["Ana", "Luis", "Eva"]
    assert tree["status"] == "ended"
    assert len(tree["deals"]) == 1
    assert len(tree["deals"][0]["words"]) > 30


def test_c25_a_record_imported_twice_is_one_match_however_it_is_spelled(
    ana: Client, luis: Client, eva: Client, anybody: Client
) -> None:
    match, text = whole(ana, luis, eva)
    first = send(eva, text)
    assert first.status == 201
    kept = first.json["id"]
    assert first.headers["Location"] == f"/v1/matches/{kept}"
    tree = tomllib.loads(text)
    reversed_ = dict(reversed([*tree.items(), ("_mine", {"note": [1, 2.5]})]))
    for again in (send(eva, text), send(eva, json.dumps(tree), JSON), send(eva, json.dumps(reversed_), JSON)):
        assert (again.status, again.json["id"]) == (200, kept)
    assert send(luis, text).json["id"] != kept, "another importer has a match of his own"
    assert record_of(eva, kept) == text
    assert eva.read(f"/v1/matches/{kept}/audit") == {"ok": True, "faults": []}


def test_an_imported_match_is_its_importer_s_and_counts_for_nothing(
    ana: Client, luis: Client, eva: Client, anybody: Client
) -> None:
    match, text = whole(ana, luis, eva)
    seen = send(ana, text).json
    original = ana.read(f"/v1/matches/{match}")
    assert seen["imported"]
    assert not seen["rated"]
    assert (seen["host"], seen["visibility"]) == (ana.id, "private")
    assert [(seat["player"], seat["label"], seat["open"]) for seat in seen["seats"]] == [
        (None, "Ana", False), (None, "Luis", False), (None, "Eva", False)
    ]  # fmt: skip
    assert (seen["totals"], seen["result"]) == (original["totals"], original["result"])
    assert seen["deal"]["view"] == original["deal"]["view"]
    for path in ("", "/events", "/record", "/audit"):
        assert luis.get(f"/v1/matches/{seen['id']}{path}").status == 404
        assert anybody.get(f"/v1/matches/{seen['id']}{path}").status == 404
    assert ana.read(f"/v1/matches/{seen['id']}/ledger")["items"] == []
    assert seen["id"] not in [item["id"] for item in anybody.read("/v1/matches")["items"]]
    assert ana.post(f"/v1/matches/{seen['id']}/moves", {"move": "pass"}).code == "not_allowed"
    assert ana.post(f"/v1/matches/{seen['id']}/seats", {}).code == "match_over"


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_an_import_can_be_published(ana: Client, luis: Client, eva: Client, anybody: Client, visibility: str) -> None:
    _, text = whole(ana, luis, eva)
    match = send(ana, text, query=f"?visibility={visibility}").json["id"]
    assert anybody.read(f"/v1/matches/{match}")["imported"]
    listed = match in [item["id"] for item in anybody.read("/v1/matches")["items"]]
    assert listed == (visibility == "public")
    item = next(item for item in ana.read("/v1/matches")["items"] if item["id"] == match)
    assert [seat["label"] for seat in item["seats"]] == ["Ana", "Luis", "Eva"]


# What is wrong, and where


def changed(text: str, **changes: Any) -> str:
    return json.dumps({**tomllib.loads(text), **changes})


def deal_with(text: str, **changes: Any) -> str:
    (deal,) = tomllib.loads(text)["deals"]
    return changed(text, deals=[{**deal, **changes}])


def refused(client: Client, record: str) -> tuple[str, str]:
    """The place that is named, and what is wrong there."""
    answer = send(client, record, JSON)
    assert answer.status == 422, answer
    ((place, what),) = answer.json["errors"].items()
    return place, what


@pytest.fixture(scope="module")
def importer(anybody: Client) -> Client:
    return anybody.player("Importer")


@pytest.fixture(scope="module")
def text(anybody: Client) -> str:
    return whole(*(anybody.player() for _ in range(3)))[1]


def test_c25_an_illegal_word_is_named_with_its_deal_its_number_and_its_seat(importer: Client, text: str) -> None:
    words = tomllib.loads(text)["deals"][0]["words"]
    seat = words[20][0]
    place, what = refused(importer, deal_with(text, words=[*words[:20], f"{seat} 2C", *words[21:]]))
    assert place == "deals.0.words.20"
    assert what == f"'2C' is not legal for seat {seat} in deal 1"
    assert refused(importer, deal_with(text, words=words[:-1])) == (
        "deals.0.words", f"the deal is not over: seats [{words[-1][0]}] owe a word",
    )  # fmt: skip
    assert refused(importer, deal_with(text, words=[*words, "0 JS"]))[0] == f"deals.0.words.{len(words)}"
    assert refused(importer, deal_with(text, words=["9 JS", *words]))[0] == "deals.0.words.0"
    assert refused(importer, deal_with(text, words=["0 ??", *words[1:]]))[0] == "deals.0.words.0"


def test_c25_every_claim_that_does_not_hold_names_its_place_and_what_should_be_there(
    importer: Client, text: str
) -> None:
    tree = tomllib.loads(text)
    deal, result = tree["deals"][0], tree["result"]
    wrong_points = [deal["points"][0] + 1, *deal["points"][1:]]
    for name, value in {
        "points": wrong_points, "totals": wrong_points, "dealer": (deal["dealer"] + 1) % 3, "number": 2, "extra": True,
        "seats": [0, 1], "commitment": "0" * 64, "shuffled_as": "another",
        "pack": " ".join(reversed(deal["pack"].split())),
    }.items():  # fmt: skip
        place, what = refused(importer, deal_with(text, **{name: value}))
        assert place == f"deals.0.{name}"
        assert what.startswith("should be "), what
    assert refused(importer, deal_with(text, seed="0" * 64))[0] == "deals.0.commitment"
    for name, value in {"places": [3, 3, 3], "totals": wrong_points, "reason": "target"}.items():
        assert refused(importer, changed(text, result={**result, name: value}))[0] == "result"
    for name, value in {"status": "voided", "prepared": True}.items():
        assert refused(importer, changed(text, **{name: value}))[0] == name
    assert refused(importer, changed(text, deals=[deal, deal]))[0] == "deals.1"
    assert refused(importer, changed(text, voided={"reason": "host"}))[0] == "status"


HUGE = 10**400
AWKWARD: dict[str, dict[str, Any]] = {
    "tapete_record": {"tapete_record": 2},
    "game": {"game": "bridge"},
    "rules": {"rules": 10**6},
    "variant": {"variant": "no_such"},
    "options": {"options": []},
    "options.no_such": {"options": {"no_such": 1}},
    "options.target": {"options": {"target": HUGE}},
    "options.costs": {"options": {"costs": {"JS": HUGE}}},
    "players": {"players": []},
    "players.0.seat": {"players": [{"seat": 1}] * 3},
    "players.0.label": {"players": [{"seat": 0, "label": "\u0007"}]},
    "players.0.bot": {"players": [{"seat": 0, "bot": "of another server"}]},
    "deals": {"deals": [{}] * 10**6},
    "deals.0.number": {"deals": [{}]},
    "deals.0": {"deals": [7]},
    "created_at": {"created_at": "yesterday"},
    "clock": {"clock": 5},
    "unknown": {"unknown": 1},
    "match": {"match": "Ana's match"},
}


@pytest.mark.parametrize("place", AWKWARD)
def test_what_is_no_record_is_refused_by_place(importer: Client, text: str, place: str) -> None:
    assert refused(importer, changed(text, **AWKWARD[place]))[0].startswith(place)


@pytest.mark.parametrize(
    ("mimetype", "body", "status", "said"),
    [
        (TOML, "a = 1\nb = = 2\n", 400, "line 2"),
        (JSON, '{"a": 1,\n"b" 2}', 400, "line 2"),
        (JSON, '{"a": 1, "a": 2}', 400, "twice"),
        (TOML, b"\xff", 400, "decode"),
        (TOML, "a.b.c.d.e.f.g.h = 1", 400, "line 1"),
        (TOML, ".".join(["a"] * 10**6) + " = 1", 400, "line 1"),
        (TOML, "a = " + "[" * 10**5, 400, "recursion"),
        (TOML, "a = 1\n" * 200_000, 400, "values"),
        (TOML, "a = " + "9" * 10_000, 400, "digit"),
        (TOML, 'a = "\\u0000"', 400, "NUL"),
        (JSON, "[" * 10**5, 400, "recursion"),
        (JSON, "[" * 40 + "]" * 40, 400, "nested"),
        (TOML, "a = 0x" + "f" * 10**5, 422, "tapete_record"),
        (TOML, "game = 1979-05-27T07:32:00Z", 422, "is missing"),
        (JSON, "[]", 422, "table"),
        (JSON, "7", 422, "table"),
        (TOML, "", 422, "missing"),
        (TOML, "#" * (4 * 2**20 + 1), 413, ""),
        ("text/plain", "a = 1", 415, ""),
    ],
)
def test_no_body_breaks_anything(importer: Client, mimetype: str, body: str | bytes, status: int, said: str) -> None:
    answer = send(importer, body, mimetype)
    assert answer.status == status, answer
    assert said in answer.json["detail"]


def test_the_record_of_a_running_match_is_no_match(ana: Client, luis: Client, eva: Client) -> None:
    running = record_of(ana, started(ana, luis, eva)["id"])
    assert "seed" not in tomllib.loads(running)["deals"][0]
    assert send(ana, running).json["errors"].keys() == {"status"}
    pretended = running.replace('status = "playing"', 'status = "ended"')
    assert send(ana, pretended).json["errors"].keys() == {"deals.0.pack"}


# At once, again, and no more


def test_twins_that_import_at_once_get_one_match(anybody: Client, app: Flask, text: str) -> None:
    importer = anybody.player()
    twins = [Client(over_flask(app.test_client(use_cookies=False)), importer.token) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda twin: send(twin, text), twins))
    assert {answer.status for answer in answers} <= {201, 200, 503}
    assert [answer.status for answer in answers].count(201) == 1
    assert len({answer.json["id"] for answer in answers if answer.status < 300}) == 1
    assert all(answer.headers["Retry-After"] == "1" for answer in answers if answer.status == 503)
    listed = importer.read("/v1/matches?limit=200")["items"]
    assert [item["host"] for item in listed].count(importer.id) == 1


def test_a_key_gives_the_first_answer_again(ana: Client, text: str) -> None:
    first = send(ana, text, Idempotency_Key="import")
    again = send(ana, text, Idempotency_Key="import")
    assert (first.status, again.status) == (201, 201)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.text == first.text


def test_labels_are_forgotten_with_the_account_that_brought_them(anybody: Client, text: str) -> None:
    importer = anybody.player()
    match = send(importer, text, query="?visibility=public").json["id"]
    exported = [json.loads(line) for line in importer.get("/v1/me/export").text.splitlines()]
    assert [line["match"] for line in exported if line["kind"] == "labels"] == [match]
    assert importer.delete("/v1/me").status == 204
    assert [seat["label"] for seat in anybody.read(f"/v1/matches/{match}")["seats"]] == [None] * 3
    assert "label" not in record_of(anybody, match)
    assert anybody.read(f"/v1/matches/{match}/audit")["ok"]


def test_the_events_of_an_imported_match_have_no_names(ana: Client, text: str, conn: db.Connection) -> None:
    named = tomllib.loads(text)
    for player in named["players"]:
        player["label"] = f"Secreta {player['seat']}"
    match = send(ana, json.dumps(named), JSON).json["id"]
    stored = conn.execute("select text from event where stream_id = %s", [match]).fetchall()
    assert stored
    assert "Secreta" not in str(stored)


def test_a_prepared_match_comes_back_as_it_was(ana: Client, luis: Client, eva: Client) -> None:
    pack = [card for card in french("AKQJT987") if card not in ("7S", "7C")]
    _, text = whole(ana, luis, eva, packs=[pack])
    match = send(ana, text).json
    assert match["prepared"]
    assert record_of(ana, match["id"]) == text
    assert "seed" not in text
    assert ana.read(f"/v1/matches/{match['id']}/audit")["ok"]


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_golden_records_come_back_as_they_were(importer: Client, file: Path) -> None:
    match = send(importer, file.read_text()).json["id"]
    assert record_of(importer, match) == file.read_text()
    assert importer.read(f"/v1/matches/{match}/audit")["ok"]
    assert importer.read(f"/v1/matches/{match}/events")["items"][0]["imported"]
