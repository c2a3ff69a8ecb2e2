"""For whoever runs the server: health, readiness, metrics; and the API's description with its page, offline.

Read beside it: wire.py and call.py (what is counted), openapi.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import structlog
from flask import Flask, Response, current_app
from flask_swagger_ui import get_swaggerui_blueprint
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from redis import Redis
from redis.exceptions import RedisError

from api import openapi
from api.answers import answer
from api.call import Call
from api.errors import ProblemError
from api.operation import Blueprint
from store import jobs
from store.db import UnavailableError, connection, is_migrated

blueprint = Blueprint("operations", __name__, description="For whoever runs the server")

READY_SECONDS = 1.0  # to answer us

log = structlog.get_logger("api")


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
        with connection(call.backing.pool) as conn:
            return None if is_migrated(conn) else "is not migrated"
    except UnavailableError:
        return "does not answer"


def _redis(call: Call) -> str | None:
    url = call.backing.settings.servers()[1]
    try:
        with Redis.from_url(url, socket_timeout=READY_SECONDS, socket_connect_timeout=READY_SECONDS) as redis:
            redis.ping()
    except (RedisError, OSError):
        return "does not answer"
    return None


@blueprint.operation("GET", "/metrics", answer={"type": "string"}, mimetype="text/plain")
def read_metrics(call: Call) -> Response:
    """Requests, appends and jobs, for Prometheus."""
    registry = CollectorRegistry()
    registry.register(_Jobs(call))
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        text = generate_latest(registry)
    else:
        text = generate_latest(REGISTRY) + generate_latest(registry)
    return Response(text, content_type=CONTENT_TYPE_LATEST)


class _Jobs:
    """What is not done, as the database has it; nothing while that does not answer."""

    def __init__(self, call: Call) -> None:
        self.call = call

    def collect(self) -> Iterator[GaugeMetricFamily]:
        count = GaugeMetricFamily("tapete_jobs", "Jobs not done", labels=["kind", "state"])
        late = GaugeMetricFamily("tapete_jobs_late_seconds", "The longest any is due", labels=["kind", "state"])
        try:
            with connection(self.call.backing.pool) as conn:
                found = jobs.counts(conn)
        except UnavailableError as fault:
            log.warning("no job counts", fault=str(fault))
            return
        for each in found:
            count.add_metric([each.kind, each.state], each.jobs)
            late.add_metric([each.kind, each.state], each.late_seconds)
        yield count
        yield late


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
