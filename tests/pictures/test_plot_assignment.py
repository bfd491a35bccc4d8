"""Pictures of assignment show the thresholds, the prices and the values of the plan."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from tentimes18.assignment import Endless, Poisson, Problem, UniformDistribution, multisecretary
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.pictures.plot_assignment import plot_bounds, plot_prices, plot_regret, plot_worth

UNIFORM = UniformDistribution(0, 1)


def lines_of(figure: Figure) -> list[tuple[list[float], list[float]]]:
    return [
        (np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist()) for line in figure.axes[0].lines
    ]


def names_in(figure: Figure) -> set[str]:
    return {text.get_text() for text in figure.axes[0].texts}


def test_equal_slots_have_a_line_for_each_number_left() -> None:
    problem = Problem(UNIFORM, 3, 12)
    plan = problem.solve()
    figure = plot_bounds(problem, "uniform")
    lines = lines_of(figure)
    assert len(lines) == 3
    for lefts, heights in lines:
        assert lefts == list(range(11, -1, -1))
        place = min(range(3), key=lambda i: abs(plan.thresholds(left=11)[i] - heights[0]))
        assert heights == pytest.approx([plan.thresholds(left=int(left))[place] for left in lefts])
    assert {"1 slot left", "2 left", "3 left"} <= names_in(figure)


def test_other_slots_have_bands() -> None:
    problem = Problem(Dice.parse("3d6"), [1, 2, 5], 20)
    figure = plot_bounds(problem, "3d6")
    assert {"rejected", "slot 3, ×5"} <= names_in(figure)
    edges = [heights[0] for _, heights in lines_of(figure)]
    assert edges == pytest.approx(problem.solve().thresholds(left=19))


def test_prices() -> None:
    problem = Problem(UNIFORM, [1, 3], 6)
    firsts = sorted(heights[0] for _, heights in lines_of(plot_prices(problem, "uniform")))
    assert firsts == pytest.approx(problem.solve().prices(left=5))
    equal = plot_prices(Problem(UNIFORM, [2, 2], 6), "uniform")
    most = max(heights[0] for _, heights in lines_of(equal))
    assert most == pytest.approx(Problem(UNIFORM, [2], 6).solve().prices(left=5)[0])


def test_prices_of_a_seller() -> None:
    problem = Problem(UNIFORM, 4, 8, revenue=True)
    plan = problem.solve()
    firsts = sorted(heights[0] for _, heights in lines_of(plot_prices(problem, "uniform")))
    prices = [plan.prices(left=7, free=range(1, count + 1))[0] for count in (4, 3, 2, 1)]
    assert firsts == pytest.approx(prices)
    assert firsts[0] > 0.5, "nobody sells below what one buyer alone is asked for"
    with pytest.raises(Ten18Error) as error:
        plot_bounds(problem, "uniform")
    assert error.value.field == "revenue"


def test_many_slots_and_arrivals() -> None:
    figure = plot_bounds(Problem(UNIFORM, 40, 5000), "uniform")
    assert "1 slot left" in names_in(figure)
    assert len(lines_of(figure)) < 12


def test_a_deadline_goes_with_time() -> None:
    problem = Problem(UNIFORM, 2, Poisson([(0, 1.0), (2, 9.0)], 4))
    figure = plot_bounds(problem, "uniform")
    passed, heights = lines_of(figure)[0]
    assert (passed[0], passed[-1]) == (0, 4)
    assert heights[-1] == 0
    assert heights[0] > heights[len(heights) // 2]


@pytest.mark.parametrize("revenue", [False, True])
def test_worths(revenue: bool) -> None:
    problem = Problem(UNIFORM, 2, 9, revenue=revenue)
    figure = plot_worth(problem, "uniform")
    (numbers, known), (_, best) = lines_of(figure)
    assert numbers == list(range(1, 10))
    plan = problem.solve()
    assert (best[-1], known[-1]) == pytest.approx((plan.value, plan.hindsight))
    assert names_in(figure) >= {"hindsight", "best play"}


def test_problems_without_a_picture() -> None:
    endless = Problem(UNIFORM, 1, Endless(), discount=0.5)
    for draw in (plot_bounds, plot_prices, plot_worth):
        with pytest.raises(Ten18Error) as error:
            draw(endless, "uniform")
        assert error.value.field == "arrivals"
    for seen in (Problem(UNIFORM, 2, 6, batches=2), Problem(UNIFORM, 2, 6, ahead=1)):
        with pytest.raises(Ten18Error, match="one by one"):
            plot_worth(seen, "uniform")
    with pytest.raises(Ten18Error, match="no prices"):
        plot_prices(Problem(UNIFORM, 2, 5, must_fill=True), "uniform")


def test_lines_of_regret() -> None:
    figure = plot_regret(UNIFORM, 400, "uniform")
    tops = [float(np.max(np.asarray(line.get_ydata()))) for line in figure.axes[0].lines]
    assert tops == pytest.approx([float(multisecretary(UNIFORM, n).regret.max()) for n in (400, 40)])
    assert plot_regret(UNIFORM, 1, "uniform").texts[0].get_text() == "Not knowing 1 value costs nothing"
    assert {"400 arrivals", "40 arrivals"} <= {name.partition(":")[0] for name in names_in(figure)}
