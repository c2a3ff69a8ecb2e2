"""The pages' cookie: the same token as a bearer's, kept where no script can read it.

It counts only for requests that one of our own pages has made. A write must say so in a header, which a foreign page
cannot send: it would have to ask first (CORS), and that header is never allowed. Beside it: auth.py, web/session.py.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Request, Response

NAME = "tapete"
PAGE = "X-Tapete-Page"  # any value; see wire.py: it is not among the allowed ones
READS = ("GET", "HEAD", "OPTIONS")
LASTS_SECONDS = 400 * 24 * 3600  # the most that browsers keep


def token(request: Request) -> str | None:
    """The token in the cookie, whoever made the request."""
    return request.cookies.get(NAME) or None


def credentials(request: Request) -> str | None:
    """The same, where the request comes from a page of ours; else there is none."""
    found = token(request)
    return found if found and (is_ours(request) if request.method in READS else is_written_by_us(request)) else None


def is_ours(request: Request) -> bool:
    """Whether a browser says that it comes from us, or from nobody's page."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        return site in ("same-origin", "none")
    return origin is None or urlsplit(origin).netloc == request.host


def is_written_by_us(request: Request) -> bool:
    """Whether a write comes from a page of ours: not from a link or a form, wherever they are."""
    return PAGE in request.headers and is_ours(request) and request.headers.get("Sec-Fetch-Site") != "none"


def keep(response: Response, value: str, request: Request) -> None:
    """Have the browser keep a token. It is for https alone where the page says that it came by https."""
    secure = request.is_secure or request.headers.get("Origin", "").startswith("https:")
    response.set_cookie(NAME, value, LASTS_SECONDS, httponly=True, samesite="Lax", secure=secure)


def drop(response: Response) -> None:
    """Have the browser forget it."""
    response.delete_cookie(NAME, httponly=True, samesite="Lax")
