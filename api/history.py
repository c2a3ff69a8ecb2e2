"""What has happened at a match: events, their audit, and the ledger. Beside it: matches.py, domain/audit.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import structlog
from flask import Response

from api import cursors, knowing, shown, streams
from api.answers import answer
from api.call import Call
from api.operation import Blueprint
from api.players import known
from api.schemas import EventsQuery, Paging
from domain import errors, seen
from domain.audit import audit
from domain.event import Event
from domain.match import fold
from store import ledger, matches
from store.events import chain_faults
from store.ledger import END, Entry

log = structlog.get_logger("api")

blueprint = Blueprint("history", __name__, url_prefix="/v1", description="What has happened")


@blueprint.operation("GET", "/matches/<id:match>/events", scope="read", public=True, query=EventsQuery(), resumed=True,
                     answer="Events", also=streams.OF_A_MATCH, problems="not_found too_many_streams")  # fmt: skip
def list_events(call: Call, match: str, query: dict[str, Any]) -> Response:
    """A page of the match's events, oldest first, as the caller may see them; or a stream of them that goes on.

    A stream gives the events after `after`, or after `Last-Event-ID`, then each that follows, until the match is over.
    What was hidden when it was sent is not sent again: it is read here, at `?at=` or in the replay once the deal lies
    open. A browser that comes back to a match that is over is told to come no more (204).
    """
    last = streams.last_event(call.request)
    if call.mimetype != "application/json":
        return streams.of_match(call, match, query["after"] if last is None else last)
    m, history = knowing.history(call, match)
    first, limit = query["after"], query["limit"]
    page = history[first : first + limit]
    said = shown.notes_of(call, m) if any(event.type == "voided" for event in page) else {}
    items = [{**seen.event(m, event, call.viewer), **said.get(event.version, {})} for event in page]
    more = page[-1].version if page and first + limit < len(history) else None
    return answer({"items": items, "next": more})


@blueprint.operation("GET", "/matches/<id:match>/audit", scope="read", public=True, answer="Audit",
                     problems="not_found")  # fmt: skip
def audit_match(call: Call, match: str) -> Response:
    """Recompute every word, score, shuffle and the hash chain. Of a deal that is not open, the chain alone."""
    if not (matches.findable(call.conn, match, call.viewer) or knowing.organises(call, match)):
        raise errors.NoSuchMatchError(f"there is no match {match!r}")
    found = sorted([*chain_faults(call.conn, match), *audit(match, _lies_open(call, match))])
    faults = [{"version": version, "what": what} for version, what in found]
    return answer({"ok": not faults, "faults": faults})


def _lies_open(call: Call, match: str) -> Sequence[Event]:
    """What of the history lies open; nothing where it cannot be read any more, for then the chain says where."""
    try:
        history = call.store.read_all(match).events
        m = fold(match, [event for event in history if event.type != "moved"])  # a word may be what is broken
    except (LookupError, TypeError, ValueError, AttributeError) as broken:
        log.warning("a history cannot be read", match=match, fault=repr(broken))
        return []
    return [event for event in history if seen.is_open(m, event.version)]


@blueprint.operation("GET", "/matches/<id:match>/ledger", scope="read", public=True, query=Paging(),
                     answer="Transfers", headers="Link", problems="not_found forged_cursor")  # fmt: skip
def read_match_ledger(call: Call, match: str, query: dict[str, Any]) -> Response:
    """The transfers that the match has caused, newest first."""
    knowing.load(call, match)
    after = cursors.after(call, query) or END
    return _page(call, ledger.of_match(call.conn, match, query["limit"] + 1, after), query["limit"])


@blueprint.operation("GET", "/players/<id:player>/ledger", scope="read", public=True, query=Paging(),
                     answer="Transfers", headers="Link", problems="not_found forged_cursor")  # fmt: skip
def read_player_ledger(call: Call, player: str, query: dict[str, Any]) -> Response:
    """The player's transfers, newest first, out of those matches that the caller finds in lists."""
    known(call, player)
    after = cursors.after(call, query) or END
    return _page(call, ledger.of_player(call.conn, player, call.viewer, query["limit"] + 1, after), query["limit"])


def _page(call: Call, found: list[Entry], limit: int) -> Response:
    more = found[limit - 1].seq if len(found) > limit else None
    return cursors.page(call, [_transfer(entry) for entry in found[:limit]], more)


def _transfer(entry: Entry) -> dict[str, Any]:
    transfer = entry.transfer
    return {
        "id": transfer.id,
        "kind": transfer.kind,
        "match": transfer.match,
        "version": transfer.version,
        "reason": transfer.reason,
        "recorded_at": entry.recorded_at,
        "postings": [
            {
                "account": posting.account,
                "seat": posting.seat,
                "player": posting.player,
                "member": posting.member,
                "amount": posting.amount,
                "scale": transfer.scale,
            }
            for posting in transfer.postings
        ],
    }
