"""Takes the pictures of docs/pages.md: every page in both languages and themes, at a server with matches and a season.

    .venv/bin/python -m tests.pages.pictures             # all of them into docs/pages
    .venv/bin/python -m tests.pages.pictures table-      # those whose names begin so
    .venv/bin/python -m tests.pages.pictures --at http://127.0.0.1:8000 --into /tmp/pictures

A picture is one page four times: English and Spanish, light and dark. Beside it: docs/pages.md, api/demo.py.
"""

from __future__ import annotations

import argparse
import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from playwright.sync_api import Browser, FloatRect, Page, sync_playwright
from rich.console import Console

from api import demo, demo_season
from tests.e2e.command import tapete, url_of
from tests.pages.conftest import CHROMIUM, PLENTY, QUIET

INTO = Path(__file__).parents[2] / "docs" / "pages"
DESK, PHONE = 1100, 390  # pixels wide
SHOWN, TALLEST = {DESK: 780, PHONE: 390}, {DESK: 1150, PHONE: 1000}
SETTLED = "() => !document.querySelector('[aria-busy=true]')"
QUALITY = 62


class Shot(NamedTuple):
    """A page: the picture's name, its path, who looks at it, how wide, what is done first, where the picture begins."""

    name: str
    path: str
    who: demo.Client | None = None
    width: int = DESK
    first: Callable[[Page], object] = lambda page: None
    top: str = "body"


def main() -> None:
    """Take them."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("names", nargs="*", default=[""])
    asked.add_argument("--at", help="a running server, instead of one of its own")
    asked.add_argument("--into", type=Path, default=INTO)
    given = asked.parse_args()
    given.into.mkdir(parents=True, exist_ok=True)
    with _server(given.at) as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for shot in shots(base):
            if shot.name.startswith(tuple(given.names)):
                taken = _sheet(browser, [*_taken(browser, base, shot)], shot.width)
                (given.into / f"{shot.name}.webp").write_bytes(taken)
                print(f"{shot.name} {len(taken) // 1000} kB", flush=True)  # noqa: T201
        browser.close()


@contextmanager
def _server(running: str | None) -> Iterator[str]:
    if running:
        yield running
        return
    limits = {"TAPETE_WRITES_PER_SECOND": PLENTY, "TAPETE_REGISTRATIONS_PER_MINUTE": PLENTY}
    with TemporaryDirectory() as home, tapete("up", home=Path(home), port=0, **limits) as process:
        yield url_of(process)
        process.terminate()
        process.wait(20)


# What there is to see


def shots(base: str) -> Iterator[Shot]:
    """Every page, once something has been played."""
    ana, luis, eva = (demo.Client(base, name) for name in ("Ana", "Luis", "Eva"))
    played = {game: _played(ana, luis, game) for game in ("polignac", "bottle_imp")}
    tables = list(_tables(ana, luis))
    yield Shot("lobby", "/", ana)
    yield Shot("lobby-phone", "/", ana, PHONE)
    yield Shot("sign-in", "/sign-in")
    yield from tables
    yield Shot("replay", f"/matches/{played['bottle_imp']}/replay#v=9", ana, first=_analysed)
    yield Shot("replay-phone", f"/matches/{played['polignac']}/replay#v=12", ana, PHONE)
    yield Shot("rules", "/rules")
    for game in ("polignac", "mykonos"):
        yield Shot(f"rules-{game}", f"/rules/{game}")
    for game in ("bottle_imp", "pot_de_vin"):
        yield Shot(f"rules-{game}", f"/rules/{game}", top="h2:has(+ .deck)")
    yield from _events(ana, luis)
    for _ in range(6):
        _rated(ana, luis, eva)
    yield Shot("player", f"/players/{ana.me['id']}", ana)
    yield from _season(demo_season.run(base, Console(quiet=True)))
    yield Shot("nothing", "/matches/nowhere")


def _played(ana: demo.Client, luis: demo.Client, game: str) -> str:
    """A match that is over."""
    match: str = ana.post("/v1/matches", {"game": game, "options": {"deals": 2}, "seats": [
        {"player": "me"}, {"open": True}, {"bot": "rule"}, {"bot": "rule"}]})["id"]  # fmt: skip
    luis.post(f"/v1/matches/{match}/seats", {})
    demo.play_on(match, (ana, luis))
    return match


def _rated(*clients: demo.Client) -> None:
    first, *others = clients
    seats = [{"player": "me"}, *({"player": each.me["id"]} for each in others)]
    match = first.post("/v1/matches", {"game": "polignac", "options": {"deals": 1}, "rated": True, "seats": seats})[
        "id"
    ]
    for seat, client in enumerate(others, 1):
        client.post(f"/v1/matches/{match}/seats", {"seat": seat})
    demo.play_on(match, clients)


def _analysed(page: Page) -> None:
    page.click("#check")
    if page.query_selector("#analyse:not([hidden])"):
        page.click("#analyse")
        page.wait_for_selector("#dearest li", timeout=400_000)
        page.wait_for_selector("#analysing[hidden]", state="attached", timeout=400_000)
    page.locator("#dearest button").first.click()


def _tables(ana: demo.Client, luis: demo.Client) -> Iterator[Shot]:
    """A table of each game, some words on; one that waits for players, one that is over."""
    bots = [{"bot": "rule"}] * 3
    for game, words in (("polignac", 6), ("bottle_imp", 5), ("pot_de_vin", 5), ("mykonos", 6)):
        match = ana.post("/v1/matches", {"game": game, "seats": [{"player": "me"}, *bots]})["id"]
        _some(ana, match, words)
        advised = game == "polignac"
        yield Shot(f"table-{game}", f"/matches/{match}", ana, first=_advised if advised else _dealt)
        yield Shot(f"table-{game}-phone", f"/matches/{match}", ana, PHONE, _dealt)
    open_ = {"game": "mykonos", "visibility": "private",
             "seats": [{"player": "me"}, {"player": luis.me["id"]}, {"open": True}]}  # fmt: skip
    yield Shot("table-open", f"/matches/{ana.post('/v1/matches', open_)['id']}", ana)
    over = _played(ana, luis, "polignac")
    yield Shot("table-over", f"/matches/{over}", ana, PHONE, lambda page: page.wait_for_selector("#pad tbody tr"))


def _some(client: demo.Client, match: str, words: int) -> None:
    """Some words said, until he owes another one."""
    while words > 0 or not client.get(f"/v1/matches/{match}")["deal"]["your_turn"]:
        version = client.get(f"/v1/matches/{match}")["version"]
        seen = demo.turn(match, [client]) if words > 0 else {"version": version}
        words -= seen["version"] != version


def _dealt(page: Page) -> None:
    page.wait_for_selector("#board [data-say]")


def _advised(page: Page) -> None:
    _dealt(page)
    page.click("#hint")
    page.wait_for_selector("#advice p")


def _events(ana: demo.Client, luis: demo.Client) -> Iterator[Shot]:
    for client in (ana, luis):
        event = client.post("/v1/duplicates", {"game": "polignac", "daily": True})["id"]
        match = client.post(f"/v1/duplicates/{event}/entries", {})["entry"]["match"]
        demo.play_on(match, [client])
    yield Shot("duplicates", "/duplicates", ana)
    yield Shot("duplicate", f"/duplicates/{event}", ana)


def _season(club: Any) -> Iterator[Shot]:
    ana, season = club.ana, club.path.removeprefix("/v1")
    league = club.get()["league"]
    yield Shot("leagues", "/leagues", ana)
    yield Shot("league", f"/leagues/{league}", ana)
    yield Shot("season", season, ana)
    yield Shot("season-phone", season, ana, PHONE)
    for part in ("rounds", "results", "members", "organise"):
        yield Shot(f"season-{part}", f"{season}/{part}", ana)
    yield Shot("season-table", f"{season}/tables/1-1", ana)
    result = max(club.pages("/results"), key=lambda each: len(each["versions"]))["id"]
    yield Shot("season-result", f"{season}/results/{result}", ana)
    late = next(row["member"] for row in club.get("/standings")["rows"] if row["adjustments"])
    yield Shot("season-member", f"{season}/members/{late}", ana)
    path = ana.post(f"/v1/leagues/{league}/seasons", {"name": "Another season"})["id"]
    yield from _sheet_by_phone(ana, club, path)


def _sheet_by_phone(ana: demo.Client, club: Any, season: str) -> Iterator[Shot]:
    """A sheet on its way, and what an organiser does in a season that is running."""
    base = f"/v1/seasons/{season}"
    members = [ana.post(f"{base}/members", {"name": name})["member"]["id"] for name in ("Ana", "Luis", "Eva")]
    ana.post(f"{base}/rounds", {"pairing": "manual", "tables": [members]})
    sheet = ana.post(f"{base}/sheets", {"table": "1-1", "deals": [{"tally": demo_season.tally(3)}]})["id"]
    yield Shot("sheet-phone", f"/seasons/{season}/sheets/{sheet}", ana, PHONE)
    yield Shot("rounds-running", f"/seasons/{season}/rounds", ana, PHONE)
    yield Shot("organise-running", f"/seasons/{season}/organise", ana)


# Taking


def _taken(browser: Browser, base: str, shot: Shot) -> Iterator[bytes]:
    """One page as it looks in each language and theme, as PNG."""
    for language in ("en", "es"):
        context = browser.new_context(
            viewport={"width": shot.width, "height": 800}, locale=language, reduced_motion="reduce"
        )
        if shot.who:
            context.request.put(f"{base}/session", data={"token": shot.who.me["token"]}, headers={"X-Tapete-Page": "1"})
        page = context.new_page()
        page.goto(base + shot.path)
        page.wait_for_function(SETTLED)
        shot.first(page)
        page.wait_for_timeout(700)
        top = page.evaluate("(top) => Math.floor(document.querySelector(top).getBoundingClientRect().top)", shot.top)
        height = min(page.evaluate("document.documentElement.scrollHeight") - top, TALLEST[shot.width])
        clip: FloatRect = {"x": 0, "y": top, "width": shot.width, "height": height}
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            yield page.screenshot(full_page=True, clip=clip)
        context.close()


def _sheet(browser: Browser, taken: list[bytes], width: int) -> bytes:
    """The four beside each other, as WebP: two and two, or on phones all in a row."""
    columns = 4 if width == PHONE else 2
    pictures = "".join(f'<img src="data:image/png;base64,{base64.b64encode(each).decode()}">' for each in taken)
    shown = SHOWN[width]
    page = browser.new_page(viewport={"width": columns * (shown + 16) + 16, "height": 400})
    page.set_content(
        f"<style>body{{margin:0;padding:16px;background:#8d948f;display:grid;gap:16px;align-items:start;"
        f"grid-template-columns:repeat({columns},{shown}px);width:max-content}}img{{display:block;width:100%}}</style>{pictures}"
    )
    page.wait_for_function("() => [...document.images].every((each) => each.complete)")
    wide, high = page.evaluate("[document.body.scrollWidth, document.body.scrollHeight]")
    page.set_viewport_size({"width": wide, "height": high})
    asked = {"format": "webp", "quality": QUALITY, "captureBeyondViewport": True}
    found: str = page.context.new_cdp_session(page).send("Page.captureScreenshot", asked)["data"]
    page.context.close()
    return base64.b64decode(found)


if __name__ == "__main__":
    main()
