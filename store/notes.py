"""What somebody wrote to an event, in a row that can be erased. Beside it: schema/0007_notes.sql."""

from __future__ import annotations

from typing import NamedTuple

from store.db import Connection


class Note(NamedTuple):
    """A text and the event that it was written to."""

    stream: str
    version: int
    text: str


def add(conn: Connection, stream: str, version: int, author: str, text: str) -> None:
    """Keep a note to the event of this version, in its transaction."""
    query = "insert into note (stream_id, version, author, text) values (%s, %s, %s, %s)"
    conn.execute(query, [stream, version, author, text])


def of_stream(conn: Connection, stream: str) -> dict[int, str]:
    """Version -> text of each note that has not been erased."""
    return dict(conn.execute("select version, text from note where stream_id = %s", [stream]).fetchall())


def of_author(conn: Connection, author: str, limit: int, after: tuple[str, int] = ("", 0)) -> list[Note]:
    """What a player wrote, to the events behind that stream and version."""
    query = """
    select stream_id, version, text from note
    where author = %s and (stream_id, version) > (%s, %s) order by stream_id, version limit %s
    """
    return [Note(*row) for row in conn.execute(query, [author, *after, limit])]


def erase(conn: Connection, author: str) -> None:
    """Forget everything that a player wrote."""
    conn.execute("delete from note where author = %s", [author])
