"""The exact law of a strategy's score.

A strategy that looks only at the free slots and the roll, i = c(A, x), makes points from the free set A with law

    L_A = Σ_x P(x) · (L_{A - i} shifted by λ_i x),    L_∅ = the law of 0 points,

one sum over sets of free slots of increasing size: two layers of them are kept. The law of the final score is that of
the points on the board plus L of its free set. Two strategies need no sets at all:

- `random` looks at nothing, so the rolls Y_1, ..., Y_n in the slots are independent: L is the law of Σ λ_i X_i.
- `hindsight` sorts. Let D_y[l] be the law of the points of all slots above the l lowest, given by the rolls > y. With k
  of the remaining l rolls equal to y, the slots l-k+1..l get y: D_{y'}[l-k] += binom(l, k) P(y)^k · (D_y[l] shifted by
  y (λ_{l-k+1} + ... + λ_l)), y' the next smaller roll. The law is D[0] after the smallest roll.

Exact laws are integers over total^n, packed into big integers (`solve.scores.packing`); `solve.scores.float_laws` has
them in float64.

A strategy that also looks at the score so far, i = c(A, s, x), is followed forwards: the law of (A, s) after each
round.
"""

from collections.abc import Iterator, Mapping
from math import comb

from tentimes18.game import Game, Number, mask_of, slots_of
from tentimes18.solve.layers import Progress
from tentimes18.solve.rules import Rule, ScoreRule
from tentimes18.solve.scores.packing import Packing
from tentimes18.solve.scores.plans import admit_law, hindsight_plan, random_plan, rule_plan, score_rule_plan
from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["hindsight_law", "random_law", "rule_law", "score_rule_law"]


def random_law(game: Game, free: int | None = None, progress: Progress | None = None) -> ScoreLaw:
    """The law of the points from a free set under `random`.

    >>> float(random_law(Game.classic()).mean)
    577.5
    """
    free = game.all_free if free is None else free
    admit_law(game, free, random_plan)
    packing = Packing(game, free)
    law = 1
    for done, slot in enumerate(slots_of(free), start=1):
        law = packing.placed(law, slot, range(len(game.dice.support)))
        if progress:
            progress(done**2, free.bit_count() ** 2)
    return packing.unpack(law)


def hindsight_law(game: Game, free: int | None = None, progress: Progress | None = None) -> ScoreLaw:
    """The law of the points from a free set under `hindsight`.

    >>> round(float(hindsight_law(Game.classic()).mean), 5)
    652.93403
    """
    free = game.all_free if free is None else free
    admit_law(game, free, hindsight_plan)
    packing = Packing(game, free)
    slots = slots_of(free)
    D = [0] * len(slots) + [1]
    for position in reversed(range(len(game.dice.support))):
        count = game.dice.counts[position]
        after = [0] * (len(slots) + 1)
        for l, law in enumerate(D):  # noqa: E741 (the paper's letter)
            shift = 0
            for k in range(l + 1 if law else 0):
                if k:
                    shift += packing.lattice.shifts[slots[l - k] - 1][position]
                after[l - k] += comb(l, k) * count**k * packing.shifted(law, shift)
        D = after
        if progress:
            progress(len(game.dice.support) - position, len(game.dice.support))
    return packing.unpack(D[0])


def rule_law(game: Game, rule: Rule, free: int | None = None, progress: Progress | None = None) -> ScoreLaw:
    """The exact law of the points from a free set under any rule that looks at the free slots and the roll.

    >>> from tentimes18.solve.rules import optimal_rule
    >>> law = rule_law(Game.classic(), optimal_rule(Game.classic()))
    >>> law.median, round(float(law.mean), 5)
    (646, 642.23935)
    """
    free = game.all_free if free is None else free
    admit_law(game, free, rule_plan)
    packing = Packing(game, free)
    layer = {0: 1}
    done = 0
    for sets in _layers(free):
        larger = {}
        for A in sets:
            larger[A] = _one_roll_more(game, rule, packing, A, layer)
            done += 1
            if progress:
                progress(done, (1 << free.bit_count()) - 1)
        layer = larger
    return packing.unpack(layer[free])


def _one_roll_more(game: Game, rule: Rule, packing: Packing, A: int, smaller: Mapping[int, int]) -> int:
    rolls_to: dict[int, list[int]] = {}
    for position, x in enumerate(game.dice.support):
        rolls_to.setdefault(rule(A, x), []).append(position)
    return sum(packing.placed(smaller[A ^ mask_of([slot])], slot, rolls) for slot, rolls in rolls_to.items())


def _layers(free: int) -> Iterator[list[int]]:
    """The subsets of a free set, all with one slot, all with two, and so on."""
    subsets: list[list[int]] = [[] for _ in range(free.bit_count() + 1)]
    A = free
    while A:
        subsets[A.bit_count()].append(A)
        A = (A - 1) & free
    return iter(subsets[1:])


def score_rule_law(game: Game, rule: ScoreRule, free: int | None = None, score: Number = 0) -> ScoreLaw:
    """The exact law of the final score under a rule that looks at the score so far as well.

    >>> game = Game.parse("1d2", "1,2")
    >>> score_rule_law(game, lambda free, score, roll: slots_of(free)[-1]).scores
    (3, 4, 5, 6)
    """
    free = game.all_free if free is None else free
    admit_law(game, free, score_rule_plan)
    states: dict[int, dict[Number, int]] = {free: {score: 1}}
    for _ in range(free.bit_count()):
        after: dict[int, dict[Number, int]] = {}
        for A, law in states.items():
            for s, weight in law.items():
                for x, count in zip(game.dice.support, game.dice.counts, strict=True):
                    slot = rule(A, s, x)
                    target = after.setdefault(A ^ mask_of([slot]), {})
                    points = s + game.multipliers[slot - 1] * x
                    target[points] = target.get(points, 0) + weight * count
        states = after
    law = states[0]
    found = sorted(law)
    plain = tuple(int(s) if s == int(s) else s for s in found)
    weights = tuple(law[s] for s in found)
    return ScoreLaw(plain, weights, sum(weights))
