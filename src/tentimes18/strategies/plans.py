"""What the tables of duels take that are kept on disk: made, or read where they were made before."""

from pathlib import Path

from tentimes18.duel.plans import equilibrium_plan, response_plan
from tentimes18.game import Game
from tentimes18.plan import Plan
from tentimes18.storage.table_paths import is_kept

__all__ = ["best_duel_plan", "hunter_plan"]


def hunter_plan(game: Game, folder: Path | None = None, *, on_gpu: bool = False) -> Plan:
    """What `strategies.solved.hunter` takes here; made on a GPU, no more than to be read.

    >>> hunter_plan(Game.parse("1d6", "1-4"), Path("nowhere")).fits()
    True
    """
    return response_plan(game, is_kept=on_gpu or is_kept("response", game, folder))


def best_duel_plan(game: Game, folder: Path | None = None, *, on_gpu: bool = False) -> Plan:
    """What `strategies.solved.equilibrium` takes here; as in `hunter_plan`.

    >>> best_duel_plan(Game.parse("1d6", "1-4"), Path("nowhere")).fits()
    True
    """
    return equilibrium_plan(game, is_kept=on_gpu or is_kept("equilibrium", game, folder))
