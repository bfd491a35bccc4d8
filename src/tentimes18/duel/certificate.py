"""The certificate of an equilibrium: bounds for what any response gains on its values.

It looks at the mixed moves that the table prescribes. With the stored values as entries, those of the second player
leave me at most u_x(e) for roll x. So whatever I do, from a pair of free sets I gain on the stored values at most

    G[A, B] = max_e (Σ_x P(x) u_x(e) - V[A, B][e]) + max_{i ∈ A, j ∈ B} G[A - i, B - j],    G[∅, ∅] = 0,

and at least 0, which is the gain in decided duels. The second player gains at most G[B, A] on me. So every stored value
is within the largest G of the true one, for either player, and the moves lose no more. It takes one number per pair,
and the time of the equilibrium.

The sums are made in float64. With m rolls and k free slots, a computed term is too small by at most (m + 4k + 8) 2^-53:
a sum over k slots and one over m rolls of products, each factor within 2^-53 of what it should be, mixed moves that add
up to 1 within as much per slot, and two differences. Where four moves are the only best ones, they represent what the
simplex method plays, whose bounds are at most `CLOSE` apart. Where a move decides the duel whatever the opponent does,
the prescribed one gives up at most `SADDLE`, which is less. ``rounding`` is the sum over all rounds.

A pair of free sets and the same pair with the players exchanged have the same matrix games: at every lead and for every
roll the prescribed moves of both players are found at once. That of the second player leaves me at most u, that of the
first secures at least l; both are compared with the stored value of the lead.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from tentimes18.arrays import Floats, Ints, Moves
from tentimes18.compiled import compiled
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import DuelLayer, Outcome, check_duel_size
from tentimes18.duel.matrix_games import (
    CLOSE,
    LANES,
    MARGIN,
    SADDLE,
    TILE,
    Mix,
    find_bounds,
    find_four,
    is_only,
    load_game,
    load_pair,
    new_games,
    new_mix,
    place_tile,
    solve_matrix,
    try_four,
)
from tentimes18.duel.play_out import EquilibriumPath
from tentimes18.duel.slot_choice import BEST_REPLY
from tentimes18.solve.parallel import Progress


@dataclass(frozen=True, slots=True)
class Certificate:
    """Upper bounds of the gain of any response to an equilibrium: from the start, and over any stored value.

    Both are without ``rounding``, an upper bound of what they leave out. ``response`` has the chances, from the start,
    of the response that is best by the stored values. ``positions`` is the number of positions, each checked from the
    side of both players.
    """

    response: Outcome
    start: float
    largest: float
    positions: int
    rounding: float


def certify(table: Equilibrium, progress: Progress | None = None) -> Certificate:
    """Bounds for what any response gains over the value of every stored position."""
    windows = table.windows
    check_duel_size(table.game, values=0.5, power=2)
    gains = [np.zeros((1, 1))]

    def bound(k: int) -> Callable[[Ints], None]:
        gains.append(np.zeros((len(windows.sets[k]),) * 2))
        return partial(bound_gains, windows.moves, windows.layer(k), table.values, gains[-2], gains[-1])

    windows.fill_layers(bound, 2, progress)
    largest = max(float(layer.max()) for layer in gains)
    roundings = sum(len(windows.P) + 4 * k + 8 for k in range(1, table.game.size + 1))
    rounding = table.game.size * CLOSE + roundings * 2.0**-53
    return Certificate(
        EquilibriumPath(table, BEST_REPLY).outcome, float(gains[-1][0, 0]), largest, windows.cells - 1, rounding
    )


@compiled()
def bound_gains(moves: Moves, layer: DuelLayer, values: Floats, smaller: Floats, gains: Floats, pairs: Ints) -> None:
    """gains[a, b]: the most that any response gains on the stored values from pairs (a, b), a <= b, and from (b, a).

    ``smaller`` has the same of the pairs with a slot less.
    """
    P, shifts = moves
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    games, mix = new_games(k, len(P), layer.after), new_mix(k)
    width, cells, mine, theirs, moved, starts, ends, places, lost, won, rows, columns, maximin, minimax = games
    _, _, four, M, turned, _, _ = mix
    least, most = np.empty(TILE + LANES), np.empty(TILE + LANES)
    lower_total, upper_total = np.empty(TILE + LANES), np.empty(TILE + LANES)
    fours = np.empty((len(P), 4), dtype=np.int64)
    for pair_number in range(len(pairs)):
        a, b = pairs[pair_number, 0], pairs[pair_number, 1]
        A, B, size = sets[a], sets[b], sizes[a, b]
        stored = values[offsets[a, b] : offsets[a, b] + size]
        load_pair(A, B, lows[a, b], shifts, ranks, layer.after, values, True, games)
        fours[:, 0], fours[:, 1], fours[:, 2], fours[:, 3] = 0, k - 1, 0, k - 1
        gain, their_gain = 0.0, 0.0
        for first in range(0, size, TILE):
            count = min(TILE, size - first)
            lower_total[:], upper_total[:] = 0.0, 0.0
            for x in range(len(P)):
                begin, leads = place_tile(first, count, lost[x], won[x], moved[x], starts, ends, width, places)
                p_x = P[x]
                for t in range(begin + leads, count):
                    lower_total[t] += p_x
                    upper_total[t] += p_x
                if leads == 0:
                    continue
                find_bounds(cells, places, k, leads, rows, columns, maximin, minimax)
                _hold(rows, k, leads, 1.0, least)
                _hold(columns, k, leads, -1.0, most)
                four[:] = fours[x]
                for t in range(min(leads, count - begin)):
                    if minimax[t] - maximin[t] > SADDLE:
                        lower, upper, _, _, is_sure = try_four(cells, places, t, k, four)
                        if upper - lower > SADDLE:
                            lower, upper, _, _, is_sure = find_four(cells, places, t, four, M, turned)
                        if upper - lower > SADDLE or not is_sure:
                            lower, upper = _prescribed(cells, places, t, mix)
                        least[t], most[t] = lower, upper
                fours[x] = four
                at = np.uint64(begin)
                for t in range(np.uint64(leads)):
                    lower_total[at + t] += p_x * least[t]
                    upper_total[at + t] += p_x * most[t]
            for t in range(count):
                value = stored[first + t]
                gain, their_gain = max(gain, upper_total[t] - value), max(their_gain, value - lower_total[t])
                if not (value > -MARGIN and value < 1.0 + MARGIN):  # no chance, perhaps not even a number
                    gain, their_gain = 1.0, 1.0
        after_mine, after_theirs = 0.0, 0.0
        for i in mine:
            for j in theirs:
                after = ranks[A ^ (1 << i)], ranks[B ^ (1 << j)]
                after_mine = max(after_mine, smaller[after])
                after_theirs = max(after_theirs, smaller[after[1], after[0]])
        gains[a, b] = gain + after_mine
        gains[b, a] = their_gain + after_theirs if a != b else max(gain + after_mine, their_gain + after_theirs)


@compiled()
def _hold(lines: Floats, k: int, count: int, sign: float, held: Floats) -> None:
    """What the prescribed pure move holds by lead: a later line is better only by more than rounding (`mixed_move`).

    ``lines`` are the least entries of the rows, or with sign -1 the largest of the columns.
    """
    for t in range(np.uint64(count)):
        held[t] = lines[t]
    for line in range(1, k):
        first = np.uint64(line * TILE)
        for t in range(np.uint64(count)):
            value = lines[first + t]
            held[t] = value if sign * (value - held[t]) > SADDLE else held[t]


@compiled()
def _prescribed(cells: Floats, places: Ints, t: int, mix: Mix) -> tuple[float, float]:
    """What the mixed moves guarantee that `mixed_move` has for either player in a game without a saddle point.

    The simplex method gives both; the second player's are found from that side unless no others are as good.
    """
    row, column, _, M, turned, tableau, labels = mix
    load_game(cells, places, t, M, turned)
    lower, upper = solve_matrix(M, tableau, labels, row, column)
    if not is_only(tableau):
        for r in range(len(M)):
            for c in range(len(M)):
                turned[c, r] = 1.0 - M[r, c]
        secured, _ = solve_matrix(turned, tableau, labels, column, row)
        upper = 1.0 - secured
    return lower, upper
