"""A game in play: its rolls, what is computed for it, and what it does without."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tentimes18.errors import IllegalMove
from tentimes18.game import Game
from tentimes18.play.game_in_play import Coach, GameInPlay, Settings
from tentimes18.records.history import History
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.run import Run

GAME = Game.parse("1d6", "1-4")


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path)


Begin: TypeAlias = Callable[[Settings], GameInPlay]


@pytest.fixture
def begin(history: History) -> Iterator[Begin]:
    """A game in the history that begins now, and is left at the end."""
    with ExitStack() as stack:

        def begun(settings: Settings) -> GameInPlay:
            game = GameInPlay(settings, history)
            stack.callback(game.leave)
            game.begin()
            return game

        yield begun


def test_the_rolls_are_those_of_the_seed_and_the_game(begin: Begin) -> None:
    for number in (0, 3):
        game = begin(Settings(GAME, seed=18, number=number))
        rolls = []
        while not game.record.finished:
            assert game.record.roll is not None
            rolls.append(game.record.roll)
            game.place(game.record.board.free_slots[0])
        assert rolls == drawn_rolls(Run(GAME, ("optimal",), 18), number, 1)[0]


def test_nobody_chooses_the_rolls_of_a_seed(begin: Begin) -> None:
    game = begin(Settings(GAME, seed=18))
    rolled = game.record
    with pytest.raises(IllegalMove):
        game.roll(6)
    with pytest.raises(IllegalMove):
        game.take_roll_back()
    assert game.record == rolled


def test_without_a_roll_nothing_is_placed_or_advised(begin: Begin) -> None:
    game = begin(Settings(GAME, seed=18))
    for slot in (1, 2, 3, 4):
        game.place(slot)
    own = begin(Settings(GAME, seed=18, own_dice=True))
    for waiting in (game, own):
        with pytest.raises(IllegalMove, match="there is no roll to place"):
            waiting.place(1)
        with pytest.raises(IllegalMove, match="there is no roll to place"):
            waiting.advice()
    with pytest.raises(IllegalMove, match="no roll is asked for"):
        game.roll(5)


def test_the_faces_of_a_roll_are_always_the_same(history: History, begin: Begin) -> None:
    assert GameInPlay(Settings(Game.classic(), seed=18), history).faces == (), "nothing is rolled yet"
    game = begin(Settings(Game.classic(), seed=18))
    assert game.record.roll == sum(game.faces)
    game.leave()
    [(kept, _)] = history.unfinished()
    assert GameInPlay.resumed(kept, history).faces == game.faces
    before = game.faces
    game.place(1)
    assert sum(game.faces) == game.record.roll
    assert before != game.faces


def test_a_game_that_goes_on_may_get_another_coach(history: History, begin: Begin) -> None:
    game = begin(Settings(GAME, seed=18, name="Ada"))
    game.place(2)
    game.leave()
    [(kept, _)] = history.unfinished()
    again = GameInPlay.resumed(kept, history, coach=Coach.full, aim="target:40")
    assert again.settings == Settings(GAME, seed=18, name="Ada", coach=Coach.full, aim="target:40")
    assert again.record.tags["coach"] == "full"
    assert again.record.board == game.record.board
    assert again.aim.name == "target:40"


PRACTICE: list[dict[str, Any]] = [
    {"coach": Coach.warn},
    {"coach": Coach.full},
    {"practice": True},
    {"practice": True, "against": "random"},
    {"coach": Coach.full, "against": "equilibrium"},
]


def state_of(game: GameInPlay) -> tuple[Any, ...]:
    """The state of the game, without its tags."""
    return game.record.board, game.record.opponent, game.record.roll


@pytest.mark.parametrize("practice", PRACTICE, ids=str)
def test_a_move_is_taken_back(practice: dict[str, Any], begin: Begin) -> None:
    """Down to the empty board and up again: the same rolls, and the opponent's moves of each round with them."""
    game = begin(Settings(GAME, seed=18, **practice))
    states = []
    for slot in (3, 1, 4):
        states.append(state_of(game))
        game.place(slot)
    for state in reversed(states):
        game.take_back()
        assert state_of(game) == state
    assert game.takebacks == game.record.tags["takebacks"] == 3
    with pytest.raises(IllegalMove, match="no move to take back"):
        game.take_back()
    for state, slot in zip(states, (3, 1, 4), strict=True):
        assert state_of(game) == state
        game.place(slot)


def test_own_dice_are_not_rolled_again(history: History, begin: Begin) -> None:
    game = begin(Settings(GAME, seed=0, own_dice=True, coach=Coach.off))
    for roll, slot in ((6, 4), (1, 1)):
        game.roll(roll)
        game.place(slot)
    game.roll(3)
    game.take_back()
    game.take_back()
    assert (game.record.roll, game.record.tags["rolled"]) == (6, {"2": 1, "3": 3})
    game.leave()
    [(kept, _)] = history.unfinished()
    game = GameInPlay.resumed(kept, history)
    game.begin()
    for roll, slot in ((6, 2), (1, 4)):
        assert game.record.roll == roll
        game.place(slot)
    assert game.record.roll == 3
    assert "rolled" not in game.record.tags
    game.take_roll_back()  # a slip is still put right
    assert game.needs_roll
    game.roll(5)
    game.place(1)
    assert game.needs_roll, "of the last round nothing is known"
    game.leave()


def test_a_roll_that_is_typed_again_replaces_no_other(begin: Begin) -> None:
    game = begin(Settings(GAME, seed=0, own_dice=True))
    for roll, slot in ((6, 4), (1, 1)):
        game.roll(roll)
        game.place(slot)
    game.take_back()
    game.take_back()
    game.take_roll_back()
    game.begin()
    assert game.needs_roll, "the roll of the second round waits for the second round"
    game.roll(5)
    game.place(4)
    assert game.record.roll == 1


def test_a_finished_game_cannot_change(history: History, begin: Begin) -> None:
    """It is in the history: taking a move back would put it there twice."""
    game = begin(Settings(GAME, seed=18, practice=True))
    for slot in (1, 2, 3, 4):
        game.place(slot)
    game.finish()
    record = game.record
    with pytest.raises(IllegalMove, match="the game is finished"):
        game.take_back()
    assert game.record == record
    assert len(list(history.games())) == 1
