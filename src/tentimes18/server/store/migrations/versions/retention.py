"""Version 4: games that nobody goes on with, and days that a deleted player has played."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    is_open = sa.text("finished IS NULL")
    op.create_index("ix_games_open", "games", ["created"], sqlite_where=is_open, postgresql_where=is_open)
    op.create_table(
        "played_days",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_played_days"),
    )
