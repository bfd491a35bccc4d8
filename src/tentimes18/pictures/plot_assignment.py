"""Pictures of sequential assignment against what is still to come: the bounds to play by, prices, and the worth.

The picture of regret: what hindsight has more than the best play, for every number of slots.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tentimes18.assignment import Endless, Poisson, Policy, Problem, RandomNumber, ValueLaw, multisecretary
from tentimes18.errors import Ten18Error
from tentimes18.number_format import counted, points, span, times
from tentimes18.pictures.colours import FELT, INK, LUCK, SUNK, WHITE, tint
from tentimes18.pictures.plot_labels import Labels
from tentimes18.pictures.plot_style import canvas, cell_size, round_ones, styled, whole_ticks

STEPS = 400  # along an axis
NUMBERS = 40  # of arrivals that a picture of worths is solved for
MAX_BANDS = 12
FEW_SLOTS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
NAME_PLACE = 0.07  # of a name on its line, from the left
NAME_SPACE = 13.0  # points between two names
NAMES: dict[str, Any] = {"fontsize": 8.5, "fontweight": "bold"}
DARKER = 0.62
LIGHTEST = 0.25  # of the tints that lines have
ROOM_BELOW, ROOM_ABOVE = 0.4, 0.3  # of a picture, beyond its bounds, as a share of their spread
MAX_STEPS = 80  # arrivals that are drawn one by one


@styled
def plot_bounds(problem: Problem, named: str) -> Figure:
    """Which value goes where, as less and less is still to come; ``named`` is what the values are called.

    >>> from tentimes18.assignment import UniformLaw
    >>> plot_bounds(Problem(UniformLaw(0, 1), [1, 2, 5], 20), "uniform(0, 1)").texts[0].get_text()
    'The first must exceed 0.816; for the best slot, 0.916'
    """
    if problem.revenue:
        raise Ten18Error("what a seller asks for are prices, not bounds; draw these", "revenue")
    plan, times_, lefts = _course(problem)
    rows = [list(plan.model.row(left))[::-1] for left in lefts]
    first = [_told(bound) for bound in (rows[0][0], rows[0][-1])]
    if _are_equal(problem):
        title = f"The first must exceed {first[0]}"
        if len(rows[0]) > 1:
            title += f"; with one slot left, {first[1]}"
        figure, axes = canvas(title, _subtitle(problem, named, "what a value must exceed, by the number of free slots"))
        n = len(rows[0])
        _by_free_slots(axes, times_, {count: [float(row[n - count]) for row in rows] for count in _counts(n)})
        return _finished(figure, axes, problem, "value that is taken")
    title = f"The first must exceed {first[0]}; for the best slot, {first[1]}"
    figure, axes = canvas(title, _subtitle(problem, named, "which slot a value goes to while all are free"))
    _bands(axes, times_, rows, problem)
    return _finished(figure, axes, problem, "value")


@styled
def plot_prices(problem: Problem, named: str) -> Figure:
    """What slots cost, as less and less is still to come.

    >>> from tentimes18.assignment import UniformLaw
    >>> plot_prices(Problem(UniformLaw(0, 1), 5, Poisson(10, 2)), "uniform(0, 1)").texts[0].get_text()
    'The first of 5 costs 0.704 at the beginning, the last one 0.909'
    """
    if problem.must_fill:
        raise Ten18Error("slots that must be filled by whoever comes have no prices", "must_fill")
    plan, times_, lefts = _course(problem)
    n = len(plan.multipliers)
    if _are_equal(problem):
        prices = {
            count: [float(row[0]) for row in plan.price_rows(lefts, free=range(1, count + 1))] for count in _counts(n)
        }
        title = f"The first of {n:,} costs {_told(prices[n][0])} at the beginning"
        title += f", the last one {_told(prices[1][0])}" if n > 1 else ""
        figure, axes = canvas(title, _subtitle(problem, named, "the price of a slot, by how many are left"))
        _by_free_slots(axes, times_, prices)
        return _finished(figure, axes, problem, "price")
    rows = [[float(price) for price in row] for row in plan.price_rows(lefts)]
    title = f"At the beginning slots cost {_told(rows[0][0])} to {_told(rows[0][-1])}"
    figure, axes = canvas(title, _subtitle(problem, named, "the price of each slot while all are free"))
    lines = [
        (
            place / max(1, n - 1),
            f"slot {place + 1}, {times(Fraction(plan.multipliers[place]))}",
            [row[place] for row in rows],
        )
        for place in _some(range(n))
    ]
    _lines(axes, times_, lines)
    return _finished(figure, axes, problem, "price")


@styled
def plot_worth(problem: Problem, named: str) -> Figure:
    """What the best play and hindsight are worth, against the number of arrivals.

    >>> from tentimes18.assignment import UniformLaw
    >>> plot_worth(Problem(UniformLaw(0, 1), 2, 20), "uniform(0, 1)").texts[0].get_text()
    '20 arrivals are worth 1.79; known beforehand, 1.857'
    """
    most = problem.arrivals
    if not isinstance(most, int) or len(problem.laws) > 1:
        raise Ten18Error("a picture of worths needs one law and a number of arrivals", "arrivals")
    if problem.batches is not None or problem.ahead:
        raise Ten18Error("a picture of worths needs arrivals that are seen one by one", "arrivals")
    least = len(problem.multipliers) if problem.must_fill else 1
    numbers = sorted({round(least + (most - least) * step / (NUMBERS - 1)) for step in range(NUMBERS)})
    plans = [_with_arrivals(problem, number).solve() for number in numbers]
    best, known = [float(plan.value) for plan in plans], [float(plan.hindsight) for plan in plans]
    title = f"{counted(most, 'arrival')} are worth {_told(best[-1])}; known beforehand, {_told(known[-1])}"
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


def _with_arrivals(problem: Problem, arrivals: int) -> Problem:
    return Problem(
        problem.laws[0],
        problem.multipliers,
        arrivals,
        discount=problem.discount,
        chance=problem.chance,
        must_fill=problem.must_fill,
        revenue=problem.revenue,
    )


def _course(problem: Problem) -> tuple[Policy, list[float], list[Any]]:
    """The plan; where arrivals stand on the axis, and what is still to come there."""
    arrivals = problem.arrivals
    if isinstance(arrivals, Endless):
        raise Ten18Error("endless arrivals change nothing with time: there is nothing to draw", "arrivals")
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


def _are_equal(problem: Problem) -> bool:
    return len(set(problem.multipliers)) == 1


def _slots(problem: Problem) -> str:
    n = len(problem.multipliers)
    if _are_equal(problem):
        return counted(n, "slot")
    return f"{n:,} slots, {times(Fraction(problem.multipliers[0]))} to {times(Fraction(problem.multipliers[-1]))}"


def _subtitle(problem: Problem, named: str, what: str) -> str:
    return f"{_slots(problem)}, values {named}: {what}"


def _told(value: Any) -> str:
    return points(Fraction(float(value)))


def _some(places: Sequence[int]) -> list[int]:
    """As many as have names."""
    if len(places) <= MAX_BANDS:
        return list(places)
    return [places[round(step * (len(places) - 1) / 5)] for step in range(6)]


def _counts(n: int) -> list[int]:
    """The numbers of free slots that have a line."""
    return list(range(1, n + 1)) if n <= MAX_BANDS else sorted({count for count in FEW_SLOTS if count < n} | {n})


def _by_free_slots(axes: Axes, times_: Sequence[float], heights: Mapping[int, Sequence[float]]) -> None:
    """Equal slots: one line for each number of free slots."""
    steps = max(1, len(heights) - 1)
    lines = [
        (1 - place / steps, "1 slot left" if count == 1 else f"{count:,} left", heights[count])
        for place, count in enumerate(sorted(heights))
    ]
    _lines(axes, times_, lines)


def _lines(axes: Axes, times_: Sequence[float], lines: Sequence[tuple[float, str, Sequence[float]]]) -> None:
    """Lines with their shade, from 0 to 1, and their name, which is written where there is room."""
    low = min(0.0, *(min(heights) for _, _, heights in lines))
    high = max(max(heights) for _, _, heights in lines) * 1.07
    axes.set(xlim=(times_[0], times_[-1]), ylim=(low, high))
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
    """How a line goes: from one arrival to the next in steps, where these are few; else straight."""
    return "steps-mid" if len(times_) <= MAX_STEPS else "default"


def _line_colour(shade: float) -> str:
    """Darker than the tints of areas, so that a thin line and its name are seen: from straw to felt."""
    shades = 101
    found = tint(round(LIGHTEST * shades + (1 - LIGHTEST) * shade * (shades - 1)) or 1, shades)
    red, green, blue = (int(int(found[i : i + 2], 16) * DARKER) for i in (1, 3, 5))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _bands(axes: Axes, times_: Sequence[float], rows: Sequence[Sequence[Any]], problem: Problem) -> None:
    """A band for each slot, or for some that are equal, and one for what is refused."""
    groups = [list(places) for _, places in groupby(range(len(rows[0])), key=lambda i: problem.multipliers[i])]
    lines = [[float(row[places[0]]) for row in rows] for places in groups]  # equal slots are one
    n, most = len(lines), max(lines[-1])
    least = min((bound for line in lines for bound in line if bound > 0), default=0.0)
    spread = most - least
    bottom, top = max(0.0, least - ROOM_BELOW * spread), most + ROOM_ABOVE * (spread or most or 1.0)
    edges = [[bottom] * len(rows), *([max(bottom, bound) for bound in line] for line in lines), [top] * len(rows)]
    axes.set(xlim=(times_[0], times_[-1]), ylim=(bottom, top))
    _, height = cell_size(axes, 1, top - bottom)
    at = round(NAME_PLACE * (len(rows) - 1))
    for band, (low, high) in enumerate(pairwise(edges)):
        colour = SUNK if band == 0 else tint(band, n)
        axes.fill_between(
            times_, low, high, color=colour, linewidth=0, step=None if _steps(times_) == "default" else "mid"
        )
        if band:
            axes.plot(times_, low, color=WHITE, linewidth=1.4, drawstyle=_steps(times_))
        if (high[at] - low[at]) * height > NAME_SPACE:
            name = "refused" if band == 0 else _group_name(groups[band - 1], problem)
            middle = (low[at] + high[at]) / 2
            axes.text(times_[at], middle, name, va="center_baseline", color=INK, **NAMES)
    axes.grid(axis="y", color=INK, alpha=0.12)
    axes.set_axisbelow(False)


def _group_name(places: Sequence[int], problem: Problem) -> str:
    slots = span([place + 1 for place in places])
    return f"slot{'s' if len(places) > 1 else ''} {slots}, {times(Fraction(problem.multipliers[places[0]]))}"


def _finished(figure: Figure, axes: Axes, problem: Problem, what: str) -> Figure:
    axes.set_ylabel(what)
    if isinstance(problem.arrivals, Poisson):
        until = float(problem.arrivals.until)
        axes.set_xlabel("time, from the beginning to the deadline")
        ticks = MaxNLocator(nbins=8, steps=[1, 2, 3, 5, 6, 10]).tick_values(0, until)
        axes.set_xticks([*(tick for tick in ticks if 0 <= tick < 0.95 * until), until])
    else:
        axes.set_xlabel("arrivals still to come")
        numbers = range(round(min(axes.get_xlim())), round(max(axes.get_xlim())) + 1)
        axes.set_xticks([numbers[place] for place in round_ones(numbers, 8)])
    return figure


POINTS = 600  # of a line
LEAST = 10  # arrivals of a line
UP = (90, 60, 120, 45, 135)


@styled
def plot_regret(law: ValueLaw, arrivals: int, named: str, progress: Callable[[int, int], None] | None = None) -> Figure:
    """Regret against the share of arrivals that find a slot, for so many arrivals and for fewer.

    >>> from tentimes18.assignment import UniformLaw
    >>> plot_regret(UniformLaw(0, 1), 1000, "uniform(0, 1)").texts[0].get_text()
    'Not knowing 1,000 values costs 0.68 at most, with 500 slots'
    """
    numbers = [number for number in (arrivals, arrivals // 10, arrivals // 100) if number >= LEAST] or [arrivals]
    found = [multisecretary(law, number, progress=progress if number == arrivals else None) for number in numbers]
    worst = int(found[0].regret.argmax())
    title = f"Not knowing {counted(arrivals, 'value')} costs {_shown_regret(found[0].regret[worst])}"
    if found[0].regret[worst]:
        title += f" at most, with {counted(worst, 'slot')}"
    subtitle = f"Values {named}: what hindsight has more than the best play, by the share of arrivals that find a slot"
    figure, axes = canvas(title, subtitle)
    labels = Labels(axes)
    lines: list[tuple[Any, Any, int]] = []
    for strength, (number, one) in enumerate(zip(numbers, found, strict=True)):
        places = np.unique(np.linspace(0, number, min(number, POINTS) + 1).round().astype(int))
        shares, regrets = places / number, one.regret[places]
        axes.plot(shares, regrets, color=LUCK, alpha=1 - 0.3 * strength, linewidth=1.8 - 0.3 * strength, clip_on=False)
        lines.append((shares, regrets, number))
    axes.set(xlim=(-0.01, 1.01), ylim=(0, 1.15 * float(max(found[0].regret)) or 1.0))
    axes.set(xlabel="slots for each arrival", ylabel="regret")
    axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.4g}%")
    axes.grid(axis="y")
    for shares, regrets, number in lines:
        top = int(regrets.argmax())
        labels.avoid_line(list(zip(shares.tolist(), regrets.tolist(), strict=True)))
        text = f"{number:,} arrivals: {_shown_regret(regrets[top])}"
        labels.add(float(shares[top]), float(regrets[top]), text, UP, color=LUCK, fontweight="bold")
    labels.draw()
    return figure


def _shown_regret(value: float) -> str:
    return points(Fraction(float(value))) if value else "nothing"
