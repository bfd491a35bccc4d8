"""The arrays that the kernels of many games work on: the rules of a game, its dealer, the games, what a step gives."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tentimes18.game import Game
from tentimes18.kernels.environment import (
    ChanceTables,
    EnvironmentGames,
    EnvironmentResults,
    EnvironmentRules,
    MeanTables,
    RollDealer,
)
from tentimes18.simulate.drawing import roll_source
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of

__all__ = ["dealer_of", "new_games", "new_results", "no_chances", "no_means", "rules_of"]


def rules_of(game: Game, *, by_chance: bool, by_regret: bool) -> EnvironmentRules:
    """What a game says of points and rolls, by place in the support.

    >>> rules_of(Game.parse("1d3", "1,5"), by_chance=False, by_regret=False).points.tolist()
    [[1.0, 2.0, 3.0], [5.0, 10.0, 15.0]]
    """
    support, lattice = game.dice.support, lattice_of(game)
    span = support[-1] - support[0] or 1
    return EnvironmentRules(
        np.array([[float(multiplier * roll) for roll in support] for multiplier in game.multipliers]),
        np.array([float(low) for low in lattice.lows]),
        np.array([(roll - support[0]) / span for roll in support], dtype=np.float32),
        np.array(support, dtype=np.int64),
        by_chance,
        by_regret,
        float(lattice.width(game.all_free) or 1),
    )


def dealer_of(game: Game) -> RollDealer:
    """What the rolls of a game are drawn from: the same as in a simulation."""
    source = roll_source(Run(game, (), seed=0))
    product = source.total**source.per_word if source.total else 1
    return RollDealer(
        np.uint64(source.total),
        source.per_word,
        np.uint64(product),
        np.uint64((1 << 64) % product),
        source.position.astype(np.uint16),
        source.bounds,
    )


def new_games(count: int, size: int) -> EnvironmentGames:
    """So many games of so many slots, all of them over: a step starts them."""
    return EnvironmentGames(
        keys=np.zeros(count, dtype=np.uint64),
        numbers=np.zeros(count, dtype=np.int64),
        over=np.ones(count, dtype=np.bool_),
        places=np.zeros((count, size), dtype=np.uint16),
        left=np.zeros(count, dtype=np.int64),
        order=np.zeros((count, size), dtype=np.uint16),
        masks=np.zeros((count, size), dtype=np.int8),
        lucks=np.zeros(count),
        sets=np.zeros(count, dtype=np.int64),
        made=np.zeros(count, dtype=np.int64),
        best=np.zeros(count),
    )


def no_means() -> MeanTables:
    """What stands in the place of tables that an aim does not have."""
    cube, square, row = np.zeros((0, 0, 0)), np.zeros((0, 0)), np.zeros(0)
    return MeanTables(cube, cube, square.astype(np.int64), square, square, row, row)


def no_chances() -> ChanceTables:
    """What stands in the place of tables that an aim does not have."""
    square, row = np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)
    return ChanceTables(0, np.zeros(0), row, row, square.astype(np.int8), row, square)


def new_results(count: int, size: int, *, has_target: bool, new: Callable[..., Any]) -> EnvironmentResults:
    """Arrays for what a step of so many games gives, each made by ``new``: ``np.empty`` where a step fills them all."""
    return EnvironmentResults(
        observations=new((count, size + 1 + has_target), dtype=np.float32),
        rewards=new(count),
        terminations=new(count, dtype=np.bool_),
        masks=new((count, size), dtype=np.int8),
        best_actions=new(count, dtype=np.int64),
        illegal=new(count, dtype=np.bool_),
        lucks=new(count),
        regrets=new(count),
        rolls=new(count, dtype=np.int64),
    )
