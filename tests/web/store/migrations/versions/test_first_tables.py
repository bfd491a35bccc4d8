"""The first version."""

from sqlalchemy import inspect

from tentimes18.server.store.database import Database
from tentimes18.server.store.migration import bring_up_to_date
from tentimes18.server.store.migrations.versions import first_tables


def test_it_makes_the_tables(database_url: str) -> None:
    assert (first_tables.revision, first_tables.down_revision) == ("0001", None)
    database = Database(database_url.replace("postgresql:", "postgresql+psycopg:"))
    bring_up_to_date(database)
    made = {"players", "links", "deals", "duels", "games", "moves", "imports", "skills"}
    assert made <= set(inspect(database.reader).get_table_names())
    database.close()
