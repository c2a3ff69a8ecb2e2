"""What may stand in a path: what is none is found nowhere, before anything is looked up. Beside it: app.py."""

from __future__ import annotations

from typing import Any

from werkzeug.routing import BaseConverter

from api.schemas import ID


class Id(BaseConverter):
    """An id, of whatever."""

    regex = ID
    part_isolating = True


class Seat(BaseConverter):
    """A seat's number."""

    regex = "[0-9]"

    def to_python(self, value: str) -> int:
        return int(value)


CONVERTERS: dict[str, tuple[type[BaseConverter], dict[str, Any]]] = {
    "id": (Id, {"type": "string", "pattern": f"^{ID}$"}),
    "seat": (Seat, {"type": "integer", "minimum": 0, "maximum": 9}),
}
