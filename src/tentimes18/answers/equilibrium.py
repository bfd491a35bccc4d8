"""The Nash equilibrium of the duel: on the same rolls with both boards in sight, or each player with own rolls."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TypedDict

from tentimes18.duel.lead_windows import verify_position
from tentimes18.duel.own_rolls import equity, own_rolls_equilibrium
from tentimes18.duel.plans import own_rolls_plan
from tentimes18.game import Game, Number
from tentimes18.gpu.device import CPU, on_gpu
from tentimes18.plan import Limits, admit_game
from tentimes18.queries.positions import duel_position
from tentimes18.solve.layers import Progress
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.float_laws import float_rule_law
from tentimes18.storage.tables import Tell
from tentimes18.strategies import solved
from tentimes18.strategies.plans import best_duel_plan

__all__ = ["EquilibriumAnswer", "OwnRollsAnswer", "equilibrium", "own_rolls"]


class EquilibriumAnswer(TypedDict):
    """My chance to win, a draw counting one half; for each roll a mixed move of pairs (slot, probability)."""

    value: float
    moves: dict[str, list[tuple[int, float]]]


class OwnRollsAnswer(TypedDict):
    """A mixture of strategies by their shares, the law of its score, and what the best response to it gains."""

    value: float
    exploitability: float
    against_optimal: float
    mean: float
    sd: float
    shares: list[float]


def equilibrium(
    game: Game,
    *,
    free: Sequence[int] | None = None,
    opponent_free: Sequence[int] | None = None,
    lead: Number = 0,
    folder: Path | None = None,
    tell: Tell | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
    device: str = CPU,
) -> EquilibriumAnswer:
    """The value of a position, the start where none is named, and a mixed move for every roll.

    The table is made on a processor, or with ``device="cuda"`` on a GPU, unless it is there.

    >>> answer = equilibrium(Game.parse("1d6", "1-3"))
    >>> round(answer["value"], 12), answer["moves"]["6"]
    (0.5, [(3, 1.0)])
    """
    position = duel_position(game, free, opponent_free, lead)
    admit_game(game, partial(best_duel_plan, folder=folder, on_gpu=on_gpu(device) is not None), limits)
    verify_position(game, *position)
    table = solved.equilibrium(game, progress, folder, tell, device)
    return {
        "value": table.value(*position),
        "moves": {str(roll): list(table.moves(*position, roll).items()) for roll in game.dice.support},
    }


def own_rolls(game: Game, progress: Progress | None = None, limits: Limits | None = None) -> OwnRollsAnswer:
    """The equilibrium of the duel where each player has own rolls, and the other board is out of sight.

    >>> answer = own_rolls(Game.parse("1d6", "1-3"))
    >>> answer["exploitability"] <= 1e-5, answer["against_optimal"] >= 0.5
    (True, True)
    """
    admit_game(game, own_rolls_plan, limits)
    found = own_rolls_equilibrium(game, progress=progress)
    law = found.law
    return {
        "value": 0.5,
        "exploitability": found.exploitability,
        "against_optimal": equity(law, float_rule_law(game, optimal_rule(game))),
        "mean": float(law.mean),
        "sd": law.sd,
        "shares": [share for share in found.shares if share > 0],
    }
