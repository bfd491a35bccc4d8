"""The tables. Times are milliseconds since 1970, in UTC; ids are random texts that tell nothing.

Rolls and nonces are drawn once, as a deal: for one game, for both games of a duel, or for all games of a day. A
player's game is a seat at a deal; so is a bot's, without a player. A move is a key (game, round) and its slot.
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
    true,
)

NAMES = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
ID = String(22)
NUMBER = BigInteger().with_variant(Integer, "sqlite")  # only INTEGER counts up by itself there
metadata = MetaData(naming_convention=NAMES)

players = Table(
    "players",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", String(40)),
    Column("created", BigInteger, nullable=False),
)

links = Table(
    "links",
    metadata,
    Column("digest", String(64), primary_key=True),  # of the code: who reads this table cannot use it
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
    Column("nonces", LargeBinary, nullable=False),  # 32 bytes a round
    Column("created", BigInteger, nullable=False),
)

duels = Table(
    "duels",
    metadata,
    Column("number", NUMBER, primary_key=True),
    Column("invite", ID, unique=True),
    Column("bot", String(40)),
    Column("seed", String(32), nullable=False),  # of what a bot leaves to chance
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),  # by the last move, or when the second player came
    Column("ended_by", String(10)),  # moves, time or leave; null while it goes on
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
    Column("kind", String(10), nullable=False),  # solo, daily or duel
    Column("coach", String(10), nullable=False),
    Column("duel", ForeignKey("duels.number"), index=True),
    Column("seat", Integer, nullable=False, default=0),
    Column("is_rated", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("finished", BigInteger),
    Column("score", Double),  # once finished
    Column("loss", Double),  # once measured: in all, and the number of moves that were a choice
    Column("choices", Integer),
    Index("ix_games_player_number", "player", "number"),
    Index("ix_games_deal_kind_player", "deal", "kind", "player"),
)
Index(
    "uq_games_daily",  # one attempt a player
    games.c.player,
    games.c.deal,
    unique=True,
    sqlite_where=games.c.kind == "daily",
    postgresql_where=games.c.kind == "daily",
)
IS_RATED = and_(games.c.is_rated.is_(true()), games.c.finished.is_not(None))
"""Of a game: it is finished, and counts."""
Index("ix_games_rated", games.c.player, games.c.finished, sqlite_where=IS_RATED, postgresql_where=IS_RATED)
IS_TO_MEASURE = and_(IS_RATED, games.c.loss.is_(None))
"""Of a game: it counts, and nobody has looked yet what its moves lost."""
Index("ix_games_to_measure", games.c.finished, sqlite_where=IS_TO_MEASURE, postgresql_where=IS_TO_MEASURE)

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
