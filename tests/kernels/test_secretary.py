"""The passes of the secretary problem, by hand."""

import numpy as np

from tentimes18.kernels.secretary import chosen_arrivals, chosen_ranks, rank_pass, reward_pass


def test_three_arrivals_and_the_best() -> None:
    """The second is taken if it is better than the first: right for three of the six orders."""
    last, thresholds, taken = np.empty(1), np.empty((1, 3)), np.zeros((1, 3), dtype=np.int64)
    reward_pass(np.ones(1), last, thresholds, taken)
    np.testing.assert_allclose(last, [1 / 2])
    np.testing.assert_allclose(thresholds, [[1 / 2, 1 / 3, 0]])
    assert taken.tolist() == [[0, 1, 1]]
    arrivals, ranks = np.empty(3), np.empty(3)
    chosen_arrivals(taken, arrivals)
    chosen_ranks(taken, ranks)
    np.testing.assert_allclose(arrivals, [0, 1 / 2, 1 / 6])
    np.testing.assert_allclose(ranks, [1 / 2, 1 / 6, 0])


def test_three_arrivals_and_their_ranks() -> None:
    """Orders 213, 231, 312 lead to rank 1, 132 and 321 to rank 2, 123 to rank 3."""
    last, thresholds, taken = np.empty(1), np.empty((1, 3)), np.zeros((1, 3), dtype=np.int64)
    rank_pass(last, thresholds, taken)
    np.testing.assert_allclose(last, [10 / 6])
    assert taken.tolist() == [[0, 1, 3]]
    ranks = np.empty(3)
    chosen_ranks(taken, ranks)
    np.testing.assert_allclose(ranks, [3 / 6, 2 / 6, 1 / 6])
