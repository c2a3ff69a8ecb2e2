"""What a machine makes up from openapi.yaml, sent to the server that really runs: nothing of it is a fault of ours.

Each request by itself, with ids that there are and with made-up ones; and whole stories, which follow the links of the
description from what one answer names to the next request, while a worker moves the bots. Beside it: made_up.py.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.api.conftest import ROOT, serving
from tests.api.http import Client, over_http
from tests.api.tables import started
from tests.workers.tables import worker

SEED = "1"
STORY_SECONDS = 20
REFUSED = """
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 428, 429, "5xx"]
"""
FEWEST_DONE = 10  # operations that have to succeed in stories
FEWEST = 40  # requests that a story's server has to get in that time, on however slow a machine
CHECKS = [
    "allow_header_conformance",
    "content_type_conformance",
    "ignored_auth",
    "not_a_server_error",
    "response_headers_conformance",
    "response_schema_conformance",
    "status_code_conformance",
    "unsupported_method",
]


def schemathesis(folder: Path, base: str, token: str, checks: list[str], *words: str, **environment: str) -> str:
    """What it says at the end of a run that finds nothing."""
    settings = folder / "schemathesis.toml"
    ran = subprocess.run(
        [
            *(str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(settings)),
            *("run", str(ROOT / "openapi.yaml"), "--url", base, "--checks", ",".join(checks)),
            *("--header", f"Authorization: Bearer {token}", "--exclude-operation-id", "eraseMe"),
            *("--suppress-health-check", "all", "--request-timeout", "10", "--seed", SEED),
            *("--generation-database", "none", "--continue-on-failure", *words),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1", "PYTHONPATH": str(ROOT), **environment}
        | {"SCHEMATHESIS_HOOKS": "tests.api.made_up"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    said = "\n".join(line[:500] for line in ran.stdout.splitlines())
    assert ran.returncode == 0, f"seed {SEED}\n{said[-12000:]}{ran.stderr[-2000:]}"
    return ran.stdout


@pytest.mark.parametrize("ids", ["real", "made up"])
def test_nothing_made_up_breaks_the_server(database_url: str, redis_url: str, tmp_path: Path, ids: str) -> None:
    log, settings = tmp_path / "log", tmp_path / "schemathesis.toml"
    with serving(database_url, redis_url, log) as base:
        anybody = Client(over_http(base))
        players = [anybody.player() for _ in range(4)]
        known = {"match": started(*players)["id"], "player": players[1].id, "game": "polignac"}
        parameters = [f'"path.{name}" = "{value}"' for name, value in known.items()] if ids == "real" else []
        settings.write_text("\n".join(["[parameters]", *parameters, REFUSED]))
        checks = CHECKS if ids == "real" else [*CHECKS, "negative_data_rejection"]
        phases = ("--phases", "examples,coverage,fuzzing", "--max-examples", "5")
        schemathesis(tmp_path, base, players[0].token or "", checks, *phases)
    assert '"status": 500' not in log.read_text()


def test_no_story_that_follows_the_links_breaks_the_server(
    database_url: str, redis_url: str, tmp_path: Path, figures: Callable[[str], None]
) -> None:
    log = tmp_path / "log"
    (tmp_path / "schemathesis.toml").write_text("")
    with serving(database_url, redis_url, log) as base, worker(database_url, redis_url, tmp_path / "worker"):
        token = Client(over_http(base)).player().token or ""
        checks = [*CHECKS, "use_after_free"]
        words = ("--phases", "stateful", "--mode", "positive", "--max-time", str(STORY_SECONDS))
        said = schemathesis(tmp_path, base, token, checks, *words, MADE_UP="stateful")
    requests = re.findall(r'"route": "([^"]*)", "status": (\d+)', log.read_text())
    assert not [route for route, status in requests if status == "500"]
    assert len(requests) > FEWEST, said
    done = {route for route, status in requests if status < "300"}
    assert "/v1/matches" in done and len(done) >= FEWEST_DONE, done
    figures(f"schemathesis, seed {SEED}: {len(requests)} requests in stories, {len(done)} operations done in them")
