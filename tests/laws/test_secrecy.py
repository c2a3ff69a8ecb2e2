"""What holds of every view of every deal: it hides what it must, and a whole deal can be imagined behind it (C1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from domain.imagine import cards_in, deal_seen, imagine
from domain.rules import Game
from domain.secrecy import EVERYTHING, UNKNOWN, marks, view_for
from tests.laws.tables import Table, some_deals, tables, walk, walks

every_table = pytest.mark.parametrize("table", tables(), ids=str)


def read(view: dict[str, Any]) -> dict[str, Any]:
    """The view as it arrives: through JSON."""
    seen: dict[str, Any] = json.loads(json.dumps(view))
    return seen


def answers(game: Game, d: Any, seat: int) -> str:
    """Everything that this seat can read of a deal, byte for byte."""
    told = {"view": view_for(d, seat), "to_act": game.to_act(d), "legal": game.legal(d, seat)}
    if seat in game.to_act(d):
        words = game.words_of_the_house(d, seat)
        told |= {"house": words, "clock": game.clock(d, seat), "advice": game.advise(d, seat, words)}
    return json.dumps(told)


@every_table
def test_what_a_seat_reads_does_not_depend_on_what_is_hidden(table: Table) -> None:
    """The second world is imagined behind the seat's view; it has the same pack and shows a watcher the same."""
    game = table.game
    for deal, d, random in walks(table):
        for seat in random.sample(deal.seats, 2):
            other_world = imagine(game, read(view_for(d, seat)), seat, random.random)
            assert answers(game, other_world, seat) == answers(game, d, seat), (seat, str(deal))
            assert sorted(cards_in(game, other_world)) == sorted(deal.pack), (seat, str(deal))
            assert json.dumps(view_for(other_world, None)) == json.dumps(view_for(d, None)), (seat, str(deal))


@every_table
def test_an_imagined_world_can_be_played_to_its_end(table: Table) -> None:
    game = table.game
    for deal, random in some_deals(table):
        for d in walk(deal, random):
            if random.random() > 0.1:
                continue
            world = imagine(game, read(view_for(d, deal.seats[0])), deal.seats[0], random.random)
            for _ in range(500):
                if not game.to_act(world):
                    break
                seat = random.choice(game.to_act(world))
                game.play(world, seat, random.choice(game.words_of_the_house(world, seat)))
            assert not game.to_act(world), deal
            assert sorted(cards_in(game, world)) == sorted(deal.pack), deal
            game.score(deal.options, deal.seats, game.tally(world))


@every_table
def test_worlds_imagined_behind_the_deal_differ_among_themselves(table: Table) -> None:
    for deal, random in some_deals(table):
        view = read(view_for(deal.d, deal.seats[0]))
        worlds = [imagine(table.game, view, deal.seats[0], random.random) for _ in range(5)]
        assert len({json.dumps(view_for(world, EVERYTHING)) for world in worlds}) == 5


@every_table
def test_a_view_survives_json_and_the_way_back(table: Table) -> None:
    for deal, d, random in walks(table):
        for eyes in (random.choice(deal.seats), None):
            view = view_for(d, eyes)
            assert _keys_are_words(view), (eyes, str(deal))
            again = deal_seen(table.game, read(view))
            assert json.dumps(view_for(again, eyes)) == json.dumps(view), (eyes, str(deal))
            assert again == deal_seen(table.game, view), (eyes, str(deal))  # tuples are tuples again


def _keys_are_words(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _keys_are_words(entry) for key, entry in value.items())
    return all(map(_keys_are_words, value)) if isinstance(value, (list, tuple)) else True


@every_table
def test_no_hidden_card_is_named_in_what_a_seat_reads(table: Table) -> None:
    game = table.game
    for deal, d, random in walks(table):
        if random.random() < 0.6:
            continue
        sure = {seat: known(game, d, seat) for seat in deal.seats}
        for eyes in (*deal.seats, None):
            told = {**read(view_for(d, eyes)), "options": None}
            words = set(words_in([told, game.legal(d, eyes) if eyes is not None else []]))
            common = set.intersection(*sure.values())
            secret = set(deal.pack) - (common if eyes is None else sure[eyes])
            assert not words & secret, (eyes, words & secret, str(deal))


def known(game: Game, d: Any, seat: int) -> set[str]:
    """The cards whose place this seat knows, because it sees them or because they are pinned there."""
    seen = deal_seen(game, read(view_for(d, seat)))
    return {*cards_in(game, seen), *game.pinned(seen, seat)}


def words_in(value: Any) -> Iterator[str]:
    """Every word anywhere in a JSON value."""
    if isinstance(value, str):
        yield from value.split(" ")
    elif isinstance(value, dict):
        yield from words_in([*value.keys(), *value.values()])
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from words_in(entry)


@every_table
def test_a_watcher_and_another_seat_see_sizes_and_never_faces(table: Table) -> None:
    for deal, d, _ in walks(table):
        for eyes in (*deal.seats, None):
            seen = read(view_for(d, eyes))
            for name, mark in marks(table.game.Deal).items():
                if mark == "counted":
                    assert not list(words_in(seen[name])), (name, str(deal))
                elif mark != "shown":
                    others = [entry for seat, entry in enumerate(seen[name]) if seat != eyes]
                    assert all(entry is None or type(entry) is int for entry in others), (name, str(deal))
            assert UNKNOWN not in json.dumps(seen), deal
