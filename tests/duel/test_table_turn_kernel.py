"""A turn of the best response at a table: the slot it takes, where that leads, and the same for many games."""

import numpy as np
import pytest

from tentimes18.duel.several_players import TablePositions
from tentimes18.duel.several_players_response import TableLayer, TableTurn, choose_at_table, follow_turn, play_turn
from tentimes18.kernels.types import Moves

MOVES = Moves(np.array([0.25, 0.75]), np.array([[0, 1], [0, 3]]))


def turn(smaller: list[float]) -> TableTurn:
    """Two slots free, one position of the others now and two after: each set has a window of leads 0 to 2 there.

    A roll of the higher number leads them to position 1, and raises their base by one.
    """
    return TableTurn(
        np.array([0b11]),
        np.array([0, 0, 1, 0]),
        np.array([[[-1, -1], [-1, -1]], [[0, -1], [0, -1]], [[1, -1], [1, -1]], [[0, 1], [1, 0]]], dtype=np.int8),
        np.array([[0, 1]]),
        np.array([[0, 1]]),
        TableLayer(np.array([[0]]), np.array([[-1]]), np.array([[4]])),
        TableLayer(np.array([[0, 3], [6, 9]]), np.zeros((2, 2), dtype=np.int64), np.full((2, 2), 3)),
        np.array(smaller),
    )


# By position of the others, my set {1} or {2}, and lead 0 to 2.
VALUES = [0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.1, 0.2, 0.9]


@pytest.mark.parametrize(
    ("e", "x", "wanted"),
    [
        (0, 0, (0, 1, 0)),  # as good as the other one: the first in order
        (-1, 0, (0, 1, -1)),  # lost with both
        (3, 0, (0, 1, 3)),  # won with both
        (0, 1, (1, 0, 2)),  # slot 2 leaves {1} with a lead of 2, slot 1 leaves {2} with one of 0
        (1, 1, (1, 0, 3)),  # won with slot 2
        (-2, 1, (1, 0, 0)),  # lost with slot 1
    ],
)
def test_choice(e: int, x: int, wanted: tuple[int, int, int]) -> None:
    assert choose_at_table(turn(VALUES), MOVES.shifts, 0, 0b11, e, x) == wanted


def test_the_better_one_is_taken_though_its_mean_is_worse() -> None:
    better = [*VALUES[:8], 0.15, 0.2, 0.2, 0.9]
    assert choose_at_table(turn(better), MOVES.shifts, 0, 0b11, 0, 1)[0] == 0


def test_follow() -> None:
    """From leads of -1, 0 and 1: what is won, what is lost and where the others are then, and what stays open."""
    windows, leads = np.array([1, 1, 1], dtype=np.uint64), np.array([0, 1, 2], dtype=np.uint64)
    here = TablePositions(windows, leads, np.array([0.5, 0.3, 0.2]))
    after = TablePositions(np.zeros(16, dtype=np.uint64), np.zeros(16, dtype=np.uint64), np.zeros(16))
    won, lost = np.zeros(1), np.zeros(2)
    assert follow_turn(turn(VALUES), MOVES, (0, 2), here, after, (won, lost)) == (3, 4)
    found = {(int(w), int(t)): float(p) for w, t, p in zip(*after, strict=True) if w}
    assert found == pytest.approx({(2, 0): 0.3 * 0.25, (2, 1): 0.2 * 0.25, (3, 1): 0.5 * 0.75, (3, 2): 0.3 * 0.75})
    assert won.tolist() == pytest.approx([0.2 * 0.75])
    assert lost.tolist() == pytest.approx([0.5 * 0.25, 0.0])


def test_a_full_list() -> None:
    """It stops where there might be no room for what one more position leads to."""
    here = TablePositions(np.ones(3, dtype=np.uint64), np.arange(3, dtype=np.uint64), np.ones(3))
    after = TablePositions(np.zeros(8, dtype=np.uint64), np.zeros(8, dtype=np.uint64), np.zeros(8))
    assert follow_turn(turn(VALUES), MOVES, (0, 2), here, after, (np.zeros(1), np.zeros(2))) == (2, 3)


def test_play() -> None:
    rolls = np.array([0, 1, 1], dtype=np.uint8)
    positions, sets, leads = np.zeros(3, dtype=np.int64), np.full(3, 0b11), np.array([0, 0, -2])
    scores = np.array([0, 0, 5], dtype=np.int32)
    play_turn(turn(VALUES), MOVES.shifts, rolls, positions, sets, leads, scores)
    assert positions.tolist() == [0, 1, 1]
    assert sets.tolist() == [0b10, 0b01, 0b01]
    assert leads.tolist() == [0, 2, 0]
    assert scores.tolist() == [0, 3, 8]
