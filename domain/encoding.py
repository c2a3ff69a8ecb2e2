"""JSON as it goes out, in answers and to webhooks: by the standard library, times in UTC."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from domain.event import rfc3339


def _default(value: Any) -> Any:
    if isinstance(value, datetime):
        return rfc3339(value)
    raise TypeError(f"{value!r} is no JSON")


ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_default).encode
