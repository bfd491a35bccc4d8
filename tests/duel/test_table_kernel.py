"""Positions at a table followed by compiled code: one round and all of them, against the same in Python."""

from collections import defaultdict

import numpy as np
import pytest

from tentimes18.duel.several_players import (
    TablePositions,
    TableRound,
    add_positions,
    follow_table,
    table_gains,
    table_seats,
)
from tentimes18.game import Game
from tentimes18.solve.moves import moves_of
from tentimes18.strategies.seats import seat_of

GAME = Game.parse("1d4", "1-3")
BITS = 5


def empty(places: int) -> TablePositions:
    return TablePositions(np.zeros(places, dtype=np.uint64), np.zeros(places, dtype=np.uint64), np.zeros(places))


def listed(positions: TablePositions) -> dict[tuple[int, int], float]:
    return {
        (int(sets), int(points)): chance
        for sets, points, chance in zip(*(part.tolist() for part in positions), strict=True)
        if sets
    }


def test_the_first_round() -> None:
    """Nobody is out after one of three rolls; points are counted from the least of them."""
    names = ("optimal", "greedy")
    seats = table_seats(GAME, [seat_of(name, GAME) for name in names], [-1, -1], [True, True])
    moves, ends, after = moves_of(GAME), np.zeros(4), empty(64)
    start = TablePositions(np.array([0b111_111], dtype=np.uint64), np.zeros(1, dtype=np.uint64), np.ones(1))
    found = follow_table(seats, moves, table_gains(GAME), TableRound(3, 3, BITS, 0, 4), start, after, ends)
    wanted: dict[tuple[int, int], float] = defaultdict(float)
    for x in range(4):
        i, j = (int(seats.slots[seats.bases[p, 0b111], x]) for p in (0, 1))
        points = int(moves.shifts[i, x]), int(moves.shifts[j, x])
        key = (0b111 ^ 1 << i) | (0b111 ^ 1 << j) << 3
        wanted[key, points[0] - min(points) | points[1] - min(points) << BITS] += 0.25
    assert listed(after) == pytest.approx(wanted)
    assert found == (1, len(wanted))
    assert ends.tolist() == [0.0] * 4


def test_the_last_round() -> None:
    """With one slot each left, points of 0 and 2 so far: who is first at the end, with shares of draws."""
    seats = table_seats(GAME, [seat_of(name, GAME) for name in ("optimal", "greedy")], [-1, -1], [True, True])
    ends, after = np.zeros(4), empty(64)
    here = TablePositions(
        np.array([0b100 | 0b001 << 3], dtype=np.uint64), np.array([0 | 2 << BITS], dtype=np.uint64), np.ones(1)
    )
    follow_table(seats, moves_of(GAME), table_gains(GAME), TableRound(1, 3, BITS, 0, 4), here, after, ends)
    # In slots 3 and 1 the rolls make 3 x against x + 2 units: 0, 3, 6, 9 against 2, 3, 4, 5.
    assert ends.tolist() == pytest.approx([0.5 + 0.125, 0.25 + 0.125, 0.5, 0.25])
    assert listed(after) == {}


def test_it_stops_before_the_list_is_too_full() -> None:
    seats = table_seats(GAME, [seat_of(name, GAME) for name in ("optimal", "greedy")], [-1, -1], [True, True])
    here = TablePositions(
        np.full(3, 0b111_111, dtype=np.uint64), np.zeros(3, dtype=np.uint64), np.array([0.5, 0.25, 0.25])
    )
    ends, after = np.zeros(4), empty(8)
    stopped, added = follow_table(
        seats, moves_of(GAME), table_gains(GAME), TableRound(3, 3, BITS, 0, 4), here, after, ends
    )
    assert stopped == 1
    larger = empty(64)
    add_positions(after, larger)
    assert listed(larger) == listed(after)
    at = TableRound(3, 3, BITS, stopped, 4 + added)
    assert follow_table(seats, moves_of(GAME), table_gains(GAME), at, here, larger, ends) == (3, 0)
    assert sum(listed(larger).values()) == pytest.approx(1)
