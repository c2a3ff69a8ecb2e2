"""The API's description, OpenAPI 3.1: generated from the operations, served, and kept in openapi.yaml.

Read beside it: description.py (one operation), shapes.py (what answers hold), woven.py (examples and links).
"""

from __future__ import annotations

import json
from typing import Any

import flask_smorest
from flask import Flask

from api.description import HEADERS, PARAMETERS, problem_example, response
from api.errors import PROBLEMS
from api.league_shapes import LEAGUE_SCHEMAS
from api.paths import CONVERTERS
from api.shapes import SCHEMAS
from api.sheet_shapes import SHEET_SHAPES
from api.woven import woven

TITLE, VERSION = "Tapete", "1"
DESCRIPTION = """The card-table server that other people's programs play on.

Open a match, come to it, say words. A match has a `version`, the number of its last event, which is its ETag; send it
as `If-Match` and an `Idempotency-Key`, and no word is ever said twice. A card is a word and a move is a word, the same
everywhere. What somebody else holds is shown as its size until the deal lies open.
"""


class Api(flask_smorest.Api):  # type: ignore[misc]
    """flask-smorest's, with problems of our own."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """app.py has one for everything."""

    def _register_responses(self) -> None:
        for code in PROBLEMS:
            self.spec.components.response(code, response([code]), lazy=True)
            self.spec.components.example(code, {"value": problem_example(code)})


def make(app: Flask) -> Api:
    """The description of `app`, to which its blueprints are to be registered."""
    app.config.update(API_TITLE=TITLE, API_VERSION=VERSION, OPENAPI_VERSION="3.1.0", JSON_SORT_KEYS=False)
    api = Api(app, spec_kwargs={"info": {"description": DESCRIPTION}, "servers": [{"url": "/"}]})
    for converter, shape in CONVERTERS.values():
        api.register_converter(converter, lambda _, shape=shape: shape)
    components = api.spec.components
    components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    for name, description in HEADERS.items():
        components.header(name, {"description": description, "schema": {"type": "string"}})
    for name, parameter in PARAMETERS.items():
        components.parameter(name, parameter["in"], parameter)
    for name, shape in {**SCHEMAS, **LEAGUE_SCHEMAS, **SHEET_SHAPES}.items():
        components.schema(name, shape)
    return api


def description(app: Flask) -> dict[str, Any]:
    """The document as JSON."""
    found: dict[str, Any] = json.loads(json.dumps(app.extensions["tapete-api"].spec.to_dict()))
    return woven({"openapi": found["openapi"], **found})


def document() -> str:
    """The document as YAML, always the same for the same code."""
    import yaml  # a server does not need it

    from api.app import bare

    return yaml.dump(description(bare()), sort_keys=False, allow_unicode=True, width=120)
