"""What the law of a score takes: exactly, in packed integers, or in float64.

A rule that looks at the free slots needs a law for each of 2^n sets, with half the scores of the last one on average;
those of two neighbouring numbers of free slots are there at a time.
"""

from collections.abc import Callable
from math import comb, inf
from typing import Final, TypeAlias

from tentimes18.game import Game
from tentimes18.plan import Limits, Plan, admit, admit_game, in_turn, power_of_two, ratio
from tentimes18.solve.lattice import lattice_width
from tentimes18.solve.layers import shared
from tentimes18.solve.old_plans import slots_plan

__all__ = [
    "INSTEAD",
    "SECONDS_A_PRODUCT",
    "LawPlan",
    "admit_law",
    "float_law_plan",
    "hindsight_plan",
    "packed_plan",
    "random_plan",
    "rule_plan",
    "score_rule_plan",
]

INSTEAD: Final = "mean and variance alone need no law"
SECONDS_A_MOVE: Final = 4e-6  # of a law, shifted and added: what Python takes
SECONDS_A_BYTE: Final = 5e-10  # of it
SECONDS_A_SCORE: Final = 4e-5  # of the law in the end, with what is read off it
BYTES_A_SCORE: Final = 300
SECONDS_A_PRODUCT: Final = 2.5e-10
SECONDS_A_SET: Final = 8e-7
SECONDS_A_STATE: Final = 2e-6

LawPlan: TypeAlias = Callable[[Game, int], Plan]
"""Gives the plan of a law from a free set of a game."""


def packed_plan(game: Game, free: int, moves: float, layer: float) -> Plan:
    """What a law takes that is made of so many moves of packed laws, of which a layer of so many is kept.

    Laws have half the scores of the last one on average.
    """
    n, width = free.bit_count(), ratio(lattice_width(game, free))
    bytes_ = width * (n * game.dice.total.bit_length() // 8 + 1)
    return Plan(
        f"the exact law of the score on {n:,} slots",
        seconds=moves * (SECONDS_A_MOVE + SECONDS_A_BYTE * bytes_ / 2) + SECONDS_A_SCORE * width,
        memory=(layer + 2) * bytes_ + BYTES_A_SCORE * width,
    )


def random_plan(game: Game, free: int) -> Plan:
    """What the law of `random` takes: one move a slot and roll."""
    return packed_plan(game, free, moves=2.0 * free.bit_count() * len(game.dice.support), layer=2)


def hindsight_plan(game: Game, free: int) -> Plan:
    """What the law of `hindsight` takes: a move for each roll, number of slots left, and number of equal rolls."""
    n = free.bit_count()
    return packed_plan(game, free, moves=2.0 * n * (n + 1) / 2 * len(game.dice.support), layer=2 * n)


def rule_plan(game: Game, free: int) -> Plan:
    """What the law of a rule takes: a move for each set and roll."""
    n = free.bit_count()
    return packed_plan(game, free, moves=power_of_two(n) * len(game.dice.support), layer=_largest_layer(n))


def score_rule_plan(game: Game, free: int) -> Plan:
    """What the law of a rule takes that looks at the score as well: a call for each set, score and roll."""
    n = free.bit_count()
    sets = power_of_two(n)
    states = sets * (ratio(lattice_width(game, free)) / 2 + 1) if sets < inf else inf
    return Plan(
        f"the law of the score on {n:,} slots", SECONDS_A_STATE * states * len(game.dice.support), 150 * states / 2
    )


def admit_law(game: Game, free: int, plan_of: LawPlan, limits: Limits | None = None) -> None:
    """Raise ``TooLarge`` where the law from a free set does not fit; of a whole game, with what does."""
    if free == game.all_free:
        admit_game(game, lambda smaller: plan_of(smaller, smaller.all_free), limits, instead=INSTEAD)
    else:
        admit(plan_of(game, free), limits, instead=INSTEAD)


def float_law_plan(game: Game, free: int, *, is_optimal: bool = True) -> Plan:
    """What the law of a rule takes: 2^n sets, each with the rolls times half the scores of the last one on average."""
    n, rolls, sets = free.bit_count(), len(game.dice.support), power_of_two(free.bit_count())
    if sets == inf:
        return Plan(f"the law of the score on {n:,} slots", sets, sets)
    scores = ratio(lattice_width(game, free)) + 1
    laws = Plan(
        "the laws",
        shared(sets * (SECONDS_A_SET + SECONDS_A_PRODUCT * rolls * scores / 2)) + SECONDS_A_SCORE * scores,
        8 * _largest_layer(n) * scores + (40 + rolls) * sets + BYTES_A_SCORE * scores,
    )
    return in_turn(f"the law of the score on {n:,} slots", slots_plan(game, n, is_optimal=is_optimal), laws)


def _largest_layer(n: int) -> float:
    """Half of the sets of n slots that two neighbouring layers have at most: so many laws of full width."""
    return ratio(comb(n, n // 2)) if n <= 1000 else inf
