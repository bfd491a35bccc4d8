"""Best chances against the best of all strategies, exact and in float64."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.dice import Dice
from tentimes18.errors import InvalidGame
from tentimes18.game import Board, Game, slots_of
from tentimes18.solve.objectives.chances import chance_table
from tentimes18.solve.objectives.quantile import best_quantile
from tentimes18.solve.objectives.shortfall import best_worst_share, shortfall_table
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.exact_laws import rule_law
from tests.oracle import aims
from tests.support.games import games, law_of
from tests.support.solved import (
    SHARES,
    TOLERANCE,
    best_after,
    boards,
    classic_chances,
    classic_optimal,
    few,
    first_best,
    targets_of,
)


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


@given(boards(max_slots=4, max_rolls=3))
@few
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
    usual = rule_law(game, optimal_rule(game))
    table = chance_table(game)
    for target in usual.scores:
        assert table.chance(target) >= usual.at_least(target)


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
    """Move by move, and the mean exactly; in float64 the chances of so small a game cannot be confused."""
    target = data.draw(st.sampled_from(targets_of(board.game)))
    mean, slots = first_best(board, lambda score: Fraction(score >= target))
    for table in (chance_table(board.game), chance_table(board.game, exact=False)):
        play = table.best_play(target)
        for roll in board.game.dice.support:
            assert play.choose(board.free, board.score, roll) == slots[roll]
        assert table.mean(target, board.free, board.score) == mean


def test_equal_chances_in_the_classic_game() -> None:
    """The mean by the table of means and by the exact law of the slots: the same fraction."""
    play = classic_chances().best_play(700)
    assert float(play.value) == 0.18123244424667273
    assert play.mean == play.law().mean
    assert float(play.mean) == pytest.approx(633.6162404189247, rel=1e-15)


@pytest.mark.parametrize("target", [-(10**25), -5, 165, 991, 10**25])
def test_with_nothing_to_decide_it_is_optimal(target: int) -> None:
    """A target that is sure, or out of reach, from the start."""
    game = Game.classic()
    play, rule = classic_chances().best_play(target), optimal_rule(game)
    assert play.mean == classic_optimal().mean
    for free in (0b1111111111, 0b1010100000, 0b1000000001):
        board = Board.replay(game, ((10, slot) for slot in slots_of(game.all_free ^ free)))
        for roll in game.dice.support:
            assert play.choose(free, board.score, roll) == rule(free, roll)
    assert play.law() == classic_optimal()


@given(boards(max_slots=4, max_rolls=4, min_free=1))
def test_what_is_decided_leaves_the_mean(board: Board) -> None:
    """On any board, for any dice and multipliers, ties of the mean included: a sure target is `optimal`."""
    table, rule = chance_table(board.game), optimal_rule(board.game)
    lattice = table.lattice
    least = board.score + lattice.score(board.free, 0)
    most = board.score + lattice.score(board.free, lattice.width(board.free))
    for target in (least - 7, least, most + Fraction(1, 9), most + 5):
        play = table.best_play(target)
        for roll in board.game.dice.support:
            assert play.choose(board.free, board.score, roll) == rule(board.free, roll)


@given(games(max_slots=3, max_rolls=3), st.integers(1, 5), st.integers(-4, 4))
@few
def test_scaled_multipliers_and_shifted_dice(game: Game, factor: int, shift: int) -> None:
    """Scores become factor · (score + shift · Σ λ): chances, slots and values go with them."""
    dice = Dice.from_mapping({roll + shift: p for roll, p in law_of(game.dice).items()})
    other = Game(dice, [factor * multiplier for multiplier in game.multipliers])
    points = shift * sum(game.multipliers)
    table, moved_table = chance_table(game), chance_table(other)
    for target in targets_of(game):
        assert moved_table.chance(factor * (target + points)) == table.chance(target)
        first = [table.best_play(target).choose(game.all_free, 0, roll) for roll in game.dice.support]
        moved_play = moved_table.best_play(factor * (target + points))
        assert [moved_play.choose(game.all_free, 0, roll + shift) for roll in game.dice.support] == first
    for share in SHARES:
        best = best_quantile(table, share).value
        assert best_quantile(moved_table, share).value == factor * (best + points)
        worst = best_worst_share(shortfall_table(game), share).value
        assert best_worst_share(shortfall_table(other), share).value == factor * (worst + points)


@given(games(max_slots=3, max_rolls=3))
def test_mirrored_game(game: Game) -> None:
    """Rolls and multipliers with the other sign make the same scores."""
    dice = Dice.from_mapping({-roll: p for roll, p in law_of(game.dice).items()})
    other = Game(dice, [-multiplier for multiplier in game.multipliers])
    table, mirrored = chance_table(game), chance_table(other)
    assert all(table.chance(target) == mirrored.chance(target) for target in targets_of(game))


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
