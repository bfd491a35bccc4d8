"""The positions that two players come to: the exact law of a best response's score, and moves that depart from a rule.

Most positions of a duel cannot come about once the moves of both players are fixed: these are followed from the start,
layer by layer. Where the duel is decided, the best response plays for the mean whatever the other board is, so that
such positions differ in my free set alone. With i = i(p, x) the slot of the best response at position p, and p' the
position after it, the points still to come have the law

    L_p = Σ_x P(x) · (L_p' shifted by λ_i x),    L at the end = the law of 0 points.
"""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np

from tentimes18.duel import play_out as kernel
from tentimes18.duel.best_response import Response, player_slots
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import DuelWindows
from tentimes18.duel.plans import SECONDS_A_PATH_POINT, followed_plan
from tentimes18.duel.play_out import Laws, follow_rounds, outcome_of
from tentimes18.duel.slot_choice import ANY, OpponentSlots
from tentimes18.kernels.types import Bools, Floats, Ints, Slots
from tentimes18.plan import Plan, admit, admit_game
from tentimes18.solve.layers import Progress, apart
from tentimes18.solve.rule_slots import rule_slots
from tentimes18.solve.rules import Rule, optimal_rule
from tentimes18.solve.scores.float_laws import law_of_array, subset_sums
from tentimes18.solve.scores.score_law import ScoreLaw

Step: TypeAlias = tuple[Bools, Ints, Slots, Ints]
"""Of each position: whether it is open, its free set; by roll the slot taken, the number of the position after."""


@dataclass(frozen=True, slots=True)
class PathRound:
    """A round: how many open positions come about, and the chance that one does, with a move off the rule, or mixed."""

    positions: int
    is_open: float
    departs: float
    mixed: float


class ResponsePath:
    """A best response and the rule it answers, followed from two empty boards.

    >>> from tentimes18.game import Game
    >>> from tentimes18.duel.best_response import best_response
    >>> from tentimes18.solve.rules import optimal_rule
    >>> game = Game.parse("3d6", "1-5")
    >>> path = ResponsePath(best_response(game, optimal_rule(game)))
    >>> path.positions, round(path.law.mean, 6)
    (193, 170.532562)
    """

    def __init__(self, response: Response, progress: Progress | None = None) -> None:
        self.windows = windows = response.windows
        self._progress = progress
        free = windows.game.all_free
        self.steps: list[Step] = []
        self.ends = 1
        for positions, slots, after, found in response.follow(free, free, 0):
            self.steps.append((positions[:, 0] >= 0, positions[:, 1], slots, after))
            self.ends = len(found)
            if progress:
                progress(len(self.steps), 2 * windows.game.size)

    @property
    def positions(self) -> int:
        """How many open positions can come about."""
        return sum(int(is_open.sum()) for is_open, *_ in self.steps)

    @cached_property
    def law(self) -> ScoreLaw:
        """The law of the best response's score.

        Floats; no term is ever subtracted, so that even the rarest scores have a small relative error.
        """
        windows = self.windows
        widths = subset_sums(windows.shifts.max(axis=1))
        smaller = Laws(np.arange(self.ends + 1), np.ones(self.ends))
        for done, (_, sets, slots, after) in enumerate(reversed(self.steps), start=1):
            starts = np.concatenate([[0], np.cumsum(widths[sets] + 1)])
            _admit(16.0 * int(starts[-1]), SECONDS_A_PATH_POINT * int(starts[-1]) * len(windows.P))
            larger = Laws(starts, np.empty(starts[-1]))
            apart(partial(kernel.add_moves, windows.moves, slots, after, smaller, larger))
            smaller = larger
            if self._progress:
                self._progress(len(self.steps) + done, 2 * len(self.steps))
        return law_of_array(windows.lattice, windows.game.all_free, smaller.weights)

    def rounds(self, rule: Rule) -> list[PathRound]:
        """Round by round, how often the best response departs from a rule."""
        usual = rule_slots(self.windows.game, rule)
        result = []
        chances: Floats = np.ones(1)
        for is_open, sets, slots, after in self.steps:
            moves = chances[:, np.newaxis] * self.windows.P
            departs = is_open[:, np.newaxis] & (slots != usual[sets])
            open_chance, departed = float(chances[is_open].sum()), float(moves[departs].sum())
            result.append(PathRound(int(is_open.sum()), open_chance, departed, 0.0))
            chances = np.bincount(after.ravel(), moves.ravel()).astype(np.float64)
        return result


class EquilibriumPath:
    """An equilibrium and its opponent, followed from two empty boards.

    The opponent plays a rule, a best response to one, at random, or (without any of these) the same equilibrium.
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
        game = table.game
        admit_game(game, followed_plan)
        windows = DuelWindows(game, half=False)
        equilibrium = table.windows.table(table.values)
        usual = rule_slots(game, rule or optimal_rule(game))
        theirs, hunter = player_slots(game, opponent or ANY, windows)
        if opponent is None and not at_random:
            theirs = theirs[:0]
        followed = []
        for one in follow_rounds(equilibrium, windows, usual, OpponentSlots(theirs, hunter)):
            followed.append(one)
            if progress:
                progress(len(followed), game.size)
        self.rounds = [
            PathRound(one.found.positions, one.before, one.found.departed, one.found.mixed) for one in followed
        ]
        self.outcome = outcome_of(followed)


def _admit(memory: float, seconds: float) -> None:
    """How many positions there are is known only when they are followed."""
    admit(Plan("the list of the positions that this best response comes to", seconds, memory))
