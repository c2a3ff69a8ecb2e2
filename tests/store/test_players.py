"""Players, their names and their tokens. Beside it: store/players.py."""

from datetime import timedelta
from hashlib import sha256
from itertools import count

import pytest
from psycopg import errors

from domain import play
from store import players
from store.db import Connection, Place
from store.events import Events
from store.players import Bearer

numbers = count(1)


@pytest.fixture
def player(conn: Connection) -> str:
    """A player whom no other test has."""
    return players.create(conn, f"p{next(numbers)}", "Ana").id


def hashed(token: str) -> bytes:
    return sha256(token.encode()).digest()


def give_token(conn: Connection, player: str, label: str = "", expires_in: timedelta | None = None) -> bytes:
    """A token of the player, by its hash; its id is the label with the player's."""
    ((now,),) = conn.execute("select now()")
    token_hash = hashed(player + label)
    expires_at = now + expires_in if expires_in is not None else None
    players.add_token(conn, player + label, player, token_hash, label, ["read", "play"], expires_at)
    return token_hash


def test_a_player_is_found_by_id_and_by_exact_name_newest_first(conn: Connection) -> None:
    made = [players.create(conn, f"n{number}", "Ñandú 🂡") for number in range(5)]
    players.create(conn, "n5", "ñandú 🂡")
    assert players.get(conn, "n3") == made[3] and players.get(conn, "nobody") is None
    page = players.by_name(conn, "Ñandú 🂡", limit=3)
    rest = players.by_name(conn, "Ñandú 🂡", limit=3, after=Place(page[-1].created_at, page[-1].id))
    assert page + rest == made[::-1]


def test_two_players_do_not_share_an_id(conn: Connection, player: str) -> None:
    with pytest.raises(errors.UniqueViolation):
        players.create(conn, player, "Eva")


def test_names_are_told_for_many_at_once(conn: Connection, player: str) -> None:
    gone = players.create(conn, f"{player}-gone", "Eva").id
    players.erase(conn, gone)
    assert players.names(conn, [player, gone, "nobody"]) == {player: "Ana", gone: None}


def test_a_player_is_renamed(conn: Connection, player: str) -> None:
    renamed = players.rename(conn, player, "Eva")
    assert renamed is not None and renamed.name == "Eva" and players.get(conn, player) == renamed
    assert players.rename(conn, "nobody", "Eva") is None


def test_a_token_bears_its_player_and_scopes(conn: Connection, player: str) -> None:
    token_hash = give_token(conn, player)
    assert players.bearer(conn, token_hash) == Bearer(player, player, ["read", "play"], {player: "Ana"})
    assert players.bearer(conn, hashed("another")) is None


def test_the_names_of_those_at_a_match_come_with_the_token(conn: Connection, player: str) -> None:
    token_hash, other = give_token(conn, player), players.create(conn, f"{player}-other", "Eva").id
    seats: list[dict[str, object]] = [{"player": player}, {"player": other}, {"open": True}]
    match = f"{player}-match"
    play.open_match(Events(conn), match, player, play.Proposal("polignac", seats), lambda: bytes(32))
    bearer = players.bearer(conn, token_hash, match)
    assert bearer is not None and bearer.names == {player: "Ana", other: "Eva"}


@pytest.mark.parametrize("way", ["revoked", "expired", "erased", "given after the erasure"])
def test_a_token_that_no_longer_holds_bears_nobody(conn: Connection, player: str, way: str) -> None:
    token_hash = give_token(conn, player, expires_in=timedelta(0) if way == "expired" else timedelta(hours=1))
    if way == "revoked":
        assert players.revoke(conn, player, player)
    elif way != "expired":
        players.erase(conn, player)
    if way == "given after the erasure":
        token_hash = give_token(conn, player, "late")
    assert players.bearer(conn, token_hash) is None


def test_a_player_revokes_his_own_tokens_only_and_once(conn: Connection, player: str) -> None:
    token_hash = give_token(conn, player)
    assert not players.revoke(conn, "somebody", player)
    assert players.bearer(conn, token_hash) is not None
    assert players.revoke(conn, player, player) and not players.revoke(conn, player, player)


def test_tokens_are_listed_newest_first_without_the_revoked(conn: Connection, player: str) -> None:
    for label in "abcde":
        give_token(conn, player, label)
    give_token(conn, players.create(conn, f"{player}-other", "Eva").id, "z")
    players.revoke(conn, player, f"{player}c")
    page = players.tokens_of(conn, player, limit=2)
    rest = players.tokens_of(conn, player, limit=9, after=Place(page[-1].created_at, page[-1].id))
    assert [token.label for token in page + rest] == ["e", "d", "b", "a"]
    assert page[0].scopes == ["read", "play"] and page[0].expires_at is None


def test_an_erased_player_leaves_an_id_and_nothing_personal(conn: Connection, player: str) -> None:
    give_token(conn, player, "my phone")
    for _ in range(2):
        players.erase(conn, player)
    found = players.get(conn, player)
    assert found is not None and found.name is None
    assert players.rename(conn, player, "Ana") is None and players.tokens_of(conn, player, limit=9) == []
    assert conn.execute("select label from token where player = %s", [player]).fetchall() == [("",)]


def test_no_token_is_given_to_nobody(conn: Connection) -> None:
    with pytest.raises(errors.ForeignKeyViolation):
        give_token(conn, "nobody")
