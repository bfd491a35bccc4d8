"""Best play for the expected score: the recurrence over sets, and the thresholds E_j.

With A the set of free slots, the section "Dynamic Programming" of the paper reads

    M[A] = sum over x of P(X = x) * max over i in A of (lambda_i * x + M[A - {i}]),    M[{}] = 0.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache

from . import Law, Multipliers


@cache
def _value_of_sets(
    law: tuple[tuple[int, Fraction], ...], multipliers: tuple[Fraction | int, ...]
) -> Callable[[frozenset[int]], Fraction]:
    """The function A -> M[A] of one game; it remembers the sets it has seen."""

    @cache
    def value_of_set(free: frozenset[int]) -> Fraction:
        if not free:
            return Fraction(0)
        return sum(
            (
                probability * max(multipliers[slot - 1] * roll + value_of_set(free - {slot}) for slot in free)
                for roll, probability in law
            ),
            Fraction(0),
        )

    return value_of_set


def value(law: Law, multipliers: Multipliers, free: frozenset[int]) -> Fraction:
    """The greatest expected points still to come from these free slots: M[A] of the paper."""
    return _value_of_sets(tuple(sorted(law.items())), tuple(multipliers))(free)


def move_values(law: Law, multipliers: Multipliers, free: frozenset[int], roll: int) -> dict[int, Fraction]:
    """For every free slot, its points for this roll plus the value of the slots that are then left."""
    return {slot: multipliers[slot - 1] * roll + value(law, multipliers, free - {slot}) for slot in sorted(free)}


def best_slots(law: Law, multipliers: Multipliers, free: frozenset[int], roll: int) -> list[int]:
    """All slots with exactly the greatest move value, ascending (section "Playing the game")."""
    values = move_values(law, multipliers, free, roll)
    return [slot for slot in sorted(free) if values[slot] == max(values.values())]


def thresholds(law: Law, n: int) -> list[list[Fraction]]:
    """The rows E_1..E_n by their definition, E_j[i] = E(Y_i) with Y_i the roll that ends in the i-th of j slots.

    The slots have multipliers 1..j. The game is played forward: the chance to have each set of slots free is carried
    from round to round, and each roll goes into the best slot, the smallest one on ties.
    """
    rows = []
    for j in range(1, n + 1):
        multipliers = range(1, j + 1)
        expected = {slot: Fraction(0) for slot in range(1, j + 1)}
        chance = {frozenset(range(1, j + 1)): Fraction(1)}
        for _ in range(j):
            next_chance: dict[frozenset[int], Fraction] = {}
            for free, chance_of_free in chance.items():
                for roll, probability in law.items():
                    slot = best_slots(law, multipliers, free, roll)[0]
                    expected[slot] += chance_of_free * probability * roll
                    rest = free - {slot}
                    next_chance[rest] = next_chance.get(rest, Fraction(0)) + chance_of_free * probability
            chance = next_chance
        rows.append([expected[slot] for slot in range(1, j + 1)])
    return rows


def paper_thresholds(law: Law, n: int) -> list[list[Fraction]]:
    """The rows E_1..E_n by the recurrence of the section "Polynomial time and space", with the index I_{j-1}(x).

    E_j[i] is the mean over x of E_{j-1}[i] for i < I_{j-1}(x), of x for i = I_{j-1}(x), and of E_{j-1}[i-1] for
    i > I_{j-1}(x). The paper prints I_j(x), but E_j is not known yet, and x is placed with j-1 slots left after it.
    """
    rows = []
    previous: dict[int, Fraction] = {}
    for j in range(1, n + 1):
        row = {}
        for i in range(1, j + 1):
            row[i] = Fraction(0)
            for x, probability in law.items():
                index = _paper_index(previous, x)
                if i < index:
                    row[i] += probability * previous[i]
                elif i == index:
                    row[i] += probability * x
                else:
                    row[i] += probability * previous[i - 1]
        rows.append([row[i] for i in range(1, j + 1)])
        previous = row
    return rows


def _paper_index(row: dict[int, Fraction], x: int) -> int:
    """I_j(x): the smallest i with E_j[i-1] <= x <= E_j[i], where E_j[0] is -infinity and E_j[j+1] is +infinity."""
    j = len(row)
    return min(i for i in range(1, j + 2) if (i == 1 or row[i - 1] <= x) and (i == j + 1 or x <= row[i]))


def closest_call(
    law: Law, multipliers: Multipliers, free_sets: Iterable[frozenset[int]]
) -> tuple[Fraction, list[tuple[frozenset[int], int]]]:
    """The smallest gap between the best and the best strictly worse move, and each (free set, roll) that attains it.

    Exact ties are not a call, so the gap is positive. Sets with fewer than two slots are passed over, and so are
    rolls that never happen. See the last paragraph of the section "Playing the game".
    """
    gaps = []
    for free in free_sets:
        if len(free) < 2:
            continue
        for roll in sorted(law):
            if law[roll] == 0:
                continue
            values = move_values(law, multipliers, free, roll).values()
            worse = [other for other in values if other < max(values)]
            if worse:
                gaps.append((max(values) - max(worse), free, roll))
    if not gaps:
        raise ValueError("all moves from all these free sets are equally good")
    smallest = min(gap for gap, _, _ in gaps)
    return smallest, [(free, roll) for gap, free, roll in gaps if gap == smallest]
