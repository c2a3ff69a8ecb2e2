"""Every operation there is, read off the application itself, so that what comes later is tested as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from api.app import bare
from api.openapi import description

NOWHERE = "0" * 20
METHODS = ("get", "post", "put", "patch", "delete")


class Described(NamedTuple):
    """One method of one path."""

    method: str
    template: str
    facts: dict[str, Any]

    @property
    def scopes(self) -> list[str]:
        """Those that a token needs; none where it is not looked at."""
        return [scope for way in self.facts["security"] for scope in way.get("bearer", [])]

    @property
    def public(self) -> bool:
        """Whether it can be done without a token."""
        return not self.facts["security"] or {} in self.facts["security"]

    @property
    def query(self) -> list[str]:
        """The names of its parameters."""
        return [each["name"] for each in map(resolved, self.facts["parameters"]) if each["in"] == "query"]

    @property
    def sent(self) -> list[str]:
        """The names of the headers that it takes."""
        return [each["name"] for each in map(resolved, self.facts["parameters"]) if each["in"] == "header"]

    @property
    def needed(self) -> dict[str, str]:
        """The parameters that it cannot do without."""
        every = [each for each in map(resolved, self.facts["parameters"]) if each["in"] == "query"]
        return {each["name"]: each["schema"].get("enum", ["Ana"])[0] for each in every if each.get("required")}

    @property
    def answers(self) -> list[str]:
        """The media types of its success."""
        responses = [resolved(each) for status, each in self.facts["responses"].items() if status < "300"]
        return [mimetype for each in responses for mimetype in each.get("content", {})]

    @property
    def body(self) -> Any:
        """A body of the right shape, or None where it takes none."""
        content = self.facts.get("requestBody", {}).get("content", {})
        return sample(content["application/json"]["schema"]) if "application/json" in content else None

    def path(self, **known: Any) -> str:
        """The path; what is not known leads nowhere."""
        return re.sub(r"\{(\w+)\}", lambda found: str(known.get(found[1], NOWHERE)), self.template)

    def __str__(self) -> str:
        return f"{self.method} {self.template}"


@cache
def document() -> dict[str, Any]:
    """The description of the application as it is."""
    return description(bare())


def operations() -> Iterator[Described]:
    """All of them."""
    for template, item in document()["paths"].items():
        for method in METHODS:
            if method in item:
                shared = item.get("parameters", [])
                facts = {"security": [], **item[method]}
                yield Described(
                    method.upper(), template, {**facts, "parameters": [*shared, *facts.get("parameters", [])]}
                )


def resolved(shape: dict[str, Any]) -> dict[str, Any]:
    """What a reference stands for."""
    found = shape
    while "$ref" in found:
        below = document()
        for name in found["$ref"].removeprefix("#/").split("/"):
            below = below[name]
        found = below
    return found


def sample(shape: dict[str, Any]) -> Any:
    """A small value that the shape allows."""
    shape = resolved(shape)
    if "example" in shape or "default" in shape:
        return shape.get("example", shape.get("default"))
    if "enum" in shape:
        return shape["enum"][0]
    kind = shape.get("type", "object")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        properties = shape.get("properties", {})
        return {name: sample(properties[name]) for name in shape.get("required", [])}
    if kind == "array":
        return [sample(shape.get("items", {"type": "string"}))] * shape.get("minItems", 1)
    return {"integer": shape.get("minimum", 1), "number": 1, "boolean": True, "string": "x"}.get(kind)
