"""Distributions of scores and of rolls in slots, by going through all sequences of n rolls."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from math import factorial, prod

from . import Law, Multipliers, Score


def _sequences(law: Law, n: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every sequence of n rolls that can happen, with its probability."""
    possible = [roll for roll in sorted(law) if law[roll] > 0]
    for rolls in product(possible, repeat=n):
        yield rolls, prod((law[roll] for roll in rolls), start=Fraction(1))


def _score(multipliers: Multipliers, placed: dict[int, int]) -> Fraction:
    """The score of a full board, given as slot -> roll."""
    return sum((Fraction(multipliers[slot - 1] * roll) for slot, roll in placed.items()), Fraction(0))


def _mean(law: dict[Score, Fraction]) -> Fraction:
    """The mean of a distribution of scores."""
    return sum((score * probability for score, probability in law.items()), Fraction(0))


def law_of_hindsight(law: Law, multipliers: Multipliers) -> dict[Score, Fraction]:
    """The distribution of the score if all rolls are known before the first is placed: sorted rolls in sorted slots.

    This is the "all-knowing" strategy of the section "Knowing the future".
    """
    scores: dict[Score, Fraction] = {}
    for rolls, probability in _sequences(law, len(multipliers)):
        placed = dict(enumerate(sorted(rolls), start=1))
        score = _score(multipliers, placed)
        scores[score] = scores.get(score, Fraction(0)) + probability
    return scores


def expected_hindsight(law: Law, multipliers: Multipliers) -> Fraction:
    """The expected score of the "all-knowing" strategy."""
    return _mean(law_of_hindsight(law, multipliers))


def law_of_random(law: Law, multipliers: Multipliers) -> dict[Score, Fraction]:
    """The distribution of the score when every roll goes into each free slot with the same probability.

    The slots are then filled in each of the n! orders with the same probability.
    """
    n = len(multipliers)
    scores: dict[Score, Fraction] = {}
    for rolls, probability in _sequences(law, n):
        for order in permutations(range(1, n + 1)):
            placed = dict(zip(order, rolls, strict=True))
            score = _score(multipliers, placed)
            scores[score] = scores.get(score, Fraction(0)) + probability / factorial(n)
    return scores


def _play(
    multipliers: Multipliers, choose: Callable[[frozenset[int], Score, int], int], rolls: tuple[int, ...]
) -> dict[int, int]:
    """The board, slot -> roll, that a strategy makes of these rolls."""
    placed: dict[int, int] = {}
    for roll in rolls:
        free = frozenset(range(1, len(multipliers) + 1)) - frozenset(placed)
        slot = choose(free, _score(multipliers, placed), roll)
        if slot not in free:
            raise ValueError(f"slot {slot} is not free")
        placed[slot] = roll
    return placed


def law_of(
    law: Law, multipliers: Multipliers, choose: Callable[[frozenset[int], Score, int], int]
) -> dict[Score, Fraction]:
    """The distribution of the final score of the strategy choose(free, score so far, roll) -> slot."""
    scores: dict[Score, Fraction] = {}
    for rolls, probability in _sequences(law, len(multipliers)):
        score = _score(multipliers, _play(multipliers, choose, rolls))
        scores[score] = scores.get(score, Fraction(0)) + probability
    return scores


def slot_laws(
    law: Law, multipliers: Multipliers, choose: Callable[[frozenset[int], Score, int], int]
) -> list[dict[int, Fraction]]:
    """For each slot the distribution of the roll that ends there: the distributions of the paper's Y_1..Y_n."""
    laws: list[dict[int, Fraction]] = [{} for _ in multipliers]
    for rolls, probability in _sequences(law, len(multipliers)):
        for slot, roll in _play(multipliers, choose, rolls).items():
            laws[slot - 1][roll] = laws[slot - 1].get(roll, Fraction(0)) + probability
    return laws


def expected_order_statistics(law: Law, n: int) -> list[Fraction]:
    """The expected smallest, second smallest, ..., greatest of n rolls."""
    expected = [Fraction(0)] * n
    for rolls, probability in _sequences(law, n):
        for i, roll in enumerate(sorted(rolls)):
            expected[i] += probability * roll
    return expected
