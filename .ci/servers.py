"""A database and a Redis number for the tests, on this machine's own servers: `servers.py create`, `servers.py drop`.

`create` prints two assignments for a shell, or ends with 1 where none answer. Beside it: run.
"""

import getpass
import sys

import psycopg
from redis import Redis
from redis.exceptions import RedisError

NAME = "tapete_ci"
REDIS_URL = "redis://127.0.0.1:6379/9"


def main() -> int:
    """Do what the command line says, as the first user who may."""
    for user in (getpass.getuser(), "postgres"):
        server = f"postgresql://{user}@127.0.0.1:5432"
        try:
            with psycopg.connect(f"{server}/postgres", autocommit=True, connect_timeout=3) as connection:
                connection.execute(f"drop database if exists {NAME} with (force)".encode())
                if sys.argv[1] == "create":
                    connection.execute(f"create database {NAME}".encode())
            with Redis.from_url(REDIS_URL, socket_connect_timeout=3) as redis:
                redis.flushdb()
        except (psycopg.OperationalError, psycopg.errors.InsufficientPrivilege, RedisError) as error:
            sys.stderr.write(f"{server}: {error}\n")
        else:
            sys.stdout.write(f"export DATABASE_URL={server}/{NAME} REDIS_URL={REDIS_URL}\n" * (sys.argv[1] == "create"))
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
