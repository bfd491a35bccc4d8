"""Tables played: who is first, with and without one of them, and ranks, against the same game by game in Python."""

import numpy as np

from tentimes18.duel.slot_choice import add_ranks, count_first


def scores_of(rows: int, games: int = 500) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.random.default_rng(18).integers(0, 6, (rows, games)).astype(np.int32)


def first(scores: dict[int, int]) -> int:
    return sum(1 << seat for seat, score in scores.items() if score == max(scores.values()))


def test_who_is_first() -> None:
    """The third seat plays another row at the table without the first one."""
    scores = scores_of(4)
    tables = np.array([[0, 1, 2], [-1, 1, 3], [0, -1, 2], [0, 1, -1]])
    counts = np.zeros((3, 8, 8), dtype=np.int64)
    count_first(scores, tables, counts)
    wanted = np.zeros_like(counts)
    for column in scores.T.tolist():
        whole = first({seat: column[row] for seat, row in enumerate(tables[0].tolist())})
        for left in range(3):
            rest = {seat: column[row] for seat, row in enumerate(tables[1 + left].tolist()) if row >= 0}
            wanted[left, whole, first(rest)] += 1
    assert counts.tolist() == wanted.tolist()


def test_a_table_that_cannot_be_played() -> None:
    counts = np.zeros((2, 4, 4), dtype=np.int64)
    count_first(scores_of(2), np.array([[0, 1], [-1, -1], [0, -1]]), counts)
    assert counts[0, :, 1:].sum() == 0
    assert counts[1, :, 1].sum() == 500


def test_ranks() -> None:
    scores, rows = scores_of(4), np.array([2, 0, 3])
    sums, squares = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    add_ranks(scores, rows, sums, squares)
    ranks = []
    for column in scores[rows].T.tolist():
        ranks.append(
            [
                2 * sum(other > score for other in column) + sum(other == score for other in column) - 1
                for score in column
            ]
        )
    assert sums.tolist() == [sum(one[p] for one in ranks) for p in range(3)]
    assert squares.tolist() == [sum(one[p] ** 2 for one in ranks) for p in range(3)]
