"""What is kept of a player, for himself: one JSON object a line, and never all of it in memory.

Each kind is read a page at a time, with a connection only while a page is read, so that a slow reader holds nothing.
Whoever keeps more of a player adds its kind to KINDS. Beside it: me.py (who asks), docs/accounts.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, TypeAlias

from api.answers import ENCODE
from domain import seen
from domain.match import Match, fold
from domain.ratings import person
from store import leagues, ledger, matches, notes, players, ratings, records, webhooks
from store.db import Connection, Place, Pool, connection
from store.events import Events
from store.ledger import END

Lines: TypeAlias = list[dict[str, Any]]
Kind: TypeAlias = Callable[[Connection, str, Any], tuple[Lines, Any]]  # (connection, player, after) -> lines, after

PAGE = 50
HEAD = ("id", "game", "variant", "status", "visibility", "rated", "result", "created_at", "started_at", "ended_at")


def lines(pool: Pool, player: str) -> Iterator[str]:
    """Every line, some at a time."""
    for name, kind in KINDS.items():
        after = None
        while True:
            with connection(pool) as conn:
                found, after = kind(conn, player, after)
            yield "".join(ENCODE({"kind": name, **line}) + "\n" for line in found)
            if after is None:
                break


def _account(conn: Connection, player: str, after: Any) -> tuple[Lines, Any]:
    found = players.get(conn, player)
    return [found._asdict()] if found else [], None


def _tokens(conn: Connection, player: str, after: Place | None) -> tuple[Lines, Any]:
    found = players.tokens_of(conn, player, PAGE, after)
    return [token._asdict() for token in found], _next([Place(token.created_at, token.id) for token in found])


def _matches(conn: Connection, player: str, after: Place | None) -> tuple[Lines, Any]:
    found = matches.of_player(conn, player, PAGE, after)
    histories = Events(conn).read_many([place.id for place in found])
    return [_match(fold(place.id, histories[place.id].events), player) for place in found], _next(found)


def _match(m: Match, player: str) -> dict[str, Any]:
    shown, path = seen.match(m, player, None), f"/v1/matches/{m.id}"
    links = {"match": path, "events": f"{path}/events", "replay": f"{path}/replay", "ledger": f"{path}/ledger"}
    own = {"host": m.opened["host"] == player, "seat": m.seat_of(player)}
    return {**{name: shown[name] for name in HEAD}, **own, "links": links}


def _transfers(conn: Connection, player: str, after: int | None) -> tuple[Lines, Any]:
    found = ledger.of_player(conn, player, player, PAGE, after or END)
    return [
        {
            "id": entry.transfer.id,
            "reason": entry.transfer.reason,
            "match": entry.transfer.match,
            "version": entry.transfer.version,
            "recorded_at": entry.recorded_at,
            "scale": entry.transfer.scale,
            "postings": [asdict(posting) for posting in entry.transfer.postings if posting.player == player],
        }
        for entry in found
    ], _next([entry.seq for entry in found])


def _notes(conn: Connection, player: str, after: tuple[str, int] | None) -> tuple[Lines, Any]:
    found = notes.of_author(conn, player, PAGE, after or ("", 0))
    return [note._asdict() for note in found], _next([(note.stream, note.version) for note in found])


def _labels(conn: Connection, player: str, after: str | None) -> tuple[Lines, Any]:
    found = records.of_importer(conn, player, PAGE, after or "")
    return [{"match": match, "labels": labels} for match, labels in found], _next([match for match, _ in found])


def _webhooks(conn: Connection, player: str, after: Place | None) -> tuple[Lines, Any]:
    found = webhooks.page(conn, player, PAGE, after)
    return [hook._asdict() for hook in found], _next([Place(hook.created_at, hook.id) for hook in found])


def _leagues(conn: Connection, player: str, after: Place | None) -> tuple[Lines, Any]:
    found = leagues.of_player(conn, player, PAGE, after)
    return [
        {"id": league.id, "name": league.name, "organises": league.organises, "created_at": league.created_at}
        for league in found
    ], _next([Place(league.created_at, league.id) for league in found])


def _members(conn: Connection, player: str, after: str | None) -> tuple[Lines, Any]:
    found = leagues.memberships(conn, player, PAGE, after or "")
    return found, _next([line["season"] for line in found])


def _ratings(conn: Connection, player: str, after: Any) -> tuple[Lines, Any]:
    return [each._asdict() for each in ratings.of_subject(conn, person(player))], None


def _next(places: list[Any]) -> Any:
    """Where the next page begins, if there may be one."""
    return places[-1] if len(places) == PAGE else None


KINDS: dict[str, Kind] = {
    "account": _account,
    "token": _tokens,
    "match": _matches,
    "transfer": _transfers,
    "note": _notes,
    "webhook": _webhooks,
    "labels": _labels,
    "league": _leagues,
    "member": _members,
    "rating": _ratings,
}
