"""What all pages have in common: the blueprint, how a page is rendered, its headers, and its faults.

Beside it: looks.py (language and theme), api/cookie.py (whose page it is), templates/layout.html.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, render_template, request
from werkzeug.exceptions import NotFound

from api import auth, cookie
from api.backing import backing
from api.call import Call
from api.errors import PROBLEMS, ProblemError, noted, problem
from api.web import looks
from store import players
from store.players import Player

POLICY = "; ".join(
    [
        "default-src 'none'",
        *(f"{what}-src 'self'" for what in ("script", "style", "connect", "font", "manifest")),
        "img-src 'self' data:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}

SESSION = "/session"
STATIC = Path(__file__).parent / "static"

blueprint = Blueprint("web", __name__, template_folder="templates", static_folder="static", static_url_path="/static")


def page(template: str, status: int = 200, viewer: Player | None = None, **facts: Any) -> Response:
    """A page in the reader's language and colours. `viewer` is whoever is signed in."""
    look = looks.of(request)
    text = render_template(template, look=look, t=look.say, viewer=viewer, path=request.path, **facts)
    return Response(text, status, mimetype="text/html", headers={"Content-Language": look.language})


def signed_in(known: Callable[[Call], object] | None = None) -> Player | None:
    """Whoever the cookie says is signed in. A cookie that is good no more counts as none.

    `known` raises where he finds nothing. Raises UnavailableError.
    """
    with ExitStack() as leases:
        call = Call(backing(), request, leases)
        if token := cookie.token(request):
            call.bearer = players.bearer(call.conn, auth.hashed(token))
        if known:
            known(call)
        return players.get(call.conn, call.viewer) if call.viewer else None


def shell(template: str, known: Callable[[Call], object] | None = None, **facts: Any) -> Response:
    """A page for whoever is signed in, or nobody; 404 where `known` finds nothing that he may see."""
    return page(template, viewer=signed_in(known), **facts)


@blueprint.after_request
def protect(response: Response) -> Response:
    """No page runs, loads or sends anything that is not ours."""
    response.headers.update(HEADERS)
    return response


@blueprint.errorhandler(Exception)
def show_fault(error: Exception) -> Response:
    """A fault, as a page; to modules as the API says it."""
    if not request.accept_mimetypes.accept_html or request.path == SESSION:
        return problem(error)
    row, look = PROBLEMS[noted(error)], looks.of(request)
    spanish, viewer = look.language == "es", signed_in() if row.status < 500 else None
    detail = row.detalle if spanish else str(error) if isinstance(error, ProblemError) else ""
    if row.status == 404:
        detail = look.say("fault.nothing")
    return page("fault.html", row.status, viewer, title=row.es if spanish else row.en, detail=detail)


@blueprint.app_errorhandler(NotFound)
def show_nothing(error: Exception) -> Response:
    """An address that is nobody's: a page for a browser, a problem for a program."""
    asked = request.accept_mimetypes.best_match(["application/problem+json", "text/html"])
    if request.path.startswith("/v1/") or asked != "text/html":
        return problem(error)
    return protect(show_fault(error))


NAVIGATION = (
    ("/", "nav.lobby"),
    ("/duplicates", "nav.duplicates"),
    ("/leagues", "nav.leagues"),
    ("/rules", "nav.rules"),
)  # path, key of its words


@blueprint.app_context_processor
def common() -> dict[str, Any]:
    """What every template may use."""
    return {"nav": NAVIGATION, "picture": picture, "drawn": [path.stem for path in sorted(STATIC.glob("games/*.js"))]}


def picture(game: str) -> str:
    """Where the picture of a table of this game is; a game that has none has a table's."""
    drawn = (STATIC / "pictures" / f"{game}.svg").exists()
    return f"/static/pictures/{game if drawn else 'table'}.svg"
