"""What safety costs: mean and standard deviation of the strategies with other objectives than the mean.

A strategy is on the front when no other one here has at least its mean with at most its standard deviation, one of the
two strictly better. Utilities that are too extreme for the scores of the game are left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import log10

from tentimes18.errors import InvalidGame
from tentimes18.game import Board, Game
from tentimes18.solve.moments import random_moments
from tentimes18.solve.parallel import Progress
from tentimes18.solve.score_distribution import ScoreDistribution
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


@dataclass(frozen=True, slots=True)
class FrontPoint:
    """A strategy by name, mean and standard deviation of its score, and whether it is on the front."""

    strategy: str
    mean: float
    sd: float
    efficient: bool


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

    def within(number: int) -> Progress | None:
        """Progress within one strategy."""
        return progress and (lambda done, total: progress(total * number + done, total * len(names)))

    distributions = []
    for done, name in enumerate(names, start=1):
        try:
            strategy = named(name)
            distribution = score_distribution(Board(game), strategy, exact=False, progress=within(done - 1))
            distributions.append((name, distribution))
        except InvalidGame:
            continue
        finally:
            if progress:
                progress(done, len(names))
    return front(distributions)
