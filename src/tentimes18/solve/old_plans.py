"""Temporary: plans that other modules still use."""

from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.plan import Plan, fraction_seconds, in_turn, kept_together, power_of_two
from tentimes18.solve.layers import shared

_SECONDS_A_CELL_0 = 5e-7
_SECONDS_A_BIT_0 = 3e-10  # of the last denominator, for each cell
_SECONDS_A_ROLL_0 = 1e-7  # in each row
_BYTES_A_CELL_0 = 60


def exact_plan(dice: Dice, n: int) -> Plan:
    """What the exact rows up to E_n take: n²/2 integers of up to n times the bits of the total."""
    cells, bits = n * (n + 1) / 2, n * dice.total.bit_length()
    return Plan(
        f"the table of exact thresholds for {n:,} slots",
        seconds=cells * (_SECONDS_A_CELL_0 + _SECONDS_A_BIT_0 * bits) + _SECONDS_A_ROLL_0 * n * len(dice.support),
        memory=cells * (_BYTES_A_CELL_0 + bits / 12),  # an integer has two thirds of these bits on average
    )


_SECONDS_A_STORED_CELL_1 = 1.5e-8
_SECONDS_A_CELL_1 = 2e-10  # where two rows stay in the cache
_SECONDS_A_RUN_1 = 2.5e-8  # of cells between two rolls


def thresholds_plan(dice: Dice, n: int) -> Plan:
    """What all rows up to E_n take."""
    cells, runs = n * (n + 1) / 2, n * min(n, len(dice.support))
    return Plan(
        f"the table of all thresholds for {n:,} slots",
        seconds=_SECONDS_A_STORED_CELL_1 * cells + _SECONDS_A_RUN_1 * runs,
        memory=8 * cells,
    )


def last_row_plan(dice: Dice, n: int) -> Plan:
    """What the row E_n alone takes."""
    cells, runs = n * (n + 1) / 2, n * min(n, len(dice.support))
    return Plan(
        f"the last row of thresholds for {n:,} slots",
        seconds=_SECONDS_A_CELL_1 * cells + _SECONDS_A_RUN_1 * runs,
        memory=16 * n,
    )


_SECONDS_A_CELL_2 = 1e-6
_SECONDS_A_DIGIT_SQUARED_2 = 1.6e-11  # of a cell, as a decimal


def decimal_plan(n: int, places: int) -> Plan:
    """What rows up to E_n with so many places take."""
    cells = n * (n + 1) / 2
    return Plan(
        f"the table of thresholds with {places:,} digits for {n:,} slots",
        seconds=cells * (_SECONDS_A_CELL_2 + _SECONDS_A_DIGIT_SQUARED_2 * places**2),
        memory=cells * (200 + places),
    )


INSTEAD = "the thresholds need no such table"
_SECONDS_A_LINE_3 = 4e-9  # of float64, of an envelope
_SECONDS_A_ROLL_3 = 7.5e-10  # on it
_SECONDS_A_PRODUCT_3 = 2e-7  # of integers


def subset_plan(game: Game) -> Plan:
    """What the table takes in float64 (`solve.float_subsets`): an upper envelope for each of 2^n sets."""
    sets = power_of_two(game.size)
    return Plan(
        f"the table over all subsets of {game.size:,} slots",
        seconds=shared(sets * (_SECONDS_A_LINE_3 * game.size + _SECONDS_A_ROLL_3 * len(game.dice.support))),
        memory=8 * sets,
    )


def exact_subset_plan(game: Game) -> Plan:
    """What the exact table takes."""
    sets, bits = power_of_two(game.size), game.size * game.dice.total.bit_length()
    return Plan(
        f"the exact table over all subsets of {game.size:,} slots",
        seconds=sets * game.size / 2 * len(game.dice.support) * _SECONDS_A_PRODUCT_3 * (1 + bits / 2000),
        memory=sets * (250 + bits / 3),
    )


_SECONDS_A_TERM_4 = 3e-7  # of a binomial law
_SECONDS_A_BIT_4 = 7e-10  # of the denominator, for each term


def order_plan(dice: Dice, n: int) -> Plan:
    """What exact order statistics take: a binomial law of integers for each roll."""
    bits = n * dice.total.bit_length()
    return Plan(
        f"the exact order statistics of {n:,} rolls",
        seconds=n * len(dice.support) * (_SECONDS_A_TERM_4 + _SECONDS_A_BIT_4 * bits) + n * fraction_seconds(bits),
        memory=n * (100 + bits / 2),
    )


_SECONDS_A_TERM_5 = 1.6e-8  # of a binomial law
_SECONDS_A_ROLL_5 = 2e-5


def float_order_plan(dice: Dice, n: int) -> Plan:
    """What the order statistics take: a binomial law for each roll."""
    return Plan(
        f"the order statistics of {n:,} rolls",
        seconds=len(dice.support) * (_SECONDS_A_ROLL_5 + _SECONDS_A_TERM_5 * n),
        memory=80 * n,
    )


_SECONDS_A_SLOT_6 = 6e-9  # of `optimal`, for a set and a roll
_SECONDS_A_CALL_6 = 2e-6  # of another rule
_SECONDS_A_RANK_6 = 4e-7


def slots_plan(game: Game, n: int, *, is_optimal: bool) -> Plan:
    """What the slots of a rule take for all sets of n slots and all rolls; those of `optimal` need its thresholds."""
    entries = power_of_two(n) * len(game.dice.support)
    if not is_optimal:
        return Plan(f"the slots that a rule takes on {n:,} slots", _SECONDS_A_CALL_6 * entries, entries)
    ranks = Plan("the ranks", 2 * _SECONDS_A_RANK_6 * n * len(game.dice.support), 150.0 * n * len(game.dice.support))
    slots = Plan("the slots", _SECONDS_A_SLOT_6 * entries, entries)
    return kept_together(f"the slots of optimal on {n:,} slots", exact_plan(game.dice, game.size), ranks, slots)


_SECONDS_A_CELL_9 = 5e-7
_SECONDS_A_BIT_9 = 2.5e-10  # of the denominator, for each cell
_SECONDS_A_ROLL_9 = 1e-6  # in each row


def optimal_moments_plan(dice: Dice, n: int) -> Plan:
    """What the moments of `optimal` take: n³/6 cells, and a search for each roll and row."""
    bits = n * dice.total.bit_length()
    cells = Plan(
        "the products",
        n**3 / 6 * (_SECONDS_A_CELL_9 + _SECONDS_A_BIT_9 * bits) + _SECONDS_A_ROLL_9 * n * len(dice.support),
        n * n * (60 + bits / 6),
    )
    return in_turn(f"the table of exact moments for {n:,} slots", exact_plan(dice, n), cells)


def hindsight_moments_plan(dice: Dice, n: int) -> Plan:
    """What the moments of `hindsight` take."""
    bits = n * dice.total.bit_length()
    steps = n * n / 2 * len(dice.support)
    return Plan(f"the exact moments for {n:,} slots", steps * (_SECONDS_A_CELL_9 + _SECONDS_A_BIT_9 * bits), n * bits)


def slot_laws_plan(dice: Dice, n: int) -> Plan:
    """What the laws of the single slots take."""
    bits, rolls = n * dice.total.bit_length(), len(dice.support)
    cells = Plan(
        "the laws",
        n * n / 2 * rolls * (_SECONDS_A_CELL_9 + _SECONDS_A_BIT_9 * bits) + n * rolls * fraction_seconds(bits),
        n * rolls * (250 + bits / 2),
    )
    return in_turn(f"the laws of the single slots for {n:,} slots", exact_plan(dice, n), cells)
