"""Golden records: each replays for ever and comes back byte for byte; what is running shows what its reader sees.

They are made by tests/domain/records/__main__.py, once. Beside it: domain/record.py, docs/record.md.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from domain import seen
from domain.audit import audit
from domain.event import Event
from domain.match import fold
from domain.record import SCHEMA, to_json, to_toml, tree
from domain.record_reading import replay
from domain.record_shape import RecordError, from_toml

FOLDER = Path(__file__).parent / "records"
PAGE = Path(__file__).parents[2] / "docs" / "record.md"
GOLDEN = sorted(FOLDER.glob("*.toml"))
RUNNING = {"bottle_imp": 9, "polignac": 20, "fair": 4}  # -> so many events of it
every_record = pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)


@every_record
def test_a_golden_record_replays_and_comes_back_byte_for_byte(file: Path) -> None:
    text = file.read_text()
    m, found = replay(from_toml(text), "p-importer", "private")
    assert to_toml(found) == text
    assert to_json(found) == file.with_suffix(".json").read_text()
    assert audit("elsewhere", m.fresh) == []


@every_record
def test_a_golden_record_fits_the_schema(file: Path) -> None:
    schema = json.loads(SCHEMA.read_text())
    jsonschema_rs.meta.validate(schema)
    jsonschema_rs.Draft202012Validator(schema).validate(json.loads(file.with_suffix(".json").read_text()))


@every_record
def test_nothing_in_a_record_can_be_changed_unnoticed(file: Path) -> None:
    """Every number, card and word is either held against the rules or a fact about the place where it was played."""
    given = from_toml(file.read_text())
    for deal in given["deals"]:
        for name in deal:
            with pytest.raises(RecordError):
                replay(
                    {**given, "deals": [_without(each, name) if each is deal else each for each in given["deals"]]},
                    "p",
                    "private",
                )


@every_record
def test_keys_of_one_s_own_are_read_past_in_every_table_and_kept_nowhere(file: Path) -> None:
    text = file.read_text()
    m, found = replay(_annotated(from_toml(text)), "p-importer", "private")
    assert to_toml(found) == text
    assert "_mine" not in str([event.data for event in m.fresh])


def _annotated(value: Any) -> Any:
    """The same with a key of one's own in every table."""
    if isinstance(value, list):
        return [_annotated(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {**{name: _annotated(below) for name, below in value.items()}, "_mine": {"a": [1.5, None]}}


def _without(deal: dict[str, object], name: str) -> dict[str, object]:
    return {key: value for key, value in deal.items() if key != name}


@pytest.mark.parametrize("name", RUNNING)
def test_the_record_of_a_running_match_is_the_golden_one(name: str) -> None:
    m, _ = replay(from_toml((FOLDER / f"{name}.toml").read_text()), "p-importer", "private")
    first, *rest = m.fresh[: RUNNING[name]]
    head = {key: value for key, value in first.data.items() if key not in ("record", "imported")}
    places = [{"player": f"p-{number}"} for number, _ in enumerate(m.seats)]
    seated = [Event("seated", {"seat": number, **place}) for number, place in enumerate(places)]
    opened = Event("opened", {**head, "seats": [{"open": True} for _ in m.seats]})
    events = [event._replace(version=version) for version, event in enumerate([opened, *seated, *rest], 1)]
    running = fold(m.id, events)
    labels = [f"player {number}" for number, _ in enumerate(m.seats)]
    for reader in ("p-0", None):
        found = tree(running, [seen.event(running, event, reader) for event in events], labels)
        golden = FOLDER / "running" / f"{name}.{'seat_0' if reader else 'watcher'}.toml"
        assert to_toml(found) == golden.read_text()
        assert found["status"] == "playing"
        assert not {"seed", "pack", "shuffled_as"} & found["deals"][-1].keys()


def test_the_page_shows_a_golden_record_as_it_is() -> None:
    assert f"```toml\n{(FOLDER / 'polignac.toml').read_text()}```" in PAGE.read_text()
