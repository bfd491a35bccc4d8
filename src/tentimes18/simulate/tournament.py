"""Tournaments: the results of every pair of strategies on the same rolls.

Strategy i meets j with equity e_ij = share of games won + half the share drawn. With w wins and d draws in N games,
Var[e_ij] = (w/N + d/4N - e²)/N. A pair is significant when e_ij is above one half by more standard errors than chance
explains with probability ``LEVEL`` over all ordered pairs together (Bonferroni's correction).

At one table a strategy of a duel has one rival. In a tournament it meets every other strategy, so its pairs are not
counted at the table: they are exact (`duel.several_players`), or played on the same rolls as all others.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import permutations
from math import log10, sqrt
from statistics import NormalDist
from typing import NamedTuple

from tentimes18.duel.several_players import QUICK_STEPS, table_shares
from tentimes18.errors import TooLarge
from tentimes18.simulate.games import Counts, RunGames, Runner, do
from tentimes18.simulate.players import has_seat, rivals_of, seat_of
from tentimes18.simulate.run import Run
from tentimes18.solve.parallel import Progress
from tentimes18.strategies.named import DUEL_STRATEGIES

LEVEL = 0.01
MAX_CYCLE = 4
MIN_EDGE = 1e-12  # above one half, of an exact equity: its rounding


class Meeting(NamedTuple):
    """One strategy against another alone: exactly, or in games."""

    equity: float
    stderr: float
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Tournament:
    """Matrices by strategy and opponent; ratings with mean 0, 400 points being odds of ten to one.

    ``shares`` are the parts of all games won at one table with all strategies, a shared win split evenly. ``cycles``
    are tuples of strategies each of which significantly beats the next one, and the last one the first: by ``least_z``
    standard errors or more, which chance explains with probability ``level`` over all pairs together. ``exact`` entries
    have no standard error.
    """

    strategies: tuple[str, ...]
    games: int
    equity: list[list[float]]
    stderr: list[list[float]]
    exact: list[list[bool]]
    ratings: list[float]
    shares: list[float]
    cycles: list[tuple[str, ...]]
    level: float
    least_z: float


def judge(
    strategies: Sequence[str], counts: Counts, meetings: Mapping[tuple[int, int], Meeting] | None = None
) -> Tournament:
    """Judge the counts of a run with these strategies; ``meetings`` replace those of their pairs."""
    m, games = len(strategies), counts.games
    wins, draws = counts.wins.tolist(), counts.draws.tolist()
    equity = [[0.5] * m for _ in range(m)]
    stderr = [[0.0] * m for _ in range(m)]
    for i, j in permutations(range(m), 2):
        equity[i][j] = (wins[i][j] + draws[i][j] / 2) / games
        stderr[i][j] = sqrt(max(0.0, (wins[i][j] + draws[i][j] / 4) / games - equity[i][j] ** 2) / games)
    exact = [[False] * m for _ in range(m)]
    for (i, j), met in (meetings or {}).items():
        equity[i][j], equity[j][i] = met.equity, 1 - met.equity
        stderr[i][j] = stderr[j][i] = met.stderr
        exact[i][j] = exact[j][i] = met.is_exact
    least_z = NormalDist().inv_cdf(1 - LEVEL / (m * (m - 1))) if m > 1 else 0.0
    beats = {
        (i, j)
        for i, j in permutations(range(m), 2)
        if equity[i][j] - 0.5 > (MIN_EDGE if exact[i][j] else least_z * max(stderr[i][j], 1e-300))
    }
    cycles = [
        tuple(strategies[i] for i in cycle)
        for length in range(3, MAX_CYCLE + 1)
        for cycle in permutations(range(m), length)
        if cycle[0] == min(cycle) and all((a, b) in beats for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))
    ]
    shares = [1.0]
    if m > 1:
        places = counts.first_places.tolist()
        shares = [sum(count / among for among, count in enumerate(row) if among) / games for row in places]
    return Tournament(tuple(strategies), games, equity, stderr, exact, _ratings(equity), shares, cycles, LEVEL, least_z)


def _ratings(equity: list[list[float]]) -> list[float]:
    """Bradley and Terry's model fitted to the equities, by the usual fixed-point iteration."""
    if len(equity) == 1:
        return [0.0]
    places = range(len(equity))
    strength = [1.0 for _ in places]
    won = [max(1e-9, sum(equity[i][j] for j in places if j != i)) for i in places]
    for _ in range(2_000):
        strength = [won[i] / sum(1 / (strength[i] + strength[j]) for j in places if j != i) for i in places]
        mean = 10 ** (sum(map(log10, strength)) / len(places))
        strength = [s / mean for s in strength]
    return [400 * log10(s) for s in strength]


def meetings_of(
    run: Run, games: int, runner: Runner | None = None, progress: Progress | None = None
) -> dict[tuple[int, int], Meeting]:
    """Every pair of a run with a strategy of a duel, by their places."""
    names = run.strategies
    pairs = [(i, j) for j in range(len(names)) for i in range(j) if {names[i], names[j]} & {*DUEL_STRATEGIES}]
    meetings = {}
    for done, (i, j) in enumerate(pairs, start=1):
        meetings[i, j] = meet(replace(run, strategies=(names[i], names[j])), games, runner)
        if progress:
            progress(done, len(pairs))
    return meetings


def meet(run: Run, games: int, runner: Runner | None = None) -> Meeting:
    """The two strategies of a run against each other: exactly, where that is quick."""
    if all(has_seat(name, run.find) for name in run.strategies):
        with suppress(TooLarge):
            seats = [seat_of(name, run.game, run.find) for name in run.strategies]
            equity = table_shares(run.game, seats, rivals_of(run.strategies), max_steps=QUICK_STEPS).shares[0]
            return Meeting(equity, 0.0, is_exact=True)
    counts = do(RunGames(run), games, runner).counts
    win, draw = int(counts.wins[0, 1]) / counts.games, int(counts.draws[0, 1]) / counts.games
    equity = win + draw / 2
    return Meeting(equity, sqrt(max(0.0, win + draw / 4 - equity**2) / counts.games), is_exact=False)
