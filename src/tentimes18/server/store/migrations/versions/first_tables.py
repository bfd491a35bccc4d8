"""Version 1: players, deals, duels, games, moves, skills, links, imports."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "deals",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("day", sa.String(length=10), nullable=True),
        sa.Column("dice", sa.Text(), nullable=False),
        sa.Column("slots", sa.Text(), nullable=False),
        sa.Column("rolls", sa.Text(), nullable=False),
        sa.Column("nonces", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_deals"),
        sa.UniqueConstraint("day", name="uq_deals_day"),
    )
    op.create_table(
        "duels",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("invite", sa.String(length=22), nullable=True),
        sa.Column("bot", sa.String(length=40), nullable=True),
        sa.Column("seed", sa.String(length=32), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.Column("ended_by", sa.String(length=10), nullable=True),
        sa.Column("loser", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_duels"),
        sa.UniqueConstraint("invite", name="uq_duels_invite"),
    )
    op.create_index("ix_duels_going_on", "duels", ["ended_by", "changed"], unique=False)
    op.create_table(
        "players",
        sa.Column("id", sa.String(length=22), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )
    op.create_table(
        "games",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("id", sa.String(length=22), nullable=False),
        sa.Column("player", sa.String(length=22), nullable=True),
        sa.Column("deal", NUMBER, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("coach", sa.String(length=10), nullable=False),
        sa.Column("duel", NUMBER, nullable=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("is_rated", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("finished", sa.BigInteger(), nullable=True),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("loss", sa.Double(), nullable=True),
        sa.Column("choices", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["deal"], ["deals.number"], name="fk_games_deal"),
        sa.ForeignKeyConstraint(["duel"], ["duels.number"], name="fk_games_duel"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_games_player"),
        sa.PrimaryKeyConstraint("number", name="pk_games"),
        sa.UniqueConstraint("id", name="uq_games_id"),
    )
    op.create_index("ix_games_deal_kind_player", "games", ["deal", "kind", "player"], unique=False)
    op.create_index("ix_games_duel", "games", ["duel"], unique=False)
    op.create_index("ix_games_player_number", "games", ["player", "number"], unique=False)
    is_daily = sa.text("kind = 'daily'")
    op.create_index(
        "uq_games_daily", "games", ["player", "deal"], unique=True, sqlite_where=is_daily, postgresql_where=is_daily
    )
    for name, columns, condition in (
        ("ix_games_rated", ["player", "finished"], "finished IS NOT NULL"),
        ("ix_games_to_measure", ["finished"], "finished IS NOT NULL AND loss IS NULL"),
    ):
        op.create_index(
            name,
            "games",
            columns,
            unique=False,
            sqlite_where=sa.text(f"is_rated IS 1 AND {condition}"),
            postgresql_where=sa.text(f"is_rated IS true AND {condition}"),
        )
    op.create_table(
        "skills",
        sa.Column("player", sa.String(length=22), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Double(), nullable=False),
        sa.Column("error", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_skills_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", name="pk_skills"),
    )
    op.create_index("ix_skills_cost", "skills", ["cost"], unique=False)
    op.create_table(
        "imports",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("player", sa.String(length=22), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_imports_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("number", name="pk_imports"),
        sa.UniqueConstraint("player", "digest", name="uq_imports_player_digest"),
    )
    op.create_table(
        "links",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("player", sa.String(length=22), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_links_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name="pk_links"),
    )
    op.create_index("ix_links_player", "links", ["player"], unique=False)
    op.create_table(
        "moves",
        sa.Column("game", NUMBER, nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.number"], name="fk_moves_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "round", name="pk_moves"),
        sqlite_with_rowid=False,
    )
