"""Pictures of other aims than the mean: the best chance of a target, and the price of safety."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tentimes18.game import Board, Game, Number
from tentimes18.number_format import percent, points, rough
from tentimes18.pictures.colours import FELT, INK, LUCK, QUIET, WHITE
from tentimes18.pictures.plot_style import Labels, canvas, percent_ticks, styled, whole_ticks
from tentimes18.solve.aims import ChanceTable
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.parallel import Progress, split_progress
from tentimes18.solve.rule_distributions import table_size
from tentimes18.strategies.front import FrontPoint
from tentimes18.strategies.named import named
from tentimes18.strategies.solved import chances
from tentimes18.strategies.strategy import score_distribution
from tentimes18.wording import game_name

Curve: TypeAlias = Sequence[tuple[float, float]]

MAX_TARGETS = 2000
SURE = 1e-3  # chances this near to 0 and 1 are not shown
NONE = 1e-9  # a gain by rounding
FEW = 60  # points, which are marked on their line

# Where labels are tried, in degrees.
UP = (90, 60, 120, 30, 150, 0, 180, 270)
RIGHT_AND_UP = (30, 60, 0, 330, 150, 120, 180, 210, 300, 240)
LEFT_AND_DOWN = (210, 240, 180, 150, 330, 300, 0, 30, 120, 60)
LEFT_AND_UP = (150, 135, 120, 90, 180, 60, 30, 0, 330, 300, 270, 240, 210)
RIGHT = (0, 330, 30, 180, 210, 150, 270, 90, 300, 240, 60, 120)


@styled
def plot_target(game: Game, progress: Progress | None = None) -> Figure:
    """The chance of a score or more: of the play that aims at it, and of `optimal`."""
    optimal = named("optimal")
    size = optimal.exact_size(Board(game))
    making, measuring = split_progress(progress, table_size(game).operations, size.operations)
    table = chances(game, making)
    distribution = score_distribution(Board(game), optimal, progress=measuring)

    def gain(target: Number) -> float:
        return float(table.chance(target) - distribution.at_least(target))

    targets = _targets(game, table)
    top = _best_target(game, targets, gain)
    best = [float(table.chance(target)) for target in targets]
    usual = [float(distribution.at_least(target)) for target in targets]
    gains = [high - low for high, low in zip(best, usual, strict=True)]
    ends = float(distribution.at_least(top)), float(table.chance(top))
    subtitle = f"{game_name(game)}: the chance of a score or more, when it is aimed at and with optimal"
    figure, axes = canvas(_target_title(top, *ends), subtitle, height=6.4)
    box, share = axes.get_position(), 0.26
    axes.set_position((box.x0, box.y0 + (share + 0.05) * box.height, box.width, (1 - share - 0.05) * box.height))
    below = figure.add_axes((box.x0, box.y0, box.width, share * box.height), sharex=axes)
    places = [float(target) for target in targets]
    marker = "o" if len(places) < FEW else ""
    line: dict[str, Any] = {"linewidth": 1.5, "marker": marker, "markersize": 3, "clip_on": False}
    axes.fill_between(places, usual, best, color=LUCK, alpha=0.25, linewidth=0)
    axes.plot(places, usual, color=FELT, label="optimal", **line)
    axes.plot(places, best, color=LUCK, label="aimed at", **line)
    axes.set(ylabel="chance of the score or more", ylim=(0, 1.02))
    axes.tick_params(labelbottom=False)
    percent_ticks(axes, 1)
    below.fill_between(places, gains, color=LUCK, alpha=0.25, linewidth=0)
    below.plot(places, gains, color=LUCK, label="gain", **line)
    below.set(xlabel="score", ylabel="gain", ylim=(0, 1.25 * max(gains) if max(gains) > NONE else 0.01))
    below.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    below.locator_params(axis="y", nbins=4)
    if max(gains) <= NONE:
        below.set_yticks([0])
    if all(place.is_integer() for place in places):
        below.xaxis.set_major_locator(whole_ticks())
    for panel in (axes, below):
        panel.grid(axis="y")
        panel.margins(x=0.01)
    if max(gains) > NONE:
        usual_curve, best_curve, gain_curve = (list(zip(places, one, strict=True)) for one in (usual, best, gains))
        place, (low, high) = float(top), ends
        axes.plot([place, place], [0, high], color=INK, linewidth=0.6)
        below.axvline(place, color=INK, linewidth=0.6)
        aimed_at = f"aiming at {points(Fraction(top))}: {percent(high)}", LUCK, RIGHT_AND_UP
        with_optimal = f"optimal: {percent(low)}", FELT, LEFT_AND_DOWN
        _name_dots(axes, place, {high: aimed_at, low: with_optimal}, usual_curve, best_curve)
        gained = f"+{rough(100 * (high - low))} percentage points", LUCK, RIGHT_AND_UP
        _name_dots(below, place, {high - low: gained}, [(place, 0), (place, below.get_ylim()[1])], gain_curve)
    return figure


def _name_dots(axes: Axes, place: float, dots: Mapping[float, tuple[str, str, Sequence[int]]], *curves: Curve) -> None:
    """Dots at these heights with their names, in their colours, and where to try them first; off these curves."""
    labels = Labels(axes)
    for curve in curves:
        labels.avoid_line(curve)
    for height, (text, colour, angles) in dots.items():
        style: dict[str, Any] = {"markersize": 5, "markeredgecolor": INK, "markeredgewidth": 0.9, "zorder": 3}
        axes.plot(place, height, "o", color=colour, **style)
        labels.avoid(place, height)
        labels.add(place, height, text, angles, color=colour, fontweight="bold")
    labels.draw()


def _targets(game: Game, table: ChanceTable) -> list[Number]:
    """The scores whose chance is neither near 0 nor near 1, at even steps where they are many."""
    lattice, free = lattice_of(game), game.all_free
    indexes = range(lattice.width(free) + 1)

    def chance(index: int) -> float:
        return float(table.chance(lattice.score(free, index)))

    first = bisect_left(indexes, -1 + SURE, key=lambda index: -chance(index))
    last = bisect_left(indexes, -SURE, key=lambda index: -chance(index))
    step = -(-(last - first) // MAX_TARGETS) or 1
    return lattice.scores(free, range(max(0, first - 1), min(last + 1, len(indexes)), step))


def _best_target(game: Game, targets: Sequence[Number], gain: Callable[[Number], float]) -> Number:
    """The target that gains most, also where only some are shown."""
    coarse = max(range(len(targets)), key=lambda place: gain(targets[place]))
    low, high = targets[max(0, coarse - 1)], targets[min(coarse + 1, len(targets) - 1)]
    unit = lattice_of(game).unit
    return max((low + step * unit for step in range(int((high - low) / unit) + 1)), key=gain)


def _target_title(target: Number, usual: float, best: float) -> str:
    if best - usual <= NONE:
        return "No target needs another play than optimal"
    at = points(Fraction(target))
    return f"Aiming at {at} lifts its chance most, from {percent(usual)} to {percent(best)}"


@styled
def plot_front(game: Game, strategies: Iterable[FrontPoint]) -> Figure:
    """Mean against standard deviation by strategy; those that no other beats in both are joined."""
    points_ = _merged(strategies)
    efficient = [point for point in points_ if point.efficient]
    best = efficient[-1]
    subtitle = f"{game_name(game)}: mean and spread; no strategy here beats a joined one in both"
    figure, axes = canvas(_front_title(efficient), subtitle, height=6.4)
    axes.set(xlabel="spread: standard deviation of the score", ylabel="mean score")
    axes.grid(axis="y")
    axes.margins(x=0.1, y=0.12)
    axes.plot([point.sd for point in efficient], [point.mean for point in efficient], color=FELT, label="front")
    lowest = min(2 * efficient[0].mean - best.mean, best.mean - best.sd / 4)
    # Points that are too far below are drawn at the edge.
    axes.update_datalim([(point.sd, point.mean if point.mean >= lowest else best.mean) for point in points_])
    axes.autoscale_view()
    labels = Labels(axes)
    labels.avoid_line([(point.sd, point.mean) for point in efficient])
    bottom, top = axes.get_ylim()
    for point in sorted(points_, key=lambda point: point.mean < lowest):
        place, marker, name = point.mean, "o", point.strategy
        if place < lowest:
            place, marker, name = bottom + 0.03 * (top - bottom), "v", f"{name}, mean {points(Fraction(place))}"
        colour = FELT if point.efficient else QUIET
        face = colour if point.efficient or marker == "v" else WHITE
        axes.plot(point.sd, place, marker, color=colour, markerfacecolor=face, markersize=5.5, label=point.strategy)
        labels.avoid(point.sd, place)
        angles = UP if point is best else LEFT_AND_UP if point.efficient else RIGHT
        weight = "bold" if point is best else "normal"
        labels.add(point.sd, place, name, angles, color=colour, fontsize=8, fontweight=weight)
    labels.draw()
    return figure


def _merged(strategies: Iterable[FrontPoint]) -> list[FrontPoint]:
    """One point for strategies that agree up to rounding."""
    places: dict[tuple[float, float], list[FrontPoint]] = {}
    for point in strategies:
        places.setdefault((round(point.sd, 6), round(point.mean, 6)), []).append(point)
    merged = []
    for same in places.values():
        name = min((point.strategy for point in same), key=lambda name: name != "optimal")
        name += f" and {len(same) - 1} more" if len(same) > 1 else ""
        merged.append(replace(same[0], strategy=name, efficient=any(point.efficient for point in same)))
    return merged


def _front_title(efficient: Sequence[FrontPoint]) -> str:
    safest, *_, best = (efficient[0], *efficient)
    saved, price = best.sd - safest.sd, best.mean - safest.mean
    if not saved:
        return "The highest mean has the least spread"
    for point in reversed(efficient[1:-1]):
        part, cost = best.sd - point.sd, best.mean - point.mean
        if part >= saved / 3 and cost / part < price / saved:
            first = f"{rough(part)} points less spread cost {rough(cost)} on average"
            return f"Safety is cheap at first: {first}, but {rough(saved)} cost {rough(price)}"
    return f"{rough(saved)} points less spread cost {rough(price)} on average"
