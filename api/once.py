"""Idempotency-Key: the same key and body again gives the first answer, which is kept in the transaction of its effect.

Read beside it: store/idempotency.py. Only successes are kept, and nothing that shows a secret.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from flask import Response

from api.call import Call
from api.errors import ProblemError
from api.reading import printable, raw_body
from store import idempotency
from store.idempotency import Replay

KEPT = ("Location", "ETag", "Content-Type")


def key(call: Call) -> str | None:
    """The request's key. Raises ProblemError when it is none."""
    text = call.request.headers.get("Idempotency-Key")
    if text is not None and not printable(text):
        raise ProblemError("malformed", "an Idempotency-Key is 1 to 255 printable characters")
    return text


def once(call: Call, key: str, secret: bool, run: Callable[[], Response]) -> Response:
    """What `run` answers, or what it has answered before. Raises KeyReusedError, StillRunningError."""
    asked = call.request
    body_hash = sha256(raw_body(asked)).digest()
    with call.conn.transaction():
        claim = idempotency.claim(
            call.conn, player=call.player, method=asked.method, path=asked.path, key=key, body_hash=body_hash
        )
        if isinstance(claim, Replay):
            return _again(claim)
        response = run()
        headers = {name: response.headers[name] for name in KEPT if name in response.headers}
        body = None if secret else response.get_data(as_text=True)
        idempotency.answer(call.conn, claim, response.status_code, headers, body, call.made)
    return response


def _again(first: Replay) -> Response:
    headers = {"Idempotent-Replayed": "true"}
    if first.body is None:
        made = {} if first.result_id is None else {"id": first.result_id}
        raise ProblemError("already_done", "this was done, and what it showed is kept nowhere", headers, **made)
    return Response(first.body, first.status, {**first.headers, **headers})
