"""Migrations and the application's role, on a server where it is not known yet. Beside it: store/migrate.py."""

import getpass
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import errors

import store.migrate
from domain.event import Event
from store import db, embedded
from store.db import SCHEMA, connection, is_migrated, number
from store.events import Events
from store.migrate import RoleMissingError, migrate

LOGINS = ("maker", "plain", "guest")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[embedded.Postgres]:
    """A Postgres with a superuser, an owner who may make roles, one who may not, and another login."""
    with embedded.postgres(tmp_path_factory.mktemp("migrated")) as server:
        with (server.folder / "pg_ident.conf").open("a") as mapping:
            mapping.writelines(f'tapete "{getpass.getuser()}" {login}\n' for login in LOGINS)
        with psycopg.connect(server.url, autocommit=True) as conn:
            conn.execute("select pg_reload_conf()")
            conn.execute("create role maker login createrole")
            conn.execute("create role plain login")
            conn.execute("create role guest login")
        yield server


@pytest.fixture
def administrator(server: embedded.Postgres) -> Iterator[db.Connection]:
    """The superuser, with a database of each owner; afterwards the server is as it was."""
    with psycopg.connect(server.url, autocommit=True) as conn:
        for login in ("maker", "plain"):
            conn.execute(f"create database {login} owner {login}".encode())
        yield conn
        for login in ("maker", "plain"):
            conn.execute(f"drop database {login} with (force)".encode())
        conn.execute("drop role if exists tapete_app")


def url_of(server: embedded.Postgres, login: str, database: str | None = None) -> str:
    """A login to a database, by default to his own."""
    parts = urlsplit(server.url)
    return parts._replace(netloc=f"{login}@", path=f"/{database or login}").geturl()


def works_as_the_application(url: str) -> None:
    with db.pool(url, size=1) as pool, connection(pool) as conn:
        assert is_migrated(conn)
        events = Events(conn)
        events.append("m", events.read("m"), [Event("opened", {})], [], None)
        with pytest.raises(errors.InsufficientPrivilege):
            conn.execute("delete from event")


def test_an_owner_who_may_make_roles_needs_nobody(server: embedded.Postgres, administrator: db.Connection) -> None:
    migrate(url_of(server, "maker"))
    works_as_the_application(url_of(server, "maker"))
    with (
        psycopg.connect(url_of(server, "maker"), autocommit=True) as owner,
        pytest.raises(errors.InsufficientPrivilege, match="delete of event is refused"),
    ):
        owner.execute("delete from event")


def test_an_owner_who_may_not_is_told_what_an_administrator_has_to_run(
    server: embedded.Postgres, administrator: db.Connection
) -> None:
    with pytest.raises(RoleMissingError) as missing:
        migrate(url_of(server, "plain"))
    assert missing.value.statements == 'create role "tapete_app" nologin;\ngrant "tapete_app" to "plain";'
    assert missing.value.statements in str(missing.value)
    with psycopg.connect(url_of(server, "plain")) as conn:
        assert conn.execute("select from pg_tables where schemaname = 'public'").fetchall() == []
    administrator.execute(missing.value.statements.encode())
    migrate(url_of(server, "plain"))
    works_as_the_application(url_of(server, "plain"))


def test_a_role_made_for_another_database_is_handed_out_too(
    server: embedded.Postgres, administrator: db.Connection
) -> None:
    migrate(url_of(server, "maker"))
    with pytest.raises(RoleMissingError) as missing:
        migrate(url_of(server, "plain"))
    assert missing.value.statements == 'grant "tapete_app" to "plain";'


def test_the_application_may_log_in_as_another_than_the_owner(
    server: embedded.Postgres, administrator: db.Connection
) -> None:
    application = url_of(server, "guest", "maker")
    migrate(url_of(server, "maker"))
    with psycopg.connect(application) as conn, pytest.raises(errors.InsufficientPrivilege):
        conn.execute("set role tapete_app")
    migrate(url_of(server, "maker"), application)
    works_as_the_application(application)


def test_whether_a_database_is_migrated_can_be_asked(server: embedded.Postgres, administrator: db.Connection) -> None:
    with psycopg.connect(url_of(server, "maker"), autocommit=True) as conn:
        assert not is_migrated(conn)
        migrate(url_of(server, "maker"))
        assert is_migrated(conn)
        for version, answer in (("9999", True), ("0001", False)):
            conn.execute("update alembic_version set version_num = %s", [version])
            assert is_migrated(conn) == answer


def test_a_second_migration_changes_nothing(server: embedded.Postgres, administrator: db.Connection) -> None:
    tables = "select oid, relname from pg_class where relnamespace = 'public'::regnamespace order by oid"
    with psycopg.connect(url_of(server, "maker"), autocommit=True) as conn:
        migrate(url_of(server, "maker"))
        before = conn.execute(tables).fetchall()
        migrate(url_of(server, "maker"))
        assert conn.execute(tables).fetchall() == before != []


def test_migrations_at_the_same_time_take_turns(server: embedded.Postgres, administrator: db.Connection) -> None:
    urls = [server.url if number % 2 else url_of(server, "tapete", "maker") for number in range(6)]
    barrier = Barrier(len(urls))

    def run(url: str) -> None:
        barrier.wait()
        migrate(url)

    with ThreadPoolExecutor(len(urls)) as threads:
        list(threads.map(run, urls))
    for url in urls[:2]:
        with psycopg.connect(url, autocommit=True) as conn:
            assert conn.execute("select version_num from alembic_version").fetchall() == [(number(SCHEMA[-1]),)]
    administrator.execute("drop owned by tapete_app")


def test_a_new_file_is_run_and_one_that_fails_leaves_the_database_as_it_was(
    server: embedded.Postgres, administrator: db.Connection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = url_of(server, "maker")
    migrate(url)
    good, bad = tmp_path / "0997_good.sql", tmp_path / "0998_bad.sql"
    good.write_text("create table good (a text); insert into good values ('100% :sure');")
    bad.write_text("create table bad (a text); select 1 / 0;")
    with psycopg.connect(url, autocommit=True) as conn:
        monkeypatch.setattr(store.migrate, "SCHEMA", [*SCHEMA, good, bad])
        with pytest.raises(errors.DivisionByZero):
            migrate(url)
        assert conn.execute("select to_regclass('good'), to_regclass('bad')").fetchone() == (None, None)
        monkeypatch.setattr(store.migrate, "SCHEMA", [*SCHEMA, good])
        migrate(url)
        assert conn.execute("select a from good").fetchall() == [("100% :sure",)]


def test_files_are_numbered_without_gaps() -> None:
    assert [number(file) for file in SCHEMA] == [f"{count:04}" for count in range(1, len(SCHEMA) + 1)]
