"""The README's tour is run as a stranger would type it, against a live server."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_tour_of_the_readme_runs_as_it_stands(served: str) -> None:
    tour = "\n".join(re.findall(r"^```sh\n(.*?)^```$", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", tour],
        env={"API": served, "PATH": "/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.splitlines()
    assert said[0] == "playing"
    assert "'legal'" in said[1] and "'your_turn'" in said[1]
    assert any("'type': 'moved'" in line for line in said)
    assert said[-1] == "True"
