"""Players in the store: names, links, lists of own games, imported records, and deletion."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import Connection, func, insert, select, text

from tentimes18.game import Game
from tentimes18.server.identity import new_id
from tentimes18.server.store.database import Database
from tentimes18.server.store.games import GameState, NewGame, start_games
from tentimes18.server.store.players import GONE_MS, UNUSED_MS, remove_old, remove_player
from tentimes18.server.store.schema import games, metadata, played_days, players
from tentimes18.server.store.writer import Writer
from tests.support.postgres import Postgres
from tests.support.stored import ALL_SLOTS, changing, opened_store, put_deal, put_duel, put_game

ADA, BOB = new_id(), new_id()


def rows(connection: Connection) -> dict[str, int]:
    return {
        table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in metadata.sorted_tables
    }


def removed(connection: Connection, player: str) -> bool:
    """Whether the id is in no table."""
    return not any(
        player in repr(tuple(row)) for table in metadata.sorted_tables for row in connection.execute(select(table))
    )


def test_own_games_go_and_a_day_stays(database: Database) -> None:
    with changing(database) as commit:
        day = put_deal(commit.connection, day="2026-11-16")
        put_game(commit.connection, BOB, deal=day, kind="daily")
        before = rows(commit.connection)
        put_game(commit.connection, ADA, deal=day, kind="daily", finished=1, score=1.0)
        put_game(commit.connection, ADA, (1, 2), deal=day)
        for slots in (ALL_SLOTS, (3, 1), ()):
            put_game(commit.connection, ADA, slots)
        put_duel(commit.connection, [(ADA, (1, 2)), (None, (3, 4))], bot="optimal")
        put_duel(commit.connection, [(ADA, (1,))])  # nobody has joined
    with changing(database) as commit:
        remove_player(commit, ADA, 7)
        remove_player(commit, new_id(), 7)
        assert commit.changed == []
    with database.reading() as connection:
        assert rows(connection) == before | {"played_days": 1}
        assert removed(connection, ADA)
        assert not removed(connection, BOB)


def test_what_is_old_goes(database: Database) -> None:
    with changing(database) as commit:
        put_game(commit.connection, BOB)
        before = rows(commit.connection)
        put_game(commit.connection, BOB, ())
        commit.connection.execute(insert(played_days).values(digest="0" * 64, day="1970-01-20"))
    with changing(database) as commit:
        assert remove_old(commit, UNUSED_MS - 1) == 0
        assert remove_old(commit, UNUSED_MS) == 1
        assert rows(commit.connection) == before
        assert remove_old(commit, GONE_MS) == 1
        assert removed(commit.connection, BOB)


def test_a_game_that_is_begun_while_its_player_goes(postgres: Postgres) -> None:
    """The start waits until the player is removed, and then stores the player again."""

    async def begin(writer: Writer) -> GameState:
        game = Game.classic()
        state = await writer.do(start_games, NewGame(ADA, game, "off", True, 9))
        await writer.close()
        return state

    with postgres.database() as url, opened_store(url) as database, opened_store(url) as other:
        with changing(database) as commit:
            put_game(commit.connection, ADA)
        writer = Writer(other)
        writer.start()
        with ThreadPoolExecutor(1) as thread:
            with changing(database) as commit:
                locked = select(players.c.id).where(players.c.id == ADA).with_for_update()
                commit.connection.execute(locked)
                begun = thread.submit(asyncio.run, begin(writer))
                waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
                while not commit.connection.scalar(waiting):
                    assert not begun.done()
                remove_player(commit, ADA, 7)
            assert begun.result().player == ADA
        with database.reading() as connection:
            assert connection.execute(select(players.c.created)).scalars().all() == [9]
            assert len(connection.execute(select(games)).all()) == 1
