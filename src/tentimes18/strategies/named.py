"""The strategies by name. A name is data: whatever it says, nothing is imported, read or written because of it.

Names are the same everywhere: `random`, `optimal`, `hindsight`; the simple rules `nearest`, `bands`, `greedy`
(`strategies.rules`); the objectives `target:700`, `utility:exp:0.01`, `utility:power:0.5`, `quantile:0.1`, `cvar:0.1`.
"""

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import partial
from typing import Final, TypeAlias

from tentimes18.errors import Ten18Error
from tentimes18.game import Game, read_score
from tentimes18.plan import Plan, kept_together
from tentimes18.solve.layers import Progress
from tentimes18.solve.objectives.plans import chances_plan, shortfalls_plan, utilities_plan
from tentimes18.solve.objectives.utilities import Utility, exponential, power
from tentimes18.solve.rules import Rule, optimal_rule
from tentimes18.strategies.rules import bands, greedy, nearest
from tentimes18.strategies.strategy import (
    Hindsight,
    KnownStrategy,
    ObjectiveStrategy,
    RandomSlot,
    RuleStrategy,
    Solution,
    Strategy,
    laws_plan,
)

__all__ = [
    "ACCEPTED",
    "ACCEPTED_OBJECTIVES",
    "DUEL_STRATEGIES",
    "OBJECTIVES",
    "RULES",
    "Finder",
    "UnknownStrategy",
    "best_chances_plan",
    "named",
    "rule_named",
    "target_plan",
    "utility_strategy",
]

ACCEPTED_OBJECTIVES: Final = "target:700, utility:exp:0.01, utility:power:0.5, quantile:0.1, cvar:0.1"
ACCEPTED: Final = f"random, optimal, hindsight, nearest, bands, greedy, {ACCEPTED_OBJECTIVES}"

DUEL_STRATEGIES: Final = ("hunter", "equilibrium")
"""They look at the opponent's board as well, so they play duels only."""

Finder: TypeAlias = Callable[[str], Strategy]
"""Gives the strategy of a name: `named`, or, for a caller who trusts the name, one that loads code as well."""


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
    """The rule of this name, which looks at the free slots and the roll only; none where no rule has it.

    >>> rule_named("nearest").name, rule_named("random")
    ('nearest', None)
    """
    return RuleStrategy(name, RULES[name]) if name in RULES else None


def best_chances_plan(game: Game) -> Plan:
    """What the table of the best chances takes: exact wherever that fits."""
    exact = chances_plan(game)
    return exact if exact.fits() else chances_plan(game, exact=False)


def target_plan(game: Game) -> Plan:
    """What the best chance of a target takes, and that of `optimal` beside it."""
    law = laws_plan((named("optimal"),), game)
    return kept_together(f"the best chances on {game.size:,} slots", best_chances_plan(game), law)


def _target(name: str, text: str) -> ObjectiveStrategy:
    score = read_score(text, "strategy", name)

    def solve(game: Game, progress: Progress | None = None) -> Solution:
        from tentimes18.strategies.solved import chances

        return chances(game, progress).best_play(score)

    return ObjectiveStrategy(name, solve, lambda _, law: float(law.at_least(score)), best_chances_plan)


def _quantile(name: str, text: str) -> ObjectiveStrategy:
    share = _share(name, text)

    def solve(game: Game, progress: Progress | None = None) -> Solution:
        from tentimes18.solve.objectives.quantile import best_quantile
        from tentimes18.strategies.solved import chances

        return best_quantile(chances(game, progress), share)

    return ObjectiveStrategy(name, solve, lambda _, law: float(law.quantile(share)), best_chances_plan)


def _cvar(name: str, text: str) -> ObjectiveStrategy:
    share = _share(name, text)

    def solve(game: Game, progress: Progress | None = None) -> Solution:
        from tentimes18.solve.objectives.shortfall import best_worst_share
        from tentimes18.strategies.solved import shortfalls

        return best_worst_share(shortfalls(game, progress), share)

    return ObjectiveStrategy(name, solve, lambda _, law: float(law.lower_mean(share)), shortfalls_plan)


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
    """Best play for a utility of the score, which may depend on the game; utilities of the same key share tables.

    >>> def square(score: float) -> float:
    ...     return score**2
    >>> utility_strategy("squares", lambda game: Utility(square), key=square).name
    'squares'
    """

    def solve(game: Game, progress: Progress | None = None) -> Solution:
        from tentimes18.strategies.solved import utilities

        return utilities(game, key, utility, progress).best_play()

    return ObjectiveStrategy(name, solve, lambda game, law: utility(game).of_law(law), utilities_plan)


RULES: Final[dict[str, Callable[[Game], Rule]]] = {
    "optimal": optimal_rule,
    "nearest": nearest,
    "bands": bands,
    "greedy": greedy,
}

OBJECTIVES: Final[dict[str, Callable[[str, str], ObjectiveStrategy]]] = {
    "target": _target,
    "quantile": _quantile,
    "cvar": _cvar,
    "utility": _utility,
}


def _share(name: str, text: str) -> Fraction:
    share = Fraction(read_score(text, "strategy", name))
    if not 0 < share <= 1:
        raise Ten18Error("a share is above 0 and at most 1, as in quantile:0.1 or cvar:0.1", "strategy", name)
    return share
