"""Many games at once, against the same games played one by one. (How rolls are drawn: tests/simulate.)"""

from itertools import permutations

import numpy as np
import pytest

from tentimes18.kernels import simulate as kernel
from tentimes18.kernels.types import RandomWords

ROUNDS, GAMES = 4, 300
POINTS = np.array([[0, 1, 2], [0, 2, 4], [0, 3, 6], [0, 3, 6]], dtype=np.int32)
ALL, FREE = (1 << ROUNDS) - 1, np.arange(ROUNDS)
GENERATOR = np.random.default_rng(18)
ROLLS = GENERATOR.integers(0, 3, (ROUNDS, GAMES)).astype(np.uint8)
SLOTS = np.zeros((1 << ROUNDS, 3), dtype=np.uint8)
for A in range(1, 1 << ROUNDS):
    SLOTS[A] = GENERATOR.choice([i for i in range(ROUNDS) if A >> i & 1], 3)


def scores_of(choose: dict[int, list[int]] | None = None, start: int = (1 << ROUNDS) - 1, made: int = 0) -> list[int]:
    """Game by game by the table of slots, or with slots given by game; from a free set and a score on."""
    sums = []
    for g in range(GAMES):
        free, score = start, made
        for r in range(start.bit_count()):
            x = ROLLS[r, g]
            slot = int(SLOTS[free, x]) if choose is None else choose[g][r]
            assert free >> slot & 1
            free, score = free ^ 1 << slot, score + int(POINTS[slot, x])
        sums.append(score)
    return sums


def test_by_a_table_of_slots() -> None:
    scores = np.zeros(GAMES, dtype=np.int32)
    kernel.play_slots(SLOTS, POINTS, ALL, ROLLS, scores)
    assert scores.tolist() == scores_of()


def test_by_a_table_of_moves() -> None:
    after = np.arange(1 << ROUNDS)[:, np.newaxis] ^ (1 << SLOTS.astype(np.int64))
    moves = (POINTS[SLOTS, np.arange(3)].astype(np.int64) << 16 | after).astype(np.uint32)
    scores = np.zeros(GAMES, dtype=np.int32)
    kernel.play_moves(moves, ALL, ROLLS, scores)
    assert scores.tolist() == scores_of()


def test_by_a_table_over_the_score() -> None:
    """Above two points the highest free slot, else the lowest."""
    most = int(POINTS.max()) * ROUNDS + 1
    offsets = np.arange(1 << ROUNDS) * most
    table = np.zeros((most << ROUNDS, 3), dtype=np.uint8)
    for A in range(1, 1 << ROUNDS):
        free = [i for i in range(ROUNDS) if A >> i & 1]
        for score in range(most):
            table[offsets[A] + score] = free[-1] if score > 2 else free[0]
    scores = np.zeros(GAMES, dtype=np.int32)
    kernel.play_score_slots(table, offsets, POINTS, ALL, ROLLS, scores)
    wanted = {}
    for g in range(GAMES):
        free, score, slots = list(range(ROUNDS)), 0, []
        for r in range(ROUNDS):
            slots.append(free.pop(-1 if score > 2 else 0))
            score += int(POINTS[slots[-1], ROLLS[r, g]])
        wanted[g] = slots
    assert scores.tolist() == scores_of(wanted)


def test_by_rank() -> None:
    ranks = np.array([[0, 0, 0], [0, 0, 0], [0, 1, 1], [0, 1, 2], [0, 2, 3]])
    scores = np.zeros(GAMES, dtype=np.int32)
    kernel.play_by_rank(ranks, POINTS, FREE, ROLLS, scores)
    wanted = {}
    for g in range(GAMES):
        free = list(range(ROUNDS))
        wanted[g] = [free.pop(ranks[ROUNDS - r, ROLLS[r, g]]) for r in range(ROUNDS)]
    assert scores.tolist() == scores_of(wanted)


def test_at_random() -> None:
    """Each order of the slots as often as any other: 24 of them in 2400 games, chi-square below 60 (1 in 30 000)."""
    games = 2400
    rolls = np.zeros((ROUNDS, games), dtype=np.uint8)
    source = RandomWords(np.uint64(18), np.array([24], dtype=np.uint64), np.zeros(ROUNDS, dtype=np.int64))
    scores, slots = np.empty(games, dtype=np.int32), np.empty((ROUNDS, games), dtype=np.uint16)
    kernel.play_random(source, POINTS, FREE, 0, rolls, scores, slots)
    orders, counts = np.unique(slots.T, axis=0, return_counts=True)
    assert len(orders) == 24
    assert sum((counts - 100) ** 2 / 100) < 60
    again = np.empty((ROUNDS, 100), dtype=np.uint16)
    kernel.play_random(source, POINTS, FREE, 500, rolls[:, :100], scores[:100], again)
    assert np.array_equal(again, slots[:, 500:600])  # whatever the game that a part begins with


def test_scores_at_random() -> None:
    source = RandomWords(np.uint64(18), np.array([24], dtype=np.uint64), np.zeros(ROUNDS, dtype=np.int64))
    scores, slots = np.zeros(GAMES, dtype=np.int32), np.empty((ROUNDS, GAMES), dtype=np.uint16)
    kernel.play_random(source, POINTS, FREE, 0, ROLLS, scores, slots)
    assert scores.tolist() == scores_of({g: slots[:, g].tolist() for g in range(GAMES)})
    silent = np.zeros(GAMES, dtype=np.int32)
    kernel.play_random(source, POINTS, FREE, 0, ROLLS, silent, slots[:0, :0])
    assert np.array_equal(silent, scores)


@pytest.mark.parametrize("bits", [8, 32])
def test_sorted(bits: int) -> None:
    """Each roll in the slot of its rank: the most there is, less what the lower rolls take away."""
    upto = np.zeros((3, ROUNDS + 1), dtype=np.int32)
    upto[:, 1:] = np.cumsum(POINTS.T, axis=1)
    gains = np.zeros((2, ROUNDS + 1), dtype=np.int32)
    gains[:] = upto[1:] - upto[:-1]
    patterns = np.zeros((2 // (64 // bits) + 1, 3), dtype=np.uint64)
    for x in range(2):
        word, place = divmod(x, 64 // bits)
        patterns[word, : x + 1] += np.uint64(1 << (bits * place))
    scores = np.zeros(GAMES, dtype=np.int32)
    kernel.play_sorted(patterns, bits, gains, int(upto[2, ROUNDS]), ROLLS, scores)
    wanted = {}
    for g in range(GAMES):
        order = np.argsort(ROLLS[:, g], kind="stable")
        wanted[g] = [int(np.flatnonzero(order == r)[0]) for r in range(ROUNDS)]
    assert scores.tolist() == scores_of(wanted)


def test_counts() -> None:
    scores = np.array([[3, 1, 2, 2], [1, 1, 2, 5], [3, 0, 1, 5]], dtype=np.int32)
    histogram = np.zeros(6, dtype=np.int64)
    kernel.add_histogram(scores[1], histogram)
    assert histogram.tolist() == [0, 2, 1, 0, 0, 1]
    wins, draws = np.zeros((3, 3), dtype=np.int64), np.zeros((3, 3), dtype=np.int64)
    first_places = np.zeros((3, 4), dtype=np.int64)
    kernel.compare(scores, wins, draws, first_places)
    assert wins.tolist() == [[0, 1, 2], [1, 0, 2], [1, 1, 0]]
    assert draws.tolist() == [[0, 2, 1], [2, 0, 1], [1, 1, 0]]
    # Alone first, or shared by two: games 0 and 3 are shared by two, games 1 and 2 by players 0 and 1.
    assert first_places.tolist() == [[0, 0, 3, 0], [0, 0, 3, 0], [0, 0, 2, 0]]


def test_products() -> None:
    numbers = np.array([[1, 2, 3], [-4, 5, 46_341]], dtype=np.int32)  # the last square is beyond 32 bits
    products = np.zeros((2, 2), dtype=np.int64)
    kernel.add_products(numbers, products)
    kernel.add_products(numbers[:, :1], products)
    assert products.tolist() == [[15, 0], [-4 + 10 + 3 * 46_341 - 4, 16 + 25 + 46_341**2 + 16]]


SOME, LEFT = 0b1011, np.array([0, 1, 3])
MADE = 7  # units on the board already


def test_going_on_from_a_board() -> None:
    rolls = ROLLS[:3]
    made = np.full(GAMES, MADE, dtype=np.int32)
    by_slots, by_moves, by_scores, by_rank, by_chance = (made.copy() for _ in range(5))
    kernel.play_slots(SLOTS, POINTS, SOME, rolls, by_slots)
    after = np.arange(1 << ROUNDS)[:, np.newaxis] ^ (1 << SLOTS.astype(np.int64))
    moves = (POINTS[SLOTS, np.arange(3)].astype(np.int64) << 16 | after).astype(np.uint32)
    kernel.play_moves(moves, SOME, rolls, by_moves)
    width = 40
    table = np.repeat(SLOTS, width, axis=0)  # whatever the score
    kernel.play_score_slots(table, np.arange(1 << ROUNDS) * width, POINTS, SOME, rolls, by_scores)
    assert by_slots.tolist() == by_moves.tolist() == by_scores.tolist() == scores_of(None, SOME, MADE)

    ranks = np.array([[0, 0, 0], [0, 0, 0], [0, 1, 1], [0, 1, 2], [0, 2, 3]])
    kernel.play_by_rank(ranks, POINTS, LEFT, rolls, by_rank)
    wanted = {}
    for g in range(GAMES):
        free = LEFT.tolist()
        wanted[g] = [free.pop(ranks[3 - r, rolls[r, g]]) for r in range(3)]
    assert by_rank.tolist() == scores_of(wanted, SOME, MADE)

    source = RandomWords(np.uint64(18), np.array([6], dtype=np.uint64), np.zeros(3, dtype=np.int64))
    chosen = np.empty((3, GAMES), dtype=np.uint16)
    kernel.play_random(source, POINTS, LEFT, 0, rolls, by_chance, chosen)
    assert by_chance.tolist() == scores_of({g: chosen[:, g].tolist() for g in range(GAMES)}, SOME, MADE)
    assert {tuple(order) for order in chosen.T.tolist()} == set(permutations(LEFT.tolist()))
