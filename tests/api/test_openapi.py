"""The description in the repository is the one the code makes, and it is sound."""

from pathlib import Path

from jsonschema_rs import Draft202012Validator

from api.openapi import document
from tests.api import conformance
from tests.api.http import Client

ROOT = Path(__file__).parents[2]


def test_openapi_yaml_is_up_to_date() -> None:
    made = document()
    kept = (ROOT / "openapi.yaml").read_text()
    assert made == kept, "run: tapete openapi > openapi.yaml"


def test_what_is_served_is_the_same(anybody: Client) -> None:
    assert anybody.read("/v1/openapi.json") == conformance.document()


def test_every_schema_is_a_schema() -> None:
    for shape in conformance.document()["components"]["schemas"].values():
        Draft202012Validator({**shape, "components": conformance.document()["components"]})
