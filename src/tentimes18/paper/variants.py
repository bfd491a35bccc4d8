"""Sections 9 and 10 of the paper: other dice, and the duel of the conclusion."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from tentimes18.duel.response_cycle import exact_response, find_cycle
from tentimes18.game import Game, mask_of
from tentimes18.paper.checks import Check, claim, number, slip
from tentimes18.paper.printed_tables import LOADED_E_TABLE, LOADED_PROBABILITIES
from tentimes18.solve.hindsight import paper_recurrence
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.exact_laws import random_law
from tentimes18.solve.subsets import exact_subset_values
from tentimes18.solve.thresholds import exact_thresholds

__all__ = ["conclusion", "variants"]

LOADED: Final = Game.parse("2d12:12=2", "1-5")


def variants() -> Iterator[Check]:
    """Section 9: two loaded dice, Tables 6 and 7.

    >>> any(check.differs for check in variants())
    False
    """
    where = "9 Variants"
    dice, n = LOADED.dice, LOADED.size
    die = Game.parse("1d12:12=2", "1").dice
    yield claim(where, "P(12) of one die", "2/13", str(die.probability(12)), die.probability(12) == Fraction(2, 13))
    yield claim(where, "P of another face", "1/13", str(die.probability(1)), die.probability(1) == Fraction(1, 13))
    for x, count in zip(dice.support, LOADED_PROBABILITIES.split(), strict=True):
        yield number("Table 6", f"169 P(X={x})", count, 169 * dice.probability(x), line="169 P(X=x)")
    yield number(where, "E(X)", "13.84615", dice.mean)
    rows = exact_thresholds(dice, n)
    for j in range(n, 0, -1):
        for i, printed in enumerate(LOADED_E_TABLE.strip().splitlines()[j - 1].split()):
            if (j, i) == (5, 1):
                yield slip(
                    "Table 7",
                    "E_5[2]",
                    printed,
                    float(rows[4][1]),
                    number("Table 7", "E_5[2]", "11.714", rows[4][1]).agrees,
                    f"{float(rows[4][1]):.5f} rounds to 11.714: the paper cut it off",
                )
            else:
                yield number("Table 7", f"E_{j}[{i + 1}]", printed, rows[j - 1][i], line=f"E_{j}[i]")
    yield number(where, "expected score of optimal", "231.11229", exact_subset_values(LOADED)[-1])
    yield number(where, "expected score of hindsight", "236.97840", paper_recurrence(LOADED))
    yield number(where, "expected score of random", "207.69231", random_law(LOADED).mean)


def conclusion() -> Iterator[Check]:
    """Section 10: the duel.

    >>> any(check.differs for check in conclusion())
    False
    """
    where = "10 Conclusion"
    game = Game.parse("1d6", "1-4")
    cycle = find_cycle(game)
    assert cycle is not None
    beats = {name: f"{result.win} > {result.loss}" for name, result in zip(cycle.names, cycle.results, strict=True)}
    yield claim(
        where,
        "against the score-optimal strategy",
        "you can get an upper hand",
        f"in {game} its best response wins and loses {beats['hunter']}",
        cycle.results[cycle.names.index("hunter")].win > cycle.results[cycle.names.index("hunter")].loss,
    )
    yield claim(
        where,
        "A beats B, B beats C, C beats A",
        "there may be cases",
        f"in {game} {', '.join(f'{name} {chances}' for name, chances in beats.items())}",
        all(result.win > result.loss for result in cycle.results),
    )
    optimal = optimal_rule(game)
    response = exact_response(game, lambda free, _opponent_free, _lead, roll: optimal(free, roll))
    mine, lead, roll = mask_of([1, 3]), -4, 3
    slots = [response(mine, mask_of(theirs), lead, roll) for theirs in ([1, 3], [1, 2])]
    yield slip(
        where,
        "state of the duel",
        "the filled slots and the score obtained so far",
        "the filled slots of both players and the lead",
        slots == [3, 1],
        f"{game}, #1 and #3 free, 4 points behind, roll 3: the best response to optimal is #{slots[0]} when the "
        f"opponent has #1 and #3 free, #{slots[1]} when #1 and #2 (the duel of the classic game is solved as well)",
    )
