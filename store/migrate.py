"""Brings a database to the schema of schema/*.sql, and makes the role as which the application works.

Alembic keeps the count and runs what is missing; each numbered file is one revision. Read beside it: db.py, where every
connection of the application takes the role on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import psycopg
from alembic.runtime.migration import MigrationContext, MigrationStep
from alembic.script.base import Script
from alembic.script.revision import RevisionMap
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import NullPool, create_engine

from store.db import ROLE, SCHEMA, number

LOCK = 0x7461_7065_7465  # one migration at a time in a database: "tapete" in ASCII


class RoleMissingError(Exception):
    """This user may not make or hand out the role; `statements` is what an administrator has to run instead, once."""

    def __init__(self, statements: str) -> None:
        super().__init__(
            f"this user may not make or hand out the role {ROLE}; an administrator has to run:\n{statements}"
        )
        self.statements = statements


def migrate(database_url: str, application_url: str | None = None) -> None:
    """Bring the database to the newest schema; nothing happens when it is there. Any number may run at once.

    `application_url` is what the application connects with, where that is another user than the one of `database_url`:
    the role is then handed to him too. Raises RoleMissingError.
    """
    with psycopg.connect(database_url, autocommit=True) as conn:
        _hand_out_role(conn, application_url)
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(database_url), poolclass=NullPool)
    with engine.begin() as connection:
        raw: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
        raw.execute("select pg_advisory_xact_lock(%s)", [LOCK])
        revisions = RevisionMap(lambda: _revisions(raw))
        context = MigrationContext.configure(connection, opts={"fn": lambda heads, _: _missing(revisions, heads)})
        context.run_migrations()
        raw.execute(f"grant select on alembic_version to {ROLE}")


def _revisions(conn: psycopg.Connection[Any]) -> Iterator[Script]:
    """Each file as a revision of Alembic's, upon the one before it."""
    below = None
    for file in SCHEMA:
        module = ModuleType(file.stem, file.name)
        vars(module).update(down_revision=below, upgrade=_upgrade(conn, file))
        below = number(file)
        yield Script(module, below, file)


def _upgrade(conn: psycopg.Connection[Any], file: Path) -> Callable[[], None]:
    def upgrade() -> None:  # Alembic logs its name
        conn.execute(file.read_bytes())

    return upgrade


def _missing(revisions: RevisionMap, heads: tuple[str, ...]) -> list[MigrationStep]:
    newest_first: list[Any] = list(revisions.iterate_revisions("heads", heads or "base", implicit_base=True))
    return [MigrationStep.upgrade_from_script(revisions, script) for script in reversed(newest_first)]


def _hand_out_role(conn: psycopg.Connection[Any], application_url: str | None) -> None:
    """See to it that the role is there, and that this user and the application's may take it on."""
    application = str(application_url and conninfo_to_dict(application_url).get("user") or conn.info.user)
    if _may_become(conn) and _is_member(conn, application):
        return
    role, users = sql.Identifier(ROLE), map(sql.Identifier, dict.fromkeys([conn.info.user, application]))
    statements = [sql.SQL("grant {} to {};").format(role, user) for user in users]
    if not _exists(conn):
        statements.insert(0, sql.SQL("create role {} nologin;").format(role))
    try:
        for statement in statements:
            # Roles belong to all databases of a server: a migration of another one may be doing just this.
            with suppress(errors.DuplicateObject, errors.UniqueViolation, errors.InternalError):
                conn.execute(statement)
    except errors.InsufficientPrivilege as refusal:
        raise RoleMissingError("\n".join(statement.as_string(conn) for statement in statements)) from refusal


def _exists(conn: psycopg.Connection[Any]) -> bool:
    return conn.execute("select from pg_roles where rolname = %s", [ROLE]).fetchone() is not None


def _may_become(conn: psycopg.Connection[Any]) -> bool:
    """Tried rather than looked up: since Postgres 16 a member may lack the right to take the role on."""
    try:
        conn.execute(f"set role {ROLE}")
    except (errors.InvalidParameterValue, errors.InsufficientPrivilege):
        return False
    conn.execute("reset role")
    return True


def _is_member(conn: psycopg.Connection[Any], user: str) -> bool:
    row = conn.execute("select pg_has_role(%s, %s, 'member')", [user, ROLE]).fetchone()
    return row is not None and bool(row[0])
