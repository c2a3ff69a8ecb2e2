"""Traces as a collector receives them, from the API and a worker that really run. Beside it: store/tracing.py."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bench.table import Table
from tests.api.conftest import serving
from tests.workers.tables import ROOT, ready, wait_for, worker

SWITCH = "OTEL_EXPORTER_OTLP_ENDPOINT"


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """Where traces are sent, and what has come."""
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            bodies.append(gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", bodies
        server.shutdown()


def spans(bodies: list[bytes]) -> list[Any]:
    """All spans, each with its attributes as a dictionary."""
    proto = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")
    found = []
    for body in bodies:
        request = proto.ExportTraceServiceRequest.FromString(body)
        found += [span for each in request.resource_spans for scope in each.scope_spans for span in scope.spans]
    return found


def fact(span: Any, name: str) -> Any:
    return next((each.value for each in span.attributes if each.key == name), None)


def test_a_request_its_append_and_the_job_that_follows_are_found_together(
    database_url: str, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("opentelemetry.sdk", reason="the extra `otel` is not installed here")
    with collector() as (url, bodies):
        monkeypatch.setenv(SWITCH, url)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "200")
        with (
            serving(database_url, redis_url, tmp_path / "api") as base,
            worker(database_url, redis_url, tmp_path / "worker"),
        ):
            ready(tmp_path / "worker")
            table = Table([base], persons=1, bots=3, options={"deals": 1})
            table.run()
            wait_for(lambda: any(span.name == "job" for span in spans(bodies)))
    found = spans(bodies)
    by_id = {span.span_id: span for span in found}
    appends = [span for span in found if span.name == "append" and fact(span, "tapete.stream")]
    move = next(span for span in appends if "moves" in by_id[span.parent_span_id].name)
    assert fact(move, "tapete.stream").string_value == table.match
    assert any(span.parent_span_id == move.span_id and span.trace_id == move.trace_id for span in found), "no statement"
    keys = {key.string_value for span in appends for key in fact(span, "tapete.jobs").array_value.values}
    done = {fact(span, "tapete.job").string_value for span in found if span.name == "job"}
    assert keys & done
    sent = b"".join(bodies)
    assert not any(token.encode() in sent for token in table.tokens), "a token was told"
    assert not any(f'"{said.word}"'.encode() in sent for said in table.said if len(said.word) == 2), "a card was told"


def test_without_the_packages_it_is_said_what_to_install_and_without_the_switch_nothing_is_asked() -> None:
    program = "import sys; sys.modules['opentelemetry'] = None; from store import tracing; print(tracing.start('x'))"
    for variables, said in (({}, "False"), ({SWITCH: "http://127.0.0.1:1"}, "pip install 'tapete[otel]'")):
        ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env={**os.environ, **variables},
                               capture_output=True, text=True, check=False)  # fmt: skip
        assert said in ended.stdout + ended.stderr
