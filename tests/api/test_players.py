"""Accounts: names, tokens and what they may do, and a farewell that leaves nothing behind."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from flask import Flask
from psycopg import sql

from api import export
from api.export import PAGE
from domain import play
from store import players as rows
from store import webhooks
from store.db import Connection
from store.events import Events
from tests.api.conftest import application
from tests.api.http import Client, over_flask
from tests.api.tables import moves, opened, say, started

FINE = {
    "latin": "Ana",
    "spaces within": "Ana María de la Cruz",
    "forty": "x" * 40,
    "right to left": "محمد בן",
    "with marks of direction": "\u200fאנה\u200e",
    "emoji": "👩‍👩‍👧 🃏",
    "hangul": "한국어",
    "a formula": "=HYPERLINK(0)",
    "markup": "<b>Ana</b>",
}

NOT_FINE = {
    "empty": "",
    "forty-one": "x" * 41,
    "ten thousand": "x" * 10_000,
    "a bell": "Ana\a",
    "a line break": "Ana\nEva",
    "a paragraph": "Ana\u2029Eva",
    "blank": "   ",
    "only joiners": "\u200d\u200d",
    "only accents": "\u0301\u0301",
    "a number": 7,
    "null": None,
    "a list": ["Ana"],
}


@pytest.mark.parametrize("name", FINE.values(), ids=FINE)
def test_a_name_that_can_be_seen_is_taken(anybody: Client, name: str) -> None:
    player = anybody.player(name)
    assert anybody.read(f"/v1/players/{player.id}") == {"id": player.id, "name": name}


@pytest.mark.parametrize("name", NOT_FINE.values(), ids=NOT_FINE)
def test_a_name_that_is_none_is_refused_and_nothing_stored(anybody: Client, conn: Connection, name: Any) -> None:
    count = "select count(*) from player"
    before = conn.execute(count).fetchone()
    answer = anybody.post("/v1/players", {"name": name})
    assert answer.code == "invalid" and list(answer.json["errors"]) == ["name"]
    assert conn.execute(count).fetchone() == before


def test_a_name_is_kept_composed(anybody: Client) -> None:
    player = anybody.player("Jose\u0301")
    assert player.name == "José"
    found = [each["id"] for each in anybody.read("/v1/players?name=Jose\u0301")["items"]]
    assert found == [player.id]


def test_a_token_is_shown_once_and_its_hash_kept(ana: Client, owner: psycopg.Connection[Any]) -> None:
    assert ana.token and ana.token.startswith("tpt_") and len(ana.token) >= 4 + 43
    everything = owner.execute("select token::text from token").fetchall()
    assert everything and not any(ana.token in row for (row,) in everything)
    assert ana.token not in ana.get("/v1/me/tokens").text + ana.get("/v1/me").text


def test_i_am_who_my_token_says(ana: Client) -> None:
    me = ana.read("/v1/me")
    assert (me["id"], me["name"], me["scopes"]) == (ana.id, "Ana", ["read", "play", "manage"])
    assert datetime.fromisoformat(me["created_at"]).utcoffset() == timedelta(0)


def test_i_take_another_name(ana: Client, luis: Client, anybody: Client) -> None:
    match = opened(ana, luis, anybody.player())["id"]
    assert ana.call("PATCH", "/v1/me", {"name": "Anita"}).json["name"] == "Anita"
    assert anybody.read(f"/v1/players/{ana.id}")["name"] == "Anita"
    assert anybody.read(f"/v1/matches/{match}")["seats"][0]["player"] == {"id": ana.id, "name": "Anita"}


def test_registering_looks_at_no_key(anybody: Client) -> None:
    first, again = (anybody.made("/v1/players", {"name": "Ana"}, Idempotency_Key="same") for _ in range(2))
    assert first["id"] != again["id"] and first["token"] != again["token"]


def test_registering_can_be_closed(database_url: str, redis_url: str) -> None:
    with application(database_url, redis_url, TAPETE_OPEN_REGISTRATION="false") as app:
        answer = Client(over_flask(app.test_client())).post("/v1/players", {"name": "Ana"})
    assert answer.code == "not_allowed"


@pytest.mark.parametrize("scope", ["read", "play", "manage"])
def test_a_token_does_what_its_scopes_say(ana: Client, luis: Client, anybody: Client, scope: str) -> None:
    match = opened(ana, luis, anybody.player())["id"]
    weak = ana.bearing(ana.made("/v1/me/tokens", {"label": "weak", "scopes": [scope]})["token"])
    asked = {
        "read": [weak.get("/v1/me"), weak.get(f"/v1/matches/{match}"), weak.get("/v1/matches")],
        "play": [weak.post("/v1/matches"), weak.post(moves(match)), weak.post(f"/v1/matches/{match}/seats")],
        "manage": [weak.get("/v1/me/tokens"), weak.call("PATCH", "/v1/me", {}), weak.delete("/v1/me/tokens/x")],
    }
    for needed, answers in asked.items():
        assert {answer.code == "missing_scope" for answer in answers} == {needed != scope}


def test_a_token_makes_none_that_may_do_more(ana: Client) -> None:
    manager = ana.bearing(ana.made("/v1/me/tokens", {"label": "m", "scopes": ["manage"]})["token"])
    assert manager.post("/v1/me/tokens", {"label": "more", "scopes": ["manage", "play"]}).code == "missing_scope"
    assert manager.post("/v1/me/tokens", {"label": "same", "scopes": ["manage"]}).status == 201


def test_a_revoked_token_is_refused_at_once(ana: Client) -> None:
    made = ana.made("/v1/me/tokens", {"label": "lost", "scopes": ["read"]})
    lost = ana.bearing(made["token"])
    assert lost.get("/v1/me").status == 200
    assert ana.delete(f"/v1/me/tokens/{made['id']}").status == 204
    assert lost.get("/v1/me").code == "unauthenticated" and lost.get("/v1/games").status == 200
    assert ana.delete(f"/v1/me/tokens/{made['id']}").code == "not_found"
    assert made["id"] not in {token["id"] for token in ana.read("/v1/me/tokens")["items"]}


def test_somebody_elses_token_is_not_found(ana: Client, luis: Client) -> None:
    token = luis.read("/v1/me/tokens")["items"][0]["id"]
    assert ana.delete(f"/v1/me/tokens/{token}").code == "not_found"
    assert luis.get("/v1/me").status == 200


def test_a_token_expires(ana: Client, owner: psycopg.Connection[Any]) -> None:
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    made = ana.made("/v1/me/tokens", {"label": "short", "scopes": ["read"], "expires_at": soon})
    short = ana.bearing(made["token"])
    assert short.get("/v1/me").status == 200
    owner.execute("update token set expires_at = now() - interval '1 second' where id = %s", [made["id"]])
    assert short.get("/v1/me").code == "unauthenticated"


def test_a_token_that_is_over_before_it_begins_is_refused(ana: Client) -> None:
    past = {"label": "short", "scopes": ["read"], "expires_at": "2020-01-01T00:00:00Z"}
    assert list(ana.post("/v1/me/tokens", past).json["errors"]) == ["expires_at"]


def test_no_key_brings_a_token_back(ana: Client, owner: psycopg.Connection[Any]) -> None:
    asked = {"label": "once", "scopes": ["read"]}
    made = ana.made("/v1/me/tokens", asked, Idempotency_Key="once")
    again = ana.post("/v1/me/tokens", asked, Idempotency_Key="once")
    assert (again.code, again.json["id"]) == ("already_done", made["id"])
    kept = owner.execute("select answer::text from answer").fetchall()
    assert kept and not any(made["token"] in row for (row,) in kept)


def test_who_leaves_leaves_no_name_and_no_way_in(anybody: Client, owner: psycopg.Connection[Any]) -> None:
    leaver, *others = (anybody.player(name) for name in ("Wanda Unique", "b", "c", "d"))
    running, unstarted = started(leaver, *others)["id"], opened(others[0], leaver, others[1], others[2])["id"]
    say([leaver, *others], running)
    noted = started(leaver, *others)["id"]
    leaver.made(f"/v1/matches/{noted}/void", {"note": "Wanda Unique was here"})
    assert leaver.delete("/v1/me").status == 204
    assert leaver.get("/v1/me").code == "unauthenticated"
    assert anybody.read(f"/v1/players/{leaver.id}") == {"id": leaver.id, "name": None}
    seat = anybody.read(f"/v1/matches/{running}")["seats"][0]
    assert (seat["resigned"], seat["player"]) == (True, {"id": leaver.id, "name": None})
    assert anybody.read(f"/v1/matches/{unstarted}")["seats"][1]["open"] is True
    for (table,) in owner.execute("select tablename from pg_tables where schemaname = 'public'").fetchall():
        query = sql.SQL("select count(*) from {} as row where row::text like '%%Wanda%%'")
        held = owner.execute(query.format(sql.Identifier(table))).fetchone()
        assert held == (0,), f"{table} still knows the name"


def test_who_leaves_cannot_be_invited_or_found(anybody: Client, ana: Client) -> None:
    leaver = anybody.player("Short Stay")
    leaver.delete("/v1/me")
    assert anybody.read("/v1/players?name=Short Stay")["items"] == []
    seats = [{"player": "me"}, {"player": leaver.id}, {"open": True}]
    answer = ana.post("/v1/matches", {"game": "polignac", "seats": seats})
    assert answer.json["errors"] == {"seats.1.player": "there is no such player"}


def test_a_lost_farewell_is_said_again_in_vain(ana: Client) -> None:
    assert ana.delete("/v1/me").status == 204
    assert ana.delete("/v1/me").code == "unauthenticated"


def exported(client: Client) -> list[dict[str, Any]]:
    """What is kept of somebody, line by line."""
    answer = client.get("/v1/me/export")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/x-ndjson"), answer
    return answer.lines


def test_what_is_kept_of_me_is_given_to_me(anybody: Client, conn: Connection) -> None:
    me, *others = (anybody.player(f"Export {number}") for number in range(4))
    token = me.made("/v1/me/tokens", {"label": "my bot", "scopes": ["read"]})
    running, hosted = started(*others[:2], me)["id"], opened(me, others[0], others[1], visibility="private")["id"]
    elsewhere = started(*others)["id"]
    me.made(f"/v1/matches/{hosted}/void", {"note": "never mind"})
    webhooks.create(conn, me.id, me.id, "https://example.org", ["turn"], b"the secret", most=5)
    lines = exported(me)
    assert [line["kind"] for line in lines] == ["account", "token", "token", "match", "match", "note", "webhook"]
    assert (lines[0]["id"], lines[0]["name"]) == (me.id, "Export 0")
    assert {line["id"] for line in lines if line["kind"] == "token"} > {token["id"]}
    found = {line["id"]: line for line in lines if line["kind"] == "match"}
    assert found.keys() == {running, hosted} and elsewhere not in found
    assert (found[running]["seat"], found[running]["host"], found[running]["status"]) == (2, False, "playing")
    assert (found[hosted]["seat"], found[hosted]["host"], found[hosted]["status"]) == (0, True, "voided")
    assert all(me.get(path).status in (200, 404) for path in found[running]["links"].values())
    assert (lines[-2]["stream"], lines[-2]["text"]) == (hosted, "never mind")
    assert lines[-1]["url"] == "https://example.org" and "secret" not in lines[-1]
    said = me.get("/v1/me/export").text
    assert me.token and me.token not in said and token["token"] not in said
    assert not any(other.name in said for other in others)


def test_only_who_manages_an_account_gets_what_is_kept_of_it(ana: Client, anybody: Client) -> None:
    reader = ana.bearing(ana.made("/v1/me/tokens", {"label": "r", "scopes": ["read", "play"]})["token"])
    assert reader.get("/v1/me/export").code == "missing_scope"
    assert anybody.get("/v1/me/export").code == "unauthenticated"
    assert ana.get("/v1/me/export", Accept="text/html").code == "not_acceptable"


def test_of_many_matches_each_is_given_once(anybody: Client, conn: Connection) -> None:
    host, guest = anybody.player(), anybody.player()
    seats: list[dict[str, Any]] = [{"player": host.id}, {"player": guest.id}, {"open": True}]
    made = {f"e{number:04}" for number in range(2 * PAGE + 7)}
    for number, match in enumerate(sorted(made)):
        proposal = play.Proposal("polignac", seats, visibility=("public", "unlisted", "private")[number % 3])
        play.open_match(Events(conn), match, host.id, proposal, lambda: bytes(32))
    for client in (host, guest):
        found = [line["id"] for line in exported(client) if line["kind"] == "match"]
        assert len(found) == len(made) and set(found) == made


def test_what_is_given_is_made_while_it_is_read(anybody: Client, app: Flask, conn: Connection) -> None:
    """The connection is back before the first line is out, and nothing is read ahead."""
    me, pool = anybody.player(), app.extensions["tapete"].pool
    for number in range(PAGE + 1):
        rows.add_token(conn, f"{me.id[:20]}-{number}", me.id, f"{me.id}{number}".encode(), "x", ["read"])
    lines = export.lines(pool, me.id)
    assert next(lines).startswith('{"kind":"account"')
    for _ in range(2):
        assert pool.get_stats()["pool_available"] >= pool.get_stats()["pool_size"] - 1  # one is the test's own
        assert next(lines).startswith('{"kind":"token"')
    rows.add_token(conn, f"{me.id[:20]}-late", me.id, b"late" + me.id.encode(), "late", ["read"])
    assert "late" not in "".join(lines), "what is newer comes before what was given"
