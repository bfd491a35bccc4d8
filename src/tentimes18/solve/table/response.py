"""The best response at a table: one player who sees all boards, against others who play by their own.

The others take no notice of me, so the positions q that they come to together are listed from the start, as in
`solve.table.shares`, with what a roll makes of each: q'(q, x), and how much their common base rises, b(q, x). Who is
surely behind another of them is out. With A my free set, and e what my points are above their base,

    V_q[A][e] = Σ_x P(x) max_{i ∈ A} V_{q'(q, x)}[A - i][e + shift_i(x) - b(q, x)].

At the end those who are left are equal, t of them, and V is 0, 1 / (t + 1) or 1 for e below 0, equal to it or above.
As in a duel only the leads are stored that can have come about, and that are not decided: with g as in `table.gains`,
d_p the points of other p above the base, B_p its free set, and F, G_p what is filled,

    max_p (d_p - g[A, B_p]),  max_p (d_p - g[G_p, F])  <=  e  <=  max_p (d_p + g[B_p, A]),  min_p (d_p + g[F, G_p]).

All layers are kept: they say which slot is the best one at every position. Where several are, the one with the best
mean is taken, then the smaller one, as in a duel.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.kernels.table_response import fill_table_response
from tentimes18.kernels.table_turn import choose_at_table
from tentimes18.kernels.types import Bools, Floats, Ints, Slots, TableGains, TableLayer, TableTurn
from tentimes18.plan import Limits, Plan, admit
from tentimes18.solve.duel.windows import in_parts
from tentimes18.solve.lattice import lattice_width
from tentimes18.solve.layers import LayerPool, Progress
from tentimes18.solve.moves import moves_of
from tentimes18.solve.slot_order import slot_order
from tentimes18.solve.table.gains import table_gains
from tentimes18.solve.table.plans import SECONDS_A_LEAD, leads_plan, others_plan
from tentimes18.solve.table.seats import Seat

__all__ = ["TableResponse", "table_response", "table_response_plan"]

WORD: Final = 63  # bits for the boards and points of all others


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
    windows: list[TableLayer]
    values: list[Floats]
    order: Slots

    @property
    def positions(self) -> int:
        """How many positions the others come to."""
        return sum(len(layer.sets) for layer in self.layers[:-1])

    @property
    def leads(self) -> int:
        """How many positions of all were looked at."""
        return sum(len(values) for values in self.values[:-1])

    @property
    def moves(self) -> dict[int, int]:
        """The first slot for each roll."""
        turn, shifts, full = self.turn(0), moves_of(self.game).shifts, self.game.all_free
        return {
            roll: choose_at_table(turn, shifts, 0, full, 0, x)[0] + 1 for x, roll in enumerate(self.game.dice.support)
        }

    @property
    def nbytes(self) -> int:
        """The memory that its values take."""
        return sum(values.nbytes for values in self.values)

    def turn(self, done: int) -> TableTurn:
        """The turn after so many, for kernels."""
        masks, gains = np.arange(1 << self.game.size), table_gains(self.game)
        return TableTurn(
            masks[np.bitwise_count(masks) == self.game.size - done],
            gains.ranks,
            self.order,
            self.layers[done].after,
            self.layers[done].steps,
            self.windows[done],
            self.windows[done + 1],
            self.values[done + 1],
        )


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What is there before the first layer is filled: positions of the others, windows of leads, and what it takes."""

    gains: TableGains
    layers: list[OthersLayer]
    windows: list[TableLayer]
    counts: list[int]
    plan: Plan


def table_response_plan(game: Game, others: Sequence[Seat], limits: Limits | None = None) -> Plan:
    """What a best response takes: known once the positions of the others are listed, which has to fit as well.

    >>> from tentimes18.solve.rule_slots import rule_slots
    >>> from tentimes18.solve.rules import optimal_rule
    >>> from tentimes18.solve.table.seats import rule_seat
    >>> game = Game.parse("1d6", "1-3")
    >>> table_response_plan(game, [rule_seat(rule_slots(game, optimal_rule(game)))]).fits(Limits(8e9, 600))
    True
    """
    return _prepared(game, others, limits).plan


def table_response(
    game: Game,
    others: Sequence[Seat],
    limits: Limits | None = None,
    progress: Progress | None = None,
    *,
    instead: Callable[[Limits], str] | str = "",
) -> TableResponse:
    """The best response to all others at a table; ``instead`` says what would fit where this does not.

    >>> from tentimes18.solve.rule_slots import rule_slots
    >>> from tentimes18.solve.table.seats import rule_seat
    >>> from tentimes18.strategies.rules import greedy, nearest
    >>> game = Game.parse("1d6", "1-3")
    >>> others = [rule_seat(rule_slots(game, rule)) for rule in (greedy(game), nearest(game))]
    >>> found = table_response(game, others)
    >>> round(found.share, 6), found.moves[6]
    (0.362654, 3)
    """
    found = _prepared(game, others, limits, instead)
    admit(found.plan, limits, instead=instead)
    gains, layers, sizes, counts = found.gains, found.layers, found.windows, found.counts
    n, moves, rolls = game.size, moves_of(game), len(game.dice.support)
    masks = np.arange(1 << n)
    free = np.bitwise_count(masks)
    tied = (layers[-1].sets >= 0).sum(axis=1)
    values = [1.0 / (tied + 1.0)]  # at a lead of nothing, once all boards are full
    with LayerPool(sum(counts), progress) as pool:
        for done in range(n - 1, -1, -1):
            values.append(np.empty(counts[done]))
            fill = partial(
                fill_table_response,
                moves,
                (masks[free == n - done], gains.ranks),
                (layers[done].after, layers[done].steps),
                sizes[done],
                sizes[done + 1],
                (values[-1], values[-2]),
            )
            seconds = SECONDS_A_LEAD * counts[done] * (n - done) * rolls
            pool.run(fill, in_parts(np.arange(len(layers[done].sets)), seconds), work=counts[done])
    return TableResponse(game, float(values[-1][0]), layers, sizes, values[::-1], slot_order(game))


def _prepared(
    game: Game, others: Sequence[Seat], limits: Limits | None, instead: Callable[[Limits], str] | str = ""
) -> _Prepared:
    if not others or not all(seat.is_fixed for seat in others):
        raise Ten18Error(
            "a best response is to one or more who play by their own boards, without chance", field="strategies"
        )
    most = WORD // (_bits(game) + game.size)
    if len(others) > most:
        raise TooLarge(
            f"{len(others)} others on {game.size} slots are too many to answer exactly; at most {most} are",
            field="strategies",
        )
    gains = table_gains(game)
    layers = _follow(game, others, gains, limits, instead)
    n, rolls = game.size, len(game.dice.support)
    boards = [len(layer.sets) * float(gains.counts[n - done]) for done, layer in enumerate(layers)]
    admit(leads_plan(game, 0.0, 0.0, boards), limits, instead=instead)
    sizes = [_leads(game, gains, layer, n - done) for done, layer in enumerate(layers)]
    counts = [int(layer.sizes.sum()) for layer in sizes]
    work = sum(float(count) * (n - done) * rolls for done, count in enumerate(counts))
    return _Prepared(gains, layers, sizes, counts, leads_plan(game, work, float(sum(counts)), boards))


def _bits(game: Game) -> int:
    """How many binary digits the points of a board take."""
    return max(1, lattice_width(game).bit_length())


def _follow(
    game: Game, others: Sequence[Seat], gains: TableGains, limits: Limits | None, instead: Callable[[Limits], str] | str
) -> list[OthersLayer]:
    """The positions that the others come to, round by round; the last are those with full boards."""
    m, n, (P, shifts) = len(others), game.size, moves_of(game)
    bits, x = _bits(game), np.arange(len(P))
    layers = []
    sets, points = np.full((1, m), game.all_free), np.zeros((1, m), dtype=np.int64)
    for k in range(n, 0, -1):
        admit(others_plan(len(sets), len(P)), limits, instead=instead)
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
    """[..., seat]: who of the others may still be before all the others."""
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


def _leads(game: Game, gains: TableGains, layer: OthersLayer, k: int) -> TableLayer:
    """The windows of my leads for each position of the others, and each of my sets with k slots."""
    n, count = game.size, int(gains.counts[k])
    masks = np.arange(1 << n)
    mine = masks[np.bitwise_count(masks) == k]

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
    return TableLayer((np.cumsum(sizes) - sizes.ravel()).reshape(sizes.shape), low, sizes)
