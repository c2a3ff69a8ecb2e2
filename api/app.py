"""The application: blueprints, what every answer carries, and what stands behind it.

Read beside it: operation.py (how a request is led through), errors.py, backing.py, serving.py (gunicorn).
"""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, request

from api import games, history, logs, matches, me, openapi, operations, players, seats
from api.backing import Backing
from api.errors import problem
from api.paths import CONVERTERS
from api.reading import MOST_BYTES
from store.logs import to_json
from store.settings import Settings

RESOURCES = (games, players, me, matches, seats, history, operations)

EXPOSED = "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, X-Request-ID"
ALLOWED = "Authorization, Content-Type, If-Match, Idempotency-Key, Last-Event-ID, X-Request-ID"
CARRIED = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED,
    "Vary": "Authorization, Accept, Accept-Language",
    "X-Content-Type-Options": "nosniff",
}


def create_app(settings: Settings | None = None) -> Flask:
    """The application of one process, on the servers that `settings` name. Raises SettingsError."""
    to_json()
    app = bare()
    app.extensions["tapete"] = Backing.of(settings or Settings.from_env())
    return app


def bare() -> Flask:
    """The same with nothing behind it: its routes and their description."""
    app = Flask("api", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=MOST_BYTES, PROPAGATE_EXCEPTIONS=False)
    app.url_map.merge_slashes = False
    app.url_map.converters |= {name: converter for name, (converter, _) in CONVERTERS.items()}
    logs.init_app(app)
    app.register_error_handler(Exception, problem)
    app.after_request(_carry)
    app.extensions["tapete-api"] = api = openapi.make(app)
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    operations.init_app(app)
    return app


def _carry(response: Response) -> Response:
    """What every answer says, of whatever kind."""
    response.headers.extend(CARRIED)
    response.headers["Cache-Control"] = "private, no-cache"
    if request.method == "OPTIONS" and response.status_code == 200:
        _preflight(response.headers)
    return response


def _preflight(headers: Any) -> None:
    headers["Access-Control-Allow-Methods"] = headers.get("Allow", "")
    headers["Access-Control-Allow-Headers"] = ALLOWED
    headers["Access-Control-Max-Age"] = "86400"
