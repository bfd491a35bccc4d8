"""What the migrations make, against what the tables are said to be."""

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from tentimes18.web.store.database import Database
from tentimes18.web.store.migration import bring_up_to_date
from tentimes18.web.store.schema import metadata


def test_the_migrations_make_the_tables_of_the_schema(database_url: str) -> None:
    database = Database(database_url.replace("postgresql:", "postgresql+psycopg:"))
    bring_up_to_date(database)
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    database.close()
