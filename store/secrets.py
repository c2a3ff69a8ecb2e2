"""Keys that all processes share, drawn when the database was made. Beside it: schema/0008_secrets.sql."""

from __future__ import annotations

from store.db import Connection


def key(conn: Connection, name: str) -> bytes:
    """The key of this name, 32 bytes; it never changes."""
    (row,) = conn.execute("select key from secret where name = %s", [name])
    return bytes(row[0])
