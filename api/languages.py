"""In which language an answer is given, and how what was said in English is said in Spanish.

Whoever refuses something says why in English, where it happens. spanish.py has each of these sentences, `{}` where a
value stands; here the values are found again. Read beside it: errors.py, which asks; tests/api/test_languages.py, which
looks for sentences that are not in the table.
"""

from __future__ import annotations

from collections.abc import Iterable

from api.spanish import SPANISH

LANGUAGES = ("en", "es")  # the first is for whoever wants neither


def chosen(accepted: Iterable[tuple[str, float]]) -> str:
    """The language of ours that an Accept-Language asks for, as werkzeug reads it: `es-MX` is Spanish, `*` any."""
    quality: dict[str, float] = {}
    for tag, weight in accepted:
        language = tag.partition("-")[0].lower()
        quality[language] = max(weight, quality.get(language, 0))
    named = [language for language in quality if language in LANGUAGES]  # the first of equals
    return max([*named, *LANGUAGES], key=lambda language: quality.get(language, quality.get("*", 0)))


def said(text: str, language: str) -> str:
    """An English sentence in this language; in English still, if the table does not have it."""
    return text if language == "en" else spanish(text) or text


def spanish(text: str) -> str | None:
    """An English sentence in Spanish, with its values; None if the table does not have it."""
    if text in SPANISH:
        return SPANISH[text]
    for parts, template in _TEMPLATES:
        values = _values(parts, text)
        if values is not None:
            return template.format(*map(_value, values))
    return None


def _value(text: str) -> str:
    """A value may be a sentence of ours as well, unless it is quoted: then it is the client's."""
    return text if text[:1] in "'\"" else spanish(text) or text


def _values(parts: list[str], text: str) -> list[str] | None:
    """What stands between the parts, each as short as can be; None where the text is not made of them."""
    first, *middle, last = parts
    begin, end = len(first), len(text) - len(last)
    if begin > end or not (text.startswith(first) and text.endswith(last)):
        return None
    values = []
    for part in middle:
        found = text.find(part, begin, end)
        if found < 0:
            return None
        values.append(text[begin:found])
        begin = found + len(part)
    return [*values, text[begin:end]]


def _literal(parts: list[str]) -> int:
    return sum(map(len, parts))


# Those that say most come first: of two that fit, they fit better.
_TEMPLATES = sorted(
    ((english.split("{}"), text) for english, text in SPANISH.items() if "{}" in english),
    key=lambda template: _literal(template[0]),
    reverse=True,
)
