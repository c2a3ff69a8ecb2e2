"""For whoever runs the server: health, readiness, metrics; and the API's description with its page, offline.

Read beside it: metrics.py, openapi.py.
"""

from __future__ import annotations

from hmac import compare_digest

from flask import Flask, Response, current_app
from flask_swagger_ui import get_swaggerui_blueprint
from prometheus_client import CONTENT_TYPE_LATEST

from api import metrics, openapi
from api.answers import answer
from api.auth import token_of
from api.call import Call
from api.errors import ProblemError
from api.operation import Blueprint
from store.db import LOOK_SECONDS, UnavailableError, connection, is_migrated

blueprint = Blueprint("operations", __name__, description="For whoever runs the server")


@blueprint.operation("GET", "/healthz", answer="Health")
def check_health(call: Call) -> Response:
    """Whether the process answers."""
    return answer({"status": "ok"})


@blueprint.operation("GET", "/readyz", answer="Health")
def check_readiness(call: Call) -> Response:
    """Whether Postgres is migrated and answers, and Redis answers."""
    faults = {name: fault for name, fault in (("postgres", _postgres(call)), ("redis", _redis(call))) if fault}
    if faults:
        raise ProblemError("unavailable", "; ".join(f"{n} {f}" for n, f in faults.items()),
                           {"Retry-After": "2"}, errors=faults)  # fmt: skip
    return answer({"status": "ok"})


def _postgres(call: Call) -> str | None:
    try:
        with connection(call.backing.pool, LOOK_SECONDS) as conn:
            return None if is_migrated(conn) else "is not migrated"
    except UnavailableError:
        return "does not answer"


def _redis(call: Call) -> str | None:
    return None if metrics.redis_answers(call.backing.settings.servers()[1]) else "does not answer"


@blueprint.operation("GET", "/metrics", answer={"type": "string"}, mimetype="text/plain", problems="unauthenticated")
def read_metrics(call: Call) -> Response:
    """Requests, appends, jobs and connections, for Prometheus. Where a token is set for it, that token is wanted."""
    wanted = call.backing.settings.metrics_token
    if wanted and not compare_digest((token_of(call.request) or "").encode(), wanted.encode()):
        raise ProblemError("unauthenticated", "this takes the token of TAPETE_METRICS_TOKEN")
    return Response(metrics.text(call.backing), content_type=CONTENT_TYPE_LATEST)


@blueprint.operation("GET", "/v1/openapi.json", answer={"type": "object"})
def read_description(call: Call) -> Response:
    """This description."""
    return answer(openapi.description(current_app))


def init_app(app: Flask) -> None:
    """The page that shows the description, with all it needs."""
    config = {
        "app_name": "Tapete",
        "validatorUrl": None,  # nobody else is asked
        "oauth2RedirectUrl": "/docs/oauth2-redirect.html",
        "persistAuthorization": False,
    }
    app.register_blueprint(get_swaggerui_blueprint("/docs", "/v1/openapi.json", config))
