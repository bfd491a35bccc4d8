"""Steps in time: the order of the method, its estimates, and games that are played by its rows."""

import numpy as np
import pytest

from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.kernels.poisson import ERRORS, PLACES, STAGES, integrate, play_times, slopes, step
from tentimes18.kernels.types import Flow

TABLE = UniformLaw(0, 1).table


def test_the_coefficients_fit_together() -> None:
    assert STAGES.sum(axis=1) == pytest.approx(PLACES, abs=1e-14)
    assert ERRORS.sum() == pytest.approx(0, abs=1e-15)
    for power in range(5):  # the weights of the last stage integrate powers up to the fourth
        assert STAGES[6] @ PLACES[:6] ** power == pytest.approx(1 / (power + 1), abs=1e-14)


def test_a_step_has_the_fifth_order() -> None:
    """One slot and uniform values: e = τ / (2 + τ)."""
    errors = []
    for h in (0.4, 0.2):
        work, hints = np.zeros((9, 1)), np.zeros(1, dtype=np.int64)
        work[0] = 1 / 3  # τ = 1
        flow = Flow(np.ones(1), 0.0, 1.0)
        slopes(TABLE, flow, 0.0, work[0], hints, work[1])
        estimate = step(TABLE, flow, 0.0, h, hints, work)
        errors.append(abs(work[8, 0] - (1 + h) / (3 + h)))
        assert errors[-1] < estimate
    assert errors[0] / errors[1] > 40


def test_all_steps() -> None:
    times, rows = np.empty(2000), np.empty((2000, 2))
    count, wrong = integrate(TABLE, Flow(np.ones(1), 0.0, 50.0), 1e-11, np.zeros(2), times, rows)
    assert times[count - 1] == 50.0
    assert abs(rows[count - 1, 0] - 50 / 52) <= wrong <= 1e-11
    assert (np.diff(times[:count]) > 0).all()
    assert integrate(TABLE, Flow(np.ones(1), 0.0, 50.0), 1e-11, np.zeros(2), times[:3], rows[:3])[0] < 0


def test_a_discount_holds_the_rows_down() -> None:
    times, rows = np.empty(20_000), np.empty((20_000, 1))
    count, _ = integrate(TABLE, Flow(np.ones(1), 0.5, 200.0), 1e-11, np.zeros(1), times, rows)
    assert rows[count - 1, 0] == pytest.approx((3 - np.sqrt(5)) / 2, abs=1e-10)  # (1 - e)² / 2 = e / 2


def test_games_are_played_by_what_lies_between_the_rows() -> None:
    times = np.array([0.0, 1.0])
    rows = np.array([[[0.0, 0.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]]])  # bounds as large as what is left
    left = np.array([[0.9, 0.3], [0.2, 0.1]])
    values = np.array([[0.8, 0.4], [0.25, -np.inf]])
    scores = np.zeros(2)
    play_times(times, rows, left, values, np.array([[1.0, 1.0], [0.5, 1.0]]), np.array([10.0, 1.0]), scores)
    assert scores.tolist() == [1.25, 4.0]


def test_a_rate_that_grows() -> None:
    """The rate 2 s up to s = 3, without a discount: as 9 arrivals at the rate 1."""
    times, rows = np.empty(2000), np.empty((2000, 1))
    count, _ = integrate(TABLE, Flow(np.array([3.0, 3.0]), 0.0, 3.0), 1e-11, np.zeros(1), times, rows)
    assert rows[count - 1, 0] == pytest.approx(9 / 11, abs=1e-10)
