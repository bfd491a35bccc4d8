"""The best response in a duel to a strategy that looks at its own free slots and the roll.

With the opponent's slot j = c(B, x) known, and V[A, B][e] my equity (win + draw · its worth),

    V[A, B][e] = Σ_x P(x) max_{i ∈ A} V[A - i, B - j][e + shift_i(x) - shift_j(x)],    V[∅, ∅] = 0, draw, 1

for e < 0, e = 0, e > 0. That answers the paper's question of how the best mean can be beaten. Without the maximum, i
being a rule of my own, it gives the exact result of any two rules. The chance of a draw is carried along the chosen
moves, and gives win and loss.

Where several slots have the same equity, in a decided duel all of them, the one with the best mean is taken: the
largest shift_i(x) + M[A - i], with M[A] the value of A in units of the lattice; then the smaller slot.

At a table of N players where all others play the same rule, they all have the same board: the same recursion, with a
draw worth 1/N.

Duels against a rule: equities of the best response, or of a rule of my own, one layer from the one before.
"""

from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock
from typing import NamedTuple

import numpy as np

from tentimes18.compiled import compiled
from tentimes18.duel.lead_windows import EQUAL, Chances, DuelLayer, DuelWindows, Kept, Solved, in_parts
from tentimes18.duel.plans import SECONDS_A_MOVE, response_plan
from tentimes18.duel.play_out import Outcome, follow_response
from tentimes18.duel.slot_choice import ANY, HUNTER, Hunter
from tentimes18.errors import InvalidGame
from tentimes18.game import Game, Number, Position
from tentimes18.gpu.device import CPU, Gpu, on_gpu
from tentimes18.gpu.duel_response import all_slots, chances_on_gpu, one_slot
from tentimes18.kernels.types import Floats, Ints, Moves, Slots
from tentimes18.plan import Plan, admit, admit_game
from tentimes18.solve.layers import LayerPool, Progress, apart
from tentimes18.solve.rule_slots import rule_slots, same_everywhere
from tentimes18.solve.rules import OptimalRule, Rule
from tentimes18.solve.slot_order import slot_order


class FollowedRound(NamedTuple):
    """The positions (key, A, B, e) of a round, their keys being those of `DuelWindows.key`.

    By roll the slot taken, and the place of the position after it among those found, which are given by their keys.
    """

    positions: Ints
    slots: Slots
    after: Ints
    found: Ints


class DuelChances:
    """My chances from every position, one layer of positions from the one before by ``fill``; or all ``on_gpu``.

    Equities are ``values``; where these come from an earlier time, or are found without them, ``draws`` are computed
    when they are asked for, once for all threads.
    """

    _with_draws = True  # from the beginning

    def __init__(
        self,
        windows: DuelWindows,
        draw: float,
        fill: Callable[[Moves, DuelLayer, Chances, Ints], None],
        progress: Progress | None,
        kept: Kept | None,
        on_gpu: Callable[[float, Progress | None], Chances] | None = None,
    ) -> None:
        if not 0 <= draw <= 1:
            raise InvalidGame(f"{draw} is not the worth of a draw; accepted: 0 to 1", field="draw")
        self.windows = windows
        self.draw_worth = draw
        self._fill = fill
        self._on_gpu = on_gpu
        self._draws: Floats | None = None
        self._lock = Lock()

        def make() -> Solved:
            chances = self._filled(progress, with_draws=self._with_draws)
            if self._with_draws or self._on_gpu is not None:
                self._draws = chances.draw
            return chances.equity, {}

        self.values, _ = kept(windows.cells, make) if kept else make()

    def _filled(self, progress: Progress | None, *, with_draws: bool) -> Chances:
        windows = self.windows
        if self._on_gpu is not None:
            return self._on_gpu(self.draw_worth, progress)
        admit_game(windows.game, partial(response_plan, with_draws=with_draws))
        chances = Chances(np.empty(windows.cells), np.empty(windows.cells if with_draws else 0))
        chances.equity[0], chances.draw[:1] = self.draw_worth, 1.0
        with LayerPool(windows.cells - 1, progress) as pool:
            for k in range(1, windows.game.size + 1):
                fill = partial(self._fill, windows.moves, windows.layer(k), chances)
                ranks = np.arange(len(windows.sets[k]))
                positions = int(windows.sizes[k].sum())
                pool.run(fill, in_parts(ranks, SECONDS_A_MOVE * positions * k * len(windows.P)), work=positions)
        return chances

    @property
    def draws(self) -> Floats:
        """The chance of a draw from every position."""
        with self._lock:
            if self._draws is None:
                self._draws = self._filled(None, with_draws=True).draw
            return self._draws

    @property
    def nbytes(self) -> int:
        """The memory of the tables, draws included."""
        return 2 * self.values.nbytes + self.windows.nbytes

    @property
    def outcome(self) -> Outcome:
        """The chances from two empty boards."""
        free = self.windows.game.all_free
        return self.at(free, free, 0)

    def at(self, free: int, opponent_free: int, lead: Number) -> Outcome:
        """The chances from a position."""
        position = free, opponent_free, self.windows.index(free, opponent_free, lead)
        return Outcome.of(self.windows.read(self.values, *position), self._drawn(*position), self.draw_worth)

    def _drawn(self, free: int, opponent_free: int, e: int) -> float:
        return self.windows.read(self.draws, free, opponent_free, e, won=0.0)

    def equity(self, free: int, opponent_free: int, lead: Number) -> float:
        """The equity from a position."""
        return self.windows.read(self.values, free, opponent_free, self.windows.index(free, opponent_free, lead))


class Response(DuelChances):
    """The best response to a rule, from every position; made by `best_response`.

    The chance of a draw from a position is found by following both players from there (`follow`), as few positions come
    about against all that could.

    >>> from tentimes18.solve.rules import optimal_rule
    >>> game = Game.parse("1d6", "1-3")
    >>> response = best_response(game, optimal_rule(game))
    >>> round(response.outcome.equity, 9), response.choose(game.all_free, game.all_free, 0, 6)
    (0.5, 3)
    """

    _with_draws = False

    def __init__(
        self, game: Game, theirs: Rule, draw: float, progress: Progress | None, kept: Kept | None, device: str = CPU
    ) -> None:
        gpu = on_gpu(device)
        if kept is None:
            is_optimal = isinstance(theirs, OptimalRule)
            admit_game(
                game, partial(response_plan, is_optimal=is_optimal, is_kept=gpu is not None, with_draws=gpu is not None)
            )
        windows = DuelWindows(game, half=False)
        self.theirs = rule_slots(game, theirs, progress=progress)
        self.order = slot_order(game)
        fill = partial(fill_best_response, self.order, self.theirs)
        all_at_once = None if gpu is None else partial(_on_gpu, gpu, game, self.theirs, self.order)
        super().__init__(windows, draw, fill, progress, kept, all_at_once)

    @property
    def hunter(self) -> Hunter:
        """The response for kernels."""
        return Hunter(self.theirs, self.order, self.windows.table(self.values))

    def follow(self, free: int, opponent_free: int, e: int) -> Iterator[FollowedRound]:
        """What this response and the rule come to from a position, round by round.

        >>> from tentimes18.solve.rules import optimal_rule
        >>> game = Game.parse("3d6", "1-5")
        >>> response = best_response(game, optimal_rule(game))
        >>> [len(found) for *_, found in response.follow(game.all_free, game.all_free, 0)]
        [7, 28, 80, 82, 2]
        """
        windows, hunter, rolls = self.windows, self.hunter, len(self.windows.P)
        positions = np.array([(windows.key(free, opponent_free, e), free, opponent_free, e)])
        for k in range(free.bit_count(), 0, -1):
            moves = float(len(positions) * rolls)  # how many there are is known only when they are followed
            admit(Plan("the list of the positions that this best response comes to", 1e-7 * moves, 18.0 * moves))
            slots = np.empty((len(positions), rolls), dtype=np.int8)
            keys = np.empty((len(positions), rolls), dtype=np.int64)
            apart(partial(follow_response, hunter, windows.shifts, windows.layer(k), positions, slots, keys))
            found, first, after = np.unique(keys, return_index=True, return_inverse=True)
            yield FollowedRound(positions, slots, after.reshape(keys.shape), found)
            before, x = np.divmod(first, rolls)
            _, A, B, lead = positions[before].T
            i, j = slots.ravel()[first].astype(np.int64), self.theirs[B, x].astype(np.int64)
            moved = lead + windows.shifts[i, x] - windows.shifts[j, x]
            positions = np.stack([found, A ^ (1 << i), B ^ (1 << j), moved], axis=1)

    def _drawn(self, free: int, opponent_free: int, e: int) -> float:
        if self._draws is not None:
            return super()._drawn(free, opponent_free, e)
        chances: Floats = np.ones(1)
        ends = np.array([self.windows.key(free, opponent_free, e)])
        for round_ in self.follow(free, opponent_free, e):
            moves = chances[:, np.newaxis] * self.windows.P
            chances, ends = np.bincount(round_.after.ravel(), moves.ravel()).astype(np.float64), round_.found
        return float(chances[ends == 0].sum())  # the only open position at the end is the draw

    def choose(self, free: int, opponent_free: int, lead: Number, roll: int) -> int:
        """The slot of the best response; of equally good ones that with the best mean, and then the smaller one."""
        return self._choose(free, opponent_free, self.windows.index(free, opponent_free, lead), roll)

    def choose_on(self, position: Position, roll: int) -> int:
        """The same on two boards that hold one deal.

        >>> from tentimes18.game import Board
        >>> from tentimes18.solve.rules import optimal_rule
        >>> game = Game.parse("1d6", "1-3")
        >>> board = Board(game)
        >>> best_response(game, optimal_rule(game)).choose_on(Position(board.place(4, 3), board.place(4, 2)), 6)
        2
        """
        return self._choose(position.board.free, position.theirs.free, self.windows.lead_on(position), roll)

    def _choose(self, free: int, opponent_free: int, e: int, roll: int) -> int:
        windows = self.windows
        windows.game.verify_roll(roll)
        x = windows.game.dice.support.index(roll)
        j = int(self.theirs[opponent_free, x])
        after = opponent_free ^ (1 << j)
        best, chosen = -1.0, 0
        for i in self.order[free, x, : free.bit_count()].tolist():
            moved = e + int(windows.shifts[i, x] - windows.shifts[j, x])
            equity = windows.read(self.values, free ^ (1 << i), after, moved)
            if equity > best + EQUAL:
                best, chosen = equity, i + 1
        return chosen


def best_response(
    game: Game,
    theirs: Rule,
    *,
    draw: float = 0.5,
    progress: Progress | None = None,
    kept: Kept | None = None,
    device: str = CPU,
) -> Response:
    """The best response to an opponent who plays this rule; with ``device="cuda"`` made on a GPU.

    >>> from tentimes18.strategies.rules import greedy
    >>> game = Game.parse("1d6", "1-3")
    >>> round(best_response(game, greedy(game)).outcome.equity, 6)
    0.541667
    """
    return Response(game, theirs, draw, progress, kept, device)


def fixed_chances(
    game: Game,
    mine: Rule | None,
    theirs: Rule,
    *,
    draw: float = 0.5,
    progress: Progress | None = None,
    device: str = CPU,
) -> DuelChances:
    """The exact chances of one rule against another from every position; without a rule, I play at random.

    >>> from tentimes18.solve.rules import optimal_rule
    >>> game = Game.parse("1d6", "1-3")
    >>> round(fixed_chances(game, None, optimal_rule(game)).outcome.equity, 6)
    0.242284
    """
    gpu, is_optimal = on_gpu(device), isinstance(theirs, OptimalRule)
    admit_game(game, partial(response_plan, is_optimal=is_optimal, is_kept=gpu is not None, with_draws=True))
    windows = DuelWindows(game, half=False)
    slots = rule_slots(game, mine, progress=progress) if mine else same_everywhere(game, ANY)
    their_slots = rule_slots(game, theirs, progress=progress)
    all_at_once = None
    if gpu is not None:
        lists = one_slot(slots) if mine else all_slots(game)
        all_at_once = partial(_on_gpu, gpu, game, their_slots, lists, is_mean=mine is None)
    return DuelChances(windows, draw, partial(fill_fixed, slots, their_slots), progress, None, all_at_once)


def _on_gpu(
    gpu: Gpu, game: Game, theirs: Slots, mine: Slots, draw: float, progress: Progress | None, *, is_mean: bool = False
) -> Chances:
    return chances_on_gpu(gpu, game, theirs, mine, draw=draw, is_mean=is_mean, progress=progress)


def fixed_duel(game: Game, mine: Rule | None, theirs: Rule, *, draw: float = 0.5) -> Outcome:
    """The exact chances of one rule against another on the same rolls; without a rule, I play at random.

    >>> from tentimes18.strategies.rules import nearest
    >>> from tentimes18.solve.rules import optimal_rule
    >>> game = Game.parse("3d6", "1-5")
    >>> outcome = fixed_duel(game, nearest(game), optimal_rule(game))
    >>> round(outcome.win, 6), round(outcome.loss, 6)
    (0.076726, 0.071683)
    """
    return fixed_chances(game, mine, theirs, draw=draw).outcome


def player_slots(game: Game, player: Rule | Response | int, windows: DuelWindows) -> tuple[Slots, Hunter]:
    """How a player chooses, for kernels: slots or a number in their place, and the hunter that HUNTER stands for.

    A number is one of `kernels.types` that stand in place of a slot.

    >>> game = Game.parse("1d2", "1")
    >>> slots, _ = player_slots(game, ANY, DuelWindows(game, half=False))
    >>> slots.tolist()
    [[-1, -1], [-1, -1]]
    """
    if isinstance(player, Response):
        return same_everywhere(game, HUNTER), player.hunter
    return (same_everywhere(game, player) if isinstance(player, int) else rule_slots(game, player)), nobody(windows)


def nobody(windows: DuelWindows) -> Hunter:
    """What a kernel takes for a hunter where none plays.

    >>> nobody(DuelWindows(Game.parse("1d2", "1"), half=False)).theirs.tolist()
    [[0]]
    """
    return Hunter(np.zeros((1, 1), dtype=np.int8), np.zeros((1, 1, 1), dtype=np.int8), windows.table(np.zeros(1)))


@compiled()
def fill_best_response(
    order: Slots, theirs: Slots, moves: Moves, layer: DuelLayer, chances: Chances, mine_ranks: Ints
) -> None:
    """My chances with the best response to the slots theirs[B, x], for my sets of these ranks.

    Of slots with the same equity the first in order[A, x] is taken. Without room for the chances of a draw these are
    left out.
    """
    P, shifts = moves
    value, draw = chances
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    smaller_offsets, smaller_lows, smaller_sizes = layer.after
    widest = sizes.max()
    best, best_draw = np.empty(widest), np.empty(widest)
    places, begins = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    with_draws = len(draw) > 0
    for a in mine_ranks:
        A = sets[a]
        for b in range(len(sets)):
            size, offset, low = sizes[a, b], offsets[a, b], lows[a, b]
            B = sets[b]
            value[offset : offset + size] = 0.0
            if with_draws:
                draw[offset : offset + size] = 0.0
            for x in range(len(P)):
                j = theirs[B, x]
                rank_b = ranks[B ^ (1 << j)]
                inside, won = 0, size
                for line in range(k):
                    i = order[A, x, line]
                    rank_a = ranks[A ^ (1 << i)]
                    # Lead low + t becomes index t + move in the window of the smaller sets.
                    move = low + shifts[i, x] - shifts[j, x] - smaller_lows[rank_a, rank_b]
                    places[line] = smaller_offsets[rank_a, rank_b] + move
                    begins[line] = max(0, -move)
                    inside = max(inside, begins[line])
                    won = min(won, max(0, smaller_sizes[rank_a, rank_b] - move))
                lost = min(inside, won)  # with some of the moves, before this lead
                _take_open(value, places, begins, lost, best)
                _take_inside(value, places, lost, won, best)
                if with_draws:
                    _take_draws(value, draw, places, begins, won, best_draw)
                p, total = P[x], np.uint64(offset)
                for t in range(np.uint64(won)):
                    value[total + t] += p * best[t]
                for t in range(np.uint64(won), np.uint64(size)):
                    value[total + t] += p
                if with_draws:
                    for t in range(np.uint64(won)):
                        draw[total + t] += p * best_draw[t]


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
def _take_draws(value: Floats, draw: Floats, places: Ints, begins: Ints, end: int, best_draw: Floats) -> None:
    """The chance of a draw with the move that is best."""
    for t in range(end):
        best, drawn = 0.0, 0.0
        for line in range(len(places)):
            if t >= begins[line]:
                equity = value[places[line] + t]
                if line == 0 or equity > best + EQUAL:
                    best, drawn = equity, draw[places[line] + t]
        best_draw[t] = drawn


@compiled()
def fill_fixed(mine: Slots, theirs: Slots, moves: Moves, layer: DuelLayer, chances: Chances, mine_ranks: Ints) -> None:
    """As `fill_best_response`, with my slots mine[A, x], or ANY, instead of the best."""
    P, shifts = moves
    value, draw = chances
    ranks, sets = layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    smaller_offsets, smaller_lows, smaller_sizes = layer.after
    n = len(shifts)
    for a in mine_ranks:
        A = sets[a]
        k = 0
        for i in range(n):
            k += A >> i & 1
        for b in range(len(sets)):
            size = sizes[a, b]
            B = sets[b]
            total = value[offsets[a, b] : offsets[a, b] + size]
            drawn = draw[offsets[a, b] : offsets[a, b] + size]
            total[:] = 0.0
            drawn[:] = 0.0
            for x in range(len(P)):
                j = theirs[B, x]
                rank_b = ranks[B ^ (1 << j)]
                for i in range(n):
                    if not A >> i & 1 or (mine[A, x] >= 0 and mine[A, x] != i):
                        continue
                    p = P[x] if mine[A, x] >= 0 else P[x] / k
                    rank_a = ranks[A ^ (1 << i)]
                    move = lows[a, b] + shifts[i, x] - shifts[j, x] - smaller_lows[rank_a, rank_b]
                    begin = min(max(0, -move), size)
                    end = max(begin, min(size, smaller_sizes[rank_a, rank_b] - move))
                    place = smaller_offsets[rank_a, rank_b] + move
                    for t in range(begin, end):
                        total[t] += p * value[place + t]
                        drawn[t] += p * draw[place + t]
                    total[end:] += p
