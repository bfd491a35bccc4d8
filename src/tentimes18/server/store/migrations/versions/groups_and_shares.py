"""Version 3: groups, rematches, and games that are shared by a link."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    is_group = sa.text("kind = 'group'")
    op.create_index(
        "uq_games_group", "games", ["player", "deal"], unique=True, sqlite_where=is_group, postgresql_where=is_group
    )
    op.create_table(
        "rematches",
        sa.Column("duel", NUMBER, nullable=False),
        sa.Column("next", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["duel"], ["duels.number"], name="fk_rematches_duel", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["next"], ["duels.number"], name="fk_rematches_next", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("duel", name="pk_rematches"),
        sa.UniqueConstraint("next", name="uq_rematches_next"),
    )
    op.create_table(
        "groups",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("code", sa.String(length=6), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=True),
        sa.Column("host", sa.String(length=22), nullable=True),
        sa.Column("deal", NUMBER, nullable=False),
        sa.Column("coach", sa.String(length=10), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("started", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("next", NUMBER, nullable=True),
        sa.ForeignKeyConstraint(["host"], ["players.id"], name="fk_groups_host", ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["deal"], ["deals.number"], name="fk_groups_deal"),
        sa.ForeignKeyConstraint(["next"], ["groups.number"], name="fk_groups_next", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("number", name="pk_groups"),
        sa.UniqueConstraint("code", name="uq_groups_code"),
        sa.UniqueConstraint("deal", name="uq_groups_deal"),
    )
    op.create_index("ix_groups_host", "groups", ["host"], unique=False)
    op.create_index("ix_groups_created", "groups", ["created"], unique=False)
    op.create_table(
        "shares",
        sa.Column("code", sa.String(length=10), nullable=False),
        sa.Column("game", NUMBER, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.number"], name="fk_shares_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("code", name="pk_shares"),
        sa.UniqueConstraint("game", name="uq_shares_game"),
    )
