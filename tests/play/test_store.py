"""Every store keeps a game in play alike, whatever ends the one who plays it: the history on disk, and a database."""

import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Any, Final

import pytest

from tentimes18.game import Game
from tentimes18.play.game import GameInPlay, unfinished_games
from tentimes18.play.settings import Coach, Settings
from tentimes18.play.store import KeptGame, Store
from tentimes18.records.files import Line
from tentimes18.records.history import History, UnfinishedGame
from tentimes18.records.notation import Record, parse_record
from tests.support.command import clean_environment
from tests.support.database import Database, Row
from tests.support.process import finished

ROOT: Final = Path(__file__).parents[2]
GAME: Final = Game.parse("1d6", "1-4")
STARTED: Final = parse_record("1d6 1,2: 5@2 4@?")
FINISHED: Final = parse_record("1d6 1,2: 5@2 4@1; name=Ada Ω")


def games_of_history(store: Any) -> list[Record]:
    return [line.record for line in store.games() if isinstance(line, Line)]


@dataclass(frozen=True)
class Keeper:
    """A kind of store: how it is opened at a path, the kind of its handles, and what it holds."""

    open: Callable[[Path], Store]
    kept: Any
    finished: Callable[[Any], list[Record]]


KEEPERS: Final = {
    "History": Keeper(History, UnfinishedGame, games_of_history),
    "Database": Keeper(Database, Row, Database.finished),
}


@pytest.fixture(params=KEEPERS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def keeper(name: str) -> Keeper:
    return KEEPERS[name]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games"


@pytest.fixture
def store(keeper: Keeper, path: Path) -> Store:
    return keeper.open(path)


def test_nothing_played_yet(store: Store) -> None:
    assert list(store.unfinished()) == []
    assert not store.holds(FINISHED)


def test_a_game_is_kept_until_it_is_dropped(store: Store) -> None:
    begun = time()
    kept = store.begin(STARTED)
    assert kept.read() == STARTED
    assert begun - 5 < kept.kept_at < time() + 5
    assert list(store.unfinished()) == [], "it is being played"
    kept.keep(parse_record("1d6 1,2: 5@2 3@?"))
    kept.unlock()
    [(found, record)] = store.unfinished()
    assert record == found.read() == parse_record("1d6 1,2: 5@2 3@?")
    found.drop()
    found.drop()
    assert list(store.unfinished()) == []
    with pytest.raises(OSError):
        found.read()


def test_one_at_a_time_plays_a_game(store: Store) -> None:
    store.begin(STARTED).unlock()
    (one, _), (other, _) = *store.unfinished(), *store.unfinished()
    assert one.lock()
    assert one.lock(), "who has it has it"
    assert not other.lock()
    one.unlock()
    assert other.lock()
    assert not one.lock()
    other.unlock()


def test_the_latest_comes_first(store: Store) -> None:
    handles = [store.begin(parse_record(f"1d6 1,2: {roll}@1")) for roll in (1, 2, 3)]
    for kept in handles:
        kept.unlock()
    handles[0].keep(parse_record("1d6 1,2: 4@1"))
    assert [record.board.score for _, record in store.unfinished()] == [4, 3, 2]


def test_finished_games_are_held(store: Store, keeper: Keeper) -> None:
    other = parse_record("1d6 1,2: 5@2 4@1; name=Eve")
    store.add(FINISHED)
    assert store.holds(FINISHED)
    assert not store.holds(other)
    store.add(other)
    assert keeper.finished(store) == [FINISHED, other]


def no_space(*_: object) -> Any:
    raise OSError(28, "No space left on device")


def started(store: Store, seed: int = 18, **settings: Any) -> GameInPlay:
    game = GameInPlay(Settings(GAME, seed, **settings), store)
    game.prepare()
    game.begin()
    return game


class Nowhere:
    """A store that keeps nothing."""

    place = "nowhere"

    def begin(self, _: Record) -> KeptGame:
        raise OSError("nothing is kept here")

    def unfinished(self) -> list[tuple[KeptGame, Record]]:
        return []

    def add(self, _: Record) -> None:
        raise OSError("nothing is kept here")

    def holds(self, _: Record) -> bool:
        return False


def unkept(**settings: Any) -> GameInPlay:
    """The same game, to compare with."""
    return started(Nowhere(), **settings)


def test_a_whole_game(store: Store, keeper: Keeper) -> None:
    game = started(store, against="random", coach=Coach.warn)
    for slot in (2, 4, 1, 3):
        assert list(store.unfinished()) == []
        game.place(slot)
    game.finish()
    assert game.trouble is None
    assert keeper.finished(store) == [game.record]
    assert list(store.unfinished()) == []
    assert "date" in game.record.tags


def test_a_game_that_is_left_goes_on_as_it_would_have(store: Store, keeper: Keeper, path: Path) -> None:
    whole = unkept(against="random")
    game = started(store, against="random")
    for slot in (2, 4, 1, 3):
        whole.place(slot)
        game.place(slot)
        game.leave()
        store = keeper.open(path)
        for kept, _ in unfinished_games(store):
            assert kept.lock()
            game = GameInPlay.resumed(kept, store)
            game.begin()
    assert game.record == whole.record
    assert unfinished_games(store) == []
    assert [record.board for record in keeper.finished(store)] == [whole.record.board]


PLAYING: Final = """
import os, signal, sys
from pathlib import Path
from tests.play.test_store import KEEPERS, started
game = started(KEEPERS[sys.argv[1]].open(Path(sys.argv[2])), against="random")
game.place(3)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_game_outlives_the_process_that_plays_it(name: str, keeper: Keeper, path: Path) -> None:
    ended = finished((sys.executable, "-c", PLAYING, name, str(path)), cwd=ROOT, env=clean_environment({}))
    assert ended.returncode == -signal.SIGKILL
    store = keeper.open(path)
    [(kept, record)] = unfinished_games(store)
    whole = unkept(against="random")
    whole.place(3)
    assert record == whole.record, "with the roll that waits"
    assert kept.lock(), "its lock ended with the process"
    game = GameInPlay.resumed(kept, store)
    game.begin()
    for slot in (1, 2, 4):
        game.place(slot)
        whole.place(slot)
    game.finish()
    assert [found.board for found in keeper.finished(store)] == [whole.record.board]


@pytest.mark.parametrize("is_added", [False, True])
def test_a_game_that_is_killed_on_its_way_comes_among_the_finished_once(
    keeper: Keeper, path: Path, is_added: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it ends before the game is added or after that, before it is dropped."""
    store = keeper.open(path)
    game = started(store)
    for slot in (2, 4, 1, 3):
        game.place(slot)
    with monkeypatch.context() as patch:
        if is_added:
            patch.setattr(keeper.kept, "drop", keeper.kept.unlock)  # as if killed before that
        else:
            patch.setattr(type(store), "add", no_space)
        game.finish()
    assert (game.trouble is None) == is_added
    store = keeper.open(path)
    for _ in range(2):
        assert unfinished_games(store) == []
        assert keeper.finished(store) == [game.record]


def test_a_store_that_cannot_keep_does_not_stop_the_game(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for method in ("begin", "add"):
        monkeypatch.setattr(type(store), method, no_space)
    game = started(store)
    assert game.trouble == f"No space left on device: {store.place}"
    assert game.is_begun
    for slot in (2, 4, 1, 3):
        game.place(slot)
    game.finish()
    assert game.trouble == f"No space left on device: {store.place}"
    assert game.record.finished
    game.leave()


def test_a_store_that_can_keep_again(store: Store, keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(type(store), "begin", no_space)
        game = started(store)
    assert game.trouble is not None
    game.place(2)
    assert game.trouble is None
    game.leave()
    assert [record for _, record in store.unfinished()] == [game.record]
    assert keeper.finished(store) == []
