"""Distributions as lines: how often each score or roll, or how often that or less, for several strategies or dice."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, zip_longest
from typing import Any, TypeAlias

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.number_format import HUGE, points, power_of_ten, rough
from tentimes18.pictures.colours import FELT, INK, LOSS, LUCK, QUIET, RIVAL, WHITE, colour_of
from tentimes18.pictures.plot_style import canvas, percent_ticks, styled
from tentimes18.pictures.score_bins import Bins, choose_bins, roll_bins, shown_bins
from tentimes18.simulate.games import check_games, simulate
from tentimes18.simulate.run import Run
from tentimes18.solve.parallel import Progress
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import score_distribution
from tentimes18.wording import game_name

Line: TypeAlias = tuple[str, Any]
"""A colour and the dashes, so that lines differ without colour too."""
OTHER_LINES: Sequence[Line] = (
    (LOSS, (0, (7, 1.5, 1.5, 1.5))),
    (RIVAL, (0, (3, 1, 1, 1, 1, 1))),
    (colour_of("line-amber"), (0, (9, 3))),
    (colour_of("line-pink"), (0, (1, 3))),
    (INK, (0, (2, 1))),
    (colour_of("line-olive"), (0, (5, 1))),
)
MAX_LINES = len(OTHER_LINES)
LABEL_ROW = 27.0  # points
MAX_DOTS = 60
MAX_IN_TITLE = 3


@dataclass(frozen=True)
class Drawing:
    """Distributions by name with their lines and bins; ``simulated`` are drawn as dots.

    The heights are the shares of the bins or, with ``cumulative``, the share up to the end of each bin.
    """

    distributions: Mapping[str, ScoreDistribution]
    lines: Mapping[str, Line]
    bins: Bins
    cumulative: bool
    simulated: Mapping[str, ScoreDistribution] = field(default_factory=dict)

    def heights(self, shown: range, distribution: ScoreDistribution) -> list[float]:
        if self.cumulative:
            return [float(distribution.at_most(self.bins.ends(number)[1])) for number in shown]
        shares = self.bins.shares(distribution)
        return [shares.get(number, 0.0) for number in shown]


def distinct_names(names: Iterable[str], field: str) -> tuple[str, ...]:
    """The names, each once; raises ``Ten18Error`` where there are none, or more than there are lines."""
    distinct = tuple(dict.fromkeys(names))
    if not 1 <= len(distinct) <= MAX_LINES:
        raise Ten18Error(f"{len(distinct)} given; 1 to {MAX_LINES} are drawn", field=field)
    return distinct


def lines_of(names: Iterable[str], own: Mapping[str, Line]) -> dict[str, Line]:
    """A line for each: its own, or another one."""
    others = iter(OTHER_LINES)
    return {name: own[name] if name in own else next(others) for name in names}


def _draw(title: str, subtitle: str, drawing: Drawing, xlabel: str, ylabel: str) -> Figure:
    """The picture, from the first to the last bin that is high enough to be visible."""
    bins = drawing.bins
    shown = shown_bins(bins.shares(distribution) for distribution in drawing.distributions.values())
    if drawing.cumulative:
        shown = range(shown.start - 1, shown.stop)  # where the lines start
    figure, axes = canvas(title, subtitle)
    places = [float(bins.ends(number)[1]) if drawing.cumulative else bins.place(number) for number in shown]
    peak = 0.0
    for name, (shade, dashes) in drawing.lines.items():
        heights = drawing.heights(shown, drawing.distributions[name])
        peak = max(peak, *heights)
        high = [place for place, height in enumerate(heights) if height]
        own = slice(None) if drawing.cumulative else slice(high[0], high[-1] + 1)
        form = _form(drawing, heights[own])
        axes.plot(places[own], heights[own], color=shade, linestyle=dashes, linewidth=1.5, label=name, **form)
    dots: dict[str, Any] = {"markersize": 3.6, "markeredgecolor": WHITE, "markeredgewidth": 0.6, "zorder": 3}
    for name, distribution in drawing.simulated.items():
        heights, label = drawing.heights(shown, distribution), f"{name}, simulated"
        axes.plot(places, heights, "o", color=drawing.lines[name][0], label=label, clip_on=False, **dots)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.grid(axis="y")
    if bins.unit.denominator == Fraction(bins.origin).denominator == 1:
        axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(lambda score, _: _tick(score))
    _name_middles(axes, drawing, peak)
    return figure


def _tick(score: float) -> str:
    return f"{score:,.0f}".replace("-", "−") if abs(score) < HUGE else power_of_ten(score)


def _form(drawing: Drawing, heights: Sequence[float]) -> dict[str, Any]:
    """Few scores are drawn as dots on the line, or as steps: there is nothing between them."""
    if not drawing.bins.is_single or len(heights) > MAX_DOTS or drawing.simulated:
        return {}
    if drawing.cumulative:
        return {"drawstyle": "steps-post"}
    possible = [place for place, height in enumerate(heights) if height]
    return {"marker": "o", "markersize": 4.5, "markevery": possible, "clip_on": False}


def half_title(distributions: Mapping[str, ScoreDistribution], of: str, end: str) -> str:
    """The medians in a sentence: all of them where they are few, else the lowest and the highest."""
    names = sorted(distributions, key=lambda name: distributions[name].median)
    medians = {name: points(Fraction(distributions[name].median)) for name in names}
    shown = names if len(names) <= MAX_IN_TITLE else [names[0], names[-1]]
    if len(names) > 1 and len(set(medians.values())) == 1:
        return f"Half of the {of} {end.format(medians[names[0]])} with each of them"
    more = "".join(f", {medians[name]} with {name}" for name in shown[1:])
    return f"Half of the {of} {end.format(medians[shown[0]])} with {shown[0]}{more}"


def _name_middles(axes: Axes, drawing: Drawing, peak: float) -> None:
    """A line at each mean or median with its name: outer ones first, inner ones above where there is no space."""
    word = "median" if drawing.cumulative else "mean"
    middles = {name: Fraction(getattr(distribution, word)) for name, distribution in drawing.distributions.items()}
    left, right = axes.get_xlim()
    point = (right - left) / axes.bbox.width
    names = sorted(middles, key=middles.__getitem__)
    half = (len(names) + 1) // 2
    outside_in = [name for pair in zip_longest(names[:half], names[: half - 1 : -1]) for name in pair if name]
    rows: dict[str, int] = {}
    spans: list[tuple[int, float, float]] = []
    for name in outside_in:
        middle = float(middles[name])
        length = (8 + 5.6 * max(len(name), len(word) + 1 + len(points(middles[name])))) * point
        start, end = (middle - length, middle) if names.index(name) < half else (middle, middle + length)
        row = 0
        while any(at >= row and low < end and start < high for at, low, high in spans):
            row += 1
        rows[name] = row
        spans.append((row, start, end))
    strip = LABEL_ROW * (max(rows.values()) + 1) + 8
    top = peak * axes.bbox.height / (axes.bbox.height - strip)
    axes.set_ylim(0, top)
    percent_ticks(axes, peak)
    for name, row in rows.items():
        middle, (shade, dashes) = float(middles[name]), drawing.lines[name]
        height = peak + (8 + LABEL_ROW * (row + 1)) * top / axes.bbox.height
        axes.plot([middle, middle], [0, height], color=shade, linestyle=dashes, linewidth=0.9, label=f"{name}, {word}")
        side = "right" if names.index(name) < half else "left"
        for lines_down, text, weight in ((0, name, "bold"), (1, f"{word} {points(middles[name])}", "normal")):
            offset = (-5 if side == "right" else 5, -11 * lines_down)
            style: dict[str, Any] = {"ha": side, "va": "top", "color": shade, "fontsize": 9, "fontweight": weight}
            axes.annotate(text, (middle, height), offset, textcoords="offset points", **style)


USUAL = ("random", "optimal", "hindsight")

# The lines of the paper's figure.
LINES: Mapping[str, Line] = {
    "random": (QUIET, (0, (1, 1.2))),
    "optimal": (FELT, "-"),
    "hindsight": (LUCK, (0, (4.5, 2))),
}


@styled
def plot_scores(
    game: Game,
    strategies: Sequence[str] = USUAL,
    simulated: int = 1_000_000,
    seed: int = 1987,
    progress: Progress | None = None,
    *,
    cumulative: bool = False,
) -> Figure:
    """How often each score, as in the paper's second figure: exact distributions as lines, simulated games as dots.

    With ``cumulative``, how often that score or less.
    """
    names = distinct_names(strategies, field="strategies")
    if simulated:
        check_games(Run(game, names, seed), simulated)
    # Those that are rejected if the game is too large come first.
    ordered = sorted(map(named, names), key=lambda strategy: strategy.name in ("random", "hindsight"))
    by_name = {strategy.name: score_distribution(Board(game), strategy, progress=progress) for strategy in ordered}
    distributions = {name: by_name[name] for name in names}
    bins = choose_bins(game, distributions.values())
    played = _simulated(Run(game, names, seed), simulated, progress) if simulated else {}
    drawing = Drawing(distributions, lines_of(names, LINES), bins, cumulative, played)
    dots = f", dots are {simulated:,} simulated games" if simulated else ""
    if cumulative:
        subtitle = f"{game_name(game)}: how many games end at a score or less; lines are exact{dots}"
        title = half_title(distributions, "games", "end at {} points or less")
        return _draw(title, subtitle, drawing, "score", "games that end at this score or less")
    subtitle = f"{game_name(game)}: how games end; lines are exact{dots}"
    width = points(Fraction(bins.width))
    in_bins = "games" if bins.is_single else f"games in each bin of {width} points"
    return _draw(_scores_title(distributions), subtitle, drawing, "score", in_bins)


def _simulated(run: Run, games: int, progress: Progress | None) -> dict[str, ScoreDistribution]:
    for counts in simulate(run, games):
        if progress:
            progress(counts.games, games)
    return {name: counts.distribution(run.game, number) for number, name in enumerate(run.strategies)}


def _scores_title(distributions: Mapping[str, ScoreDistribution]) -> str:
    means = {name: Fraction(distribution.mean) for name, distribution in distributions.items()}
    if set(means) != set(USUAL) or len(set(map(points, means.values()))) == 1:
        return _mean_title(distributions, "make", " points")
    gains = [rough(means[better] - means[worse]) for worse, better in pairwise(USUAL)]
    return f"Best play beats random by {gains[0]} points; knowing the future adds {gains[1]}"


def _mean_title(distributions: Mapping[str, ScoreDistribution], verb: str, noun: str) -> str:
    """Which has the highest mean, and by how much; of a single one its mean, and where most of it is."""
    means = {name: Fraction(distribution.mean) for name, distribution in distributions.items()}
    low, high = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
    if len(means) == 1:
        ends = [points(Fraction(distributions[low].quantile(Fraction(q, 20)))) for q in (1, 19)]
        return f"{low} {verb}s {points(means[low])}{noun} on average, nine times in ten {ends[0]} to {ends[1]}"
    if points(means[low]) == points(means[high]):
        return f"All {verb} {points(means[low])}{noun} on average"
    return f"{high} {verb}s {points(means[high])}{noun} on average, {rough(means[high] - means[low])} more than {low}"


FIRST_LINES: Sequence[Line] = ((FELT, "-"), (LUCK, (0, (4.5, 2))))
MAX_NAME = 24  # characters


@styled
def plot_dice(dice: Sequence[Dice], *, cumulative: bool = False) -> Figure:
    """How often each roll of these dice; with ``cumulative`` how often that or less."""
    distributions = {}
    for one in dice:
        name = str(one) if len(str(one)) <= MAX_NAME else f"{str(one)[: MAX_NAME - 3]}..."
        distributions[name] = ScoreDistribution(one.support, one.counts, one.total)
    names = distinct_names(distributions, field="dice")
    lines = lines_of(names, dict(zip(names, FIRST_LINES, strict=False)))
    bins = roll_bins(dice)
    drawing = Drawing(distributions, lines, bins, cumulative)
    if cumulative:
        title = half_title(distributions, "rolls", "show {} or less")
        return _draw(title, "How many rolls are at most each number, exactly", drawing, "roll", "rolls up to this one")
    in_bins = "rolls" if bins.is_single else f"rolls in each bin of {points(Fraction(bins.width))}"
    return _draw(_mean_title(distributions, "show", ""), "How often each roll, exactly", drawing, "roll", in_bins)
