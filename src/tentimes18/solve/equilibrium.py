"""The exact Nash equilibrium of the duel: both players choose at the same time, seeing both boards.

For each position and roll the choices form a matrix game with entries V[A - i, B - j][e + shift_i(x) - shift_j(x)], and

    V[A, B][e] = Σ_x P(x) val_{i ∈ A, j ∈ B} V[A - i, B - j][...],    V[∅, ∅] = 0, 1/2, 1 for e < 0, e = 0, e > 0.

Most of these games have a saddle point, found by comparing max min with min max for all leads at once. The others are
solved by the simplex method, and their value is taken from the bounds that the two mixed moves guarantee, so that a
rounding error on the way cannot go unseen: `widest` is the widest such pair of bounds.

By symmetry V[A, B][e] = 1 - V[B, A][-e]: only one half of the pairs is stored.

The certificate (`against`) is separate code: it takes the mixed moves that the table prescribes and computes the best
reply to them, which could gain more than one half only if they were not an equilibrium.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from tentimes18.game import Game, Number, slots_of
from tentimes18.kernels import thread_count
from tentimes18.solve.duel import DuelLayout, Outcome
from tentimes18.solve.scores import Choice, choice_array
from tentimes18.solve.thresholds import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Equilibrium", "LayerCount", "exploitability"]

PARTS = 64

Solved: TypeAlias = "tuple[NDArray[np.float64], dict[str, Any]]"
Kept: TypeAlias = Callable[[int, Callable[[], Solved]], Solved]
"""Given the number of values and how to make them, the values: perhaps from an earlier time."""


@dataclass(frozen=True, slots=True)
class LayerCount:
    """How much there was to solve with so many free slots: open positions, matrix games, and those without a saddle."""

    free_count: int
    positions: int
    matrix_games: int
    mixed: int


class Equilibrium:
    """The value of every position, and the mixed moves.

    >>> game = Game.parse("1d6", "1-3")
    >>> table = Equilibrium(game)
    >>> round(table.value(game.all_free, game.all_free, 0), 12)
    0.5
    >>> table.moves(game.all_free, game.all_free, 0, 6)
    {3: 1.0}
    """

    def __init__(self, game: Game, progress: Progress | None = None, kept: Kept | None = None) -> None:
        self.game = game
        self.layout = DuelLayout(game, half=True, bytes_a_cell=8)
        values, facts = kept(self.layout.cells, lambda: self._solve(progress)) if kept else self._solve(progress)
        self.values = values
        self.counts = [LayerCount(*count) for count in facts["counts"]]
        self.widest = float(facts["widest"])

    def _solve(self, progress: Progress | None) -> Solved:
        import numpy as np

        from tentimes18.kernels import duel as kernel

        layout = self.layout
        values = np.empty(layout.cells)
        values[0] = 0.5
        counts: list[tuple[int, int, int, int]] = []
        widest, done = 0.0, 0
        with ThreadPoolExecutor(thread_count()) as pool:
            for k in range(1, self.game.size + 1):
                where = (*layout.layer(k), *layout.layer(k - 1))
                fill = partial(
                    kernel.fill_equilibrium,
                    *(layout.P, layout.shifts, layout.sets[k], layout.ranks, k, where, values),
                )
                pairs = np.argwhere(layout.sizes[k] > 0)
                found = list(pool.map(fill, np.array_split(pairs, min(PARTS, len(pairs)))))
                widest = max(widest, *(gap for _, gap in found))
                positions = int(layout.sizes[k].sum())
                done += positions
                counts.append((k, positions, positions * len(layout.P), sum(mixed for mixed, _ in found)))
                if progress:
                    progress(done, layout.cells - 1)
        return values, {"counts": counts, "widest": widest}

    def value(self, free: int, opponent_free: int, lead: Number) -> float:
        """My chance to win, a draw counting one half, from a position under the best play of both."""
        return self._read(free, opponent_free, self.layout.index(free, opponent_free, lead))

    def moves(self, free: int, opponent_free: int, lead: Number, roll: int) -> dict[int, float]:
        """The mixed move for a roll: slots with their probabilities, by slot."""
        import numpy as np

        from tentimes18.kernels.matrix import mixed_move

        e = self.layout.index(free, opponent_free, lead)
        self.game.verify_roll(roll)
        x = self.game.dice.support.index(roll)
        M = np.array(
            [
                [
                    self._read(
                        free ^ (1 << (i - 1)),
                        opponent_free ^ (1 << (j - 1)),
                        e + int(self.layout.shifts[i - 1, x] - self.layout.shifts[j - 1, x]),
                    )
                    for j in slots_of(opponent_free)
                ]
                for i in slots_of(free)
            ]
        )
        row = np.zeros(len(M))
        mixed_move(M, row)
        return {slot: float(share) for slot, share in zip(slots_of(free), row, strict=True) if share > 0}

    def _read(self, free: int, opponent_free: int, e: int) -> float:
        ranks = self.layout.ranks
        if ranks[free] > ranks[opponent_free]:
            return 1.0 - self._read(opponent_free, free, -e)
        offsets, lows, sizes = self.layout.layer(free.bit_count())
        pair = ranks[free], ranks[opponent_free]
        t = e - int(lows[pair])
        if not 0 <= t < sizes[pair]:
            return 1.0 if t >= 0 else 0.0
        return float(self.values[int(offsets[pair]) + t])

    def against(
        self, mine: Choice | None = None, progress: Progress | None = None, *, at_random: bool = False
    ) -> Outcome:
        """My exact chances against an opponent who plays this equilibrium: with a rule, at random, or the best reply.

        >>> game = Game.parse("1d6", "1-3")
        >>> Equilibrium(game).against().equity <= 0.5 + 1e-12
        True
        """
        import numpy as np

        from tentimes18.kernels import duel as kernel

        layout = DuelLayout(self.game, half=False, bytes_a_cell=8)
        rule = choice_array(self.game, mine) if mine else np.zeros((0, len(layout.P)), dtype=np.int8)
        if at_random:
            rule = np.full((1 << self.game.size, len(layout.P)), -1, dtype=np.int8)
        values, draws = np.empty(layout.cells), np.empty(layout.cells)
        values[0], draws[0] = 0.5, 1.0
        half = self.layout
        with ThreadPoolExecutor(thread_count()) as pool:
            for k in range(1, self.game.size + 1):
                where = (*layout.layer(k), *layout.layer(k - 1))
                fill = partial(
                    kernel.fill_reply,
                    *(layout.P, layout.shifts, layout.sets[k], layout.ranks, k, rule, where),
                    *(half.layer(k - 1), self.values, values, draws),
                )
                pairs = np.argwhere(layout.sizes[k] > 0)
                list(pool.map(fill, np.array_split(pairs, min(PARTS, len(pairs)))))
                if progress:
                    progress(k, self.game.size)
        equity, drawn = float(values[-1]), float(draws[-1])
        return Outcome.of(equity, drawn, 0.5)


def exploitability(table: Equilibrium, progress: Progress | None = None) -> float:
    """What the best reply to the equilibrium gains over one half, from two empty boards.

    >>> exploitability(Equilibrium(Game.parse("1d6", "1-3"))) < 1e-12
    True
    """
    return table.against(progress=progress).equity - 0.5
