"""Claim: general tools reach the same value, and grow exponentially where the thresholds do not.

Each way solves the same games, 3d6 with multipliers 1 to n, and what a tool needs to build its model counts. A way
takes no part in the larger games once a game took it a few seconds.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from benchmarks import with_quantecon, with_storm
from benchmarks.growth import draw
from benchmarks.harness import Claim, Section, Table, best_of, seconds
from benchmarks.plain import numpy_subset_value
from tentimes18.game import Game
from tentimes18.solve.float_subsets import subset_values
from tentimes18.solve.float_thresholds import last_row
from tentimes18.solve.thresholds import exact_thresholds

SIZES = range(4, 27, 2)
LARGE_SIZES = (30, 100, 1_000, 10_000, 100_000)
LONG = 4.0  # seconds; two slots more take at least four times as long
COMPARED = 16  # slots
FASTER = {"ours, thresholds": 1000, "ours, subsets": 2}  # times faster than any peer, at least
BOUNDS = {
    "ours, thresholds": f"{COMPARED * (COMPARED + 1) // 2} cells",
    "ours, subsets": f"{COMPARED << COMPARED - 1:,} lines",
}
AGREEMENT = 1e-9

Prepare: TypeAlias = Callable[[Game], Callable[[], tuple[float, float]]]


class Solved(NamedTuple):
    """A game that was solved: seconds in all, those of building the model, and the relative error."""

    took: float
    building: float
    error: float


def _thresholds(game: Game) -> Callable[[], tuple[float, float]]:
    multipliers = np.array([float(multiplier) for multiplier in game.multipliers])
    return lambda: (float(multipliers @ last_row(game.dice, game.size)), 0.0)


def _subsets(game: Game) -> Callable[[], tuple[float, float]]:
    return lambda: (float(subset_values(game)[-1]), 0.0)


def _numpy(game: Game) -> Callable[[], tuple[float, float]]:
    return lambda: (numpy_subset_value(game), 0.0)


OURS: dict[str, Prepare] = {"ours, thresholds": _thresholds, "ours, subsets": _subsets}
MODELLED: dict[str, Prepare] = {
    "QuantEcon, one program per round": with_quantecon.program_a_round,
    "QuantEcon, one program": with_quantecon.one_program,
    "Storm, sparse": with_storm.sparse,
    "Storm, hybrid": with_storm.hybrid,
}
PEERS: dict[str, Prepare] = {"NumPy, subsets by layers": _numpy, **MODELLED}


def run() -> Section:
    ways = {**OURS, **PEERS}
    solved = {name: _solve_all(prepare) for name, prepare in ways.items()}
    dice = Game.classic().dice
    times = {name: {n: game.took for n, game in games.items()} for name, games in solved.items()}
    large = {n: best_of(partial(last_row, dice, n))[0] for n in LARGE_SIZES}
    draw(times, {"ours, thresholds": large})

    rows = [[str(n), *(seconds(times[name][n]) if n in times[name] else "" for name in ways)] for n in SIZES]
    building = []
    for name in MODELLED:
        n, game = max(solved[name].items())
        building.append([name, str(n), seconds(game.building), seconds(game.took - game.building)])
    return Section(
        "Peers",
        "From the game to its value, 3d6 with multipliers 1 to n. QuantEcon: `DiscreteDP` in sparse state-action pair "
        "form, undiscounted, by backward induction; as one program, or as one for each number of free slots. Storm: "
        "our PRISM model (`ten18 export prism`), by two engines; it solves the model in one pass, with the precision "
        f"of float64. An empty field: the game before had taken longer than {LONG:.0f} s.\n\n"
        "![Time against the number of slots](../pictures/growth.svg)",
        [*_speed(times), *_agreement(solved)],
        [Table(("slots", *ways), rows), Table(("largest game", "slots", "building", "solving"), building)],
    )


def _solve_all(prepare: Prepare) -> dict[int, Solved]:
    prepare(Game.parse("3d6", "1-3"))()
    solved: dict[int, Solved] = {}
    for n in SIZES:
        game = Game.parse("3d6", f"1-{n}")
        exact = exact_thresholds(game.dice, n)[-1].value(game.multipliers)
        took, (value, building) = best_of(prepare(game))
        solved[n] = Solved(took, building, abs(float(value / exact) - 1))
        if took > LONG:
            break
    return solved


def _speed(times: dict[str, dict[int, float]]) -> list[Claim]:
    fastest, peer = min((times[name][COMPARED], name) for name in PEERS if COMPARED in times[name])
    return [
        Claim(
            f"value of {COMPARED} slots, {name}: {factor:,} times faster than any peer",
            fastest / factor,
            times[name][COMPARED],
            BOUNDS[name],
            f"{peer}: {seconds(fastest)}, {fastest / times[name][COMPARED]:,.0f} times ours",
        )
        for name, factor in FASTER.items()
    ]


def _agreement(solved: dict[str, dict[int, Solved]]) -> list[Claim]:
    classic = Game.classic()
    exact = exact_thresholds(classic.dice, classic.size)[-1].value(classic.multipliers)
    return [
        Claim(
            "largest relative error of any value in the table",
            AGREEMENT,
            max(game.error for games in solved.values() for game in games.values()),
            "1.1e-16, one rounding",
            "all of them",
            "{:.1e}".format,
        ),
        Claim(
            "difference of our exact value of the classic game and Storm's",
            0.0,
            abs(float(with_storm.exact(classic) - exact)),
            "0, both compute with fractions",
            "Storm, exact",
            "{:g}".format,
        ),
    ]
