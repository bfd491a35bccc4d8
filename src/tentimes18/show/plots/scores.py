"""The picture of scores: the laws of strategies, and simulated games."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise, zip_longest
from math import floor
from typing import Any, Final, TypeAlias

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Number
from tentimes18.plan import admit_game
from tentimes18.show.colours import ACCENT, BLUE, GREEN, INK, QUIET, colour_of
from tentimes18.show.figures import points, rough
from tentimes18.show.plots.style import canvas, percent_ticks, styled
from tentimes18.show.words import game_name
from tentimes18.simulate.games import simulate
from tentimes18.simulate.plans import admit_games
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.layers import Progress
from tentimes18.solve.scores.score_law import ScoreLaw
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import laws_plan, score_law

__all__ = ["Bins", "choose_bins", "plot_scores", "shown_bins"]

USUAL: Final = ("random", "optimal", "hindsight")

Line: TypeAlias = tuple[str, Any]
"""A colour and the dashes."""
# Told apart without colour too; these are the lines of the paper's figure.
LINES: Final[Mapping[str, Line]] = {
    "random": (QUIET, (0, (1, 1.2))),
    "optimal": (ACCENT, "-"),
    "hindsight": (BLUE, (0, (4.5, 2))),
}
OTHER_LINES: Final[Sequence[Line]] = (
    (GREEN, (0, (7, 1.5, 1.5, 1.5))),
    (colour_of("line-violet"), (0, (3, 1, 1, 1, 1, 1))),
    (colour_of("line-amber"), (0, (9, 3))),
    (colour_of("line-pink"), (0, (1, 3))),
    (INK, (0, (2, 1))),
    (colour_of("line-teal"), (0, (5, 1))),
)
MAX_STRATEGIES: Final = len(OTHER_LINES)
BINS_A_DEVIATION: Final = 4
MAX_BINS: Final = 400
LEAST_SHARE: Final = 2e-4  # of the games in a bin, to be shown
LABEL_ROW: Final = 27.0  # points


@styled
def plot_scores(
    game: Game,
    strategies: Sequence[str] = USUAL,
    simulated: int = 1_000_000,
    seed: int = 1987,
    progress: Progress | None = None,
) -> Figure:
    """How often which score: exact laws as lines, simulated games as dots, as in the paper's second figure.

    >>> plot_scores(Game.parse("1d6", "1-3"), simulated=0).texts[0].get_text()
    'Best play beats random by 2.3 points; knowing the future adds 0.58'
    """
    names = tuple(dict.fromkeys(strategies))
    if not 1 <= len(names) <= MAX_STRATEGIES:
        raise Ten18Error(f"{len(names)} given; 1 to {MAX_STRATEGIES} are drawn", field="strategies")
    if simulated:
        admit_games(Run(game, names, seed), simulated)
    laws = _laws(game, names, progress)
    lines = _lines_of(names)
    bins = choose_bins(game, laws.values())
    shares = {name: bins.shares(law) for name, law in laws.items()}
    shown = shown_bins(shares.values())
    dots = f", dots are {simulated:,} simulated games" if simulated else ""
    subtitle = f"{game_name(game)}: how games end; lines are exact{dots}"
    figure, axes = canvas(_scores_title(laws), subtitle)
    places = [bins.place(number) for number in shown]
    for name, (shade, dashes) in lines.items():
        heights = [shares[name].get(number, 0.0) for number in shown]
        axes.plot(places, heights, color=shade, linestyle=dashes, linewidth=1.5, label=name)
    if simulated:
        for number, (name, law) in enumerate(_simulated(Run(game, names, seed), simulated, progress).items()):
            found = bins.shares(law)
            heights = [found.get(number, 0.0) for number in shown]
            axes.plot(
                places,
                heights,
                "o",
                color=lines[name][0],
                markersize=3.6,
                markeredgecolor="white",
                markeredgewidth=0.6,
                label=f"{name}, simulated",
                clip_on=False,
                zorder=3,
            )
    width = points(Fraction(bins.width))
    axes.set(xlabel="score", ylabel="games" if bins.width == bins.unit else f"games in each bin of {width} points")
    axes.grid(axis="y")
    _name_means(axes, laws, lines, peak=max(max(share.values()) for share in shares.values()))
    return figure


def _laws(game: Game, names: Sequence[str], progress: Progress | None) -> dict[str, ScoreLaw]:
    """The laws by name; whatever takes too long is refused before the first of them."""
    strategies = [named(name) for name in names]
    admit_game(game, partial(laws_plan, strategies))
    return {strategy.name: score_law(Board(game), strategy, progress=progress) for strategy in strategies}


def _simulated(run: Run, games: int, progress: Progress | None) -> dict[str, ScoreLaw]:
    for counts in simulate(run, games):
        if progress:
            progress(counts.games, games)
    return {name: counts.law(run.game, number) for number, name in enumerate(run.strategies)}


@dataclass(frozen=True, slots=True)
class Bins:
    """Scores from width · n to below width · (n + 1) are in bin n."""

    width: Number
    unit: Fraction

    def shares(self, law: ScoreLaw) -> dict[int, float]:
        """The share of the law in each bin."""
        weights: dict[int, int | float] = {}
        for score, weight in zip(law.scores, law.weights, strict=True):
            number = floor(score / Fraction(self.width))
            weights[number] = weights.get(number, 0) + weight
        return {number: weight / law.total for number, weight in weights.items()}

    def place(self, number: int) -> float:
        """The middle of the scores in a bin."""
        return float(self.width * number + (self.width - self.unit) / 2)


def choose_bins(game: Game, laws: Iterable[ScoreLaw]) -> Bins:
    """Ten points in the classic game: a round number of units, so that each bin has as many scores."""
    lattice = lattice_of(game)
    deviation = min(law.sd for law in laws)
    width = lattice.unit
    for factor in _round_numbers():
        is_coarse = lattice.unit * factor * BINS_A_DEVIATION > deviation
        if is_coarse and lattice.width(game.all_free) <= MAX_BINS * (width / lattice.unit):
            break
        width = lattice.unit * factor
    return Bins(width.numerator if width.denominator == 1 else width, lattice.unit)


def _round_numbers() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def shown_bins(shares: Iterable[Mapping[int, float]]) -> range:
    """The bins from the first to the last that hold enough to be seen."""
    shown = [number for share in shares for number, part in share.items() if part >= LEAST_SHARE]
    return range(min(shown), max(shown) + 1)


def _lines_of(names: Iterable[str]) -> dict[str, Line]:
    others = iter(OTHER_LINES)
    return {name: LINES[name] if name in LINES else next(others) for name in names}


def _scores_title(laws: Mapping[str, ScoreLaw]) -> str:
    means = {name: Fraction(law.mean) for name, law in laws.items()}
    low, high = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
    if len(means) == 1:
        ends = [points(Fraction(laws[low].quantile(Fraction(q, 20)))) for q in (1, 19)]
        return f"{low} makes {points(means[low])} points on average, nine times in ten {ends[0]} to {ends[1]}"
    if points(means[low]) == points(means[high]):
        return f"All make {points(means[low])} points on average"
    if set(means) == set(USUAL):
        gains = [rough(means[better] - means[worse]) for worse, better in pairwise(USUAL)]
        return f"Best play beats random by {gains[0]} points; knowing the future adds {gains[1]}"
    return f"{high} makes {points(means[high])} points on average, {rough(means[high] - means[low])} more than {low}"


def _name_means(axes: Axes, laws: Mapping[str, ScoreLaw], lines: Mapping[str, Line], peak: float) -> None:
    """A line at each mean with the name beside it, the outer ones first, inner ones above where there is no room."""
    left, right = axes.get_xlim()
    a_point = (right - left) / axes.bbox.width
    names = sorted(laws, key=lambda name: laws[name].mean)
    half = (len(names) + 1) // 2
    outside_in = [name for pair in zip_longest(names[:half], names[: half - 1 : -1]) for name in pair if name]
    rows: dict[str, int] = {}
    spans: list[tuple[int, float, float]] = []
    for name in outside_in:
        mean = float(laws[name].mean)
        length = (8 + 5.6 * max(len(name), 5 + len(points(Fraction(mean))))) * a_point
        start, end = (mean - length, mean) if names.index(name) < half else (mean, mean + length)
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
        mean, (shade, dashes) = float(laws[name].mean), lines[name]
        height = peak + (8 + LABEL_ROW * (row + 1)) * top / axes.bbox.height
        axes.plot([mean, mean], [0, height], color=shade, linestyle=dashes, linewidth=0.9, label=f"{name}, mean")
        side = "right" if names.index(name) < half else "left"
        for lines_down, text, weight in ((0, name, "bold"), (1, f"mean {points(Fraction(mean))}", "normal")):
            offset = (-5 if side == "right" else 5, -11 * lines_down)
            axes.annotate(
                text,
                (mean, height),
                offset,
                textcoords="offset points",
                ha=side,
                va="top",
                color=shade,
                fontsize=9,
                fontweight=weight,
            )
