"""The pages: the first client of the API, which uses nothing that a third party could not.

A page is a shell that is rendered here; its modules in static/ call /v1 with the session's cookie. Read beside it:
base.py (what all pages have in common), session.py (signing in), docs/pages.md.
"""

from __future__ import annotations

from api.web import base, leagues, pages, session

__all__ = ["blueprint", "leagues", "pages", "session"]

blueprint = base.blueprint
