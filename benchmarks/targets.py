"""Claim: the best chances of all targets, from all positions, exact, are there in a fraction of a second."""

from functools import partial

import numpy as np

from benchmarks.harness import Claim, Section, Table, best_of, memory, seconds
from benchmarks.plain import numpy_chances
from tentimes18.game import Game
from tentimes18.solve.aims import ChanceTable, chance_table
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.parallel import thread_count

GOALS = {10: 0.5, 14: 30.0}  # seconds
MOVES_GOALS = {10: 1.0, 14: 60.0}
SIZES = (4, 6, 8, 10, 12, 14)
NUMPY_MOST = 12
AGREEMENT = 1e-12


def run() -> Section:
    chance_table(_game(3))
    chance_table(_game(3), exact=False)
    chance_table(_game(3)).means()
    ours = {n: best_of(partial(chance_table, _game(n))) for n in SIZES}
    moves = {n: best_of(partial(_moves, _game(n)))[0] for n in SIZES}
    floats = {n: best_of(partial(chance_table, _game(n), exact=False))[0] for n in SIZES}
    by_numpy = {n: best_of(partial(numpy_chances, _game(n))) for n in SIZES if n <= NUMPY_MOST}
    claims = []
    for n, goal in GOALS.items():
        took, steps = ours[n][0], _steps(n)
        compared = min(n, NUMPY_MOST)
        ratio = by_numpy[compared][0] / ours[compared][0]
        claims.append(
            Claim(
                f"chances of all targets, {n} slots, exact",
                goal,
                took,
                f"{steps:.2g} comparisons, {took / steps * 1e9:.2g} ns each on {thread_count()} threads; "
                f"the table is {memory(16 * ours[n][1].cells)}",
                f"NumPy in float64, {compared} slots: {seconds(by_numpy[compared][0])}, {ratio:.1f} times ours",
            )
        )
    for n, goal in MOVES_GOALS.items():
        claims.append(
            Claim(
                f"the same with the moves, {n} slots",
                goal,
                moves[n],
                f"the chances alone: {seconds(ours[n][0])}, {moves[n] / ours[n][0]:.1f} times less",
            )
        )
    claims.append(
        Claim(
            "largest difference of any chance to the exact one",
            AGREEMENT,
            max(
                _difference(ours[n][1], dict(enumerate(found.tolist(), _low(n)))) for n, (_, found) in by_numpy.items()
            ),
            "1e-16, one rounding",
            "NumPy",
            "{:.1e}".format,
        )
    )
    rows = [
        [
            str(n),
            seconds(ours[n][0]),
            seconds(moves[n]),
            seconds(floats[n]),
            seconds(by_numpy[n][0]) if n in by_numpy else "",
        ]
        for n in SIZES
    ]
    return Section(
        "Targets",
        "The best chance of every target from every set of free slots, 3d6 with multipliers 1 to n: exact integers "
        "over 216^n in two limbs, or float64. With the moves: also the table of means that decides between moves with "
        "equal chances, in float64. A comparison: one slot for one roll, one set and one number of points "
        "needed. NumPy: float64, all points needed at once.",
        claims,
        [Table(("slots", "ours, exact", "with the moves", "ours, float64", "NumPy, float64"), rows)],
    )


def _moves(game: Game) -> ChanceTable:
    table = chance_table(game)
    table.means()
    return table


def _difference(table: ChanceTable, found: dict[int, float]) -> float:
    return max(abs(chance - float(table.chance(target))) for target, chance in found.items())


def _game(n: int) -> Game:
    return Game.parse("3d6", f"1-{n}")


def _low(n: int) -> int:
    """The least score."""
    return int(lattice_of(_game(n)).low(_game(n).all_free))


def _steps(n: int) -> int:
    masks = np.arange(1 << n)
    widths = (masks[:, np.newaxis] >> np.arange(n) & 1) @ np.array(lattice_of(_game(n)).widths)
    return int((widths + 1) @ np.bitwise_count(masks).astype(np.int64)) * len(_game(n).dice.support)
