"""The strategies by name. A name is data: whatever it says, nothing is imported, read or written because of it.

Names are the same everywhere: `random`, `optimal`, `hindsight`; the simple rules `nearest`, `bands`, `greedy`
(below); the objectives `target:700`, `utility:exp:0.01`, `utility:power:0.5`, `quantile:0.1`, `cvar:0.1`.

The simple rules use the percentile of a roll, q(x) = P(X < x) + P(X = x) / 2.

- ``nearest``: of k free slots, the one of rank 1 + floor(q k): the roll's expected place among k rolls.
- ``bands``: every roll has a fixed home, slot 1 + floor(q n) of all n; where that is taken, the next free slot
  outwards, upwards for a roll above the median and downwards below it, and else the nearest one inwards.
- ``greedy``: the highest free slot for a roll above the mean, else the lowest.
"""

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from tentimes18.errors import Ten18Error
from tentimes18.game import Game, read_score, slots_of
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import Rule, optimal_rule
from tentimes18.solve.utilities import Utility, exponential, power
from tentimes18.strategies.strategy import (
    Hindsight,
    KnownStrategy,
    ObjectiveStrategy,
    RandomSlot,
    RuleStrategy,
    Solver,
    Strategy,
)

if TYPE_CHECKING:
    from tentimes18.solve.aim_tables import BestPlay

ACCEPTED_OBJECTIVES = "target:700, utility:exp:0.01, utility:power:0.5, quantile:0.1, cvar:0.1"
ACCEPTED = f"random, optimal, hindsight, nearest, bands, greedy, {ACCEPTED_OBJECTIVES}"
DUEL_STRATEGIES = ("hunter", "equilibrium")
"""They look at the opponent's board as well, so they play duels only."""
Finder: TypeAlias = Callable[[str], Strategy]
"""Gives the strategy of a name: `named`, or, for a caller who trusts the name, one that loads code as well."""


STRATEGIES = {
    "optimal": "Makes the most points on average. It looks at its free slots and the roll.",
    "random": "Puts each roll into a free slot at random.",
    "hindsight": "Knows all rolls before the first one. Nobody can score more; nobody can play it.",
    "nearest": "Compares the roll with all possible rolls and takes the free slot of the same rank.",
    "bands": "Has a fixed slot for every roll. If it is taken, the next free slot gets the roll.",
    "greedy": "Puts a roll above the mean into the highest free slot, any other into the lowest.",
    "target:700": "Has the best chance of 700 points or more.",
    "quantile:0.1": "Makes the 10th percentile of its score as high as possible.",
    "cvar:0.1": "Makes the mean of its worst tenth of games as high as possible.",
    "utility:exp:0.01": "Avoids risk: the best play for the utility 1 - exp(-score / 100).",
    "utility:power:0.5": "Avoids risk a little: the best play for the square root of the score.",
    "hunter": "The best response to optimal in a duel. It looks at both boards.",
    "equilibrium": "Our Nash equilibrium of the duel: nobody beats it in the long run.",
}
"""One sentence for each; the numbers in a name can be others."""


class UnknownStrategy(Ten18Error):
    """A name that no strategy has."""


def named(name: str) -> KnownStrategy:
    """The strategy of this name.

    >>> named("optimal").name
    'optimal'
    >>> named("lucky")
    Traceback (most recent call last):
    tentimes18.strategies.named.UnknownStrategy: strategy 'lucky': not known; accepted: random, optimal, hindsight, ...
    """
    if name == "random":
        return RandomSlot()
    if name == "hindsight":
        return Hindsight()
    if rule := rule_named(name):
        return rule
    kind, _, rest = name.partition(":")
    if name in DUEL_STRATEGIES:
        raise Ten18Error("looks at the opponent's board: it plays duels only", "strategy", name)
    if kind not in OBJECTIVES or not rest:
        raise UnknownStrategy(f"not known; accepted: {ACCEPTED}", "strategy", name)
    return OBJECTIVES[kind](name, rest)


def rule_named(name: str) -> RuleStrategy | None:
    """The rule of this name, or None."""
    return RuleStrategy(name, RULES[name]) if name in RULES else None


def _target(name: str, text: str) -> ObjectiveStrategy:
    score = read_score(text, "strategy", name)
    return ObjectiveStrategy(name, _solver("target", score), lambda _, scores: float(scores.at_least(score)))


def _quantile(name: str, text: str) -> ObjectiveStrategy:
    share = _share(name, text)
    return ObjectiveStrategy(name, _solver("quantile", share), lambda _, scores: float(scores.quantile(share)))


def _cvar(name: str, text: str) -> ObjectiveStrategy:
    share = _share(name, text)
    return ObjectiveStrategy(name, _solver("cvar", share), lambda _, scores: float(scores.lower_mean(share)))


def _utility(name: str, text: str) -> ObjectiveStrategy:
    family, _, rest = text.partition(":")
    if family not in ("exp", "power"):
        raise UnknownStrategy(
            f"there is no utility {text[:40]!r}; accepted: utility:exp:0.01, utility:power:0.5", "strategy", name
        )
    parameter = float(read_score(rest, "strategy", name))
    make = partial(exponential if family == "exp" else power, parameter=parameter)
    return utility_strategy(name, make, (family, parameter))


def utility_strategy(name: str, utility: Callable[[Game], Utility], key: Hashable) -> ObjectiveStrategy:
    """Best play for a utility of the score, which may depend on the game; utilities of the same key share tables."""
    solve = _solver("utility", (key, utility))
    return ObjectiveStrategy(name, solve, lambda game, distribution: utility(game).of_distribution(distribution))


def _solver(kind: str, argument: Any) -> Solver:
    def solve(game: Game, progress: Progress | None = None) -> "BestPlay":
        from tentimes18.strategies.solved import BEST_PLAYS  # it loads NumPy and numba

        return BEST_PLAYS[kind](game, argument, progress)

    return solve


def _share(name: str, text: str) -> Fraction:
    share = Fraction(read_score(text, "strategy", name))
    if not 0 < share <= 1:
        raise Ten18Error("a share is above 0 and at most 1, as in quantile:0.1 or cvar:0.1", "strategy", name)
    return share


def nearest(game: Game) -> Rule:
    """The rule ``nearest``.

    >>> nearest(Game.classic())(Game.classic().all_free, 9)
    4
    """
    standing, scale = _standing(game), 2 * game.dice.total

    def choose(free: int, roll: int) -> int:
        slots = slots_of(free)
        return slots[standing[roll] * len(slots) // scale]

    return choose


def bands(game: Game) -> Rule:
    standing, scale = _standing(game), 2 * game.dice.total

    def choose(free: int, roll: int) -> int:
        home = 1 + standing[roll] * game.size // scale
        above = [slot for slot in slots_of(free) if slot >= home]
        below = [slot for slot in slots_of(free) if slot <= home]
        if 2 * standing[roll] > scale:
            return above[0] if above else below[-1]
        return below[-1] if below else above[0]

    return choose


def greedy(game: Game) -> Rule:
    mean = game.dice.mean
    return lambda free, roll: slots_of(free)[-1 if roll > mean else 0]


def _standing(game: Game) -> dict[int, int]:
    """q(x) as integers over twice the total of the dice."""
    below = 0
    standing = {}
    for roll, count in zip(game.dice.support, game.dice.counts, strict=True):
        standing[roll] = 2 * below + count
        below += count
    return standing


RULES: dict[str, Callable[[Game], Rule]] = {
    "optimal": optimal_rule,
    "nearest": nearest,
    "bands": bands,
    "greedy": greedy,
}
OBJECTIVES: dict[str, Callable[[str, str], ObjectiveStrategy]] = {
    "target": _target,
    "quantile": _quantile,
    "cvar": _cvar,
    "utility": _utility,
}
