"""The rolls of a run against a twin with Python's integers, and against the dice; and those of one game alone."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tentimes18 import Board, Game, ScoreDistribution
from tentimes18.random_words import fill_words, next_numbers, wide_place
from tentimes18.simulate.drawing import draw, drawn_rolls
from tentimes18.simulate.games import fit
from tentimes18.simulate.run import GAMES as COUNT
from tentimes18.simulate.run import Run, key_bits, reached, rolls_of, verify_number
from tests.oracle import drawing
from tests.support.games import games

LEAST_P = 1e-4  # of a chi-square test; seeds are fixed, so a test that passes always passes


GAMES = [
    ("3d6", "1-10"),
    ("1d6", "1-20"),
    ("2d12:12=2", "1-5"),
    ("d{1,1,2,3,5,8}", "1,3,5,7,9"),
    ("1d100", "1-10"),
    ("d{7}", "1-4"),
    ("d300", "1-7"),
    ("d{1,2}:2=65535", "1-5"),
    ("d{1,2,3}:2=65535", "1-5"),
    ("d256+d256", "1-3"),
    ("7d6", "1-6"),
    ("100d6", "1-4"),
]


def run_of(dice: str, slots: str, seed: int = 1987) -> Run:
    return Run(Game.parse(dice, slots), ("optimal",), seed)


@pytest.mark.parametrize(("dice", "slots"), [("3d6", "1-10"), ("1d100", "1-10"), ("100d6", "1-4")])
def test_a_game_is_the_same_wherever_it_is_drawn(dice: str, slots: str) -> None:
    run = run_of(dice, slots)
    whole = drawn_rolls(run, 0, 500)
    for start, number in [(0, 1), (0, 499), (1, 499), (250, 7), (499, 1)]:
        assert drawn_rolls(run, start, number) == whole[start : start + number]
    assert len({tuple(rolls) for rolls in whole}) > 450
    assert drawn_rolls(run_of(dice, slots, seed=1988), 0, 500) != whole


PRODUCTS = [1, 2, 216**5, 2**44, 6**24, 2**64 // 3 + 1, 2**64 // 3 + 2, 2**64 // 5 + 7, 2**63 - 25, 2**63 - 1]


def words_of(key: int, per_game: int, which: int, first: int, product: int, size: int) -> NDArray[np.uint64]:
    words = np.empty(size, dtype=np.uint64)
    fill_words(np.uint64(key), per_game, which, first, np.uint64(product), words)
    return words


@pytest.mark.parametrize("product", PRODUCTS)
def test_unfair_words_are_drawn_again(product: int) -> None:
    """Products that leave over up to a third of all words; a program draws with far smaller ones."""
    key, first, per_game = 2**64 - 5, 999, 3
    for which in range(per_game):
        found = words_of(key, per_game, which, first, product, 300).tolist()
        assert found == [drawing.fair_word(key, per_game * game + which, product) for game in range(first, first + 300)]
        assert all(drawing.is_fair(value, product) for value in found)


@pytest.mark.parametrize("bound", [1, 2, 216, 2**16, 2**31 + 11, 2**32 - 1])
def test_numbers_below_large_bounds(bound: int) -> None:
    words = np.array([0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 2**32, 2**64 - 1], dtype=np.uint64)
    twins = [divmod(value * bound, 2**64) for value in words.tolist()]
    numbers = np.empty(len(words), dtype=np.uint32)
    next_numbers(np.uint64(bound), words, numbers)
    assert list(zip(numbers.tolist(), words.tolist(), strict=True)) == twins


def test_words_are_never_shared() -> None:
    """Not by two games, not by two words of one game, not by blocks, and not by rolls and the slots of `random`."""
    size, per_game = 20_000, 3
    found: list[int] = []
    for purpose in ("rolls", "random"):
        for which, start in product(range(per_game), (0, size)):
            found += words_of(drawing.key_of(1987, purpose), per_game, which, start, 1, size).tolist()
    assert len(set(found)) == 2 * 2 * per_game * size


def uniform_p(counted: Counter[int], size: int) -> float:
    law = ScoreDistribution(tuple(range(size)), (1,) * size, size)
    return fit(ScoreDistribution(tuple(counted), tuple(counted.values()), counted.total()), law).p_value


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_rolls_follow_the_dice(dice: str, slots: str) -> None:
    """Chi-square of all rolls of 20,000 games: p above 1e-4."""
    run = run_of(dice, slots)
    expected = ScoreDistribution(run.game.dice.support, run.game.dice.counts, run.game.dice.total)
    counts = np.bincount(draw(run, 0, 20_000).ravel(), minlength=len(run.game.dice.support)).tolist()
    result = fit(ScoreDistribution(run.game.dice.support, tuple(counts), sum(counts)), expected)
    assert abs(result.z) < 4
    assert result.p_value > LEAST_P


def test_rolls_are_independent() -> None:
    """Pairs of 1d6: next to each other in a word, its first and last, in two words, and of two games."""
    slots = 20  # the first word gives 17 rolls, the second the other three
    per_word = max(m for m in range(1, slots + 1) if 6**m <= drawing.LARGEST_PRODUCT)
    assert per_word == 17
    rolls = draw(run_of("1d6", f"1-{slots}"), 0, 50_000).T.astype(int)
    pairs = [(rolls[:, 0], rolls[:, 1]), (rolls[:, 0], rolls[:, 16]), (rolls[:, 16], rolls[:, 17])]
    pairs += [(rolls[:, 0], rolls[:, 17]), (rolls[:-1, 0], rolls[1:, 0]), (rolls[:-1, 19], rolls[1:, 0])]
    for left, right in pairs:
        assert uniform_p(Counter((6 * left + right).tolist()), 36) > LEAST_P


def assert_same(run: Run, first: int, size: int) -> None:
    support = run.game.dice.support
    for number, kernels in enumerate(drawn_rolls(run, first, size), start=first):
        found = rolls_of(run, number)
        positions = drawing.roll_positions(run.game.dice.counts, run.game.size, run.seed, number)
        assert found == kernels == [support[position] for position in positions]


@pytest.mark.parametrize("first", [0, 12_345, 10**12])
@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_like_the_kernel_and_the_twin(dice: str, slots: str, first: int) -> None:
    assert_same(run_of(dice, slots), first, 12)


@given(games(max_slots=6, max_rolls=6), st.integers(-(2**70), 2**70), st.integers(0, 2**40))
def test_any_game_and_seed(game: Game, seed: int, first: int) -> None:
    assert_same(Run(game, ("optimal",), seed), first, 3)


def test_a_game_with_an_unfair_word() -> None:
    """Hardly one word in 10^6 is: the rolls of such a game come from another one."""
    run = run_of("1d20", "1-10")
    words = np.empty((2, 5_000_000), dtype=np.uint64)
    for bounds, row in zip((1, 20**10), words, strict=True):
        fill_words(np.uint64(key_bits(run.seed, "rolls")), 1, 0, 0, np.uint64(bounds), row)
    unfair = np.flatnonzero(words[0] != words[1]).tolist()
    assert unfair
    assert_same(run, unfair[0], 1)


def test_wide_dice_need_a_second_word() -> None:
    """Bounds that equal the first words of a fraction are settled by the next ones; one that equals all is reached."""
    words = [18]
    for _ in range(drawing.LIMBS - 1):
        words.append(drawing.mix(words[-1] ^ drawing.ANEW))
    fraction = sum(word << 64 * power for power, word in enumerate(reversed(words)))
    bounds = [fraction - 2**192, fraction - 2**128, fraction - 1, fraction, fraction + 1, fraction + 2**192]
    for chosen in product([False, True], repeat=len(bounds)):
        kept = [bound for bound, take in zip(bounds, chosen, strict=True) if take]
        limbs = np.array(
            [[bound >> 64 * power & 2**64 - 1 for bound in kept] for power in (3, 2, 1, 0)], dtype=np.uint64
        )
        assert reached(kept, words[0]) == sum(chosen[:4])
        assert wide_place(limbs, np.uint64(words[0])) == sum(chosen[:4])


def test_the_rest_of_a_game() -> None:
    board = Board(Game.classic()).place(8, 5)
    run = Run(board.game, ("optimal",), 18, boards=(board,))
    assert [rolls_of(run, number) for number in range(3)] == drawn_rolls(run, 0, 3)


RUN = Run(Game.parse("1d6", "1-3"), ("optimal",), 18)


def test_all_games_of_a_seed_can_be_drawn() -> None:
    verify_number(COUNT - 1)
    assert drawn_rolls(RUN, COUNT - 1, 1) != drawn_rolls(RUN, 0, 1)
