"""What safety costs: mean and standard deviation of the strategies with other objectives than the mean.

A strategy is on the front when no other one here has at least its mean with at most its standard deviation, one of the
two strictly better. Utilities that are too extreme for the scores of the game are left out.

How good could any strategy be? With t the score minus a fixed number, the pairs (E[t], E[t²]) of all strategies, mixed
ones included, are a convex polygon. Its lower edge has the least variance E[t²] - E[t]² for every mean. Best play for
the utility 2bt - t² is a corner of that edge, and no strategy is below the line of slope 2b through it. Between two
corners we ask for best play at the slope of their chord, until no strategy can be far below the chord.
"""

from bisect import insort
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from math import inf, log10, sqrt
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from tentimes18.errors import InvalidGame
from tentimes18.game import Board, Game
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.moments import optimal_moments, random_moments
from tentimes18.solve.parallel import Progress, split_progress
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.utilities import Utility
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import score_distribution

AVERSIONS = (
    *("0.1", "0.05", "0.03", "0.02", "0.01", "0.005", "0.002"),
    *("-0.002", "-0.005", "-0.01", "-0.02", "-0.05"),
)
CLASSIC_SD = 58
OTHERS = (
    *("cvar:0.01", "cvar:0.05", "cvar:0.1", "cvar:0.25", "cvar:0.5"),
    *("quantile:0.05", "quantile:0.1", "quantile:0.25", "quantile:0.5", "quantile:0.75"),
    *("optimal", "random"),
)
NEAR = 1e-9
CLOSE = 3e-4  # how near the variances come to the least possible, as a share of the variance of `optimal`


@dataclass(frozen=True, slots=True)
class FrontPoint:
    """A strategy by name, mean and standard deviation of its score, and whether it is on the front.

    ``least_sd``: no strategy with at least this mean has a smaller deviation.
    """

    strategy: str
    mean: float
    sd: float
    efficient: bool
    least_sd: float | UnsetType = UNSET


def front_names(game: Game) -> tuple[str, ...]:
    """The strategies to compare, by name; aversions ten times larger or smaller as the scores of the game ask for."""
    power = round(log10(CLASSIC_SD / (random_moments(game).sd or 1.0)))
    return (*(f"utility:exp:{Decimal(a).scaleb(power):f}" for a in AVERSIONS), *OTHERS)


def front(distributions: Iterable[tuple[str, ScoreDistribution]]) -> list[FrontPoint]:
    """The strategies by increasing standard deviation."""
    measured = sorted((distribution.sd, -float(distribution.mean), name) for name, distribution in distributions)
    return [
        FrontPoint(
            name,
            -minus_mean,
            sd,
            not any(
                other_sd <= sd + NEAR
                and other <= minus_mean + NEAR
                and (other_sd < sd - NEAR or other < minus_mean - NEAR)
                for other_sd, other, _ in measured
            ),
        )
        for sd, minus_mean, name in measured
    ]


def front_of(game: Game, strategies: Sequence[str] | None = None, progress: Progress | None = None) -> list[FrontPoint]:
    """These strategies, or the usual ones, by increasing standard deviation."""
    names = tuple(front_names(game) if strategies is None else strategies)
    distributions = []
    for name, part in zip(names, split_progress(progress, *[1.0] * len(names)), strict=True):
        with suppress(InvalidGame):
            distributions.append((name, score_distribution(Board(game), named(name), exact=False, progress=part)))
        if part:
            part(1, 1)
    return front(distributions)


class Corner(NamedTuple):
    """E[t] and E[t²] of a strategy at the lower edge of the polygon."""

    first: float
    second: float


def least_deviations(game: Game, means: Sequence[float], progress: Progress | None = None) -> list[float]:
    """For each mean the least standard deviation of any strategy with that mean or more, from below.

    Strategies exist whose variance is larger by at most ``CLOSE`` of the variance of `optimal`.
    """
    from tentimes18.solve.aims import UtilityTable  # numba, which a web process does without

    optimal = optimal_moments(game)
    centre, variance = float(optimal.mean), float(optimal.variance)
    lattice = lattice_of(game)
    width = float(lattice.unit * lattice.width(game.all_free))
    close = CLOSE * variance + NEAR
    depths: dict[tuple[Corner, Corner], float] = {}

    def corner(b: float) -> tuple[Corner, float]:
        """The corner where the edge has slope 2b, and the most that 2b E[t] - E[t²] can be."""
        table = UtilityTable(game, Utility(lambda score: (2 * b - (score - centre)) * (score - centre)))
        first, most = table.mean(0) - centre, table.expected()
        return Corner(first, 2 * b * first - most), most

    # Left of the first corner the variance grows, since t is never below -width; the last has the best mean.
    corners = [corner(-width)[0], Corner(0.0, variance)]

    def chord(left: Corner, right: Corner, mean: float) -> float:
        """The least variance on the chord at this mean or more: between two ends it is larger than at one of them."""
        at = min(max(mean, left.first), right.first)
        part = (at - left.first) / (right.first - left.first)
        return min(left.second + part * (right.second - left.second) - at**2, right.second - right.first**2)

    def least(mean: float) -> float:
        """The least variance of a strategy with this mean or more, from below."""
        while True:
            edges = [edge for edge in pairwise(corners) if edge[1].first >= min(mean, 0.0)]
            chords = {edge: chord(*edge, mean) for edge in edges if edge[1].first - edge[0].first > NEAR}
            if not chords:
                return min(corner.second - corner.first**2 for corner in corners[-2:])
            left, right = lowest = min(chords, key=lambda edge: chords[edge] - depths.get(edge, inf))
            if lowest in depths:
                bound = chords[lowest] - depths[lowest]
                if bound > min(chords.values()) - close:
                    return bound
            b = (right.second - left.second) / (2 * (right.first - left.first))
            candidate, most = corner(b)
            depths[lowest] = max(0.0, most - (2 * b * left.first - left.second))
            if depths[lowest] > close:
                insort(corners, candidate)

    variances = []
    for done, mean in enumerate(means, start=1):
        variances.append(least(mean - centre))
        if progress:
            progress(done, len(means))
    return [sqrt(max(0.0, variance)) for variance in variances]
