"""A database that is ready."""

from collections.abc import Iterator

import pytest

from tentimes18.server.store.database import Database
from tests.support.stored import opened_store


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An empty one, with its tables: the test runs once on each kind."""
    with opened_store(database_url) as found:
        yield found
