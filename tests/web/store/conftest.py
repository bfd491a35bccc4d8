"""A database that is ready."""

from collections.abc import Iterator

import pytest

from tentimes18.server.store.database import Database, bring_up_to_date


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An empty one, with its tables: the test runs once on each kind."""
    found = Database(database_url.replace("postgresql:", "postgresql+psycopg:"))
    bring_up_to_date(found)
    yield found
    found.close()
