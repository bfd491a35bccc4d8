"""The classes of moves at their bounds, exactly and in float64."""

from fractions import Fraction

import pytest

from tentimes18.coach.classes import CLASSES, ERROR, classify
from tentimes18.coach.units import Unit


@pytest.mark.parametrize(
    ("loss", "name", "mark"),
    [
        (Fraction(0), "best", ""),
        (Fraction(1, 10**30), "fine", ""),
        (Fraction(1, 4) - Fraction(1, 10**30), "fine", ""),
        (Fraction(1, 4), "good", ""),
        (1 - Fraction(1, 10**30), "good", ""),
        (Fraction(1), "inaccuracy", "?!"),
        (3 - Fraction(1, 10**30), "inaccuracy", "?!"),
        (Fraction(3), "mistake", "?"),
        (8 - Fraction(1, 10**30), "mistake", "?"),
        (Fraction(8), "blunder", "??"),
        (Fraction(10**9), "blunder", "??"),
    ],
)
def test_classes_at_their_bounds(loss: Fraction, name: str, mark: str) -> None:
    assert classify(loss)[:2] == classify(loss / 100, Unit.chance)[:2] == (name, mark)
    if loss.denominator < 10**6:  # in float64 as well, where a chance is a difference of two
        assert classify(float(loss))[:2] == classify(float(loss / 100), Unit.chance)[:2] == (name, mark)
        for start in (0.05, 0.3, 0.55, 0.7):
            if 0 < loss <= 8:
                lost = (start + float(loss / 100)) - start
                assert classify(lost, Unit.chance)[:2] == (name, mark)


def test_errors_are_the_classes_with_a_mark() -> None:
    assert [found.name for found in CLASSES[ERROR:]] == ["inaccuracy", "mistake", "blunder"]
    assert not any(found.mark for found in CLASSES[:ERROR])
    bounds = [found.least for found in CLASSES]
    assert bounds == sorted(bounds)
