"""The pages' cookie: it speaks for whoever signed in, and for nobody else's page. Beside it: api/cookie.py."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.api.http import Client

OURS = {"X-Tapete-Page": "1", "Origin": "http://localhost"}


@pytest.fixture
def browser(app: Flask, ana: Client) -> FlaskClient:
    """A browser in which Ana has signed in."""
    client = app.test_client()
    assert client.put("/session", json={"token": ana.token}, headers=OURS).status_code == 204
    return client


def test_the_token_is_where_no_script_can_read_it(app: Flask, ana: Client) -> None:
    kept = app.test_client().put("/session", json={"token": ana.token}, headers=OURS).headers["Set-Cookie"]
    assert "HttpOnly" in kept and "SameSite=Lax" in kept and "Path=/" in kept and "Secure" not in kept
    by_https = {**OURS, "Origin": "https://localhost"}
    assert (
        "Secure" in app.test_client().put("/session", json={"token": ana.token}, headers=by_https).headers["Set-Cookie"]
    )


@pytest.mark.parametrize("body", [{}, {"token": "tpt_nobody"}, {"token": 7}, {"token": ""}])
def test_only_a_good_token_signs_in(app: Flask, body: dict[str, Any]) -> None:
    answer = app.test_client().put("/session", json=body, headers=OURS)
    assert answer.status_code == 401 and "Set-Cookie" not in answer.headers


def test_the_cookie_reads_and_writes_for_our_own_pages(browser: FlaskClient, ana: Client) -> None:
    assert browser.get("/v1/me").json["id"] == ana.id  # type: ignore[index]
    assert browser.get("/v1/me", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200
    assert browser.patch("/v1/me", json={"name": "Ana María"}, headers=OURS).status_code == 200
    assert "Ana María" in browser.get("/").text


FOREIGN = {
    "a form elsewhere": {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    "a neighbour's host": {"X-Tapete-Page": "1", "Sec-Fetch-Site": "same-site"},
    "a script elsewhere": {"X-Tapete-Page": "1", "Origin": "https://evil.example"},
    "another port": {"X-Tapete-Page": "1", "Origin": "http://localhost:8001"},
    "a frame without an origin": {"X-Tapete-Page": "1", "Origin": "null"},
    "an old browser's form": {},
    "our own page without the header": {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
    "the address bar": {"X-Tapete-Page": "1", "Sec-Fetch-Site": "none"},
}


@pytest.mark.parametrize("headers", FOREIGN.values(), ids=FOREIGN)
def test_a_write_from_elsewhere_bears_no_credentials(browser: FlaskClient, headers: dict[str, str]) -> None:
    answer = browser.patch("/v1/me", json={"name": "Eve"}, headers=headers)
    assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated")  # type: ignore[index]
    assert browser.put("/session", json={"token": "x"}, headers=headers).status_code == 403
    assert browser.delete("/session", headers=headers).status_code == 403


@pytest.mark.parametrize("name", ["a form elsewhere", "a neighbour's host", "a script elsewhere"])
def test_a_read_from_elsewhere_bears_none_either(browser: FlaskClient, name: str) -> None:
    assert browser.get("/v1/me", headers=FOREIGN[name]).status_code == 401


def test_a_header_comes_before_the_cookie(browser: FlaskClient, luis: Client) -> None:
    header = {"Authorization": f"Bearer {luis.token}"}
    assert browser.get("/v1/me", headers=header).json["id"] == luis.id  # type: ignore[index]
    assert browser.patch("/v1/me", json={"name": "Lu"}, headers=header).json["id"] == luis.id  # type: ignore[index]


def test_a_foreign_page_is_never_allowed_the_header(browser: FlaskClient) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Headers": "X-Tapete-Page"}
    allowed = browser.options("/v1/me", headers=asked).headers
    assert "tapete-page" not in allowed["Access-Control-Allow-Headers"].lower()
    assert "Access-Control-Allow-Credentials" not in allowed


def test_who_has_signed_out_or_lost_the_token_is_a_stranger(browser: FlaskClient, ana: Client) -> None:
    assert browser.delete("/session", headers=OURS).status_code == 204
    assert browser.get("/v1/me").status_code == 401
    browser.set_cookie("tapete", "tpt_revoked")
    assert browser.get("/").status_code == 200 and "sign-in" in browser.get("/").text


def test_no_page_is_in_the_description(anybody: Client) -> None:
    paths = anybody.read("/v1/openapi.json")["paths"]
    assert [path for path in paths if not path.startswith(("/v1/", "/healthz", "/readyz", "/metrics"))] == []


FOUND = ["/", "/sign-in", "/rules", "/rules/mykonos", "/matches/x?code=y"]
NOTHING = ["/matches/x", "/matches/x/replay", "/leagues/x", "/seasons/x", "/seasons/x/rounds", "/players/x", "/rules/x",
           "/nothing/at/all"]  # fmt: skip


@pytest.mark.parametrize("path", FOUND + NOTHING)
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_page_speaks_both_languages_and_runs_nothing_foreign(app: Flask, path: str, language: str) -> None:
    answer = app.test_client().get(path, headers={"Accept-Language": language, "Accept": "text/html"})
    assert answer.status_code == (404 if path in NOTHING else 200)
    assert f'<html lang="{language}"' in answer.text and answer.headers["Content-Language"] == language
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert (
        " style=" not in answer.text
        and " onclick" not in answer.text
        and "https://" not in answer.text.split("<main")[0]
    )


def test_a_choice_of_language_and_theme_is_kept(app: Flask) -> None:
    browser = app.test_client()
    browser.set_cookie("tapete_language", "es")
    browser.set_cookie("tapete_theme", "dark")
    assert '<html lang="es" data-theme="dark">' in browser.get("/", headers={"Accept-Language": "en"}).text
    browser.set_cookie("tapete_language", '"><script>')
    browser.set_cookie("tapete_theme", "x")
    assert '<html lang="en">' in browser.get("/").text
