"""The equilibrium of the duel where a draw is worth more to one player than to the other.

A draw is worth d to me and 1 - d to the opponent, so that what one gains the other loses, whatever d is; with d = 1 a
draw wins for me. In chess that is called draw odds. The recursion is that of `duel.equilibrium`,

    V[A, B][e] = Σ_x P(x) val_{i ∈ A, j ∈ B} V[A - i, B - j][e + shift_i(x) - shift_j(x)],    V[∅, ∅] = 0, d, 1

for e < 0, e = 0, e > 0, but V[A, B][e] = 1 - V[B, A][-e] holds for d = 1/2 alone: here all pairs are stored, and the
matrix games of a pair are written out, for all of its leads and rolls.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats, Ints
from tentimes18.duel.lead_windows import DuelWindows, check_duel_size
from tentimes18.duel.matrix_games import matrix_values, mixed_move
from tentimes18.errors import InvalidGame
from tentimes18.game import Game, Number, Position, slots_of


class DrawOdds:
    """The value of every position where a draw is worth ``draw`` to me and the rest of a win to the opponent.

    >>> game = Game.parse("1d6", "1-3")
    >>> table = DrawOdds(game, draw=0.75)
    >>> mine, theirs = (side.value(game.all_free, game.all_free, 0) for side in (table, table.turned))
    >>> mine > 0.5, round(mine + theirs, 12)
    (True, 1.0)
    """

    def __init__(self, game: Game, draw: float) -> None:
        verify_draw(draw)
        check_duel_size(game, values=1, power=2)
        self.game = game
        self.draw_worth = draw
        self.windows = DuelWindows(game, half=False)
        self.values = np.empty(self.windows.cells)
        self.values[0] = draw
        self._is_turned = False
        for k in range(1, game.size + 1):
            self._fill(k)

    @property
    def nbytes(self) -> int:
        """The memory of the table."""
        return self.values.nbytes + self.windows.nbytes

    @property
    def turned(self) -> "DrawOdds":
        """The same table from the opponent's side, to whom a draw is worth 1 - draw."""
        other = object.__new__(DrawOdds)
        other.__dict__.update(self.__dict__, draw_worth=1.0 - self.draw_worth, _is_turned=not self._is_turned)
        return other

    def value(self, free: int, opponent_free: int, lead: Number) -> float:
        """My chance to win, a draw counting what it is worth to me, from a position under the best play of both."""
        return self._read(free, opponent_free, self.windows.index(free, opponent_free, lead))

    def value_on(self, position: Position) -> float:
        """The same on two boards that hold one deal."""
        return self._read(position.board.free, position.theirs.free, self.windows.lead_on(position))

    def moves_on(self, position: Position, roll: int) -> dict[int, float]:
        """My mixed move for a roll: slots with their probabilities, by slot."""
        self.game.verify_roll(roll)
        mine, theirs, e = position.board.free, position.theirs.free, self.windows.lead_on(position)
        x = self.game.dice.support.index(roll)
        if self._is_turned:
            M = 1.0 - self._games(theirs, mine, np.array([-e]))[0, x].T
        else:
            M = self._games(mine, theirs, np.array([e]))[0, x]
        row = np.zeros(len(M))
        mixed_move(np.ascontiguousarray(M), row)
        return {slot: float(share) for slot, share in zip(slots_of(mine), row, strict=True) if share > 0}

    def _read(self, free: int, opponent_free: int, e: int) -> float:
        if self._is_turned:
            return 1.0 - self.windows.read(self.values, opponent_free, free, -e)
        return self.windows.read(self.values, free, opponent_free, e)

    def _fill(self, k: int) -> None:
        windows = self.windows
        offsets, lows, sizes = windows.of_size(k)
        for a, b in np.argwhere(sizes > 0).tolist():
            A, B, size = int(windows.sets[k][a]), int(windows.sets[k][b]), int(sizes[a, b])
            games = self._games(A, B, np.arange(lows[a, b], lows[a, b] + size))
            found = np.empty(size * len(windows.P))
            matrix_values(games.reshape(-1, k, k), found)
            self.values[offsets[a, b] : offsets[a, b] + size] = found.reshape(size, -1) @ windows.P

    def _games(self, A: int, B: int, e: Ints) -> NDArray[Any]:
        """The matrix games [lead, roll, slot of A, slot of B] of these leads."""
        windows = self.windows
        ours, others = slots_of(A), slots_of(B)
        offsets, lows, sizes = windows.of_size(len(ours) - 1)
        games: Floats = np.empty((len(e), len(windows.P), len(ours), len(others)))
        for r, i in enumerate(ours):
            for c, j in enumerate(others):
                after = windows.ranks[A ^ (1 << (i - 1))], windows.ranks[B ^ (1 << (j - 1))]
                t = e[:, np.newaxis] + (windows.shifts[i - 1] - windows.shifts[j - 1]) - lows[after]
                size = int(sizes[after])
                inside = self.values[offsets[after] + np.clip(t, 0, max(0, size - 1))]
                games[:, :, r, c] = np.where(t < 0, 0.0, np.where(t >= size, 1.0, inside))
        return games


def verify_draw(draw: float) -> None:
    """Raise ``InvalidGame`` unless this is what a draw can be worth."""
    if isinstance(draw, bool) or not isinstance(draw, int | float) or not 0 <= draw <= 1:
        raise InvalidGame(f"{draw!r} is not the worth of a draw; accepted: 0 to 1", field="draw")
