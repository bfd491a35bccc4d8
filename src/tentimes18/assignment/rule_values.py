"""What a rule is worth: its value, its loss against the best, and the distribution of its worth.

**A rule with thresholds.** With f slots free let W_f[i] be the expected value, from here on, in the slot of rank i (the
best has rank 1). A value goes to rank r with probability P_r - P_{r-1}, where P_r = P(X > t_r), and has there the mean
M_r - M_{r-1}, where M_r = E[X; X > t_r]. A slot below it keeps its rank less one, a slot above it keeps its rank, so

    W_f[i] <- M_i - M_{i-1} + P_{i-1} W_{f-1}[i-1] + (P_f - P_i) W_{f-1}[i] + (1 - P_f) W_f[i],

without the multipliers. Of equal slots the sum of all W_f[i] is enough, and the least threshold. A seller gets
t_r P(X >= t_r) in the place of M_r. In time, at rate λ, the right side less W_f[i], times λ, is the slope of W_f[i].

**Any other rule** of values that are finite goes forwards through the sets of free slots. That also gives the
distribution of the worth, if the worth is part of the state. What is too large for that is simulated: the expected loss
of a rule is the sum of the expected losses of its choices, which varies much less than its worth.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from importlib import import_module
from itertools import accumulate
from math import exp, inf, lgamma, log, sqrt
from typing import Any

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.assignment.arrival_models import EXACT_COST
from tentimes18.assignment.arrivals import Endless, stream_of
from tentimes18.assignment.distributions import FiniteDistribution, ValueDistribution, is_number
from tentimes18.assignment.poisson_arrivals import PoissonModel
from tentimes18.assignment.policy import ErrorKind, Policy, frame
from tentimes18.assignment.rules import Course, Row, Rule, constant_row, static_price
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size

ROUNDING = 2.0**-53
MAX_MOVES = 2_000_000  # from state to state: what takes more is simulated
EXACT_MOVE = 10  # of these in Fractions
STEPS_PER_ARRIVAL, FEWEST_STEPS = 4, 64  # of an integral in time
PRICES = 24  # tried at first for the best static price
GOLDEN = (sqrt(5.0) - 1.0) / 2.0
REFINED = 30  # steps of a golden section between the neighbours of the best one


class Worth:
    """The distribution of a worth: values, increasing, and their probabilities; or what simulated games were worth.

    >>> worth = Worth([0, 1, 3], [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)])
    >>> worth.mean, worth.variance, worth.quantile(0.5), worth.at_least(1), worth.cvar(0.75)
    (Fraction(1, 1), Fraction(3, 2), 0, Fraction(1, 2), 0.3333333333333333)
    """

    def __init__(self, values: Sequence[Any], chances: Sequence[Any], games: int | None = None) -> None:
        self.values, self.chances, self.games = tuple(values), tuple(chances), games

    def __repr__(self) -> str:
        source = "exact" if self.games is None else f"of {self.games:,} games"
        return f"Worth({source}, mean {float(self.mean):.7g}, sd {self.sd:.6g})"

    @cached_property
    def mean(self) -> Any:
        return sum(value * chance for value, chance in zip(self.values, self.chances, strict=True))

    @cached_property
    def variance(self) -> Any:
        return sum((value - self.mean) ** 2 * chance for value, chance in zip(self.values, self.chances, strict=True))

    @property
    def sd(self) -> float:
        return sqrt(self.variance)

    def quantile(self, chance: float) -> Any:
        """The least worth t with P(worth <= t) >= chance."""
        _verify_chance(chance)
        reached = accumulate(self.chances)
        slack = 0.0 if isinstance(self.chances[0], Fraction) else 1e-12
        return next((t for t, p in zip(self.values, reached, strict=True) if p >= chance - slack), self.values[-1])

    def at_least(self, worth: float | Fraction) -> Any:
        """P(worth >= t)."""
        return sum(chance for value, chance in zip(self.values, self.chances, strict=True) if value >= worth)

    def cvar(self, chance: float) -> float:
        """The mean of the worst games, this share of all."""
        _verify_chance(chance)
        rest, total = float(chance), 0.0
        for value, p in zip(self.values, self.chances, strict=True):
            part = min(rest, float(p))
            total += part * float(value)
            rest -= part
        return (total + max(rest, 0.0) * float(self.values[-1])) / float(chance)


def _verify_chance(chance: float) -> None:
    if not is_number(chance) or not 0 < chance <= 1:
        raise Ten18Error("must be above 0, at most 1", "chance", chance)


@dataclass(frozen=True)
class Evaluation:
    """What a rule is worth in a problem.

    ``error`` is that of the value: 0 for exact numbers, a bound, an estimate (of arrivals in time), or the standard
    error of simulated games, as ``error_kind`` says.
    """

    rule: str
    value: Any
    error: float
    error_kind: ErrorKind
    policy: Policy[Any] = field(repr=False, compare=False)
    _distribution: Callable[[], Worth] = field(repr=False, compare=False)

    @property
    def loss(self) -> Any:
        """What the rule loses against the optimal policy."""
        return self.policy.value - self.value

    @property
    def ratio(self) -> float:
        """The value as a share of hindsight: what a prophet inequality bounds."""
        return float(self.value) / float(self.policy.hindsight) if self.policy.hindsight else 1.0

    @cached_property
    def distribution(self) -> Worth:
        """The distribution of the worth; that of simulated games where it is not finite, or too large."""
        return self._distribution()


@dataclass(frozen=True)
class Comparison:
    """Rules side by side, the best first: as a text, a data frame or a picture."""

    evaluations: tuple[Evaluation, ...]
    fluid_bound: float

    def rows(self) -> list[tuple[str, float, float | None, float]]:
        """Name, value, loss and share of hindsight: of each rule, of hindsight and of the fluid bound."""
        hindsight = float(self.evaluations[0].policy.hindsight)
        rows = [(each.rule, float(each.value), float(each.loss), each.ratio) for each in self.evaluations]
        ends = (("hindsight", hindsight), ("fluid bound", self.fluid_bound))
        return [*rows, *((name, worth, None, worth / hindsight if hindsight else 1.0) for name, worth in ends)]

    def __repr__(self) -> str:
        rows = self.rows()
        width = max(len(row[0]) for row in rows)
        lines = [f"{'rule':{width}} {'value':>12} {'loss':>10} {'of hindsight':>13}"]
        for name, value, loss, ratio in rows:
            shown = "" if loss is None else f"{loss:.4g}"
            lines.append(f"{name:{width}} {value:12.7g} {shown:>10} {ratio:13.2%}")
        return "\n".join(lines)

    def to_frame(self) -> Any:
        """A data frame of pandas with a row for each rule."""
        names = ["value", "loss", "ratio", "error", "error_kind"]
        rows = [[getattr(each, name) for name in names] for each in self.evaluations]
        return frame(rows, [each.rule for each in self.evaluations], "rule", names)

    def plot(self) -> Any:
        """A figure of matplotlib: what each rule loses."""
        return import_module("tentimes18.pictures.plot_assignment").plot_comparison(self)


def evaluate(course: Course, rule: Rule, games: int, seed: int) -> Evaluation:
    """The value of a rule: exactly or within a bound where that is possible."""
    if isinstance(games, bool) or not isinstance(games, int) or games < 2:
        raise Ten18Error("at least two games are required", "games", games)
    policy = course.policy
    kind: ErrorKind = "exact" if course.exact else "bound"
    if rule.name == "static_price":
        rule = static_price(best_static_price(course))

    def worth() -> Worth:
        if isinstance(course.problem.arrivals, Endless):
            raise Ten18Error("the worth of endless arrivals has no table; accepted: an end", "arrivals")
        found = _forwards(course, rule, with_worth=True)
        if found is not None:
            values, chances = zip(*sorted(found.items()), strict=True)
            return Worth(values, chances)
        if rule.name == "optimal" and not course.problem.revenue:
            return _of_games(policy.worths(games, seed))
        return _of_games(_simulated(course, rule, games, seed)[0])

    def evaluation(value: Any, error: float, kind: ErrorKind, distribution: Callable[[], Worth] = worth) -> Evaluation:
        return Evaluation(rule.name, value, error, kind, policy, distribution)

    if rule.name == "optimal":
        return evaluation(policy.value if course.exact else float(policy.value), policy.error, policy.error_kind)
    if rule.thresholds is not None and course.rounds is not None:
        return evaluation(*_value_in_rounds(course, rule.thresholds(course), rule.constant), kind)
    if rule.thresholds is not None and isinstance(policy.model, PoissonModel):
        return evaluation(*_value_in_time(course, rule.thresholds(course), rule.constant), "estimate")
    mean = _forwards(course, rule, with_worth=False)
    if mean is not None:
        return evaluation(mean[0], 0.0 if course.exact else _rounding(course), kind)
    if course.exact:
        why = "is too large for exact numbers"
        if course.problem.batches is not None or course.problem.ahead:
            why = "has no exact value where values are seen together or ahead"
        raise Ten18Error(f"{why}; accepted: exact=False, which simulates it", "rule", rule.name)
    worths, losses = _simulated(course, rule, games, seed)
    value = float(worths.mean()) if losses is None else float(policy.value) - float(losses.mean())
    error = float((worths if losses is None else losses).std(ddof=1)) / sqrt(games)
    return evaluation(value, error, "standard error", partial(_of_games, worths))


def _of_games(worths: Floats) -> Worth:
    values, counts = np.unique(worths, return_counts=True)
    return Worth(values.tolist(), (counts / len(worths)).tolist(), len(worths))


def _rounding(course: Course) -> float:
    """A bound of what going forwards rounds: products of the probabilities of all rounds, and sums of their atoms."""
    dists = course.problem.distributions
    atoms = sum(len(dist.values) for dist in dists if isinstance(dist, FiniteDistribution))
    unit = float(sum(course.policy.multipliers)) * max(max(map(abs, dist.support)) for dist in dists)
    length = course.policy.model.length
    return unit * length * (8.0 * ROUNDING * (atoms + 2) + max(dist.error for dist in dists))


# Rules with thresholds, backwards.


def _levels(course: Course, row: Row, left: Any, count: int, known: Any) -> list[Any]:
    """The thresholds for this number of free slots, best first."""
    given = row(left, count, known) if count else []
    levels = sorted(given, reverse=True) if isinstance(given, Sequence | np.ndarray) else [given] * count
    if not course.exact:  # as the values are rounded, so that one that is equal stays equal
        levels = [float(level) for level in levels]
    if len(levels) != count:
        raise Ten18Error(f"has {len(levels)} thresholds for {count} free slots", "rule")
    if course.problem.must_fill and left is not None and count > left and course.rounds is not None:
        levels[-1] = -inf  # whatever comes must be placed
    return levels


def _moments(course: Course, dist: ValueDistribution, levels: list[list[Any]]) -> tuple[Any, Any]:
    """P(X > t) and E[X; X > t], [number of free slots, rank]; of a seller P(X >= t) and t P(X >= t)."""
    size = len(levels)
    table = [[inf, *row, *([row[-1] if row else inf] * (size - 1 - len(row)))] for row in levels]
    if course.has_equal_slots:
        table = [row[-1:] for row in table]
    sells = course.policy.seller is not None
    if course.exact:
        known = {level: _exact_moments(dist, level, sells) for level in {t for row in table for t in row}}
        both = np.array([[known[t] for t in row] for row in table], dtype=object)
        return both[:, :, 0], both[:, :, 1]
    t = np.array(table, dtype=np.float64)
    inside = np.where(np.isfinite(t), t, 0.0)
    chances = np.where(np.isfinite(t), dist.above(np.nextafter(inside, -inf) if sells else inside), t < 0)
    parts = inside * chances + (0.0 if sells else np.where(np.isfinite(t), dist.excess(inside), (t < 0) * dist.mean))
    return chances, parts


def _exact_moments(dist: ValueDistribution, level: Any, sells: bool) -> tuple[Fraction, Fraction]:
    if level in (inf, -inf):
        return (Fraction(0), Fraction(0)) if level > 0 else (Fraction(1), dist.exact_mean())
    t = Fraction(level)
    chance = dist.exact_above(t)
    if not sells:
        return chance, dist.exact_excess(t) + t * chance
    if isinstance(dist, FiniteDistribution):
        chance = sum((p for value, p in dist.exact_atoms() if value >= t), Fraction(0))
    return chance, t * chance


def _stepped(P: Any, M: Any, W: Any) -> Any:
    """W before a value, [number of free slots, rank], from what it is after it."""
    behind = np.zeros_like(W)
    behind[1:] = W[:-1]  # one slot less is free
    if W.shape[1] == 1:  # equal slots, all together
        return M + P * behind + (1 - P) * W
    moved = behind.copy()
    moved[:, 1:] = behind[:, :-1] * P[:, :-1]
    moved[:, 1:] += M[:, 1:] - M[:, :-1]
    every = P[:, -1:]
    found = moved + (every - P) * behind + (1 - every) * W
    found[:, 0] = 0
    return found


def _worth_of(course: Course, W: Any) -> Any:
    """Σ multiplier × value, with all slots free."""
    multipliers = sorted(course.policy.multipliers, reverse=True)
    if course.has_equal_slots:
        return multipliers[0] * W[-1, 0]
    return sum(m * value for m, value in zip(multipliers, W[-1, 1:], strict=True) if m)


def _value_in_rounds(course: Course, row: Row, constant: bool) -> tuple[Any, float]:
    rounds = course.rounds
    assert rounds is not None
    N, n, choices, regimes = rounds.size, course.n, rounds.choices, rounds.regimes
    S, dtype = choices.shape[1], object if course.exact else np.float64
    cost, columns = EXACT_COST if course.exact else 1.0, 1 if course.has_equal_slots else n + 1
    check_size("the value of this rule", operations=30.0 * cost * N * S * (n + 1) * columns, field="arrivals")
    begin, chain = rounds.chain(dtype)
    dists = rounds.dists if course.policy.seller is None else course.problem.distributions
    W: Any = np.zeros((S, n + 1, columns), dtype=dtype)
    saved: dict[Any, tuple[Any, Any]] = {}
    error = 0.0
    for left in range(N):
        t = N - 1 - left
        factor: Any = rounds.factors[t] if left else 1
        after = W if S == 1 else np.tensordot(chain, W, axes=1)
        if factor != 1:
            after = factor * after
        W = np.empty_like(after)
        wrong = 0.0
        for s in range(S):
            dist, known = dists[choices[t, s]], None if regimes is None else s
            key = (choices[t, s], rounds.chances[t], known, min(left, n))
            if key not in saved or not constant:
                shown = None if isinstance(course.problem.arrivals, Endless) else left
                levels = [_levels(course, row, shown, count, known) for count in range(n + 1)]
                P, M = _moments(course, dist, levels)
                saved = {**saved, key: (P, M)} if constant else {key: (P, M)}
            P, M = (rounds.chances[t] * each for each in saved[key])
            W[s] = _stepped(P, M, after[s])
            if not course.exact:
                most, size = float(np.abs(M).max()), float(np.abs(after[s]).max())
                relative = dist.above_error + 8 * ROUNDING
                wrong = max(wrong, 4 * (relative + dist.error) * (most + size) + 2 * dist.cells.floor)
        error = float(factor) * error + wrong
    start = sum(share * _worth_of(course, W[s]) for s, share in enumerate(begin))
    if isinstance(course.problem.arrivals, Endless):  # values that count less than nothing
        error += dists[0].excess(0.0) * float(course.problem.discount) ** N / (1 - float(course.problem.discount))
    value = rounds.starts * start
    if course.exact:
        return value, 0.0
    return float(value), error * float(course.policy.multipliers[0] if columns == 1 else sum(course.policy.multipliers))


def _value_in_time(course: Course, row: Row, constant: bool) -> tuple[float, float]:
    """Of Poisson arrivals; what is constant needs their number alone, all else is integrated with two step sizes."""
    model, n, dist = course.policy.model, course.n, course.problem.distributions[0]
    assert isinstance(model, PoissonModel)
    clock, decay = model.clock, -log(float(course.problem.discount))

    def moments(left: float) -> tuple[Any, Any]:
        return _moments(course, dist, [_levels(course, row, left, count, None) for count in range(n + 1)])

    if constant and not decay:
        P, M = moments(clock.until)
        W, total = np.zeros_like(P), 0.0
        for number in range(model.length):
            total += exp(number * log(clock.total) - clock.total - lgamma(number + 1)) * _worth_of(course, W)
            W = _stepped(P, M, W)
        return total, 1e-12 * abs(total)
    coarse, fine = (_integrated(course, moments, clock, decay, parts) for parts in (1, 2))
    return fine + (fine - coarse) / 15, abs(fine - coarse)


def _integrated(course: Course, moments: Callable[[float], Any], clock: Any, decay: float, parts: int) -> float:
    """The method of Runge and Kutta, from the deadline backwards, on each cell of the clock."""
    W: Floats = np.zeros((course.n + 1, 1 if course.has_equal_slots else course.n + 1))

    def slope(left: float, at: tuple[Any, Any], W: Floats) -> Floats:
        rate = float(clock.rate(np.array([clock.until - left]))[0])
        found: Floats = rate * (_stepped(*at, W) - W) - decay * W
        return found

    ends = clock.until - clock.edges[::-1]
    for begin, end, arrivals in zip(ends, ends[1:], np.diff(clock.counts)[::-1], strict=False):
        share = FEWEST_STEPS * (end - begin) / clock.until
        steps = parts * (int(share + STEPS_PER_ARRIVAL * arrivals) + 1)
        check_size("the value of this rule", operations=200.0 * steps * (course.n + 1) ** 2, field="rate")
        h = (end - begin) / steps
        inside = 1e-9 * h  # the rate may jump at the end of a cell
        first = moments(begin)
        for step in range(steps):
            now = begin + step * h
            middle, last = moments(now + h / 2), moments(min(now + h, clock.until))
            one = slope(now + inside, first, W)
            two = slope(now + h / 2, middle, W + h / 2 * one)
            three = slope(now + h / 2, middle, W + h / 2 * two)
            four = slope(now + h - inside, last, W + h * three)
            W = W + h / 6 * (one + 2 * two + 2 * three + four)
            first = last
    return float(_worth_of(course, W))


def best_static_price(course: Course) -> float | Fraction:
    """The price with the largest value: of all values of a finite distribution, else by a golden section."""
    dists = course.problem.distributions

    def value(price: Any) -> Any:
        if course.rounds is not None:
            return _value_in_rounds(course, constant_row(price), constant=True)[0]
        if isinstance(course.policy.model, PoissonModel):
            return _value_in_time(course, constant_row(price), constant=True)[0]
        raise Ten18Error("no best price is known for batches; accepted: static_price:120", "rule")

    finite = [dist for dist in set(dists) if isinstance(dist, FiniteDistribution)]
    if len(finite) == len(set(dists)) and sum(len(dist.values) for dist in finite) <= 8 * PRICES:
        values = [[x for x, _ in dist.exact_atoms()] if course.exact else dist.values.tolist() for dist in finite]
        return max(sorted({course.floor, *(max(x, course.floor) for row in values for x in row)}), key=value)
    if course.exact:
        raise Ten18Error("the best price of these values is not exact; accepted: a price", "rule", "static_price")
    groups = course.to_come(everything=True)
    whole = sum(weight for weight, _, _ in groups)
    levels = course.levels(groups, [whole * k / (PRICES + 1) for k in range(PRICES + 1, 0, -1)] + [whole * 1e-3])
    grid = sorted({max(level, -1e300) for level in levels})
    best = max(range(len(grid)), key=[value(price) for price in grid].__getitem__)
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    for _ in range(REFINED):
        a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, b) if value(a) >= value(b) else (a, high)
    return max(grid[best], (low + high) / 2, key=value)


# Any rule, forwards.


def _chooser(course: Course, rule: Rule) -> Callable[..., tuple[int | None, Any]]:
    """(value, free, left, known, seen) -> a slot, or None, and what it costs a buyer for whom it has a price."""
    multipliers = course.policy.multipliers
    if rule.choices is not None:
        if course.problem.revenue:
            problem = "a seller posts prices; accepted: a rule with thresholds, such as a table"
            raise Ten18Error(problem, "rule", rule.name)
        choose = rule.choices(course)

        def choice(value: Any, free: Sequence[int], left: Any, known: Any, seen: Sequence[Any]) -> Any:
            slot = choose(value, free, left, known, seen)
            if slot is not None and slot not in free:
                raise Ten18Error(f"chose slot {slot!r}; accepted: a free slot, or None", "rule", rule.name)
            return slot, None

        return choice
    assert rule.thresholds is not None
    row = rule.thresholds(course)

    def place(value: Any, free: Sequence[int], left: Any, known: Any, _seen: Sequence[Any]) -> Any:
        levels = _levels(course, row, left, len(free), known)
        sells = course.problem.revenue
        rank = sum(level > value if sells else level >= value for level in levels)
        if rank == len(free):
            return None, None
        ranked = sorted(free, key=lambda slot: (-multipliers[slot - 1], slot))
        if not sells:
            return ranked[rank], None
        here = [multipliers[slot - 1] for slot in ranked[rank:]]
        steps = zip(here, [*here[1:], 0], levels[rank:], strict=True)
        return ranked[rank], sum((one - other) * level for one, other, level in steps if one != other)

    return place


def _forwards(course: Course, rule: Rule, *, with_worth: bool) -> dict[Any, Any] | None:
    """The distribution of the worth, or {0: its mean}; None where that is not finite, or too large."""
    rounds, problem = course.rounds, course.problem
    is_finite = all(isinstance(dist, FiniteDistribution) for dist in problem.distributions)
    if rounds is None or not is_finite or isinstance(problem.arrivals, Endless):
        return None
    dists: Any = rounds.dists if course.policy.seller is None else problem.distributions
    multipliers = [_plain(m) if course.exact else float(m) for m in course.policy.multipliers]
    if course.exact:
        atoms = [[(_plain(value), p) for value, p in dist.exact_atoms()] for dist in dists]
    else:
        atoms = [list(zip(dist.values.tolist(), dist.chances.tolist(), strict=True)) for dist in dists]
    number: Any = Fraction if course.exact else float
    continues = rounds.continues().tolist()
    scales, chances = ([number(each) for each in row] for row in (rounds.scales, rounds.chances))
    (begin, transitions), choose, n = rounds.chain(object), _chooser(course, rule), course.n
    worst = sorted(range(1, n + 1), key=lambda slot: (course.policy.multipliers[slot - 1], slot))
    start: tuple[Any, ...] = (None, tuple(range(1, n + 1)), ())
    states: dict[Any, dict[Any, Any]] = {start: {0: 1}}  # regime, free slots, values seen -> worth -> probability
    done: dict[Any, Any] = {}
    moves, mean = 0, 0 * continues[0]
    for t in range(rounds.size):
        left, q, scale = rounds.size - 1 - t, chances[t], scales[t]
        after: dict[Any, dict[Any, Any]] = {}

        def move(key: Any, worths: dict[Any, Any], share: Any, reward: Any = 0) -> None:
            nonlocal moves, mean
            if not share:
                return
            moves += len(worths) * (EXACT_MOVE if course.exact else 1)
            into = done if not key[1] else after.setdefault(key, {})  # noqa: B023
            for worth, p in worths.items():
                mean += share * p * reward
                total = worth + reward if with_worth else 0
                into[total] = into.get(total, 0) + share * p

        for (before, free, seen), worths in states.items():
            move((None, (), ()), worths, 1 - continues[t])
            for s, chance in enumerate(begin if before is None else transitions[before]):
                known = None if rounds.regimes is None else s
                share = continues[t] * chance
                if share and q != 1:
                    move((known, free, seen), worths, share * (1 - q))
                for value, p in atoms[rounds.choices[t, s]] if share else ():
                    slot, price = choose(value, free, left, known, seen)
                    if slot is None and problem.must_fill and len(free) > left:
                        slot = next(each for each in worst if each in free)
                    filled = slot
                    if slot is not None and rule.thresholds is not None:  # the first of the slots that are as good
                        filled = next(each for each in free if multipliers[each - 1] == multipliers[slot - 1])
                    rest = tuple(each for each in free if each != filled)
                    gain = 0 if slot is None else scale * (multipliers[slot - 1] * value if price is None else price)
                    move((known, rest, (*seen, value) if rule.memory else ()), worths, share * p * q, gain)
            if moves > MAX_MOVES:
                return None
        states = after
    for worths in states.values():
        for worth, p in worths.items():
            done[worth] = done.get(worth, 0) + p
    found = {worth: p for worth, p in done.items() if p} if with_worth else {0: mean}
    return {key: Fraction(p) for key, p in found.items()} if course.exact else found


def _plain(number: Any) -> Any:
    """Whole numbers as integers, which add up faster."""
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else exact


def _simulated(course: Course, rule: Rule, games: int, seed: int) -> tuple[Floats, Floats | None]:
    """The worths of games, with the same values for every rule, and the sums of the expected losses of its choices."""
    problem = copy(course.problem)
    problem.revenue = False
    policy = problem.solve() if course.exact or course.problem.revenue else course.policy
    stream, choose = stream_of(problem), _chooser(course, rule)
    multipliers, discount = [float(m) for m in policy.multipliers], float(problem.discount)
    check_size("these games", operations=2e4 * policy.model.length * games, field="games")
    worths, losses = np.zeros(games), np.zeros(games)
    for game in range(games):
        stream.start(np.random.default_rng([seed, game]), None)
        free = list(range(1, course.n + 1))
        seen: list[float] = []
        while free and (arrival := stream.next()) is not None:
            value, known = arrival.value, arrival.known
            slot, price = choose(value, free, arrival.left, known, seen)
            scale = discount**arrival.age
            if not course.problem.revenue:
                lost = policy.losses(value, free, arrival.left, known)
                if slot not in lost:  # slots must be filled
                    slot = min(free, key=lambda each: (multipliers[each - 1], each))
                losses[game] += scale * lost[slot]
            if slot is not None:
                worths[game] += scale * (multipliers[slot - 1] * value if price is None else float(price))
                free.remove(slot)
            if rule.memory:
                seen.append(value)
    return worths, None if course.problem.revenue else losses
