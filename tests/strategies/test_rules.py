"""The simple rules against their sentences in words, with exact fractions."""

from fractions import Fraction
from functools import cache
from itertools import chain
from math import floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.dice import Dice
from tentimes18.game import Game, slots_of
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.exact_laws import rule_law
from tentimes18.strategies.rules import bands, greedy, nearest
from tests.oracle.sequences import law_of as law_of_strategy
from tests.support.games import games, law_of
from tests.support.solved import as_oracle

RULES = {"nearest": nearest, "bands": bands, "greedy": greedy}


@cache
def standing(dice: Dice, roll: int) -> Fraction:
    """P(X < x) + P(X = x) / 2."""
    law = law_of(dice)
    return sum((chance for other, chance in law.items() if other < roll), Fraction(0)) + law[roll] / 2


@cache
def mean_of(dice: Dice) -> Fraction:
    return sum((roll * chance for roll, chance in law_of(dice).items()), Fraction(0))


def naive_nearest(game: Game, free: list[int], roll: int) -> int:
    return free[floor(standing(game.dice, roll) * len(free))]


def naive_bands(game: Game, free: list[int], roll: int) -> int:
    """Step by step from the home of the roll: outwards to the end of the board, then inwards from the home."""
    share = standing(game.dice, roll)
    home = 1 + floor(share * game.size)
    outwards, inwards = range(home, game.size + 1), range(home - 1, 0, -1)
    if share <= Fraction(1, 2):
        outwards, inwards = range(home, 0, -1), range(home + 1, game.size + 1)
    return next(slot for slot in chain(outwards, inwards) if slot in free)


def naive_greedy(game: Game, free: list[int], roll: int) -> int:
    return max(free) if roll > mean_of(game.dice) else min(free)


TWINS = {"nearest": naive_nearest, "bands": naive_bands, "greedy": naive_greedy}


@pytest.mark.parametrize("name", RULES)
@given(game=games(max_slots=6, max_rolls=6))
def test_every_position(name: str, game: Game) -> None:
    rule = RULES[name](game)
    for free in range(1, game.all_free + 1):
        for roll in game.dice.support:
            assert rule(free, roll) == TWINS[name](game, list(slots_of(free)), roll)


@pytest.mark.parametrize("name", RULES)
def test_every_position_of_the_classic_game(name: str) -> None:
    game = Game.classic()
    rule = RULES[name](game)
    for free in range(1, game.all_free + 1):
        for roll in game.dice.support:
            assert rule(free, roll) == TWINS[name](game, list(slots_of(free)), roll)


@pytest.mark.parametrize(
    ("name", "first_moves"),
    [
        ("nearest", (1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)),
        ("bands", (1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)),
        ("greedy", (1, 1, 1, 1, 1, 1, 1, 1, 10, 10, 10, 10, 10, 10, 10, 10)),
    ],
)
def test_first_move_of_the_classic_game(name: str, first_moves: tuple[int, ...]) -> None:
    game = Game.classic()
    rule = RULES[name](game)
    assert tuple(rule(game.all_free, roll) for roll in game.dice.support) == first_moves


def test_bands_goes_outwards_first() -> None:
    """On the classic board 12 is at home in slot 7 and 9 in slot 4."""
    game = Game.classic()
    rule = bands(game)
    for roll, free, wanted in [
        (12, (1, 6, 8, 10), 8),
        (12, (1, 6, 10), 10),
        (12, (1, 2, 6), 6),
        (9, (1, 3, 5, 9), 3),
        (9, (1, 5, 9), 1),
        (9, (5, 9), 5),
    ]:
        assert rule(game.verify_free(free), roll) == wanted


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("dice", ["30d6", "d{0,1}:0=99999999999999999999", "d{0,1}:1=99999999999999999999"])
def test_rolls_that_are_almost_never_exceeded(name: str, dice: str) -> None:
    """Shares nearer to 0 and 1 than a float can tell."""
    game = Game.parse(dice, "1-4")
    rule = RULES[name](game)
    for free in range(1, game.all_free + 1):
        for roll in game.dice.support:
            assert rule(free, roll) == TWINS[name](game, list(slots_of(free)), roll)


@pytest.mark.parametrize("n", [49, 98, 103, 107])
def test_shares_that_are_whole_numbers_of_slots(n: int) -> None:
    """q = 1/n of n slots is one slot, though 1 / 49 * 49 < 1 in float64."""
    assert 1 / n * n < 1
    game = Game(Dice.from_mapping({0: 2, 1: n - 2}), range(1, n + 1))
    for name in ("nearest", "bands"):
        assert RULES[name](game)(game.all_free, 0) == TWINS[name](game, list(range(1, n + 1)), 0) == 2


@pytest.mark.parametrize("name", RULES)
@given(game=games(max_slots=4, max_rolls=3))
@settings(max_examples=25)
def test_laws(name: str, game: Game) -> None:
    """The law of a rule is that of its twin over all sequences of rolls."""

    def choose(free: frozenset[int], _score: Fraction | int, roll: int) -> int:
        return TWINS[name](game, sorted(free), roll)

    wanted = law_of_strategy(law_of(game.dice), game.multipliers, choose)
    assert as_oracle(rule_law(game, RULES[name](game))) == wanted


@given(games(max_slots=5, max_rolls=4), st.sampled_from(sorted(RULES)))
def test_no_rule_is_better_than_optimal(game: Game, name: str) -> None:
    assert rule_law(game, RULES[name](game)).mean <= rule_law(game, optimal_rule(game)).mean


def test_means_of_the_classic_game() -> None:
    """Nearest is a tenth of a point below optimal; the others cost tens of points, and still beat chance."""
    game = Game.classic()
    means = {name: float(rule_law(game, rule(game)).mean) for name, rule in RULES.items()}
    best = float(rule_law(game, optimal_rule(game)).mean)
    assert round(means["nearest"], 5) == 642.13688
    assert round(best, 5) == 642.23935
    assert 577.5 < means["greedy"] < means["bands"] < means["nearest"] < best
