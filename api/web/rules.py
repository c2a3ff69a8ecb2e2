"""Rules pages as HTML: the repository's markdown, and the card tables of a game as tables.

Beside it: domain/games/*.md, api/games.py (which page is read), templates/rules_page.html.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from markdown_it import MarkdownIt

from api.games import page_of
from domain.rules import games

NUMBERED = re.compile(r"\n(?=\d+\.\d+ )")  # a rule that can be cited: a paragraph of its own on a page
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@cache
def rendered(game: str, language: str) -> str:
    """A game's rules. What they are made of is ours, and raw HTML in them is text all the same."""
    found, _ = page_of(games()[game], language)
    html = str(MARKDOWN.render(NUMBERED.sub("\n\n", found)))
    html = re.sub(r"<p>(\d+\.\d+) ", r'<p><b class="rule" id="\1">\1</b> ', html)
    return html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")


def card_rows(game: str) -> list[tuple[str, list[tuple[str, dict[str, Any]]]]]:
    """The card tables of a game: (name of the deck, its cards in order with what each carries)."""
    tables = games()[game].tables()
    decks = tables.get("decks") or ({"": tables["cards"]} if "cards" in tables else {})
    return [(name, sorted(cards.items(), key=_place)) for name, cards in decks.items()]


def _place(row: tuple[str, Any]) -> tuple[str, int]:
    letters = row[0].rstrip("0123456789")
    return letters, int(row[0][len(letters) :] or 0)
