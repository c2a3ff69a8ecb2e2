"""What the environment may say, and how a wrong word is refused. Beside it: store/settings.py."""

from pathlib import Path

import pytest

from store.settings import Settings, SettingsError, celery_url


def test_an_empty_environment_gives_the_defaults_and_no_servers() -> None:
    settings = Settings.from_env({"DATABASE_URL": ""})
    assert (settings.database_url, settings.migrate_database_url, settings.redis_url) == (None, None, None)
    assert (settings.home, settings.port) == (Path(".tapete").absolute(), 8000)
    assert (settings.writes_per_second, settings.registrations_per_minute, settings.open_registration) == (
        100,
        10,
        True,
    )


def test_every_variable_is_read() -> None:
    settings = Settings.from_env(
        {
            "DATABASE_URL": "postgresql://a@b/c",
            "MIGRATE_DATABASE_URL": "postgres://owner@b/c",
            "REDIS_URL": "redis://b/3",
            "TAPETE_HOME": "/srv/a b",
            "TAPETE_PORT": "8123",
            "TAPETE_WRITES_PER_SECOND": "7",
            "TAPETE_REGISTRATIONS_PER_MINUTE": "8",
            "TAPETE_OPEN_REGISTRATION": "No",
            "TAPETE_TRUSTED_PROXIES": "2",
        }
    )
    assert settings.servers() == ("postgresql://a@b/c", "redis://b/3")
    assert settings.migrate_database_url == "postgres://owner@b/c"
    assert (settings.home, settings.port) == (Path("/srv/a b"), 8123)
    assert (settings.writes_per_second, settings.registrations_per_minute, settings.open_registration) == (7, 8, False)
    assert settings.trusted_proxies == 2


def test_the_owner_of_the_tables_is_the_database_user_unless_another_is_named() -> None:
    assert Settings.from_env({"DATABASE_URL": "postgresql://a@b/c"}).migrate_database_url == "postgresql://a@b/c"


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("TAPETE_PORT", "80a", "TAPETE_PORT must be a whole number from 1 to 65535, not '80a'"),
        ("TAPETE_PORT", "0", "TAPETE_PORT must be a whole number from 1 to 65535, not '0'"),
        ("TAPETE_PORT", "65536", "TAPETE_PORT must be a whole number from 1 to 65535, not '65536'"),
        ("TAPETE_PORT", "٨", "TAPETE_PORT must be a whole number from 1 to 65535, not '٨'"),
        ("TAPETE_METRICS_TOKEN", "too short", "TAPETE_METRICS_TOKEN must be at least 16 printable characters"),
        ("TAPETE_WRITES_PER_SECOND", "-1", "TAPETE_WRITES_PER_SECOND must be a whole number from 1 to"),
        ("TAPETE_REGISTRATIONS_PER_MINUTE", "1.5", "TAPETE_REGISTRATIONS_PER_MINUTE must be a whole number from 1 to"),
        ("TAPETE_OPEN_REGISTRATION", "maybe", "TAPETE_OPEN_REGISTRATION must be true or false, not 'maybe'"),
        ("DATABASE_URL", "mysql://root:secret@b/c", "DATABASE_URL must begin with postgresql://, not with 'mysql'"),
        ("MIGRATE_DATABASE_URL", "host=b", "MIGRATE_DATABASE_URL must begin with postgresql://, not with 'host=b'"),
        ("REDIS_URL", "localhost:6379", "REDIS_URL must begin with redis://, not with 'localhost:63'"),
    ],
)
def test_a_wrong_value_is_refused_by_its_variable_s_name(name: str, value: str, complaint: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({name: value})
    assert str(refused.value).startswith(complaint)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("missing", ["DATABASE_URL", "REDIS_URL"])
def test_a_process_that_needs_servers_names_the_variable_that_is_missing(missing: str) -> None:
    given = {"DATABASE_URL": "postgresql://a@b/c", "REDIS_URL": "redis://b/3"}
    del given[missing]
    with pytest.raises(SettingsError, match=missing):
        Settings.from_env(given).servers()


def test_a_socket_is_spelled_another_way_for_celery() -> None:
    assert celery_url("unix:///a%20b/s?db=1") == "redis+socket:///a%20b/s?virtual_host=1"
    assert celery_url("redis://b/3") == "redis://b/3"
