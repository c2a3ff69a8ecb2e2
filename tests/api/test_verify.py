"""`tapete verify`: what the API and the record say is enough to recompute every shuffle, and a lie is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from api.answers import ENCODE
from api.cli import main
from domain import decide, record, seen
from domain.match import Match
from tests.laws.fair import fair_match, go_on
from tests.laws.matches import drawing, opened, played
from tests.laws.tables import Table, tables

TABLES = {str(table): table for table in tables()}
FAIR = TABLES["polignac-polignac-4"]


def fair(table: Table = FAIR) -> Match:
    random = Random(f"{table} verified")
    m = fair_match(table, random)
    while not m.over:
        go_on(m, random)
    return m


def events(m: Match) -> list[Any]:
    """As the API shows them to somebody."""
    return [json.loads(ENCODE(seen.event(m, event, None))) for event in m.fresh]


def verified(tmp_path: Path, text: str) -> Result:
    file = tmp_path / "file"
    file.write_text(text)
    return CliRunner().invoke(main, ["verify", str(file)])


def page(items: list[Any]) -> str:
    return json.dumps({"items": items, "next": None})


def lines(items: list[Any]) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


def toml(m: Match) -> str:
    return record.to_toml(record.tree(m, events(m), [None] * len(m.seats)))


FORMS: dict[str, Callable[[Match], str]] = {
    "a page": lambda m: page(events(m)),
    "pages, one a line": lambda m: lines([{"items": events(m)[:7]}, {"items": events(m)[7:]}]),
    "a list": lambda m: json.dumps(events(m)),
    "events one a line": lambda m: lines(events(m)),
    "replay frames": lambda m: lines([{"version": e["version"], "event": e, "match": {}} for e in events(m)]),
    "a record in TOML": toml,
    "a record in JSON": lambda m: record.to_json(record.tree(m, events(m), [None] * len(m.seats))),
    "records one a line": lambda m: lines([record.tree(m, events(m), [None] * len(m.seats))] * 2),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_sound_match_is_sound_in_every_form(tmp_path: Path, form: str) -> None:
    for m in (fair(), played(FAIR, Random(form))):
        result = verified(tmp_path, FORMS[form](m))
        dealt = sum(event.type == "dealt" for event in m.fresh) * (2 if form == "records one a line" else 1)
        assert (result.exit_code, f"sound: {dealt}, prepared: 0, not open yet: 0, at fault: 0" in result.output) == (
            0, True,
        ), result.output  # fmt: skip
        assert "sound" in result.output and m.id in result.output


@pytest.mark.parametrize("table", TABLES)
def test_every_table_s_packs_are_recomputed_fair_or_not(tmp_path: Path, table: str) -> None:
    for m in (fair(TABLES[table]), played(TABLES[table], Random(table))):
        for form in ("a page", "a record in TOML"):
            result = verified(tmp_path, FORMS[form](m))
            assert result.exit_code == 0, result.output


def forged(kind: str, name: str, change: Callable[[Any], Any]) -> tuple[str, str]:
    """The page and the record of a fair match in which the first event of a kind lies."""
    m = fair()
    at = next(n for n, event in enumerate(m.fresh) if event.type == kind)
    m.fresh[at] = m.fresh[at]._replace(data={**m.fresh[at].data, name: change(m.fresh[at].data[name])})
    return page(events(m)), toml(m)


LIES: list[tuple[str, str, Callable[[Any], Any], str]] = [
    ("dealt", "pack", lambda pack: pack[::-1], "the seed does not give the pack"),
    ("dealt", "seed", lambda seed: seed[::-1], "the seed does not give the commitment"),
    ("dealt", "commitment", lambda text: text[::-1], "the seed does not give the commitment"),
    ("dealt", "dealer", lambda dealer: (dealer + 1) % 4, "was due to deal"),
    ("dealt", "shuffled_as", lambda name: name + "x", "the seed does not give the commitment"),
    ("nonce", "nonce", lambda nonce: nonce + "00", "the seed does not give the pack"),
]


@pytest.mark.parametrize(("kind", "name", "change", "fault"), LIES, ids=[f"{kind}-{name}" for kind, name, *_ in LIES])
def test_a_lie_is_found_in_events_and_in_the_record(
    tmp_path: Path, kind: str, name: str, change: Callable[[Any], Any], fault: str
) -> None:
    for text in forged(kind, name, change):
        result = verified(tmp_path, text)
        assert result.exit_code == 1 and fault in result.output, result.output


def test_a_promise_that_was_changed_dropped_or_left_unanswered_is_found(tmp_path: Path) -> None:
    changed, _ = forged("committed", "commitment", lambda text: "0" * 64)
    assert "not what was committed" in verified(tmp_path, changed).output
    shown = events(fair())
    for kind, fault in (("committed", "not committed before the nonces"), ("nonce", "gave no nonce")):
        at = next(n for n, event in enumerate(shown) if event["type"] == kind)
        several = range(at, at + 5) if kind == "committed" else [at]
        kept = [event for n, event in enumerate(shown) if n not in several]
        result = verified(tmp_path, page([{**event, "version": n} for n, event in enumerate(kept, 1)]))
        assert result.exit_code == 1 and fault in result.output, result.output


def test_what_is_not_open_yet_and_what_was_prepared_is_said_and_is_no_fault(tmp_path: Path) -> None:
    random = Random("running")
    m = fair_match(FAIR, random)
    assert "not open yet: 1" in verified(tmp_path, page(events(m))).output
    while m.awaiting:
        go_on(m, random)
    result = verified(tmp_path, page(events(m)))
    assert result.exit_code == 0 and "sound: 0, prepared: 0, not open yet: 1" in result.output
    decide.void(m, "p-0", "host")
    assert "sound: 1" in verified(tmp_path, page(events(m))).output
    table = FAIR.game.pack(FAIR.game.Options(), [0, 1, 2, 3])
    prepared = Match("m-1")
    decide.open_match(prepared, opened(FAIR, {"deals": 1}, packs=[table], dealer=2), drawing(random))
    decide.void(prepared, "p-0", "host")
    assert "prepared: 1" in verified(tmp_path, page(events(prepared))).output


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "hello",
        '{"items": []}',
        '{"type": "opened"}',
        "[1, 2]",
        "[" * 100_000,
        "\ufeff{}",
        '{"items": [{"type": "dealt", "version": 1}]}',
        'tapete_record = 1\ngame = "whist"',
    ],
)
def test_what_is_no_history_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    result = verified(tmp_path, text)
    assert result.exit_code == 1 and result.output.startswith("Error: "), result.output
    assert isinstance(result.exception, SystemExit)
