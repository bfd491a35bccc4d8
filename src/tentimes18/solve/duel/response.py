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
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

from tentimes18.errors import InvalidGame
from tentimes18.game import Game, Number, slots_of
from tentimes18.kernels import thread_count
from tentimes18.solve.duel.layout import DuelLayout, Kept, Outcome
from tentimes18.solve.scores.laws import Rule, choice_array
from tentimes18.solve.thresholds import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Filled: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]

__all__ = ["DuelChances", "Response", "best_response", "fixed_chances", "fixed_duel", "rule_array"]

PARTS = 64
DIGITS = 13  # of a mean, as a share of the largest score; means with the same digits are the same


class DuelChances:
    """My chances from every position, one layer of positions from the one before by ``fill``.

    Equities are ``values``; where these come from an earlier time, ``draws`` are computed when they are asked for.
    """

    def __init__(
        self, layout: DuelLayout, draw: float, fill: Callable[..., None], progress: Progress | None, kept: Kept | None
    ) -> None:
        if not 0 <= draw <= 1:
            raise InvalidGame(f"{draw} is not the worth of a draw; accepted: 0 to 1", field="draw")
        self.layout = layout
        self.draw_worth = draw
        self._fill = fill
        if kept:
            self.values, _ = kept(layout.cells, lambda: (self._filled(progress)[0], {}))
        else:
            self.values, self.draws = self._filled(progress)

    def _filled(self, progress: Progress | None) -> "Filled":
        import numpy as np

        layout = self.layout
        values, draws = np.empty(layout.cells), np.empty(layout.cells)
        values[0], draws[0] = self.draw_worth, 1.0
        with ThreadPoolExecutor(thread_count()) as pool:
            for k in range(1, layout.game.size + 1):
                where = (*layout.layer(k), *layout.layer(k - 1))
                fill = partial(self._fill, layout.P, layout.shifts, layout.sets[k], layout.ranks, where, values, draws)
                # list: so that an error in a thread is raised here
                list(pool.map(fill, np.array_split(np.arange(len(layout.sets[k])), PARTS)))
                if progress:
                    progress(k, layout.game.size)
        return values, draws

    @cached_property
    def draws(self) -> "NDArray[np.float64]":
        """The chance of a draw from every position."""
        return self._filled(None)[1]

    @property
    def nbytes(self) -> int:
        """The memory of the tables, draws included."""
        return 2 * self.values.nbytes + self.layout.nbytes

    @property
    def outcome(self) -> Outcome:
        """The chances from two empty boards."""
        free = self.layout.game.all_free
        return self.at(free, free, 0)

    def at(self, free: int, opponent_free: int, lead: Number) -> Outcome:
        """The chances from a position."""
        position = free, opponent_free, self.layout.index(free, opponent_free, lead)
        drawn = self.layout.read(self.draws, *position, won=0.0)
        return Outcome.of(self.layout.read(self.values, *position), drawn, self.draw_worth)

    def equity(self, free: int, opponent_free: int, lead: Number) -> float:
        """The equity from a position."""
        return self.layout.read(self.values, free, opponent_free, self.layout.index(free, opponent_free, lead))


class Response(DuelChances):
    """The best reply to a rule, from every position; made by `best_response`.

    >>> from tentimes18.solve.scores.laws import optimal_rule
    >>> game = Game.parse("1d6", "1-3")
    >>> reply = best_response(game, optimal_rule(game))
    >>> round(reply.outcome.equity, 9), reply.choose(game.all_free, game.all_free, 0, 6)
    (0.5, 3)
    """

    def __init__(self, game: Game, theirs: Rule, draw: float, progress: Progress | None, kept: Kept | None) -> None:
        from tentimes18.kernels import response as kernel

        layout = DuelLayout(game, half=False, bytes_a_cell=16)
        self.theirs = choice_array(game, theirs)
        self.order = _slot_order(layout)
        super().__init__(layout, draw, partial(kernel.fill_response, self.order, self.theirs), progress, kept)

    def choose(self, free: int, opponent_free: int, lead: Number, roll: int) -> int:
        """The slot of the best reply; of equally good ones that with the best mean, and then the smaller one."""
        from tentimes18.kernels.duel_play import EQUAL

        layout = self.layout
        e = layout.index(free, opponent_free, lead)
        layout.game.verify_roll(roll)
        x = layout.game.dice.support.index(roll)
        j = int(self.theirs[opponent_free, x])
        after = opponent_free ^ (1 << j)
        best, chosen = -1.0, 0
        for i in self.order[free, x, : free.bit_count()].tolist():
            moved = e + int(layout.shifts[i, x] - layout.shifts[j, x])
            equity = layout.read(self.values, free ^ (1 << i), after, moved)
            if equity > best + EQUAL:
                best, chosen = equity, i + 1
        return chosen


def best_response(
    game: Game, theirs: Rule, *, draw: float = 0.5, progress: Progress | None = None, kept: Kept | None = None
) -> Response:
    """The best reply to an opponent who plays this rule.

    >>> from tentimes18.strategies.rules import greedy
    >>> game = Game.parse("1d6", "1-3")
    >>> round(best_response(game, greedy(game)).outcome.equity, 6)
    0.541667
    """
    return Response(game, theirs, draw, progress, kept)


def fixed_chances(
    game: Game, mine: Rule | None, theirs: Rule, *, draw: float = 0.5, progress: Progress | None = None
) -> DuelChances:
    """The exact chances of one rule against another from every position; without a rule, I play at random.

    >>> from tentimes18.solve.scores.laws import optimal_rule
    >>> game = Game.parse("1d6", "1-3")
    >>> round(fixed_chances(game, None, optimal_rule(game)).outcome.equity, 6)
    0.242284
    """
    from tentimes18.kernels import response as kernel

    layout = DuelLayout(game, half=False, bytes_a_cell=16)
    fill = partial(kernel.fill_fixed, rule_array(game, mine or kernel.ANY), choice_array(game, theirs))
    return DuelChances(layout, draw, fill, progress, None)


def fixed_duel(game: Game, mine: Rule | None, theirs: Rule, *, draw: float = 0.5) -> Outcome:
    """The exact chances of one rule against another on the same rolls; without a rule, I play at random.

    >>> from tentimes18.strategies.rules import nearest
    >>> from tentimes18.solve.scores.laws import optimal_rule
    >>> game = Game.parse("3d6", "1-5")
    >>> outcome = fixed_duel(game, nearest(game), optimal_rule(game))
    >>> round(outcome.win, 6), round(outcome.loss, 6)
    (0.076726, 0.071683)
    """
    return fixed_chances(game, mine, theirs, draw=draw).outcome


def rule_array(game: Game, rule: Rule | int) -> "NDArray[np.int8]":
    """The slots that a rule takes, as in `choice_array`, or one of the kernel's numbers everywhere."""
    import numpy as np

    if isinstance(rule, int):
        return np.full((1 << game.size, len(game.dice.support)), rule, dtype=np.int8)
    return choice_array(game, rule)


def _slot_order(layout: DuelLayout) -> "NDArray[np.int8]":
    """[A, x]: the slots of A, from 0, by the mean of what they lead to, the best first; filled up with -1."""
    import numpy as np

    n, rolls = layout.shifts.shape
    largest = max(1, layout.lattice.width(layout.game.all_free))
    M = np.zeros(1 << n)
    order = np.full((1 << n, rolls, n), -1, dtype=np.int8)
    for A in range(1, 1 << n):
        slots = np.array(slots_of(A)) - 1
        means = layout.shifts[slots].T + M[A ^ (1 << slots)]
        M[A] = layout.P @ means.max(axis=1)
        order[A, :, : len(slots)] = slots[np.argsort(-np.round(means / largest, DIGITS), axis=1, kind="stable")]
    return order
