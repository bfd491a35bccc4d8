"""What the tables of a duel take: pairs of boards and open leads, counted without listing them.

A duel on n slots has binom(2n, n) pairs of boards. How many leads are open at one depends on what either player can
still gain and can have gained (`solve.duel.windows`). The most that one gains on the other is what the larger
multipliers of the one make over the smaller ones of the other, the largest paired with the smallest: so the leads of
any pair are counted at once, and the mean over some pairs of each size is that over all of them, to a few percent.

These tables are what a machine's memory is for: they may take all that is left of it.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, inf
from random import Random
from typing import Final

from tentimes18.game import Game
from tentimes18.plan import Plan, in_turn, kept_together, power_of_two, ratio
from tentimes18.solve.lattice import lattice_width
from tentimes18.solve.layers import shared
from tentimes18.solve.objectives.plans import play_law_plan, utilities_plan
from tentimes18.solve.rules import slots_plan
from tentimes18.solve.scores.plans import float_law_plan

SAMPLES: Final = 64  # pairs of boards of each size
FEW_SAMPLES: Final = 4  # where there are too many pairs anyhow
MANY_SLOTS: Final = 15
MOST_SLOTS: Final = 40  # with more there are too many pairs of boards to think of
SECONDS_A_PAIR: Final = 6e-7
BYTES_A_PAIR: Final = 60  # its window, in all forms
SECONDS_A_MATRIX_ENTRY: Final = 4.2e-10
SECONDS_A_CERTIFIED_ENTRY: Final = 4.8e-10
SECONDS_A_PLAYED_ENTRY: Final = 6e-9  # against the equilibrium, by other moves than the best
SECONDS_A_MOVE: Final = 4e-10  # of a response
SECONDS_A_FOLLOWED_ROLL: Final = 4e-9
SECONDS_A_PATH_POINT: Final = 3e-10  # of the laws of a response's score
PATH_SHARE: Final = 0.08  # of the open positions that a response comes to, at most
SECONDS_AN_EXACT_MOVE: Final = 8e-6  # of best responses to best responses
SECONDS_AN_ORDER: Final = 5e-5  # of the slots of a set, for all rolls
SECONDS_A_READ_BYTE: Final = 1.5e-9
OWN_ROLLS_ROUNDS: Final = 3
SECONDS_A_MIXED_SCORE: Final = 1e-4


@lru_cache(maxsize=64)
def open_positions(game: Game) -> tuple[float, ...]:
    """How many open positions there are, about, by number of free slots.

    >>> round(sum(open_positions(Game.parse("1d6", "1-3"))))
    99
    """
    n = game.size
    if n > MOST_SLOTS:
        return (inf,) * (n + 1)
    sizes = [abs(Fraction(multiplier)) for multiplier in game.multipliers]
    total = sum(sizes) or Fraction(1)
    width = ratio(lattice_width(game))
    steps = [float(size / total) * width for size in sizes]
    signs = [multiplier >= 0 for multiplier in game.multipliers]
    random, samples = Random(18), SAMPLES if n <= MANY_SLOTS else FEW_SAMPLES
    found = []
    for k in range(n + 1):
        leads = 0.0
        for _ in range(samples):
            mine, theirs = random.sample(range(n), k), random.sample(range(n), k)
            filled = [slot for slot in range(n) if slot not in mine]
            their_filled = [slot for slot in range(n) if slot not in theirs]
            low = max(-_gain(steps, signs, mine, theirs), -_gain(steps, signs, their_filled, filled))
            high = min(_gain(steps, signs, theirs, mine), _gain(steps, signs, filled, their_filled))
            leads += max(0.0, high - low + 1)
        found.append(comb(n, k) ** 2 * leads / samples)
    return tuple(found)


def _gain(steps: Sequence[float], signs: Sequence[bool], mine: Sequence[int], theirs: Sequence[int]) -> float:
    """The most that the slots of one can gain on those of the other, in units."""
    pairs = zip(sorted(mine, key=lambda slot: steps[slot]), sorted(theirs, key=lambda slot: -steps[slot]), strict=True)
    return sum(max(0.0, steps[i] - steps[j]) if signs[i] == signs[j] else steps[i] for i, j in pairs)


def _entries(game: Game, power: int) -> float:
    """Open positions times rolls, times the slots of one player, or the pairs of slots of both."""
    positions = open_positions(game)
    return len(game.dice.support) * sum(float(max(1, k) ** power) * count for k, count in enumerate(positions))


def windows_plan(game: Game) -> Plan:
    """What it takes to know which leads are open."""
    pairs = float(comb(2 * game.size, game.size)) if game.size <= MOST_SLOTS else inf
    return Plan(_named(game), SECONDS_A_PAIR * pairs, BYTES_A_PAIR * pairs, all_memory=True)


def equilibrium_plan(game: Game, *, is_kept: bool = False) -> Plan:
    """What the table of the equilibrium takes: a matrix game for every open position and roll, or to be read."""
    size = 8 * sum(open_positions(game)) / 2
    seconds = SECONDS_A_READ_BYTE * size if is_kept else shared(SECONDS_A_MATRIX_ENTRY * _entries(game, 2))
    return kept_together(_named(game), windows_plan(game), Plan("the values", seconds, size))


def response_plan(game: Game, *, is_optimal: bool = True, is_kept: bool = False, with_draws: bool = False) -> Plan:
    """What the chances against a rule take from every position: equities, or those and draws for two rules."""
    size = 8 * sum(open_positions(game)) * (2 if with_draws else 1)
    sets = power_of_two(game.size)
    order = Plan("slots by their mean", SECONDS_AN_ORDER * sets, sets * game.size * len(game.dice.support))
    seconds = SECONDS_A_READ_BYTE * size if is_kept else shared(SECONDS_A_MOVE * _entries(game, 1))
    slots = slots_plan(game, game.size, is_optimal=is_optimal)
    return kept_together(_named(game), windows_plan(game), slots, order, Plan("the chances", seconds, size))


def response_path_plan(game: Game) -> Plan:
    """What the law of a best response's score takes, followed from the start."""
    positions, rolls = PATH_SHARE * sum(open_positions(game)), len(game.dice.support)
    width = ratio(lattice_width(game), 4)
    return Plan(
        "the positions that this best response comes to",
        SECONDS_A_PATH_POINT * positions * rolls * width + 1e-7 * positions * rolls,
        positions * (18.0 * rolls + 2 * width),
    )


def followed_plan(game: Game) -> Plan:
    """What it takes to follow the equilibrium and an opponent from the start."""
    chances = Plan("the chances", SECONDS_A_FOLLOWED_ROLL * _entries(game, 0), 2 * max(open_positions(game)))
    return kept_together(_named(game), windows_plan(game), chances)


def certificate_plan(game: Game) -> Plan:
    """What the certificate of an equilibrium takes: its matrix games once more, and an opponent followed."""
    bounds = Plan("the bounds", shared(SECONDS_A_CERTIFIED_ENTRY * _entries(game, 2)))
    return kept_together(_named(game), windows_plan(game), bounds, followed_plan(game))


def against_plan(game: Game) -> Plan:
    """What an opponent's chances against the equilibrium take from every position, those of a draw as well."""
    chances = Plan("the chances", shared(SECONDS_A_PLAYED_ENTRY * _entries(game, 2)), 16 * sum(open_positions(game)))
    return kept_together(_named(game), windows_plan(game), chances)


def own_rolls_plan(game: Game) -> Plan:
    """What the equilibrium of the duel with own rolls takes: a few best responses to laws, and the laws of all but one.

    The last response gains nothing, so nobody needs its law.
    """
    round_ = kept_together("a round", utilities_plan(game), play_law_plan(game, game.all_free, exact=False))
    scores = Plan("mixtures", SECONDS_A_MIXED_SCORE * ratio(lattice_width(game)))
    return in_turn(
        f"the duel with own rolls on {game.size:,} slots",
        float_law_plan(game, game.all_free),
        *((OWN_ROLLS_ROUNDS - 1) * [round_]),
        utilities_plan(game),
        scores,
    )


def cycle_plan(game: Game) -> Plan:
    """What best responses to best responses take, in fractions."""
    return Plan(
        f"the circle of exact best responses on {game.size:,} slots",
        SECONDS_AN_EXACT_MOVE * _entries(game, 1),
        1500.0 * sum(open_positions(game)) + 300 * _entries(game, 0),
    )


def _named(game: Game) -> str:
    return f"the table of the duel on {game.size:,} slots"
