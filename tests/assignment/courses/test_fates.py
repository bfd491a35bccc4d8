"""Who goes where: what it takes, and the two kinds of numbers."""

from fractions import Fraction

import numpy as np
import pytest

from tentimes18.assignment import UniformLaw
from tentimes18.assignment.courses.fates import admit_fates, chain_fates, chance_above, exact_above, states_of
from tentimes18.assignment.laws.mixtures import MixtureLaw
from tentimes18.errors import TooLarge


def test_chances_above() -> None:
    law = MixtureLaw([Fraction(1, 2), Fraction(1, 2)], [UniformLaw(0, 1), UniformLaw(0, 4)])
    assert exact_above(law, Fraction(1, 2)) == Fraction(11, 16)
    assert exact_above(law, -np.inf) == 1
    assert chance_above(law, np.array([0.5, -np.inf, 9.0])) == pytest.approx([11 / 16, 1.0, 0.0])


def test_both_kinds_of_numbers() -> None:
    above = np.array([[[Fraction(1, 4), Fraction(1, 2)]]] * 3, dtype=object)
    exact = chain_fates(above, [0, 1], [Fraction(1)] * 3)
    fast = chain_fates(above.astype(np.float64), [0, 1], np.ones(3))
    assert [list(map(float, row)) for row in exact] == fast
    assert all(isinstance(chance, Fraction) for row in exact for chance in row)


def test_what_takes_too_long_is_refused() -> None:
    assert states_of([0, 0, 0]) == 4
    with pytest.raises(TooLarge, match="who goes where"):
        admit_fates(10**6, 100, 100, list(range(50)), exact=True)
