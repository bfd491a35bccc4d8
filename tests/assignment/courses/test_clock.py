"""The clock of a Poisson process: numbers by times, times by numbers, rates that jump."""

import math

import numpy as np
import pytest

from tentimes18.assignment import Poisson
from tentimes18.assignment.courses.clock import Clock


def test_a_smooth_rate() -> None:
    clock = Clock(Poisson(lambda time: 3 + math.sin(time), 5.0), chance=0.5)
    times = np.array([0.0, 0.7, 3.1, 5.0])
    assert clock.counted(times) == pytest.approx(0.5 * (3 * times + 1 - np.cos(times)), abs=1e-12)
    assert clock.rate(times) == pytest.approx(0.5 * (3 + np.sin(times)), rel=1e-12)
    assert clock.reached(clock.counted(times)) == pytest.approx(times, abs=1e-9)
    assert clock.error < 1e-11


def test_a_rate_that_jumps() -> None:
    clock = Clock(Poisson(lambda time: 3.0 if time < 1.7 else 0.5, 4.0))
    assert clock.total == pytest.approx(3 * 1.7 + 0.5 * 2.3, abs=1e-11)
    assert clock.reached(np.array([3 * 1.7 + 0.25])) == pytest.approx([2.2], abs=1e-9)


def test_a_table_with_a_pause() -> None:
    clock = Clock(Poisson([(0, 2.0), (1, 0.0), (2, 4.0)], 3.0))
    assert clock.counts.tolist() == [0.0, 2.0, 2.0, 6.0]
    assert clock.counted(np.array([0.5, 1.5, 2.5])).tolist() == [1.0, 2.0, 4.0]
    assert clock.reached(np.array([1.0, 4.0])).tolist() == [0.5, 2.5]
    assert clock.error == 0
