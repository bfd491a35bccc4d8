"""Claim: the distribution of a score takes less time than the simulation it replaces, and two layers of memory."""

from functools import partial
from itertools import pairwise
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import Claim, Section, Table, best_of, in_new_process, memory, resident, seconds
from benchmarks.plain import numpy_distribution
from tentimes18.game import Game
from tentimes18.simulate.games import simulate
from tentimes18.simulate.run import Run
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.parallel import thread_count
from tentimes18.solve.rule_distributions import rule_distribution
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import optimal_rule

FLOAT_GOAL = 0.05  # seconds, classic game
EXACT_GOAL = 1.0
LARGE = 15  # slots
LARGE_GOAL = 5.0
LAYERS = 1.25  # of memory allowed, in units of the two largest neighbouring layers
AGREEMENT = 1e-12
SIZES = (4, 6, 8, 10, 12, 14)
EXACT_MOST = 12
NUMPY_MOST = 12
GAMES = 1_000_000


def run() -> Section:
    float_distribution(_game(3))
    exact_distribution(_game(3))
    floats = {n: best_of(partial(float_distribution, _game(n))) for n in SIZES}
    exacts = {n: best_of(partial(exact_distribution, _game(n))) for n in SIZES if n <= EXACT_MOST}
    by_numpy = {n: best_of(partial(numpy_distribution, _game(n))) for n in SIZES if n <= NUMPY_MOST}
    by_games = {n: best_of(partial(_simulated, _game(n))) for n in SIZES}
    large, peak = in_new_process(largest)

    n = Game.classic().size
    ours, distribution = floats[n]
    exact = exacts[n][1]
    numpy_time, plain = by_numpy[n]
    games_time, counted = by_games[n]
    shares = {score: float(exact.probability(score)) for score in exact.scores}
    errors = [abs(plain[int(score - min(shares))] - share) for score, share in shares.items()]
    missed = max(abs(float(counted.probability(score)) - share) for score, share in shares.items())
    largest_share = max(shares.values())
    peer = (
        f"NumPy, by sets: {seconds(numpy_time)}, {numpy_time / ours:.1f} times ours; {GAMES:,} games of ours: "
        f"{seconds(games_time)}, {games_time / ours:.1f} times"
    )
    steps = _steps(n)
    claims = [
        Claim(
            "distribution of optimal, classic game, float64",
            FLOAT_GOAL,
            ours,
            f"{steps:.2g} products, {ours / steps * 1e9:.2g} ns each on {thread_count()} threads, start included",
            peer,
        ),
        Claim(
            "distribution of optimal, classic game, exact",
            EXACT_GOAL,
            exacts[n][0],
            f"integers over 216^{n}: {int(exact.total).bit_length()} bits per score",
            f"NumPy in float64: {seconds(numpy_time)}",
        ),
        Claim(
            f"distribution of optimal, {LARGE} slots, float64",
            LARGE_GOAL,
            large,
            f"{_steps(LARGE):.2g} products, {large / _steps(LARGE) * 1e9:.2g} ns each on {thread_count()} threads",
            f"NumPy, {n} slots: {numpy_time / steps * 1e9:.1f} ns per product",
        ),
        Claim(
            f"resident memory of that distribution, {LARGE} slots",
            LAYERS * _two_layers(LARGE),
            peak,
            f"two layers of sets are {memory(_two_layers(LARGE))}; all of them would be {memory(8 * _cells(LARGE))}",
            show=memory,
        ),
        Claim(
            "largest difference of any probability to the exact one",
            AGREEMENT,
            max(abs(float(distribution.probability(score)) - share) for score, share in shares.items()),
            f"{largest_share * 2**-53:.0e}, one rounding of the largest",
            f"NumPy {max(errors):.1e}; {GAMES:,} games {missed:.1e}",
            "{:.1e}".format,
        ),
    ]
    rows = [
        [str(n), *(seconds(times[n][0]) if n in times else "" for times in (floats, exacts, by_games, by_numpy))]
        for n in SIZES
    ]
    return Section(
        "Scores",
        "The distribution of the final score of `optimal`, 3d6 with multipliers 1 to n, from the rule to the "
        "probability of every score. A product is one probability of a smaller set times that of a roll. NumPy: "
        f"an array of scores per set of free slots. Games: {GAMES:,} of them simulated, which the distribution "
        "replaces; their histogram is right to three digits. The largest distribution is computed once, in its own "
        "process: its memory is the growth of the peak resident memory.",
        claims,
        [Table(("slots", "float64", "exact", f"{GAMES:,} games", "NumPy"), rows)],
    )


def float_distribution(game: Game) -> ScoreDistribution:
    return float_rule_distribution(game, optimal_rule(game))


def exact_distribution(game: Game) -> ScoreDistribution:
    return rule_distribution(game, optimal_rule(game))


def largest() -> tuple[float, int]:
    """Seconds and growth of the resident memory for the largest distribution."""
    float_distribution(_game(3))
    before, start = resident(), perf_counter()
    float_distribution(_game(LARGE))
    return perf_counter() - start, resident() - before


def _simulated(game: Game) -> ScoreDistribution:
    *_, counts = simulate(Run(game, ("optimal",), seed=1987), GAMES)
    return counts.distribution(game)


def _game(n: int) -> Game:
    return Game.parse("3d6", f"1-{n}")


def _set_cells(n: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """For each set of free slots the number of its scores, and of its slots."""
    masks = np.arange(1 << n)
    widths = (masks[:, np.newaxis] >> np.arange(n) & 1) @ np.array(lattice_of(_game(n)).widths)
    return widths + 1, np.bitwise_count(masks)


def _cells(n: int) -> int:
    return int(_set_cells(n)[0].sum())


def _two_layers(n: int) -> int:
    """Bytes of the two largest neighbouring layers."""
    cells, sizes = _set_cells(n)
    layers = [int(cells[sizes == k].sum()) for k in range(n + 1)]
    return 8 * max(small + large for small, large in pairwise(layers))


def _steps(n: int) -> int:
    """Products: for every set and roll, one for each score of the smaller set that the roll leads to."""
    game = _game(n)
    cells = _set_cells(n)[0].tolist()
    rule = optimal_rule(game)
    return sum(cells[free ^ 1 << (rule(free, roll) - 1)] for free in range(1, 1 << n) for roll in game.dice.support)
