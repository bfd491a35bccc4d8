"""A run: what is played, by name, and who finds what a name means."""

import pickle
import sys

import pytest

from tentimes18 import Game, named
from tentimes18.simulate.run import Run
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
