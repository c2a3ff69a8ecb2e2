"""The peer of one move over REST: an empty Flask view doing one INSERT and COMMIT, on the same server and database."""

from __future__ import annotations

import os

import flask
from psycopg_pool import ConnectionPool

from store.db import pool


def create_app() -> flask.Flask:
    app = flask.Flask(__name__)
    connections = pool(os.environ["DATABASE_URL"], size=20)

    @app.post("/insert")
    def insert() -> flask.Response:
        with connections.connection() as conn:
            conn.execute("insert into bench_row (text) values (%s)", ["x" * 100])
        return flask.jsonify({})

    return app


def prepare(url: str) -> None:
    """The table it fills."""
    with ConnectionPool(url, kwargs={"autocommit": True}, open=True) as connections, connections.connection() as conn:
        conn.execute("create table if not exists bench_row (id bigserial primary key, text text not null)")
        conn.execute("grant all on bench_row to public; grant all on sequence bench_row_id_seq to public")
