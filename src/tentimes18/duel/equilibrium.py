"""The exact Nash equilibrium of the duel: both players choose at the same time, seeing both boards.

For each position and roll the slots form a matrix game with entries V[A - i, B - j][e + shift_i(x) - shift_j(x)], and

    V[A, B][e] = Σ_x P(x) val_{i ∈ A, j ∈ B} V[A - i, B - j][...],    V[∅, ∅] = 0, 1/2, 1 for e < 0, e = 0, e > 0.

Most of these games have a saddle point, found by comparing max min with min max for a tile of leads at once
(`kernels.tiles`). The others are solved with two moves a side where these are enough (`kernels.supports`), else by the
simplex method, and their value is taken from the bounds that the two mixed moves guarantee, so that a rounding error on
the way cannot go unseen: `widest` is the widest such pair of bounds.

By symmetry V[A, B][e] = 1 - V[B, A][-e]: only one half of the pairs is stored.

The certificate (`certify`) looks at the mixed moves that the table prescribes (`kernels.guarantees`). With the stored
values as entries, those of the second player leave me at most u_x(e) for roll x. So whatever I do, from a pair of free
sets I gain on the stored values at most

    G[A, B] = max_e (Σ_x P(x) u_x(e) - V[A, B][e]) + max_{i ∈ A, j ∈ B} G[A - i, B - j],    G[∅, ∅] = 0,

and no less than nothing, which is right of decided duels. The second player gains at most G[B, A] on me. So all stored
values are right to the largest G, for either player, and the moves give up no more. It takes one number a pair, and the
time of the equilibrium.

The equilibrium of the duel: values over (my free set, the opponent's, lead), one layer from the one before.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tentimes18.compiled import compiled
from tentimes18.duel import play_out as against_equilibrium
from tentimes18.duel.best_response import Response, nobody, player_slots
from tentimes18.duel.certificate import bound_gains
from tentimes18.duel.lead_windows import Chances, DuelLayer, DuelWindows, Kept, Pair, Solved, Stored, in_parts
from tentimes18.duel.matrix_games import (
    LANES,
    SADDLE,
    TILE,
    copy_half,
    find_bounds,
    find_four,
    find_lines,
    find_open,
    list_entries,
    mixed_move,
    new_bounds,
    new_entries,
    new_mix,
    place_entries,
    solve_matrix,
    try_four,
)
from tentimes18.duel.plans import (
    SECONDS_A_CERTIFIED_ENTRY,
    SECONDS_A_MATRIX_ENTRY,
    SECONDS_A_PLAYED_ENTRY,
    against_plan,
    certificate_plan,
    equilibrium_plan,
    followed_plan,
)
from tentimes18.duel.play_out import Outcome, follow_rounds, outcome_of
from tentimes18.duel.slot_choice import ANY, BEST_REPLY, OpponentSlots
from tentimes18.game import Game, Number, Position, slots_of
from tentimes18.gpu.device import CPU, on_gpu
from tentimes18.gpu.duel_equilibrium import solve_equilibrium
from tentimes18.kernels.types import Floats, Ints, Moves
from tentimes18.plan import admit_game
from tentimes18.solve.layers import LayerPool, Progress
from tentimes18.solve.rule_slots import same_everywhere
from tentimes18.solve.rules import Rule


@dataclass(frozen=True, slots=True)
class LayerCount:
    """How much there was to solve with so many free slots: open positions, matrix games, and those without a saddle."""

    free_count: int
    positions: int
    matrix_games: int
    mixed: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """What no response to the moves of an equilibrium exceeds: its gain from the start, and over any stored value.

    ``response`` has the chances of the one that is best by the stored values, from the start: what can be had.
    ``positions`` is how many were looked at, each from the side of both players.
    """

    response: Outcome
    start: float
    largest: float
    positions: int


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
                fill = partial(fill_equilibrium, windows.moves, windows.layer(k), values)
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
            return self._best_outcome()
        chances = self._chances(ANY if mine is None else mine, progress)
        return Outcome.of(float(chances.equity[-1]), float(chances.draw[-1]), 0.5)  # two empty boards stand last

    def certify(self, progress: Progress | None = None) -> Certificate:
        """Bounds for what any response gains over the value of every stored position.

        >>> certificate = Equilibrium(Game.parse("1d6", "1-3")).certify()
        >>> certificate.largest < 1e-12, certificate.positions
        (True, 53)
        """
        admit_game(self.game, certificate_plan)
        windows, largest = self.windows, 0.0
        gains = np.zeros((1, 1))
        with LayerPool(windows.cells - 1, progress) as pool:
            for k in range(1, self.game.size + 1):
                smaller, gains = gains, np.zeros((len(windows.sets[k]),) * 2)
                bound = partial(bound_gains, windows.moves, windows.layer(k), self.values, smaller, gains)
                parts = _parts(windows, k, 2 * SECONDS_A_CERTIFIED_ENTRY)
                pool.run(bound, parts, work=int(windows.sizes[k].sum()))
                largest = max(largest, float(gains.max()))
        return Certificate(self._best_outcome(), float(gains[0, 0]), largest, windows.cells - 1)

    def _best_outcome(self) -> Outcome:
        """The chances from two empty boards of the response that is best by the stored values."""
        admit_game(self.game, followed_plan)
        windows = DuelWindows(self.game, half=False)
        opponent = OpponentSlots(same_everywhere(self.game, BEST_REPLY), nobody(windows))
        return outcome_of(list(follow_rounds(self.windows.table(self.values), windows, opponent.slots, opponent)))

    def _chances(self, mine: Rule | Response | int, progress: Progress | None) -> Chances:
        """My chances from every position, with a rule, a best response to one, or a number (`player_slots`)."""
        admit_game(self.game, against_plan)
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


@compiled()
def fill_equilibrium(moves: Moves, layer: DuelLayer, value: Floats, pairs: Ints) -> tuple[int, float]:
    """The values of these pairs (a, b), a <= b; returns how many games had no saddle point, and the widest bounds."""
    P, shifts = moves
    k, sets, ranks = layer.k, layer.sets, layer.ranks
    offsets, lows, sizes = layer.here
    half = Stored(layer.after, value)
    entries, bounds, mix = new_entries(k, len(P), layer.after), new_bounds(k), new_mix(k)
    row, column, four, M, turned, tableau, labels = mix
    rows, columns, maximin, minimax = bounds
    width, _, _, moved, starts, ends, places, lost, won = entries
    cells = np.empty(k * k * entries.width)
    total = np.empty(TILE + LANES)
    fours = np.empty((len(P), 4), dtype=np.int64)
    mixed = 0
    widest = 0.0
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        size = sizes[a, b]
        pair = Pair(sets[a], sets[b], lows[a, b], size)
        list_entries(pair, shifts, ranks, layer.after, entries)
        copy_half(pair, ranks, half, entries, cells)
        fours[:, 0], fours[:, 1], fours[:, 2], fours[:, 3] = 0, k - 1, 0, k - 1
        values = value[offsets[a, b] : offsets[a, b] + size]
        for first in range(0, size, TILE):
            count = min(TILE, size - first)
            total[:] = 0.0
            for x in range(len(P)):
                begin, leads = find_open(first, count, lost[x], won[x])
                p_x = P[x]
                for t in range(begin + leads, count):
                    total[t] += p_x
                if leads == 0:
                    continue
                place_entries(first + begin, moved[x], starts, ends, width, places)
                find_lines(cells, places, k, leads, rows, columns)
                find_bounds(rows, columns, k, leads, maximin, minimax)
                four[:] = fours[x]
                for t in range(min(leads, count - begin)):
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
