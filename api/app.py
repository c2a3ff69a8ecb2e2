"""The application: blueprints, and what stands behind them.

Read beside it: wire.py, operation.py (how a request is led through), errors.py, backing.py, serving.py (gunicorn).
"""

from __future__ import annotations

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from api import (
    analysis,
    duplicates,
    games,
    history,
    leagues,
    matches,
    me,
    nonces,
    openapi,
    operations,
    papers,
    players,
    ratings,
    records,
    replay,
    results,
    rounds,
    seasons,
    seats,
    sheets,
    standings,
    streams,
    takebacks,
    web,
    webhooks,
)
from api.backing import Backing
from api.errors import problem
from api.paths import CONVERTERS
from api.reading import MOST_BYTES
from api.wire import Wire
from store import tracing
from store.logs import to_json
from store.settings import Settings

RESOURCES = (
    games,
    players,
    me,
    matches,
    seats,
    nonces,
    takebacks,
    history,
    streams,
    replay,
    records,
    analysis,
    duplicates,
    leagues,
    seasons,
    rounds,
    results,
    sheets,
    papers,
    standings,
    ratings,
    webhooks,
    operations,
)


def create_app(settings: Settings | None = None) -> Flask:
    """The application of one process, on the servers that `settings` name. Raises SettingsError."""
    to_json()
    traced = tracing.start("tapete-api")
    app, settings = bare(), settings or Settings.from_env()
    app.extensions["tapete"] = Backing.of(settings)
    if settings.trusted_proxies:  # else whoever asks could say from which address
        app.wsgi_app = ProxyFix(app.wsgi_app, settings.trusted_proxies, x_proto=0)  # type: ignore[method-assign]
    if traced:
        from opentelemetry.instrumentation.flask import FlaskInstrumentor

        FlaskInstrumentor().instrument_app(app)  # type: ignore[no-untyped-call]
    return app


def bare() -> Flask:
    """The same with nothing behind it: its routes and their description."""
    app = Flask("api", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=MOST_BYTES, PROPAGATE_EXCEPTIONS=False)
    app.url_map.merge_slashes = False
    app.url_map.converters |= {name: converter for name, (converter, _) in CONVERTERS.items()}
    app.wsgi_app = Wire(app.wsgi_app)  # type: ignore[method-assign]
    app.register_error_handler(Exception, problem)
    app.extensions["tapete-api"] = api = openapi.make(app)
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    operations.init_app(app)
    app.register_blueprint(web.blueprint)
    return app
