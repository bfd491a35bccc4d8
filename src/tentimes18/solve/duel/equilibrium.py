"""The exact Nash equilibrium of the duel: both players choose at the same time, seeing both boards.

For each position and roll the slots form a matrix game with entries V[A - i, B - j][e + shift_i(x) - shift_j(x)], and

    V[A, B][e] = Σ_x P(x) val_{i ∈ A, j ∈ B} V[A - i, B - j][...],    V[∅, ∅] = 0, 1/2, 1 for e < 0, e = 0, e > 0.

Most of these games have a saddle point, found by comparing max min with min max for a tile of leads at once
(`kernels.tiles`). The others are solved with two moves a side where these are enough (`kernels.supports`), else by the
simplex method, and their value is taken from the bounds that the two mixed moves guarantee, so that a rounding error on
the way cannot go unseen: `widest` is the widest such pair of bounds.

By symmetry V[A, B][e] = 1 - V[B, A][-e]: only one half of the pairs is stored.

The certificate (`certify`) takes the mixed moves that the table prescribes (`kernels.reply`) and computes the value
R[A, B][e] of the best response to them. The true value is at most that, and at least what R leaves me from the other
side:

    1 - R[B, A][-e] <= true value <= R[A, B][e].

Where R gains at most g over the stored values, for either player, these are right to g, and the moves gain all but g.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tentimes18.game import Game, Number, Position, slots_of
from tentimes18.kernels import against_equilibrium
from tentimes18.kernels import equilibrium as kernel
from tentimes18.kernels import reply as reply_kernel
from tentimes18.kernels.matrix import mixed_move
from tentimes18.kernels.types import ANY, BEST_REPLY, Chances, Floats, Hunter, Ints, OpponentSlots, Stored
from tentimes18.plan import admit_game
from tentimes18.solve.cuda.equilibrium import solve_equilibrium
from tentimes18.solve.cuda.gpu import CPU, on_gpu
from tentimes18.solve.duel.follow import follow_rounds
from tentimes18.solve.duel.outcome import Outcome
from tentimes18.solve.duel.plans import (
    SECONDS_A_CERTIFIED_ENTRY,
    SECONDS_A_MATRIX_ENTRY,
    SECONDS_A_PLAYED_ENTRY,
    against_plan,
    equilibrium_plan,
)
from tentimes18.solve.duel.response import Response, nobody, player_slots
from tentimes18.solve.duel.windows import DuelWindows, Kept, Solved, in_parts
from tentimes18.solve.layers import LayerPool, Progress
from tentimes18.solve.rule_slots import same_everywhere
from tentimes18.solve.rules import Rule

__all__ = ["Certificate", "Equilibrium", "LayerCount"]


@dataclass(frozen=True, slots=True)
class LayerCount:
    """How much there was to solve with so many free slots: open positions, matrix games, and those without a saddle."""

    free_count: int
    positions: int
    matrix_games: int
    mixed: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """The chances of the best response from the start, and the most that it gains over any stored value.

    ``positions`` is how many were compared, each from the side of both players.
    """

    response: Outcome
    largest: float
    positions: int

    @property
    def start(self) -> float:
        """What the best response gains over one half from the start."""
        return self.response.equity - 0.5


class Equilibrium:
    """The value of every position, and the mixed moves; solved on a processor, or with ``device="cuda"`` on a GPU.

    >>> game = Game.parse("1d6", "1-3")
    >>> table = Equilibrium(game)
    >>> round(table.value(game.all_free, game.all_free, 0), 12)
    0.5
    >>> table.moves(game.all_free, game.all_free, 0, 6)
    {3: 1.0}
    """

    def __init__(
        self, game: Game, progress: Progress | None = None, kept: Kept | None = None, *, device: str = CPU
    ) -> None:
        gpu = on_gpu(device)
        if kept is None:
            admit_game(game, partial(equilibrium_plan, is_kept=gpu is not None))
        self.game = game
        self._card = gpu
        self.windows = DuelWindows(game, half=True)
        values, facts = kept(self.windows.cells, lambda: self._solve(progress)) if kept else self._solve(progress)
        self.values = values
        self.counts = [LayerCount(*count) for count in facts["counts"]]
        self.widest = float(facts["widest"])

    @property
    def nbytes(self) -> int:
        """The memory of the table."""
        return self.values.nbytes + self.windows.nbytes

    def _solve(self, progress: Progress | None) -> Solved:
        if self._card is not None:
            table = solve_equilibrium(self._card, self.game, progress)
            return table.to_host(), {"counts": table.counts, "widest": table.widest}
        windows = self.windows
        admit_game(self.game, equilibrium_plan)
        values = np.empty(windows.cells)
        values[0] = 0.5
        counts: list[tuple[int, int, int, int]] = []
        widest = 0.0
        with LayerPool(windows.cells - 1, progress) as pool:
            for k in range(1, self.game.size + 1):
                fill = partial(kernel.fill_equilibrium, windows.moves, windows.layer(k), values)
                positions = int(windows.sizes[k].sum())
                found = pool.run(fill, _parts(windows, k, 2 * SECONDS_A_MATRIX_ENTRY), work=positions)
                widest = max(widest, *(gap for _, gap in found))
                counts.append((k, positions, positions * len(windows.P), sum(mixed for mixed, _ in found)))
        return values, {"counts": counts, "widest": widest}

    def value(self, free: int, opponent_free: int, lead: Number) -> float:
        """My chance to win, a draw counting one half, from a position under the best play of both."""
        return self._read(free, opponent_free, self.windows.index(free, opponent_free, lead))

    def value_on(self, position: Position) -> float:
        """The same on two boards that hold one deal; on full ones 1 where I have won, 1/2 for a draw, 0 where I lost.

        >>> from tentimes18.game import Board
        >>> board = Board(Game.parse("1d6", "1-3"))
        >>> Equilibrium(board.game).value_on(Position(board.place(6, 3), board.place(6, 1))) > 0.5
        True
        """
        return self._read(position.board.free, position.theirs.free, self.windows.lead_on(position))

    def moves(self, free: int, opponent_free: int, lead: Number, roll: int) -> dict[int, float]:
        """The mixed move for a roll: slots with their probabilities, by slot."""
        return self._moves(free, opponent_free, self.windows.index(free, opponent_free, lead), roll)

    def moves_on(self, position: Position, roll: int) -> dict[int, float]:
        """The same on two boards that hold one deal.

        >>> from tentimes18.game import Board
        >>> board = Board(Game.parse("1d6", "1-3"))
        >>> Equilibrium(board.game).moves_on(Position(board.place(6, 3), board.place(6, 3)), 1)
        {1: 1.0}
        """
        return self._moves(position.board.free, position.theirs.free, self.windows.lead_on(position), roll)

    def _moves(self, free: int, opponent_free: int, e: int, roll: int) -> dict[int, float]:
        self.game.verify_roll(roll)
        x = self.game.dice.support.index(roll)
        M = np.array(
            [
                [
                    self._read(
                        free ^ (1 << (i - 1)),
                        opponent_free ^ (1 << (j - 1)),
                        e + int(self.windows.shifts[i - 1, x] - self.windows.shifts[j - 1, x]),
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
        ranks = self.windows.ranks
        if ranks[free] > ranks[opponent_free]:
            return 1.0 - self._read(opponent_free, free, -e)
        return self.windows.read(self.values, free, opponent_free, e)

    def against(
        self, mine: Rule | Response | None = None, progress: Progress | None = None, *, at_random: bool = False
    ) -> Outcome:
        """My exact chances against this equilibrium: with a rule, a best response to a rule, at random, or at best.

        >>> game = Game.parse("1d6", "1-3")
        >>> Equilibrium(game).against().equity <= 0.5 + 1e-12
        True
        """
        if mine is None and not at_random:
            return self._best_outcome(*self._best_equities(progress))
        chances = self._chances(ANY if mine is None else mine, progress)
        return Outcome.of(float(chances.equity[-1]), float(chances.draw[-1]), 0.5)  # two empty boards stand last

    def certify(self, progress: Progress | None = None) -> Certificate:
        """The best response, compared with the value at every stored position.

        >>> certificate = Equilibrium(Game.parse("1d6", "1-3")).certify()
        >>> certificate.largest < 1e-12, certificate.positions
        (True, 53)
        """
        windows, equities = self._best_equities(progress)
        excesses = [
            against_equilibrium.largest_excess(
                Stored(self.windows.of_size(k), self.values), Stored(windows.of_size(k), equities)
            )
            for k in range(1, self.game.size + 1)
        ]
        return Certificate(self._best_outcome(windows, equities), max(excesses), self.windows.cells - 1)

    def _best_equities(self, progress: Progress | None) -> tuple[DuelWindows, Floats]:
        """My equity with the best response to this equilibrium from every position, and where it stands."""
        admit_game(self.game, partial(against_plan, certify=True))
        windows = DuelWindows(self.game, half=False)
        equities = np.empty(windows.cells)
        equities[0] = 0.5
        with LayerPool(self.windows.cells - 1, progress) as pool:
            for k in range(1, self.game.size + 1):
                half = Stored(self.windows.of_size(k - 1), self.values)
                fill = partial(reply_kernel.fill_reply, half, windows.moves, windows.layer(k), equities)
                parts = _parts(self.windows, k, 2 * SECONDS_A_CERTIFIED_ENTRY)
                pool.run(fill, parts, work=int(self.windows.sizes[k].sum()))
        return windows, equities

    def _best_outcome(self, windows: DuelWindows, equities: Floats) -> Outcome:
        """The chances of that response from two empty boards, the draw by following both players."""
        nobody_theirs, nobody_order, _ = nobody(windows)
        reply = Hunter(nobody_theirs, nobody_order, windows.table(equities))
        opponent = OpponentSlots(same_everywhere(self.game, BEST_REPLY), reply)
        rounds = follow_rounds(self.windows.table(self.values), windows, opponent.slots, opponent)
        draw = [one.after for one in rounds][-1]
        return Outcome.of(float(equities[-1]), draw, 0.5)

    def _chances(self, mine: Rule | Response | int, progress: Progress | None) -> Chances:
        """My chances from every position, with a rule, a best response to one, or a number (`player_slots`)."""
        admit_game(self.game, partial(against_plan, certify=True, with_draws=True))
        windows = DuelWindows(self.game, half=False)
        chances = Chances(np.empty(windows.cells), np.empty(windows.cells))
        chances.equity[0], chances.draw[0] = 0.5, 1.0
        slots, hunter = player_slots(self.game, mine, windows)
        with LayerPool(windows.cells - 1, progress) as pool:
            for k in range(1, self.game.size + 1):
                half = Stored(self.windows.of_size(k - 1), self.values)
                fill = partial(
                    against_equilibrium.fill_against_equilibrium,
                    *(slots, hunter, half, windows.moves, windows.layer(k), chances),
                )
                parts = _parts(windows, k, SECONDS_A_PLAYED_ENTRY)
                pool.run(fill, parts, work=int(windows.sizes[k].sum()))
        return chances


def _parts(windows: DuelWindows, k: int, seconds_an_entry: float) -> list[Ints]:
    """The pairs with k free slots that are stored, cut into parts."""
    entries = float(windows.sizes[k].sum()) * k**2 * len(windows.P)
    return in_parts(np.argwhere(windows.sizes[k] > 0), seconds_an_entry * entries)
