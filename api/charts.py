"""A season round by round as an SVG chart, by pygal: places with the first on top, or points. Beside it: standings.py.

Nothing in it is a script or comes from elsewhere, so that it can stand in any page and in an email.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pygal
from pygal.style import Style

from api.spreadsheets import in_xml

COLOURS = ("#1b6ca8", "#c8553d", "#2e8b57", "#8e5ea2", "#d19a1e", "#3aa6a6", "#7a5c3e", "#d46a92", "#5a6772",
           "#93a81f", "#4156b8", "#a3423c")  # fmt: skip
BY_NIGHT = ("#6cb6f0", "#f28b74", "#6fd098", "#c79be0", "#f0c25c", "#74d8d8", "#cda981", "#f2a0bf", "#a9b7c2",
            "#c6db5e", "#97a6ff", "#f08f8f")  # fmt: skip
WORDS = {
    "en": {"places": "Place after each round", "points": "Points after each round", "round": "Round"},
    "es": {"places": "Puesto tras cada ronda", "points": "Puntos tras cada ronda", "round": "Ronda"},
}
FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif"
STYLE = Style(
    background="white", plot_background="white", foreground="#555", foreground_strong="#1c1c1c",
    foreground_subtle="#ddd", opacity=".9", opacity_hover="1", transition="0s", colors=COLOURS, font_family=FONT,
    title_font_size=18, label_font_size=15, major_label_font_size=15, legend_font_size=15, no_data_font_size=22,
    guide_stroke_color="#e6e4de", major_guide_stroke_color="#e6e4de", guide_stroke_dasharray="0",
    major_guide_stroke_dasharray="0", stroke_width=2.6,
)  # fmt: skip
# Where it is shown in the dark. What is embedded follows the colours of the page around it.
DARK = "inline:@media (prefers-color-scheme: dark) {{{}}}".format("".join([
    ".background,.plot_background{fill:#1b231e!important}", "text{fill:#ece8da!important}",
    ".guides,.guide,.axis>.line{stroke:#3b473f!important}", ".dots>.dot{stroke-opacity:0}",
    *(f".color-{n},.color-{n} a:visited{{fill:{hue}!important;stroke:{hue}!important}}"
      for n, hue in enumerate(BY_NIGHT)),
]))  # fmt: skip


def chart(series: dict[str, Any], what: str, names: Sequence[str], title: str, language: str) -> bytes:
    """The first `len(names)` members' lines, `what` being places or points."""
    words = WORDS[language]
    lines = series["members"][: len(names)]
    found = _lines(what, max((place or 0 for line in lines for place in line["places"]), default=0))
    found.title = in_xml(f"{title}\n{words[what]}")
    found.x_title = words["round"]
    found.x_labels = list(map(str, series["rounds"]))
    for line, name in zip(lines, names, strict=True):
        found.add(in_xml(name), line[what], allow_interruptions=True)
    found.add_xml_filter(_bare)
    svg: bytes = found.render()
    return svg


def _lines(what: str, last: int) -> Any:
    found = pygal.Line(
        style=STYLE, js=(), width=720, height=440, dots_size=4, show_minor_x_labels=True, legend_box_size=12,
        truncate_legend=22, margin=16, spacing=12, no_prefix=True, no_data_text="–", disable_xml_declaration=False,
        css=("file://style.css", "file://graph.css", DARK), show_x_guides=False,
        stroke_style={"linecap": "round", "linejoin": "round"},
    )  # fmt: skip
    if what == "places" and last:
        step = max(1, -(-last // 12))
        found.inverse_y_axis = True
        found.range = (1, max(2, last))
        found.y_labels = [1, *range(1 + step, last + 1, step)] if last > 1 else [1, 2]
        found.formatter = lambda value: f"{value:.0f}"
    return found


def _bare(root: Any) -> Any:
    """Without the scripts that pygal would bring a tooltip by."""
    for parent in root.iter():
        for child in list(parent):
            if str(child.tag).rpartition("}")[2] == "script":
                parent.remove(child)
    return root
