"""Holds the ledgers of some large seasons against their events, as the nightly audit does, and says what it took.

A process of its own, for its memory: `python -m bench.rebuild DATABASE_URL SEASONS`. Beside it: ledgers.py.
"""

from __future__ import annotations

import json
import resource
import sys

from psycopg import connect

from store import audits
from store.audits import Stream


def main(database_url: str, seasons: int) -> None:
    query = "select stream_id from event where version = 1 and starts_with(stream_id, 'ledger') order by 1 limit %s"
    with connect(database_url, autocommit=True) as conn:
        ids = [stream for (stream,) in conn.execute(query, [seasons])]
        assert len(ids) == seasons
        assert not any(audits.ledger_faults(conn, Stream(stream, "season")) for stream in ids)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(json.dumps({"peak_mb": peak}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
