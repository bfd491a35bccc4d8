"""Games are kept in the history, whatever ends the program that plays them."""

import signal
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tentimes18.game import Game
from tentimes18.play.game_in_play import GameInPlay, unfinished_games
from tentimes18.play.game_settings import Coach, Settings
from tentimes18.records.formats import Line
from tentimes18.records.history import History, UnfinishedGame
from tentimes18.records.notation import Record
from tests.support.command import clean_environment
from tests.support.process import finished

ROOT: Final = Path(__file__).parents[2]
GAME: Final = Game.parse("1d6", "1-4")


def games_of(history: History) -> list[Record]:
    return [line.record for line in history.games() if isinstance(line, Line)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games"


@pytest.fixture
def history(path: Path) -> History:
    return History(path)


def no_space(*_: object) -> Any:
    raise OSError(28, "No space left on device")


def started(history: History, seed: int = 18, **settings: Any) -> GameInPlay:
    game = GameInPlay(Settings(GAME, seed, **settings), history)
    game.prepare()
    game.begin()
    return game


def unkept(**settings: Any) -> GameInPlay:
    """The same game in a folder that cannot be made, to compare with."""
    return started(History(Path("/dev/null/nowhere")), **settings)


def test_a_whole_game(history: History) -> None:
    game = started(history, against="random", coach=Coach.warn)
    for slot in (2, 4, 1, 3):
        assert history.unfinished() == []
        game.place(slot)
    game.finish()
    assert game.trouble is None
    assert games_of(history) == [game.record]
    assert history.unfinished() == []
    assert "date" in game.record.tags


def test_a_game_that_is_left_goes_on_as_it_would_have(history: History, path: Path) -> None:
    whole = unkept(against="random")
    game = started(history, against="random")
    for slot in (2, 4, 1, 3):
        whole.place(slot)
        game.place(slot)
        game.leave()
        history = History(path)
        for kept, _ in unfinished_games(history):
            assert kept.lock()
            game = GameInPlay.resumed(kept, history)
            game.begin()
    assert game.record == whole.record
    assert unfinished_games(history) == []
    assert [record.board for record in games_of(history)] == [whole.record.board]


PLAYING: Final = """
import os, signal, sys
from pathlib import Path
from tentimes18.records.history import History
from tests.play.test_kept_games import started
game = started(History(Path(sys.argv[1])), against="random")
game.place(3)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_game_outlives_the_process_that_plays_it(path: Path) -> None:
    ended = finished((sys.executable, "-c", PLAYING, str(path)), cwd=ROOT, env=clean_environment({}))
    assert ended.returncode == -signal.SIGKILL
    history = History(path)
    [(kept, record)] = unfinished_games(history)
    whole = unkept(against="random")
    whole.place(3)
    assert record == whole.record, "with the roll that waits"
    assert kept.lock(), "its lock ended with the process"
    game = GameInPlay.resumed(kept, history)
    game.begin()
    for slot in (1, 2, 4):
        game.place(slot)
        whole.place(slot)
    game.finish()
    assert [found.board for found in games_of(history)] == [whole.record.board]


@pytest.mark.parametrize("is_added", [False, True])
def test_a_game_that_is_killed_on_its_way_comes_among_the_finished_once(
    path: Path, is_added: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it ends before the game is added or after that, before it is dropped."""
    history = History(path)
    game = started(history)
    for slot in (2, 4, 1, 3):
        game.place(slot)
    with monkeypatch.context() as patch:
        if is_added:
            patch.setattr(UnfinishedGame, "drop", UnfinishedGame.unlock)  # as if killed before that
        else:
            patch.setattr(History, "add", no_space)
        game.finish()
    assert (game.trouble is None) == is_added
    history = History(path)
    for _ in range(2):
        assert unfinished_games(history) == []
        assert games_of(history) == [game.record]


def test_a_folder_that_cannot_be_written_does_not_stop_the_game(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    for method in ("begin", "add"):
        monkeypatch.setattr(History, method, no_space)
    game = started(history)
    assert game.trouble == f"No space left on device: {history.folder}"
    assert game.is_begun
    for slot in (2, 4, 1, 3):
        game.place(slot)
    game.finish()
    assert game.trouble == f"No space left on device: {history.folder}"
    assert game.record.finished
    game.leave()


def test_a_folder_that_can_be_written_again(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(History, "begin", no_space)
        game = started(history)
    assert game.trouble is not None
    game.place(2)
    assert game.trouble is None
    game.leave()
    assert [record for _, record in history.unfinished()] == [game.record]
    assert games_of(history) == []
