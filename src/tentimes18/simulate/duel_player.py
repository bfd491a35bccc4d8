"""How two strategies play many duels at once, with both boards in sight: rules, `hunter` and `equilibrium`."""

from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tentimes18.errors import Ten18Error
from tentimes18.kernels import duel_play as kernel
from tentimes18.kernels.types import BY_EQUILIBRIUM, BY_RESPONSE, BY_RULE, DuelPlayers
from tentimes18.plan import admit_game
from tentimes18.simulate.drawing import drawn_fractions, key_of
from tentimes18.simulate.plans import tables_plan
from tentimes18.simulate.players import Player
from tentimes18.simulate.run import Run
from tentimes18.solve.duel.response import nobody
from tentimes18.storage.cache import solved
from tentimes18.strategies.named import DUEL_STRATEGIES, RULES, named
from tentimes18.strategies.solved import equilibrium, hunter, rule_table
from tentimes18.strategies.strategy import RuleStrategy

__all__ = ["duel_player"]

KINDS: Final = {"hunter": BY_RESPONSE, "equilibrium": BY_EQUILIBRIUM}


def duel_player(run: Run) -> Player:
    """Plays the two strategies of a run against each other: fills in two rows of scores; made once, and kept.

    >>> from tentimes18.game import Game
    >>> from tentimes18.simulate.drawing import draw
    >>> run = Run(Game.parse("1d6", "1-3"), ("hunter", "greedy"), seed=18)
    >>> scores = np.empty((2, 1000), dtype=np.int32)
    >>> duel_player(run)(0, draw(run, 0, 1000), scores)
    >>> bool((scores[0] > scores[1]).mean() > (scores[0] < scores[1]).mean())
    True
    """
    return solved.get(("duel player", run), lambda: _make_player(run))


def _make_player(run: Run) -> Player:
    if len(run.strategies) != 2:
        raise Ten18Error(
            f"{', '.join(DUEL_STRATEGIES)} play duels of two, not alone or at larger tables", field="strategies"
        )
    game = run.game
    found = [run.find(name) if name not in DUEL_STRATEGIES else named("optimal") for name in run.strategies]
    rules = [rule for rule in found if isinstance(rule, RuleStrategy)]
    if len(rules) < 2:
        names = ", ".join((*RULES, *DUEL_STRATEGIES))
        raise Ten18Error(f"against {' and '.join(DUEL_STRATEGIES)} only these play: {names}", field="strategy")
    admit_game(game, partial(tables_plan, run))
    slots: Any = tuple(rule_table(rule, game) for rule in rules)
    kinds: Any = tuple(KINDS.get(name, BY_RULE) for name in run.strategies)
    response = hunter(game) if BY_RESPONSE in kinds else None
    table = equilibrium(game) if BY_EQUILIBRIUM in kinds else None
    windows = (response or table).windows  # type: ignore[union-attr]
    hunting = response.hunter if response else nobody(windows)
    players = DuelPlayers(kinds, slots, hunting, table.windows.table(table.values) if table else hunting.table)
    key = key_of(run.seed, "mixed moves")

    def play(start: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
        chances = drawn_fractions(key, start, 2 * game.size, rolls.shape[1])
        kernel.play_duel(players, windows.shifts, rolls, chances, scores)

    # The tables count here as well: the player holds them, whether or not they are kept by themselves.
    return Player(play, sum(part.nbytes for part in (*slots, response, table) if part is not None))
