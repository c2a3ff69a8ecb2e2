"""What `/metrics` shows: what the API's processes have counted, and what stands in Postgres at this moment.

It answers whoever is away: tapete_postgres_up and tapete_redis_up say so, and what only Postgres knows is then left
out. Names of routes, kinds and states are labels; nothing of a player, a match or a card is. Beside it: operations.py,
wire.py, call.py and backing.py (what is counted), docs/alerts.yaml (what to make of it).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TypeAlias

from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from api.backing import CONNECTIONS, Backing
from store import audits, deliveries, jobs, webhooks
from store.db import LOOK_SECONDS, Connection, UnavailableError, connection

READY_SECONDS = 1.0  # for Redis to answer us

Gauges: TypeAlias = Iterator[GaugeMetricFamily | CounterMetricFamily]


def text(backing: Backing) -> bytes:
    """Everything, in Prometheus's text format: of all processes of this API, whichever answers."""
    registry = CollectorRegistry()
    registry.register(_Now(backing))
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY) + generate_latest(registry)
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def redis_answers(redis_url: str) -> bool:
    """Whether it does, within a second."""
    with (
        suppress(RedisError, OSError),
        Redis.from_url(
            redis_url,
            socket_timeout=READY_SECONDS,
            socket_connect_timeout=READY_SECONDS,
            retry=Retry(NoBackoff(), 0),
        ) as redis,
    ):
        return bool(redis.ping())
    return False


class _Now:
    """What is so when it is asked."""

    def __init__(self, backing: Backing) -> None:
        self.backing = backing

    def collect(self) -> Gauges:
        """Of Redis, of Postgres, and of what lies in it."""
        redis_up = redis_answers(self.backing.settings.servers()[1])
        yield _gauge("tapete_redis_up", "Whether Redis answers", redis_up)
        yield _gauge("tapete_connections_most", "Connections to Postgres that a process may have", CONNECTIONS)
        try:
            with connection(self.backing.pool, LOOK_SECONDS) as conn:
                found = [*_jobs(conn), *_webhooks(conn), *_audits(conn)]
        except UnavailableError:
            found = []
        yield _gauge("tapete_postgres_up", "Whether Postgres answers", bool(found))
        yield from found


def _webhooks(conn: Connection) -> Gauges:
    """How receivers do; what was sent counts as long as its webhook is there."""
    health = webhooks.health(conn)
    count = CounterMetricFamily("tapete_webhook_messages", "Messages to webhooks, by state", labels=["state"])
    for state in ("delivered", "failed", "dropped"):
        count.add_metric([state], getattr(health, state))
    yield count
    yield _gauge("tapete_webhook_messages_pending", "Messages that wait", deliveries.pending(conn))
    for state in ("disabled", "failing"):
        yield _gauge(f"tapete_webhooks_{state}", f"Webhooks that are {state}", getattr(health, state))


def _jobs(conn: Connection) -> Gauges:
    """What is not done, by kind and state; and for alerts, how late the oldest is that still will be, and the dead."""
    counts = jobs.counts(conn)
    count = GaugeMetricFamily("tapete_jobs", "Jobs not done", labels=["kind", "state"])
    late = GaugeMetricFamily("tapete_jobs_late_seconds", "The longest any is due", labels=["kind", "state"])
    for each in counts:
        count.add_metric([each.kind, each.state], each.jobs)
        late.add_metric([each.kind, each.state], each.late_seconds)
    yield from (count, late)
    oldest = max((each.late_seconds for each in counts if each.state != "dead"), default=0.0)
    yield _gauge("tapete_oldest_due_job_seconds", "How long the job has been due that waits longest", oldest)
    yield _gauge("tapete_dead_jobs", "Jobs that have failed for good", _dead(counts))


def _audits(conn: Connection) -> Gauges:
    """What the last night's audit came to; zeros before the first one."""
    night = audits.last(conn)
    yield _gauge("tapete_ledger_faults", "Matches and seasons at fault in the last audit", night.faults)
    yield _gauge("tapete_ledger_audited", "Matches and seasons in the last audit", night.streams)
    yield _gauge("tapete_ledger_audit_age_seconds", "How long ago the last audit ended", night.age_seconds)


def _dead(counts: Iterable[jobs.Count]) -> int:
    return sum(each.jobs for each in counts if each.state == "dead")


def _gauge(name: str, what: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, value=float(value))
