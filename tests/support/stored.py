"""A database of the service with players and games put into it, without the service."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final

from sqlalchemy import Connection, insert

from tentimes18.game import Game
from tentimes18.play.fairness import Deal, draw_deal
from tentimes18.server.identity import new_id
from tentimes18.server.store.database import Database, bring_up_to_date
from tentimes18.server.store.games import game_row, keep_players, pack_deal
from tentimes18.server.store.schema import deals, duels, games, moves
from tentimes18.server.store.writer import Commit

ALL_SLOTS: Final = tuple(range(1, 11))
CLASSIC: Final = Game.classic()


@contextmanager
def opened_store(url: str) -> Iterator[Database]:
    with closing(Database(url.replace("postgresql:", "postgresql+psycopg:"))) as database:
        bring_up_to_date(database)
        yield database


@contextmanager
def changing(database: Database) -> Iterator[Commit]:
    """A commit, as the writer makes one."""
    with database.writing() as connection:
        yield Commit(connection)


def player_row(player: str, now: int) -> dict[str, Any]:
    return {"id": player, "name": None, "created": now}


def put_deal(connection: Connection, deal: Deal | None = None, day: str | None = None, game: Game = CLASSIC) -> int:
    row = {**pack_deal(game, deal or draw_deal(game)), "day": day, "created": 0}
    return int(connection.execute(insert(deals).values(row).returning(deals.c.number)).scalar_one())


def put_game(
    connection: Connection,
    player: str | None,
    slots: Sequence[int] = ALL_SLOTS,
    *,
    deal: int | None = None,
    **columns: Any,
) -> int:
    """The number of a new game with these moves, a solo game that counts if nothing else is said."""
    if player is not None:
        keep_players(connection, {player: 0})
    row = game_row(new_id(), player, put_deal(connection) if deal is None else deal, 0, is_rated=True)
    number = int(connection.execute(insert(games).values(row | columns).returning(games.c.number)).scalar_one())
    made = [{"game": number, "round": place, "slot": slot, "seen": 0, "made": 0} for place, slot in enumerate(slots, 1)]
    if made:
        connection.execute(insert(moves), made)
    return number


def put_duel(
    connection: Connection,
    seats: Sequence[tuple[str | None, Sequence[int]]],
    bot: str | None = None,
    ended_by: str | None = None,
) -> list[int]:
    """The numbers of the games of a new duel: players, and where they have placed the rolls."""
    row = {"invite": new_id(), "bot": bot, "seed": "0" * 32, "created": 0, "changed": 0, "ended_by": ended_by}
    duel = connection.execute(insert(duels).values(row).returning(duels.c.number)).scalar_one()
    deal = put_deal(connection)
    return [
        put_game(connection, player, slots, deal=deal, kind="duel", duel=duel, seat=seat, is_rated=False)
        for seat, (player, slots) in enumerate(seats)
    ]
