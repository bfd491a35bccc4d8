"""The best response in a duel to a strategy that looks at its own free slots and the roll.

With the opponent's slot j = c(B, x) known, and V[A, B][e] my equity (win + draw · its worth),

    V[A, B][e] = Σ_x P(x) max_{i ∈ A} V[A - i, B - j][e + shift_i(x) - shift_j(x)],    V[∅, ∅] = 0, draw, 1

for e < 0, e = 0, e > 0. That answers the paper's question of how the best mean can be beaten. Without the maximum, i
being a rule of my own, it gives the exact result of any two rules. The chance of a draw is carried along the chosen
moves, and gives win and loss.

At a table of N players where all others play the same rule, they all have the same board: the same recursion, with a
draw worth 1/N.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tentimes18.errors import InvalidGame
from tentimes18.game import Game, Number, slots_of
from tentimes18.kernels import thread_count
from tentimes18.solve.duel import DuelLayout, Outcome
from tentimes18.solve.scores import Choice, choice_array
from tentimes18.solve.thresholds import Progress

__all__ = ["Response", "best_response", "fixed_duel"]

PARTS = 64


class Response:
    """The best reply to a rule, from every position; made by `best_response`.

    >>> from tentimes18.solve.scores import optimal_choice
    >>> game = Game.parse("1d6", "1-3")
    >>> reply = best_response(game, optimal_choice(game))
    >>> round(reply.outcome.equity, 9), reply.choose(game.all_free, game.all_free, 0, 6)
    (0.5, 3)
    """

    def __init__(self, game: Game, theirs: Choice, mine: Choice | None, draw: float, progress: Progress | None) -> None:
        import numpy as np

        from tentimes18.kernels import duel as kernel

        if not 0 <= draw <= 1:
            raise InvalidGame(f"draw: {draw} is not the worth of a draw; accepted: 0 to 1")
        self.layout = layout = DuelLayout(game, half=False, bytes_a_cell=16)
        self.draw_worth = draw
        self.values, self.draws = np.empty(layout.cells), np.empty(layout.cells)
        self.values[0], self.draws[0] = draw, 1.0
        self.theirs = choice_array(game, theirs)
        rule = choice_array(game, mine) if mine else self.theirs[:0]
        with ThreadPoolExecutor(thread_count()) as pool:
            for k in range(1, game.size + 1):
                where = (*layout.layer(k), *layout.layer(k - 1))
                fill = partial(
                    kernel.fill_response,
                    *(layout.P, layout.shifts, layout.sets[k], layout.ranks, rule, self.theirs, where),
                    *(self.values, self.draws),
                )
                # list: so that an error in a thread is raised here
                list(pool.map(fill, np.array_split(np.arange(len(layout.sets[k])), PARTS)))
                if progress:
                    progress(k, game.size)

    @property
    def outcome(self) -> Outcome:
        """The chances from two empty boards."""
        free = self.layout.game.all_free
        return self.at(free, free, 0)

    def at(self, free: int, opponent_free: int, lead: Number) -> Outcome:
        """The chances from a position."""
        equity, drawn = self._read(free, opponent_free, self.layout.index(free, opponent_free, lead))
        return Outcome.of(equity, drawn, self.draw_worth)

    def choose(self, free: int, opponent_free: int, lead: Number, roll: int) -> int:
        """The slot of the best reply; the smaller one of equally good ones."""
        layout = self.layout
        e = layout.index(free, opponent_free, lead)
        layout.game.verify_roll(roll)
        x = layout.game.dice.support.index(roll)
        j = int(self.theirs[opponent_free, x])
        after = opponent_free ^ (1 << j)
        best, chosen = -1.0, 0
        for slot in slots_of(free):
            moved = e + int(layout.shifts[slot - 1, x] - layout.shifts[j, x])
            equity, _ = self._read(free ^ (1 << (slot - 1)), after, moved)
            if equity > best + 1e-14:
                best, chosen = equity, slot
        return chosen

    def _read(self, free: int, opponent_free: int, e: int) -> tuple[float, float]:
        k = free.bit_count()
        offsets, lows, sizes = self.layout.layer(k)
        pair = self.layout.ranks[free], self.layout.ranks[opponent_free]
        t = e - int(lows[pair])
        if not 0 <= t < sizes[pair]:
            return (1.0 if t >= 0 else 0.0), 0.0
        place = int(offsets[pair]) + t
        return float(self.values[place]), float(self.draws[place])


def best_response(game: Game, theirs: Choice, *, draw: float = 0.5, progress: Progress | None = None) -> Response:
    """The best reply to an opponent who plays this rule.

    >>> from tentimes18.solve.rules import greedy
    >>> game = Game.parse("1d6", "1-3")
    >>> round(best_response(game, greedy(game)).outcome.equity, 6)
    0.541667
    """
    return Response(game, theirs, None, draw, progress)


def fixed_duel(game: Game, mine: Choice, theirs: Choice, *, draw: float = 0.5) -> Outcome:
    """The exact chances of one rule against another on the same rolls.

    >>> from tentimes18.solve.rules import nearest
    >>> from tentimes18.solve.scores import optimal_choice
    >>> game = Game.parse("3d6", "1-5")
    >>> outcome = fixed_duel(game, nearest(game), optimal_choice(game))
    >>> round(outcome.win, 6), round(outcome.loss, 6)
    (0.076726, 0.071683)
    """
    return Response(game, theirs, mine, draw, None).outcome
