"""The oracle of tables: games small enough to count by hand."""

from fractions import Fraction

from tests.oracle.table import best_share, results

COIN = {1: Fraction(1, 2), 2: Fraction(1, 2)}


def low(free: frozenset[int], _: object, __: int) -> int:
    return min(free)


def high(free: frozenset[int], _: object, __: int) -> int:
    return max(free)


def test_two_slots_by_hand() -> None:
    """Rolls 1 1, 1 2, 2 1, 2 2 in slots 1 and 2: low first makes 3, 5, 4, 6, high first 3, 4, 5, 6."""
    shares, sole, ranks = results(COIN, (1, 2), [low, high])
    assert shares == [Fraction(1, 2)] * 2
    assert sole == [Fraction(1, 4)] * 2
    assert ranks == [Fraction(3, 2)] * 2


def test_ties_are_shared() -> None:
    """With low twice, its wins over high in 1 2 are halves, and the draws thirds."""
    shares, sole, ranks = results(COIN, (1, 2), [low, high, low])
    assert shares == [Fraction(7, 24), Fraction(5, 12), Fraction(7, 24)]
    assert sole == [0, Fraction(1, 4), 0]
    assert ranks == [Fraction(2), Fraction(2), Fraction(2)]


def test_the_best_share() -> None:
    """Against low and high: 1 goes low and 2 high, which makes 3, 5, 5, 6 against the better of them, 3, 5, 5, 6."""
    assert best_share(COIN, (1, 2), [low, high]) == (Fraction(1, 3) + Fraction(1, 2)) / 2
