"""The clock of a Poisson process: how many arrivals are to be expected by a time, and the time by which they are.

The rate is a polynomial on each of some cells: constant where it is a number or a table. A function is looked at in
Chebyshev's points, and a cell is halved until its polynomial is right between them, too; at a jump the cells become
too narrow to matter.
"""

from functools import cached_property
from typing import Any, Final

import numpy as np

from tentimes18.assignment.arrivals import Poisson
from tentimes18.kernels.types import Floats

__all__ = ["Clock"]

CELLS: Final = 64  # of a function, to begin with
DEGREE: Final = 6
CLOSE: Final = 1e-13  # of the largest rate
NARROWEST: Final = 2.0**-44  # of the whole time
MOST_CELLS: Final = 1 << 13
BETWEEN: Final = 16  # points of a cell from which a time is looked for

_NODES: Final = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
_CHECKS: Final = np.append(np.cos(np.pi * np.arange(1, DEGREE + 1) / (DEGREE + 1)), [0.1, 0.999])
_TO_POWERS: Final = np.linalg.inv(np.vander(_NODES, DEGREE + 1, increasing=True))
_AT_CHECKS: Final = np.vander(_CHECKS, DEGREE + 1, increasing=True)


class Clock:
    """Of these arrivals, each of which comes with some chance.

    >>> clock = Clock(Poisson(rate=lambda time: 2 * time, until=3.0))
    >>> round(clock.total, 12), clock.counted(np.array([0.0, 1.0, 2.0])).round(12).tolist()
    (9.0, [0.0, 1.0, 4.0])
    >>> clock.reached(np.array([1.0, 4.0, 9.0])).round(12).tolist()
    [1.0, 2.0, 3.0]
    """

    def __init__(self, arrivals: Poisson, chance: float = 1.0) -> None:
        self.until = float(arrivals.until)
        if callable(arrivals.rate):
            edges, rates, self.error = _tabulated(arrivals)
        else:
            edges = np.array(arrivals.breaks())
            rates = np.array([[arrivals.at(float(middle))] for middle in (edges[:-1] + edges[1:]) / 2])
            self.error = 0.0
        self.edges: Floats = edges
        self.rates: Floats = chance * rates  # polynomials in u, which goes from -1 to 1
        self.error *= chance
        whole = self._until(np.arange(len(edges) - 1), np.ones(len(edges) - 1))
        self.counts: Floats = np.append(0.0, np.cumsum(whole))

    @property
    def total(self) -> float:
        """How many are to be expected in all."""
        return float(self.counts[-1])

    def _until(self, cells: Any, u: Floats) -> Floats:
        """The arrivals of a cell, from its beginning to u."""
        total: Floats = np.zeros(len(u))
        for power in range(self.rates.shape[1] - 1, -1, -1):
            total += self.rates[cells, power] * (u ** (power + 1) - (-1.0) ** (power + 1)) / (power + 1)
        half = (self.edges[cells + 1] - self.edges[cells]) / 2
        found: Floats = np.maximum(total, 0.0) * half
        return found

    def _place(self, times: Floats) -> tuple[Any, Floats]:
        cells = np.clip(np.searchsorted(self.edges, times, side="right") - 1, 0, len(self.rates) - 1)
        begin, end = self.edges[cells], self.edges[cells + 1]
        return cells, np.clip(2.0 * (times - begin) / (end - begin) - 1.0, -1.0, 1.0)

    def counted(self, times: Floats) -> Floats:
        """The expected number of arrivals by each of these times."""
        cells, u = self._place(times)
        found: Floats = self.counts[cells] + self._until(cells, u)
        return found

    def rate(self, times: Floats) -> Floats:
        """The rate at each of these times."""
        cells, u = self._place(times)
        total: Floats = np.zeros(len(times))
        for power in range(self.rates.shape[1] - 1, -1, -1):
            total = total * u + self.rates[cells, power]
        return np.maximum(total, 0.0)

    def reached(self, counts: Floats) -> Floats:
        """The time by which so many are to be expected: between two points of a table, and one step of Newton's."""
        known, times = self._table
        found: Floats = np.interp(counts, known, times)
        if self.rates.shape[1] > 1:
            rate = self.rate(found)
            step = np.where(rate > 0, (self.counted(found) - counts) / np.maximum(rate, 1e-300), 0.0)
            cells = np.searchsorted(times, found, side="right")
            least, most = times[np.maximum(cells - 1, 0)], times[np.minimum(cells, len(times) - 1)]
            found = np.clip(found - step, least, most)
        return found

    @cached_property
    def _table(self) -> tuple[Floats, Floats]:
        if self.rates.shape[1] == 1:
            return self.counts, self.edges
        widths = np.diff(self.edges)[:, None]
        times = np.append((self.edges[:-1, None] + widths * np.arange(BETWEEN) / BETWEEN).ravel(), self.edges[-1])
        return self.counted(times), times


def _tabulated(arrivals: Poisson) -> tuple[Floats, Floats, float]:
    """The edges of cells, a polynomial on each, and what these miss, in expected arrivals."""
    until = float(arrivals.until)
    edges = np.linspace(0.0, until, CELLS + 1)
    starts, ends = edges[:-1], edges[1:]
    done: list[tuple[Floats, Floats, float]] = []
    largest, seen = 0.0, 0
    while len(starts):
        seen += len(starts)
        rest: list[tuple[float, float]] = []
        for begin, end in zip(starts.tolist(), ends.tolist(), strict=True):
            half, middle = (end - begin) / 2, (end + begin) / 2
            there = np.array([arrivals.at(middle + half * u) for u in _NODES.tolist()])
            between = np.array([arrivals.at(middle + half * u) for u in _CHECKS.tolist()])
            powers = _TO_POWERS @ there
            largest = max(largest, float(there.max()), float(between.max()))
            wrong = float(np.abs(_AT_CHECKS @ powers - between).max())
            if wrong <= CLOSE * largest or 2 * half <= NARROWEST * until or seen > MOST_CELLS:
                done.append((np.array([begin, end]), powers, 2 * half * wrong))
            else:
                rest += [(begin, middle), (middle, end)]
        starts, ends = np.array([begin for begin, _ in rest]), np.array([end for _, end in rest])
    done.sort(key=lambda cell: float(cell[0][0]))
    return (
        np.append([cell[0][0] for cell in done], until),
        np.array([cell[1] for cell in done]),
        float(sum(cell[2] for cell in done)),
    )
