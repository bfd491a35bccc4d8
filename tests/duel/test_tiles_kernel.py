"""Tiles of matrix games: every entry against the position that it stands for, bounds against numpy."""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.duel.lead_windows import DuelWindows, Pair, Stored
from tentimes18.duel.matrix_games import (
    TILE,
    copy_half,
    find_bounds,
    find_lines,
    find_open,
    list_entries,
    new_bounds,
    new_entries,
    place_entries,
)
from tentimes18.game import Game, slots_of
from tentimes18.kernels.types import Floats
from tests.support.duels import stored_half

GAMES = [("1d4", "1-3"), ("d{-3,0,4}:0=3", "-2,0,1/2"), ("1d3", "-1,2,2"), ("d{1,90}", "1-3")]
Read = Callable[[int, int, int], float]


def half_of_the_pairs(windows: DuelWindows, k: int) -> Iterator[Pair]:
    """Those with k free slots whose first set comes no later than the second."""
    for A, B in product(windows.sets[k].tolist(), repeat=2):
        a, b = windows.ranks[A], windows.ranks[B]
        if a <= b:
            yield Pair(A, B, int(windows.lows[k][a, b]), int(windows.sizes[k][a, b]))


def assert_entries(windows: DuelWindows, k: int, copy: Callable[..., None], read: Read) -> None:
    """Of all pairs with k free slots: the entries for every roll, of the first tile and of one far beyond it."""
    layer = windows.layer(k)
    entries = new_entries(k, len(windows.P), layer.after)
    for pair in half_of_the_pairs(windows, k):
        A, B, low, _ = pair
        cells = np.full(k * k * entries.width, np.nan)
        list_entries(pair, windows.shifts, windows.ranks, layer.after, entries)
        copy(pair, windows.ranks, entries, cells)
        for x, first in product(range(len(windows.P)), (0, 5, 3 * TILE)):
            place_entries(first, entries.moved[x], entries.starts, entries.ends, entries.width, entries.places)
            for place, (i, j) in zip(entries.places, product(slots_of(A), slots_of(B)), strict=True):
                e = low + first + int(windows.shifts[i - 1, x] - windows.shifts[j - 1, x])
                wanted = [read(A ^ 1 << i - 1, B ^ 1 << j - 1, e + t) for t in range(TILE)]
                assert cells[place : place + TILE].tolist() == wanted


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_entries_from_a_half(dice: str, slots: str) -> None:
    windows = DuelWindows(Game.parse(dice, slots), half=True)
    values = np.random.default_rng(18).random(windows.cells)
    for k in (1, 2, 3):

        def copy(pair: Pair, *rest: object, k: int = k) -> None:
            ranks, entries, cells = rest
            copy_half(pair, ranks, Stored(windows.of_size(k - 1), values), entries, cells)  # type: ignore[arg-type]

        assert_entries(windows, k, copy, lambda A, B, e: stored_half(windows, values, A, B, e))


def tile_of(games: Floats) -> Floats:
    """Games [lead, r, c] as the entries of a tile, one after the other; leads that are missing have the first game."""
    filled = np.concatenate([games, np.repeat(games[:1], TILE - len(games), axis=0)])
    return np.ascontiguousarray(np.moveaxis(filled, 0, 2)).ravel()


@given(st.integers(1, 7), st.sampled_from([8, 16, 40, TILE]), st.integers(0, 2**32 - 1), st.sampled_from([1, 4, 1000]))
def test_bounds(k: int, count: int, seed: int, steps: int) -> None:
    """Of as many leads as are asked for; nothing is written beyond them."""
    games = np.random.default_rng(seed).integers(0, steps + 1, (count, k, k)) / steps
    bounds = new_bounds(k)
    for array in bounds:
        array[:] = np.nan
    find_lines(tile_of(games), TILE * np.arange(k * k), k, count, bounds.rows, bounds.columns)
    find_bounds(bounds.rows, bounds.columns, k, count, bounds.maximin, bounds.minimax)
    assert (games.min(axis=2) == bounds.rows.reshape(k, TILE).T[:count]).all()
    assert (games.max(axis=1) == bounds.columns.reshape(k, TILE).T[:count]).all()
    assert (bounds.maximin[:count] == games.min(axis=2).max(axis=1)).all()
    assert (bounds.minimax[:count] == games.max(axis=1).min(axis=1)).all()
    assert all(np.isnan(array.reshape(-1, TILE)[:, count:]).all() for array in bounds)


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_leads_that_a_single_move_decides(dice: str, slots: str) -> None:
    """For every roll: from ``won`` on a row has won whatever is done against it, before ``lost`` a column."""
    windows = DuelWindows(Game.parse(dice, slots), half=True)
    for k in (1, 2, 3):
        layer = windows.layer(k)
        entries = new_entries(k, len(windows.P), layer.after)
        for pair in half_of_the_pairs(windows, k):
            A, B, low, size = pair
            list_entries(pair, windows.shifts, windows.ranks, layer.after, entries)
            for x in range(len(windows.P)):
                for t in range(size):
                    outcome = np.array(
                        [
                            [
                                decided(windows, A ^ 1 << i - 1, B ^ 1 << j - 1, low + t + int(shift))
                                for j in slots_of(B)
                                for shift in [windows.shifts[i - 1, x] - windows.shifts[j - 1, x]]
                            ]
                            for i in slots_of(A)
                        ]
                    )
                    assert (t >= entries.won[x]) == (outcome == 1).all(axis=1).any()
                    assert (t < entries.lost[x]) == (outcome == -1).all(axis=0).any()


def decided(windows: DuelWindows, A: int, B: int, e: int) -> int:
    """1 for a lead beyond the window of a pair, -1 for one before it, 0 inside."""
    a, b = windows.ranks[A], windows.ranks[B]
    if a > b:
        return -decided(windows, B, A, -e)
    k = A.bit_count()
    low, size = int(windows.lows[k][a, b]), int(windows.sizes[k][a, b])
    return int(e >= low + size) - int(e < low)


@pytest.mark.parametrize(
    ("first", "count", "lost", "won", "open_leads"),
    [
        (0, 64, -3, 90, (0, 64)),
        (64, 20, 70, 75, (6, 8)),  # five leads, to a whole number of eights
        (64, 20, 10, 64, (0, 0)),  # all are won
        (64, 20, 10, 30, (0, 0)),
        (64, 20, 84, 99, (20, 0)),  # all are lost
        (0, 64, 0, 33, (0, 40)),
    ],
)
def test_open_leads_of_a_tile(first: int, count: int, lost: int, won: int, open_leads: tuple[int, int]) -> None:
    assert find_open(first, count, lost, won) == open_leads
