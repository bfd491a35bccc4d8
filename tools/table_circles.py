"""Circles of three at one table: an exact search through all rules of a small game.

Three who play by their own boards meet on the same rolls at one table as they do in duels: they do not look at each
other. Two questions about three of them, A, B and C:

- a circle of results: A is ahead of B in more games than behind it, so is B of C, and C of A, in the same games;
- a circle of company: A gains from the company of B, B from that of C, and C from that of A. With a, b, c the shares of
  the wins at the table of three (ties shared), and a', c' those of A and C in a duel, A gains from the company of B
  where a / (a + c) > a', what is its part of the wins that B leaves, against its share of the wins without B.

A rule is orderly where of two rolls, from the same free slots, the higher one never goes into the lower slot. All of
them, or all rules whatever, are listed by the scores that they make of every sequence of rolls; two rules with the same
scores are one. Wins are counted in integers: sequences, and sixths of them where up to three share one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, inf, prod

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Ints
from tentimes18.game import Game, slots_of
from tentimes18.limits import check_size
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.parallel import Progress

SIXTHS = 6  # of a win: shared by one, two or three
MAX_SLOTS = 8

CircleRule = dict[tuple[int, ...], tuple[int, ...]]
"""The slot for each roll, in their order, from every set of two or more free slots."""


@dataclass(frozen=True, slots=True)
class TableCircle:
    """Three rules in a circle, each doing well by the next one, and the last one by the first.

    ``equities`` of each against the next one (share won, and half the share drawn), ``shares`` of the wins at one table
    of the three. In a circle of results the ``edges`` are what each wins more than it loses against the next one; in
    one of company what each gains from the company of the next one.
    """

    rules: tuple[CircleRule, CircleRule, CircleRule]
    equities: tuple[Fraction, ...]
    shares: tuple[Fraction, ...]
    edges: tuple[Fraction, ...]


def rule_count(game: Game, *, orderly: bool = True) -> int:
    """How many rules there are.

    >>> rule_count(Game.parse("1d2", "1-3")), rule_count(Game.parse("1d2", "1-3"), orderly=False)
    (162, 576)
    """
    rolls = len(game.dice.support)
    sizes = [size for size in range(2, game.size + 1) for _ in range(comb(game.size, size))]
    return prod(comb(size + rolls - 1, rolls) if orderly else size**rolls for size in sizes)


def check_rules(game: Game, *, orderly: bool = True, company: bool = True) -> None:
    """Raise ``TooLarge`` if there are too many rules: company takes all three of them, results only pairs."""
    count = float(rule_count(game, orderly=orderly)) if game.size <= MAX_SLOTS else inf
    sequences = float(len(game.dice.support)) ** game.size
    check_size(
        f"the search for a circle of three rules on {game.size:,} slots",
        bytes=60 * count * sequences + 40 * count**2,
        operations=count * sequences * (2000 + 12 * count ** (2 if company else 1)),
    )


def find_result_circle(game: Game, *, orderly: bool = True, progress: Progress | None = None) -> TableCircle | None:
    """Three rules of which A beats B, B beats C and C beats A in the same games, by the greatest least edge.

    >>> circle = find_result_circle(Game.parse("1d3", "1-3"))
    >>> [str(edge) for edge in circle.edges]
    ['1/9', '1/27', '4/27']
    >>> find_result_circle(Game.parse("1d6", "1-2"), orderly=False) is None
    True
    """
    check_rules(game, orderly=orderly, company=False)
    rules, scores, weights = _listed(game, orderly=orderly)
    ahead = np.array([((row > scores) * weights).sum(axis=1) for row in scores])
    edges = ahead - ahead.T
    best: tuple[int, int, tuple[int, int, int]] | None = None
    for i in range(len(rules)):
        for j in np.flatnonzero(edges[i] > 0).tolist():
            third = np.flatnonzero((edges[j] > 0) & (edges[:, i] > 0))
            if len(third):
                least = np.minimum(np.minimum(edges[i, j], edges[j, third]), edges[third, i])
                total = edges[i, j] + edges[j, third] + edges[third, i]
                best_third = int(np.lexsort((-total, -least))[0])
                found = int(least[best_third]), int(total[best_third]), (i, j, int(third[best_third]))
                if best is None or found[:2] > best[:2]:
                    best = found
        if progress:
            progress(i + 1, len(rules))
    if best is None:
        return None
    i, j, k = best[2]
    games = int(weights.sum())
    steps = tuple(Fraction(int(edges[a, b]), games) for a, b in ((i, j), (j, k), (k, i)))
    return _circle(rules, scores, weights, best[2], steps)


def find_company_circle(game: Game, *, orderly: bool = True, progress: Progress | None = None) -> TableCircle | None:
    """Three rules of which each gains from the company of the next one, by the greatest least gain.

    >>> circle = find_company_circle(Game.parse("1d2", "1-3"))
    >>> [str(edge) for edge in circle.edges]
    ['3/58', '3/70', '1/32']
    """
    check_rules(game, orderly=orderly)
    rules, scores, weights = _listed(game, orderly=orderly)
    equity = np.array([((2 * (row > scores) + (row == scores)) * weights).sum(axis=1) for row in scores])
    whole = 2 * int(weights.sum())
    best: tuple[float, tuple[int, int, int]] | None = None
    for i in range(len(rules)):
        for j in range(len(rules)):
            a, b, c = _shares(scores[i], scores[j], scores, weights)
            with np.errstate(invalid="ignore"):
                gains = (
                    a / (a + c) - equity[i] / whole,
                    b / (b + a) - equity[j, i] / whole,
                    c / (c + b) - equity[:, j] / whole,
                )
            least = np.nan_to_num(np.minimum(np.minimum(*gains[:2]), gains[2]), nan=-1.0)
            k = int(least.argmax())
            if best is None or least[k] > best[0] + 1e-12:
                best = float(least[k]), (i, j, k)
        if progress:
            progress(i + 1, len(rules))
    if best is None:
        return None
    i, j, k = best[1]
    mine, theirs, its = (int(part[0]) for part in _shares(scores[i], scores[j], scores[[k]], weights))
    steps = tuple(
        Fraction(won, won + other) - Fraction(int(equity[one, third]), whole)
        for won, other, one, third in ((mine, its, i, k), (theirs, mine, j, i), (its, theirs, k, j))
    )
    return _circle(rules, scores, weights, best[1], steps) if min(steps) > 0 else None


def _shares(first: Ints, second: Ints, others: Ints, weights: Ints) -> tuple[Ints, Ints, Ints]:
    """The sixths of wins of two rules and a third one at one table, for each of the others."""
    top = np.maximum(np.maximum(first, second), others)
    mine, theirs, its = first == top, second == top, others == top
    sixths = SIXTHS // (mine.astype(np.int64) + theirs + its) * weights
    return (mine * sixths).sum(axis=1), (theirs * sixths).sum(axis=1), (its * sixths).sum(axis=1)


def _circle(
    rules: list[CircleRule], scores: Ints, weights: Ints, places: tuple[int, int, int], edges: tuple[Fraction, ...]
) -> TableCircle:
    i, j, k = places
    total = int(weights.sum())
    equities = []
    for one, other in ((i, j), (j, k), (k, i)):
        twice = int(((2 * (scores[one] > scores[other]) + (scores[one] == scores[other])) * weights).sum())
        equities.append(Fraction(twice, 2 * total))
    shares = _shares(scores[i], scores[j], scores[[k]], weights)
    return TableCircle(
        (rules[i], rules[j], rules[k]),
        tuple(equities),
        tuple(Fraction(int(share[0]), SIXTHS * total) for share in shares),
        edges,
    )


def _listed(game: Game, *, orderly: bool) -> tuple[list[CircleRule], Ints, Ints]:
    """The rules that make different scores; [rule, sequence] these in units, and how often each sequence comes."""
    shifts, counts = lattice_of(game).shifts, game.dice.counts
    sequences = list(product(range(len(counts)), repeat=game.size))
    found: dict[bytes, tuple[CircleRule, NDArray[np.int64]]] = {}
    for rule in _rules(game, orderly=orderly):
        row = np.array([_score(game, shifts, rule, sequence) for sequence in sequences], dtype=np.int64)
        found.setdefault(row.tobytes(), (rule, row))
    weights = np.array([prod(counts[x] for x in sequence) for sequence in sequences], dtype=np.int64)
    return [rule for rule, _ in found.values()], np.stack([row for _, row in found.values()]), weights


def _rules(game: Game, *, orderly: bool) -> Iterator[CircleRule]:
    sets = [slots for A in range(1, game.all_free + 1) if len(slots := slots_of(A)) > 1]
    rolls = len(game.dice.support)
    choices = [
        list(combinations_with_replacement(slots, rolls) if orderly else product(slots, repeat=rolls)) for slots in sets
    ]
    for chosen in product(*choices):
        yield dict(zip(sets, chosen, strict=True))


def _score(game: Game, shifts: tuple[tuple[int, ...], ...], rule: CircleRule, sequence: tuple[int, ...]) -> int:
    free, score = slots_of(game.all_free), 0
    for x in sequence:
        slot = rule[free][x] if len(free) > 1 else free[0]
        score += shifts[slot - 1][x]
        free = tuple(other for other in free if other != slot)
    return score
