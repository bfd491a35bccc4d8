"""What people read of a worth: points as they are, a chance in percent."""

from fractions import Fraction

from tentimes18.coach.units import Unit


def test_points_stay_and_chances_are_percent() -> None:
    assert Unit.points.counted(Fraction(7, 2)) == 3.5
    assert Unit.chance.counted(Fraction(1, 8)) == 12.5
    assert Unit.chance.counted(0.031) == 3.1
    assert isinstance(Unit.points.counted(Fraction(3)), float)
