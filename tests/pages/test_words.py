"""The words of the pages: both languages have the same, and whatever a module or template says is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from api.web import looks

WEB = Path(looks.__file__).parent
SAID = re.compile(r"""\bt\(\s*["']([a-z_]+\.[a-z_]+)["']\s*[,)]""")
PLACES = re.compile(r"\{(\w+)\}")


def test_both_languages_have_the_same_words_with_the_same_values() -> None:
    english, spanish = looks.words("en"), looks.words("es")
    assert english.keys() == spanish.keys()
    assert [key for key in english if set(PLACES.findall(english[key])) != set(PLACES.findall(spanish[key]))] == []


@pytest.mark.parametrize("folder", ["static/js", "templates"])
def test_whatever_is_said_has_words(folder: str) -> None:
    said = {key: path.name for path in (WEB / folder).rglob("*.*") for key in SAID.findall(path.read_text("utf-8"))}
    assert said
    assert {key: name for key, name in said.items() if key not in looks.words("en")} == {}
