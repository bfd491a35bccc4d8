"""A run: what is played, by name, and who finds what a name means."""

import pickle
import sys

import pytest

from tentimes18 import Board, Game, InvalidGame, Ten18Error, named
from tentimes18.simulate.run import Run, verify_seed
from tentimes18.strategies.user_code import find
from tests.support.command import clean_environment
from tests.support.process import finished

CLASSIC = Game.classic()


def test_runs_are_values() -> None:
    run = Run(CLASSIC, ("optimal",), 18)
    assert run == Run(Game.parse("3d6", "1-10"), ("optimal",), 18)
    assert hash(run) == hash(Run(CLASSIC, ("optimal",), 18))
    for other in (Run(CLASSIC, ("optimal",), 19), Run(CLASSIC, ("greedy",), 18), Run(CLASSIC, ("optimal",), 18, find)):
        assert run != other


def test_a_name_is_data_unless_somebody_says_otherwise() -> None:
    assert Run(CLASSIC, ("os:getcwd",), 18).find is named


@pytest.mark.parametrize("finder", [named, find])
def test_a_run_travels_to_other_processes(finder: object) -> None:
    run = Run(CLASSIC, ("optimal", "random"), 18, finder)  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(run)) == run


@pytest.mark.parametrize(
    ("names", "is_duel"),
    [
        (("optimal",), False),
        (("optimal", "greedy"), False),
        (("hunter", "optimal"), True),
        (("optimal", "equilibrium"), True),
        (("optimal", "greedy", "hunter"), True),
        (("Hunter", "duel"), False),
    ],
)
def test_duels(names: tuple[str, ...], is_duel: bool) -> None:
    assert Run(CLASSIC, names, 18).is_duel == is_duel


def test_a_run_is_light() -> None:
    """Whoever only says what is to be played waits for no arrays."""
    program = "import sys, tentimes18.simulate.run; assert not {'numpy', 'numba'} & sys.modules.keys()"
    done = finished((sys.executable, "-c", program), env=clean_environment({}))
    assert (done.returncode, done.stderr) == (0, b"")


def test_boards_to_go_on_from() -> None:
    board, other = Board(CLASSIC).place(8, 5), Board(CLASSIC).place(8, 4)
    run = Run(CLASSIC, ("optimal", "greedy"), 18, boards=(board, other))
    assert (run.board(), run.board(1), run.rounds) == (board, other, 9)
    assert pickle.loads(pickle.dumps(run)) == run != Run(CLASSIC, ("optimal", "greedy"), 18)
    start = Run(CLASSIC, ("optimal",), 18)
    assert (start.board(), start.rounds) == (Board(CLASSIC), 10)


@pytest.mark.parametrize(
    ("moves", "problem"),
    [
        ([[(8, 5)]], "one board of its game for each strategy"),
        ([[(8, 5)], [(8, 5), (4, 1)]], "different numbers of moves"),
        ([[(8, slot) for slot in range(1, 11)]] * 2, "the board is full"),
    ],
)
def test_boards_that_do_not_fit(moves: list[list[tuple[int, int]]], problem: str) -> None:
    boards = tuple(Board.replay(CLASSIC, placements) for placements in moves)
    with pytest.raises(InvalidGame, match=problem) as refused:
        Run(CLASSIC, ("optimal", "greedy"), 18, boards=boards)
    assert refused.value.field == "moves"


def test_a_board_of_another_game() -> None:
    with pytest.raises(InvalidGame, match="one board of its game"):
        Run(CLASSIC, ("optimal",), 18, boards=(Board(Game.parse("1d6", "1-3")),))


@pytest.mark.parametrize("seed", [0, -1, 2**64, 10**100 - 1, 1 - 10**100])
def test_seeds(seed: int) -> None:
    verify_seed(seed)
    assert Run(CLASSIC, ("optimal",), seed).seed == seed


@pytest.mark.parametrize("seed", [10**100, -(10**100), 10**9999], ids=["101 digits", "below zero", "10,000 digits"])
def test_seeds_that_nobody_can_write_down(seed: int) -> None:
    with pytest.raises(Ten18Error, match="integers of up to 100 digits") as refused:
        Run(CLASSIC, ("optimal",), seed)
    assert refused.value.field == "seed"
