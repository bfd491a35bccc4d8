"""Sections 1 to 3 of the paper: the game, its dice, and why it is complicated."""

from collections.abc import Iterator
from fractions import Fraction
from math import factorial, prod

from tentimes18.coach.advice import advise_slots
from tentimes18.game import Board, Game
from tentimes18.paper.checks import Check, claim, number
from tentimes18.paper.printed_tables import PROBABILITIES
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.exact_laws import random_law, rule_law
from tentimes18.solve.thresholds import exact_thresholds

__all__ = ["complicated", "introduction", "preliminaries"]


def introduction(game: Game) -> Iterator[Check]:
    """Section 1: the smallest and the largest score, Fig. 1, and the first examples.

    >>> any(check.differs for check in introduction(Game.classic()))
    False
    """
    where = "1 Introduction"
    support, multipliers = game.dice.support, game.multipliers
    rows = exact_thresholds(game.dice, game.size)
    board = Board(game).place(8, 5).place(4, 1)
    yield number(where, "smallest score", "165", sum(multipliers) * support[0])
    yield number(where, "largest score", "990", sum(multipliers) * support[-1])
    yield number("Fig. 1", "8 in #5", "40", multipliers[4] * 8)
    yield number("Fig. 1", "4 in #1", "4", multipliers[0] * 4)
    yield number("Fig. 1", "after two rolls", "44", board.score)
    law = rule_law(game, optimal_rule(game))
    yield claim(
        "Fig. 1",
        "a total of 698",
        "an excellent score",
        f"better than {float(1 - law.at_least(698)):.1%} of the games of optimal",
        law.at_least(698) < Fraction(1, 4),
    )
    extremes = all(row.rank(3) == 1 and row.rank(18) == len(row) + 1 for row in rows)
    yield claim(where, "3 and 18", "to the lowest and highest free slot", "for every number of free slots", extremes)
    odd, even = (advise_slots(game, range(start, 11, 2), 7).best for start in (1, 2))
    yield claim(
        where,
        "7, all even or all odd slots taken",
        "the same problem",
        f"#{odd} and #{even}, each the 1st free slot",
        odd == 1 and even == 2,
    )


def preliminaries(game: Game) -> Iterator[Check]:
    """Section 2: Table 1, the law of three dice, and the expected score of `random`.

    >>> any(check.differs for check in preliminaries(Game.classic()))
    False
    """
    where = "2 Preliminaries"
    die = Game.parse("1d6", "1").dice
    for x, count in zip(game.dice.support, PROBABILITIES.split(), strict=True):
        yield number("Table 1", f"216 P(X={x})", count, 216 * game.dice.probability(x), line="216 P(X=x)")
    yield number(where, "E(X)", "10.5", game.dice.mean)
    yield number(where, "E(X') of one die", "3.5", die.mean)
    yield number(where, "expected score of random", "577.5", random_law(game).mean)


def complicated(game: Game) -> Iterator[Check]:
    """Section 3: the size of the tree of all games.

    >>> any(check.differs for check in complicated(Game.classic()))
    False
    """
    where = "3 Why is this complicated?"
    rolls, n = len(game.dice.support), game.size
    leaves = prod(rolls * free for free in range(1, n + 1))
    yield number(where, "edges from the root", "160", rolls * n)
    yield number(where, "edges from the next node", "144", rolls * (n - 1))
    yield number(where, "nodes at the second level", "23040", rolls * n * rolls * (n - 1))
    yield number(where, "nodes at the last level", "3.99e18", leaves)
    yield claim(where, "16^10 10!", "the last level", str(leaves), leaves == rolls**n * factorial(n))
    yield claim(where, "a byte for each", "several exabytes", f"{leaves / 1e18:.2f} exabytes", 2 <= leaves / 1e18 < 10)
