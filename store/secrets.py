"""Keys that all processes share, drawn when the database was made. Beside it: schema/0008_secrets.sql."""

from __future__ import annotations

from store.db import Connection


def key(conn: Connection, name: str) -> bytes:
    """The key of this name, 32 bytes; it never changes."""
    (found,) = conn.execute("select key from secret where name = %s", [name]).fetchone() or ()
    return bytes(found)
