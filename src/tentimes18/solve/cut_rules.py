"""Rules with k numbers: k rolls that cut the dice into k + 1 groups, each with its place among the free slots.

With m free slots, group g of 0, ..., k goes to the free slot of rank 1 + (g (m - 1) / k, rounded half up): the lowest
group to the lowest free slot, the highest to the highest, the others evenly between.

A rule that looks only at the rank has its mean in polynomial time. With r(x) the rank of roll x among j + 1 free slots,

    E_{j+1}[i] = P(r > i) E_j[i] + P(r < i) E_j[i-1] + E[x; r = i],    mean score = Σ λ_i E_n[i].

How well could any rule do that sees only the groups? To it, all rolls of a group are worth their mean. So its best mean
is the value of the game whose dice show the means of the groups. For k = 1 these dice have two sides, and low to the
lowest, high to the highest is as good as hindsight: no rule with one cut is better than ours.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb, lcm

from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.game import Game, slots_of
from tentimes18.limits import check_size
from tentimes18.solve.moments import rank_sums
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import Rule


@dataclass(frozen=True, slots=True)
class CutRule:
    """The best rule with these cuts, each the least roll of a group, and the best mean of any rule with as many."""

    cuts: tuple[int, ...]
    mean: Fraction
    most: Fraction


def cut_rule(game: Game, cuts: tuple[int, ...]) -> Rule:
    """The rule with these cuts.

    >>> [cut_rule(Game.classic(), (10, 13))(0b1111100000, roll) for roll in (9, 10, 13)]
    [6, 8, 10]
    """
    groups = _groups(game.dice, cuts)

    def choose(free: int, roll: int) -> int:
        slots = slots_of(free)
        return slots[_rank(groups[roll], len(slots), len(cuts))]

    return choose


def best_cuts(game: Game, k: int, progress: Progress | None = None) -> CutRule:
    """The best rule with k cuts, among all of them; of equally good ones that with the smallest cuts.

    >>> best = best_cuts(Game.classic(), 1)
    >>> best.cuts, float(best.mean), best.mean == best.most
    ((11,), 631.875, True)
    """
    dice, n = game.dice, game.size
    if not 1 <= k < len(dice.support):
        raise Ten18Error(f"{k} cuts; accepted: 1 to {len(dice.support) - 1}, one fewer than the rolls", "numbers")
    count, bits = comb(len(dice.support) - 1, k), n * dice.total.bit_length()
    check_size(f"the rules with {k} cuts on {n:,} slots", operations=count * n * (n * (2000 + bits) + 300))
    rules = []
    for done, cuts in enumerate(combinations(dice.support[1:], k), start=1):
        rules.append((cuts, cut_mean(game, cuts), _most(game, cuts)))
        if progress:
            progress(done, count)
    cuts, mean, _ = max(rules, key=lambda rule: rule[1])
    return CutRule(cuts, mean, max(most for *_, most in rules))


def cut_mean(game: Game, cuts: tuple[int, ...]) -> Fraction:
    """The mean score of the rule with these cuts."""
    dice, groups = game.dice, _groups(game.dice, cuts)
    row: list[int] = []
    for j in range(game.size):
        ranks = {x: _rank(group, j + 1, len(cuts)) for x, group in groups.items()}
        below, sums, _ = rank_sums(dice, ranks, j + 1)
        unit, last = dice.total**j, [*row, 0]  # nothing is below rank 0, or above the last one
        row = [sums[i] * unit + (dice.total - below[i + 1]) * last[i] + below[i] * last[i - 1] for i in range(j + 1)]
    dot = sum(multiplier * N for multiplier, N in zip(game.multipliers, row, strict=True))
    return Fraction(dot, dice.total**game.size)


def _most(game: Game, cuts: tuple[int, ...]) -> Fraction:
    """The best mean of a rule that sees only the groups: that of dice which show the means of the groups."""
    groups = _groups(game.dice, cuts)
    counts, sums = [0] * (len(cuts) + 1), [0] * (len(cuts) + 1)
    for x, count in zip(game.dice.support, game.dice.counts, strict=True):
        counts[groups[x]] += count
        sums[groups[x]] += count * x
    common = lcm(*counts)
    means = [common // count * total for count, total in zip(counts, sums, strict=True)]
    row: list[int] = []  # over total^j: E[clamp(mean, E[i-1], E[i])]
    for j in range(game.size):
        unit = game.dice.total**j
        far = max(map(abs, means)) * unit
        row = [
            sum(count * min(max(mean * unit, low), high) for mean, count in zip(means, counts, strict=True))
            for low, high in pairwise([-far, *row, far])
        ]
    dot = sum(multiplier * N for multiplier, N in zip(game.multipliers, row, strict=True))
    return Fraction(dot, game.dice.total**game.size * common)


def _groups(dice: Dice, cuts: tuple[int, ...]) -> dict[int, int]:
    return {x: sum(x >= cut for cut in cuts) for x in dice.support}


def _rank(group: int, m: int, k: int) -> int:
    """The rank, from 0, of a group's slot among m free ones."""
    return (2 * group * (m - 1) + k) // (2 * k)
