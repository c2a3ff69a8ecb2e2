"""Records over HTTP: read, imported, refused with the place that is wrong. Case C25. Beside it: api/records.py."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest

from tests.api.http import Answer, Client
from tests.api.tables import played, started

TOML, JSON = "application/toml", "application/json"


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
