"""Whether an answer is what openapi.yaml says: status, headers, type and every field, none that is not described."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import yaml

ROOT = Path(__file__).parents[2]
BODILESS = (204, 304)


@cache
def document() -> dict[str, Any]:
    """The committed description."""
    with (ROOT / "openapi.yaml").open() as file:
        found: dict[str, Any] = yaml.load(file, yaml.CSafeLoader)
    return found


def check(method: str, path: str, status: int, headers: Mapping[str, str], mimetype: str, content: Any) -> None:
    """Raise AssertionError where an answer is not as described. Paths that are not described are not looked at."""
    operation = _operation(method, path)
    if operation is None:
        return
    described = _resolved(operation["responses"].get(str(status)))
    assert described is not None, f"{method} {path} is not said to answer {status}: {content}"
    missing = [name for name in described.get("headers", {}) if name not in headers and name not in OPTIONAL]
    assert not missing, f"{method} {path} {status} lacks {missing}"
    if "content" not in described:
        assert not content, f"{method} {path} {status} has a body"
        return
    assert mimetype in described["content"], f"{method} {path} {status} is {mimetype}"
    if "json" in mimetype:
        where = f"{method} {path} {status}"
        fault = next(_validator(*_key(operation, status), mimetype).iter_errors(content), None)
        assert fault is None, f"{where}: {fault}"


def fits(name: str, content: Any) -> None:
    """Raise AssertionError where something is not what a schema says."""
    fault = next(_named(name).iter_errors(content), None)
    assert fault is None, f"{name}: {fault}"


@cache
def _named(name: str) -> Any:
    components = closed_components()
    return jsonschema_rs.Draft202012Validator({**components["schemas"][name], "components": components})


OPTIONAL = {"Link", "Idempotent-Replayed"}


def _operation(method: str, path: str) -> dict[str, Any] | None:
    for template, item in document()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            found: dict[str, Any] | None = item.get(method.lower())
            return found
    return None


def _key(operation: dict[str, Any], status: int) -> tuple[str, int]:
    return operation["operationId"], status


@cache
def _validator(name: str, status: int, mimetype: str) -> Any:
    operation = next(
        op for item in document()["paths"].values() for op in item.values()
        if isinstance(op, dict) and op.get("operationId") == name
    )  # fmt: skip
    schema = _resolved(operation["responses"][str(status)])["content"][mimetype]["schema"]
    return jsonschema_rs.Draft202012Validator({**closed(schema), "components": closed_components()})


@cache
def closed_components() -> dict[str, Any]:
    """The schemas, closed: what is not described is a fault. Those that others build on stay open."""
    schemas = document()["components"]["schemas"]
    built_on = set(re.findall(r"'allOf': \[\{'\$ref': '#/components/schemas/(\w+)'", str(schemas)))
    return {"schemas": {name: shape if name in built_on else closed(shape) for name, shape in schemas.items()}}


def closed(shape: Any) -> Any:
    """A schema in which what is not described is a fault."""
    if isinstance(shape, list):
        return [closed(each) for each in shape]
    if not isinstance(shape, dict):
        return shape
    found = {name: closed(value) for name, value in shape.items()}
    if "properties" in shape and "required" in shape and "additionalProperties" not in shape:
        found["unevaluatedProperties"] = False
    return found


def _resolved(response: Any) -> Any:
    if response and "$ref" in response:
        return document()["components"]["responses"][response["$ref"].rpartition("/")[2]]
    return response
