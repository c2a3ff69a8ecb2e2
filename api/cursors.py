"""Pages of lists: where the next one begins is signed, so that nobody else's words reach the database.

A cursor holds for one list, with its filters, whatever the limit. Read beside it: schemas.py (limit and cursor).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from flask import Response, request
from itsdangerous import BadData, URLSafeSerializer

from api.answers import answer
from api.call import Call
from api.errors import ProblemError
from store.db import Place

PAGING = ("limit", "cursor")


def after(call: Call, query: Mapping[str, Any]) -> Any:
    """Where the page begins, as `page` was told, or None for the first. Raises ProblemError."""
    if query["cursor"] is None:
        return None
    try:
        return call.backing.cursors(call.conn).loads(query["cursor"], salt=_list())
    except BadData:
        raise ProblemError("forged_cursor", "this cursor was not given out for this list") from None


def place_after(call: Call, query: Mapping[str, Any]) -> Place | None:
    """The same for lists by creation."""
    found = after(call, query)
    return Place(datetime.fromisoformat(found[0]), found[1]) if found else None


def place(row: Any) -> list[str]:
    """Where a row with `created_at` and `id` stands."""
    return [row.created_at.isoformat(), row.id]


def page(call: Call, items: Sequence[Any], last: Any) -> Response:
    """One page; `last` is the place of its last item when there is more, else None."""
    cursor = signed(call.backing.cursors(call.conn), last) if last is not None else None
    headers = {}
    if cursor:
        query = {**request.args.to_dict(), "cursor": cursor}
        headers["Link"] = f'<{request.path}?{urlencode(query)}>; rel="next"'
    return answer({"items": items, "next": cursor}, headers=headers)


def signed(signer: URLSafeSerializer, place: Any) -> str:
    """The cursor that leads behind a place of the list that is asked for."""
    return str(signer.dumps(place, salt=_list()))


def _list() -> str:
    """The list that a cursor belongs to: its path and filters."""
    filters = sorted((name, value) for name, value in request.args.items() if name not in PAGING)
    return f"{request.path}?{urlencode(filters)}"
