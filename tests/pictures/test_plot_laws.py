"""Laws as lines: cumulative ones climb from 0 to 1, middles are named, names stand clear of each other."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.pictures.plot_scores import MAX_LAWS, distinct_names, half_title, lines_of, plot_scores
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.named import named

CLASSIC = Game.classic()
USUAL = ("random", "optimal", "hindsight")


def test_cumulative_lines_are_exact() -> None:
    figure = plot_scores(CLASSIC, simulated=0, cumulative=True)
    for name in USUAL:
        law = named(name).distribution(Board(CLASSIC))
        drawn = next(line for line in figure.axes[0].lines if line.get_label() == name)
        pairs = list(zip(np.asarray(drawn.get_xdata()).tolist(), np.asarray(drawn.get_ydata()).tolist(), strict=True))
        assert all(share == float(law.at_most(int(score))) for score, share in pairs)
        assert all(low <= high for (_, low), (_, high) in pairwise(pairs))
        assert pairs[0][1] < 0.001
        assert pairs[-1][1] > 0.999
        middle = next(line for line in figure.axes[0].lines if line.get_label() == f"{name}, median")
        assert next(iter(np.asarray(middle.get_xdata()).tolist())) == law.median
    assert figure.axes[0].get_ylabel() == "games that end at this score or less"


def test_a_small_law_has_dots_or_steps() -> None:
    """There is nothing between the scores of a few coins."""
    game = Game.parse("d{1,2}", "1-3")
    dots = plot_scores(game, ("optimal",), simulated=0).axes[0].lines[0]
    held: Any = dots.get_markevery()
    assert [np.asarray(dots.get_xdata()).tolist()[place] for place in held] == [6, 9, 11, 12]
    assert (
        plot_scores(game, ("optimal",), simulated=0, cumulative=True).axes[0].lines[0].get_drawstyle() == "steps-post"
    )


@pytest.mark.parametrize(
    ("medians", "says"),
    [
        ([5], "Half of the games end at 5 or less with a"),
        ([7, 5], "Half of the games end at 5 or less with b, 7 with a"),
        ([5, 5], "Half of the games end at 5 or less with each of them"),
        ([3, 1, 2, 4], "Half of the games end at 1 or less with b, 4 with d"),
    ],
)
def test_where_half_end(medians: list[int], says: str) -> None:
    laws = {name: ScoreDistribution((median,), (1,), 1) for name, median in zip("abcd", medians, strict=False)}
    assert half_title(laws, "games", "end at {} or less") == says


def test_lines_and_names() -> None:
    assert distinct_names(["b", "a", "b"], "x") == ("b", "a")
    for names in ([], [str(k) for k in range(MAX_LAWS + 1)]):
        with pytest.raises(Ten18Error, match="are drawn"):
            distinct_names(names, "x")
    lines = lines_of("abcdef", {"b": ("red", "-")})
    assert lines["b"] == ("red", "-")
    assert len(set(lines.values())) == 6
