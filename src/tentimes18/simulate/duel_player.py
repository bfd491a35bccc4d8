"""How two strategies play many duels at once, with both boards in sight: rules, `hunter` and `equilibrium`."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tentimes18.duel import slot_choice as kernel
from tentimes18.duel.best_response import nobody
from tentimes18.duel.lead_windows import DuelWindows, Standing
from tentimes18.duel.slot_choice import BY_EQUILIBRIUM, BY_RESPONSE, BY_RULE, DuelPlayers
from tentimes18.errors import Ten18Error
from tentimes18.game import Board
from tentimes18.simulate.drawing import drawn_fractions, key_of
from tentimes18.simulate.players import Play, check_tables, units_on
from tentimes18.simulate.run import Run
from tentimes18.solve.parallel import Progress
from tentimes18.storage.cache import solved
from tentimes18.strategies.named import DUEL_STRATEGIES, RULES, named
from tentimes18.strategies.solved import equilibrium, hunter, rule_table
from tentimes18.strategies.strategy import RuleStrategy

__all__ = ["DuelPlayer", "duel_player", "plays_duels"]

KINDS: Final = {"hunter": BY_RESPONSE, "equilibrium": BY_EQUILIBRIUM}


class DuelPlayer:
    """Plays the two strategies of a run against each other: fills in two rows of scores."""

    def __init__(self, run: Run, players: DuelPlayers, windows: DuelWindows, nbytes: int) -> None:
        self.nbytes = nbytes
        self._players = players
        self._windows = windows
        self._key = key_of(run.seed, "mixed moves")
        self._play = self.going_on([run.board(place) for place in (0, 1)])

    def __call__(self, first: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
        """See `Play`."""
        self._play(first, rolls, scores)

    def going_on(self, boards: Sequence[Board], slot: int = 0) -> Play:
        """How the two go on from their boards; where a slot is given, that is the first player's first move."""
        mine, theirs = boards
        units = np.array([[units_on(board)] for board in boards], dtype=np.int32)
        at = Standing(mine.free, theirs.free, len(mine.free_slots), int(units[0, 0] - units[1, 0]))

        def play(first: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
            scores[:] = units
            chances = drawn_fractions(self._key, first, 2 * at.k, rolls.shape[1])
            kernel.play_duel(self._players, self._windows.shifts, at, slot - 1, rolls, chances, scores)

        return play


def duel_player(run: Run, progress: Progress | None = None) -> DuelPlayer:
    """Who plays the two strategies of a run against each other; made once, and kept.

    >>> from tentimes18.game import Game
    >>> from tentimes18.simulate.drawing import draw
    >>> run = Run(Game.parse("1d6", "1-3"), ("hunter", "greedy"), seed=18)
    >>> scores = np.empty((2, 1000), dtype=np.int32)
    >>> duel_player(run)(0, draw(run, 0, 1000), scores)
    >>> bool((scores[0] > scores[1]).mean() > (scores[0] < scores[1]).mean())
    True
    """
    return solved.get(("duel player", run), lambda: _make_player(run, progress))


def plays_duels(run: Run) -> bool:
    """Whether all of these are rules or strategies of a duel, which play it from any boards on.

    >>> from tentimes18.game import Game
    >>> plays_duels(Run(Game.classic(), ("hunter", "nearest"), seed=18))
    True
    >>> plays_duels(Run(Game.classic(), ("hunter", "random"), seed=18))
    False
    """
    return all(name in DUEL_STRATEGIES or isinstance(run.find(name), RuleStrategy) for name in run.strategies)


def _make_player(run: Run, progress: Progress | None) -> DuelPlayer:
    if len(run.strategies) != 2:
        raise Ten18Error(f"{' and '.join(DUEL_STRATEGIES)} play duels of two", field="strategies")
    game = run.game
    found = [run.find(name) if name not in DUEL_STRATEGIES else named("optimal") for name in run.strategies]
    rules = [rule for rule in found if isinstance(rule, RuleStrategy)]
    if len(rules) < 2:
        names = ", ".join((*RULES, *DUEL_STRATEGIES))
        raise Ten18Error(f"against {' and '.join(DUEL_STRATEGIES)} only these play: {names}", field="strategy")
    check_tables(run)
    slots: Any = tuple(rule_table(rule, game) for rule in rules)
    kinds: Any = tuple(KINDS.get(name, BY_RULE) for name in run.strategies)
    response = hunter(game, progress) if BY_RESPONSE in kinds else None
    table = equilibrium(game, progress) if BY_EQUILIBRIUM in kinds else None
    windows = (response or table).windows  # type: ignore[union-attr]
    hunting = response.hunter if response else nobody(windows)
    players = DuelPlayers(kinds, slots, hunting, table.windows.table(table.values) if table else hunting.table)
    # The tables count here as well: the player holds them, whether or not they are kept by themselves.
    return DuelPlayer(run, players, windows, sum(part.nbytes for part in (*slots, response, table) if part is not None))
