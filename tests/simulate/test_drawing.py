"""The rolls of a run against a twin with Python's integers, and against the law of the dice."""

from collections import Counter
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tentimes18 import Board, Dice, Game, InvalidGame, ScoreLaw
from tentimes18.kernels import simulate as kernel
from tentimes18.simulate.drawing import draw, drawn_rolls
from tentimes18.simulate.fit import fit
from tentimes18.simulate.run import Run
from tests.oracle import drawing
from tests.support.games import games

LEAST_P = 1e-4  # of a chi-square test; seeds are fixed, so a test that passes does so for ever
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


@pytest.mark.parametrize("first", [0, 12_345, 10**12])
@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_rolls_are_those_of_the_twin(dice: str, slots: str, first: int) -> None:
    run = run_of(dice, slots)
    support = run.game.dice.support
    for number, rolls in enumerate(drawn_rolls(run, first, 40), start=first):
        positions = drawing.roll_positions(run.game.dice.counts, run.game.size, run.seed, number)
        assert rolls == [support[position] for position in positions]


def test_both_ways_to_draw_are_among_the_games() -> None:
    """And totals on both sides of where one begins and the other ends."""
    totals = [Dice.parse(dice).total for dice, _ in GAMES]
    assert {total > drawing.LARGEST_TOTAL for total in totals} == {True, False}
    assert {drawing.LARGEST_TOTAL, drawing.LARGEST_TOTAL + 1} <= set(totals)


@given(games(max_slots=6, max_rolls=6), st.integers(-(2**70), 2**70), st.integers(0, 2**40))
def test_rolls_of_any_game_and_seed(game: Game, seed: int, first: int) -> None:
    for number, rolls in enumerate(drawn_rolls(Run(game, ("optimal",), seed), first, 3), start=first):
        positions = drawing.roll_positions(game.dice.counts, game.size, seed, number)
        assert rolls == [game.dice.support[position] for position in positions]


@pytest.mark.parametrize(("dice", "slots"), [("3d6", "1-10"), ("1d100", "1-10"), ("100d6", "1-4")])
def test_a_game_is_the_same_wherever_it_is_drawn(dice: str, slots: str) -> None:
    run = run_of(dice, slots)
    whole = drawn_rolls(run, 0, 500)
    for start, number in [(0, 1), (0, 499), (1, 499), (250, 7), (499, 1)]:
        assert drawn_rolls(run, start, number) == whole[start : start + number]
    assert len({tuple(rolls) for rolls in whole}) > 450
    assert drawn_rolls(run_of(dice, slots, seed=1988), 0, 500) != whole


@pytest.mark.parametrize("bounds", [(6, 7), (5, 5, 5), (10,), (3, 1, 4, 1, 5, 9), (255,), (2, 2, 2, 2)])
@pytest.mark.parametrize("bits", [8, 12])
def test_fair_words_are_exactly_uniform(bounds: tuple[int, ...], bits: int) -> None:
    """All words of so few bits: each row of numbers comes from equally many fair ones."""
    words = 1 << bits
    if prod(bounds) > words:
        return
    fair = [value for value in range(words) if drawing.is_fair(value, prod(bounds), words)]
    found = Counter(tuple(drawing.numbers(value, bounds, words)) for value in fair)
    assert set(found) == set(product(*map(range, bounds)))
    assert set(found.values()) == {words // prod(bounds)}


PRODUCTS = [1, 2, 216**5, 2**44, 6**24, 2**64 // 3 + 1, 2**64 // 3 + 2, 2**64 // 5 + 7, 2**63 - 25, 2**63 - 1]


def words_of(key: int, per_game: int, which: int, first: int, product: int, size: int) -> NDArray[np.uint64]:
    words = np.empty(size, dtype=np.uint64)
    kernel.fill_words(np.uint64(key), per_game, which, first, np.uint64(product), words)
    return words


@pytest.mark.parametrize("product", PRODUCTS)
def test_words_are_drawn_anew(product: int) -> None:
    """Products that leave over up to a third of all words; a program draws with far smaller ones."""
    key, first, per_game = 2**64 - 5, 999, 3
    for which in range(per_game):
        found = words_of(key, per_game, which, first, product, 300).tolist()
        assert found == [drawing.fair_word(key, per_game * game + which, product) for game in range(first, first + 300)]
        assert all(drawing.is_fair(value, product) for value in found)


def test_a_third_of_all_words_can_be_unfair() -> None:
    """So that the test before goes more than once through the loop for some words."""
    product = 2**64 // 3 + 1
    rounds = []
    for number in range(900):
        value, redrawn = drawing.word(2**64 - 5, number), 0
        while not drawing.is_fair(value, product):
            value, redrawn = drawing.mix(value ^ drawing.ANEW), redrawn + 1
        rounds.append(redrawn)
    assert sum(map(bool, rounds)) > 250
    assert max(rounds) >= 3


def test_numbers_of_many_bounds() -> None:
    words = words_of(18, 1, 0, 0, 6**24, 2_000)
    twins = [drawing.numbers(value, [6] * 24) for value in words.tolist()]
    numbers = np.empty(len(words), dtype=np.uint32)
    for k in range(24):
        kernel._next_numbers(np.uint64(6), words, numbers)
        assert numbers.tolist() == [twin[k] for twin in twins]
    counted = Counter(number for twin in twins for number in twin)
    assert uniform_p(counted, 6) > LEAST_P


@pytest.mark.parametrize("bound", [1, 2, 216, 2**16, 2**31 + 11, 2**32 - 1])
def test_numbers_below_large_bounds(bound: int) -> None:
    words = np.array([0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 2**32, 2**64 - 1], dtype=np.uint64)
    twins = [divmod(value * bound, 2**64) for value in words.tolist()]
    numbers = np.empty(len(words), dtype=np.uint32)
    kernel._next_numbers(np.uint64(bound), words, numbers)
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
    law = ScoreLaw(tuple(range(size)), (1,) * size, size)
    return fit(ScoreLaw(tuple(counted), tuple(counted.values()), counted.total()), law).p_value


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_rolls_follow_the_dice(dice: str, slots: str) -> None:
    """Chi-square of all rolls of 50,000 games: p above 1e-4."""
    run = run_of(dice, slots)
    law = ScoreLaw(run.game.dice.support, run.game.dice.counts, run.game.dice.total)
    counted = Counter(roll for rolls in drawn_rolls(run, 0, 50_000) for roll in rolls)
    shares = ScoreLaw(tuple(sorted(counted)), tuple(counted[roll] for roll in sorted(counted)), counted.total())
    result = fit(shares, law)
    assert abs(result.z) < 4
    assert result.p_value > LEAST_P


def test_rolls_are_independent() -> None:
    """Pairs of 1d6: next to each other in a word, its first and last, in two words, and of two games."""
    slots = 20  # the first word gives 17 rolls, the second the other three
    per_word = max(m for m in range(1, slots + 1) if 6**m <= drawing.LARGEST_PRODUCT)
    assert per_word == 17
    rolls = np.array(drawn_rolls(run_of("1d6", f"1-{slots}"), 0, 100_000)) - 1
    pairs = [(rolls[:, 0], rolls[:, 1]), (rolls[:, 0], rolls[:, 16]), (rolls[:, 16], rolls[:, 17])]
    pairs += [(rolls[:, 0], rolls[:, 17]), (rolls[:-1, 0], rolls[1:, 0]), (rolls[:-1, 19], rolls[1:, 0])]
    for left, right in pairs:
        assert uniform_p(Counter((6 * left + right).tolist()), 36) > LEAST_P


def test_a_biased_draw_would_be_seen() -> None:
    """The bounds of these tests: one face too often by a fiftieth in 10^6 rolls is far beyond them."""
    counted = Counter(dict.fromkeys(range(6), 1_000_000 // 6))
    counted[0] += counted[0] // 50
    assert uniform_p(counted, 6) < LEAST_P


def test_wide_dice_need_a_second_word() -> None:
    """Bounds that equal the first word of a fraction are settled by the next ones; one that equals all is reached."""
    key = 7
    value = drawing.word(key, 0)
    following = drawing.mix(value ^ drawing.ANEW)
    last = [drawing.mix(following ^ drawing.ANEW), drawing.mix(drawing.mix(following ^ drawing.ANEW) ^ drawing.ANEW)]
    bounds = [
        [value - 1, following + 1, 0, 0],
        [value, following - 1, 2**64 - 1, 0],
        [value, following, last[0], last[1] - 1],
        [value, following, last[0], last[1]],
        [value, following, last[0], last[1] + 1],
        [value, following + 1, 0, 0],
        [value + 1, 0, 0, 0],
    ]
    for chosen in product([False, True], repeat=len(bounds)):
        kept = [bound for bound, take in zip(bounds, chosen, strict=True) if take]
        words = np.array(kept, dtype=np.uint64).reshape(-1, drawing.LIMBS).T.copy()
        rolls = np.empty((1, 1), dtype=np.uint8)
        kernel.draw_wide_rolls(np.uint64(key), words, 0, rolls)
        assert rolls[0, 0] == sum(chosen[:4])


@pytest.mark.parametrize("first", [-1, 10**13, 2**64, 10**5000], ids=["-1", "10^13", "2^64", "10^5000"])
def test_numbers_that_no_game_has(first: int) -> None:
    with pytest.raises(InvalidGame, match="is not the number of a game; accepted: 0 to 9,999,999,999,999") as refused:
        draw(Run(Game.classic(), ("optimal",), 18), first, 2)
    assert refused.value.field == "game"


def test_the_rolls_of_a_game_in_play() -> None:
    """As many as there are slots free."""
    board = Board(Game.classic()).place(8, 5)
    run = Run(board.game, ("optimal",), 18, boards=(board,))
    assert draw(run, 0, 7).shape == (9, 7)
    assert [len(rolls) for rolls in drawn_rolls(run, 0, 3)] == [9, 9, 9]
