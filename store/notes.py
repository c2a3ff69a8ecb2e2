"""What somebody wrote to an event, in a row that can be erased. Beside it: schema/0007_notes.sql."""

from __future__ import annotations

from store.db import Connection


def add(conn: Connection, stream: str, version: int, author: str, text: str) -> None:
    """Keep a note to the event of this version, in its transaction."""
    query = "insert into note (stream_id, version, author, text) values (%s, %s, %s, %s)"
    conn.execute(query, [stream, version, author, text])


def of_stream(conn: Connection, stream: str) -> dict[int, str]:
    """Version -> text of each note that has not been erased."""
    return dict(conn.execute("select version, text from note where stream_id = %s", [stream]).fetchall())


def erase(conn: Connection, author: str) -> None:
    """Forget everything that a player wrote."""
    conn.execute("delete from note where author = %s", [author])
