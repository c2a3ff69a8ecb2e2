"""What schemathesis is told of this API before it makes requests up: loaded by it, named by SCHEMATHESIS_HOOKS.

Beside it: test_schemathesis.py.
"""

from __future__ import annotations

import json
import os
import zlib
from typing import Any

import schemathesis
import tomli_w

STATEFUL = os.environ.get("MADE_UP") == "stateful"
SEATS = [{"player": "me"}, {"bot": "rule"}, {"bot": "random"}]
PROPOSALS: list[dict[str, Any]] = [
    {"game": "polignac", "options": {"deals": 1}, "seats": SEATS},
    {"game": "bottle_imp", "options": {"deals": 1}, "seats": SEATS},
    {"game": "pot_de_vin", "seats": [{"player": "me"}, {"open": True}, {"open": True}], "visibility": "private"},
    {"game": "mykonos", "seats": SEATS, "clock": {"turn_seconds": 5}},
    {"game": "polignac", "seats": SEATS, "fair": True},
]


@schemathesis.serializer("application/toml")
def toml(ctx: Any, value: Any) -> bytes:
    """A body in TOML, or what claims to be one."""
    return tomli_w.dumps(value).encode() if isinstance(value, dict) else str(value).encode()


@schemathesis.hook
def before_call(ctx: Any, case: Any, kwargs: Any) -> None:
    """A stream that never ends is asked for in a form that there is not."""
    if case.operation.path == "/v1/stream":
        case.headers = {**(case.headers or {}), "Accept": "text/csv"}


if STATEFUL:

    @schemathesis.hook
    def map_body(ctx: Any, body: Any) -> Any:
        """Proposals of matches are mostly good ones, so that there are matches to go on with."""
        if ctx.operation.definition.raw["operationId"] != "openMatch":
            return body
        number = zlib.crc32(json.dumps(body, default=str).encode()) % (len(PROPOSALS) + 1)
        return [*PROPOSALS, body][number]
