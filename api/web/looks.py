"""How the reader wants it: language and theme, by choice (a cookie) or by what the browser says.

The words are in static/words/<language>.json, for templates and modules alike. Beside it: api/languages.py.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from flask import Request

from api.languages import LANGUAGES, chosen

THEMES = ("light", "dark")
WORDS = Path(__file__).parent / "static" / "words"


class Look(NamedTuple):
    """A language, and a theme or none: then it is the system's."""

    language: str
    theme: str | None

    def say(self, key: str, otherwise: str | None = None, **values: object) -> str:
        """The words of a key, or `otherwise`. Raises KeyError for one that nobody has written, without an otherwise."""
        found = words(self.language)
        return found[key].format(**values) if otherwise is None or key in found else otherwise


@cache
def words(language: str) -> dict[str, str]:
    """Every text of the pages, by key."""
    found: dict[str, str] = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    return found


def of(request: Request) -> Look:
    """The look of the answer to this request."""
    language, theme = request.cookies.get("tapete_language"), request.cookies.get("tapete_theme")
    return Look(
        language if language in LANGUAGES else chosen(request.accept_languages), theme if theme in THEMES else None
    )
