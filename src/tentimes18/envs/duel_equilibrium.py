"""The equilibrium of a duel, asked by observation: what a position is worth to who sees it, and how to move.

The table is that of `solve.duel.equilibrium`, from memory or disk where it is there; with a draw that is worth more to
one player than to the other it is that of `solve.duel.draw_odds`. What does not fit is refused before it starts.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.duel.draw_odds import DrawOdds
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.envs.duel_view import DuelView
from tentimes18.errors import Ten18Error
from tentimes18.game import Position
from tentimes18.storage.cache import solved as kept
from tentimes18.strategies import solved

__all__ = ["DuelEquilibrium"]

Table: TypeAlias = Equilibrium | DrawOdds


class DuelEquilibrium:
    """Values and mixed moves in units of the environment: rewards from -1 to 1, slots counted from 0.

    >>> from tentimes18.game import Board, Game
    >>> view = DuelView(Game.parse("1d6", "1-3"))
    >>> equilibrium = DuelEquilibrium(view)
    >>> empty = Board(view.game)
    >>> seen = view.observe(Position(empty, empty), roll=6)
    >>> equilibrium.policy(seen).tolist(), abs(equilibrium.value(seen)) < 1e-12
    ([0.0, 0.0, 1.0], True)
    """

    def __init__(self, view: DuelView) -> None:
        self.view = view
        game, draw = view.game, view.draw_worth
        self._tables: tuple[Table, Table]
        if draw == 0.5:
            table = solved.equilibrium(game)
            self._tables = (table, table)
        else:
            odds = kept.get(("draw odds", game, draw), lambda: DrawOdds(game, draw))
            self._tables = (odds, odds.turned)

    @property
    def start(self) -> float:
        """The value of the game to the first player: his expected reward when both play the equilibrium."""
        free = self.view.game.all_free
        return 2.0 * self._tables[0].value(free, free, 0) - 1.0

    def value(self, observation: Mapping[str, Any]) -> float:
        """The expected reward of who sees this, when both play the equilibrium from here on, on the roll that waits."""
        seen = self.view.read(observation)
        table = self._table(seen.draw_worth)
        if seen.roll is None:
            return 2.0 * table.value_on(seen.position) - 1.0
        shares = table.moves_on(seen.position, seen.roll)
        guaranteed = (
            sum(share * table.value_on(seen.position.after(seen.roll, slot, other)) for slot, share in shares.items())
            for other in seen.position.theirs.free_slots
        )
        return 2.0 * min(guaranteed) - 1.0

    def policy(self, observation: Mapping[str, Any]) -> NDArray[np.float64]:
        """The mixed move: the probability of every action."""
        seen = self.view.read(observation)
        if seen.roll is None:
            raise Ten18Error("the game is over: there is nothing to place", "observation")
        shares = np.zeros(self.view.game.size)
        for slot, share in self._table(seen.draw_worth).moves_on(seen.position, seen.roll).items():
            shares[slot - 1] = share
        return shares

    def moves(self, position: Position, roll: int, player: int = 0) -> dict[int, float]:
        """The mixed move of a player, whose board is the first of the position, by slot from 1."""
        return self._tables[player].moves_on(position, roll)

    def _table(self, draw_worth: float) -> Table:
        for table, player in zip(self._tables, (0, 1), strict=True):
            if abs(self.view.worth(player) - draw_worth) < 1e-6:  # an observation has float32
                return table
        raise Ten18Error("a draw brings another reward in this duel", "observation")
