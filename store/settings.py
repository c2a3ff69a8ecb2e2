"""What the environment says, read once at the start. Beside it: `tapete --help`, which lists the same variables."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

Value = TypeVar("Value")
Default = TypeVar("Default")

YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


class SettingsError(ValueError):
    """A variable is missing or wrong; the message names it and its value."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process. URLs are None when the environment names none; nothing secret has a default."""

    database_url: str | None
    migrate_database_url: str | None  # whose user may create tables and roles; database_url when not given
    redis_url: str | None
    home: Path  # the data folder of the embedded servers, absolute
    port: int
    writes_per_second: int  # a token
    registrations_per_minute: int  # an address
    open_registration: bool
    trusted_proxies: int  # how many before us add to X-Forwarded-For; without any it is not looked at
    streams: int  # open at once, a process
    webhook_private: bool  # whether webhooks may go by http and to addresses that are not public
    metrics_token: str | None  # that /metrics asks for; anybody may read it when not given

    @classmethod
    def from_env(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The settings that `environment` names; an empty variable counts as not set. Raises SettingsError."""
        database_url = _read(environment, "DATABASE_URL", None, _postgres_url)
        return cls(
            database_url=database_url,
            migrate_database_url=_read(environment, "MIGRATE_DATABASE_URL", database_url, _postgres_url),
            redis_url=_read(environment, "REDIS_URL", None, _redis_url),
            home=_read(environment, "TAPETE_HOME", Path(".tapete"), Path).absolute(),
            port=_read(environment, "TAPETE_PORT", 8000, _port),
            writes_per_second=_read(environment, "TAPETE_WRITES_PER_SECOND", 100, _limit),
            registrations_per_minute=_read(environment, "TAPETE_REGISTRATIONS_PER_MINUTE", 10, _limit),
            open_registration=_read(environment, "TAPETE_OPEN_REGISTRATION", True, _truth),
            streams=_read(environment, "TAPETE_STREAMS", 1000, _limit),
            trusted_proxies=_read(environment, "TAPETE_TRUSTED_PROXIES", 0, _proxies),
            webhook_private=_read(environment, "TAPETE_WEBHOOK_PRIVATE", False, _truth),
            metrics_token=_read(environment, "TAPETE_METRICS_TOKEN", None, _secret),
        )

    def servers(self) -> tuple[str, str]:
        """The URLs of the database and of Redis, for a process that can start neither. Raises SettingsError."""
        if self.database_url is None:
            raise SettingsError("DATABASE_URL is not set: it names the Postgres to use (`tapete up` brings its own)")
        if self.redis_url is None:
            raise SettingsError("REDIS_URL is not set: it names the Redis to use (`tapete up` brings its own)")
        return self.database_url, self.redis_url


def celery_url(redis_url: str) -> str:
    """`redis_url` as Celery spells it, which has words of its own for a Unix socket."""
    return redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)


def _read(
    environment: Mapping[str, str], name: str, default: Default, parse: Callable[[str], Value]
) -> Value | Default:
    text = environment.get(name, "")
    if not text:
        return default
    try:
        return parse(text)
    except ValueError as error:
        raise SettingsError(f"{name} {error}") from None


def _postgres_url(text: str) -> str:
    return _url(text, "postgresql", "postgres")


def _redis_url(text: str) -> str:
    return _url(text, "redis", "rediss", "unix")


def _url(text: str, *schemes: str) -> str:
    scheme, separator, _ = text.partition("://")  # only the scheme is shown: behind it there may be a password
    if not separator or scheme not in schemes:
        raise ValueError(f"must begin with {schemes[0]}://, not with {(scheme if separator else text)[:12]!r}")
    return text


def _secret(text: str) -> str:
    if len(text) < 16 or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError("must be at least 16 printable characters without a space")  # and is not shown
    return text


def _port(text: str) -> int:
    return _whole(text, 1, 65535)


def _limit(text: str) -> int:
    return _whole(text, 1, 10**9)


def _proxies(text: str) -> int:
    return _whole(text, 0, 10)


def _whole(text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise ValueError(f"must be a whole number from {low} to {high}, not {text!r}")
    return int(text)


def _truth(text: str) -> bool:
    if text.lower() not in YES + NO:
        raise ValueError(f"must be true or false, not {text!r}")
    return text.lower() in YES
