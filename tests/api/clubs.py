"""Leagues for the tests of the API: founded, with members, with tables drawn."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.api.http import Answer, Client

POLIGNAC = {"name": "Thursday club", "game": "polignac", "options": {"deals": 1, "tie_break": "shared"}}


class Club(NamedTuple):
    """A season, its organiser, its members: `ids` by the place of `players`, then guests."""

    organiser: Client
    league: str
    season: str
    players: list[Client]
    ids: list[str]

    @property
    def path(self) -> str:
        return f"/v1/seasons/{self.season}"

    def read(self, below: str = "") -> Any:
        return self.organiser.read(self.path + below)


def league(organiser: Client, **facts: Any) -> str:
    found: str = organiser.made("/v1/leagues", {**POLIGNAC, **facts})["id"]
    return found


def season(organiser: Client, league: str, **facts: Any) -> str:
    found: str = organiser.made(f"/v1/leagues/{league}/seasons", {"name": "Spring", **facts})["id"]
    return found


def joined(club: Club, **who: Any) -> str:
    """A member more: player=, name= or member=."""
    found: str = club.organiser.made(f"{club.path}/members", who)["member"]["id"]
    return found


def club(organiser: Client, players: int = 4, guests: int = 0, scoring: Any = None, **facts: Any) -> Club:
    """A season with so many members; the first is the organiser himself."""
    people = [organiser, *(organiser.player() for _ in range(players - 1))] if players else []
    name = league(organiser, **facts)
    made = Club(organiser, name, season(organiser, name, **(scoring or {})), people, [])
    made.ids.extend(joined(made, player=player.id) for player in people)
    made.ids.extend(joined(made, name=f"guest {number}") for number in range(guests))
    return made


def drawn(club: Club, *tables: list[int]) -> list[Any]:
    """A round drawn by hand, members by number; its tables."""
    ids = [[club.ids[member] for member in table] for table in tables]
    answer: Answer = club.organiser.post(f"{club.path}/rounds", {"pairing": "manual", "tables": ids})
    assert answer.status == 201, answer
    return list(club.read("/rounds")["items"][-1]["tables"])
