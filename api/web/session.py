"""Signing in and out: a token of the API goes into a cookie, and out of it. Beside it: api/cookie.py, api/auth.py.

Whoever is new registers with POST /v1/players as everybody does; here only the token comes in.
"""

from __future__ import annotations

from flask import Response, request

from api import auth, cookie
from api.answers import nothing
from api.backing import backing
from api.errors import ProblemError
from api.reading import read_body
from api.web.base import SESSION, blueprint


@blueprint.put(SESSION)
def sign_in() -> Response:
    """Keep `{"token"}` in the cookie; 204."""
    _require_our_page()
    token = read_body(request).get("token")
    if not isinstance(token, str):
        raise ProblemError("unauthenticated", "this token is unknown, expired or revoked")
    with backing().connection() as conn:
        auth.bearer(conn, token.strip(), None)
    response = nothing()
    cookie.keep(response, token.strip(), request)
    return response


@blueprint.delete(SESSION)
def sign_out() -> Response:
    """Forget the cookie; 204. The token stays good: DELETE /v1/me/tokens/{id} revokes it."""
    _require_our_page()
    response = nothing()
    cookie.drop(response)
    return response


def _require_our_page() -> None:
    if not cookie.is_written_by_us(request):
        raise ProblemError("not_allowed", "only a page of this server does this")
