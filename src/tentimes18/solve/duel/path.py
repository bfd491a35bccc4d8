"""The positions that two players come to: the exact law of a best reply's score, and moves that depart from a rule.

Most positions of a duel cannot come about once the moves of both players are fixed: these are followed from the start,
layer by layer. Where the duel is decided, the best reply plays for the mean whatever the other board is, so that such
positions differ in my free set alone. With i = i(p, x) the slot of the best reply at position p, and p' the position
after it, the points still to come have the law

    L_p = Σ_x P(x) · (L_p' shifted by λ_i x),    L at the end = the law of 0 points.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tentimes18.errors import TooLarge
from tentimes18.solve.duel.equilibrium import Equilibrium
from tentimes18.solve.duel.layout import DuelLayout, Outcome
from tentimes18.solve.duel.response import Response, rule_array
from tentimes18.solve.scores.law import ScoreLaw
from tentimes18.solve.scores.laws import Rule, choice_array, law_of_array, optimal_rule, subset_sums
from tentimes18.solve.thresholds import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Layer: TypeAlias = tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int8], NDArray[np.int64]]
    """Of each position: whether it is open, its free set; by roll the slot taken, the number of the position after."""

__all__ = ["EquilibriumPath", "PathRound", "ResponsePath"]

MAX_BYTES: Final = 2e9


@dataclass(frozen=True, slots=True)
class PathRound:
    """A round: how many open positions come about, and the chance that one does, with a move off the rule, or mixed."""

    positions: int
    is_open: float
    departs: float
    mixed: float


class ResponsePath:
    """A best reply and the rule it answers, followed from two empty boards.

    >>> from tentimes18.game import Game
    >>> from tentimes18.solve.duel.response import best_response
    >>> from tentimes18.solve.scores.laws import optimal_rule
    >>> game = Game.parse("3d6", "1-5")
    >>> path = ResponsePath(best_response(game, optimal_rule(game)))
    >>> path.positions, round(path.law.mean, 6)
    (193, 170.532562)
    """

    def __init__(self, response: Response) -> None:
        import numpy as np

        from tentimes18.kernels import duel_path as kernel

        self.layout = layout = response.layout
        game, rolls = layout.game, len(layout.P)
        hunter: Any = (response.theirs, response.order, layout.table(response.values))
        self.layers: list[Layer] = []
        positions = np.array([(layout.cells - 1, game.all_free, game.all_free, 0)])
        for k in range(game.size, 0, -1):
            _verify_bytes(len(positions) * rolls * 9 * k)
            slots = np.empty((len(positions), rolls), dtype=np.int8)
            keys = np.empty((len(positions), rolls), dtype=np.int64)
            kernel.follow_response(hunter, layout.ranks, layout.shifts, k, positions, layout.layer(k - 1), slots, keys)
            found, first, after = np.unique(keys, return_index=True, return_inverse=True)
            self.layers.append((positions[:, 0] >= 0, positions[:, 1], slots, after.reshape(keys.shape)))
            before, x = np.divmod(first, rolls)
            _, A, B, e = positions[before].T
            i, j = slots.ravel()[first].astype(np.int64), response.theirs[B, x].astype(np.int64)
            moved = e + layout.shifts[i, x] - layout.shifts[j, x]
            positions = np.stack([found, A ^ (1 << i), B ^ (1 << j), moved], axis=1)
        self.ends = len(positions)

    @property
    def positions(self) -> int:
        """How many open positions can come about."""
        return sum(int(is_open.sum()) for is_open, *_ in self.layers)

    @cached_property
    def law(self) -> ScoreLaw:
        """The law of the best reply's score.

        Floats; no term is ever subtracted, so that even the rarest scores have a small relative error.
        """
        import numpy as np

        from tentimes18.kernels import duel_path as kernel

        layout = self.layout
        widths = subset_sums(layout.shifts.max(axis=1))
        smaller, smaller_starts = np.ones(self.ends), np.arange(self.ends + 1)
        for _, sets, slots, after in reversed(self.layers):
            starts = np.concatenate([[0], np.cumsum(widths[sets] + 1)])
            _verify_bytes(8 * int(starts[-1]))
            larger = np.empty(starts[-1])
            kernel.add_moves(layout.P, layout.shifts, slots, after, starts, smaller_starts, smaller, larger)
            smaller, smaller_starts = larger, starts
        return law_of_array(layout.lattice, layout.game.all_free, smaller)

    def rounds(self, rule: Rule) -> list[PathRound]:
        """Round by round, how often the best reply departs from a rule."""
        import numpy as np

        choices = choice_array(self.layout.game, rule)
        result = []
        chances: NDArray[np.float64] = np.ones(1)
        for is_open, sets, slots, after in self.layers:
            moves = chances[:, np.newaxis] * self.layout.P
            departs = is_open[:, np.newaxis] & (slots != choices[sets])
            open_chance, departed = float(chances[is_open].sum()), float(moves[departs].sum())
            result.append(PathRound(int(is_open.sum()), open_chance, departed, 0.0))
            chances = np.bincount(after.ravel(), moves.ravel()).astype(np.float64)
        return result


class EquilibriumPath:
    """An equilibrium and its opponent, followed from two empty boards.

    The opponent plays a rule, a best reply to one, at random, or (without any of these) the same equilibrium.
    ``outcome`` is the opponent's, as `Equilibrium.against` computes it the other way round, from all positions back to
    the start; this is faster. ``rounds`` says how often the equilibrium departs from a rule, by default `optimal`, and
    mixes.

    >>> from tentimes18.game import Game
    >>> game = Game.parse("1d6", "1-4")
    >>> table, optimal = Equilibrium(game), optimal_rule(game)
    >>> path = EquilibriumPath(table, optimal)
    >>> [round(one.departs, 4) for one in path.rounds]
    [0.3333, 0.0041, 0.0407, 0.0]
    >>> abs(path.outcome.equity - table.against(optimal).equity) < 1e-12
    True
    """

    def __init__(
        self,
        table: Equilibrium,
        opponent: Rule | Response | None = None,
        *,
        at_random: bool = False,
        rule: Rule | None = None,
        progress: Progress | None = None,
    ) -> None:
        import numpy as np

        from tentimes18.kernels import duel, duel_path
        from tentimes18.kernels.response import ANY

        layout = DuelLayout(table.game, half=False, bytes_a_cell=8)
        flat: Any = table.layout.table(table.values)
        choices = choice_array(table.game, rule or optimal_rule(table.game))
        theirs = choices[:0]
        hunter: Any = (theirs, np.zeros((1, 1, 1), dtype=np.int8), flat)
        if isinstance(opponent, Response):
            theirs = rule_array(table.game, duel.HUNTER)
            hunter = (opponent.theirs, opponent.order, opponent.layout.table(opponent.values))
        elif at_random or opponent is not None:
            theirs = rule_array(table.game, opponent or ANY)
        self.rounds: list[PathRound] = []
        win = loss = 0.0
        chances = np.ones(1)
        for k in range(table.game.size, 0, -1):
            after = np.zeros(int(layout.sizes[k - 1].sum()))
            where = layout.layer(k), layout.layer(k - 1)
            count, mixed, departed, won, lost = duel_path.follow_equilibrium(
                *(flat, layout.P, layout.shifts, layout.sets[k], layout.ranks, k, where, (choices, theirs)),
                *(hunter, chances, after),
            )
            self.rounds.append(PathRound(count, float(chances.sum()), departed, mixed))
            win, loss, chances = win + lost, loss + won, after
            if progress:
                progress(table.game.size - k + 1, table.game.size)
        draw = float(chances.sum())
        self.outcome = Outcome(win + draw / 2, win, draw, loss)


def _verify_bytes(size: int) -> None:
    if size > MAX_BYTES:
        raise TooLarge(
            f"the positions that this best reply comes to need {size:.1e} bytes; at most {MAX_BYTES:.0e}: "
            "use fewer slots, coarser dice, or simulate it with `duel play`",
            field="slots",
        )
