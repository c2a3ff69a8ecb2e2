"""`season:<id>:<first>:<last>`: what these events of a season come to: ledger, standings, ratings, and who is told.

Whatever is not posted yet, so that any number of workers may come in any order. Beside it: domain/season_scoring.py,
domain/season_news.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain import season_news, standing_rows
from domain.event import Event, Job
from domain.ratings import said_in
from domain.season import Season, fold
from domain.season_scoring import season_transfers
from store import deliveries, leagues, ledger, ratings, standings, webhooks
from store.db import Connection
from store.deliveries import Message
from store.events import Events
from store.jobs import Lease
from workers.matches import Effect


def season(conn: Connection, lease: Lease) -> Effect:
    """The season's ledger is brought up to its events, and its matches rate; of its own events the job tells."""
    _, stream, first, last = lease.key.split(":")
    events = Events(conn, "season").read_all(stream).events
    through = ledger.posted_through(conn, stream)
    fresh = [transfer for transfer in season_transfers(stream, events) if transfer.version > through]
    s = fold(stream, events)
    said = said_in(s, through)
    table = standing_rows.current(s, events)
    messages = list(_messages(conn, s, events[int(first) - 1 : int(last)]))

    def post(conn: Connection) -> Sequence[Job]:
        ledger.post(conn, fresh)
        standings.keep(conn, stream, s.version, table)
        deliveries.add(conn, messages)
        return ratings.note(conn, stream, said)

    return post


def _messages(conn: Connection, s: Season, events: Sequence[Event]) -> Iterator[Message]:
    """For the hooks of members and organisers that listen by now."""
    league, items, at = s.opened["league"], season_news.news(s, events), events[-1].at
    assert at
    concerned = list(dict.fromkeys([*season_news.players(s), *leagues.organisers(conn, league)]))
    for hook in webhooks.listening(conn, concerned) if items else []:
        for item in items:
            if item["type"] in hook.events:
                data = {name: value for name, value in item.items() if name != "type"}
                source = f"{s.id}:{item['version']}:{item['type']}"
                yield deliveries.message(hook.webhook, source, item["type"], at, data)
