"""The rolls of one game, against the twin, and against the kernel that draws those of very many."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Board, Game, InvalidGame
from tentimes18.kernels import simulate as kernel
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.rolls import fair_word, key_bits, reached, rolls_of
from tentimes18.simulate.run import Run
from tests.oracle import drawing
from tests.support.games import games

GAMES = [
    ("3d6", "1-10"),
    ("1d6", "1-20"),
    ("d{1,1,2,3,5,8}", "1,3,5,7,9"),
    ("d{7}", "1-4"),
    ("d300", "1-7"),
    ("d{1,2}:2=65535", "1-5"),
    ("d{1,2,3}:2=65535", "1-5"),
    ("100d6", "1-4"),
]


def run_of(dice: str, slots: str) -> Run:
    return Run(Game.parse(dice, slots), ("optimal",), 1987)


def assert_same(run: Run, first: int, size: int) -> None:
    support = run.game.dice.support
    for number, kernels in enumerate(drawn_rolls(run, first, size), start=first):
        found = rolls_of(run, number)
        positions = drawing.roll_positions(run.game.dice.counts, run.game.size, run.seed, number)
        assert found == kernels == [support[position] for position in positions]


@pytest.mark.parametrize("first", [0, 12_345, 10**12])
@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_like_the_kernel_and_the_twin(dice: str, slots: str, first: int) -> None:
    assert_same(run_of(dice, slots), first, 40)


@given(games(max_slots=6, max_rolls=6), st.integers(-(2**70), 2**70), st.integers(0, 2**40))
def test_any_game_and_seed(game: Game, seed: int, first: int) -> None:
    assert_same(Run(game, ("optimal",), seed), first, 3)


@pytest.mark.parametrize("bounds", [1, 216**5, 2**63 - 1, 2**64 // 3 + 1])
def test_unfair_words_are_drawn_anew(bounds: int) -> None:
    """The last product leaves over a third of all words."""
    for number in range(300):
        assert fair_word(2**64 - 5, number, bounds) == drawing.fair_word(2**64 - 5, number, bounds)


def test_a_game_with_an_unfair_word() -> None:
    """Hardly one word in 10^6 is: the rolls of such a game come from another one."""
    run = run_of("1d20", "1-10")
    words = np.empty((2, 5_000_000), dtype=np.uint64)
    for bounds, row in zip((1, 20**10), words, strict=True):
        kernel.fill_words(np.uint64(key_bits(run.seed, "rolls")), 1, 0, 0, np.uint64(bounds), row)
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
        assert kernel.wide_place(np.array(limbs, dtype=np.uint64), np.uint64(words[0])) == sum(chosen[:4])


@pytest.mark.parametrize("number", [-1, 10**13, 10**5000], ids=["-1", "10^13", "10^5000"])
def test_numbers_that_no_game_has(number: int) -> None:
    with pytest.raises(InvalidGame, match="is not the number of a game"):
        rolls_of(run_of("3d6", "1-10"), number)


def test_the_rest_of_a_game() -> None:
    board = Board(Game.classic()).place(8, 5)
    run = Run(board.game, ("optimal",), 18, boards=(board,))
    assert [rolls_of(run, number) for number in range(3)] == drawn_rolls(run, 0, 3)
