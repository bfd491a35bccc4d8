"""How the bots of duels fare against `optimal` in the classic game, exactly; writes the file that the service reads.

`python -m tools.bot_chances` takes a minute or two, and 2 GB: two tables of the duel are solved for it where they are
not in the cache. `make proof` runs it too.
"""

import json
from pathlib import Path

from tentimes18.duel.best_response import best_response, fixed_duel
from tentimes18.duel.lead_windows import Outcome
from tentimes18.duel.play_out import EquilibriumPath
from tentimes18.game import Game
from tentimes18.server import bots
from tentimes18.solve.aims import chance_table
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import bands, greedy, nearest
from tentimes18.strategies.solved import equilibrium
from tools.aimed_duel import aimed_duel

FILE = Path(bots.__file__).with_name(bots.CHANCES_FILE)
TARGET = 700


def bot_chances(game: Game, target: int = TARGET) -> dict[str, Outcome]:
    """The chances of every bot against `optimal`, by name.

    >>> found = bot_chances(Game.parse("1d6", "1-3"), 25)
    >>> list(found), found["optimal"].draw
    (['random', 'greedy', 'bands', 'nearest', 'optimal', 'hunter', 'equilibrium', 'target:25'], 1.0)
    """
    optimal = optimal_rule(game)
    against = EquilibriumPath(equilibrium(game), optimal).outcome  # of `optimal`, against it
    return {
        "random": fixed_duel(game, None, optimal),
        "greedy": fixed_duel(game, greedy(game), optimal),
        "bands": fixed_duel(game, bands(game), optimal),
        "nearest": fixed_duel(game, nearest(game), optimal),
        "optimal": Outcome(0.5, 0.0, 1.0, 0.0),  # the same board on both sides
        "hunter": best_response(game, optimal).outcome,
        "equilibrium": Outcome(1 - against.equity, against.loss, against.draw, against.win),
        f"target:{target}": aimed_duel(chance_table(game).best_play(target), optimal),
    }


def main() -> None:
    """Write the file."""
    game = Game.classic()
    found = {name: {"win": one.win, "draw": one.draw, "loss": one.loss} for name, one in bot_chances(game).items()}
    FILE.write_text(json.dumps({str(game): found}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
