"""What is woven into the whole description: recorded examples, and links from what an answer names to where it leads.

`api/examples/<operationId>.json` holds what one real request said and what came back; `make examples` records all of
them anew from the session in tests/api/examples.py, which says how an operation gets one. Read beside it: openapi.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

JSON = "application/json"
IF_MATCH = {"$ref": "#/components/parameters/IfMatch"}
METHODS = ("get", "post", "put", "patch", "delete")

# What an answer names beside the id of what stands one step further down its own path.
NAMED = {
    "importRecord": {"match": "$response.body#/id"},
    "testWebhook": {"delivery": "$response.body#/id"},
    "takeSeat": {"seat": "$request.body#/seat"},
    "addOrganiser": {"player": "$request.body#/player"},
    "openSeason": {"season": "$response.body#/id"},
    "listSeasons": {"season": "$response.body#/items/0/id"},
    "addMember": {"member": "$response.body#/member/id"},
    "claim": {"season": "$response.body#/season", "member": "$response.body#/member/id"},
    "addSheet": {"sheet": "$response.body#/id"},
    "listRounds": {"number": "$response.body#/items/0/round"},
    "openTableMatch": {"match": "$response.body#/match/id"},
}
# What a link says, where an answer holds it.
SAID = {
    ("openMatch", "sayMove"): {"move": "$response.body#/deal/legal/0"},
    ("readMatch", "sayMove"): {"move": "$response.body#/deal/legal/0"},
    ("sayMove", "sayMove"): {"move": "$response.body#/match/deal/legal/0"},
    ("invite", "takeSeat"): {"code": "$response.body#/code"},
}


def woven(document: dict[str, Any]) -> dict[str, Any]:
    """The document with examples and links; it is changed in place."""
    for item, operation in operations(document):
        if example := recorded(operation["operationId"]):
            _exemplify(item, operation, example)
    _link(document)
    return document


def operations(document: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each operation after the item of its path."""
    for item in document["paths"].values():
        for method in METHODS:
            if method in item:
                yield item, item[method]


# Examples


@cache
def recorded(name: str) -> Any:
    """{"request": {"path", "query", "body"}, "answers": [{"status", "mimetype", "body"}]}, or None."""
    file = files("api") / "examples" / f"{name}.json"
    return json.loads(file.read_text("utf-8")) if file.is_file() else None


def _exemplify(item: dict[str, Any], operation: dict[str, Any], example: dict[str, Any]) -> None:
    request = example["request"]
    for parameter in [*item.get("parameters", []), *operation.get("parameters", [])]:
        values = request.get(parameter.get("in"), {})
        if parameter.get("name") in values:
            parameter["example"] = values[parameter["name"]]
    for mimetype, body in request.get("bodies", {}).items():
        _give(operation.get("requestBody"), mimetype, body)
    for answer in example["answers"]:
        _give(operation["responses"].get(str(answer["status"])), answer["mimetype"], answer["body"])


def _give(described: Any, mimetype: str, body: Any) -> None:
    """What does not fit any more is for the tests to find."""
    if mimetype in (content := (described or {}).get("content", {})):
        content[mimetype]["example"] = body


# Links


def _link(document: dict[str, Any]) -> None:
    wanted = {op["operationId"]: re.findall(r"{(\w+)}", path) for path, _, op in _placed(document)}
    versioned = {op["operationId"] for _, op in operations(document) if IF_MATCH in op["parameters"]}
    for path, method, operation in _placed(document):
        known = {name: f"$request.path.{name}" for name in wanted[operation["operationId"]]}
        known |= _named(document, path, method, operation)
        said = {to: body for (start, to), body in SAID.items() if start == operation["operationId"]}
        fresh = known.keys() - wanted[operation["operationId"]]
        for status, response in operation["responses"].items():
            links = {
                to: _to(to, {name: known[name] for name in names} | _seen(response, to in versioned), said.get(to))
                for to, names in wanted.items()
                if (set(names) & fresh or to in said) and set(names) <= known.keys()
            }
            if status in ("200", "201", "202") and links:
                response["links"] = links


def _seen(response: dict[str, Any], versioned: bool) -> dict[str, str]:
    """The version that is answered, for what takes it."""
    return {"header.If-Match": "$response.header.ETag"} if versioned and "ETag" in response.get("headers", {}) else {}


def _placed(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item[method]


def _to(name: str, parameters: dict[str, str], body: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"operationId": name}
    if parameters:
        found["parameters"] = parameters
    return {**found, "requestBody": body} if body else found


def _named(document: dict[str, Any], path: str, method: str, operation: dict[str, Any]) -> dict[str, str]:
    """The parameters of paths that this operation's answer gives a value: what it makes or lists has an id."""
    found: dict[str, str] = {}
    below = {match[1] for other in document["paths"] if (match := re.match(re.escape(path) + r"/{(\w+)}", other))}
    if len(below) == 1 and _has_id(document, operation):
        where = "/items/0/id" if method == "get" else "/id"
        found = {below.pop(): f"$response.body#{where}"}
    return found | NAMED.get(operation["operationId"], {})


def _has_id(document: dict[str, Any], operation: dict[str, Any]) -> bool:
    """Whether the answer, or each item of it, has an id."""
    answers = [response for status, response in operation["responses"].items() if status.startswith("2")]
    shape = _resolved(document, answers[0].get("content", {}).get(JSON, {}).get("schema", {}))
    items = shape.get("properties", {}).get("items")
    return "id" in (_resolved(document, items["items"]) if items else shape).get("properties", {})


def _resolved(document: dict[str, Any], shape: Any) -> Any:
    if "$ref" in shape:
        return document["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
    return shape
