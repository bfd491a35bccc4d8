"""The best response at a table: one player who sees all boards, against others who play by their own.

The others ignore me, so the positions q that they reach together are listed from the start, as in
`duel.several_players`, with what a roll makes of each: q'(q, x), and how much their common base rises, b(q, x). A
player who is surely behind another is out. With A my free set, and e what my points are above their base,

    V_q[A][e] = Σ_x P(x) max_{i ∈ A} V_{q'(q, x)}[A - i][e + shift_i(x) - b(q, x)].

At the end those who are left are equal, t of them, and V is 0, 1 / (t + 1) or 1 for e below 0, equal to it or above.
As in a duel only the leads are stored that can have come about, and that are not decided: with g as in
`duel.several_players`, d_p the points of other p above the base, B_p its free set, and F, G_p what is filled,

    max_p (d_p - g[A, B_p]),  max_p (d_p - g[G_p, F])  <=  e  <=  max_p (d_p + g[B_p, A]),  min_p (d_p + g[F, G_p]).

All layers are kept: they say which slot is the best one at every position. Where several are, the one with the best
mean is taken, then the smaller one, as in a duel.

The shares of all if the best response plays: it and the others are followed from the start. Let p(q, A, e) be the
chance that the others are at their position q, I have the free set A, and my points are e above their base. With i the
slot of the best response there,

    p(q'(q, x), A - i, e + shift_i(x) - b(q, x))  gains  P(x) p(q, A, e).

Once my lead is above its window I have won. Once it is below, I have lost, and the others have what they would have
among themselves, with U_q[p] the share of p from q on:

    U_q[p] = Σ_x P(x) U_{q'(q, x)}[p],    and one divided by those who are left at the end.

At an equal end all who are left share with me. My own share is found here without the values that the response was
found by, but for its slots: a second computation of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Bools, Floats, Ints, Moves, Slots
from tentimes18.compiled import compiled
from tentimes18.duel.lead_windows import EQUAL, Windows, in_parts
from tentimes18.duel.several_players import Seat, TableGains, check_pairs, point_bits, table_gains
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.limits import check_size
from tentimes18.solve.move_arrays import moves_of, sets_by_size, slot_order
from tentimes18.solve.parallel import LayerPool, Progress

MAX_BITS = 63  # for the boards and points of all others
BYTES_PER_MOVE = 120  # of the others, for each position and roll
OPERATIONS_PER_MOVE = 800
BYTES_PER_WINDOW = 24
MAX_FOLLOWED = 20_000  # positions at a time


@dataclass(frozen=True, slots=True)
class OthersLayer:
    """The positions of the others with as many free slots: [position, seat] free sets, -1 for who is out, and points.

    [position, roll]: the number of the position after it, and by how much the base rises.
    """

    sets: Ints
    points: Ints
    after: Ints
    steps: Ints


@dataclass(frozen=True, slots=True, eq=False)
class TableResponse:
    """The share of the wins that the best response gets, and all that says how it plays.

    ``layers`` are the positions of the others, ``windows`` those of my leads, ``values`` my share at each of these, all
    by the slots that are filled.
    """

    game: Game
    share: float
    layers: list[OthersLayer]
    windows: list[Windows]
    values: list[Floats]
    order: Slots

    @property
    def positions(self) -> int:
        return sum(len(layer.sets) for layer in self.layers[:-1])

    @property
    def leads(self) -> int:
        return sum(len(values) for values in self.values[:-1])

    @property
    def moves(self) -> dict[int, int]:
        """The first slot for each roll."""
        first = np.zeros(1, dtype=np.int64)
        slots = self.choose(0, first, first + self.game.all_free, first)[0]
        return dict(zip(self.game.dice.support, (slots[0] + 1).tolist(), strict=True))

    @property
    def nbytes(self) -> int:
        return sum(values.nbytes for values in self.values)

    def choose(self, done: int, q: Ints, A: Ints, e: Ints) -> tuple[Ints, Ints, Ints]:
        """[position, roll]: my slots, from 0, in these positions, the ranks of the sets that they leave, and my leads.

        A lead is counted from the first one of the window after the move. Below it nothing is left to win, from its end
        on everything is won.
        """
        layer, values, ranks = self.layers[done], self.values[done + 1], table_gains(self.game).ranks
        (offsets, lows, sizes), shifts = self.windows[done + 1], moves_of(self.game).shifts
        there, moved, x = layer.after[q], e[:, np.newaxis] - layer.steps[q], np.arange(shifts.shape[1])
        best = np.full(there.shape, -1.0)
        slots, sets, leads = np.zeros((3, *there.shape), dtype=np.int64)
        for line in range(self.game.size - done):
            i = self.order[A, :, line].astype(np.int64)
            b = ranks[A[:, np.newaxis] ^ (1 << i)]
            t = moved + shifts[i, x] - lows[there, b]
            value, is_open = (t >= 0).astype(np.float64), (t >= 0) & (t < sizes[there, b])
            value[is_open] = values[(offsets[there, b] + t)[is_open]]
            better = value > best + EQUAL
            for old, new in ((best, value), (slots, i), (sets, b), (leads, t)):
                np.copyto(old, new, where=better)
        return slots, sets, leads


def table_response(game: Game, others: Sequence[Seat], progress: Progress | None = None) -> TableResponse:
    """The best response to all others at a table."""
    if not others or not all(seat.is_fixed for seat in others):
        raise Ten18Error(
            "a best response needs opponents who play by their own boards, without chance", field="strategies"
        )
    check_response(game, len(others))
    n, moves, rolls, gains = game.size, moves_of(game), len(game.dice.support), table_gains(game)
    layers = _follow(game, others, gains)
    boards = [len(layer.sets) * float(gains.counts[n - done]) for done, layer in enumerate(layers)]
    room = BYTES_PER_WINDOW * (sum(boards) + 2 * max(boards))
    job = f"the best response to all others at a table on {n:,} slots"
    check_size(job, bytes=room)
    windows = [_leads(game, gains, layer, n - done) for done, layer in enumerate(layers)]
    counts = [int(layer.sizes.sum()) for layer in windows]
    steps = [float(count) * (n - done) * rolls for done, count in enumerate(counts)]
    check_size(job, bytes=room + 8.0 * sum(counts), operations=sum(steps))
    sets, _ = sets_by_size(n)
    tied = (layers[-1].sets >= 0).sum(axis=1)
    values = [1.0 / (tied + 1.0)]  # at a lead of nothing, once all boards are full
    with LayerPool(sum(counts), progress) as pool:
        for done in range(n - 1, -1, -1):
            values.append(np.empty(counts[done]))
            fill = partial(
                fill_table_response,
                moves,
                (sets[n - done], gains.ranks),
                (layers[done].after, layers[done].steps),
                windows[done],
                windows[done + 1],
                (values[-1], values[-2]),
            )
            pool.run(fill, in_parts(np.arange(len(layers[done].sets)), steps[done]), work=counts[done])
    return TableResponse(game, float(values[-1][0]), layers, windows, values[::-1], slot_order(game))


def check_response(game: Game, others: int) -> None:
    """Raise ``TooLarge`` if the sizes alone show that this many others are too many."""
    check_pairs(game)
    most = MAX_BITS // (point_bits(game) + game.size)
    if others > most:
        raise TooLarge(
            f"{others} others on {game.size} slots are too many to answer exactly; at most {most} are",
            field="strategies",
        )


def _follow(game: Game, others: Sequence[Seat], gains: TableGains) -> list[OthersLayer]:
    m, n, (P, shifts) = len(others), game.size, moves_of(game)
    bits, x = point_bits(game), np.arange(len(P))
    layers = []
    sets, points = np.full((1, m), game.all_free), np.zeros((1, m), dtype=np.int64)
    for k in range(n, 0, -1):
        steps_here = float(len(sets)) * len(P)
        check_size(
            "the list of the positions that the others come to",
            bytes=BYTES_PER_MOVE * steps_here,
            operations=OPERATIONS_PER_MOVE * steps_here,
        )
        new_sets = np.empty((len(sets), len(P), m), dtype=np.int64)
        new_points = np.empty_like(new_sets)
        for p, seat in enumerate(others):
            A, s = np.maximum(0, sets[:, p])[:, np.newaxis], points[:, p][:, np.newaxis]
            row = seat.bases[A] + (s if seat.looks else 0)
            i = seat.slots[np.where(A > 0, row, seat.bases[game.all_free]), x].astype(np.int64)
            new_sets[..., p] = np.where(A > 0, A ^ (1 << i), -1)
            new_points[..., p] = s + shifts[i, x]
        stays = _stay(gains, k - 1, new_sets, new_points)
        looks = np.array([seat.looks for seat in others])
        least = np.where(stays, new_points, np.iinfo(np.int64).max).min(axis=-1)
        steps = np.where((stays & looks).any(axis=-1), 0, least)
        new_sets = np.where(stays, new_sets, -1)
        new_points = np.where(stays, new_points - steps[..., np.newaxis], 0)
        keys = np.zeros(steps.shape, dtype=np.int64)
        for p in range(m):
            keys = (keys << n | np.maximum(0, new_sets[..., p])) << bits | new_points[..., p]
            if k == 1:
                keys = keys << 1 | (new_sets[..., p] >= 0)
        _, found, after = np.unique(keys, return_index=True, return_inverse=True)
        layers.append(OthersLayer(sets, points, after.reshape(keys.shape), steps))
        sets, points = new_sets.reshape(-1, m)[found], new_points.reshape(-1, m)[found]
    nothing = np.zeros((len(sets), len(P)), dtype=np.int64)
    return [*layers, OthersLayer(sets, points, nothing, nothing)]


def _stay(gains: TableGains, k: int, sets: Ints, points: Ints) -> Bools:
    """[..., seat]: which of the others can still finish ahead of the rest."""
    m = sets.shape[-1]
    stays = sets >= 0
    there = stays.copy()
    ranks = gains.ranks[np.maximum(0, sets)]
    for p in range(m):
        for q in range(m):
            if p != q:
                pair = gains.starts[k] + ranks[..., p] * gains.counts[k] + ranks[..., q]
                pair = np.where(there[..., p] & there[..., q], pair, 0)
                behind = points[..., q] - points[..., p] > gains.values[pair]
                stays[..., p] &= ~(there[..., q] & behind)
    return stays


def _leads(game: Game, gains: TableGains, layer: OthersLayer, k: int) -> Windows:
    """The windows of my leads for each position of the others, and each of my sets with k slots."""
    n, count = game.size, int(gains.counts[k])
    mine = sets_by_size(n)[0][k]

    def most(size: int) -> NDArray[np.int64]:
        side = int(gains.counts[size])
        return gains.values[gains.starts[size] : gains.starts[size] + side**2].reshape(side, side)

    now, before = most(k), most(n - k)
    filled = gains.ranks[game.all_free ^ mine]
    low = np.full((len(layer.sets), count), -(1 << 60))
    high, reached = low.copy(), -low
    for p in range(layer.sets.shape[1]):
        there = layer.sets[:, p] >= 0
        B, d = gains.ranks[layer.sets[there, p]], layer.points[there, p][:, np.newaxis]
        G = gains.ranks[game.all_free ^ layer.sets[there, p]]
        low[there] = np.maximum(low[there], d - np.minimum(now[:, B].T, before[G][:, filled]))
        high[there] = np.maximum(high[there], d + now[B])
        reached[there] = np.minimum(reached[there], d + before[np.ix_(filled, G)].T)
    sizes = np.maximum(0, np.minimum(high, reached) - low + 1)
    return Windows((np.cumsum(sizes) - sizes.ravel()).reshape(sizes.shape), low, sizes)


@dataclass(frozen=True, slots=True)
class ResponseShares:
    """The shares of the wins: the others in their order, then the best response; ``without`` are those without it."""

    shares: tuple[float, ...]
    without: tuple[float, ...]


def response_shares(response: TableResponse, progress: Progress | None = None) -> ResponseShares:
    """The shares of the wins; an error if the positions that occur do not fit."""
    n, P = response.game.size, moves_of(response.game).P
    seated = response.layers[-1].sets >= 0  # [position, seat], at the end
    tied = seated.sum(axis=1)
    # [position, seat] for each number of free slots: what each of the others has among themselves.
    among = [seated / tied[:, np.newaxis]]
    for layer in response.layers[-2::-1]:
        among.append(np.einsum("x,qxp->qp", P, among[-1][layer.after]))
    shares = np.zeros(seated.shape[1])
    here, won = np.ones(1), 0.0  # the chance of each place of the table
    leads = sum(sorted(map(len, response.values))[-2:])
    check_size("the list of the positions that these players come to", bytes=response.nbytes + 8.0 * leads)
    for done, sets in enumerate(sets_by_size(n)[0][:0:-1]):
        (offsets, lows, _), after = response.windows[done], response.windows[done + 1]
        new, lost = np.zeros(len(response.values[done + 1])), np.zeros(len(after.sizes))
        reached = np.flatnonzero(here)
        for places in np.array_split(reached, len(reached) // MAX_FOLLOWED + 1):
            q, a = np.divmod(np.searchsorted(offsets.ravel(), places, side="right") - 1, len(sets))
            _, b, t = response.choose(done, q, sets[a], places - offsets[q, a] + lows[q, a])
            there, chance = response.layers[done].after[q], here[places, np.newaxis] * P
            is_won = t >= after.sizes[there, b]
            is_open = (t >= 0) & ~is_won
            won += float(chance[is_won].sum())
            np.add.at(lost, there[t < 0], chance[t < 0])
            np.add.at(new, (after.offsets[there, b] + t)[is_open], chance[is_open])
        here = new
        shares += lost @ among[n - done - 1]
        if progress:
            progress(done + 1, n)
    # What is left: with all boards full there is one lead for each position of the others.
    equal = here / (tied + 1.0)
    return ResponseShares((*(shares + equal @ seated).tolist(), won + float(equal.sum())), tuple(among[-1][0].tolist()))


@compiled()
def fill_table_response(
    moves: Moves,
    sets: tuple[Ints, Ints],
    others: tuple[Ints, Ints],
    here: Windows,
    after: Windows,
    values: tuple[Floats, Floats],
    part: Ints,
) -> None:
    """My share of the win at the positions ``part`` of the others, for all of my sets and leads.

    ``sets`` are my free sets by rank, and the ranks of all sets. ``others`` say where roll x leads them from position
    q, and by how much their base rises. ``values`` are those of this layer, and those of the one with a slot less.
    """
    P, shifts = moves
    my_sets, ranks = sets
    nexts, steps = others
    offsets, lows, sizes = here
    after_offsets, after_lows, after_sizes = after
    share, smaller = values
    widest = 0
    for q in part:
        widest = max(widest, sizes[q].max())
    best = np.empty(widest)
    for q in part:
        for a in range(len(my_sets)):
            A, size, low = my_sets[a], sizes[q, a], lows[q, a]
            total = share[offsets[q, a] : offsets[q, a] + size]
            total[:] = 0.0
            if size == 0:
                continue
            for x in range(len(P)):
                there = nexts[q, x]
                best[:size] = 0.0
                for i in range(len(shifts)):
                    if not A >> i & 1:
                        continue
                    b = ranks[A ^ (1 << i)]
                    # Lead low + t becomes index t + move in the window of the smaller set.
                    move = low + shifts[i, x] - steps[q, x] - after_lows[there, b]
                    begin = min(max(0, -move), size)
                    end = max(begin, min(size, after_sizes[there, b] - move))
                    place = after_offsets[there, b] + move
                    source, target = smaller[place + begin : place + end], best[begin:end]
                    for t in range(len(target)):
                        target[t] = max(target[t], source[t])
                    best[end:size] = 1.0
                for t in range(size):
                    total[t] += P[x] * best[t]
