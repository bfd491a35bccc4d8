"""Words about skill: the levels and their bounds, as people read them."""

from fractions import Fraction

from tentimes18.coach.losses import Unit
from tentimes18.coach.skill import LEVELS
from tentimes18.wording import level_bounds, level_fact, skill_text


def test_every_level_is_in_the_sentence() -> None:
    text = level_bounds()
    assert [part.split(":")[0] for part in text.split(", ")] == [level.name for level in LEVELS]
    for level in LEVELS[1:-1]:
        assert level.most is not None
        assert f"{float(100 * level.most):g}%" in text


def test_what_stands_below_a_level() -> None:
    assert level_fact(Fraction(0), Fraction(7)) == "level: 0.0% of the loss of random play"
    assert level_fact(0.0001, 7.0) == "level: <0.1% of the loss of random play"
    assert level_fact(Fraction(7, 2), Fraction(7)) == "level: 50.0% of the loss of random play"


def test_skill_with_and_without_a_level() -> None:
    assert skill_text(0.01, Unit.chance, LEVELS[1]) == "1.00 percentage points lost a choice: master"
    assert skill_text(Fraction(5, 2), Unit.points, None) == "2.50 points lost a choice"
