"""Makes the golden records anew: `python -m tests.domain.records`. Only where the format itself has another version."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from domain import decide, rules, seen
from domain.match import Match
from domain.record import to_json, to_toml, tree
from tests.laws.fair import fair_match, go_on, too_late
from tests.laws.matches import drawing, finish, started
from tests.laws.tables import Table

FOLDER = Path(__file__).parent
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
MATCHES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "polignac": ("slobberhannes", 3, {"deals": 1, "tie_break": "shared"}),
    "bottle_imp": ("standard", 3, {"deals": 2}),
    "pot_de_vin": ("standard", 3, {}),
    "mykonos": ("standard", 2, {"neutral": True}),
}


def write(name: str, m: Match) -> None:
    """The record of `m`, with names and times."""
    m.times = {"created": NOON, "started": NOON + timedelta(minutes=1), "ended": NOON + timedelta(minutes=20)}
    names = ["Ana", "Núria", "李雷", "עומר", None]
    labels = [None if seat.bot else names[number] for number, seat in enumerate(m.seats)]
    found = tree(m, [seen.event(m, event, None) for event in m.fresh], labels)
    (FOLDER / f"{name}.toml").write_text(to_toml(found))
    (FOLDER / f"{name}.json").write_text(to_json(found))


def main() -> None:
    """One whole match of each game, and one with all that can befall a seat."""
    for game, (variant, seats, options) in MATCHES.items():
        random = Random(f"golden record of {game}")
        table = Table(rules.games()[game], variant, seats)
        places: list[dict[str, Any]] = [{"player": None, "bot": "rule"} for _ in range(seats - 1)]
        m = started(table, options, random, seats=[{"player": "p-host"}, *places])
        finish(m, random, "what the rule bot says")
        write(game, m)
    random = Random("golden record of a fair match")
    m = fair_match(Table(rules.games()["polignac"], "knaves", 3), random)
    replaced = False
    while not m.over:
        if m.seats[1].replaced_by and random.random() < 0.2:
            decide.sit(m, 1, "p-1", drawing(random))
        elif m.to_act == [1] and not replaced:
            too_late(m, random)
        elif m.deals == 1 and m.to_act and not m.seats[2].resigned:
            decide.resign(m, 2)
        else:
            go_on(m, random)
        replaced = replaced or bool(m.seats[1].replaced_by)
    write("fair", m)


main()
