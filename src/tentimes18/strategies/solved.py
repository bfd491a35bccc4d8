"""The solved tables that strategies play by and coaches measure with: each is made once and stays in memory.

The tables of duels, which take longest, are stored on disk as well.
"""

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

from tentimes18.arrays import Slots
from tentimes18.duel.best_response import Response, best_response, response_values
from tentimes18.duel.equilibrium import Equilibrium, solve_values
from tentimes18.duel.lead_windows import DuelWindows
from tentimes18.game import Game
from tentimes18.gpu.device import CPU
from tentimes18.solve.aim_tables import BestPlay
from tentimes18.solve.aims import (
    ChanceTable,
    ShortfallTable,
    UtilityTable,
    best_quantile,
    best_worst_share,
    chance_table,
    shortfall_table,
)
from tentimes18.solve.move_arrays import rule_slots, slot_order
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.solve.utilities import Utility
from tentimes18.strategies.strategy import RuleStrategy
from tentimes18.tables import StoredTable, load_or_make, load_table, table_cache

Warn = Callable[[str], None]
"""Called with one line if a file is damaged or cannot be written."""


def chances(game: Game, progress: Progress | None = None) -> ChanceTable:
    """The best chance of every target from every position."""
    return table_cache.get(("chances", game), lambda: chance_table(game, progress))


def shortfalls(game: Game, progress: Progress | None = None) -> ShortfallTable:
    """The least expected shortfall below every level, from every position."""
    return table_cache.get(("shortfalls", game), lambda: shortfall_table(game, progress))


def utilities(
    game: Game, key: Hashable, make: Callable[[Game], Utility], progress: Progress | None = None
) -> UtilityTable:
    """The best expected utility from every position; ``key`` says which utility it is."""
    return table_cache.get(("utility", key, game), lambda: UtilityTable(game, make(game), progress))


BEST_PLAYS: dict[str, Callable[[Game, Any, Progress | None], BestPlay]] = {
    "target": lambda game, score, progress: chances(game, progress).best_play(score),
    "quantile": lambda game, share, progress: best_quantile(chances(game, progress), share),
    "cvar": lambda game, share, progress: best_worst_share(shortfalls(game, progress), share),
    "utility": lambda game, utility, progress: utilities(game, utility[0], utility[1], progress).best_play(),
}


def hunter(
    game: Game,
    progress: Progress | None = None,
    folder: Path | None = None,
    warn: Warn | None = None,
    device: str = CPU,
    *,
    is_stored: bool = False,
) -> Response:
    """The best response to `optimal` in a duel. A GPU makes the same table.

    With ``is_stored`` it is read from disk; raises ``MissingTable`` if it is not there.
    """

    def make() -> Response:
        windows, theirs, order = DuelWindows(game, half=False), rule_slots(game, optimal_rule(game)), slot_order(game)

        def solve() -> StoredTable:
            return StoredTable(response_values(windows, theirs, order, 0.5, progress, device), {})

        table = _table("response", windows, None if is_stored else solve, folder, warn)
        return Response(windows, 0.5, table.values, theirs, order)

    return table_cache.get(("hunter", game, folder), make)


def equilibrium(
    game: Game,
    progress: Progress | None = None,
    folder: Path | None = None,
    warn: Warn | None = None,
    device: str = CPU,
    *,
    is_stored: bool = False,
) -> Equilibrium:
    """The Nash equilibrium of a duel; the arguments are those of `hunter`."""

    def make() -> Equilibrium:
        windows = DuelWindows(game, half=True)
        solve = None if is_stored else lambda: solve_values(windows, progress, device)
        return Equilibrium(windows, *_table("equilibrium", windows, solve, folder, warn))

    return table_cache.get(("equilibrium", game, folder), make)


def _table(
    kind: str, windows: DuelWindows, solve: Callable[[], StoredTable] | None, folder: Path | None, warn: Warn | None
) -> StoredTable:
    if solve is None:
        return load_table(kind, windows.game, windows.cells, folder)
    return load_or_make(kind, windows.game, windows.cells, solve, folder, warn)


def rule_table(strategy: RuleStrategy, game: Game, progress: Progress | None = None) -> Slots:
    """The slots that a rule takes, for all free sets and rolls."""
    key = ("slots", strategy.rule, game)
    return table_cache.get(key, lambda: rule_slots(game, strategy.rule(game), progress=progress))


def response_to(strategy: RuleStrategy, game: Game, progress: Progress | None = None) -> Response:
    if strategy.rule is optimal_rule:
        return hunter(game, progress)
    key = ("response", strategy.rule, game)
    return table_cache.get(key, lambda: best_response(game, strategy.rule(game), progress=progress))
