"""The exact Nash equilibrium of the duel: both players choose at the same time, seeing both boards.

For each position and roll the slots form a matrix game with entries V[A - i, B - j][e + shift_i(x) - shift_j(x)], and

    V[A, B][e] = Σ_x P(x) val_{i ∈ A, j ∈ B} V[A - i, B - j][...],    V[∅, ∅] = 0, 1/2, 1 for e < 0, e = 0, e > 0.

Most of these games have a saddle point, found by comparing max min with min max for a tile of leads at once. The others
are solved with two moves per player where these are enough, else by the simplex method, and their value is taken from
the bounds that the two mixed moves guarantee, so that a rounding error on the way cannot go unseen: `widest` is the
widest such pair of bounds. All of that is in `matrix_games`.

By symmetry V[A, B][e] = 1 - V[B, A][-e]: only one half of the pairs is stored.

With draw odds, a draw is worth d to me and 1 - d to the opponent: the same recursion with d in place of 1/2 at the end.
There is no symmetry, so all pairs are stored.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from tentimes18.arrays import Floats, Ints, Moves
from tentimes18.compiled import compiled
from tentimes18.duel.lead_windows import DuelLayer, DuelTable, DuelWindows, check_duel_size, verify_draw
from tentimes18.duel.matrix_games import (
    LANES,
    SADDLE,
    TILE,
    find_bounds,
    find_four,
    load_pair,
    mixed_move,
    new_games,
    new_mix,
    place_tile,
    solve_matrix,
    try_four,
)
from tentimes18.game import Game, Number, Position, slots_of
from tentimes18.gpu.device import CPU, on_gpu
from tentimes18.gpu.gpu_duels import solve_on_gpu
from tentimes18.solve.parallel import Progress
from tentimes18.tables import StoredTable


@dataclass(frozen=True, slots=True)
class LayerCount:
    """What there was to solve with `free_count` free slots: positions, matrix games, and those without a saddle."""

    free_count: int
    positions: int
    matrix_games: int
    mixed: int


class DuelValues:
    """The value of every position under the best play of both, and the mixed moves."""

    def __init__(self, windows: DuelWindows, values: Floats) -> None:
        self.game = windows.game
        self.windows = windows
        self.values = values
        self._is_turned = False

    @property
    def nbytes(self) -> int:
        return self.values.nbytes + self.windows.nbytes

    def value(self, free: int, opponent_free: int, lead: Number) -> float:
        """My chance to win, a draw counting what it is worth to me, from a position under the best play of both."""
        return self.read(free, opponent_free, self.windows.index(free, opponent_free, lead))

    def value_on(self, position: Position) -> float:
        """The same on two boards that hold one deal; if these are full 1 for a win, 0 for a loss."""
        return self.read(position.board.free, position.theirs.free, self.windows.lead_on(position))

    def moves(self, free: int, opponent_free: int, lead: Number, roll: int) -> dict[int, float]:
        """The mixed move for a roll: slots with their probabilities, by slot."""
        return self._moves(free, opponent_free, self.windows.index(free, opponent_free, lead), roll)

    def moves_on(self, position: Position, roll: int) -> dict[int, float]:
        return self._moves(position.board.free, position.theirs.free, self.windows.lead_on(position), roll)

    def _moves(self, free: int, opponent_free: int, e: int, roll: int) -> dict[int, float]:
        self.game.verify_roll(roll)
        shifts = self.windows.shifts[:, self.game.dice.support.index(roll)].tolist()
        M = np.array(
            [
                [
                    self.read(free ^ (1 << (i - 1)), opponent_free ^ (1 << (j - 1)), e + shifts[i - 1] - shifts[j - 1])
                    for j in slots_of(opponent_free)
                ]
                for i in slots_of(free)
            ]
        )
        row = np.zeros(len(M))
        mixed_move(M, row)
        return {slot: float(share) for slot, share in zip(slots_of(free), row, strict=True) if share > 0}

    def read(self, free: int, opponent_free: int, e: int) -> float:
        """The value of a position, the lead being a difference of score indices."""
        windows = self.windows
        if self._is_turned or (windows.half and windows.ranks[free] > windows.ranks[opponent_free]):
            return 1.0 - windows.read(self.values, opponent_free, free, -e)
        return windows.read(self.values, free, opponent_free, e)


class Equilibrium(DuelValues):
    """The equilibrium where a draw is worth one half to both; made by `solve_equilibrium`.

    ``counts`` says for each layer what there was to solve.
    """

    def __init__(self, windows: DuelWindows, values: Floats, facts: dict[str, Any]) -> None:
        super().__init__(windows, values)
        self.facts = facts
        self.counts = [LayerCount(**count) for count in facts["counts"]]
        self.widest = float(facts["widest"])

    @property
    def table(self) -> DuelTable:
        return self.windows.table(self.values)


class DrawOdds(DuelValues):
    """The equilibrium where a draw is worth ``draw`` to me, and the rest of a win to the opponent."""

    def __init__(self, game: Game, draw: float) -> None:
        verify_draw(draw)
        check_duel_size(game, values=1, power=2)
        windows = DuelWindows(game, half=False)
        super().__init__(windows, solve_windows(windows, draw)[0])

    @property
    def turned(self) -> "DrawOdds":
        """The same table from the opponent's side, to whom a draw is worth 1 - draw."""
        other = copy(self)
        other._is_turned = not self._is_turned
        return other


def solve_equilibrium(game: Game, progress: Progress | None = None, device: str = CPU) -> Equilibrium:
    """Solve the duel, on a processor or with ``device="cuda"`` on a GPU.

    >>> game = Game.parse("1d6", "1-3")
    >>> table = solve_equilibrium(game)
    >>> round(table.value(game.all_free, game.all_free, 0), 12)
    0.5
    >>> table.moves(game.all_free, game.all_free, 0, 6)
    {3: 1.0}
    """
    windows = DuelWindows(game, half=True)
    return Equilibrium(windows, *solve_values(windows, progress, device))


def solve_values(windows: DuelWindows, progress: Progress | None = None, device: str = CPU) -> StoredTable:
    """The values of all stored positions, as a table that can be stored."""
    check_duel_size(windows.game, values=0.5, power=2)
    gpu = on_gpu(device)
    if gpu is not None:
        solved = solve_on_gpu(gpu, windows.game, progress)
        facts = {"counts": [asdict(LayerCount(*count)) for count in solved.counts], "widest": solved.widest}
        return StoredTable(solved.to_host(), facts)
    values, results = solve_windows(windows, progress=progress)
    counts, widest = [], 0.0
    for k, layer in enumerate(results, start=1):
        positions = int(windows.sizes[k].sum())
        widest = max(widest, *(gap for _, gap in layer))
        counts.append(LayerCount(k, positions, positions * len(windows.P), sum(mixed for mixed, _ in layer)))
    return StoredTable(values, {"counts": [asdict(count) for count in counts], "widest": widest})


def solve_windows(
    windows: DuelWindows, draw: float = 0.5, progress: Progress | None = None, *, is_pure: bool = False
) -> tuple[Floats, list[list[tuple[int, float]]]]:
    """The values of all stored positions, and what `fill_equilibrium` returns for the parts of each layer."""
    values = np.empty(windows.cells)
    values[0] = draw

    def fill(k: int) -> Callable[[Ints], tuple[int, float]]:
        return partial(fill_equilibrium, windows.moves, windows.layer(k), values, windows.half, is_pure)

    return values, windows.fill_layers(fill, 2, progress)


@compiled()
def fill_equilibrium(
    moves: Moves, layer: DuelLayer, value: Floats, half: bool, is_pure: bool, pairs: Ints
) -> tuple[int, float]:
    """The values of these pairs (a, b); returns how many games had no saddle point, and the widest bounds.

    With ``half``, pairs with a <= b are stored. Of games without a saddle point, ``is_pure`` takes max min.
    """
    P, shifts = moves
    k, sets, ranks = layer.k, layer.sets, layer.ranks
    offsets, lows, sizes = layer.here
    games, mix = new_games(k, len(P), layer.after), new_mix(k)
    row, column, four, M, turned, tableau, labels = mix
    width, cells, _, _, moved, starts, ends, places, lost, won, rows, columns, maximin, minimax = games
    if is_pure:
        columns = columns[:0]
    total = np.empty(TILE + LANES)
    fours = np.empty((len(P), 4), dtype=np.int64)
    mixed = 0
    widest = 0.0
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        size = sizes[a, b]
        load_pair(sets[a], sets[b], lows[a, b], shifts, ranks, layer.after, value, half, games)
        fours[:, 0], fours[:, 1], fours[:, 2], fours[:, 3] = 0, k - 1, 0, k - 1
        values = value[offsets[a, b] : offsets[a, b] + size]
        for first in range(0, size, TILE):
            count = min(TILE, size - first)
            total[:] = 0.0
            for x in range(len(P)):
                begin, leads = place_tile(first, count, lost[x], won[x], moved[x], starts, ends, width, places)
                p_x = P[x]
                for t in range(begin + leads, count):
                    total[t] += p_x
                if leads == 0:
                    continue
                find_bounds(cells, places, k, leads, rows, columns, maximin, minimax)
                four[:] = fours[x]
                for t in range(0 if is_pure else min(leads, count - begin)):
                    if minimax[t] - maximin[t] > SADDLE:
                        lower, upper, _, _, _ = try_four(cells, places, t, k, four)
                        if upper - lower > SADDLE:
                            lower, upper, _, _, _ = find_four(cells, places, t, four, M, turned)
                            if upper - lower > SADDLE:
                                lower, upper = solve_matrix(M, tableau, labels, row, column)
                        maximin[t] = (lower + upper) / 2
                        widest = max(widest, upper - lower)
                        mixed += 1
                fours[x] = four
                at = np.uint64(begin)
                for t in range(np.uint64(leads)):
                    total[at + t] += p_x * maximin[t]
            for t in range(count):
                values[first + t] = total[t]
    return mixed, widest
