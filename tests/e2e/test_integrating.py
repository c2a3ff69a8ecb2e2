"""The page for client writers does what it says: its programs are run as they stand, against a live server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from api.errors import PROBLEMS

PAGE = Path(__file__).parents[2] / "docs" / "integrating.md"
MOST_LINES = 60


def blocks(language: str) -> list[str]:
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_bot_of_sixty_lines_plays_a_match_with_python_alone(served: str, tmp_path: Path) -> None:
    (program,) = blocks("python")
    assert len(program.splitlines()) <= MOST_LINES
    (tmp_path / "bot.py").write_text(program)
    done = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "bot.py")],
        env={"API": served}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("ended {'places': ["), done.stdout


def test_the_same_in_curl_and_what_follows_runs_as_it_stands(served: str, tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks("sh"))],
        env={"API": served, "PATH": "/usr/local/bin:/usr/bin:/bin"},
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert any(line.startswith("{'places': [") for line in done.stdout.splitlines()), done.stdout
    assert '"type":"ended"' in done.stdout, "the stream goes to the match's last event"
    assert "\nid: 6\n" in done.stdout, "and is resumed after the version that was had"
    assert done.stdout.splitlines()[-2:] == ["True", "True"], "it is imported, and the audit finds no fault"


def test_the_page_says_what_to_do_about_every_code_under_its_status() -> None:
    said = {
        (int(status), code)
        for status, codes in re.findall(r"^\| (\d{3}) \| ([`\w, ]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
        for code in re.findall(r"`(\w+)`", codes)
    }
    assert {(problem.status, code) for code, problem in PROBLEMS.items() if code != "internal"} <= said


def test_every_page_that_is_named_is_there() -> None:
    for page in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", PAGE.read_text(encoding="utf-8")):
        assert (PAGE.parent / page).is_file(), page
