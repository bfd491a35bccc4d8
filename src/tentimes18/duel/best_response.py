"""The best response in a duel to a strategy that looks at its own free slots and the roll.

With the opponent's slot j = c(B, x) known, and V[A, B][e] my equity (win + draw · its worth),

    V[A, B][e] = Σ_x P(x) max_{i ∈ A} V[A - i, B - j][e + shift_i(x) - shift_j(x)],    V[∅, ∅] = 0, draw, 1

for e < 0, e = 0, e > 0. That answers the paper's question of how the best mean can be beaten. Without the maximum, i
being a rule of my own, it gives the exact result of any two rules, with the chance of a draw.

Where several slots have the same equity, in a decided duel all of them, the one with the best mean is taken: the
largest shift_i(x) + M[A - i], with M[A] the value of A in units of the lattice; then the smaller slot.

In a group game of N players where all others play the same rule, they all have the same board: the same recursion, with
a draw worth 1/N.
"""

from collections.abc import Iterator
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from tentimes18.arrays import Floats, Ints, Moves, Slots
from tentimes18.compiled import compiled
from tentimes18.duel.lead_windows import EQUAL, DuelLayer, DuelWindows, Outcome, Standing, check_duel_size, verify_draw
from tentimes18.duel.slot_choice import Hunter, choose_response
from tentimes18.game import Game, Number, Position
from tentimes18.gpu.device import CPU, on_gpu
from tentimes18.gpu.gpu_duels import all_slots, one_slot, response_on_gpu
from tentimes18.limits import check_size
from tentimes18.solve.move_arrays import rule_slots, slot_order
from tentimes18.solve.parallel import Progress, interruptible, split_progress
from tentimes18.solve.thresholds import Rule

BYTES_PER_MOVE = 18.0  # of the positions that a response comes to


class FollowedRound(NamedTuple):
    """The positions (key, A, B, e) of a round, with the keys of `DuelWindows.key`.

    By roll the slot, and the index of the position after it in ``next_keys``.
    """

    positions: Ints
    slots: Slots
    after: Ints
    next_keys: Ints


class DuelChances:
    """My chances from every position against a rule: equities, and the chance of a draw."""

    def __init__(self, windows: DuelWindows, draw_worth: float, values: Floats, draws: Floats | None) -> None:
        self.windows = windows
        self.draw_worth = draw_worth
        self.values = values
        self.draws = draws

    @property
    def nbytes(self) -> int:
        return self.values.nbytes + (0 if self.draws is None else self.draws.nbytes) + self.windows.nbytes

    @property
    def outcome(self) -> Outcome:
        free = self.windows.game.all_free
        return self.at(free, free, 0)

    def at(self, free: int, opponent_free: int, lead: Number) -> Outcome:
        position = free, opponent_free, self.windows.index(free, opponent_free, lead)
        return Outcome.of(self.windows.read(self.values, *position), self._drawn(*position), self.draw_worth)

    def equity(self, free: int, opponent_free: int, lead: Number) -> float:
        return self.windows.read(self.values, free, opponent_free, self.windows.index(free, opponent_free, lead))

    def _drawn(self, free: int, opponent_free: int, e: int) -> float:
        assert self.draws is not None
        return self.windows.read(self.draws, free, opponent_free, e, won=0.0)


class Response(DuelChances):
    """The best response to a rule, from every position; made by `best_response`.

    The chance of a draw from a position is found by following both players from there (`follow`), because they come to
    few of all positions.
    """

    def __init__(self, windows: DuelWindows, draw_worth: float, values: Floats, theirs: Slots, order: Slots) -> None:
        super().__init__(windows, draw_worth, values, None)
        self.theirs = theirs
        self.order = order

    @cached_property
    def hunter(self) -> Hunter:
        return Hunter(self.theirs, self.order, self.windows.table(self.values))

    def follow(self, free: int, opponent_free: int, e: int) -> Iterator[FollowedRound]:
        """The positions that this response and the rule come to, round by round."""
        windows, hunter, rolls = self.windows, self.hunter, len(self.windows.P)
        positions = np.array([(windows.key(free, opponent_free, e), free, opponent_free, e)])
        for k in range(free.bit_count(), 0, -1):
            moves = float(len(positions) * rolls)  # how many there are is known only when they are followed
            check_size("the list of the positions that this best response comes to", bytes=BYTES_PER_MOVE * moves)
            slots = np.empty((len(positions), rolls), dtype=np.int8)
            keys = np.empty((len(positions), rolls), dtype=np.int64)
            interruptible(partial(follow_response, hunter, windows.shifts, windows.layer(k), positions, slots, keys))
            next_keys, first, after = np.unique(keys, return_index=True, return_inverse=True)
            yield FollowedRound(positions, slots, after.reshape(keys.shape), next_keys)
            before, x = np.divmod(first, rolls)
            _, A, B, lead = positions[before].T
            i, j = slots.ravel()[first].astype(np.int64), self.theirs[B, x].astype(np.int64)
            moved = lead + windows.shifts[i, x] - windows.shifts[j, x]
            positions = np.stack([next_keys, A ^ (1 << i), B ^ (1 << j), moved], axis=1)

    def _drawn(self, free: int, opponent_free: int, e: int) -> float:
        chances: Floats = np.ones(1)
        ends = np.array([self.windows.key(free, opponent_free, e)])
        for round_ in self.follow(free, opponent_free, e):
            moves = chances[:, np.newaxis] * self.windows.P
            chances, ends = np.bincount(round_.after.ravel(), moves.ravel()).astype(np.float64), round_.next_keys
        return float(chances[ends == 0].sum())  # the only open position at the end is the draw

    def choose(self, free: int, opponent_free: int, lead: Number, roll: int) -> int:
        """The slot of the best response; of equally good ones that with the best mean, and then the smaller one."""
        return self._choose(free, opponent_free, self.windows.index(free, opponent_free, lead), roll)

    def choose_on(self, position: Position, roll: int) -> int:
        return self._choose(position.board.free, position.theirs.free, self.windows.lead_on(position), roll)

    def _choose(self, free: int, opponent_free: int, e: int, roll: int) -> int:
        game = self.windows.game
        game.verify_roll(roll)
        at = Standing(free, opponent_free, free.bit_count(), e)
        return int(choose_response(self.hunter, self.windows.shifts, at, game.dice.support.index(roll))) + 1


def best_response(
    game: Game, theirs: Rule, *, draw: float = 0.5, progress: Progress | None = None, device: str = CPU
) -> Response:
    """The best response to an opponent who plays this rule; with ``device="cuda"`` made on a GPU."""
    windows = DuelWindows(game, half=False)
    check_duel_size(game, values=1, power=1)
    slots, order = rule_slots(game, theirs, progress=progress), slot_order(game)
    return Response(windows, draw, response_values(windows, slots, order, draw, progress, device), slots, order)


def response_values(
    windows: DuelWindows,
    theirs: Slots,
    order: Slots,
    draw: float = 0.5,
    progress: Progress | None = None,
    device: str = CPU,
) -> Floats:
    """The equity of the best response to the slots theirs[B, x] from every position."""
    verify_draw(draw)
    check_duel_size(windows.game, values=1, power=1)
    gpu = on_gpu(device)
    if gpu is not None:
        return response_on_gpu(gpu, windows.game, theirs, order, draw=draw, progress=progress)[0]
    return _chances(windows, order, theirs, draw, progress=progress)


def _chances(
    windows: DuelWindows,
    mine: Slots,
    theirs: Slots,
    draw: float,
    worth: float = 1.0,
    *,
    is_mean: bool = False,
    progress: Progress | None = None,
) -> Floats:
    """The table that `fill_chances` fills; a draw is worth ``draw``, and a duel that is won ``worth``."""
    values = np.empty(windows.cells)
    values[0] = draw
    chosen = partial(fill_chances, mine, theirs, is_mean, worth, windows.moves)
    windows.fill_layers(lambda k: partial(chosen, windows.layer(k), values), 1, progress)
    return values


def fixed_chances(
    game: Game,
    mine: Rule | None,
    theirs: Rule,
    *,
    draw: float = 0.5,
    progress: Progress | None = None,
    device: str = CPU,
) -> DuelChances:
    """The exact chances of one rule against another from every position; without a rule, I play at random."""
    verify_draw(draw)
    windows = DuelWindows(game, half=False)
    check_duel_size(game, values=2, power=1)
    slots = one_slot(rule_slots(game, mine, progress=progress)) if mine else all_slots(game)
    their_slots = rule_slots(game, theirs, progress=progress)
    gpu = on_gpu(device)
    if gpu is not None:
        tables = response_on_gpu(gpu, game, their_slots, slots, draw=draw, is_mean=mine is None, progress=progress)
        return DuelChances(windows, draw, *tables)
    first, second = split_progress(progress, 1, 1)
    chances = partial(_chances, windows, slots, their_slots, is_mean=mine is None)
    return DuelChances(windows, draw, chances(draw, progress=first), chances(1.0, 0.0, progress=second))


def fixed_duel(game: Game, mine: Rule | None, theirs: Rule, *, draw: float = 0.5) -> Outcome:
    """The exact chances of one rule against another on the same rolls; without a rule, I play at random."""
    return fixed_chances(game, mine, theirs, draw=draw).outcome


def no_hunter(windows: DuelWindows) -> Hunter:
    """The argument of a kernel where no hunter plays."""
    return Hunter(np.zeros((1, 1), dtype=np.int8), np.zeros((1, 1, 1), dtype=np.int8), windows.table(np.zeros(1)))


@compiled()
def fill_chances(
    mine: Slots,
    theirs: Slots,
    is_mean: bool,
    worth: float,
    moves: Moves,
    layer: DuelLayer,
    value: Floats,
    pairs: Ints,
) -> None:
    """My chances with slots of the lists mine[A, x] against theirs[B, x], for these pairs (a, b).

    A list is filled up with -1. The slot with the best chances is taken, of equal ones the first; or, with ``is_mean``,
    each with the same chance. A duel that is won is worth ``worth``.
    """
    P, shifts = moves
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    smaller_offsets, smaller_lows, smaller_sizes = layer.after
    best = np.empty(sizes.max())
    places, begins, ends = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        A, B, size, offset, low = sets[a], sets[b], sizes[a, b], offsets[a, b], lows[a, b]
        total = np.uint64(offset)
        value[offset : offset + size] = 0.0
        for x in range(len(P)):
            j = theirs[B, x]
            rank_b = ranks[B ^ (1 << j)]
            count, inside, won = 0, 0, size
            for i in mine[A, x]:
                if i < 0:
                    break
                rank_a = ranks[A ^ (1 << i)]
                # Lead low + t becomes index t + move in the window of the smaller sets.
                move = low + shifts[i, x] - shifts[j, x] - smaller_lows[rank_a, rank_b]
                places[count] = smaller_offsets[rank_a, rank_b] + move
                begins[count] = min(max(0, -move), size)
                ends[count] = max(begins[count], min(size, smaller_sizes[rank_a, rank_b] - move))
                inside, won = max(inside, begins[count]), min(won, ends[count])
                count += 1
            if is_mean:
                p = P[x] / count
                for line in range(count):
                    place = np.uint64(places[line])
                    for t in range(np.uint64(begins[line]), np.uint64(ends[line])):
                        value[total + t] += p * value[place + t]
                    for t in range(np.uint64(ends[line]), np.uint64(size)):
                        value[total + t] += p * worth
                continue
            lost = min(inside, won)  # with some of the moves, before this lead
            _take_open(value, places[:count], begins, lost, best)
            _take_inside(value, places[:count], lost, won, best)
            p = P[x]
            for t in range(np.uint64(won)):
                value[total + t] += p * best[t]
            for t in range(np.uint64(won), np.uint64(size)):
                value[total + t] += p * worth


@compiled()
def _first(one: float, other: float) -> float:
    """Of two equities the first, unless the other is better and not by rounding alone."""
    return other if other > one + EQUAL else one


@compiled()
def _take_open(value: Floats, places: Ints, begins: Ints, end: int, best: Floats) -> None:
    """The best equity at leads before ``end``, where some of the moves have lost: move after move."""
    best[:end] = 0.0
    for line in range(len(places)):
        place, begin = np.uint64(places[line] + begins[line]), np.uint64(begins[line])
        for t in range(np.uint64(max(0, end - begins[line]))):
            equity = value[place + t]
            best[begin + t] = equity if line == 0 else _first(best[begin + t], equity)


@compiled()
def _take_inside(value: Floats, places: Ints, begin: int, end: int, best: Floats) -> None:
    """The same at leads that every move leaves open: five moves at once, then two at a time."""
    last, at = len(places) - 1, np.uint64(begin)
    e, f = np.uint64(places[0] + begin), np.uint64(places[min(1, last)] + begin)
    g, h = np.uint64(places[min(2, last)] + begin), np.uint64(places[min(3, last)] + begin)
    i = np.uint64(places[min(4, last)] + begin)
    for t in range(np.uint64(max(0, end - begin))):
        one = _first(_first(value[e + t], value[f + t]), value[g + t])
        best[at + t] = _first(_first(one, value[h + t]), value[i + t])
    for line in range(5, last + 1, 2):
        e, f = np.uint64(places[line] + begin), np.uint64(places[min(line + 1, last)] + begin)
        for t in range(np.uint64(max(0, end - begin))):
            best[at + t] = _first(_first(best[at + t], value[e + t]), value[f + t])


@compiled()
def follow_response(hunter: Hunter, shifts: Ints, layer: DuelLayer, positions: Ints, slots: Slots, after: Ints) -> None:
    """The slot of the best response for each position (key, A, B, e) and roll x, and the key of the next position.

    The key of an open position is its place in the table; that of a decided one is -1 - A, all else being past.
    """
    theirs, order, _ = hunter
    ranks, k = layer.ranks, layer.k
    offsets, lows, sizes = layer.after
    for s in range(len(positions)):
        key, A, B, e = positions[s]
        for x in range(shifts.shape[1]):
            i = order[A, x, 0] if key < 0 else choose_response(hunter, shifts, Standing(A, B, k, e), x)
            slots[s, x] = i
            after[s, x] = -1 - (A ^ (1 << i))
            if key >= 0:
                j = theirs[B, x]
                pair = ranks[A ^ (1 << i)], ranks[B ^ (1 << j)]
                t = e + shifts[i, x] - shifts[j, x] - lows[pair]
                if 0 <= t < sizes[pair]:
                    after[s, x] = offsets[pair] + t
