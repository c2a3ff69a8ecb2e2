"""The alerts name what a real server really shows. Beside it: docs/alerts.yaml, api/metrics.py."""

import re
from pathlib import Path

import pytest
import yaml

from api import cli
from tests.api.conftest import serving
from tests.api.http import Client, over_http
from tests.api.tables import BOT, moves, started, turn

ROOT = Path(__file__).parents[2]
NAME = re.compile(r"\btapete_[a-z_]+")


@pytest.fixture(scope="module")
def shown(database_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What /metrics shows when something has been played."""
    with serving(database_url, redis_url, tmp_path_factory.mktemp("api") / "log") as base:
        anybody = Client(over_http(base))
        players = [anybody.player() for _ in range(4)]
        match = started(*players)["id"]
        client, seen = turn(players, match)
        client.post(moves(match), {"move": seen["deal"]["legal"][0]})
        players[0].made("/v1/matches", {"game": "polignac", "seats": [BOT] * 3})
        return anybody.get("/metrics").text


def test_every_rule_is_one_that_prometheus_takes() -> None:
    (group,) = yaml.safe_load((ROOT / "docs/alerts.yaml").read_text())["groups"]
    names = [rule["alert"] for rule in group["rules"]]
    assert len(set(names)) == len(names) >= 8
    for rule in group["rules"]:
        assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in ("page", "ticket") and rule["annotations"]["summary"]
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "1m"))
        assert all(rule["expr"].count(a) == rule["expr"].count(b) for a, b in ("()", "[]", "{}"))


def test_every_figure_that_a_rule_or_the_documentation_names_is_there(shown: str) -> None:
    known = set(re.findall(r"^(tapete_[a-z_]+)", shown, re.MULTILINE))
    families = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in known}
    rules = yaml.safe_load((ROOT / "docs/alerts.yaml").read_text())["groups"][0]["rules"]
    named = {name for rule in rules for name in NAME.findall(rule["expr"])}
    assert named and named - known == set()
    documented = {re.sub(r"_total$", "", name) for name in NAME.findall((ROOT / "docs/operations.md").read_text())}
    assert families - documented == set(), "not in docs/operations.md"


def test_no_label_names_a_player_a_match_or_a_card(shown: str) -> None:
    labels = set(re.findall(r"[{,](\w+)=", shown))
    assert labels <= {"route", "method", "status", "kind", "state", "le", "pid"}
    assert not re.search(r'route="[^"]*[0-9a-f]{8}', shown)


def test_every_variable_that_a_command_reads_is_on_the_page_and_no_other() -> None:
    helped = set(re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z_]+\b", cli.EVERYTHING + cli.GIVEN))
    table = (ROOT / "docs/operations.md").read_text().partition("## Variables")[2].partition("## Several hosts")[0]
    listed = set(re.findall(r"`([A-Z][A-Z0-9]*_[A-Z_]+)`", table))
    assert helped - listed == set()
    assert listed - helped == {"PG_BIN"}
