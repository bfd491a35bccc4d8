"""The exact Nash equilibrium of the duel: both players choose at the same time, seeing both boards.

For each position and roll the choices form a matrix game with entries V[A - i, B - j][e + shift_i(x) - shift_j(x)], and

    V[A, B][e] = Σ_x P(x) val_{i ∈ A, j ∈ B} V[A - i, B - j][...],    V[∅, ∅] = 0, 1/2, 1 for e < 0, e = 0, e > 0.

Most of these games have a saddle point, found by comparing max min with min max for all leads at once. The others are
solved by the simplex method, and their value is taken from the bounds that the two mixed moves guarantee, so that a
rounding error on the way cannot go unseen: `widest` is the widest such pair of bounds.

By symmetry V[A, B][e] = 1 - V[B, A][-e]: only one half of the pairs is stored.

The certificate (`certify`) is separate code: it takes the mixed moves that the table prescribes and computes the value
R[A, B][e] of the best reply to them. The true value is at most that, and at least what R leaves me from the other side:

    1 - R[B, A][-e] <= true value <= R[A, B][e].

Where R gains at most g over the stored values, for either player, these are right to g, and the moves gain all but g.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from tentimes18.game import Game, Number, slots_of
from tentimes18.kernels import thread_count
from tentimes18.solve.duel.layout import DuelLayout, Kept, Outcome, Solved
from tentimes18.solve.duel.response import Response, rule_array
from tentimes18.solve.scores.laws import Rule
from tentimes18.solve.thresholds import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Replies: TypeAlias = tuple[DuelLayout, NDArray[np.float64], NDArray[np.float64]]

__all__ = ["Certificate", "Equilibrium", "LayerCount", "exploitability"]

PARTS = 64


@dataclass(frozen=True, slots=True)
class LayerCount:
    """How much there was to solve with so many free slots: open positions, matrix games, and those without a saddle."""

    free_count: int
    positions: int
    matrix_games: int
    mixed: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """The chances of the best reply from the start, and the most that it gains over any stored value.

    ``positions`` is how many were compared, each from the side of both players.
    """

    reply: Outcome
    largest: float
    positions: int

    @property
    def start(self) -> float:
        """What the best reply gains over one half from the start."""
        return self.reply.equity - 0.5


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

    @property
    def nbytes(self) -> int:
        """The memory of the table."""
        return self.values.nbytes + self.layout.nbytes

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
        return self.layout.read(self.values, free, opponent_free, e)

    def against(
        self, mine: Rule | Response | None = None, progress: Progress | None = None, *, at_random: bool = False
    ) -> Outcome:
        """My exact chances against this equilibrium: with a rule, with a best reply to a rule, at random, or at best.

        >>> game = Game.parse("1d6", "1-3")
        >>> Equilibrium(game).against().equity <= 0.5 + 1e-12
        True
        """
        from tentimes18.kernels.response import ANY

        _, values, draws = self._replies(ANY if at_random else mine, progress)
        return _start(values, draws)

    def certify(self, progress: Progress | None = None) -> Certificate:
        """The best reply, compared with the value at every stored position.

        >>> certificate = Equilibrium(Game.parse("1d6", "1-3")).certify()
        >>> certificate.largest < 1e-12, certificate.positions
        (True, 53)
        """
        from tentimes18.kernels import duel as kernel

        layout, replies, draws = self._replies(None, progress)
        gains = [
            kernel.largest_gain(self.layout.layer(k), self.values, layout.layer(k), replies)
            for k in range(1, self.game.size + 1)
        ]
        return Certificate(_start(replies, draws), max(gains), self.layout.cells - 1)

    def _replies(self, mine: Rule | Response | int | None, progress: Progress | None) -> "Replies":
        """Equities and draws from every position, and where they stand."""
        import numpy as np

        from tentimes18.kernels import duel as kernel

        layout, half = DuelLayout(self.game, half=False, bytes_a_cell=16), self.layout
        hunter = np.zeros((1, 1), dtype=np.int8), np.zeros((1, 1, 1), dtype=np.int8), self.values
        rule: Rule | int = kernel.BEST
        if isinstance(mine, Response):
            hunter, rule = (mine.theirs, mine.order, mine.values), kernel.HUNTER
        elif mine is not None:
            rule = mine
        choices = rule_array(self.game, rule)
        values, draws = np.empty(layout.cells), np.empty(layout.cells)
        values[0], draws[0] = 0.5, 1.0
        done = 0
        with ThreadPoolExecutor(thread_count()) as pool:
            for k in range(1, self.game.size + 1):
                where = (*layout.layer(k), *layout.layer(k - 1))
                fill = partial(
                    kernel.fill_reply,
                    *(layout.P, layout.shifts, layout.sets[k], layout.ranks, k, choices, hunter, where),
                    *(half.layer(k - 1), self.values, values, draws),
                )
                pairs = np.argwhere(layout.sizes[k] > 0)
                list(pool.map(fill, np.array_split(pairs, min(PARTS, len(pairs)))))
                done += int(layout.sizes[k].sum())
                if progress:
                    progress(done, layout.cells - 1)
        return layout, values, draws


def _start(values: "NDArray[np.float64]", draws: "NDArray[np.float64]") -> Outcome:
    """The chances from two empty boards, which stand last."""
    return Outcome.of(float(values[-1]), float(draws[-1]), 0.5)


def exploitability(table: Equilibrium, progress: Progress | None = None) -> float:
    """What the best reply to the equilibrium gains over one half, from two empty boards.

    >>> exploitability(Equilibrium(Game.parse("1d6", "1-3"))) < 1e-12
    True
    """
    return table.certify(progress).start
