"""What many games take: the tables that strategies play by, and the games themselves.

Whoever plays games may stop at any time and have what was counted so far. So they may take a day, unless the
environment says less.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.plan import Limits, Plan, admit, admit_game, kept_together, largest, power_of_two, ratio
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_width
from tentimes18.solve.layers import shared, thread_count
from tentimes18.solve.objectives.plans import slot_table_plan
from tentimes18.solve.rules import optimal_rule, slots_plan
from tentimes18.solve.thresholds import exact_plan
from tentimes18.strategies.named import DUEL_STRATEGIES
from tentimes18.strategies.plans import best_duel_plan, hunter_plan
from tentimes18.strategies.strategy import Hindsight, ObjectiveStrategy, RandomSlot, RuleStrategy

__all__ = [
    "A_DAY",
    "MAX_TABLE_SLOTS",
    "admit_games",
    "admit_tables",
    "fitting_games",
    "games_plan",
    "has_table",
    "tables_plan",
]

A_DAY: Final = 86400.0
MAX_TABLE_SLOTS: Final = 16
MAX_TABLE_BYTES: Final = 10**9
"""A table of slots for all free sets, up to here; beyond it `optimal` plays by the rank of a slot."""
BYTES_A_MOVE: Final = 16  # in the forms that a table goes through
SECONDS_A_ROUND: Final = 2e-9  # drawn and played
SECONDS_A_WIDE_ROUND: Final = 3e-8  # drawn from dice with a large total
SECONDS_A_RANK: Final = 2e-8  # of a round that is played by the rank of a slot
SECONDS_A_SLOT: Final = 1.8e-10  # to look through, for each of them
SECONDS_A_COUNTED_ROLL: Final = 8e-11  # for each roll that hindsight counts
SECONDS_A_SCORE_ROUND: Final = 3e-9  # of an objective, which looks at the score as well
SECONDS_A_PYTHON_ROUND: Final = 1.1e-5
SECONDS_A_HUNTED_ROUND: Final = 2e-7
SECONDS_A_MATRIX_ENTRY: Final = 2.5e-8


def tables_plan(run: Run, game: Game | None = None) -> Plan:
    """What the tables of all strategies of a run take, and the counts of their scores; in this game or another."""
    game = game or run.game
    counts = Plan("the counts", memory=8 * len(run.strategies) * ratio(lattice_width(game)) * (2 * thread_count() + 2))
    plans = [_table_plan(name, run, game) for name in run.strategies]
    return kept_together(f"the tables for games on {game.size:,} slots", *plans, counts)


def admit_tables(run: Run, limits: Limits | None = None) -> None:
    """Raise ``TooLarge`` where the tables of a run do not fit, or a rule has none for so many slots.

    >>> admit_tables(Run(Game.parse("3d6", "1-17"), ("optimal",), seed=18))
    >>> admit_tables(Run(Game.parse("3d6", "1-17"), ("nearest",), seed=18))
    Traceback (most recent call last):
    tentimes18.errors.TooLarge: strategy 'nearest': plays on at most 16 slots, not on 17
    """
    for name in run.strategies:
        strategy = None if name in DUEL_STRATEGIES else run.find(name)
        is_rule = isinstance(strategy, RuleStrategy) and strategy.rule is not optimal_rule
        if is_rule and run.game.size > MAX_TABLE_SLOTS:
            raise TooLarge(f"plays on at most {MAX_TABLE_SLOTS} slots, not on {run.game.size}", "strategy", name)
    admit_game(run.game, partial(tables_plan, run), limits)


def games_plan(run: Run, games: int, times: int = 1) -> Plan:
    """What so many games take, with their tables, each of them played so many times."""
    game = run.game
    seconds = sum(_round_seconds(name, run, game) for name in run.strategies)
    if game.dice.total > 1 << 16:
        seconds += SECONDS_A_WIDE_ROUND
    played = Plan("the games", shared(ratio(games * times) * run.rounds * seconds))
    what = f"a run of {games:,} games on {game.size:,} slots"
    return kept_together(what if times == 1 else f"{what}, {times:,} times each,", tables_plan(run), played)


def admit_games(run: Run, games: int, limits: Limits | None = None, *, times: int = 1) -> None:
    """Raise ``TooLarge`` where the tables of a run do not fit, or so many games do not, each played so many times.

    >>> admit_games(Run(Game.classic(), ("optimal",), seed=18), 10**15, Limits(8e9, 600))
    Traceback (most recent call last):
    tentimes18.errors.TooLarge: games: a run of 1,000,000,000,000,000 games on 10 slots would take about ...
    """
    admit_tables(run, limits)
    most = limits or Limits.here(seconds=A_DAY)
    admit(
        games_plan(run, games, times),
        most,
        instead=lambda limits: fitting_games(games, lambda fewer: games_plan(run, fewer, times).fits(limits)),
        field="games",
    )


def fitting_games(games: int, fits: Callable[[int], bool]) -> str:
    """How many fewer games fit; nothing where none do.

    >>> fitting_games(10**6, lambda games: games < 3000), fitting_games(5, lambda games: False)
    ('2,999 games fit', '')
    """
    fewer = largest(games - 1, fits)
    return f"{fewer:,} games fit" if fewer > 1 else "1 game fits" if fewer else ""


def _table_plan(name: str, run: Run, game: Game) -> Plan:
    if name in DUEL_STRATEGIES:
        return (hunter_plan if name == "hunter" else best_duel_plan)(game)
    strategy = run.find(name)
    entries = power_of_two(game.size) * len(game.dice.support)
    if isinstance(strategy, ObjectiveStrategy):
        return kept_together("the table", strategy.table(game), slot_table_plan(game))
    if isinstance(strategy, RuleStrategy):
        is_optimal = strategy.rule is optimal_rule
        if is_optimal and not has_table(game):
            return kept_together("the ranks", exact_plan(game.dice, game.size), _ranks_plan(game))
        moves = Plan("the moves", memory=BYTES_A_MOVE * entries)
        return kept_together("the table", slots_plan(game, game.size, is_optimal=is_optimal), moves)
    return _ranks_plan(game)


def _ranks_plan(game: Game) -> Plan:
    """What some numbers for every slot and roll take."""
    numbers = float(game.size * len(game.dice.support))
    return Plan("the ranks", 1e-6 * numbers, 200 * numbers)


def has_table(game: Game) -> bool:
    """Whether `optimal` plays by a table of all free sets, not by the rank of a slot.

    >>> has_table(Game.classic()), has_table(Game.parse("3d6", "1-17"))
    (True, False)
    """
    return game.size <= MAX_TABLE_SLOTS and len(game.dice.support) << game.size <= MAX_TABLE_BYTES


def _round_seconds(name: str, run: Run, game: Game) -> float:
    """How long a round of a strategy takes one thread."""
    rolls = len(game.dice.support)
    if name in DUEL_STRATEGIES:
        return SECONDS_A_HUNTED_ROUND if name == "hunter" else SECONDS_A_MATRIX_ENTRY * (1 + game.size**2 / 3)
    strategy = run.find(name)
    if isinstance(strategy, ObjectiveStrategy):
        return SECONDS_A_ROUND + SECONDS_A_SCORE_ROUND
    if isinstance(strategy, RuleStrategy):
        return SECONDS_A_ROUND if has_table(game) else SECONDS_A_RANK + SECONDS_A_SLOT * game.size
    if isinstance(strategy, Hindsight):
        return SECONDS_A_ROUND + SECONDS_A_COUNTED_ROLL * rolls
    return SECONDS_A_ROUND if isinstance(strategy, RandomSlot) else SECONDS_A_PYTHON_ROUND * thread_count()
