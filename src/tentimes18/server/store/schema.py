"""The tables. Times are milliseconds since 1970, in UTC; ids are random texts without a meaning.

Rolls and nonces are drawn once, as a deal: for one game, for both games of a duel, or for all games of a day or of a
group. A player's game is a seat at a deal; so is a bot's, without a player. A move is a key (game, round) and its slot.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    and_,
    false,
    true,
)

NAMES = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
ID = String(22)
NUMBER = BigInteger().with_variant(Integer, "sqlite")  # only INTEGER counts up automatically there
metadata = MetaData(naming_convention=NAMES)

players = Table(
    "players",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", String(40)),
    Column("created", BigInteger, nullable=False),
    Column("hidden", Boolean, nullable=False, server_default=false()),  # from lists, by an operator
)

links = Table(
    "links",
    metadata,
    Column("digest", String(64), primary_key=True),  # of the code: a reader of this table cannot use it
    Column("player", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("expires", BigInteger, nullable=False),
)

deals = Table(
    "deals",
    metadata,
    Column("number", NUMBER, primary_key=True),
    Column("day", String(10), unique=True),  # of a daily game, like 2026-11-16
    Column("dice", Text, nullable=False),
    Column("slots", Text, nullable=False),
    Column("rolls", Text, nullable=False),  # like 11,9,4
    Column("nonces", LargeBinary, nullable=False),  # 32 bytes per round
    Column("created", BigInteger, nullable=False),
)

duels = Table(
    "duels",
    metadata,
    Column("number", NUMBER, primary_key=True),
    Column("invite", ID, unique=True),
    Column("bot", String(40)),
    Column("seed", String(32), nullable=False),  # for a bot's random choices
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),  # by the last move, or when the second player came
    Column("ended_by", String(10)),  # moves, time, leave or resign; null while it goes on
    Column("loser", Integer),  # the seat that gave it up
    Index("ix_duels_going_on", "ended_by", "changed"),
)

games = Table(
    "games",
    metadata,
    Column("number", NUMBER, primary_key=True),
    Column("id", ID, nullable=False, unique=True),
    Column("player", ForeignKey("players.id")),  # null: a bot's, or one who has left
    Column("deal", ForeignKey("deals.number"), nullable=False),
    Column("kind", String(10), nullable=False),  # solo, daily, duel or group
    Column("coach", String(10), nullable=False),
    Column("duel", ForeignKey("duels.number"), index=True),
    Column("seat", Integer, nullable=False, default=0),
    Column("is_rated", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("finished", BigInteger),  # or when a rated game was left
    Column("score", Double),  # once finished; null for a game that was left
    Column("loss", Double),  # once measured: in all, and the number of moves that were a choice
    Column("choices", Integer),
    Index("ix_games_player_number", "player", "number"),
    Index("ix_games_deal_kind_player", "deal", "kind", "player"),
)
Index(
    "uq_games_daily",  # one attempt per player
    games.c.player,
    games.c.deal,
    unique=True,
    sqlite_where=games.c.kind == "daily",
    postgresql_where=games.c.kind == "daily",
)
Index(
    "uq_games_group",  # and one in a group
    games.c.player,
    games.c.deal,
    unique=True,
    sqlite_where=games.c.kind == "group",
    postgresql_where=games.c.kind == "group",
)
IS_RATED = and_(games.c.is_rated.is_(true()), games.c.finished.is_not(None))
"""Of a game: it is finished, and counts."""
Index("ix_games_rated", games.c.player, games.c.finished, sqlite_where=IS_RATED, postgresql_where=IS_RATED)
IS_TO_MEASURE = and_(IS_RATED, games.c.loss.is_(None))
"""Of a game: it counts, and nobody has looked yet what its moves lost."""
Index("ix_games_to_measure", games.c.finished, sqlite_where=IS_TO_MEASURE, postgresql_where=IS_TO_MEASURE)

IS_OPEN = games.c.finished.is_(None)
Index("ix_games_open", games.c.created, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN)

played_days = Table(
    "played_days",  # by players who were deleted: they get no second attempt
    metadata,
    Column("digest", String(64), primary_key=True),  # of the player and the day
    Column("day", String(10), nullable=False),
)

rematches = Table(
    "rematches",  # the duel that one of its players begins after another one
    metadata,
    Column("duel", ForeignKey("duels.number", ondelete="CASCADE"), primary_key=True),
    Column("next", ForeignKey("duels.number", ondelete="CASCADE"), nullable=False, unique=True),
)

groups = Table(
    "groups",
    metadata,
    Column("number", NUMBER, primary_key=True),
    Column("code", String(6), nullable=False, unique=True),
    Column("name", String(40)),
    Column("host", ForeignKey("players.id", ondelete="SET NULL"), index=True),
    Column("deal", ForeignKey("deals.number"), nullable=False, unique=True),
    Column("coach", String(10), nullable=False),
    Column("open", Boolean, nullable=False),
    Column("started", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False, index=True),
    Column("next", ForeignKey("groups.number", ondelete="SET NULL")),  # the group of the next game
)

shares = Table(
    "shares",  # finished games that their players show to everybody who has the code
    metadata,
    Column("code", String(10), primary_key=True),
    Column("game", ForeignKey("games.number", ondelete="CASCADE"), nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
)

skills = Table(
    "skills",  # of those who have finished enough games: kept with the losses that it is made of
    metadata,
    Column("player", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("games", Integer, nullable=False),
    Column("cost", Double, nullable=False, index=True),
    Column("error", Double, nullable=False),
)

moves = Table(
    "moves",
    metadata,
    Column("game", ForeignKey("games.number", ondelete="CASCADE"), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("slot", Integer, nullable=False),
    Column("seen", Integer, nullable=False),  # how many moves the opponent had made; -1: had not come
    Column("made", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

imports = Table(
    "imports",
    metadata,
    Column("number", NUMBER, primary_key=True),
    Column("player", ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("record", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    UniqueConstraint("player", "digest"),
)
