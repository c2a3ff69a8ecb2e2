"""A client for tests, over Flask's own or over real HTTP. Every answer is held against openapi.yaml."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import requests
from flask.testing import FlaskClient
from requests.structures import CaseInsensitiveDict

from tests.api import conformance

numbers = count(1)


class Answer(NamedTuple):
    """What came back. `headers` are found in any case."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text) if self.text else None

    @property
    def lines(self) -> list[Any]:
        """What NDJSON says, line by line."""
        assert self.text.endswith("\n"), self
        return [json.loads(line) for line in self.text.splitlines()]

    @property
    def code(self) -> str | None:
        """The problem's code; None for a success."""
        return self.json["code"] if self.status >= 400 else None

    @property
    def version(self) -> str:
        """The ETag, as If-Match takes it."""
        return self.headers["ETag"]


Transport = Callable[[str, str, bytes | None, dict[str, str]], Answer]


def over_flask(client: FlaskClient) -> Transport:
    """Requests that go straight into the application."""

    def send(method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        response = client.open(path, method=method, data=body, headers=headers)
        return Answer(
            response.status_code, CaseInsensitiveDict(response.headers), response.get_data().decode(errors="replace")
        )

    return send


def over_http(base: str) -> Transport:
    """Requests that go through a socket, each by a connection of its own."""

    def send(method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        response = requests.request(method, base + path, data=body, headers=headers, timeout=30)
        return Answer(response.status_code, response.headers, response.text)

    return send


@dataclass(frozen=True)
class Client:
    """Somebody who speaks, with a token or without."""

    transport: Transport
    token: str | None = None
    id: str = ""
    name: str = ""

    def call(self, method: str, path: str, body: Any = None, /, **headers: str) -> Answer:
        """One request; `If_Match="..."` is a header, and bytes are a body as it is."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        raw = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        answer = self.transport(method, path, raw, sent)
        assert answer.status < 500 or answer.status == 503, answer
        if method != "HEAD":
            mimetype = answer.headers.get("Content-Type", "").partition(";")[0]
            content = answer.json if mimetype.endswith(("/json", "+json")) else answer.text
            conformance.check(method, path.partition("?")[0], answer.status, answer.headers, mimetype, content)
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.call("POST", path, {} if body is None else body, **headers)

    def delete(self, path: str, **headers: str) -> Answer:
        return self.call("DELETE", path, **headers)

    def made(self, path: str, body: Any = None, **headers: str) -> Any:
        """What a POST made, when it did."""
        answer = self.post(path, body, **headers)
        assert answer.status == 201, answer
        return answer.json

    def read(self, path: str, **headers: str) -> Any:
        """What a GET shows, when it does."""
        answer = self.get(path, **headers)
        assert answer.status == 200, answer
        return answer.json

    def player(self, name: str | None = None) -> Client:
        """Somebody new, on the same way."""
        made = Client(self.transport).made("/v1/players", {"name": name or f"player {next(numbers)}"})
        return Client(self.transport, made["token"], made["id"], made["name"])

    def bearing(self, token: str) -> Client:
        """The same one with another token."""
        return Client(self.transport, token, self.id, self.name)
