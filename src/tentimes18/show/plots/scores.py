"""The picture of scores: the laws of strategies, and simulated games."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, zip_longest
from typing import Any, Final, NamedTuple, TypeAlias

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.show.bins import Bins, choose_bins, shown_bins
from tentimes18.show.colours import ACCENT, BLUE, GREEN, INK, QUIET, colour_of
from tentimes18.show.figures import points, rough
from tentimes18.show.plots.style import canvas, percent_ticks, styled
from tentimes18.show.words import game_name
from tentimes18.simulate.games import simulate
from tentimes18.simulate.run import Run
from tentimes18.solve.layers import Progress
from tentimes18.solve.scores.score_law import ScoreLaw
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import score_law

__all__ = ["plot_scores"]

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
LABEL_ROW: Final = 27.0  # points


class View(NamedTuple):
    """What is drawn of a law: its height at each bin, and the middle that is named."""

    heights: Callable[[Bins, range, ScoreLaw], list[float]]
    places: Callable[[Bins, range], list[float]]
    middle: Callable[[ScoreLaw], Fraction]
    word: str


def _shares(bins: Bins, shown: range, law: ScoreLaw) -> list[float]:
    found = bins.shares(law)
    return [found.get(number, 0.0) for number in shown]


def _at_most(bins: Bins, shown: range, law: ScoreLaw) -> list[float]:
    return [float(law.at_most(bins.ends(number)[1])) for number in shown]


SINGLE: Final = View(
    _shares,
    lambda bins, shown: [bins.place(number) for number in shown],
    lambda law: Fraction(law.mean),
    "mean",
)
CUMULATIVE: Final = View(
    _at_most,
    lambda bins, shown: [float(bins.ends(number)[1]) for number in shown],
    lambda law: Fraction(law.median),
    "median",
)


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
    """How often which score: exact laws as lines, simulated games as dots, as in the paper's second figure.

    With ``cumulative`` how often that score or less.

    >>> plot_scores(Game.parse("1d6", "1-3"), simulated=0).texts[0].get_text()
    'Best play beats random by 2.3 points; knowing the future adds 0.58'
    """
    names = tuple(dict.fromkeys(strategies))
    if not 1 <= len(names) <= MAX_STRATEGIES:
        raise Ten18Error(f"{len(names)} given; 1 to {MAX_STRATEGIES} are drawn", field="strategies")
    laws = _laws(game, names)
    lines = _lines_of(names)
    view = CUMULATIVE if cumulative else SINGLE
    bins = choose_bins(game, laws.values())
    shown = shown_bins(bins.shares(law) for law in laws.values())
    if cumulative and shown.start * bins.width > min(law.scores[0] for law in laws.values()):
        shown = range(shown.start - 1, shown.stop)  # where the lines start
    dots = f", dots are {simulated:,} simulated games" if simulated else ""
    how = "how many games end at a score or less" if cumulative else "how games end"
    subtitle = f"{game_name(game)}: {how}; lines are exact{dots}"
    figure, axes = canvas(_half_title(laws) if cumulative else _scores_title(laws), subtitle)
    places = view.places(bins, shown)
    peak = 0.0
    for name, (shade, dashes) in lines.items():
        heights = view.heights(bins, shown, laws[name])
        peak = max(peak, *heights)
        axes.plot(places, heights, color=shade, linestyle=dashes, linewidth=1.5, label=name)
    if simulated:
        for name, law in _simulated(Run(game, names, seed), simulated, progress).items():
            axes.plot(
                places,
                view.heights(bins, shown, law),
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
    in_bins = "games" if bins.is_single else f"games in each bin of {width} points"
    axes.set(xlabel="score", ylabel="games that end at this score or less" if cumulative else in_bins)
    axes.grid(axis="y")
    _name_middles(axes, {name: view.middle(law) for name, law in laws.items()}, view.word, lines, peak)
    return figure


def _laws(game: Game, names: Sequence[str]) -> dict[str, ScoreLaw]:
    """The laws by name; first those that are refused where they take too long."""
    refused_first = sorted(names, key=lambda name: name in ("random", "hindsight"))
    laws = {name: score_law(Board(game), named(name)) for name in refused_first}
    return {name: laws[name] for name in names}


def _simulated(run: Run, games: int, progress: Progress | None) -> dict[str, ScoreLaw]:
    for counts in simulate(run, games):
        if progress:
            progress(counts.games, games)
    return {name: counts.law(run.game, number) for number, name in enumerate(run.strategies)}


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


def _half_title(laws: Mapping[str, ScoreLaw]) -> str:
    """Where half of the games end: by all strategies where they are few, else by the lowest and the highest."""
    names = sorted(laws, key=lambda name: laws[name].median)
    told = names if len(names) <= len(USUAL) else [names[0], names[-1]]
    first, *others = told
    more = "".join(f", {points(Fraction(laws[name].median))} with {name}" for name in others)
    return f"Half of the games end at {points(Fraction(laws[first].median))} points or less with {first}{more}"


def _name_middles(
    axes: Axes, middles: Mapping[str, Fraction], word: str, lines: Mapping[str, Line], peak: float
) -> None:
    """A line at each middle with the name beside it, the outer ones first, inner ones above where there is no room."""
    left, right = axes.get_xlim()
    a_point = (right - left) / axes.bbox.width
    names = sorted(middles, key=middles.__getitem__)
    half = (len(names) + 1) // 2
    outside_in = [name for pair in zip_longest(names[:half], names[: half - 1 : -1]) for name in pair if name]
    rows: dict[str, int] = {}
    spans: list[tuple[int, float, float]] = []
    for name in outside_in:
        middle = float(middles[name])
        length = (8 + 5.6 * max(len(name), len(word) + 1 + len(points(middles[name])))) * a_point
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
        middle, (shade, dashes) = float(middles[name]), lines[name]
        height = peak + (8 + LABEL_ROW * (row + 1)) * top / axes.bbox.height
        axes.plot([middle, middle], [0, height], color=shade, linestyle=dashes, linewidth=0.9, label=f"{name}, {word}")
        side = "right" if names.index(name) < half else "left"
        for lines_down, text, weight in ((0, name, "bold"), (1, f"{word} {points(middles[name])}", "normal")):
            offset = (-5 if side == "right" else 5, -11 * lines_down)
            axes.annotate(
                text,
                (middle, height),
                offset,
                textcoords="offset points",
                ha=side,
                va="top",
                color=shade,
                fontsize=9,
                fontweight=weight,
            )
