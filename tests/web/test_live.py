"""Streams of games: what wakes them, what they hold, how many there may be, and that a signal ends them."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest

from tentimes18.game import Game
from tentimes18.server.live import Live, told_to_stop
from tentimes18.server.problems import Problem
from tentimes18.server.store.database import Database, bring_up_to_date
from tentimes18.server.store.games import GameState, MoveToMake, NewGame, make_moves, start_games
from tentimes18.server.store.writer import CHANNEL, Commit
from tests.support.postgres import Postgres
from tests.support.process import PATIENCE

GAME = Game.parse("1d6", "1-3")
ADA = "A" * 22
LISTENING = "SELECT 1 FROM pg_stat_activity WHERE application_name LIKE '%listener' AND query LIKE 'LISTEN%'"


@asynccontextmanager
async def live_games(
    place: Path | str, tell: Callable[[int], None] | None = None, **limits: int
) -> AsyncIterator[tuple[Live, Database]]:
    database = Database(place if isinstance(place, str) else f"sqlite:///{place / 'games #1 at 100%41'}")
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
        new = NewGame(ADA, GAME, "off", True, 7)
        return start_games(Commit(connection), [new])[0]


def place(database: Database, game: GameState, round_: int) -> None:
    with database.writing() as connection:
        make_moves(Commit(connection), [MoveToMake(game.id, ADA, round_, round_, 7)])


async def test_another_connection_wakes_it(tmp_path: Path) -> None:
    async with live_games(tmp_path) as (live, database):
        for _ in range(2):  # also after a time in which nobody watched
            game = begin(database)
            stream = live.watch(game.id, ADA)
            await stream.next(PATIENCE)
            place(database, game, 1)  # nobody says so: the file does
            state = await stream.next(PATIENCE)
            assert isinstance(state, GameState)
            assert state.slots == (1,)
            live.leave(stream)
            await asyncio.sleep(0.3)


async def test_another_process_tells_by_postgresql_also_after_a_lost_connection(postgres: Postgres) -> None:
    with postgres.database() as url, psycopg.connect(url, autocommit=True) as connection:
        async with live_games(url.replace("postgresql:", "postgresql+psycopg:")) as (live, database):
            game = begin(database)
            stream = live.watch(game.id, ADA)
            await stream.next(PATIENCE)
            while not connection.execute(LISTENING).fetchall():
                await asyncio.sleep(0.02)
            place(database, game, 1)
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"another,{game.id}"))
            assert await stream.next(PATIENCE) is not None
            ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '%listener'"
            assert connection.execute(ended).fetchall() == [(True,)]
            place(database, game, 2)
            assert await stream.next(PATIENCE) is not None, "something may have been missed"


async def test_the_number_of_streams_is_limited(tmp_path: Path) -> None:
    told: list[int] = []
    async with live_games(tmp_path, told.append, most=2) as (live, _):
        streams = [live.watch("a", ADA), live.watch("b", ADA)]
        with pytest.raises(Problem, match="too many games"):
            live.watch("a", "eve")
        for _ in range(2):  # the second time changes nothing
            live.leave(streams[0])
        live.leave(live.watch("a", "eve"))
        assert (live.streams, told) == (1, [1, 1, -1, 1, -1])


async def test_a_store_that_fails_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.server.live.RETRY_SECONDS", 0.01)
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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_both_hear_it_and_all_is_as_it_was(number: signal.Signals) -> None:
    loop = asyncio.get_running_loop()
    theirs, ours = asyncio.Event(), asyncio.Event()
    loop.add_signal_handler(number, theirs.set)  # as the server does
    before = signal.getsignal(number)
    try:
        with told_to_stop(ours.set):
            os.kill(os.getpid(), number)
            async with asyncio.timeout(10):
                await asyncio.gather(theirs.wait(), ours.wait())
        assert signal.getsignal(number) == before
    finally:
        loop.remove_signal_handler(number)
