"""The duel with own rolls: each player rolls their own dice, and does not see the other board.

Then a strategy matters only through the distribution of its score. Against a distribution, my equity is E[u(S)] with

    u(s) = P(opponent's score < s) + P(opponent's score = s) / 2,

so the best response is one utility problem. An equilibrium is a mixture of a few strategies: start with one, and as
long as the best response to the mixture gains more than allowed, add it and solve the matrix game between the
strategies so far (the double oracle method of McMahan, Gordon and Blum 2003). What the last best response gains is the
exploitability.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from tentimes18.duel.lead_windows import Outcome
from tentimes18.duel.matrix_games import mixed_move
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.solve.aim_tables import BestPlay
from tentimes18.solve.aims import UtilityTable
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.parallel import Progress
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.solve.utilities import Utility

MAX_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class OwnRolls:
    """A mixture of strategies: their distributions and shares, and the gain of the best response over one half."""

    distributions: tuple[ScoreDistribution, ...]
    shares: tuple[float, ...]
    exploitability: float

    @property
    def distribution(self) -> ScoreDistribution:
        return _mixture(self.distributions, self.shares)


def equity(mine: ScoreDistribution, theirs: ScoreDistribution) -> float:
    """My chance to have the higher score, a draw counting one half, when the scores are independent."""
    chance = _chance(theirs)
    return sum(weight / mine.total * chance(float(s)) for s, weight in zip(mine.scores, mine.weights, strict=True))


def outcome(mine: ScoreDistribution, theirs: ScoreDistribution) -> Outcome:
    """The chances of a score with my distribution against an independent one."""
    whole = equity(mine, theirs)
    pairs = zip(mine.scores, mine.weights, strict=True)
    drawn = sum(weight / mine.total * float(theirs.probability(score)) for score, weight in pairs)
    return Outcome.of(whole, drawn, 0.5)


def response_to_distribution(game: Game, theirs: ScoreDistribution, progress: Progress | None = None) -> BestPlay:
    """The best strategy against a score with this distribution; its value is the equity."""
    return UtilityTable(game, Utility(_chance(theirs)), progress).best_play()


def own_rolls_equilibrium(game: Game, most: float = 1e-5, progress: Progress | None = None) -> OwnRolls:
    """An equilibrium that no strategy beats by more than ``most``."""
    distributions = [float_rule_distribution(game, optimal_rule(game), progress=progress)]
    for _ in range(MAX_ROUNDS):
        M = np.array([[0.5 if a is b else equity(a, b) for b in distributions] for a in distributions])
        shares = np.zeros(len(distributions))
        mixed_move(M, shares)
        mixture = _mixture(distributions, shares.tolist())
        response = response_to_distribution(game, mixture, progress)
        gain = float(response.value) - 0.5
        if gain <= most:
            return OwnRolls(tuple(distributions), tuple(shares.tolist()), gain)
        distributions.append(response.distribution(exact=False, progress=progress))
    raise Ten18Error(f"own rolls: no equilibrium within {MAX_ROUNDS} rounds; the best response still gains {gain:.1e}")


def _chance(theirs: ScoreDistribution) -> Callable[[float], float]:
    """u(s): the chance that a score s wins, a draw counting one half."""
    scores = [float(s) for s in theirs.scores]
    up_to = list(accumulate((w / theirs.total for w in theirs.weights), initial=0.0))
    return lambda score: (up_to[bisect_left(scores, score)] + up_to[bisect_right(scores, score)]) / 2


def _mixture(distributions: Sequence[ScoreDistribution], shares: Sequence[float]) -> ScoreDistribution:
    mixed: dict[object, float] = {}
    for distribution, share in zip(distributions, shares, strict=True):
        for score, weight in zip(distribution.scores, distribution.weights, strict=True):
            mixed[score] = mixed.get(score, 0.0) + share * weight / distribution.total
    scores = tuple(sorted(mixed))  # type: ignore[type-var]
    return ScoreDistribution(scores, tuple(mixed[score] for score in scores), 1.0)  # type: ignore[arg-type]
