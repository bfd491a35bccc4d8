"""Duels: two players, the same rolls, both choose at the same time and see both boards.

A position is (my free slots, the opponent's free slots, my lead). Every function takes the game and gives a function of
a position, which remembers the positions it has seen. At the end a lead above 0 wins and one of 0 draws; between, every
roll moves the lead by its points in my slot less its points in the opponent's.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod
from typing import TypeAlias

from . import Law, Multipliers, Score

Free: TypeAlias = frozenset[int]
Rule: TypeAlias = Callable[[Free, int], int]
DuelRule: TypeAlias = Callable[[Free, Free, Score, int], int]
Shares: TypeAlias = tuple[Fraction, Fraction, Fraction]
SharesAt: TypeAlias = Callable[[Free, Free, Score], Shares]
MixedRule: TypeAlias = Callable[[Free, Free, Score, int], Mapping[int, Fraction | float]]
Contents: TypeAlias = Mapping[int, int]
BoardRule: TypeAlias = Callable[[Contents, Contents, int], Mapping[int, Fraction]]
Equity: TypeAlias = Callable[[Free, Free, Score], Fraction]
Matrix: TypeAlias = Sequence[Sequence[Fraction | int]]

HALF = Fraction(1, 2)
ZERO = Fraction(0)
ONE = Fraction(1)


def equity_at_end(lead: Score, draw: Fraction = HALF) -> Fraction:
    return ONE if lead > 0 else draw if lead == 0 else ZERO


def reachable(law: Law, multipliers: Multipliers) -> dict[tuple[Free, Free], set[Score]]:
    """All positions that two players can come to from empty boards: the leads of each pair of free sets."""
    start = frozenset(range(1, len(multipliers) + 1))
    leads: dict[tuple[Free, Free], set[Score]] = {(start, start): {0}}
    layer = set(leads)
    while layer:
        next_layer = set()
        for mine, theirs in layer:
            for roll in _rolls(law):
                for i in mine:
                    for j in theirs:
                        pair = (mine - {i}, theirs - {j})
                        next_layer.add(pair)
                        gain = roll * (multipliers[i - 1] - multipliers[j - 1])
                        leads.setdefault(pair, set()).update(lead + gain for lead in leads[mine, theirs])
        layer = next_layer
    return leads


def fixed(law: Law, multipliers: Multipliers, mine: Rule, theirs: Rule) -> SharesAt:
    """The chances to win, to draw and to lose when both follow rules that look at their own board only."""
    return followed(law, multipliers, lambda free, _theirs, _lead, roll: mine(free, roll), theirs)


def followed(law: Law, multipliers: Multipliers, mine: DuelRule, theirs: Rule) -> SharesAt:
    """The chances to win, to draw and to lose with mine(my free, their free, my lead, roll)."""

    @cache
    def shares(free: Free, opponent_free: Free, lead: Score) -> Shares:
        if not free:
            return (ONE * (lead > 0), ONE * (lead == 0), ONE * (lead < 0))
        win = draw = loss = ZERO
        for roll in _rolls(law):
            i, j = mine(free, opponent_free, lead, roll), theirs(opponent_free, roll)
            next_lead = lead + roll * (multipliers[i - 1] - multipliers[j - 1])
            won, drawn, lost = shares(free - {i}, opponent_free - {j}, next_lead)
            win, draw, loss = win + law[roll] * won, draw + law[roll] * drawn, loss + law[roll] * lost
        return win, draw, loss

    return shares


def laws_followed(
    law: Law, multipliers: Multipliers, mine: DuelRule, theirs: Rule
) -> tuple[dict[Score, Fraction], dict[Score, Fraction]]:
    """The distributions of both players' scores, by all sequences of rolls."""
    free = frozenset(range(1, len(multipliers) + 1))
    laws: tuple[dict[Score, Fraction], dict[Score, Fraction]] = ({}, {})
    for rolls in product(_rolls(law), repeat=len(multipliers)):
        boards, scores = [free, free], [Fraction(0), Fraction(0)]
        for roll in rolls:
            slots = mine(boards[0], boards[1], scores[0] - scores[1], roll), theirs(boards[1], roll)
            scores = [score + roll * multipliers[slot - 1] for score, slot in zip(scores, slots, strict=True)]
            boards = [board - {slot} for board, slot in zip(boards, slots, strict=True)]
        for found, score in zip(laws, scores, strict=True):
            found[score] = found.get(score, ZERO) + prod(law[roll] for roll in rolls)
    return laws


def response(law: Law, multipliers: Multipliers, theirs: Rule, draw: Fraction = HALF) -> Equity:
    """The best equity against a rule that looks at its own board only; a draw counts ``draw``."""
    return best_against_mixed(law, multipliers, lambda free, _mine, _lead, roll: {theirs(free, roll): ONE}, draw)


def best_against_mixed(law: Law, multipliers: Multipliers, sigma: MixedRule, draw: Fraction = HALF) -> Equity:
    """The best equity against sigma(their free, my free, their lead, roll), the chance of each of their slots."""

    @cache
    def best(free: Free, opponent_free: Free, lead: Score) -> Fraction:
        if not free:
            return equity_at_end(lead, draw)
        equity = ZERO
        for roll in _rolls(law):
            chances = {j: Fraction(p) for j, p in sigma(opponent_free, free, -lead, roll).items()}
            equity += law[roll] * max(
                sum(
                    (
                        p
                        * best(free - {i}, opponent_free - {j}, lead + roll * (multipliers[i - 1] - multipliers[j - 1]))
                        for j, p in chances.items()
                    ),
                    ZERO,
                )
                for i in free
            )
        return equity

    return best


def best_against_boards(law: Law, multipliers: Multipliers, sigma: BoardRule, draw: Fraction = HALF) -> Fraction:
    """The best equity from the start against sigma(their board, my board, roll), the chance of each of their slots.

    A board maps slots to rolls. What they give to slots that are not free, they lose at once. Nothing is
    remembered: every course of a game is played.
    """
    slots = range(1, len(multipliers) + 1)

    def score(board: Contents) -> Score:
        return sum((multipliers[slot - 1] * roll for slot, roll in board.items()), ZERO)

    def best(mine: Contents, theirs: Contents) -> Fraction:
        if len(mine) == len(slots):
            return equity_at_end(score(mine) - score(theirs), draw)
        equity = ZERO
        for roll in _rolls(law):
            chances = sigma(theirs, mine, roll)
            made = []
            for i in slots:
                if i not in mine:
                    parts = [
                        p * (ONE if j in theirs else best({**mine, i: roll}, {**theirs, j: roll}))
                        for j, p in chances.items()
                    ]
                    made.append(sum(parts, ZERO))
            equity += law[roll] * max(made)
        return equity

    return best({}, {})


def equilibrium(law: Law, multipliers: Multipliers, draw: Fraction = HALF) -> Equity:
    """The value of the duel when both play for the most: after each roll the value of a matrix game.

    A draw counts ``draw`` for me, and what is left of 1 for the opponent.
    """

    @cache
    def value(free: Free, opponent_free: Free, lead: Score) -> Fraction:
        if not free:
            return equity_at_end(lead, draw)
        return sum(
            (
                law[roll]
                * matrix_value(
                    [
                        [
                            value(
                                free - {i}, opponent_free - {j}, lead + roll * (multipliers[i - 1] - multipliers[j - 1])
                            )
                            for j in sorted(opponent_free)
                        ]
                        for i in sorted(free)
                    ]
                )
                for roll in _rolls(law)
            ),
            ZERO,
        )

    return value


def matrix_value(matrix: Matrix) -> Fraction:
    """What the player who chooses the row can make sure of, and the one who chooses the column can hold it to.

    Some square submatrix has a mix of its rows that makes its columns equal, and a mix of its columns that makes its
    rows equal, and both are best in the whole matrix (Shapley, Snow 1950). What is returned is proved in passing: the
    mix of rows gives at least this value against every column, the mix of columns at most this against every row.
    """
    height, width = len(matrix), len(matrix[0])
    for size in range(1, min(height, width) + 1):
        for rows in combinations(range(height), size):
            for columns in combinations(range(width), size):
                by_row = _equalising([[matrix[i][j] for i in rows] for j in columns])
                by_column = _equalising([[matrix[i][j] for j in columns] for i in rows])
                if by_row is None or by_column is None:
                    continue
                (x, value), (y, same) = by_row, by_column
                if (
                    value == same
                    and min(*x, *y) >= 0
                    and all(sum(p * matrix[i][j] for p, i in zip(x, rows, strict=True)) >= value for j in range(width))
                    and all(sum(p * row[j] for p, j in zip(y, columns, strict=True)) <= value for row in matrix)
                ):
                    return value
    raise AssertionError("a matrix game has a value")


def _equalising(rows: Matrix) -> tuple[list[Fraction], Fraction] | None:
    """The weights x, 1 in sum, that give every row r of a square matrix the same r·x, and that number; or None.

    Where the equations have no solution, or more than one, the result is null.
    """
    size = len(rows)
    system = [[*map(Fraction, row), -ONE, ZERO] for row in rows] + [[ONE] * size + [ZERO, ONE]]
    for column in range(size + 1):
        pivot = next((i for i in range(column, size + 1) if system[i][column] != 0), None)
        if pivot is None:
            return None
        system[column], system[pivot] = system[pivot], system[column]
        first = system[column][column]
        system[column] = [entry / first for entry in system[column]]
        for i in range(size + 1):
            if i != column and system[i][column] != 0:
                factor = system[i][column]
                system[i] = [a - factor * b for a, b in zip(system[i], system[column], strict=True)]
    *weights, value = [row[-1] for row in system]
    return weights, value


def _rolls(law: Law) -> list[int]:
    return [roll for roll in sorted(law) if law[roll] > 0]
