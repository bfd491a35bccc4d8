"""The solved tables that strategies play by and coaches measure with: each made once, and kept.

All of them are kept in memory (`storage.cache`); the tables of duels, which take longest, on disk as well
(`storage.tables`).
"""

from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path

from tentimes18.arrays import Slots
from tentimes18.duel.best_response import Response, best_response
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.plans import response_plan
from tentimes18.game import Game
from tentimes18.gpu.device import CPU, on_gpu
from tentimes18.plan import admit_game
from tentimes18.solve.aims import ChanceTable, ShortfallTable, UtilityTable, chance_table, shortfall_table
from tentimes18.solve.move_arrays import rule_slots
from tentimes18.solve.parallel import Progress
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.utilities import Utility
from tentimes18.storage.cache import solved
from tentimes18.storage.tables import Tell, kept_table, table_there
from tentimes18.strategies.plans import best_duel_plan, hunter_plan
from tentimes18.strategies.strategy import RuleStrategy

__all__ = [
    "chances",
    "equilibrium",
    "equilibrium_there",
    "hunter",
    "hunter_there",
    "response_to",
    "rule_table",
    "shortfalls",
    "utilities",
]


def chances(game: Game, progress: Progress | None = None) -> ChanceTable:
    """The best chance of every target from every position."""
    return solved.get(("chances", game), lambda: chance_table(game, progress))


def shortfalls(game: Game, progress: Progress | None = None) -> ShortfallTable:
    """The least expected shortfall below every level, from every position."""
    return solved.get(("shortfalls", game), lambda: shortfall_table(game, progress))


def utilities(
    game: Game, key: Hashable, make: Callable[[Game], Utility], progress: Progress | None = None
) -> UtilityTable:
    """The best expected utility from every position; ``key`` says which utility it is."""
    return solved.get(("utility", key, game), lambda: UtilityTable(game, make(game), progress))


def hunter(
    game: Game,
    progress: Progress | None = None,
    folder: Path | None = None,
    tell: Tell | None = None,
    device: str = CPU,
) -> Response:
    """The best response to `optimal` in a duel; ``tell`` gets a line where a file is damaged, or cannot be kept.

    It is made on a processor or a GPU, unless it is there: the table is the same.
    """
    is_on_gpu = on_gpu(device) is not None

    def make() -> Response:
        admit_game(game, partial(hunter_plan, folder=folder, on_gpu=is_on_gpu))
        return best_response(
            game,
            optimal_rule(game),
            progress=progress,
            kept=lambda cells, make: kept_table("response", game, cells, make, folder, tell),
            device=device,
        )

    return solved.get(("hunter", game, folder), make)


def equilibrium(
    game: Game,
    progress: Progress | None = None,
    folder: Path | None = None,
    tell: Tell | None = None,
    device: str = CPU,
) -> Equilibrium:
    """The equilibrium of the duel; ``tell`` and ``device`` as in `hunter`."""
    is_on_gpu = on_gpu(device) is not None

    def make() -> Equilibrium:
        admit_game(game, partial(best_duel_plan, folder=folder, on_gpu=is_on_gpu))
        return Equilibrium(
            game,
            progress,
            lambda cells, make: kept_table("equilibrium", game, cells, make, folder, tell),
            device=device,
        )

    return solved.get(("equilibrium", game, folder), make)


def hunter_there(game: Game, folder: Path | None = None) -> Response:
    """The same as `hunter`, from disk: raises ``MissingTable`` where it is not kept there, and never makes it.

    >>> hunter_there(Game.parse("1d6", "1-3"), Path("nowhere"))
    Traceback (most recent call last):
    tentimes18.storage.tables.MissingTable: no table of the kind 'response' is kept for 1d6 1-3
    """

    def find() -> Response:
        return best_response(
            game, optimal_rule(game), kept=lambda cells, _: table_there("response", game, cells, folder)
        )

    return solved.get(("hunter", game, folder), find)


def equilibrium_there(game: Game, folder: Path | None = None) -> Equilibrium:
    """The same as `equilibrium`, as in `hunter_there`.

    >>> equilibrium_there(Game.parse("1d6", "1-3"), Path("nowhere"))
    Traceback (most recent call last):
    tentimes18.storage.tables.MissingTable: no table of the kind 'equilibrium' is kept for 1d6 1-3
    """

    def find() -> Equilibrium:
        return Equilibrium(game, kept=lambda cells, _: table_there("equilibrium", game, cells, folder))

    return solved.get(("equilibrium", game, folder), find)


def rule_table(strategy: RuleStrategy, game: Game, progress: Progress | None = None) -> Slots:
    """The slots that a rule takes, for all free sets and rolls."""
    key = ("slots", strategy.rule, game)
    return solved.get(key, lambda: rule_slots(game, strategy.rule(game), progress=progress))


def response_to(strategy: RuleStrategy, game: Game, progress: Progress | None = None) -> Response:
    """The best response to a rule in a duel."""
    if strategy.rule is optimal_rule:
        return hunter(game, progress)

    def make() -> Response:
        admit_game(game, partial(response_plan, is_optimal=False))
        return best_response(game, strategy.rule(game), progress=progress)

    return solved.get(("response", strategy.rule, game), make)
