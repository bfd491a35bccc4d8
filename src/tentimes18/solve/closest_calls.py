"""The closest calls: where the best slot and the runner-up differ least (the paper's section "Playing the game").

With k free slots λ_1 <= ... <= λ_k and E the row of k - 1 slots, moving a roll x from the slot of rank r to the next
one changes its value by (λ_{r+1} - λ_r)(x - E[r]). The values rise up to the best rank b and fall after it, so the
runner-up is next to the best slots, and loses (λ_{r+1} - λ_r) |x - E[r]|: a difference that depends on the
free set, times a distance that depends on k, r and x only. So the closest call over all 2^n free sets needs no table
over them.

Slots with the same multiplier are one group; let groups a and a' = a + 1 have g and g' slots, with l slots below a and
h above a'. In a set of k free slots, rank r is the last in group a and rank r + 1 the first in group a' in

    Σ_{i>=1} binom(g, i) binom(l, r-i) · Σ_{j>=1} binom(g', j) binom(h, k-r-j)

cases. The best rank b must be on the better side of the gap: b in a' (j >= b - r) or b in a (i >= r - b + 1).

Where x = E[r] exactly, ranks r and r + 1 are equally good: a tie, which is not a close call.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from math import comb

from tentimes18.game import Game, Number
from tentimes18.limits import check_size
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import exact_thresholds


@dataclass(frozen=True, slots=True)
class ClosestCall:
    """A roll and two neighbouring ranks among the free slots, decided by the smallest margin.

    ``free_sets`` counts the sets of ``free_count`` free slots where the call is that close; ``example`` is one of them.
    """

    loss: Fraction
    free_count: int
    roll: int
    best: int
    runner_up: int
    free_sets: int
    example: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """With ``free_count`` free slots, this roll is equally good in the slots of rank ``rank`` and ``rank + 1``."""

    free_count: int
    roll: int
    rank: int


@dataclass(frozen=True, slots=True)
class _Step:
    """Two neighbouring groups of equal multipliers, and how many slots lie below, in, and above them."""

    height: Number
    below: int
    lower: int
    upper: int
    above: int

    def free_sets(self, k: int, r: int, lower: int, upper: int) -> int:
        """Sets of k free slots with rank r last in the lower group, and at least these numbers free in the groups."""
        return sum(comb(self.lower, i) * comb(self.below, r - i) for i in range(lower, min(r, self.lower) + 1)) * sum(
            comb(self.upper, j) * comb(self.above, k - r - j) for j in range(upper, min(k - r, self.upper) + 1)
        )


def closest_calls(game: Game, *, first_move: bool = False, progress: Progress | None = None) -> list[ClosestCall]:
    """All calls with the smallest loss that is not zero, over the whole game or its first move.

    >>> [(call.roll, call.best, call.runner_up, round(float(call.loss), 5)) for call in
    ...  closest_calls(Game.classic(), first_move=True)]
    [(9, 4, 3, 0.03455), (12, 7, 8, 0.03455)]
    >>> [(call.free_count, call.roll, round(float(call.loss), 5)) for call in closest_calls(Game.classic())]
    [(7, 10, 0.02989), (7, 11, 0.02989)]
    """
    bits = game.size * game.dice.total.bit_length()
    widest = max(len(list(group)) for _, group in groupby(game.multipliers))
    gaps = 2 * game.size * len(game.dice.support) * widest
    operations = gaps * (12_000 + 5 * bits + bits**2 / 1400)
    check_size(f"the list of the closest calls on {game.size:,} slots", operations=operations)
    steps = sorted(_steps(game), key=lambda step: step.height)
    least: Fraction | None = None
    closest: list[_Gap] = []
    reported = 0
    for gap in _gaps(game, steps, first_move):
        if progress and gap.k != reported:
            reported = gap.k
            progress(reported**2, game.size**2)
        height = next((step.height for step in steps if gap.fits(step)), None)
        if height is None:
            continue
        loss = height * gap.distance
        if least is None or loss < least:
            least, closest = loss, []
        if loss == least:
            closest.append(gap)
    return [] if least is None else [_call(gap, steps, least) for gap in closest]


def exact_ties(game: Game, *, first_move: bool = False) -> list[Tie]:
    """Where a roll equals a threshold exactly; slots with equal multipliers tie in any case, and are not listed."""
    rows = exact_thresholds(game.dice, game.size)
    steps = _steps(game)
    return [
        Tie(k, x, r)
        for k in _sizes(game, first_move)
        for x in game.dice.support
        for r in range(rows[k - 2].rank(x), rows[k - 2].highest_rank(x))
        if any(_Gap(k, x, r, Fraction(0), r, 1, 1).fits(step) for step in steps)
    ]


def _sizes(game: Game, first_move: bool) -> range:
    return range(max(2, game.size if first_move else 2), game.size + 1)


@dataclass(frozen=True, slots=True)
class _Gap:
    """The roll x between ranks r and r + 1 of k free slots; the groups have at least ``lower`` and ``upper`` free."""

    k: int
    x: int
    r: int
    distance: Fraction
    best: int
    lower: int
    upper: int

    def fits(self, step: _Step) -> bool:
        """Whether some set of free slots has these ranks on the two sides of this step."""
        low = max(self.lower, self.r - step.below) <= min(self.r, step.lower)
        return low and max(self.upper, self.k - self.r - step.above) <= min(self.k - self.r, step.upper)


def _gaps(game: Game, steps: list[_Step], first_move: bool) -> Iterator[_Gap]:
    rows = exact_thresholds(game.dice, game.size)
    widest = max((max(step.lower, step.upper) for step in steps), default=0)
    for k in _sizes(game, first_move):
        row = rows[k - 2]
        for x in game.dice.support:
            lowest, highest = row.rank(x), row.highest_rank(x)
            for r in range(max(1, lowest - widest), lowest):
                yield _Gap(k, x, r, x - row[r - 1], best=r + 1, lower=1, upper=lowest - r)
            for r in range(highest, min(k, highest + widest)):
                yield _Gap(k, x, r, row[r - 1] - x, best=r, lower=r - highest + 1, upper=1)


def _call(gap: _Gap, steps: list[_Step], loss: Fraction) -> ClosestCall:
    closest = [step for step in steps if step.height * gap.distance == loss and gap.fits(step)]
    first = min(step.below + step.lower for step in closest) - gap.r + 1
    return ClosestCall(
        loss=loss,
        free_count=gap.k,
        roll=gap.x,
        best=gap.best,
        runner_up=2 * gap.r + 1 - gap.best,
        free_sets=sum(step.free_sets(gap.k, gap.r, gap.lower, gap.upper) for step in closest),
        example=tuple(range(first, first + gap.k)),
    )


def _steps(game: Game) -> list[_Step]:
    groups = [(multiplier, len(list(group))) for multiplier, group in groupby(game.multipliers)]
    steps = []
    below = 0
    for (low, lower), (high, upper) in pairwise(groups):
        steps.append(_Step(high - low, below, lower, upper, game.size - below - lower - upper))
        below += lower
    return steps
