"""Streams of games: what wakes them, what they hold, and how many there may be."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.identity import new_id
from tentimes18.server.live.live import Live, TooManyStreams
from tentimes18.server.store.database import Database
from tentimes18.server.store.games import MoveToMake, NewGame, make_moves, start_games
from tentimes18.server.store.migration import bring_up_to_date
from tentimes18.server.store.states import GameState
from tentimes18.server.store.writer import Commit
from tests.support.process import PATIENCE

GAME = Game.parse("1d6", "1-3")
ADA = "A" * 22


@asynccontextmanager
async def live_games(
    path: Path, tell: Callable[[int], None] | None = None, **limits: int
) -> AsyncIterator[tuple[Live, Database]]:
    database = Database(f"sqlite:///{path / 'games.sqlite'}")
    bring_up_to_date(database)
    live = Live(database, tell, **limits)
    live.start()
    try:
        yield live, database
    finally:
        await live.stop()
        database.close()


def begin(database: Database) -> GameState:
    with database.writing() as connection:
        new = NewGame(new_id(), ADA, GAME, draw_deal(GAME), "off", True, 7)
        return start_games(Commit(connection), [new])[0]


def place(database: Database, game: GameState, round_: int) -> None:
    with database.writing() as connection:
        make_moves(Commit(connection), [MoveToMake(game.id, ADA, round_, round_, 7)])


def test_many_changes_are_one_for_who_reads_slowly(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with live_games(tmp_path) as (live, database):
            game = begin(database)
            stream = live.watch(game.id, ADA)
            assert await stream.next(PATIENCE) == game
            for round_ in (1, 2, 3):
                place(database, game, round_)
                live.wake([game.id, "another"])
            async with asyncio.timeout(PATIENCE):
                while (state := await stream.next(PATIENCE)) is None or not state.is_over:
                    pass
            live.wake_all()
            live.wake([game.id])
            assert await stream.next(0.3) is None  # nothing else than before

    asyncio.run(scenario())


def test_another_connection_wakes_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with live_games(tmp_path) as (live, database):
            game = begin(database)
            stream = live.watch(game.id, ADA)
            await stream.next(PATIENCE)
            place(database, game, 1)  # nobody says so: the file does
            state = await stream.next(PATIENCE)
            assert state is not None
            assert state.slots == (1,)

    asyncio.run(scenario())


def test_there_is_room_for_so_many(tmp_path: Path) -> None:
    async def scenario() -> None:
        told: list[int] = []
        async with live_games(tmp_path, told.append, most=3, most_of_a_player=2) as (live, _):
            streams = [live.watch("a", ADA), live.watch("b", ADA)]
            with pytest.raises(TooManyStreams) as of_player:
                live.watch("c", ADA)
            assert of_player.value.of_player
            streams.append(live.watch("a", "bob"))
            assert live.streams == 3
            with pytest.raises(TooManyStreams) as of_all:
                live.watch("a", "eve")
            assert not of_all.value.of_player
            streams[0].leave()
            streams[0].leave()  # no harm
            assert live.streams == 2
            live.watch("a", "eve").leave()
            for stream in streams:
                stream.leave()
            assert (live.streams, live.is_watching) == (0, False)
            assert (told.count(1), told.count(-1)) == (4, 4)

    asyncio.run(scenario())


def test_streams_end_with_the_service_or_their_game(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with live_games(tmp_path) as (live, database):
            for nothing in (live.watch("nothing", ADA), live.watch(begin(database).id, "eve")):
                assert await nothing.next(PATIENCE) is None
                assert nothing.is_closed
            stream = live.watch(begin(database).id, ADA)
            await stream.next(PATIENCE)
            waiting = asyncio.create_task(stream.next(PATIENCE))
            await asyncio.sleep(0)
            live.close()
            assert await waiting is None
            assert stream.is_closed
            with pytest.raises(TooManyStreams):
                live.watch("a", "eve")

    asyncio.run(scenario())


def test_a_store_that_fails_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.server.live.live.PAUSE", 0.01)

    async def scenario() -> None:
        async with live_games(tmp_path) as (live, database):
            game = begin(database)
            with database.writing() as connection:
                connection.exec_driver_sql("ALTER TABLE games RENAME TO gone")
            stream = live.watch(game.id, ADA)
            assert await stream.next(0.3) is None
            with database.writing() as connection:
                connection.exec_driver_sql("ALTER TABLE gone RENAME TO games")
            live.wake([game.id])
            assert await stream.next(PATIENCE) == game

    asyncio.run(scenario())
