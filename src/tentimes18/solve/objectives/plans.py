"""What best play for an objective takes: its table, the law of its score, its slots by free set, score and roll.

All of them go through the 2^n free sets, and for each through the slots in it, the rolls, and half the scores of the
game on average.
"""

from functools import partial
from typing import Final

from tentimes18.game import Game
from tentimes18.plan import Plan, power_of_two, ratio
from tentimes18.solve.lattice import lattice_width
from tentimes18.solve.layers import shared
from tentimes18.solve.scores.plans import packed_plan

__all__ = [
    "SECONDS_A_STEP",
    "chances_plan",
    "play_law_plan",
    "shortfalls_plan",
    "slot_table_plan",
    "table_plan",
    "utilities_plan",
]

SECONDS_A_STEP: Final = 8e-10  # of a table: a free set, a slot in it, a roll and a score
SECONDS_AN_EXACT_STEP: Final = 1.3e-9
SECONDS_A_MEAN: Final = 2.7e-9  # of the best mean among equally good moves, for each step
SECONDS_A_UTILITY: Final = 4e-10  # where moves hardly ever tie
SECONDS_A_UTILITY_MEAN: Final = 1.2e-9
BYTES_A_MEAN: Final = 16  # for each value
SECONDS_A_CHOICE: Final = 3e-9  # of a slot, and a law followed by it
SECONDS_AN_EXACT_CHOICE: Final = 1.6e-8
SECONDS_A_SET: Final = 3e-5
SECONDS_A_SCORE: Final = 1e-5  # of a law in the end, or of a utility
BYTES_A_SET: Final = 60
BYTES_A_SCORE: Final = 200


def table_plan(
    game: Game, bytes_a_value: int, seconds_a_step: float = SECONDS_A_STEP, seconds_a_mean: float = SECONDS_A_MEAN
) -> Plan:
    """What a table of the values of all free sets and scores takes, and of the means that decide between moves."""
    cells, steps = _counts(game)
    return Plan(
        f"the table of all free sets and scores on {game.size:,} slots",
        shared((seconds_a_step + seconds_a_mean) * steps) + SECONDS_A_SCORE * _scores(game, game.all_free),
        (bytes_a_value + BYTES_A_MEAN) * cells + BYTES_A_SET * power_of_two(game.size),
    )


def chances_plan(game: Game, *, exact: bool = True) -> Plan:
    """What the table of the best chances takes, in integers or in float64."""
    return table_plan(game, 16, SECONDS_AN_EXACT_STEP) if exact else table_plan(game, 8)


shortfalls_plan = partial(table_plan, bytes_a_value=8)
"""What the table of the least shortfalls takes."""
utilities_plan = partial(
    table_plan, bytes_a_value=8, seconds_a_step=SECONDS_A_UTILITY, seconds_a_mean=SECONDS_A_UTILITY_MEAN
)
"""What the table of the best expected utilities takes."""


def play_law_plan(game: Game, free: int, *, exact: bool) -> Plan:
    """What the law of the score takes that a best play ends with, from these free slots on."""
    n, sets = free.bit_count(), power_of_two(free.bit_count())
    cells, steps = _counts(game, free)
    scores = _scores(game, free)
    if exact:
        packed = packed_plan(game, free, moves=sets, layer=sets / 4)
        return Plan(packed.what, packed.seconds + SECONDS_AN_EXACT_CHOICE * steps + SECONDS_A_SET * sets, packed.memory)
    seconds = SECONDS_A_CHOICE * steps + SECONDS_A_SET * sets + SECONDS_A_SCORE * scores
    return Plan(
        f"the law of the score on {n:,} slots", seconds, 8 * cells + BYTES_A_SET * sets + BYTES_A_SCORE * scores
    )


def slot_table_plan(game: Game) -> Plan:
    """What the slots for every free set, score and roll take."""
    cells, steps = _counts(game)
    return Plan(
        f"the table of slots for all free sets, scores and rolls on {game.size:,} slots",
        shared(SECONDS_A_CHOICE * steps) + SECONDS_A_SET * power_of_two(game.size),
        2 * len(game.dice.support) * cells,
    )


def _scores(game: Game, free: int) -> float:
    return ratio(lattice_width(game, free)) + 1 if free.bit_count() <= 1000 else float("inf")


def _counts(game: Game, free: int | None = None) -> tuple[float, float]:
    """The cells of a table, and the steps to fill it."""
    free = game.all_free if free is None else free
    cells = power_of_two(free.bit_count()) * (_scores(game, free) / 2 + 1)
    return cells, cells * free.bit_count() / 2 * len(game.dice.support)
