"""The compiled players against play on a board: the same rolls, the same score, game by game."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from tentimes18 import Board, Game, TooLarge, play_game
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.games import count_games
from tentimes18.simulate.players import is_fast, played_boards
from tentimes18.simulate.run import Run
from tentimes18.strategies.user_code import find
from tests.oracle import drawing
from tests.support.games import games
from tests.support.simulated import MINE, kernel_scores, middle

GAMES = [
    ("3d6", "1-10"),
    ("2d12:12=2", "1-5"),
    ("d{1,1,2,3,5,8}", "1,3,5,7,9"),
    ("1d6-3", "-2,0,0,1/2,3"),
    ("d{-7,-2,0,5}", "-3,-3,-1/2,2.5,2.5"),
    ("d{-1,1}", "1-6"),
    ("d{7}", "1-4"),
    ("3d6", "4"),
    ("d300", "1-4"),
    ("100d6", "1,2,4"),
    ("d{0,10}:0=3", "1-8"),
]
TABLES = ["optimal", "nearest", "bands", "greedy"]
OBJECTIVES = ["quantile:0.5", "cvar:0.25", "utility:exp:0.01"]


def assert_plays_as_on_a_board(game: Game, names: Sequence[str], size: int, first: int = 0, seed: int = 18) -> None:
    run = Run(game, tuple(names), seed, find=find)
    rolls = drawn_rolls(run, first, size)
    for name, scores in zip(names, kernel_scores(run, first, size), strict=True):
        strategy = find(name)
        assert scores == [play_game(game, strategy, sequence).score for sequence in rolls], name


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_games(dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    objectives = OBJECTIVES if game.size < 6 and len(game.dice.support) < 30 else []
    assert_plays_as_on_a_board(game, [*TABLES, "hindsight", middle(game), *objectives, MINE], 40)


@given(games(max_slots=5, max_rolls=5))
@settings(max_examples=15)
def test_any_game(game: Game) -> None:
    assert_plays_as_on_a_board(game, [*TABLES, "hindsight", middle(game), "cvar:0.5", MINE], 12, first=1000)


@pytest.mark.parametrize(
    ("dice", "slots"),
    [
        ("3d6", "1-16"),
        ("3d6", "1-17"),
        ("1d6-3", "-3,-3,-1,0,0,0,1/2,1/2,1,1,1,2,2,3,3,4.5,5,5,6"),
        ("100d6", "1-17"),
        ("d{-1,1}", "1-70"),
    ],
)
def test_optimal_on_many_slots(dice: str, slots: str) -> None:
    """A table of free sets for up to 16 slots; for more of them the rank among the free slots."""
    assert_plays_as_on_a_board(Game.parse(dice, slots), ["optimal"], 60)


@pytest.mark.parametrize(
    ("dice", "slots"),
    [
        ("1d6", "1-254"),
        ("1d6", "1-256"),
        ("1d6-3", "-150-149"),
        ("d300", "1-300"),
        # Most games roll 0 in every slot: the counters of rolls up to 0 reach the number of slots.
        ("d{0,1}:0=1000", "1-255"),
        ("d{0,1}:0=1000", "1-256"),
        # More rolls than one word has counters, and exactly as many.
        *((f"d{sides}", "1-6") for sides in (7, 8, 9, 16, 17)),
    ],
)
def test_hindsight_counts_rolls(dice: str, slots: str) -> None:
    """Eight counters of a byte in a word for less than 256 slots, and two of 32 bits for more."""
    game = Game.parse(dice, slots)
    run = Run(game, ("hindsight",), 18, find=find)
    (scores,) = kernel_scores(run, 0, 50)
    for score, rolls in zip(scores, drawn_rolls(run, 0, 50), strict=True):
        assert score == sum(multiplier * roll for multiplier, roll in zip(game.multipliers, sorted(rolls), strict=True))


@pytest.mark.parametrize(("dice", "slots"), [*GAMES[:4], ("3d6", "1-20"), ("1d6", "1-300"), ("d{-1,1}", "1-13")])
def test_random_takes_the_slots_of_the_twin(dice: str, slots: str) -> None:
    """The board rejects a slot that is taken, so the slots of the twin are legal."""
    game = Game.parse(dice, slots)
    run = Run(game, ("random",), 1987)
    for first in (0, 10**9):
        (scores,) = kernel_scores(run, first, 30)
        for number, (score, rolls) in enumerate(zip(scores, drawn_rolls(run, first, 30), strict=True), start=first):
            taken = drawing.random_slots(game.size, run.seed, number)
            assert score == Board.replay(game, zip(rolls, taken, strict=True)).score


@pytest.mark.parametrize("name", ["nearest", "bands", "greedy"])
def test_rules_need_a_table(name: str) -> None:
    with pytest.raises(TooLarge, match=r"at most 16 slots"):
        count_games(Run(Game.parse("3d6", "1-17"), (name,), 18, find=find), 0, 1)


def test_more_scores_than_can_be_counted() -> None:
    with pytest.raises(TooLarge, match=r"^slots: counting the scores on 2 slots needs [\d.]+ GB"):
        count_games(Run(Game.parse("d{0,1,300000000}", "1,2"), ("optimal",), 18, find=find), 0, 1)


class Outsider:
    """A strategy of a class without a kernel."""

    name = "outsider"

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        return board.free_slots[0]


def test_a_strategy_without_a_kernel_plays_board_by_board() -> None:
    run = Run(Game.parse("1d6-3", "-2,0,0,1/2,3"), ("outsider",), 18, find=lambda _: Outsider())
    assert not is_fast(run)
    (scores,) = kernel_scores(run, 0, 50)
    assert scores == [play_game(run.game, Outsider(), rolls).score for rolls in drawn_rolls(run, 0, 50)]


@pytest.mark.parametrize("name", ["random", "optimal", "hindsight", "target:20", MINE])
def test_boards_are_those_that_are_counted(name: str) -> None:
    run = Run(Game.parse("1d6", "1-4"), (name,), 18, find=find)
    (scores,) = kernel_scores(run, 7, 40)
    boards = list(played_boards(run, 7, 40))
    assert [board.score for board in boards] == scores
    assert [[move.roll for move in board.placements] for board in boards] == drawn_rolls(run, 7, 40)
