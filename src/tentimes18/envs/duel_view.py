"""The observation of a player in a duel: both boards before a roll, the roll, the lead, and what a draw brings.

It is a dict, as is the custom of PettingZoo for games with legal moves: "action_mask", 1 for each free slot, and
"observation", numbers from -1 to 1. For n slots they are, in this order:

    n   1 where my slot is free               n   my rolls, 0 in free slots
    n   1 where the opponent's slot is free   n   the opponent's rolls, 0 in free slots
    1   the roll to place, 0 at the end       1   my lead
    1   what a draw brings me

A roll is scaled so that the lowest of the dice is 0 and the highest 1; a lead is divided by one that no game exceeds.
`DuelView.read` gives the boards and the roll back.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tentimes18.duel.equilibrium import DrawOdds, DuelValues
from tentimes18.duel.lead_windows import verify_draw
from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Board, Game, Number, Placement, Position
from tentimes18.strategies import solved
from tentimes18.tables import table_cache

PLAYERS = ("player_0", "player_1")
Observation: TypeAlias = dict[str, NDArray[Any]]


class Seen(NamedTuple):
    """The content of an observation; there is no roll at the end. ``draw_worth`` is that of its player."""

    position: Position
    roll: int | None
    draw_worth: float


class DuelView:
    """The observations of a duel in which a draw is worth ``draw`` to the first player, 1 - draw to the second."""

    def __init__(self, game: Game, draw: float = 0.5) -> None:
        verify_draw(draw)
        self.game = game
        self.draw_worth = draw
        support = game.dice.support
        width = support[-1] - support[0]
        self._scaled = {roll: np.float32((roll - support[0]) / width if width else 0.0) for roll in support}
        self._rolls = {scaled: roll for roll, scaled in self._scaled.items()}
        if len(self._rolls) < len(support):
            raise InvalidGame("two rolls are too close to each other for an observation", field="dice")
        # No lead is larger: in every round the largest roll, times the difference of two multipliers.
        pairs = zip(game.multipliers, reversed(game.multipliers), strict=True)
        differences: Number = sum(max(one - other, other - one) for one, other in pairs)
        self._largest_lead = max(abs(support[0]), abs(support[-1])) * differences or 1

    @property
    def space(self) -> spaces.Dict:
        n = self.game.size
        return spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (4 * n + 3,), np.float32),
                "action_mask": spaces.Box(0, 1, (n,), np.int8),
            }
        )

    def reward(self, lead: Number, player: int = 0) -> float:
        if lead:
            return 1.0 if lead > 0 else -1.0
        return 2.0 * self.worth(player) - 1.0

    def worth(self, player: int) -> float:
        return 1.0 - self.draw_worth if player else self.draw_worth

    def observe(self, position: Position, roll: int | None, player: int = 0) -> Observation:
        """The observation of the player whose board is the first of the position."""
        n, mine, theirs = self.game.size, position.board, position.theirs
        seen = np.zeros(4 * n + 3, dtype=np.float32)
        for start, board in ((0, mine), (2 * n, theirs)):
            seen[start : start + n] = 1.0
            for placed, slot in board.placements:
                seen[start + slot - 1] = 0.0
                seen[start + n + slot - 1] = self._scaled[placed]
        seen[4 * n] = 0.0 if roll is None else self._scaled[roll]
        seen[4 * n + 1] = float(position.lead / self._largest_lead)
        seen[4 * n + 2] = self.reward(0, player)
        return {"observation": seen, "action_mask": seen[:n].astype(np.int8)}

    def read(self, observation: Mapping[str, Any]) -> Seen:
        """The boards and the roll of an observation of this game; placements are in the order of their rolls."""
        n = self.game.size
        try:
            seen = np.asarray(observation["observation"], dtype=np.float32)
            if seen.shape != (4 * n + 3,):
                raise ValueError
            mine, theirs = (self._board(seen[start : start + 2 * n]) for start in (0, 2 * n))
            roll = self._rolls[np.float32(seen[4 * n])] if mine.free else None
        except (KeyError, TypeError, ValueError):
            raise Ten18Error(f"this is not an observation of {self.game}", "observation") from None
        if [placed for placed, _ in mine.placements] != [placed for placed, _ in theirs.placements]:
            raise Ten18Error("the boards of a duel hold the same rolls", "observation")
        return Seen(Position(mine, theirs), roll, (1.0 + float(seen[4 * n + 2])) / 2)

    def _board(self, part: NDArray[np.float32]) -> Board:
        n = self.game.size
        return in_order(self.game, [(self._rolls[part[n + i]], i + 1) for i in range(n) if not part[i]])


def in_order(game: Game, placements: list[tuple[int, int]]) -> Board:
    """A board with these placements (roll, slot), in the order of their rolls: the same for both players of a duel."""
    return Board(game, tuple(Placement(roll, slot) for roll, slot in sorted(placements)))


class DuelEquilibrium:
    """Values and mixed moves in units of the environment: rewards from -1 to 1, slots counted from 0."""

    def __init__(self, view: DuelView) -> None:
        self.view = view
        game, draw = view.game, view.draw_worth
        self._tables: tuple[DuelValues, DuelValues]
        if draw == 0.5:
            table = solved.equilibrium(game)
            self._tables = (table, table)
        else:
            odds = table_cache.get(("draw odds", game, draw), lambda: DrawOdds(game, draw))
            self._tables = (odds, odds.turned)

    @property
    def start(self) -> float:
        """The value of the game to the first player, in expected reward."""
        free = self.view.game.all_free
        return 2.0 * self._tables[0].value(free, free, 0) - 1.0

    def value(self, observation: Mapping[str, Any]) -> float:
        """The expected reward of the observing player when both play the equilibrium from here on."""
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
        """The mixed move of the player whose board is the first of the position, by slot from 1."""
        return self._tables[player].moves_on(position, roll)

    def _table(self, draw_worth: float) -> DuelValues:
        for table, player in zip(self._tables, (0, 1), strict=True):
            if abs(self.view.worth(player) - draw_worth) < 1e-6:  # an observation has float32
                return table
        raise Ten18Error("a draw brings another reward in this duel", "observation")
