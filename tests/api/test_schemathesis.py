"""What a machine makes up from openapi.yaml, sent to the server that really runs: nothing of it is a fault of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.conftest import serving
from tests.api.http import Client, over_http
from tests.api.tables import started

ROOT = Path(__file__).parents[2]
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


@pytest.mark.parametrize("ids", ["real", "made up"])
def test_nothing_made_up_breaks_the_server(database_url: str, redis_url: str, tmp_path: Path, ids: str) -> None:
    log, settings = tmp_path / "log", tmp_path / "schemathesis.toml"
    with serving(database_url, redis_url, log) as base:
        anybody = Client(over_http(base))
        players = [anybody.player() for _ in range(4)]
        known = {"match": started(*players)["id"], "player": players[1].id, "game": "polignac"}
        parameters = [f'"path.{name}" = "{value}"' for name, value in known.items()] if ids == "real" else []
        settings.write_text("\n".join(["[parameters]", *parameters]))
        checks = CHECKS if ids == "real" else [*CHECKS, "negative_data_rejection"]
        ran = subprocess.run(
            [
                *(str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(settings)),
                *("run", str(ROOT / "openapi.yaml"), "--url", base, "--checks", ",".join(checks)),
                *("--header", f"Authorization: Bearer {players[0].token}", "--exclude-operation-id", "eraseMe"),
                *("--exclude-operation-id", "watch"),  # which has no end
                *("--phases", "examples,coverage,fuzzing", "--max-examples", "5", "--suppress-health-check", "all"),
                *("--request-timeout", "10", "--seed", "1", "--generation-database", "none", "--continue-on-failure"),
            ],
            cwd=tmp_path,
            env={**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
    assert '"status": 500' not in log.read_text()
