"""What a writer knows of games is what the store has, or is read again."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection, event

from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.identity import new_id
from tentimes18.server.store.database import Database, StoreUnavailable
from tentimes18.server.store.deletion import PlayerToRemove, remove_player
from tentimes18.server.store.games import MoveToMake, NewGame, NotDue, NotFound, make_moves, start_games
from tentimes18.server.store.known_games import KnownGames
from tentimes18.server.store.states import GameState, load_state
from tentimes18.server.store.writer import Commit, Writer

GAME = Game.parse("3d6", "1-4")


class Process:
    """A process that writes: a database, and what it knows."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.known = KnownGames()

    def begin(self) -> GameState:
        new = NewGame(new_id(), new_id(), GAME, draw_deal(GAME), "off", is_rated=False, created=1)
        with self.database.writing() as connection:
            return start_games(Commit(connection, self.known), [new])[0]

    def move(self, state: GameState, round_: int, slot: int) -> GameState | Exception:
        asked = MoveToMake(state.id, state.player or "", round_, slot, 2)
        with self.database.writing() as connection:
            return make_moves(Commit(connection, self.known), [asked])[0]

    def stored(self, state: GameState) -> GameState | None:
        with self.database.reading() as connection:
            return load_state(connection, state.id)


@pytest.fixture
def process(database: Database) -> Process:
    return Process(database)


def statements_of(database: Database, work: Callable[[], object]) -> str:
    seen: list[str] = []

    def see(_c: object, _u: object, statement: str, *_: object) -> None:
        seen.append(statement)

    event.listen(database.writer, "before_cursor_execute", see)
    try:
        work()
    finally:
        event.remove(database.writer, "before_cursor_execute", see)
    return "\n".join(seen)


def test_a_game_that_was_written_is_not_read_again(process: Process) -> None:
    state = process.begin()
    assert "nonces" not in statements_of(process.database, lambda: process.move(state, 1, 2))
    process.known.forget()
    assert "nonces" in statements_of(process.database, lambda: process.move(state, 2, 3))
    with process.database.writing() as connection:
        assert process.known.load(connection, [state.id]) == {state.id: process.stored(state)}


def test_what_another_process_has_moved_is_seen(process: Process) -> None:
    other = Process(process.database)
    state = process.begin()
    for round_, slot in enumerate((2, 4, 1), start=1):
        mover, watcher = (process, other) if round_ % 2 else (other, process)
        assert mover.move(state, round_, slot) == process.stored(state)
        assert isinstance(watcher.move(state, round_, 3), NotDue)
        assert watcher.move(state, round_, slot) == process.stored(state)


def test_a_game_that_was_removed_is_not_known_any_more(process: Process) -> None:
    other = Process(process.database)
    state = process.begin()
    process.move(state, 1, 1)
    with other.database.writing() as connection:
        remove_player(Commit(connection), [PlayerToRemove(state.player or "", 3)])
    after = other.begin()  # may get the number of the one that is gone
    assert isinstance(process.move(state, 2, 2), NotFound)
    assert other.stored(after) == after


def test_a_finished_game_is_forgotten(process: Process) -> None:
    state = process.begin()
    for round_ in range(1, 5):
        process.move(state, round_, round_)
    assert len(process.known) == 0
    assert process.move(state, 4, 4) == process.stored(state)


def test_the_oldest_is_forgotten_when_there_are_too_many(database: Database) -> None:
    process = Process(database)
    process.known = KnownGames(most=3)
    states = [process.begin() for _ in range(5)]
    assert len(process.known) == 3
    assert all(process.move(state, 1, 1) == process.stored(state) for state in states)


class Failing(Database):
    """A database whose next commit can be had fail."""

    fails = False

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with super().writing() as connection:
            yield connection
            if self.fails:
                raise StoreUnavailable("the disk is full")


def test_what_came_to_nothing_is_not_known(database_url: str, process: Process) -> None:
    failing = Failing(database_url)
    writer = Writer(failing)
    state = process.begin()
    player = state.player or ""

    async def work() -> None:
        writer.start()
        await writer.do(make_moves, MoveToMake(state.id, player, 1, 1, 2))
        failing.fails = True
        with pytest.raises(StoreUnavailable):
            await writer.do(make_moves, MoveToMake(state.id, player, 2, 2, 2))
        failing.fails = False
        process.move(state, 2, 3)
        with pytest.raises(NotDue):
            await writer.do(make_moves, MoveToMake(state.id, player, 2, 2, 2))
        assert await writer.do(make_moves, MoveToMake(state.id, player, 3, 2, 2)) == process.stored(state)

    try:
        asyncio.run(work())
    finally:
        writer.close()
        failing.close()
