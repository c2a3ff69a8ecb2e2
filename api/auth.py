"""Who speaks: bearer tokens, 256 random bits shown once, of which only the SHA-256 is kept.

Beside it: store/players.py.
"""

from __future__ import annotations

import secrets
from hashlib import sha256

from flask import Request

from api import cookie
from api.errors import ProblemError
from domain.event import History
from store import ahead, players
from store.db import Connection
from store.players import Bearer

SCOPES = ("read", "play", "manage")
PREFIX = "tpt_"  # so that a token that leaked is known for one


def new_token() -> tuple[str, bytes]:
    """A token and its hash."""
    token = PREFIX + secrets.token_urlsafe(32)
    return token, hashed(token)


def hashed(token: str) -> bytes:
    """What is kept of a token."""
    return sha256(token.encode()).digest()


def token_of(request: Request) -> str | None:
    """The token that the request bears, in its header or as one of our pages does; None without any.

    Raises ProblemError for another kind of credentials.
    """
    header = request.headers.get("Authorization")
    if header is None:
        return cookie.credentials(request)
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise ProblemError("unauthenticated", "say Authorization: Bearer <token>")
    return token.strip()


def bearer(conn: Connection, token: str, match: str | None) -> Bearer:
    """Whose token it is, when he speaks of a match. Raises ProblemError when it is nobody's, or not any more."""
    return _known(players.bearer(conn, hashed(token), match))


def bearer_and_history(conn: Connection, token: str, match: str) -> tuple[Bearer, History]:
    """The same, and what has happened at the match. Raises ProblemError."""
    found, history = ahead.read(conn, hashed(token), match)
    return _known(found), history


def _known(found: Bearer | None) -> Bearer:
    if found is None:
        raise ProblemError("unauthenticated", "this token is unknown, expired or revoked")
    return found


def require(bearer: Bearer | None, scope: str, public: bool) -> None:
    """Raise ProblemError unless the bearer may do what takes this scope; what is public takes no bearer."""
    if bearer is None and not public:
        raise ProblemError("unauthenticated", "this takes a token: Authorization: Bearer <token>")
    if bearer is not None and scope not in bearer.scopes:
        raise ProblemError("missing_scope", f"this takes a token with the scope {scope!r}", scope=scope)
