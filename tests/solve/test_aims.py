"""Best play for targets, quantiles, the worst share and utilities, against the best of all strategies."""

from fractions import Fraction
from itertools import pairwise
from math import floor, inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.dice import Dice
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.game import Board, Game, slots_of
from tentimes18.solve.aims import (
    UtilityTable,
    best_quantile,
    best_worst_share,
    chance_table,
    shortfall_table,
)
from tentimes18.solve.rule_distributions import rule_distribution
from tentimes18.solve.thresholds import exact_thresholds, optimal_rule
from tentimes18.solve.utilities import Utility, exponential
from tests.oracle import Score, aims, ties
from tests.support.games import games, law_of
from tests.support.solved import (
    SHARES,
    TOLERANCE,
    as_oracle,
    best_after,
    boards,
    check_law,
    classic_chances,
    classic_optimal,
    few,
    first_best,
    largest,
    targets_of,
)


def approx(mean: Fraction | float) -> object:
    """Means are in float64."""
    return pytest.approx(float(mean), rel=1e-13, abs=1e-12)


@given(boards(max_slots=4, max_rolls=3))
@few
def test_best_chance_from_any_position(board: Board) -> None:
    table = chance_table(board.game)
    for target in targets_of(board.game, board.score, board.free):
        best = best_after(board, lambda score, target=target: Fraction(score >= target))  # type: ignore[misc]
        assert table.chance(target, board.free, board.score) == best


@given(boards(max_slots=5, max_rolls=4))
@few
def test_float_chances(board: Board) -> None:
    """Sums of positive products: within 1e-12 of the exact chance, as a share of it, and exact where it is 0 or 1."""
    exact, table = chance_table(board.game, exact=True), chance_table(board.game, exact=False)
    assert not table.is_exact
    lattice = exact.lattice
    width = lattice.width(board.free)
    step = max(1, width // 20)
    for index in range(-1, width + 2, step):
        target = board.score + lattice.score(board.free, index)
        wanted = exact.chance(target, board.free, board.score)
        chance = table.chance(target, board.free, board.score)
        assert isinstance(chance, float)
        assert chance == pytest.approx(float(wanted), rel=TOLERANCE, abs=0)
        if wanted in (0, 1):
            assert chance == pytest.approx(int(wanted), rel=1e-15, abs=0)


def test_every_target_of_the_classic_game() -> None:
    """Exact fractions over 216^10: at least the chance of `optimal`, more where it matters, falling from 1 to 0."""
    table, usual = classic_chances(), classic_optimal()
    assert table.is_exact
    chances = [Fraction(table.chance(target)) for target in range(164, 992)]
    assert chances[:2] == [1, 1]
    assert chances[-2:] == [Fraction(1, 216**10), 0]
    assert all(low >= high for low, high in pairwise(chances))
    assert all(chance >= usual.at_least(target) for target, chance in zip(range(164, 992), chances, strict=True))
    assert table.chance(700) > usual.at_least(700) + Fraction(3, 100)
    assert table.chance(Fraction(1399, 2)) == table.chance(700)


@given(boards(max_slots=3, max_rolls=3, min_free=1), st.data())
@few
def test_target_takes_the_best_mean_among_the_best_chances(board: Board, data: st.DataObject) -> None:
    """Move by move; in float64 the chances of such a small game cannot be confused."""
    target = data.draw(st.sampled_from(targets_of(board.game)))
    mean, slots = first_best(board, lambda score: Fraction(score >= target))
    for table in (chance_table(board.game), chance_table(board.game, exact=False)):
        play = table.best_play(target)
        for roll in board.game.dice.support:
            assert play.choose(board.free, board.score, roll) == slots[roll]
        assert table.mean(target, board.free, board.score) == approx(mean)


def test_equal_chances_in_the_classic_game() -> None:
    """The mean by the table of means and by the exact distribution of the slots."""
    play = classic_chances().best_play(700)
    assert float(play.value) == 0.18123244424667273
    assert play.mean == approx(play.distribution().mean) == approx(633.6162404189247)


@pytest.mark.parametrize("target", [-(10**25), -5, 165, 991, 10**25])
def test_with_nothing_to_decide_it_is_optimal(target: int) -> None:
    """A target that is sure, or out of reach, from the start."""
    game = Game.classic()
    play, rule = classic_chances().best_play(target), optimal_rule(game)
    assert play.mean == approx(classic_optimal().mean)
    for free in (0b1111111111, 0b1010100000, 0b1000000001):
        board = Board.replay(game, ((10, slot) for slot in slots_of(game.all_free ^ free)))
        for roll in game.dice.support:
            assert play.choose(free, board.score, roll) == rule(free, roll)
    assert play.distribution() == classic_optimal()


def test_exact_chances_that_do_not_fit() -> None:
    game = Game.parse("3d6", "1-15")
    with pytest.raises(InvalidGame, match=r"^dice: numbers over 216\^15 do not fit"):
        chance_table(game, exact=True)
    large = Game(Dice.from_mapping({0: 1, 1: 2**62}), [1, 2])
    assert not chance_table(large).is_exact
    assert chance_table(large).chance(3) == pytest.approx(1, rel=1e-15)


@pytest.mark.parametrize(
    ("dice", "slots"),
    [("d{0,1}", "1-6"), ("d{0,1}:0=1000000000,1=999999999", "1-3"), ("d{0,1}:1=1099511627776", "1,2")],
)
def test_two_limbs_carry(dice: str, slots: str) -> None:
    """Totals up to 2^93: with a coin the chance of the top score is p^n, whatever its size."""
    game = Game.parse(dice, slots)
    table = chance_table(game)
    assert table.is_exact
    assert table.chance(sum(game.multipliers)) == game.dice.probability(1) ** game.size
    assert table.chance(Fraction(1, 2)) == 1 - game.dice.probability(0) ** game.size


@given(games(max_slots=3, max_rolls=3), st.fractions(Fraction(1, 50), 1, max_denominator=50))
def test_best_quantile(game: Game, drawn: Fraction) -> None:
    law = law_of(game.dice)
    table = chance_table(game)
    for q in [*SHARES, drawn]:
        play = best_quantile(table, q)
        assert play.value == aims.best_quantile(law, game.multipliers, q)
        assert play.distribution().quantile(q) == play.value


def test_best_quantile_needs_a_chance_above_the_rest() -> None:
    """A fair coin: with chance 1/2 of the upper side the lower one is the median, and the upper one for any q more."""
    table = chance_table(Game.parse("d2", "1"))
    assert [best_quantile(table, q).value for q in (Fraction(1, 2), Fraction(51, 100), 1)] == [1, 2, 2]


@given(games(max_slots=3, max_rolls=3), st.fractions(Fraction(1, 50), 1, max_denominator=50))
@few
def test_best_worst_share(game: Game, drawn: Fraction) -> None:
    """Exactly; in float64 within 1e-12 of the largest score."""
    law = law_of(game.dice)
    exact, rounded = shortfall_table(game), shortfall_table(game, exact=False)
    assert exact.is_exact
    bound = TOLERANCE * largest(game)
    for share in [*SHARES, drawn]:
        play = best_worst_share(exact, share)
        best = aims.best_cvar(law, game.multipliers, share)
        assert play.value == play.distribution().lower_mean(share) == best
        near = best_worst_share(rounded, share)
        assert abs(Fraction(near.value) - best) <= bound / share
        assert abs(Fraction(near.distribution().lower_mean(share)) - best) <= bound / share


@given(games(max_slots=3, max_rolls=3), st.sampled_from(SHARES))
@few
def test_best_mean_of_all_with_the_best_worst_share(game: Game, share: Fraction) -> None:
    """Over all levels that lead to the best worst share, not only over the play for one of them."""
    play = best_worst_share(shortfall_table(game), share)
    value, mean = ties.best_worst_share(law_of(game.dice), game.multipliers, targets_of(game), share)
    assert play.value == value
    assert play.distribution().mean == mean
    assert play.mean == approx(mean)


@given(boards(max_slots=3, max_rolls=3))
@few
def test_shortfalls_from_any_position(board: Board) -> None:
    exact, rounded = shortfall_table(board.game), shortfall_table(board.game, exact=False)
    lattice = exact.lattice
    width = lattice.width(board.free)
    bound = TOLERANCE * largest(board.game)
    for index in range(-2, width + 3, max(1, width // 6)):
        level = board.score + lattice.score(board.free, index)
        least = -best_after(board, lambda score, level=level: -max(Fraction(level - score), Fraction(0)))  # type: ignore[misc]
        j = exact.index(board.free, board.score, level)
        assert exact.shortfall(board.free, j) == least
        assert abs(Fraction(rounded.shortfall(board.free, j)) - least) <= bound


@given(boards(max_slots=3, max_rolls=3, min_free=1), st.sampled_from(SHARES))
@few
def test_worst_share_takes_the_best_mean_among_the_best_slots(board: Board, share: Fraction) -> None:
    for table in (shortfall_table(board.game), shortfall_table(board.game, exact=False)):
        play = best_worst_share(table, share)
        check_law(play, Board(board.game))
        mean, slots = first_best(board, lambda score: -max(Fraction(play.level - score), Fraction(0)))  # noqa: B023
        for roll in board.game.dice.support:
            assert play.choose(board.free, board.score, roll) == slots[roll]
        assert table.mean(play.level, board.free, board.score) == approx(mean)


@pytest.mark.parametrize("share", [Fraction(1, 100), Fraction(1, 10), Fraction(1)])
def test_worst_share_of_the_classic_game(share: Fraction) -> None:
    """The worst share is found again in the distribution as the same fraction, the mean but for rounding."""
    play = best_worst_share(shortfall_table(Game.classic()), share)
    law = play.distribution()
    assert law.lower_mean(share) == play.value
    assert play.mean == approx(law.mean)
    assert law.mean <= classic_optimal().mean
    assert (share == 1) == (law.mean == classic_optimal().mean)


def test_shortfalls_that_do_not_fit() -> None:
    """In two limbs, or at all."""
    assert not shortfall_table(Game.parse("20d6", "1-2")).is_exact
    with pytest.raises(InvalidGame, match=r"^dice: numbers over 216\^25 do not fit"):
        shortfall_table(Game.parse("3d6", "1-25"), exact=True)
    with pytest.raises(TooLarge):
        shortfall_table(Game.parse("3d6", "1-25"))


def quadratic(score: Score) -> Fraction:
    """A utility that is neither increasing nor of one curvature with its neighbours."""
    return Fraction(score) ** 2 / 5 - 3 * abs(Fraction(score) - 2)


def float_quadratic(score: float) -> float:
    return score**2 / 5 - 3 * abs(score - 2)


@given(boards(max_slots=3, max_rolls=3, min_free=1))
@few
def test_utility(board: Board) -> None:
    table = UtilityTable(board.game, Utility(float_quadratic))
    scale = 1 + max(abs(quadratic(score)) for score in targets_of(board.game))
    assert abs(Fraction(table.expected()) - best_after(Board(board.game), quadratic)) <= TOLERANCE * scale
    value = table.expected(board.free, board.score)
    assert abs(Fraction(value) - best_after(board, quadratic)) <= TOLERANCE * scale
    law = check_law(table.best_play(), board)
    reached = sum(quadratic(score) * share for score, share in as_oracle(law).items())
    assert abs(reached - best_after(board, quadratic)) <= TOLERANCE * scale


@given(boards(max_slots=3, max_rolls=3, min_free=1))
@few
def test_utility_takes_the_best_mean_among_the_best_slots(board: Board) -> None:
    """Of utilities with ties everywhere, and of one with hardly any."""

    def cubic(score: Score) -> Fraction:
        return Fraction(score) ** 3

    def steps(score: Score) -> Fraction:
        return Fraction(floor(score / 8) % 3 - 1)

    for utility, rounded in ((cubic, lambda score: score**3), (steps, lambda score: float(floor(score / 8) % 3 - 1))):
        table = UtilityTable(board.game, Utility(rounded))
        mean, slots = first_best(board, utility)
        for roll in board.game.dice.support:
            assert table.best_play().choose(board.free, board.score, roll) == slots[roll]
        assert table.mean(0, board.free, board.score) == approx(mean)


@given(games(max_slots=4, max_rolls=4))
@few
def test_a_straight_utility_is_the_mean(game: Game) -> None:
    """u(s) = s, by any name: the value, and exactly the distribution's mean and the slots, are those of `optimal`."""
    wanted = exact_thresholds(game.dice, game.size)[-1].value(game.multipliers)
    scale = largest(game)
    usual = rule_distribution(game, optimal_rule(game))
    for utility in (Utility(lambda score: score), Utility(lambda score: 7 * score - 3), exponential(game, 0)):
        play = UtilityTable(game, utility).best_play()
        assert play.distribution() == usual
        assert play.mean == approx(wanted)
    assert best_worst_share(shortfall_table(game), 1).mean == approx(wanted)
    assert UtilityTable(game, exponential(game, 0)).best_play().value == pytest.approx(
        float(wanted), abs=TOLERANCE * scale
    )
    assert best_worst_share(shortfall_table(game), 1).value == pytest.approx(float(wanted), abs=TOLERANCE * scale)


@pytest.mark.parametrize("bad", [inf, -inf, nan])
def test_utility_that_is_not_finite(bad: float) -> None:
    game = Game.parse("1d6", "1-3")
    with pytest.raises(InvalidGame, match=r"^strategy: the utility is not a finite number"):
        UtilityTable(game, Utility(lambda score: bad if score == 20 else score))


def test_position_that_utility_cannot_be_in() -> None:
    table = UtilityTable(Game.parse("1d6", "1-3"), Utility(lambda score: score))
    for free, score in ((0b111, 1), (0b110, 7), (0b110, Fraction(1, 2)), (0b110, 0)):
        with pytest.raises(InvalidGame, match=r"^score: "):
            table.expected(free, score)


@pytest.mark.parametrize("target", [500, 700])
def test_distributions_of_the_classic_game(target: int) -> None:
    """The chance is found again in the distribution, exactly; the float distribution is within 1e-12 of it."""
    play = classic_chances().best_play(target)
    law = play.distribution()
    assert law.at_least(target) == play.value == classic_chances().chance(target)
    assert sum(law.weights) == law.total == 216**10
    rounded = play.distribution(exact=False)
    assert rounded.scores == law.scores
    assert rounded.weights == pytest.approx(
        [float(law.probability(score)) for score in law.scores], rel=TOLERANCE, abs=0
    )
    assert law.mean < classic_optimal().mean
