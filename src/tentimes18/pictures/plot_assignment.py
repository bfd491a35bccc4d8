"""Pictures of sequential assignment: thresholds and prices over time, the value by arrivals, regret by slots."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tentimes18.assignment import (
    Comparison,
    Endless,
    Poisson,
    Policy,
    Problem,
    RandomNumber,
    ValueDistribution,
    multisecretary,
)
from tentimes18.errors import Ten18Error
from tentimes18.number_format import counted, listed, points, span, times
from tentimes18.pictures.colours import FELT, INK, LUCK, SUNK, WHITE, tint
from tentimes18.pictures.plot_style import Labels, canvas, cell_size, round_ones, styled, whole_ticks

STEPS = 400  # along an axis
NUMBERS = 40  # of arrivals for which the picture of values is solved
MAX_BANDS = 12
FEW_SLOTS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
NAME_PLACE = 0.07  # of a name on its line, from the left
NAME_SPACE = 13.0  # points between two names
NAMES: dict[str, Any] = {"fontsize": 8.5, "fontweight": "bold"}
DARKER = 0.62
LIGHTEST = 0.25  # of the tints that lines have
SPACE_BELOW, SPACE_ABOVE = 0.4, 0.3  # beyond the thresholds, as a share of their spread
MAX_STEPS = 80  # arrivals that are drawn one by one
POINTS = 600  # of a line
LEAST = 10  # arrivals of a line
UP = (90, 60, 120, 45, 135)


@styled
def plot_bounds(problem: Problem, named: str) -> Figure:
    """Which value goes where, by the arrivals still to come; ``named`` is the name of the distribution.

    >>> from tentimes18.assignment import UniformDistribution
    >>> plot_bounds(Problem(UniformDistribution(0, 1), [1, 2, 5], 20), "uniform(0, 1)").texts[0].get_text()
    'The first must exceed 0.816; for the best slot, 0.916'
    """
    if problem.revenue:
        raise Ten18Error("problems of revenue have prices instead of thresholds; draw prices", "revenue")
    plan, times_, lefts = _course(problem)
    order, n = _by_multiplier(problem), len(problem.multipliers)
    rows = [[row[place] for place in order] for row in map(plan.row, lefts)]
    title = f"The first must exceed {_points(rows[0][0])}"
    if _are_equal(problem):
        title += f"; with one slot left, {_points(rows[0][-1])}" if n > 1 else ""
        text = "what a value must exceed, by the number of free slots"
        figure, axes = _timed(problem, named, title, text, "value that is taken", times_)
        _by_free_slots(axes, times_, {count: [float(row[n - count]) for row in rows] for count in _counts(n)})
        return figure
    title += f"; for the best slot, {_points(rows[0][-1])}"
    figure, axes = _timed(problem, named, title, "which slot a value goes to while all are free", "value", times_)
    _bands(axes, times_, rows, problem)
    return figure


@styled
def plot_prices(problem: Problem, named: str) -> Figure:
    """The prices of slots, by the arrivals still to come."""
    if problem.must_fill:
        raise Ten18Error("slots that must be filled by every arrival have no prices", "must_fill")
    plan, times_, lefts = _course(problem)
    n = len(plan.multipliers)
    if _are_equal(problem):
        rows = plan.price_table(lefts)
        prices = {count: [row[count - 1] for row in rows] for count in _counts(n)}
        title = f"The first of {n:,} costs {_points(prices[n][0])} at the beginning"
        title += f", the last one {_points(prices[1][0])}" if n > 1 else ""
        figure, axes = _timed(problem, named, title, "the price of a slot, by how many are left", "price", times_)
        _by_free_slots(axes, times_, prices)
        return figure
    order = _by_multiplier(problem)
    rows = [[row[place] for place in order] for row in plan.price_rows(lefts)]
    title = f"At the beginning slots cost {_points(rows[0][0])} to {_points(rows[0][-1])}"
    figure, axes = _timed(problem, named, title, "the price of each slot while all are free", "price", times_)
    shown = range(n) if n <= MAX_BANDS else [round(step * (n - 1) / 5) for step in range(6)]
    names = {place: f"slot {order[place] + 1}, {times(Fraction(plan.multipliers[order[place]]))}" for place in shown}
    lines = [(place / max(1, n - 1), name, [row[place] for row in rows]) for place, name in names.items()]
    _lines(axes, times_, lines)
    return figure


@styled
def plot_worth(problem: Problem, named: str) -> Figure:
    """The values of the best play and of hindsight, by the number of arrivals."""
    most = problem.arrivals
    if not isinstance(most, int) or len(problem.distributions) > 1:
        raise Ten18Error("a picture of worths needs one distribution and a number of arrivals", "arrivals")
    if problem.batches is not None or problem.ahead:
        raise Ten18Error("a picture of worths needs arrivals that are seen one by one", "arrivals")
    least = len(problem.multipliers) if problem.must_fill else 1
    numbers = sorted({round(least + (most - least) * step / (NUMBERS - 1)) for step in range(NUMBERS)})
    options: dict[str, Any] = {"discount": problem.discount, "chance": problem.chance}
    options |= {"must_fill": problem.must_fill, "revenue": problem.revenue}
    plans = [Problem(problem.distributions[0], problem.multipliers, number, **options).solve() for number in numbers]
    best, known = [float(plan.value) for plan in plans], [float(plan.hindsight) for plan in plans]
    title = f"{counted(most, 'arrival')} are worth {_points(best[-1])}; known beforehand, {_points(known[-1])}"
    figure, axes = canvas(title, f"{_slots(problem)}, values {named}: expected worth by the number of arrivals")
    style: dict[str, Any] = {"linewidth": 1.6, "clip_on": False}
    axes.fill_between(numbers, best, known, color=LUCK, alpha=0.2, linewidth=0)
    axes.plot(numbers, known, color=LUCK, **style)
    axes.plot(numbers, best, color=FELT, **style)
    axes.set(xlabel="arrivals", ylabel="worth", ylim=(min(0.0, *best), 1.05 * max(known)))
    axes.margins(x=0.01)
    axes.grid(axis="y")
    axes.xaxis.set_major_locator(whole_ticks())
    labels = Labels(axes)
    place = len(numbers) // 2
    for line in (best, known):
        labels.avoid_line(list(zip(numbers, line, strict=True)))
    labels.add(numbers[place], known[place], "hindsight", (135, 120, 90, 150), color=LUCK, fontweight="bold")
    labels.add(numbers[place], best[place], "best play", (315, 300, 270, 330), color=FELT, fontweight="bold")
    labels.draw()
    return figure


def plot_problem(problem: Problem, kind: str, named: str | None = None) -> Figure:
    """Thresholds, value or prices, as `ten18 plot assign` draws them."""
    kinds = {"thresholds": plot_bounds, "value": plot_worth, "prices": plot_prices}
    if kind not in kinds:
        raise Ten18Error(f"accepted: {', '.join(kinds)}", "kind", kind)
    return kinds[kind](problem, named or str(problem.distributions[0]))


@styled
def plot_comparison(comparison: Comparison) -> Figure:
    """What each rule makes, as a share of hindsight."""
    rows = [row for row in comparison.rows() if row[0] not in ("hindsight", "fluid bound")][::-1]
    name, value, *_ = rows[-1]
    figure, axes = canvas(f"The best, {name}, makes {_points(value)}", "what each rule makes, as a share of hindsight")
    shares = [100 * row[3] for row in rows]
    colours = [FELT if row[0] == "optimal" else LUCK for row in rows]
    axes.barh(range(len(rows)), shares, color=colours, height=0.6)
    axes.set_yticks([])
    axes.set(xlabel="% of hindsight", xlim=(0, 112))
    for place, (row, share) in enumerate(zip(rows, shares, strict=True)):
        inside = share > 45
        axes.text(max(share, 0) + 1, place, _points(row[1]) + ("" if inside else f", {row[0]}"), va="center", **NAMES)
        if inside:
            axes.text(1, place, row[0], va="center", color=WHITE, **NAMES)
    axes.grid(axis="x")
    return figure


def _course(problem: Problem) -> tuple[Policy[float], list[float], list[Any]]:
    """The plan, the places on the axis, and the arrivals or the time still to come there."""
    arrivals = problem.arrivals
    if isinstance(arrivals, Endless):
        raise Ten18Error("endless arrivals do not change with time: there is nothing to draw", "arrivals")
    plan = problem.solve()
    if isinstance(arrivals, Poisson):
        until = float(arrivals.until)
        passed = [until * step / STEPS for step in range(STEPS + 1)]
        return plan, passed, [until - time for time in passed]
    rounds = arrivals.most if isinstance(arrivals, RandomNumber) else arrivals
    last = len(problem.multipliers) - 1 if problem.must_fill else 0
    lefts = sorted({round((rounds - 1) * step / STEPS) for step in range(STEPS + 1)}, reverse=True)
    shown = [left for left in lefts if left >= last] or [rounds - 1]
    return plan, [float(left) for left in shown], shown


def _by_multiplier(problem: Problem) -> list[int]:
    """The places of the slots, by increasing multiplier."""
    return sorted(range(len(problem.multipliers)), key=problem.multipliers.__getitem__)


def _are_equal(problem: Problem) -> bool:
    return len(set(problem.multipliers)) == 1


def _slots(problem: Problem) -> str:
    n = len(problem.multipliers)
    if _are_equal(problem):
        return counted(n, "slot")
    return f"{n:,} slots, {times(Fraction(min(problem.multipliers)))} to {times(Fraction(max(problem.multipliers)))}"


def _timed(
    problem: Problem, named: str, title: str, text: str, ylabel: str, times_: Sequence[float]
) -> tuple[Figure, Axes]:
    """A figure and its axes, with the times below them."""
    figure, axes = canvas(title, f"{_slots(problem)}, values {named}: {text}")
    axes.set(ylabel=ylabel, xlim=(times_[0], times_[-1]))
    if isinstance(problem.arrivals, Poisson):
        until = float(problem.arrivals.until)
        axes.set_xlabel("time, from the beginning to the deadline")
        ticks = MaxNLocator(nbins=8, steps=[1, 2, 3, 5, 6, 10]).tick_values(0, until)
        axes.set_xticks([*(tick for tick in ticks if 0 <= tick < 0.95 * until), until])
    else:
        axes.set_xlabel("arrivals still to come")
        numbers = range(round(min(axes.get_xlim())), round(max(axes.get_xlim())) + 1)
        axes.set_xticks([numbers[place] for place in round_ones(numbers, 8)])
    return figure, axes


def _points(value: Any) -> str:
    return points(Fraction(float(value)))


def _counts(n: int) -> list[int]:
    """The numbers of free slots that have a line."""
    return list(range(1, n + 1)) if n <= MAX_BANDS else sorted({count for count in FEW_SLOTS if count < n} | {n})


def _by_free_slots(axes: Axes, times_: Sequence[float], heights: Mapping[int, Sequence[float]]) -> None:
    """Equal slots: one line for each number of free slots."""
    steps = max(1, len(heights) - 1)
    names = {count: "1 slot left" if count == 1 else f"{count:,} left" for count in sorted(heights)}
    lines = [(1 - place / steps, name, heights[count]) for place, (count, name) in enumerate(names.items())]
    _lines(axes, times_, lines)


def _lines(axes: Axes, times_: Sequence[float], lines: Sequence[tuple[float, str, Sequence[float]]]) -> None:
    """Draw lines: each has a shade from 0 to 1, a name, which is written where it fits, and heights."""
    low = min(0.0, *(min(heights) for _, _, heights in lines))
    high = max(max(heights) for _, _, heights in lines) * 1.07
    axes.set(ylim=(low, high))
    _, height = cell_size(axes, 1, high - low)
    at = round(NAME_PLACE * (len(times_) - 1))
    taken: list[float] = []
    for shade, name, heights in sorted(lines, key=lambda line: line[0] not in (0.0, 1.0)):
        colour = _line_colour(shade)
        axes.plot(times_, heights, color=colour, linewidth=1.6, zorder=2, drawstyle=_steps(times_))
        if all(abs(heights[at] - other) * height > NAME_SPACE for other in taken):
            taken.append(heights[at])
            axes.annotate(name, (times_[at], heights[at]), (0, 4), textcoords="offset points", color=colour, **NAMES)
    axes.grid(axis="y")


def _steps(times_: Sequence[float]) -> str:
    """The style of a line: in steps where the arrivals are few, else straight."""
    return "steps-mid" if len(times_) <= MAX_STEPS else "default"


def _line_colour(shade: float) -> str:
    """From straw to felt, darker than the tints of areas, so that a thin line and its name are visible."""
    shades = 101
    light = tint(round(LIGHTEST * shades + (1 - LIGHTEST) * shade * (shades - 1)) or 1, shades)
    red, green, blue = (int(int(light[i : i + 2], 16) * DARKER) for i in (1, 3, 5))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _bands(axes: Axes, times_: Sequence[float], rows: Sequence[Sequence[Any]], problem: Problem) -> None:
    """A band for each slot, or for several equal ones, and one for the values that are rejected."""
    order = _by_multiplier(problem)
    groups = [list(places) for _, places in groupby(range(len(order)), key=lambda i: problem.multipliers[order[i]])]
    lines = [[float(row[places[0]]) for row in rows] for places in groups]  # equal slots are one
    n, most = len(lines), max(lines[-1])
    least = min((threshold for line in lines for threshold in line if threshold > 0), default=0.0)
    spread = most - least
    bottom, top = max(0.0, least - SPACE_BELOW * spread), most + SPACE_ABOVE * (spread or most or 1.0)
    between = ([max(bottom, threshold) for threshold in line] for line in lines)
    edges = [[bottom] * len(rows), *between, [top] * len(rows)]
    axes.set(ylim=(bottom, top))
    _, height = cell_size(axes, 1, top - bottom)
    at = round(NAME_PLACE * (len(rows) - 1))
    step: Any = None if _steps(times_) == "default" else "mid"
    for band, (low, high) in enumerate(pairwise(edges)):
        colour = SUNK if band == 0 else tint(band, n)
        axes.fill_between(times_, low, high, color=colour, linewidth=0, step=step)
        if band:
            axes.plot(times_, low, color=WHITE, linewidth=1.4, drawstyle=_steps(times_))
        if (high[at] - low[at]) * height > NAME_SPACE:
            name = "rejected"
            if band:
                places = groups[band - 1]
                numbers = [order[place] + 1 for place in places]
                slots = span(numbers) if numbers[-1] - numbers[0] < len(numbers) else listed(numbers)
                multiplier = times(Fraction(problem.multipliers[order[places[0]]]))
                name = f"slot{'s' if len(places) > 1 else ''} {slots}, {multiplier}"
            middle = (low[at] + high[at]) / 2
            axes.text(times_[at], middle, name, va="center_baseline", color=INK, **NAMES)
    axes.grid(axis="y", color=INK, alpha=0.12)
    axes.set_axisbelow(False)


@styled
def plot_regret(
    distribution: ValueDistribution, arrivals: int, named: str, progress: Callable[[int, int], None] | None = None
) -> Figure:
    """Regret by the share of arrivals that find a slot, for this number of arrivals, a tenth and a hundredth of it."""
    numbers = [number for number in (arrivals, arrivals // 10, arrivals // 100) if number >= LEAST] or [arrivals]
    progresses = [progress, None, None]  # the first takes longest
    solutions = [multisecretary(distribution, n, progress=each) for n, each in zip(numbers, progresses, strict=False)]
    worst = int(solutions[0].regret.argmax())
    title = f"Not knowing {counted(arrivals, 'value')} costs {_shown_regret(solutions[0].regret[worst])}"
    if solutions[0].regret[worst]:
        title += f" at most, with {counted(worst, 'slot')}"
    subtitle = f"Values {named}: what hindsight has more than the best play, by the share of arrivals that find a slot"
    figure, axes = canvas(title, subtitle)
    lines: list[tuple[Any, Any, int]] = []
    for strength, (number, solution) in enumerate(zip(numbers, solutions, strict=True)):
        places = np.unique(np.linspace(0, number, min(number, POINTS) + 1).round().astype(int))
        shares, regrets = places / number, solution.regret[places]
        axes.plot(shares, regrets, color=LUCK, alpha=1 - 0.3 * strength, linewidth=1.8 - 0.3 * strength, clip_on=False)
        lines.append((shares, regrets, number))
    axes.set(xlim=(-0.01, 1.01), ylim=(0, 1.15 * float(max(solutions[0].regret)) or 1.0))
    axes.set(xlabel="slots for each arrival", ylabel="regret")
    axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.4g}%")
    axes.grid(axis="y")
    labels = Labels(axes)
    for shares, regrets, number in lines:
        top = int(regrets.argmax())
        labels.avoid_line(list(zip(shares.tolist(), regrets.tolist(), strict=True)))
        text = f"{number:,} arrivals: {_shown_regret(regrets[top])}"
        labels.add(float(shares[top]), float(regrets[top]), text, UP, color=LUCK, fontweight="bold")
    labels.draw()
    return figure


def _shown_regret(value: float) -> str:
    return points(Fraction(float(value))) if value else "nothing"
