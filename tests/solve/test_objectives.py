"""Best play for other aims against the best of all strategies, and against what it promises."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import exp, inf, log, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.dice import Dice
from tentimes18.errors import InvalidGame, Ten18Error, TooLarge
from tentimes18.game import Board, Game, Number, mask_of, slots_of
from tentimes18.solve.aim import Aim
from tentimes18.solve.law import ScoreLaw
from tentimes18.solve.objectives import (
    ChanceTable,
    ShortfallTable,
    UtilityTable,
    best_quantile,
    best_worst_share,
    chance_table,
)
from tentimes18.solve.scores import choice_law, optimal_choice
from tentimes18.solve.thresholds import exact_thresholds
from tentimes18.solve.utilities import Utility, exponential, power
from tests.conftest import games, law_of
from tests.oracle import Score, aims, sequences
from tests.solve.conftest import as_oracle, boards, moved, peak_memory, set_choice

TOLERANCE = 1e-12
SHARES = [Fraction(1, 100), Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(1)]

few = settings(max_examples=30)


def targets_of(game: Game, score: Score = 0, free: int | None = None) -> list[Fraction]:
    """Every score that can happen from a position, and others between, below and above."""
    multipliers = game.multipliers if free is None else game.multipliers_of(free)
    reached = sorted(score + points for points in sequences.law_of_random(law_of(game.dice), multipliers))
    between = [Fraction(low + high) / 2 for low, high in pairwise(reached)]
    beside = [reached[0] - Fraction(1, 3), reached[0] + Fraction(1, 7), reached[-1] + Fraction(1, 5)]
    return [*map(Fraction, reached), *between, *beside]


def largest(game: Game) -> Fraction:
    """The largest absolute score, or 1."""
    highest = max(Fraction(abs(roll)) for roll in game.dice.support)
    return max(Fraction(1), highest * sum(abs(Fraction(multiplier)) for multiplier in game.multipliers))


def best_after(board: Board, utility: Callable[[Score], Fraction]) -> Fraction:
    """The greatest expected utility of the final score from a position, over all strategies."""
    left = board.game.multipliers_of(board.free)
    return aims.best_utility(law_of(board.game.dice), left, lambda points: utility(board.score + points))


def first_best(board: Board, roll: int, utility: Callable[[Score], Fraction]) -> int:
    """The smallest of the slots that are exactly the best for this roll."""
    values = {slot: best_after(board.place(roll, slot), utility) for slot in slots_of(board.free)}
    return min(slot for slot, value in values.items() if value == max(values.values()))


def quadratic(score: Score) -> Fraction:
    """A utility that is neither increasing nor of one curvature with its neighbours."""
    return Fraction(score) ** 2 / 5 - 3 * abs(Fraction(score) - 2)


def float_quadratic(score: float) -> float:
    return score**2 / 5 - 3 * abs(score - 2)


@given(games(max_slots=3, max_rolls=3))
def test_best_chance_of_every_target(game: Game) -> None:
    law = law_of(game.dice)
    table = chance_table(game)
    assert table.is_exact
    for target in targets_of(game):
        chance = table.chance(target)
        assert isinstance(chance, Fraction)
        assert chance == aims.best_chance(law, game.multipliers, target)


@given(boards(max_slots=4, max_rolls=3))
@few
def test_best_chance_from_any_position(board: Board) -> None:
    table = chance_table(board.game)
    for target in targets_of(board.game, board.score, board.free):
        best = best_after(board, lambda score, target=target: Fraction(score >= target))  # type: ignore[misc]
        assert table.chance(target, board.free, board.score) == best


@given(boards(max_slots=5, max_rolls=4))
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


@given(boards(max_slots=4, max_rolls=3))
def test_chances_fall_from_1_to_0(board: Board) -> None:
    targets = sorted(targets_of(board.game, board.score, board.free))
    table = chance_table(board.game)
    chances = [table.chance(target, board.free, board.score) for target in targets]
    assert all(low >= high for low, high in pairwise(chances))
    assert (chances[0], chances[-1]) == (1, 0)
    assert table.chance(board.score + table.lattice.score(board.free, 0), board.free, board.score) == 1
    most = board.score + table.lattice.score(board.free, table.lattice.width(board.free))
    assert table.chance(most, board.free, board.score) > 0


@given(games(max_slots=4, max_rolls=4))
def test_no_target_has_a_better_strategy(game: Game) -> None:
    usual = choice_law(game, optimal_choice(game))
    table = chance_table(game)
    for target in usual.scores:
        assert table.chance(target) >= usual.at_least(target)


@cache
def classic_chances() -> ChanceTable:
    return chance_table(Game.classic())


@cache
def classic_optimal() -> ScoreLaw:
    return choice_law(Game.classic(), optimal_choice(Game.classic()))


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


@pytest.mark.parametrize("target", [500, 700])
def test_laws_of_the_classic_game(target: int) -> None:
    """The chance is found again in the law, exactly; the float law is within 1e-12 of it."""
    aim = classic_chances().aim(target)
    law = aim.law()
    assert law.at_least(target) == aim.value == classic_chances().chance(target)
    assert sum(law.weights) == law.total == 216**10
    rounded = aim.law(exact=False)
    assert rounded.scores == law.scores
    assert rounded.weights == pytest.approx(
        [float(law.probability(score)) for score in law.scores], rel=TOLERANCE, abs=0
    )
    assert law.mean < classic_optimal().mean


def check_law(aim: Aim, board: Board) -> ScoreLaw:
    """The law from a position is that of the choices, followed through all sequences of rolls."""
    law = aim.law(board.free, board.score)
    left = board.game.multipliers_of(board.free)
    wanted = sequences.law_of(law_of(board.game.dice), left, set_choice(aim.choose, board))
    assert as_oracle(law) == moved(wanted, board.score)
    assert all(isinstance(score, int) == (Fraction(score).denominator == 1) for score in law.scores)
    rounded = aim.law(board.free, board.score, exact=False)
    assert rounded.scores == law.scores
    assert rounded.weights == pytest.approx(
        [float(law.probability(score)) for score in law.scores], rel=TOLERANCE, abs=0
    )
    return law


@given(boards(max_slots=3, max_rolls=3), st.data())
def test_law_of_a_target(board: Board, data: st.DataObject) -> None:
    target = data.draw(st.sampled_from(targets_of(board.game)))
    table = chance_table(board.game)
    law = check_law(table.aim(target), board)
    assert law.at_least(target) == table.chance(target, board.free, board.score)


@given(boards(max_slots=3, max_rolls=3, min_free=1), st.data())
@few
def test_target_takes_the_first_of_the_best_slots(board: Board, data: st.DataObject) -> None:
    target = data.draw(st.sampled_from(targets_of(board.game)))
    for table in (chance_table(board.game), chance_table(board.game, exact=False)):
        aim = table.aim(target)
        for roll in board.game.dice.support:
            best = first_best(board, roll, lambda score: Fraction(score >= target))
            assert aim.choose(board.free, board.score, roll) == best


@pytest.mark.parametrize("target", [-5, 165, 991])
def test_with_nothing_to_decide_the_smallest_slot_is_taken(target: int) -> None:
    """A target that is sure, or out of reach: all slots are equally good."""
    game = Game.classic()
    aim = classic_chances().aim(target)
    for free in (0b1111111111, 0b1010100000, 0b1000000001):
        board = Board.replay(game, ((10, slot) for slot in slots_of(game.all_free ^ free)))
        assert {aim.choose(free, board.score, roll) for roll in range(3, 19)} == {slots_of(free)[0]}


@given(games(max_slots=3, max_rolls=3), st.data())
@few
def test_table_of_choices(game: Game, data: st.DataObject) -> None:
    """The table that simulations read has the slots that `choose` gives."""
    aim = chance_table(game).aim(data.draw(st.sampled_from(targets_of(game))))
    offsets, table = aim.choice_table()
    lattice = aim.table.lattice
    for free in range(1, game.all_free + 1):
        done = game.all_free ^ free
        for index in range(lattice.width(done) + 1):
            score = lattice.score(done, index)
            chosen = [aim.choose(free, score, roll) - 1 for roll in game.dice.support]
            assert table[offsets[free] + index].tolist() == chosen


@given(games(max_slots=3, max_rolls=3), st.integers(1, 5), st.integers(-4, 4))
@few
def test_scaled_multipliers_and_shifted_dice(game: Game, factor: int, shift: int) -> None:
    """Scores become factor · (score + shift · Σ λ): chances, choices and values go with them."""
    dice = Dice.from_mapping({roll + shift: p for roll, p in law_of(game.dice).items()})
    other = Game(dice, [factor * multiplier for multiplier in game.multipliers])
    points = shift * sum(game.multipliers)
    table, moved_table = chance_table(game), chance_table(other)
    for target in targets_of(game):
        assert moved_table.chance(factor * (target + points)) == table.chance(target)
        first = [table.aim(target).choose(game.all_free, 0, roll) for roll in game.dice.support]
        moved_aim = moved_table.aim(factor * (target + points))
        assert [moved_aim.choose(game.all_free, 0, roll + shift) for roll in game.dice.support] == first
    for share in SHARES:
        best = best_quantile(table, share).value
        assert best_quantile(moved_table, share).value == factor * (best + points)
        worst = best_worst_share(ShortfallTable(game), share).value
        assert best_worst_share(ShortfallTable(other), share).value == pytest.approx(
            factor * (worst + float(points)), abs=1e-10
        )


@given(games(max_slots=3, max_rolls=3))
def test_mirrored_game(game: Game) -> None:
    """Rolls and multipliers with the other sign make the same scores."""
    dice = Dice.from_mapping({-roll: p for roll, p in law_of(game.dice).items()})
    other = Game(dice, [-multiplier for multiplier in game.multipliers])
    table, mirrored = chance_table(game), chance_table(other)
    assert all(table.chance(target) == mirrored.chance(target) for target in targets_of(game))


@given(games(max_slots=3, max_rolls=3), st.fractions(Fraction(1, 50), 1, max_denominator=50))
def test_best_quantile(game: Game, drawn: Fraction) -> None:
    law = law_of(game.dice)
    table = chance_table(game)
    for q in [*SHARES, drawn]:
        aim = best_quantile(table, q)
        assert aim.value == aims.best_quantile(law, game.multipliers, q)
        assert aim.law().quantile(q) == aim.value


def test_best_quantile_needs_a_chance_above_the_rest() -> None:
    """A fair coin: with chance 1/2 of the upper side the lower one is the median, and the upper one for any q more."""
    table = chance_table(Game.parse("d2", "1"))
    assert [best_quantile(table, q).value for q in (Fraction(1, 2), Fraction(51, 100), 1)] == [1, 2, 2]


@given(games(max_slots=3, max_rolls=3), st.fractions(Fraction(1, 50), 1, max_denominator=50))
@few
def test_best_worst_share(game: Game, drawn: Fraction) -> None:
    """Within 1e-12 of the largest score."""
    law = law_of(game.dice)
    table = ShortfallTable(game)
    bound = TOLERANCE * largest(game)
    for share in [*SHARES, drawn]:
        aim = best_worst_share(table, share)
        best = aims.best_cvar(law, game.multipliers, share)
        assert abs(Fraction(aim.value) - best) <= bound / share
        assert abs(Fraction(aim.law().lower_mean(share)) - best) <= bound / share


@given(boards(max_slots=3, max_rolls=3))
@few
def test_shortfalls_from_any_position(board: Board) -> None:
    table = ShortfallTable(board.game)
    lattice = table.lattice
    width = lattice.width(board.free)
    bound = TOLERANCE * largest(board.game)
    for index in range(-2, width + 3, max(1, width // 6)):
        level = board.score + lattice.score(board.free, index)
        least = -best_after(board, lambda score, level=level: -max(Fraction(level - score), Fraction(0)))  # type: ignore[misc]
        assert abs(Fraction(table.shortfall(level, board.free, board.score)) - least) <= bound


@given(boards(max_slots=3, max_rolls=3, min_free=1), st.sampled_from(SHARES))
@few
def test_worst_share_takes_the_first_of_the_best_slots(board: Board, share: Fraction) -> None:
    aim = best_worst_share(ShortfallTable(board.game), share)
    check_law(aim, Board(board.game))
    for roll in board.game.dice.support:
        best = first_best(board, roll, lambda score: -max(Fraction(aim.level - score), Fraction(0)))
        assert aim.choose(board.free, board.score, roll) == best


@given(boards(max_slots=3, max_rolls=3, min_free=1))
@few
def test_utility(board: Board) -> None:
    table = UtilityTable(board.game, Utility(float_quadratic))
    scale = 1 + max(abs(quadratic(score)) for score in targets_of(board.game))
    assert abs(Fraction(table.expected()) - best_after(Board(board.game), quadratic)) <= TOLERANCE * scale
    value = table.expected(board.free, board.score)
    assert abs(Fraction(value) - best_after(board, quadratic)) <= TOLERANCE * scale
    law = check_law(table.aim(), board)
    reached = sum(quadratic(score) * share for score, share in as_oracle(law).items())
    assert abs(reached - best_after(board, quadratic)) <= TOLERANCE * scale


@given(boards(max_slots=3, max_rolls=3, min_free=1))
@few
def test_utility_takes_the_first_of_the_best_slots(board: Board) -> None:
    def cubic(score: Score) -> Fraction:
        return Fraction(score) ** 3

    aim = UtilityTable(board.game, Utility(lambda score: score**3)).aim()
    for roll in board.game.dice.support:
        assert aim.choose(board.free, board.score, roll) == first_best(board, roll, cubic)


@given(games(max_slots=4, max_rolls=4))
def test_a_straight_utility_is_the_mean(game: Game) -> None:
    """u(s) = s, by any name: the value, the law's mean and the choices are those of `optimal`."""
    wanted = exact_thresholds(game.dice, game.size)[-1].value(game.multipliers)
    scale = largest(game)
    for utility in (Utility(lambda score: score), Utility(lambda score: 7 * score - 3), exponential(game, 0)):
        law = UtilityTable(game, utility).aim().law()
        assert abs(Fraction(law.mean) - wanted) <= TOLERANCE * scale
    assert UtilityTable(game, exponential(game, 0)).aim().value == pytest.approx(float(wanted), abs=TOLERANCE * scale)
    assert best_worst_share(ShortfallTable(game), 1).value == pytest.approx(float(wanted), abs=TOLERANCE * scale)


def exponential_twin(game: Game, aversion: float) -> float:
    """The best certainty equivalent, by a recursion that needs no scores: e^(-a Σ) is a product.

    U[A] = Σ P(x) best_i e^(-a λ_i x) U[A - i], the smallest for a > 0 and the largest for a < 0; then -log(U) / a.
    """
    best = min if aversion > 0 else max
    low = game.dice.support[0]  # dice from 0 on keep the numbers near 1

    @cache
    def U(free: int) -> float:
        if not free:
            return 1.0
        slots = slots_of(free)
        return sum(
            count
            / game.dice.total
            * best(
                exp(-aversion * float(game.multipliers[slot - 1]) * (roll - low)) * U(free ^ mask_of([slot]))
                for slot in slots
            )
            for roll, count in zip(game.dice.support, game.dice.counts, strict=True)
        )

    return low * float(sum(game.multipliers)) - log(U(game.all_free)) / aversion


def certainty(game: Game, utility: Utility) -> float:
    return float(UtilityTable(game, utility).aim().value)


@given(games(max_slots=4, max_rolls=4), st.sampled_from([-0.5, -0.03, 0.01, 0.2, 1.0]))
def test_constant_aversion_against_the_product(game: Game, aversion: float) -> None:
    wanted = exponential_twin(game, aversion)
    assert certainty(game, exponential(game, aversion)) == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("aversion", [-0.05, -0.002, 0.001, 0.02, 0.1])
def test_constant_aversion_in_the_classic_game(aversion: float) -> None:
    """The table over scores, the product, and the law agree on the certainty equivalent; 1e-9 of some hundreds."""
    game = Game.classic()
    utility = exponential(game, aversion)
    aim = UtilityTable(game, utility).aim()
    assert aim.value == pytest.approx(exponential_twin(game, aversion), rel=1e-11)
    assert utility.of_law(aim.law()) == pytest.approx(float(aim.value), rel=1e-11)
    assert utility.of_law(classic_optimal()) <= float(aim.value) + 1e-9


def test_certainty_falls_with_aversion() -> None:
    game = Game.classic()
    mean = float(classic_optimal().mean)
    found = [certainty(game, exponential(game, a)) for a in (-0.1, -0.02, -0.002, 0, 0.002, 0.02, 0.1)]
    assert all(seeking > averse for seeking, averse in pairwise(found))
    assert found[3] == pytest.approx(mean, abs=1e-9)
    assert 165 < found[-1] < found[0] < 990


def test_certainty_rises_with_the_power() -> None:
    game = Game.classic()
    found = [certainty(game, power(game, p)) for p in (-10, -1, 0, 0.5, 1, 2, 10)]
    assert all(averse < seeking for averse, seeking in pairwise(found))
    assert found[4] == pytest.approx(float(classic_optimal().mean), abs=1e-9)


@pytest.mark.parametrize("small", [1e-7, 1e-13])
def test_little_aversion_is_none(small: float) -> None:
    """To first order the certainty equivalent is mean - a · variance / 2."""
    game = Game.classic()
    mean, variance = float(classic_optimal().mean), float(classic_optimal().variance)
    for aversion in (small, -small):
        aim = UtilityTable(game, exponential(game, aversion)).aim()
        assert aim.value == pytest.approx(mean - aversion * variance / 2, abs=1e-6)
        assert aim.law(exact=False).mean == pytest.approx(mean, abs=1e-6)


@pytest.mark.parametrize("small", [1e-7, 1e-13])
def test_a_small_power_is_nearly_the_logarithm(small: float) -> None:
    """The variance of log S is below 0.01, so the certainty equivalent moves by less than 640 · 0.01 · p."""
    game = Game.classic()
    logarithm = power(game, 0)
    best = certainty(game, logarithm)
    for exponent in (small, -small):
        aim = UtilityTable(game, power(game, exponent)).aim()
        assert aim.value == pytest.approx(best, abs=7 * small + 1e-6)
        assert logarithm.of_law(aim.law(exact=False)) == pytest.approx(best, abs=7 * small + 1e-6)


@pytest.mark.parametrize("parameter", [-3.0, -0.5, 0.0, 0.3, 1.0, 2.5])
@pytest.mark.parametrize("family", [exponential, power])
def test_utilities_increase_and_have_an_inverse(family: Callable[[Game, float], Utility], parameter: float) -> None:
    game = Game.parse("3d6", "1-3")
    utility = family(game, parameter)
    assert utility.inverse is not None
    values = [utility.value(float(score)) for score in range(18, 109)]
    assert all(low < high for low, high in pairwise(values))
    assert [utility.inverse(value) for value in values] == pytest.approx(list(range(18, 109)), rel=1e-9)


def test_utility_of_a_law() -> None:
    law = ScoreLaw((1, 9), (1, 3), 4)
    assert Utility(lambda score: score**0.5).of_law(law) == 2.5
    assert Utility(lambda score: score**0.5, lambda value: value**2).of_law(law) == 6.25


@pytest.mark.parametrize("bad", [inf, -inf, nan])
def test_utility_that_is_not_finite(bad: float) -> None:
    game = Game.parse("1d6", "1-3")
    with pytest.raises(InvalidGame, match=r"^strategy: the utility is not a finite number"):
        UtilityTable(game, Utility(lambda score: bad if score == 20 else score))


def test_extreme_utilities() -> None:
    with pytest.raises(InvalidGame, match=r"^strategy: exp:1\S* is too extreme for scores from 165 to 990"):
        exponential(Game.classic(), 1)
    for dice, exponent in (("1d6-4", 0.5), ("1d6-4", -1), ("1d6-1", 0), ("1d6-1", -1)):
        with pytest.raises(InvalidGame, match=r"^strategy: power:.* needs positive scores"):
            power(Game.parse(dice, "1-3"), exponent)
    assert certainty(Game.parse("1d6-1", "1-3"), power(Game.parse("1d6-1", "1-3"), 0.5)) > 0


@pytest.mark.parametrize(("dice", "exponent"), [("3d6", -1000.0), ("d{0}", 0.5)])
def test_power_out_of_range(dice: str, exponent: float) -> None:
    """Refused, or computed; never an arithmetic error."""
    game = Game.parse(dice, "1-10")
    try:
        value = certainty(game, power(game, exponent))
    except Ten18Error:
        return
    assert game.dice.support[0] * 55 <= value <= game.dice.support[-1] * 55


def test_position_that_utility_cannot_be_in() -> None:
    table = UtilityTable(Game.parse("1d6", "1-3"), Utility(lambda score: score))
    for free, score in ((0b111, 1), (0b110, 7), (0b110, Fraction(1, 2)), (0b110, 0)):
        with pytest.raises(InvalidGame, match=r"^score: "):
            table.expected(free, score)


@pytest.mark.parametrize("share", [0, -1, Fraction(3, 2), 2.0])
def test_shares_out_of_range(share: Number | float) -> None:
    game = Game.parse("1d6", "1-2")
    with pytest.raises(Ten18Error, match="quantile takes a share above 0 and at most 1"):
        best_quantile(chance_table(game), share)
    with pytest.raises(Ten18Error, match="cvar takes a share above 0 and at most 1"):
        best_worst_share(ShortfallTable(game), share)


def test_exact_chances_that_do_not_fit() -> None:
    game = Game.parse("3d6", "1-15")
    with pytest.raises(InvalidGame, match=r"^dice: chances over 216\^15 do not fit"):
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


@pytest.mark.parametrize("slots", ["1-25", "1-40", "1-1200"])
def test_too_large(slots: str) -> None:
    """Refused in one line with the figure, before memory is taken for it."""
    game = Game.parse("3d6", slots)
    for make in (chance_table, ShortfallTable, lambda game: UtilityTable(game, Utility(lambda score: score))):
        with peak_memory() as peak:
            with pytest.raises(
                TooLarge, match=rf"^slots: .* for {game.size} slots has \d\S* values .*\d bytes"
            ) as refused:
                make(game)
            assert peak() < 20e6
        assert "\n" not in str(refused.value)


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    game = Game.parse("1d6", "1-4")
    chance_table(game, lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
