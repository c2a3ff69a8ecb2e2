"""Traces by OpenTelemetry, where OTEL_EXPORTER_OTLP_ENDPOINT says whither; without that nothing is imported or done.

It takes `pip install 'tapete[otel]'`, and reads the variables that OpenTelemetry documents. Spans hold statements,
never values. A request, its append and its statements are one trace; the worker's span bears the key of its job, which
is among the keys on the span of the append. Beside it: api/app.py, api/call.py, workers/process.py.
"""

import os
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from store.settings import SettingsError

SWITCH = "OTEL_EXPORTER_OTLP_ENDPOINT"
tracers: list[Any] = []  # of this process, one at most


def start(service: str) -> bool:
    """Begin to trace in this process, after the fork; answers whether it is traced. Raises SettingsError."""
    if not os.environ.get(SWITCH) or tracers:
        return bool(tracers)
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as missing:
        raise SettingsError(f"{SWITCH} is set, and {missing.name} is not here: pip install 'tapete[otel]'") from None
    os.environ.setdefault("OTEL_SERVICE_NAME", service)
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: os.environ["OTEL_SERVICE_NAME"]}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    PsycopgInstrumentor().instrument()
    tracers.append(provider.get_tracer("tapete"))
    return True


def span(name: str, **facts: Any) -> AbstractContextManager[Any]:
    """The block as a part of the running trace."""
    named = {f"tapete.{fact}": value for fact, value in facts.items()}
    return tracers[0].start_as_current_span(name, attributes=named) if tracers else nullcontext()
