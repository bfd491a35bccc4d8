"""Claim: the duel of the classic game is answered in seconds, best response and equilibrium, on a desk machine."""

from functools import cache
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np
from scipy.optimize import linprog

from benchmarks.first_equilibrium import first_equilibrium
from benchmarks.harness import Claim, Section, Table, best_of, in_new_process, memory, resident, seconds
from tentimes18.duel.best_response import best_response
from tentimes18.duel.certificate import certify
from tentimes18.duel.equilibrium import solve_equilibrium
from tentimes18.game import Game, slots_of
from tentimes18.solve.thresholds import optimal_rule

__all__ = ["run"]

SIZES: Final = (4, 5, 6, 7, 8)
PEER_SLOTS: Final = 4
GOALS: Final = {
    "response": 1.0,
    "equilibrium": 5.0,
    "certificate": 5.0,
    "response memory": 1e9,
    "equilibrium memory": 1e9,
    "table": 350e6,
}
FASTER: Final = 1.5  # than the first kernel, at least so many times
MAX_DIFFERENCE: Final = 1e-12
MAX_GAIN: Final = 1e-12  # of any response, over any value


def run() -> Section:
    peer_game = Game.parse("3d6", f"1-{PEER_SLOTS}")
    solve_equilibrium(peer_game)
    began = perf_counter()
    peer_value = value_by_linear_programs(peer_game)
    by_programs = perf_counter() - began
    ours, table = best_of(lambda: solve_equilibrium(peer_game))
    assert abs(peer_value - table.value(peer_game.all_free, peer_game.all_free, 0)) < 1e-9
    peer = (
        f"a linear program for each matrix game (SciPy, HiGHS), {PEER_SLOTS} slots: {seconds(by_programs)}, "
        f"{by_programs / ours:,.0f} times ours, same value"
    )
    response_seconds, response_bytes = in_new_process(classic_response)
    equilibrium_seconds, equilibrium_bytes, positions, games = in_new_process(classic_equilibrium)
    compared = in_new_process(classic_kernels)
    claims = [
        Claim(
            "best response to optimal, classic game",
            GOALS["response"],
            response_seconds,
            f"{2 * positions:,} open positions, {response_seconds / (2 * positions) * 1e9:.1f} ns each",
        ),
        Claim(
            "best response, after the first kernel of the equilibrium",
            GOALS["response"],
            compared.response,
            "the rule's slots included",
            f"the first kernel: {seconds(compared.first)}, {compared.first / compared.response:.0f} times as long",
        ),
        Claim("its resident memory", GOALS["response memory"], response_bytes, "8 bytes a position", show=memory),
        Claim(
            "equilibrium, classic game",
            GOALS["equilibrium"],
            equilibrium_seconds,
            f"{games:,} matrix games, {equilibrium_seconds / games * 1e9:.1f} ns each",
            peer,
        ),
        Claim("its resident memory", GOALS["equilibrium memory"], equilibrium_bytes, "8 bytes a position", show=memory),
        Claim("its table", GOALS["table"], 8 * positions, "half of the pairs, open leads only", show=memory),
        Claim(
            f"{FASTER} times faster than the first kernel, one after the other",
            compared.first / FASTER,
            compared.present,
            f"{games:,} matrix games",
            f"the first kernel: {seconds(compared.first)}, {compared.first / compared.present:.1f} times ours",
        ),
        Claim(
            "largest difference of a value from the first kernel's",
            MAX_DIFFERENCE,
            compared.difference,
            "rounding of float64, and bounds that meet",
            show="{:.1e}".format,
        ),
        Claim(
            "its certificate, for both players",
            GOALS["certificate"],
            compared.certifying,
            f"{games:,} matrix games, from both sides; {compared.certifying / compared.present:.2f} times the "
            "equilibrium in the same run",
            f"the first kernel, for the equilibrium alone: {seconds(compared.first)}, "
            f"{compared.first / compared.certifying:.1f} times ours",
        ),
        Claim("the most that any response gains, at most", MAX_GAIN, compared.gain, "0: nothing", show="{:.1e}".format),
    ]
    return Section(
        "Duel",
        "Two players on the same rolls, 3d6: the best response to `optimal`, and the Nash equilibrium. `make proof` "
        "certifies the equilibrium of the classic game as well; here each is timed in a process of its own. The first "
        "kernel copied all entries for every roll, and solved every matrix game without a saddle point by the simplex "
        "method; it is run beside the present one, on the same game.",
        claims,
        [
            Table(
                ("slots", "open positions", "matrix games", "mixed", "response", "equilibrium"),
                [_row(n) for n in SIZES],
            )
        ],
    )


def classic_response() -> tuple[float, int]:
    """Seconds and growth of the resident memory."""
    small, game = Game.parse("3d6", "1-3"), Game.classic()
    best_response(small, optimal_rule(small))
    before, began = resident(), perf_counter()
    best_response(game, optimal_rule(game))
    return perf_counter() - began, resident() - before


def classic_equilibrium() -> tuple[float, int, int, int]:
    """Seconds, growth of the resident memory, open positions and matrix games."""
    solve_equilibrium(Game.parse("3d6", "1-3"))
    before, began = resident(), perf_counter()
    table = solve_equilibrium(Game.classic())
    took = perf_counter() - began
    positions, games = (sum(getattr(c, name) for c in table.counts) for name in ("positions", "matrix_games"))
    return took, resident() - before, positions, games


class Compared(NamedTuple):
    """Seconds of both kernels, the largest difference of a value; seconds of the certificate, and the gain it finds.

    And seconds of the best response, in the same run.
    """

    first: float
    present: float
    difference: float
    certifying: float
    gain: float
    response: float


def classic_kernels() -> Compared:
    """Both kernels on the classic game, one after the other, and the certificate of the present one's table."""
    small, game = Game.parse("3d6", "1-3"), Game.classic()
    first_equilibrium(small)
    certify(solve_equilibrium(small))
    first, values = best_of(lambda: first_equilibrium(game))
    present, table = best_of(lambda: solve_equilibrium(game))
    difference = float(np.abs(values - table.values).max())
    del values
    certifying, certificate = best_of(lambda: certify(table))
    best_response(small, optimal_rule(small))
    response, _ = best_of(lambda: best_response(game, optimal_rule(game)))
    gain = max(certificate.largest, certificate.response.equity - 0.5)
    return Compared(first, present, difference, certifying, gain, response)


def _row(n: int) -> list[str]:
    game = Game.parse("3d6", f"1-{n}")
    response, _ = best_of(lambda: best_response(game, optimal_rule(game)))
    equilibrium, table = best_of(lambda: solve_equilibrium(game))
    positions, games, mixed = (
        sum(getattr(c, name) for c in table.counts) for name in ("positions", "matrix_games", "mixed")
    )
    return [str(n), f"{positions:,}", f"{games:,}", f"{mixed / games:.1%}", seconds(response), seconds(equilibrium)]


def value_by_linear_programs(game: Game) -> float:
    """The value of the duel as a user of SciPy would compute it: top down, a linear program where nobody dominates."""
    law = [(x, count / game.dice.total) for x, count in zip(game.dice.support, game.dice.counts, strict=True)]

    @cache
    def value(free: int, other: int, lead: int) -> float:
        if not free:
            return 0.5 if lead == 0 else float(lead > 0)
        return sum(p * _matrix_value(matrix(free, other, lead, x)) for x, p in law)

    def matrix(free: int, other: int, lead: int, x: int) -> list[list[float]]:
        return [
            [value(free ^ (1 << (i - 1)), other ^ (1 << (j - 1)), lead + (i - j) * x) for j in slots_of(other)]
            for i in slots_of(free)
        ]

    return value(game.all_free, game.all_free, 0)


def _matrix_value(rows: list[list[float]]) -> float:
    low = max(min(row) for row in rows)
    if low == min(max(column) for column in zip(*rows, strict=True)):
        return low
    M = np.array(rows)
    m, n = M.shape
    result = linprog(
        c=[0.0] * m + [-1.0],
        A_ub=np.hstack([-M.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=[[1.0] * m + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
    )
    return float(result.x[-1])
