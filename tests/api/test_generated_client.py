"""A client that a generator has made of openapi.yaml plays a whole match of each game, typed views and all."""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from domain.rules import games
from tests.api.conftest import ROOT, serving

SHORT = {"polignac": {"deals": 1}, "bottle_imp": {"deals": 1}}
MOST_WORDS = 2000
LINES_ARE_TEXT = """
content_type_overrides:
  application/x-ndjson: text/plain
  application/toml: application/octet-stream
  text/csv: application/octet-stream
"""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the generated package."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "config.yml").write_text(LINES_ARE_TEXT)
    command = [Path(sys.executable).with_name("openapi-python-client"), "generate", "--path", ROOT / "openapi.yaml"]
    made = subprocess.run(
        [
            *map(str, command),
            "--output-path",
            str(folder / "tapete_client"),
            "--meta",
            "none",
            "--fail-on-warning",
            "--config",
            str(folder / "config.yml"),
        ],
        env={"PATH": str(Path(sys.executable).parent), "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    yield "tapete_client"
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def base(database_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(database_url, redis_url, tmp_path_factory.mktemp("api") / "log") as base:
        yield base


class Player:
    """One player at the generated client."""

    def __init__(self, package: str, base: str, name: str) -> None:
        self.package, self.models = package, importlib.import_module(f"{package}.models")
        client = importlib.import_module(f"{package}.client")
        made = self.call("players.register_player", client.Client(base), body=self.models.PlayerName(name=name))
        self.id, self.client = made.id, client.AuthenticatedClient(base, made.token)

    def call(self, operation: str, client: Any = None, **said: Any) -> Any:
        module: ModuleType = importlib.import_module(f"{self.package}.api.{operation}")
        answer = module.sync(client=client or self.client, **said)
        assert not isinstance(answer, self.models.Problem), answer
        return answer


@pytest.mark.parametrize(("game", "fair"), [*((game, False) for game in games()), ("bottle_imp", True)])
def test_a_generated_client_plays_a_whole_match(generated: str, base: str, game: str, fair: bool) -> None:
    draw = random.Random(game)
    ana, luis, eva = (Player(generated, base, name) for name in ("Ana", "Luis", "Eva"))
    models = ana.models
    seats = [models.SeatOffer(player="me"), models.SeatOffer(player=luis.id), models.SeatOffer(open_=True)]
    options = models.NewMatchOptions.from_dict(SHORT.get(game, {}))
    match = ana.call("matches.open_match", body=models.NewMatch(game=game, seats=seats, options=options, fair=fair))
    luis.call("seats.take_seat", match=match.id, body=models.SeatChoice(seat=1))
    eva.call("seats.take_seat", match=match.id, body=models.SeatChoice())
    view = getattr(models, f"{''.join(word.capitalize() for word in game.split('_'))}View")
    for _ in range(MOST_WORDS):
        asked = 0
        for player in (ana, luis, eva):
            seen = player.call("matches.read_match", match=match.id)
            if seen.status != "playing":
                break
            if isinstance(seen.deal, models.AwaitedDeal):
                asked += 1
                nonce = models.Nonce(deal=seen.deal.number, nonce="616e61")
                player.call("nonces.give_nonce", match=match.id, body=nonce)
                continue
            assert isinstance(seen.deal.view, view)
            if seen.deal.your_turn:
                asked += 1
                word = models.Move(move=draw.choice(seen.deal.legal))
                player.call("matches.say_move", match=match.id, body=word, if_match=f'"{seen.version}"')
        if seen.status != "playing":
            break
        assert asked, "somebody always owes a word"
    assert seen.status == "ended" and sorted(seen.result.places)[0] == 1
    kinds = [event.type_ for event in ana.call("history.list_events", match=match.id, limit=200).items]
    assert kinds[0] == "opened" and "scored" in kinds or len(kinds) == 200
