"""The levels of skill: what random play loses, twice; the simple rules over many games; the bounds, exactly."""

from fractions import Fraction
from itertools import pairwise

import pytest

from tentimes18.coach.aims import Mean, aim_named
from tentimes18.coach.skill import LEVELS, level_of, random_loss
from tentimes18.game import Board, Game
from tentimes18.solve.thresholds import value_of
from tentimes18.strategies.named import named
from tests.oracle.review import End, lost_at_random, mean, reaches
from tests.support.games import law_of

GAMES = [("3d6", "1-10"), ("1d20", "1-8"), ("2d6", "1,3,5,7,9"), ("1d100", "1-6"), ("3d6", "1-5")]


@pytest.mark.parametrize(("dice", "slots"), [("1d6", "1-3"), ("d{1,1,5}", "1,1,4"), ("1d4-2", "-2-1"), ("1d2", "1-4")])
@pytest.mark.parametrize("target", [None, 9])
def test_what_random_play_loses(dice: str, slots: str, target: int | None) -> None:
    """The difference of two worths, against the losses of all moves of all random games."""
    game = Game.parse(dice, slots)
    aim = Mean() if target is None else aim_named(game, f"target:{target}")
    end: End = mean if target is None else reaches(target)
    lost = lost_at_random(law_of(game.dice), game.multipliers, end)
    if target is None or lost >= Fraction(1, 100):
        assert random_loss(game, aim) == lost / (game.size - 1)
    else:
        assert random_loss(game, aim) is None


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_simple_rules_keep_their_levels(dice: str, slots: str) -> None:
    """Whatever the dice and the slots, a level means the same."""
    game = Game.parse(dice, slots)
    unit, value = random_loss(game, Mean()), value_of(game, game.all_free)
    found = {}
    for name in ("optimal", "nearest", "bands", "greedy", "random"):
        level = level_of((value - Fraction(named(name).distribution(Board(game)).mean)) / (game.size - 1), unit)
        assert level is not None
        found[name] = level.name
    assert list(found.values()) == ["perfect", "master", "advanced", "intermediate", "beginner"]


def test_where_no_word_is_fair() -> None:
    for dice, slots, aim in (("1d6", "1", "mean"), ("d{7}", "1-3", "mean"), ("1d6", "2,2,2", "mean")):
        game = Game.parse(dice, slots)
        assert random_loss(game, aim_named(game, aim)) is None
    classic = Game.classic()
    assert random_loss(classic, aim_named(classic, "target:300")) is None, "everybody makes that"
    assert level_of(0.5, None) is None
    assert level_of(None, 1.0) is None


def test_no_slow_distribution_is_computed_for_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.parse("1d6", "1-5")
    aim = aim_named(game, "target:60")
    monkeypatch.setattr("tentimes18.coach.skill.MAX_STEPS", 1)
    assert random_loss(game, aim) is None
    assert random_loss(game, aim_named(game, "mean")) is not None, "needs none"


def test_a_duel_can_be_lost_as_a_whole() -> None:
    game = Game.parse("1d6", "1-3")
    assert random_loss(game, aim_named(game, "duel")) == pytest.approx(1 / 4)


def test_levels_at_their_bounds() -> None:
    unit = Fraction(7)
    for level, after in pairwise(LEVELS):
        assert level.most is not None
        assert level_of(level.most * unit, unit) == level
        assert level_of(level.most * unit + Fraction(1, 10**30), unit) == after
        assert level_of(float(level.most * unit), float(unit)) == level
    assert level_of(Fraction(10**9), unit) == LEVELS[-1]
