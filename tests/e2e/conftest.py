"""A whole server, as `tapete up` starts it. Beside it: command.py, tests/conftest.py."""

from collections.abc import Iterator

import pytest

from tests.e2e.command import tapete, url_of


@pytest.fixture(scope="module")
def served(database_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of API and worker, on the database and the Redis of this module's tests."""
    home = tmp_path_factory.mktemp("served")
    with tapete("up", home=home, DATABASE_URL=database_url, REDIS_URL=redis_url) as process:
        yield url_of(process)
        process.terminate()
        assert process.wait(15) == 0
