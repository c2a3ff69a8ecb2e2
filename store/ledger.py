"""The ledger: transfers posted once, read in pages and as balances. Nothing in it is ever changed.

Read beside it: domain/scoring.py (makes the transfers), schema/0004_ledger.sql (holds each to a sum of zero).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from typing import Any, LiteralString, NamedTuple

from domain.scoring import Posting, Transfer
from store.db import Connection, planned_anew


class LedgerConflictError(Exception):
    """A transfer of this id was posted with another content: the same cause may not have two effects."""

    def __init__(self, posted: Transfer, stored: Transfer) -> None:
        super().__init__(f"transfer {posted.id} is stored as {stored}, not as {posted}")


class Entry(NamedTuple):
    """A transfer as recorded. `seq` counts all transfers, so it is also where a page leaves off."""

    seq: int
    transfer: Transfer
    effective_at: datetime
    recorded_at: datetime


# Accounts in order, so that two who open the same ones never wait for each other.
POST: LiteralString = """
with fresh as (
    insert into transfer (id, kind, match, version, reason, scale, effective_at)
    select id, kind, match, version, reason, scale, coalesce(
        effective_at,
        (select recorded_at from event where stream_id = posted.match and event.version = posted.version),
        now())
    from json_to_recordset(%(transfers)s::json) as posted (
        nth integer, id text, kind text, match text, version integer, reason text, scale integer,
        effective_at timestamptz
    )
    order by nth
    on conflict (id) do nothing
    returning seq, id
), line as (
    select fresh.seq, line.* from fresh join json_to_recordset(%(postings)s::json) as line
        (transfer text, line integer, account text, amount bigint, seat integer, player text, member text)
        on line.transfer = fresh.id
), opened as (
    insert into account (id) select distinct account from line order by account on conflict (id) do nothing
)
insert into posting (transfer, line, account, amount, seat, player, member)
select seq, line, account, amount, seat, player, member from line
"""

# What each reading below has in common: whole transfers, line by line, of a `page` it has chosen.
ENTRIES: LiteralString = """
select page.seq, page.effective_at, page.recorded_at,
    page.id, page.kind, page.match, page.version, page.reason, page.scale,
    posting.account, posting.amount, posting.seat, posting.player, posting.member
from page left join posting on posting.transfer = page.seq
"""

OF_MATCH: LiteralString = f"""
with page as (
    select * from transfer where match = %(match)s and seq < %(after)s order by seq desc limit %(limit)s
)
{ENTRIES} order by page.seq desc, posting.line
"""

# By the player's first line in each transfer, so that the index gives the order and a page costs what it shows.
OF_PLAYER: LiteralString = f"""
with page as (
    select transfer.*
    from posting as own join transfer on transfer.seq = own.transfer
    where own.player = %(player)s and own.transfer < %(after)s and transfer.seq < %(after)s
        and (
            exists (
                select from match where match.id = transfer.match
                    and (visibility = 'public' or host = %(viewer)s or players @> array[%(viewer)s])
            ) or exists (
                select from season join league on league.id = season.league where season.id = transfer.match and (
                    visibility = 'public'
                    or exists (select from organiser where league = league.id and player = %(viewer)s)
                    or exists (
                        select from season as any_season join season_member on season_member.season = any_season.id
                        where any_season.league = league.id and season_member.player = %(viewer)s
                    )
                )
            )
        )
        and not exists (
            select from posting where transfer = own.transfer and player = own.player and line < own.line
        )
    order by own.transfer desc limit %(limit)s
)
{ENTRIES} order by page.seq desc, posting.line
"""

OF_IDS: LiteralString = f"""
with page as (select * from transfer where id = any(%(ids)s))
{ENTRIES} order by page.seq, posting.line
"""

ALL_OF_MATCH: LiteralString = f"""
with page as (select * from transfer where match = %(match)s)
{ENTRIES} order by page.seq, posting.line
"""

BALANCES: LiteralString = """
select account, sum(amount)::bigint from posting join transfer on transfer.seq = posting.transfer
where match = %s group by account order by account
"""

END = 2**63 - 1  # beyond every seq


def post(conn: Connection, transfers: Sequence[Transfer]) -> None:
    """Post each transfer once, all or none; what is posted already stays. Raises LedgerConflictError.

    One that does not sum to zero is refused by the database when the transaction ends.
    """
    once = {transfer.id: transfer for transfer in transfers}
    heads = [_head(nth, transfer) for nth, transfer in enumerate(once.values())]
    lines = [_line(transfer, *line) for transfer in once.values() for line in enumerate(transfer.postings)]
    with conn.transaction():
        conn.execute(POST, {"transfers": json.dumps(heads, default=str), "postings": json.dumps(lines)})
        rows = conn.execute(OF_IDS, {"ids": list(once)})
        stored = {entry.transfer.id: entry.transfer for entry in _entries(rows)}
        for transfer in transfers:
            if stored[transfer.id] != transfer:
                raise LedgerConflictError(transfer, stored[transfer.id])


# Planned for the match or season that is asked for: a plan for the mean of all would read through every posting.


def of_match(conn: Connection, match: str, limit: int, after: int = END) -> list[Entry]:
    """A match's transfers recorded before the one with seq `after`, newest first."""
    values = {"match": match, "limit": limit, "after": after}
    return _entries(planned_anew(conn).execute(OF_MATCH, values))


def of_player(conn: Connection, player: str, viewer: str | None, limit: int, after: int = END) -> list[Entry]:
    """A player's transfers, newest first, out of those matches and leagues that `viewer` finds in lists."""
    values = {"player": player, "viewer": viewer, "limit": limit, "after": after}
    return _entries(planned_anew(conn).execute(OF_PLAYER, values))


def transfers_of(conn: Connection, match: str) -> list[Transfer]:
    """All transfers of a match in the order they were recorded, to compare with a rebuild from its events."""
    return [entry.transfer for entry in _entries(planned_anew(conn).execute(ALL_OF_MATCH, {"match": match}))]


def balances(conn: Connection, match: str) -> dict[str, int]:
    """What each account has from a match, in units of its transfers."""
    return dict(planned_anew(conn).execute(BALANCES, [match]).fetchall())


def posted_through(conn: Connection, season: str) -> int:
    """The version of the season whose transfers were posted last; all those of earlier ones are."""
    row = conn.execute("select version from transfer where match = %s order by seq desc limit 1", [season]).fetchone()
    return row[0] if row else 0


def _head(nth: int, transfer: Transfer) -> dict[str, Any]:
    head = asdict(transfer)
    del head["postings"]
    return {"nth": nth, **head}


def _line(transfer: Transfer, line: int, posting: Posting) -> dict[str, Any]:
    return {"transfer": transfer.id, "line": line, **asdict(posting)}


def _entries(rows: Iterable[tuple[Any, ...]]) -> list[Entry]:
    """Rows of ENTRIES, one a posting, as whole transfers; a transfer without postings has one row of nulls."""
    return [_entry(head, [row[9:] for row in own]) for head, own in groupby(rows, key=lambda row: row[:9])]


def _entry(head: tuple[Any, ...], lines: list[tuple[Any, ...]]) -> Entry:
    seq, effective_at, recorded_at, id_, kind, match, version, reason, scale = head
    postings = tuple(Posting(*line) for line in lines if line[0] is not None)
    transfer = Transfer(id_, kind, match, version, reason, postings, scale, None if scale == 1 else effective_at)
    return Entry(seq, transfer, effective_at, recorded_at)
