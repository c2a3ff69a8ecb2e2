"""Which match an imported record became, and the labels of its players. Beside it: schema/0009_records.sql."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from store.db import Connection


def claim(conn: Connection, match: str, importer: str, digest: bytes, labels: Sequence[str | None]) -> str:
    """The match that this record is: `match` when it is new, to be stored in the same transaction, or an earlier one.

    Waits for whoever imports the same at the same time.
    """
    query = """
    insert into record (match, importer, digest, labels) values (%s, %s, %s, %s)
    on conflict (importer, digest) do nothing
    """
    if conn.execute(query, [match, importer, digest, list(labels)]).rowcount:
        return match
    query = "select match from record where importer = %s and digest = %s"
    ((earlier,),) = conn.execute(query, [importer, digest])
    return str(earlier)


def labels(conn: Connection, matches: Iterable[str]) -> dict[str, list[str | None]]:
    """The labels by seat of each imported match that still has them."""
    query = "select match, labels from record where match = any(%s) and labels is not null"
    return dict(conn.execute(query, [list(matches)]).fetchall())


def of_importer(conn: Connection, importer: str, limit: int, after: str) -> list[tuple[str, list[str | None]]]:
    """The matches behind `after` that a player imported, in order of id, and their labels by seat."""
    query = """
    select match, labels from record where importer = %s and match > %s and labels is not null order by match limit %s
    """
    return conn.execute(query, [importer, after, limit]).fetchall()


def erase(conn: Connection, importer: str) -> None:
    """Forget the labels in what a player imported; the matches stay."""
    conn.execute("update record set labels = null, digest = null where importer = %s", [importer])
