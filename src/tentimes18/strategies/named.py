"""The strategies by name. A name is data: whatever it says, nothing is imported, read or written because of it.

Names are the same everywhere: `random`, `optimal`, `hindsight`; the simple rules `nearest`, `bands`, `greedy`
(below); the objectives `target:700`, `utility:exp:0.01`, `utility:power:0.5`, `quantile:0.1`, `cvar:0.1`.

The simple rules use where a roll stands among the rolls of the dice, q(x) = P(X < x) + P(X = x) / 2.

- ``nearest``: of k free slots, the one of rank 1 + floor(q k): where the roll would stand among k rolls.
- ``bands``: every roll has a fixed home, slot 1 + floor(q n) of all n; where that is taken, the next free slot
  outwards, upwards for a roll above the median and downwards below it, and else the nearest one inwards.
- ``greedy``: the highest free slot for a roll above the mean, else the lowest.
"""

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

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
    Strategy,
)

if TYPE_CHECKING:
    from tentimes18.solve.best_play import BestPlay

ACCEPTED_OBJECTIVES = "target:700, utility:exp:0.01, utility:power:0.5, quantile:0.1, cvar:0.1"
ACCEPTED = f"random, optimal, hindsight, nearest, bands, greedy, {ACCEPTED_OBJECTIVES}"
DUEL_STRATEGIES = ("hunter", "equilibrium")
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
    """The rule of this name, which looks at the free slots and the roll only; none where no rule has it."""
    return RuleStrategy(name, RULES[name]) if name in RULES else None


def _target(name: str, text: str) -> ObjectiveStrategy:
    score = read_score(text, "strategy", name)

    def solve(game: Game, progress: Progress | None = None) -> "BestPlay":
        from tentimes18.strategies.solved import chances

        return chances(game, progress).best_play(score)

    return ObjectiveStrategy(name, solve, lambda _, distribution: float(distribution.at_least(score)))


def _quantile(name: str, text: str) -> ObjectiveStrategy:
    share = _share(name, text)

    def solve(game: Game, progress: Progress | None = None) -> "BestPlay":
        from tentimes18.solve.aims import best_quantile
        from tentimes18.strategies.solved import chances

        return best_quantile(chances(game, progress), share)

    return ObjectiveStrategy(name, solve, lambda _, distribution: float(distribution.quantile(share)))


def _cvar(name: str, text: str) -> ObjectiveStrategy:
    share = _share(name, text)

    def solve(game: Game, progress: Progress | None = None) -> "BestPlay":
        from tentimes18.solve.aims import best_worst_share
        from tentimes18.strategies.solved import shortfalls

        return best_worst_share(shortfalls(game, progress), share)

    return ObjectiveStrategy(name, solve, lambda _, distribution: float(distribution.lower_mean(share)))


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

    def solve(game: Game, progress: Progress | None = None) -> "BestPlay":
        from tentimes18.strategies.solved import utilities

        return utilities(game, key, utility, progress).best_play()

    return ObjectiveStrategy(name, solve, lambda game, distribution: utility(game).of_distribution(distribution))


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
    """The rule ``bands``."""
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
    """The rule ``greedy``."""
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
