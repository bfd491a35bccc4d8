"""Claim: the duel of the classic game is answered in seconds, best response and equilibrium, on a desk machine."""

from functools import cache
from time import perf_counter

import numpy as np
from scipy.optimize import linprog

from benchmarks.harness import Claim, Section, Table, best_of, in_new_process, memory, resident, seconds
from tentimes18.duel.best_response import best_response
from tentimes18.duel.certificate import certify
from tentimes18.duel.equilibrium import solve_equilibrium
from tentimes18.game import Game, slots_of
from tentimes18.solve.thresholds import optimal_rule

SIZES = (4, 5, 6, 7, 8)
PEER_SLOTS = 4
GOALS = {
    "response": 1.0,
    "equilibrium": 5.0,
    "certificate": 5.0,
    "response memory": 1e9,
    "equilibrium memory": 1e9,
    "table": 350e6,
}
MAX_GAIN = 1e-12  # of any response, over any value


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
    found = in_new_process(classic_equilibrium)
    equilibrium_seconds, equilibrium_bytes, positions, games, certifying, gain = found
    claims = [
        Claim(
            "best response to optimal, classic game",
            GOALS["response"],
            response_seconds,
            f"{2 * positions:,} open positions, {response_seconds / (2 * positions) * 1e9:.1f} ns each",
        ),
        Claim("its resident memory", GOALS["response memory"], response_bytes, "8 bytes per position", show=memory),
        Claim(
            "equilibrium, classic game",
            GOALS["equilibrium"],
            equilibrium_seconds,
            f"{games:,} matrix games, {equilibrium_seconds / games * 1e9:.1f} ns each",
            peer,
        ),
        Claim(
            "its resident memory", GOALS["equilibrium memory"], equilibrium_bytes, "8 bytes per position", show=memory
        ),
        Claim("its table", GOALS["table"], 8 * positions, "half of the pairs, open leads only", show=memory),
        Claim(
            "its certificate, for both players",
            GOALS["certificate"],
            certifying,
            f"{games:,} matrix games, from both sides; {certifying / equilibrium_seconds:.2f} times the equilibrium",
        ),
        Claim(
            "bound of the certificate on the gain of any response, before rounding",
            MAX_GAIN,
            gain,
            "0: nothing",
            show="{:.1e}".format,
        ),
    ]
    return Section(
        "Duel",
        "Two players on the same rolls, 3d6: the best response to `optimal`, and the Nash equilibrium. `make proof` "
        "certifies the equilibrium of the classic game as well; here each is timed once, in its own process.",
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


def classic_equilibrium() -> tuple[float, int, int, int, float, float]:
    """Seconds, memory growth, open positions and matrix games; seconds of the certificate, and the gain it allows."""
    certify(solve_equilibrium(Game.parse("3d6", "1-3")))
    before, began = resident(), perf_counter()
    table = solve_equilibrium(Game.classic())
    took, grown = perf_counter() - began, resident() - before
    positions, games = (sum(getattr(c, name) for c in table.counts) for name in ("positions", "matrix_games"))
    certifying, certificate = best_of(lambda: certify(table))
    gain = max(certificate.largest, certificate.response.equity - 0.5)
    return took, grown, positions, games, certifying, gain


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
    chances = [(x, count / game.dice.total) for x, count in zip(game.dice.support, game.dice.counts, strict=True)]

    @cache
    def value(free: int, other: int, lead: int) -> float:
        if not free:
            return 0.5 if lead == 0 else float(lead > 0)
        return sum(p * _matrix_value(matrix(free, other, lead, x)) for x, p in chances)

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
