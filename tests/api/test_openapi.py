"""The description in the repository is the one the code makes, and it is sound: schemas, examples, links."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from api.errors import PROBLEMS
from api.openapi import document
from api.woven import operations
from tests.api import conformance, examples
from tests.api.http import Client

ROOT = Path(__file__).parents[2]


def test_openapi_yaml_is_up_to_date() -> None:
    made = document()
    kept = (ROOT / "openapi.yaml").read_text()
    assert made == kept, "run: make openapi"


def test_what_is_served_is_the_same(anybody: Client) -> None:
    assert anybody.read("/v1/openapi.json") == conformance.document()


def test_every_schema_is_a_schema() -> None:
    for shape in conformance.document()["components"]["schemas"].values():
        Draft202012Validator({**shape, "components": conformance.document()["components"]})


# Examples


def contents() -> Iterator[tuple[str, str, Any]]:
    """Every body that can be sent or answered, but for problems: whose it is, its media type, what is said of it."""
    for _, operation in operations(conformance.document()):
        described = {"takes": operation.get("requestBody", {}), **operation["responses"]}
        for place, each in described.items():
            if place == "takes" or place < "300":
                for mimetype, content in each.get("content", {}).items():
                    yield f"{operation['operationId']} {place} {mimetype}", mimetype, content


def shape_fault(shape: Any, content: Any) -> str | None:
    """What is wrong with something that is said to be of a shape: a fault's text, or None."""
    whole = {**conformance.closed(shape), "components": conformance.closed_components()}
    fault = next(Draft202012Validator(whole).iter_errors(content), None)
    return None if fault is None else str(fault)


def lines(mimetype: str, text: str) -> list[Any]:
    """The JSON in an example of a stream."""
    if mimetype == "text/event-stream":
        text = "\n".join(line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: "))
    return [json.loads(line) for line in text.splitlines() if line]


def test_every_operation_has_an_example_of_what_it_takes_and_answers() -> None:
    bare = [where for where, _, content in contents()
            if "example" not in content and content["schema"].get("format") != "binary"]  # fmt: skip
    assert not bare, f"tests/api/examples.py says how they get one: {bare}"


def test_every_example_is_what_its_schema_says() -> None:
    for where, mimetype, content in contents():
        if "example" not in content:
            continue
        assert shape_fault(content["schema"], content["example"]) is None, where
        if line := content["schema"].get("x-line") or content["schema"].get("x-data"):
            found = lines(mimetype, content["example"])
            assert found, where
            assert [fault for each in found if (fault := shape_fault(line, each))] == [], where


def test_every_example_of_a_parameter_is_one() -> None:
    shown = 0
    for item, operation in operations(conformance.document()):
        for parameter in [*item.get("parameters", []), *operation.get("parameters", [])]:
            if "example" in parameter:
                shown += 1
                wanted, said = parameter["schema"], parameter["example"]
                if wanted.get("type") == "integer":
                    said = int(said)
                assert shape_fault(wanted, said) is None, (operation["operationId"], parameter)
    assert shown > 20


def test_every_problem_has_an_example() -> None:
    kept = conformance.document()["components"]["examples"]
    for code in PROBLEMS:
        if code != "internal":
            conformance.fits("Problem", kept[code]["value"])


def test_every_operation_that_takes_a_path_can_be_come_to_by_a_link_or_by_what_is_known() -> None:
    """A match, a player, a webhook, … : whatever makes or lists it links to what can be done with it."""
    linked = {
        link["operationId"]
        for _, operation in operations(conformance.document())
        for answer in operation["responses"].values()
        for link in answer.get("links", {}).values()
    }
    taking = {op["operationId"] for item, op in operations(conformance.document()) if item.get("parameters")}
    assert linked >= taking, "api/woven.py: NAMED"
    assert linked <= {op["operationId"] for _, op in operations(conformance.document())}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, database_url: str, redis_url: str) -> Path:
    """The examples, recorded anew."""
    folder = tmp_path_factory.mktemp("examples")
    command = [sys.executable, "-m", "tests.api.examples", str(folder), database_url, redis_url]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
    return folder


def test_the_examples_are_what_is_answered_today(recorded: Path) -> None:
    kept = {file.name: file.read_text("utf-8") for file in examples.FOLDER.glob("*.json")}
    found = {file.name: file.read_text("utf-8") for file in recorded.glob("*.json")}
    assert sorted(kept) == sorted(found), "run: make examples"
    assert [name for name in kept if kept[name] != found[name]] == [], "run: make examples"
