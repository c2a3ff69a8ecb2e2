"""What OpenAPI says of an operation: its parameters, answers, problems and security follow from its facts.

Read beside it: operation.py (the facts), shapes.py (the schemas), openapi.py (the whole document).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from api.errors import PROBLEMS
from api.shapes import ref

if TYPE_CHECKING:
    from api.operation import Operation

HEADERS = {
    "ETag": "The match's version, quoted; what If-Match takes.",
    "Idempotent-Replayed": "`true` when this is the first answer to the key, given again.",
    "Link": "The next page, `rel=next`.",
    "Location": "Where what was made can be read.",
    "RateLimit": "What is left: `r` requests, for `t` seconds.",
    "RateLimit-Policy": "The limit: `q` requests in `w` seconds.",
    "Retry-After": "In so many seconds it can be tried again.",
    "X-Request-ID": "The request's name in the logs; a sane one of the client's is kept.",
}

PARAMETERS = {
    "IfMatch": {
        "in": "header",
        "name": "If-Match",
        "description": "The version that was seen, quoted. When the match has moved on, nothing is done (412).",
        "schema": {"type": "string"},
        "example": '"41"',
    },
    "LastEventID": {
        "in": "header",
        "name": "Last-Event-ID",
        "description": "Of a stream: the version that was had last; it wins over `after`.",
        "schema": {"type": "string", "pattern": "^[0-9]*$"},
        "example": "41",
    },
    "IdempotencyKey": {
        "in": "header",
        "name": "Idempotency-Key",
        "description": "The same key and body again gives the first answer.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    },
}

# What is special about the example of a code; the fields beside the detail are those that come with it.
EXAMPLES: dict[str, dict[str, Any]] = {
    "malformed": {"detail": "the body is no JSON: Expecting value: line 1 column 10 (char 9)"},
    "unauthenticated": {"detail": "this token is unknown, expired or revoked"},
    "missing_scope": {"detail": "this takes a token with the scope 'play'", "scope": "play"},
    "not_allowed": {"detail": "only the host of the match may do this"},
    "not_yet_open": {"detail": "this deal does not lie open yet"},
    "not_found": {"detail": "there is no match '3f9c0a51b7e24d68a0c1'"},
    "not_your_turn": {"detail": "seat 2 owes no word at version 41", "legal": []},
    "already_done": {"detail": "this was done, and what it showed is kept nowhere", "id": "7d1f0b3c9a58e2464b0f"},
    "stale_version": {"detail": "the match is at version 42", "version": 42},
    "illegal_move": {"detail": "'7H' is not legal for seat 0 at version 41", "legal": ["JS", "9S"]},
    "invalid": {"detail": "seats: There are 3 to 6 seats.", "errors": {"seats": "There are 3 to 6 seats."}},
    "rate_limited": {"detail": "100 writes in 1 s is the most"},
}


def described(operation: Operation) -> dict[str, Any]:
    """The OpenAPI operation object."""
    found: dict[str, Any] = {
        "operationId": operation_id(operation.view.__name__),
        "security": _security(operation),
        "parameters": _parameters(operation),
        "responses": {**_successes(operation), **_over(operation), **_problems(operation)},
    }
    if operation.body:
        required = any(field.required for field in operation.body.fields.values())
        content = {"application/json": {"schema": operation.body}, **_content(operation.takes)}
        found["requestBody"] = {"required": required, "content": content}
    elif operation.takes:
        found["requestBody"] = {"required": True, "content": _content(operation.takes)}
    return found


def operation_id(view: str) -> str:
    """read_match -> readMatch."""
    first, *others = view.split("_")
    return first + "".join(word.capitalize() for word in others)


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    if operation.scope is None:
        return []
    return [*([{}] if operation.public else []), {"bearer": [operation.scope]}]


def _parameters(operation: Operation) -> list[Any]:
    found: list[Any] = [{"in": "query", "schema": operation.query}] if operation.query.fields else []
    found += ["LastEventID"] * operation.resumed
    return found + ["IfMatch"] * operation.versioned + ["IdempotencyKey"] * operation.once


def _successes(operation: Operation) -> dict[int, Any]:
    statuses = {operation.status, operation.repeated or operation.status}
    return {status: _success(operation) for status in sorted(statuses, reverse=True)}


def _success(operation: Operation) -> dict[str, Any]:
    headers = ["X-Request-ID", *operation.headers.split()]
    if operation.writes:
        headers += ["RateLimit", "RateLimit-Policy"]
    if operation.once and not operation.secret:
        headers += ["Idempotent-Replayed"]
    found: dict[str, Any] = {"description": "Done", "headers": _refs(headers)}
    if operation.answer is not None:
        found["content"] = _content({operation.mimetype: operation.answer, **operation.also})
    return found


def _over(operation: Operation) -> dict[int, Any]:
    said = "Of SSE: there is nothing more and never will be, come no more"
    return {204: {"description": said, "headers": _refs(["X-Request-ID"])}} if operation.resumed else {}


def _content(shapes: Mapping[str, Any]) -> dict[str, Any]:
    """A schema, or the name of one, for each media type."""
    return {mimetype: {"schema": ref(shape) if isinstance(shape, str) else shape} for mimetype, shape in shapes.items()}


def _refs(headers: list[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in sorted(headers)}


def codes(operation: Operation) -> set[str]:
    """Every code that the operation can answer with."""
    found = {"invalid", "not_acceptable", "unavailable", *operation.problems.split()}
    if operation.scope:
        found |= {"unauthenticated", "missing_scope"}
    if operation.body or operation.takes:
        found |= {"malformed", "too_large", "unsupported_media_type"}
    if operation.writes:
        found |= {"rate_limited"}
    if operation.once:
        found |= {"malformed", "in_progress", "idempotency_conflict"}
    if operation.once and operation.secret:
        found |= {"already_done"}
    if operation.versioned:
        found |= {"stale_version"}
    return found


def _problems(operation: Operation) -> dict[int, Any]:
    def status(code: str) -> int:
        return PROBLEMS[code].status

    ordered = sorted(codes(operation), key=lambda code: (status(code), code))
    return {number: _problem(list(several)) for number, several in groupby(ordered, status)}


def _problem(several: list[str]) -> Any:
    return several[0] if len(several) == 1 else response(several)


def response(several: list[str]) -> dict[str, Any]:
    """The response of one status that has these codes."""
    headers = ["X-Request-ID", *(["Retry-After"] if PROBLEMS[several[0]].status in (429, 503) else [])]
    schema = {**ref("Problem"), "properties": {"code": {"enum": several}}}
    return {
        "description": " · ".join(f"`{code}`: {PROBLEMS[code].en}" for code in several),
        "headers": _refs(headers),
        "content": {"application/problem+json": {"schema": schema, "examples": _examples(several)}},
    }


def _examples(several: list[str]) -> dict[str, Any]:
    return {code: {"$ref": f"#/components/examples/{code}"} for code in several}


def problem_example(code: str) -> dict[str, Any]:
    """A problem of this code, as it is answered."""
    row = PROBLEMS[code]
    facts = {"detail": f"{row.en}.", "instance": "/v1/matches/3f9c0a51b7e24d68a0c1/moves", **EXAMPLES.get(code, {})}
    return {"type": f"urn:tapete:problem:{code}", "title": row.en, "status": row.status, "code": code, **facts}
