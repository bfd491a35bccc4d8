"""The exact law of a strategy's score.

A strategy that looks only at the free slots and the roll, i = c(A, x), makes points from the free set A with law

    L_A = Σ_x P(x) · (L_{A - i} shifted by λ_i x),    L_∅ = the law of 0 points,

one sum over sets of free slots of increasing size: two layers of them are kept. The law of the final score is that of
the points on the board plus L of its free set. Two strategies need no sets at all:

- `random` looks at nothing, so the rolls Y_1, ..., Y_n in the slots are independent: L is the law of Σ λ_i X_i.
- `hindsight` sorts. Let D_y[l] be the law of the points of all slots above the l lowest, given by the rolls > y. With k
  of the remaining l rolls equal to y, the slots l-k+1..l get y: D_{y'}[l-k] += binom(l, k) P(y)^k · (D_y[l] shifted by
  y (λ_{l-k+1} + ... + λ_l)), y' the next smaller roll. The law is D[0] after the smallest roll.

Exact laws are integers over total^n. A law is packed into one big integer, a fixed number of bytes for each score, so
that a shift of the law is a shift of the integer, and a sum of laws a sum.

A strategy that also looks at the score so far, i = c(A, s, x), is followed forwards: the law of (A, s) after each
round.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from math import comb
from typing import TYPE_CHECKING, Final, TypeAlias

from tentimes18.errors import IllegalMove, TooLarge
from tentimes18.game import Game, Number, mask_of, slots_of
from tentimes18.kernels import thread_count
from tentimes18.solve.lattice import Lattice, lattice_of
from tentimes18.solve.scores.law import ScoreLaw
from tentimes18.solve.thresholds import Progress, exact_thresholds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "OptimalRule",
    "Packing",
    "Rule",
    "ScoreRule",
    "choice_array",
    "float_rule_law",
    "hindsight_law",
    "law_of_array",
    "optimal_rule",
    "random_law",
    "rank_array",
    "rule_law",
    "score_rule_law",
    "verify_float_law",
]

Rule: TypeAlias = Callable[[int, int], int]
"""A slot for (free set, roll)."""
ScoreRule: TypeAlias = Callable[[int, Number, int], int]
"""A slot for (free set, score so far, roll)."""

MAX_EXACT_BYTES: Final = 4e10  # of packed laws to be shifted and added: about ten seconds
MAX_FLOAT_BYTES: Final = 2e9  # of the two largest neighbouring layers
MAX_WIDTH: Final = 20_000_000


def random_law(game: Game, free: int | None = None) -> ScoreLaw:
    """The law of the points from a free set under `random`.

    >>> float(random_law(Game.classic()).mean)
    577.5
    """
    free = game.all_free if free is None else free
    packing = Packing(game, free)
    packing.verify_work(4 * free.bit_count())
    law = 1
    for slot in slots_of(free):
        law = packing.placed(law, slot, range(len(game.dice.support)))
    return packing.unpack(law)


def hindsight_law(game: Game, free: int | None = None) -> ScoreLaw:
    """The law of the points from a free set under `hindsight`.

    >>> round(float(hindsight_law(Game.classic()).mean), 5)
    652.93403
    """
    free = game.all_free if free is None else free
    packing = Packing(game, free)
    packing.verify_work(free.bit_count() ** 2)
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
    return packing.unpack(D[0])


class OptimalRule:
    """The slot that `optimal` takes; of equally good ones the one with the smaller number."""

    def __init__(self, game: Game) -> None:
        rows = exact_thresholds(game.dice, game.size)
        self.ranks = [{x: row.rank(x) for x in game.dice.support} for row in rows]
        self.first_equal = [bisect_left(game.multipliers, multiplier) for multiplier in game.multipliers]

    def __call__(self, free: int, roll: int) -> int:
        """The best free slot for this roll."""
        slots = slots_of(free)
        if not slots:
            raise IllegalMove("the board is full")
        rank = self.ranks[len(slots) - 2][roll] if len(slots) > 1 else 1
        first = self.first_equal[slots[rank - 1] - 1]
        return next(slot for slot in slots if slot > first)


@lru_cache(maxsize=16)
def optimal_rule(game: Game) -> OptimalRule:
    """The rule of `optimal` for a game.

    >>> optimal_rule(Game.classic())(Game.classic().all_free, 9)
    4
    """
    return OptimalRule(game)


def rule_law(game: Game, choose: Rule, free: int | None = None, progress: Progress | None = None) -> ScoreLaw:
    """The exact law of the points from a free set under any rule that looks at the free slots and the roll.

    >>> law = rule_law(Game.classic(), optimal_rule(Game.classic()))
    >>> law.median, round(float(law.mean), 5)
    (646, 642.23935)
    """
    free = game.all_free if free is None else free
    packing = Packing(game, free)
    packing.verify_work(1 << free.bit_count())
    layer = {0: 1}
    for size, sets in enumerate(_layers(free), start=1):
        layer = {A: _one_roll_more(game, choose, packing, A, layer) for A in sets}
        if progress:
            progress(size, free.bit_count())
    return packing.unpack(layer[free])


def _one_roll_more(game: Game, choose: Rule, packing: "Packing", A: int, smaller: Mapping[int, int]) -> int:
    rolls_to: dict[int, list[int]] = {}
    for position, x in enumerate(game.dice.support):
        rolls_to.setdefault(choose(A, x), []).append(position)
    return sum(packing.placed(smaller[A ^ mask_of([slot])], slot, rolls) for slot, rolls in rolls_to.items())


def _layers(free: int) -> Iterator[list[int]]:
    """The subsets of a free set, all with one slot, all with two, and so on."""
    subsets: list[list[int]] = [[] for _ in range(free.bit_count() + 1)]
    A = free
    while A:
        subsets[A.bit_count()].append(A)
        A = (A - 1) & free
    return iter(subsets[1:])


def score_rule_law(game: Game, choose: ScoreRule, free: int | None = None, score: Number = 0) -> ScoreLaw:
    """The exact law of the final score under a rule that looks at the score so far as well.

    >>> game = Game.parse("1d2", "1,2")
    >>> score_rule_law(game, lambda free, score, roll: slots_of(free)[-1]).scores
    (3, 4, 5, 6)
    """
    free = game.all_free if free is None else free
    states: dict[int, dict[Number, int]] = {free: {score: 1}}
    for _ in range(free.bit_count()):
        after: dict[int, dict[Number, int]] = {}
        for A, law in states.items():
            for s, weight in law.items():
                for x, count in zip(game.dice.support, game.dice.counts, strict=True):
                    slot = choose(A, s, x)
                    target = after.setdefault(A ^ mask_of([slot]), {})
                    points = s + game.multipliers[slot - 1] * x
                    target[points] = target.get(points, 0) + weight * count
        states = after
    law = states[0]
    found = sorted(law)
    plain = tuple(int(s) if s == int(s) else s for s in found)
    weights = tuple(law[s] for s in found)
    return ScoreLaw(plain, weights, sum(weights))


def float_rule_law(game: Game, choose: Rule, free: int | None = None, progress: Progress | None = None) -> ScoreLaw:
    """The law of `rule_law` in float64, for games where exact numbers take too long.

    >>> round(float_rule_law(Game.classic(), optimal_rule(Game.classic())).mean, 9)
    642.239350426
    """
    free = game.all_free if free is None else free
    verify_float_law(game, free)
    return _float_law(game, free, choice_array(game, choose, free), progress)


def choice_array(game: Game, choose: Rule, free: int | None = None) -> "NDArray[np.int8]":
    """The slots that a rule takes, [free set, position of the roll]; slots are counted from 0 within ``free``."""
    import numpy as np

    from tentimes18.kernels import scores as kernel

    slots = slots_of(game.all_free if free is None else free)
    choices = np.zeros((1 << len(slots), len(game.dice.support)), dtype=np.int8)
    if isinstance(choose, OptimalRule):
        kernel.optimal_choices(rank_array(game), np.array(choose.first_equal)[[slot - 1 for slot in slots]], choices)
        return choices
    for A in range(1, len(choices)):
        mask = mask_of(slots[i] for i in range(len(slots)) if A >> i & 1)
        choices[A] = [slots.index(choose(mask, x)) for x in game.dice.support]
    return choices


def rank_array(game: Game) -> "NDArray[np.int64]":
    """The rank, from 0, of the free slot that `optimal` takes, [number of free slots, position of the roll]."""
    import numpy as np

    ranks = np.zeros((game.size + 1, len(game.dice.support)), dtype=np.int64)
    for k, row in enumerate(exact_thresholds(game.dice, game.size)[:-1], start=2):
        ranks[k] = [row.rank(x) - 1 for x in game.dice.support]
    return ranks


def verify_float_law(game: Game, free: int) -> None:
    """Raise ``TooLarge`` where two layers of laws would not fit in memory."""
    n = free.bit_count()
    # Two layers of half the width, and for each set its choices, width and place.
    cells = comb(min(n, 300), min(n, 300) // 2) * (lattice_of(game).width(free) + 2) + 8 * 2 ** min(n, 300)
    if cells * 8 > MAX_FLOAT_BYTES:
        raise TooLarge(
            f"the law of the score for {n} slots needs {cells * 8 / 10**9:.3g} GB in two layers of sets; "
            f"at most {MAX_FLOAT_BYTES / 1e9:.0f} GB: mean and variance alone (--moments) need no such table",
            field="slots",
        )


def _float_law(game: Game, free: int, choices: "NDArray[np.int8]", progress: Progress | None) -> ScoreLaw:
    import numpy as np

    from tentimes18.kernels import scores as kernel

    lattice = lattice_of(game)
    slots = slots_of(free)
    n = len(slots)
    P = np.array([count / game.dice.total for count in game.dice.counts])
    shifts = np.array([lattice.shifts[slot - 1] for slot in slots], dtype=np.int64).reshape(n, len(P))
    masks = np.arange(1 << n)
    widths = subset_sums(shifts.max(axis=1))
    sizes = np.bitwise_count(masks)
    offsets = np.zeros(1 << n, dtype=np.int64)
    law = np.ones(1)
    with ThreadPoolExecutor(thread_count()) as pool:
        for k in range(1, n + 1):
            sets = masks[sizes == k]
            ends = np.cumsum(widths[sets] + 1)
            offsets[sets[1:]] = ends[:-1]
            smaller, law = law, np.empty(ends[-1])
            fill = partial(kernel.fill_laws, P, shifts, choices, widths, offsets, smaller, law)
            # list: so that an error in a thread is raised here
            list(pool.map(fill, np.array_split(sets, thread_count())))
            if progress:
                progress(k, n)
    return law_of_array(lattice, free, law)


def subset_sums(values: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """The sum of the values of each set, by its mask."""
    import numpy as np

    sums = np.zeros(1 << len(values), dtype=np.int64)
    for i, value in enumerate(values):
        sums[1 << i : 2 << i] = sums[: 1 << i] + value
    return sums


def law_of_array(lattice: Lattice, free: int, law: "NDArray[np.float64]") -> ScoreLaw:
    """The law of points from a free set, from probabilities by index."""
    import numpy as np

    support = np.flatnonzero(law).tolist()
    return ScoreLaw(tuple(lattice.score(free, j) for j in support), tuple(law[support].tolist()), 1.0)


class Packing:
    """Laws of points from a free set as big integers, ``size`` bytes for each index of the lattice."""

    def __init__(self, game: Game, free: int) -> None:
        self.lattice: Lattice = lattice_of(game)
        self.counts = game.dice.counts
        self.free = free
        self.width = self.lattice.width(free)
        self.total: int = game.dice.total ** free.bit_count()
        self.size = self.total.bit_length() // 8 + 1
        if self.width > MAX_WIDTH:
            raise TooLarge(f"the score can take {self.width:,} values; at most {MAX_WIDTH:,}", field="slots")

    def verify_work(self, laws: int) -> None:
        """Raise ``TooLarge`` where so many laws take too long."""
        # Each set also takes Python about as long as moving 10 kB for every roll.
        work = min(laws, 2**300) * len(self.counts) * (min(self.width, 10**300) * self.size / 2 + 10_000)
        if work > MAX_EXACT_BYTES:
            raise TooLarge(
                f"the exact law for {self.free.bit_count()} slots moves {work:.1e} bytes; "
                f"at most {MAX_EXACT_BYTES:.0e}: use float64 (without --exact), or mean and variance alone (--moments)",
                field="slots",
            )

    def shifted(self, law: int, shift: int) -> int:
        """The law with so many units more."""
        moved: int = law << (8 * self.size * shift)
        return moved

    def only(self, law: int, kept: "NDArray[np.bool_]") -> int:
        """The part of the law at the indices that are kept."""
        import numpy as np

        return law & int.from_bytes(np.repeat(np.where(kept, 255, 0).astype(np.uint8), self.size).tobytes(), "little")

    def placed(self, law: int, slot: int, positions: Iterable[int]) -> int:
        """The law with one of these rolls more, placed in the slot; each roll as often as the dice show it."""
        shifts = self.lattice.shifts[slot - 1]
        return sum(self.counts[position] * self.shifted(law, shifts[position]) for position in positions)

    def unpack(self, law: int) -> ScoreLaw:
        """The law as scores and weights."""
        raw = law.to_bytes((self.width + 1) * self.size, "little")
        weights = (int.from_bytes(raw[self.size * j : self.size * (j + 1)], "little") for j in range(self.width + 1))
        found = {self.lattice.score(self.free, j): weight for j, weight in enumerate(weights) if weight}
        return ScoreLaw(tuple(found), tuple(found.values()), self.total)
