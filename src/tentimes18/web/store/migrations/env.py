"""Runs the migrations on the connection that `store.migration` hands over; Alembic calls this file."""

from alembic import context

from tentimes18.web.store.schema import metadata

__all__ = ["run"]


def run() -> None:
    """Run those that are missing."""
    context.configure(
        connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True
    )
    with context.begin_transaction():
        context.run_migrations()


run()
