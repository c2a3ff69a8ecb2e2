"""Logs as one JSON object a line on stderr: our own and those of the libraries. API and workers begin with it."""

from __future__ import annotations

import logging
from time import monotonic

import structlog

SELDOM_SECONDS = 5.0


class Seldom(logging.Filter):
    """Lets a line through when there was none for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.next = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is time again."""
        if (now := monotonic()) < self.next:
            return False
        self.next = now + SELDOM_SECONDS
        return True


seldom = Seldom()  # of the pool, which knocks ten times a second at a Postgres that is away


def to_json(level: str = "INFO") -> None:
    """From now on whatever this process logs, or warns of, goes out as JSON."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    final: list[structlog.types.Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.JSONRenderer(),
    ]
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=final))
    logging.basicConfig(handlers=[handler], level=level, force=True)
    logging.captureWarnings(True)
    logging.getLogger("psycopg.pool").addFilter(seldom)
