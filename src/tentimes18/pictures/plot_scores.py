"""Laws as lines, one a law: how often each score or roll, or how often that or less; in the middle of each its name.

The picture of scores: the laws of strategies, and simulated games.

The picture of dice: the laws of one roll.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, zip_longest
from typing import Any, NamedTuple, TypeAlias

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
"""A colour and the dashes."""
# Told apart without colour too.
OTHER_LINES: Sequence[Line] = (
    (LOSS, (0, (7, 1.5, 1.5, 1.5))),
    (RIVAL, (0, (3, 1, 1, 1, 1, 1))),
    (colour_of("line-amber"), (0, (9, 3))),
    (colour_of("line-pink"), (0, (1, 3))),
    (INK, (0, (2, 1))),
    (colour_of("line-olive"), (0, (5, 1))),
)
MAX_LAWS = len(OTHER_LINES)
LABEL_ROW = 27.0  # points
MAX_DOTS = 60
MOST_TOLD = 3  # laws in a title


class LawView(NamedTuple):
    """What is drawn of a law: its height at each bin, and the middle that is named."""

    heights: Callable[[Bins, range, ScoreDistribution], list[float]]
    places: Callable[[Bins, range], list[float]]
    middle: Callable[[ScoreDistribution], Fraction]
    word: str


def _shares(bins: Bins, shown: range, law: ScoreDistribution) -> list[float]:
    found = bins.shares(law)
    return [found.get(number, 0.0) for number in shown]


def _at_most(bins: Bins, shown: range, law: ScoreDistribution) -> list[float]:
    return [float(law.at_most(bins.ends(number)[1])) for number in shown]


SINGLE = LawView(
    _shares,
    lambda bins, shown: [bins.place(number) for number in shown],
    lambda law: Fraction(law.mean),
    "mean",
)
CUMULATIVE = LawView(
    _at_most,
    lambda bins, shown: [float(bins.ends(number)[1]) for number in shown],
    lambda law: Fraction(law.median),
    "median",
)


@dataclass(frozen=True)
class Drawing:
    """What is to be drawn: laws by name, in these bins and lines, and what was counted in games, as dots."""

    laws: Mapping[str, ScoreDistribution]
    lines: Mapping[str, Line]
    bins: Bins
    view: LawView
    counted: Mapping[str, ScoreDistribution] = field(default_factory=dict)


def distinct_names(names: Iterable[str], field: str) -> tuple[str, ...]:
    """The names, each once; raises ``Ten18Error`` where there are none, or more than can be told apart."""
    distinct = tuple(dict.fromkeys(names))
    if not 1 <= len(distinct) <= MAX_LAWS:
        raise Ten18Error(f"{len(distinct)} given; 1 to {MAX_LAWS} are drawn", field=field)
    return distinct


def lines_of(names: Iterable[str], own: Mapping[str, Line]) -> dict[str, Line]:
    """A line for each: its own, or another one."""
    others = iter(OTHER_LINES)
    return {name: own[name] if name in own else next(others) for name in names}


def draw_laws(title: str, subtitle: str, drawing: Drawing, xlabel: str, ylabel: str) -> Figure:
    """The picture, from the first to the last bin that holds enough to be seen."""
    laws, bins, view = drawing.laws, drawing.bins, drawing.view
    shown = shown_bins(bins.shares(law) for law in laws.values())
    if view is CUMULATIVE:
        shown = range(shown.start - 1, shown.stop)  # where the lines start
    figure, axes = canvas(title, subtitle)
    places = view.places(bins, shown)
    peak = 0.0
    for name, (shade, dashes) in drawing.lines.items():
        heights = view.heights(bins, shown, laws[name])
        peak = max(peak, *heights)
        own = _own_part(heights) if view is SINGLE else slice(None)
        form = _form(drawing, heights[own])
        axes.plot(places[own], heights[own], color=shade, linestyle=dashes, linewidth=1.5, label=name, **form)
    for name, law in drawing.counted.items():
        axes.plot(
            places,
            view.heights(bins, shown, law),
            "o",
            color=drawing.lines[name][0],
            markersize=3.6,
            markeredgecolor=WHITE,
            markeredgewidth=0.6,
            label=f"{name}, simulated",
            clip_on=False,
            zorder=3,
        )
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.grid(axis="y")
    if bins.unit.denominator == Fraction(bins.origin).denominator == 1:
        axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(lambda score, _: _tick(score))
    _name_middles(axes, drawing, peak)
    return figure


def _tick(score: float) -> str:
    """A whole number on the axis."""
    return f"{score:,.0f}".replace("-", "−") if abs(score) < HUGE else power_of_ten(score)


def _own_part(heights: Sequence[float]) -> slice:
    """From the first to the last bin that a law has a share in."""
    held = [place for place, height in enumerate(heights) if height]
    return slice(held[0], held[-1] + 1)


def _form(drawing: Drawing, heights: Sequence[float]) -> dict[str, Any]:
    """Few scores are dots that the line leads to, or steps: there is nothing between them."""
    if not drawing.bins.is_single or len(heights) > MAX_DOTS or drawing.counted:
        return {}
    if drawing.view is CUMULATIVE:
        return {"drawstyle": "steps-post"}
    held = [place for place, height in enumerate(heights) if height]
    return {"marker": "o", "markersize": 4.5, "markevery": held, "clip_on": False}


def half_title(laws: Mapping[str, ScoreDistribution], of: str, end: str) -> str:
    """Where half of them end: by all laws where they are few, else by the lowest and the highest."""
    names = sorted(laws, key=lambda name: laws[name].median)
    medians = {name: points(Fraction(laws[name].median)) for name in names}
    told = names if len(names) <= MOST_TOLD else [names[0], names[-1]]
    if len(names) > 1 and len(set(medians.values())) == 1:
        return f"Half of the {of} {end.format(medians[names[0]])} with each of them"
    more = "".join(f", {medians[name]} with {name}" for name in told[1:])
    return f"Half of the {of} {end.format(medians[told[0]])} with {told[0]}{more}"


def _name_middles(axes: Axes, drawing: Drawing, peak: float) -> None:
    """A line at each middle with the name beside it, the outer ones first, inner ones above where there is no room."""
    middles = {name: drawing.view.middle(law) for name, law in drawing.laws.items()}
    word, lines = drawing.view.word, drawing.lines
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
    """How often which score: exact laws as lines, simulated games as dots, as in the paper's second figure.

    With ``cumulative`` how often that score or less.
    """
    names = distinct_names(strategies, field="strategies")
    if simulated:
        check_games(Run(game, names, seed), simulated)
    laws = _laws(game, names, progress)
    bins = choose_bins(game, laws.values())
    counted = _simulated(Run(game, names, seed), simulated, progress) if simulated else {}
    drawing = Drawing(laws, lines_of(names, LINES), bins, CUMULATIVE if cumulative else SINGLE, counted)
    dots = f", dots are {simulated:,} simulated games" if simulated else ""
    if cumulative:
        subtitle = f"{game_name(game)}: how many games end at a score or less; lines are exact{dots}"
        title = half_title(laws, "games", "end at {} points or less")
        return draw_laws(title, subtitle, drawing, "score", "games that end at this score or less")
    subtitle = f"{game_name(game)}: how games end; lines are exact{dots}"
    width = points(Fraction(bins.width))
    in_bins = "games" if bins.is_single else f"games in each bin of {width} points"
    return draw_laws(_scores_title(laws), subtitle, drawing, "score", in_bins)


def _laws(game: Game, names: Sequence[str], progress: Progress | None) -> dict[str, ScoreDistribution]:
    """The distributions by name; those that are rejected if the game is too large come first."""
    strategies = sorted(map(named, names), key=lambda strategy: strategy.name in ("random", "hindsight"))
    by_name = {strategy.name: score_distribution(Board(game), strategy, progress=progress) for strategy in strategies}
    return {name: by_name[name] for name in names}


def _simulated(run: Run, games: int, progress: Progress | None) -> dict[str, ScoreDistribution]:
    for counts in simulate(run, games):
        if progress:
            progress(counts.games, games)
    return {name: counts.distribution(run.game, number) for number, name in enumerate(run.strategies)}


def _scores_title(laws: Mapping[str, ScoreDistribution]) -> str:
    if set(laws) != set(USUAL) or len({points(Fraction(law.mean)) for law in laws.values()}) == 1:
        return _mean_title(laws, "make", " points")
    gains = [rough(Fraction(laws[better].mean) - Fraction(laws[worse].mean)) for worse, better in pairwise(USUAL)]
    return f"Best play beats random by {gains[0]} points; knowing the future adds {gains[1]}"


def _mean_title(laws: Mapping[str, ScoreDistribution], verb: str, noun: str) -> str:
    """Which has the highest mean, and by how much; of one alone its mean and where most of it is."""
    means = {name: Fraction(law.mean) for name, law in laws.items()}
    low, high = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
    if len(means) == 1:
        ends = [points(Fraction(laws[low].quantile(Fraction(q, 20)))) for q in (1, 19)]
        return f"{low} {verb}s {points(means[low])}{noun} on average, nine times in ten {ends[0]} to {ends[1]}"
    if points(means[low]) == points(means[high]):
        return f"All {verb} {points(means[low])}{noun} on average"
    return f"{high} {verb}s {points(means[high])}{noun} on average, {rough(means[high] - means[low])} more than {low}"


FIRST_LINES: Sequence[Line] = ((FELT, "-"), (LUCK, (0, (4.5, 2))))
LONGEST = 24  # of a name beside its line


@styled
def plot_dice(dice: Sequence[Dice], *, cumulative: bool = False) -> Figure:
    """How often each roll of these dice; with ``cumulative`` how often that or less."""
    by_name = {_name(one): one for one in dice}
    names = distinct_names(by_name, field="dice")
    laws = {name: ScoreDistribution(by_name[name].support, by_name[name].counts, by_name[name].total) for name in names}
    lines = lines_of(names, dict(zip(names, FIRST_LINES, strict=False)))
    bins = roll_bins(dice)
    drawing = Drawing(laws, lines, bins, CUMULATIVE if cumulative else SINGLE)
    if cumulative:
        title = half_title(laws, "rolls", "show {} or less")
        return draw_laws(title, "How many rolls show so much or less, exactly", drawing, "roll", "rolls up to this one")
    in_bins = "rolls" if bins.is_single else f"rolls in each bin of {points(Fraction(bins.width))}"
    return draw_laws(_mean_title(laws, "show", ""), "How often each roll, exactly", drawing, "roll", in_bins)


def _name(dice: Dice) -> str:
    text = str(dice)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
