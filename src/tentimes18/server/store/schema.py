"""The tables. Times are milliseconds since 1970, in UTC; ids are random texts without a meaning.

Rolls and nonces are drawn once, as a deal: for one game, for both games of a duel, or for all games of a day or of a
group. A player's game is a seat at a deal; so is a bot's, without a player. A move is a key (game, round) and its slot.
"""

import sqlalchemy as sa

NAMES = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
ID = sa.String(22)
NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")  # only INTEGER counts up automatically there
metadata = sa.MetaData(naming_convention=NAMES)

players = sa.Table(
    "players",
    metadata,
    sa.Column("id", ID, primary_key=True),
    sa.Column("name", sa.String(40)),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()),  # from lists, by an operator
)

links = sa.Table(
    "links",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),  # of the code: a reader of this table cannot use it
    sa.Column("player", sa.ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("expires", sa.BigInteger, nullable=False),
)

deals = sa.Table(
    "deals",
    metadata,
    sa.Column("number", NUMBER, primary_key=True),
    sa.Column("day", sa.String(10), unique=True),  # of a daily game, like 2026-11-16
    sa.Column("dice", sa.Text, nullable=False),
    sa.Column("slots", sa.Text, nullable=False),
    sa.Column("rolls", sa.Text, nullable=False),  # like 11,9,4
    sa.Column("nonces", sa.LargeBinary, nullable=False),  # 32 bytes per round
    sa.Column("created", sa.BigInteger, nullable=False),
)

duels = sa.Table(
    "duels",
    metadata,
    sa.Column("number", NUMBER, primary_key=True),
    sa.Column("invite", ID, unique=True),
    sa.Column("bot", sa.String(40)),
    sa.Column("seed", sa.String(32), nullable=False),  # for a bot's random choices
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),  # by the last move, or when the second player came
    sa.Column("ended_by", sa.String(10)),  # moves, time, leave or resign; null while it goes on
    sa.Column("loser", sa.Integer),  # the seat that gave it up
    sa.Index("ix_duels_going_on", "ended_by", "changed"),
)

games = sa.Table(
    "games",
    metadata,
    sa.Column("number", NUMBER, primary_key=True),
    sa.Column("id", ID, nullable=False, unique=True),
    sa.Column("player", sa.ForeignKey("players.id")),  # null: a bot's, or one who has left
    sa.Column("deal", sa.ForeignKey("deals.number"), nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),  # solo, daily, duel or group
    sa.Column("coach", sa.String(10), nullable=False),
    sa.Column("duel", sa.ForeignKey("duels.number"), index=True),
    sa.Column("seat", sa.Integer, nullable=False, default=0),
    sa.Column("is_rated", sa.Boolean, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("finished", sa.BigInteger),  # or when a rated game was left
    sa.Column("score", sa.Double),  # once finished; null for a game that was left
    sa.Column("loss", sa.Double),  # once measured: in all, and the number of moves that were a choice
    sa.Column("choices", sa.Integer),
    sa.Index("ix_games_player_number", "player", "number"),
    sa.Index("ix_games_deal_kind_player", "deal", "kind", "player"),
)
for kind in ("daily", "group"):  # one attempt per player
    is_kind = games.c.kind == kind
    columns = games.c.player, games.c.deal
    sa.Index(f"uq_games_{kind}", *columns, unique=True, sqlite_where=is_kind, postgresql_where=is_kind)
IS_RATED = sa.and_(games.c.is_rated.is_(sa.true()), games.c.finished.is_not(None))
"""Of a game: it is finished, and counts."""
sa.Index("ix_games_rated", games.c.player, games.c.finished, sqlite_where=IS_RATED, postgresql_where=IS_RATED)
IS_TO_MEASURE = sa.and_(IS_RATED, games.c.loss.is_(None))
"""Of a game: it counts, and nobody has looked yet what its moves lost."""
sa.Index("ix_games_to_measure", games.c.finished, sqlite_where=IS_TO_MEASURE, postgresql_where=IS_TO_MEASURE)

IS_OPEN = games.c.finished.is_(None)
sa.Index("ix_games_open", games.c.created, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN)

played_days = sa.Table(
    "played_days",  # by players who were deleted: they get no second attempt
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),  # of the player and the day
    sa.Column("day", sa.String(10), nullable=False),
)

rematches = sa.Table(
    "rematches",  # the duel that one of its players begins after another one
    metadata,
    sa.Column("duel", sa.ForeignKey("duels.number", ondelete="CASCADE"), primary_key=True),
    sa.Column("next", sa.ForeignKey("duels.number", ondelete="CASCADE"), nullable=False, unique=True),
)

groups = sa.Table(
    "groups",
    metadata,
    sa.Column("number", NUMBER, primary_key=True),
    sa.Column("code", sa.String(6), nullable=False, unique=True),
    sa.Column("name", sa.String(40)),
    sa.Column("host", sa.ForeignKey("players.id", ondelete="SET NULL"), index=True),
    sa.Column("deal", sa.ForeignKey("deals.number"), nullable=False, unique=True),
    sa.Column("coach", sa.String(10), nullable=False),
    sa.Column("open", sa.Boolean, nullable=False),
    sa.Column("started", sa.Boolean, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False, index=True),
    sa.Column("next", sa.ForeignKey("groups.number", ondelete="SET NULL")),  # the group of the next game
)

shares = sa.Table(
    "shares",  # finished games that their players show to everybody who has the code
    metadata,
    sa.Column("code", sa.String(10), primary_key=True),
    sa.Column("game", sa.ForeignKey("games.number", ondelete="CASCADE"), nullable=False, unique=True),
    sa.Column("created", sa.BigInteger, nullable=False),
)

skills = sa.Table(
    "skills",  # of those who have finished enough games: kept with the losses that it is made of
    metadata,
    sa.Column("player", sa.ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("cost", sa.Double, nullable=False, index=True),
    sa.Column("error", sa.Double, nullable=False),
)

moves = sa.Table(
    "moves",
    metadata,
    sa.Column("game", sa.ForeignKey("games.number", ondelete="CASCADE"), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("slot", sa.Integer, nullable=False),
    sa.Column("seen", sa.Integer, nullable=False),  # how many moves the opponent had made; -1: had not come
    sa.Column("made", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

imports = sa.Table(
    "imports",
    metadata,
    sa.Column("number", NUMBER, primary_key=True),
    sa.Column("player", sa.ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("record", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("player", "digest"),
)
