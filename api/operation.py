"""What every operation has in common, said once: `@blueprint.operation(...)` registers a view, documents it, and leads
each request through the order of checks: authenticate, limits, key, If-Match, rules.

Read beside it: call.py (what the view is given), once.py, reading.py, description.py (what OpenAPI says of it).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import flask_smorest
from flask import Request, Response
from flask.globals import request_ctx
from marshmallow import Schema
from werkzeug.exceptions import NotAcceptable

from api import auth, once
from api.backing import backing
from api.call import Call
from api.description import described
from api.reading import raw_body, read_body, read_query, require_media_type
from api.schemas import Nothing
from api.wire import LIMITS, PLAYER, ROUTE

View: TypeAlias = Callable[..., Response]

ANYTHING = ("", "*/*")


@dataclass(frozen=True)
class Operation:
    """One method of one path. Without `scope` it asks for no token, and looks at none."""

    method: str
    view: View
    answer: Any = None  # its schema, or the JSON Schema of something else than JSON
    status: int = 200
    repeated: int | None = None  # the status where it finds that it was done before
    scope: str | None = None
    public: bool = False  # whether it can be done without a token as well
    body: Schema | None = None
    takes: Mapping[str, Any] = field(default_factory=dict)  # other media types of a body -> JSON Schema; given as bytes
    most_bytes: int | None = None  # of a body, where it is not what all others are held to
    query: Schema = Nothing()
    problems: str = ""  # codes, beside those that follow from the rest
    versioned: bool = False  # takes If-Match
    resumed: bool = False  # takes Last-Event-ID
    ahead: bool = False  # begins with reading the match, which is done with the token
    secret: bool = False  # shows what is kept nowhere
    mimetype: str = "application/json"
    also: Mapping[str, Any] = field(default_factory=dict)  # other media types of the answer -> JSON Schema
    headers: str = ""  # names of those that a success has, beside those that follow from the rest

    @property
    def writes(self) -> bool:
        return self.method != "GET"

    @property
    def once(self) -> bool:
        """Whether it takes an Idempotency-Key, which belongs to a player."""
        return self.method == "POST" and self.scope is not None

    def handle(self, **path: Any) -> Response:
        """Answer one request."""
        base, asked = backing(), request_ctx.request  # not the proxy, which costs something at every touch
        asked.environ[ROUTE] = asked.url_rule and asked.url_rule.rule
        if self.most_bytes:
            asked.max_content_length = self.most_bytes
        with ExitStack() as leases:
            call = Call(base, asked, leases)
            response = self._checked(call, path)
        for outcome in call.moved:
            base.teller.tell(outcome)
        if call.jobs:
            base.publisher.publish(call.jobs)
        response.headers.extend(call.headers)
        return response

    def _checked(self, call: Call, path: dict[str, Any]) -> Response:
        self._authenticate(call, path.get("match"))
        if self.writes and call.bearer:
            call.headers = call.request.environ[LIMITS] = call.backing.writes.count(call.bearer.token)
        key = once.key(call) if self.once else None
        if key is None:
            return self._run(call, path)
        return once.once(call, key, self.secret, lambda: self._run(call, path))

    def _authenticate(self, call: Call, match: str | None) -> None:
        if self.scope is None:
            return
        token = auth.token_of(call.request)
        if (
            token and match and self.ahead and "Idempotency-Key" not in call.request.headers
        ):  # a twin may still be at work
            call.bearer, history = auth.bearer_and_history(call.conn, token, match)
            call.ahead = match, history
        elif token:
            call.bearer = auth.bearer(call.conn, token, match)
        auth.require(call.bearer, self.scope, self.public)
        call.request.environ[PLAYER] = call.viewer

    def _run(self, call: Call, path: dict[str, Any]) -> Response:
        asked = call.request
        call.mimetype = self._mimetype(asked)
        parsed: dict[str, Any] = {}
        if asked.mimetype in self.takes:
            require_media_type(asked, self.takes)
            parsed["body"] = raw_body(asked)
        elif self.body:
            parsed["body"] = self.body.load(read_body(asked))
        elif self.takes:
            require_media_type(asked, self.takes)
        if (self.query.fields or asked.query_string) and (query := self.query.load(read_query(asked))):
            parsed["query"] = query
        return self.view(call, **parsed, **path)

    def _mimetype(self, asked: Request) -> str:
        """The media type that the client would rather have. Raises NotAcceptable where it wants none of ours."""
        if asked.headers.get("Accept", "") in ANYTHING:
            return self.mimetype
        offered = [self.mimetype, *self.also]
        found: str | None = asked.accept_mimetypes.best_match(offered)
        if found is None:
            raise NotAcceptable(f"what is here is {', '.join(offered)}")
        return found


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A resource: some paths and what can be done there."""

    def operation(self, method: str, rule: str, **facts: Any) -> Callable[[View], View]:
        """Make a view of `view(call, [body], [query], **path)`; `facts` are those of Operation."""

        def register(view: View) -> View:
            operation = Operation(method, view, **facts)

            def handle(**path: Any) -> Response:
                return operation.handle(**path)

            handle.__doc__ = view.__doc__
            handle._apidoc = self.doc(**described(operation))(handle)._apidoc  # type: ignore[attr-defined]
            self.add_url_rule(rule, view.__name__, handle, methods=[method])
            return view

        return register
