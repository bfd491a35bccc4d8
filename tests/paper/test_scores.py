"""Sections 7 and 8: they compute from the game that they are given, and an explanation needs its proof."""

import pytest

from tentimes18 import Game
from tentimes18.paper.scores import important_scores, knowing_the_future, simulations
from tests.support.paper import differing


@pytest.mark.parametrize(
    ("section", "game", "slip"),
    [
        # With multipliers of sum 50 the smallest score is 150, in bin 15.
        (simulations, "3d6 1-9,5", "bins of ten, first n"),
        # With other multipliers ten rolls of 3 are not worth 165.
        (knowing_the_future, "3d6 1-9,11", "Q[y, l]"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_proof_can_fail(section: object, game: str, slip: str) -> None:
    """In a game where the explanation does not hold, it is not given."""
    assert slip in differing(section, game)
    assert slip not in differing(section, "3d6 1-10")


def test_averages_are_judged_by_their_error() -> None:
    """A million games whose mean is off by a tenth of a point would not be taken for those of this game."""
    assert differing(simulations, "3d6 1-10") == set()
    found = differing(simulations, "d{3,18}:3=100,18=101 1-10")
    assert {"optimal, average of 10^6 games", "hindsight, average of 10^6 games"} <= found


def test_the_important_scores() -> None:
    assert differing(important_scores, "3d6 1-10") == set()
    assert len(differing(important_scores, "3d6 1-9,11")) == len(list(important_scores(Game.classic())))
