"""The picture of scores: the laws of strategies, and simulated games."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Final

from matplotlib.figure import Figure

from tentimes18.game import Board, Game
from tentimes18.plan import admit_game
from tentimes18.show.bins import choose_bins
from tentimes18.show.colours import FELT, LUCK, QUIET
from tentimes18.show.figures import points, rough
from tentimes18.show.plots.laws import (
    CUMULATIVE,
    SINGLE,
    Drawing,
    Line,
    distinct_names,
    draw_laws,
    half_title,
    lines_of,
)
from tentimes18.show.plots.style import styled
from tentimes18.show.words import game_name
from tentimes18.simulate.games import simulate
from tentimes18.simulate.plans import admit_games
from tentimes18.simulate.run import Run
from tentimes18.solve.layers import Progress
from tentimes18.solve.scores.score_law import ScoreLaw
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import laws_plan, score_law

__all__ = ["plot_scores"]

USUAL: Final = ("random", "optimal", "hindsight")

# The lines of the paper's figure.
LINES: Final[Mapping[str, Line]] = {
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

    >>> plot_scores(Game.parse("1d6", "1-3"), simulated=0).texts[0].get_text()
    'Best play beats random by 2.3 points; knowing the future adds 0.58'
    """
    names = distinct_names(strategies, field="strategies")
    if simulated:
        admit_games(Run(game, names, seed), simulated)
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
