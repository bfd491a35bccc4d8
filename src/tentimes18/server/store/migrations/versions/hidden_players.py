"""Version 2: an operator can hide a player from lists."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("players", sa.Column("hidden", sa.Boolean(), nullable=False, server_default=sa.false()))
