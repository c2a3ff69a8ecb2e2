"""What is shipped: image, compose file, package data, locks. Beside it: Dockerfile, compose.yaml, pyproject.toml."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PACKAGES = ("api", "domain", "store", "workers")
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-bench.lock")


def tool(name: str) -> str:
    """The program of that name, beside our Python or anywhere; skips the test where it is not installed."""
    found = shutil.which(name, path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    return found or pytest.skip(f"{name} is not installed here")


def complaints(*command: str) -> str:
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return ended.stdout + ended.stderr if ended.returncode else ""


def test_hadolint_has_nothing_to_say_about_the_image() -> None:
    assert complaints(tool("hadolint"), "Dockerfile") == ""


def test_the_compose_file_is_one_by_the_specification() -> None:
    assert complaints(tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", "compose.yaml") == ""


def test_docker_compose_reads_the_file_where_it_is_installed() -> None:
    docker = tool("docker")
    if complaints(docker, "compose", "version"):
        pytest.skip("docker compose is not installed here")
    assert complaints("env", "POSTGRES_PASSWORD=x", docker, "compose", "config", "--quiet") == ""


def test_one_image_is_api_worker_and_migration_and_the_last_comes_first() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    ours = {name: service for name, service in services.items() if service["image"] == "tapete"}
    assert {name: service["command"] for name, service in ours.items()} == {
        "migrate": ["migrate"],
        "api": ["api"],
        "worker": ["worker"],
    }
    for name in ("api", "worker"):
        assert ours[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_compose_has_no_secret_of_its_own() -> None:
    text = (ROOT / "compose.yaml").read_text()
    given = re.findall(r"\$\{(\w*(?:PASSWORD|SECRET|KEY|TOKEN)\w*)([^}]*)\}", text)
    assert given
    assert all(rest.startswith(":?") for _, rest in given), f"a secret with a default: {given}"
    assert re.findall(r"^ *\w*(?:PASSWORD|SECRET|KEY|TOKEN)\w*: *(?!\$\{)\S+", text, re.MULTILINE) == []


def test_the_image_runs_as_nobody_in_particular_and_says_whether_it_is_well() -> None:
    last = (ROOT / "Dockerfile").read_text().split("\nFROM ")[-1]
    assert re.search(r"^USER [1-9]\d+$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "/healthz" in last


def test_every_image_is_pinned_by_a_tag() -> None:
    text = (ROOT / "Dockerfile").read_text() + (ROOT / "compose.yaml").read_text()
    images = [image for image in re.findall(r"^(?:FROM|    image:) (\S+)", text, re.MULTILINE) if image != "tapete"]
    assert len(images) == 4
    assert all(re.search(r":\d", image) for image in images), images


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_names_versions_and_hashes_only(lock: str) -> None:
    entries = re.split(r"\n(?=\S)", (ROOT / lock).read_text().strip())
    assert len(entries) > 40
    for entry in entries:
        assert re.fullmatch(
            r"[a-z0-9._-]+(\[[a-z,]+\])?==\S+( ; [^\n]+?)?( \\\n    --hash=sha256:[0-9a-f]{64})+", entry
        ), entry


def test_every_lock_holds_all_that_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for lock in LOCKS:
        locked = set(re.findall(r"^[a-z0-9._-]+", (ROOT / lock).read_text(), re.MULTILINE))
        asked = {re.match(r"[a-z0-9._-]+", name.lower())[0] for name in project["dependencies"]}  # type: ignore[index]
        assert asked - locked == set(), lock


def test_every_file_beside_the_code_is_packed_with_it() -> None:
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    for package in PACKAGES:
        files = {path for path in (ROOT / package).rglob("*") if path.is_file() and "__pycache__" not in path.parts}
        data = {path for path in files if path.suffix != ".py"}
        named = {path for pattern in packed.get(package, []) for path in (ROOT / package).glob(pattern)}
        assert data - named == set()
