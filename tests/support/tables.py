"""Tables of several players, as the solver and as the oracle take them."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tentimes18.game import Game, mask_of
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import ObjectiveStrategy, RuleStrategy


def law_of_dice(game: Game) -> dict[int, Fraction]:
    return {x: Fraction(count, game.dice.total) for x, count in zip(game.dice.support, game.dice.counts, strict=True)}


def own_rule(game: Game, name: str) -> Callable[[frozenset[int], Any, int], int]:
    """A strategy by name as a slot for (own free slots, own points, roll)."""
    strategy = named(name)
    if isinstance(strategy, ObjectiveStrategy):
        solution = strategy.solve(game)
        return lambda free, score, roll: solution.choose(mask_of(free), score, roll)
    assert isinstance(strategy, RuleStrategy)
    rule = strategy.rule(game)
    return lambda free, _, roll: rule(mask_of(free), roll)


def own_rules(game: Game, names: Sequence[str]) -> list[Callable[[frozenset[int], Any, int], int]]:
    return [own_rule(game, name) for name in names]
