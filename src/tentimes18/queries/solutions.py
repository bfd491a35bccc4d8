"""The game solved: expected scores, the thresholds that play it, its closest calls, and best play for other aims.

For games of up to a few hundred slots plain numbers are exact ones, rounded once; beyond, they are computed in float64.
Decimals are exact as well where that is quick, and else computed with guard digits.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from tentimes18.errors import Ten18Error, blame, quoted
from tentimes18.game import Board, Game, Number, read_score
from tentimes18.queries import MAX_SCORE_CHARACTERS, DiceText, Doc, Exact, MovesText, SlotsText, query
from tentimes18.queries.distributions import KnownFinder
from tentimes18.queries.json_numbers import Plain, Written, plain, ratio_text, writer
from tentimes18.queries.moves import read_board
from tentimes18.solve.closest_calls import ClosestCall, Tie, closest_calls, exact_ties
from tentimes18.solve.cut_rules import best_cuts
from tentimes18.solve.hindsight import exact_order_statistics
from tentimes18.solve.parallel import Progress, split_progress
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.subsets import exact_subset_values
from tentimes18.solve.thresholds import ExactRow, decimal_thresholds, exact_thresholds
from tentimes18.strategies.front import FrontPoint, front_of, least_deviations
from tentimes18.strategies.named import ACCEPTED_OBJECTIVES, DUEL_STRATEGIES, OBJECTIVES, STRATEGIES, named
from tentimes18.strategies.strategy import ObjectiveStrategy, score_distribution

if TYPE_CHECKING:
    from tentimes18.solve.aim_tables import BestPlay

MAX_DIGITS = 100_000
MAX_LAB_DIGITS = 1000
GUARD_DIGITS = 10
MAX_EXACT_STEPS = 3e8  # bit operations below which numbers that will be rounded are computed exactly: 300 slots of 3d6
MAX_EXACT_STEPS_FOR_DIGITS = 3e10

FIRST_SIZE = 10
MAX_SIZE = 1_000_000
USUAL_NUMBERS = 4

_Row: TypeAlias = Sequence[Any]  # of fractions or floats


class Expected(Struct, frozen=True):
    """Expected scores by strategy."""

    random: float | str
    optimal: float | str
    hindsight: float | str


class SolutionAnswer(Struct, frozen=True):
    """Multipliers, expected scores, and the rows E_1 to E_n, or the last of them alone."""

    dice: str
    slots: list[Written]
    expected: Expected
    thresholds: list[list[float | str]]


@query(SolutionAnswer)
def solve(
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    exact: Exact = False,
    digits: Annotated[
        int | None,
        Doc("Show this many significant digits.", metavar="N", least=1, most=MAX_DIGITS, lab_most=MAX_LAB_DIGITS),
    ] = None,
    last_row: Annotated[bool, Doc("Compute only the row E_n, in little memory: for very many slots.")] = False,
    method: Annotated[
        Literal["thresholds", "subsets"], Doc("Compute the value from thresholds, or from the table of all subsets.")
    ] = "thresholds",
    progress: Progress | None = None,
) -> SolutionAnswer:
    """Expected scores, and the thresholds that play the game.

    With k + 1 free slots, use the row with k thresholds: count the thresholds below the roll, and skip that many free
    slots from the lowest.
    """
    game = Game.parse(dice, slots)
    if exact and digits is not None:
        raise Ten18Error("cannot be combined with `exact`; give one of them", field="digits")
    by_subsets = method == "subsets"
    first, second, third = split_progress(progress, 2, 1, 4 if by_subsets else 0)
    rows, orders = _solve(game, exact, digits, last_row, first, second)
    is_long = exact or digits is not None
    if not by_subsets:
        optimal = _dot(game.multipliers, rows[-1])
    elif is_long:
        optimal = exact_subset_values(game, third)[-1]
    else:
        from tentimes18.solve.float_subsets import subset_values

        optimal = float(subset_values(game, third)[-1])
    write = writer(exact, digits)
    values = game.dice.mean * sum(game.multipliers), optimal, _dot(game.multipliers, orders)
    multipliers = [write(multiplier) if is_long else plain(multiplier) for multiplier in game.multipliers]
    thresholds = [_written(row, write, digits) for row in (rows[-1:] if last_row else rows)]
    return SolutionAnswer(str(game.dice), multipliers, Expected(*map(write, values)), thresholds)


def _written(row: _Row, write: Callable[[Fraction | float], float | str], digits: int | None) -> list[float | str]:
    """The numbers of a row; those over one denominator are not brought to lowest terms first."""
    if isinstance(row, ExactRow):
        if digits is not None:
            return [ratio_text(numerator, row.denominator, digits) for numerator in row.numerators]
        if write is float:
            return list(row.floats())
    return [write(value) for value in row]


def _solve(
    game: Game, exact: bool, digits: int | None, last_row: bool, first: Progress | None, second: Progress | None
) -> tuple[Sequence[_Row], _Row]:
    """The rows of thresholds, the last of them at least, and the expected rolls under hindsight."""
    dice, n = game.dice, game.size
    # Numbers that will be rounded are computed exactly where that is quick: n²/2 thresholds, n rolls for hindsight.
    bits = 2000 + n * dice.total.bit_length()
    limit = MAX_EXACT_STEPS_FOR_DIGITS if digits else MAX_EXACT_STEPS
    if exact or bits * n * (n / 2 + 2 * len(dice.support)) <= limit:
        return exact_thresholds(dice, n, first), exact_order_statistics(dice, n, second)
    if digits:
        decimals = decimal_thresholds(dice, n, digits + GUARD_DIGITS, first)
        rows = [[Fraction(value) for value in row] for row in (decimals[-1:] if last_row else decimals)]
        return rows, exact_order_statistics(dice, n, second)
    from tentimes18.solve import float_thresholds

    floats = [float_thresholds.last_row(dice, n, first)] if last_row else float_thresholds.thresholds(dice, n)
    return [row.tolist() for row in floats], float_thresholds.order_statistics(dice, n, second).tolist()


def _dot(multipliers: Sequence[Number], row: _Row) -> Any:
    as_number = float if row and isinstance(row[0], float) else Fraction
    return sum(as_number(multiplier) * value for multiplier, value in zip(multipliers, row, strict=True))


class ClosestAnswer(Struct, frozen=True):
    """The closest calls of the first move and of the whole game, and all exact ties."""

    first_move: Sequence[ClosestCall]
    game: Sequence[ClosestCall]
    ties: Sequence[Tie]


@query(ClosestAnswer)
def closest(dice: DiceText = "3d6", slots: SlotsText = "1-10", progress: Progress | None = None) -> ClosestAnswer:
    """The closest calls: the moves whose runner-up loses least, and exact ties."""
    game = Game.parse(dice, slots)
    return ClosestAnswer(closest_calls(game, first_move=True), closest_calls(game, progress=progress), exact_ties(game))


class GapOfSize(Struct, frozen=True):
    """The gap between hindsight and the best play on slots 1 to ``slots``.

    ``growth`` is how much ``per_slot`` rises per unit of ln n since the size before.
    """

    slots: int
    gap: float
    per_slot: float
    growth: float | None


class GapAnswer(Struct, frozen=True):
    """The gap for several sizes; for densities we conjecture that ``growth`` tends to ``quarter``, E|X - X'| / 4."""

    distribution: str
    quarter: float
    sizes: list[GapOfSize]


@query(GapAnswer)
def gap(
    distribution: Annotated[
        str, Doc("Dice like 3d6, or a distribution like uniform(0, 1).", metavar="DISTRIBUTION", is_argument=True)
    ] = "3d6",
    most: Annotated[
        int, Doc("The largest number of slots to compute.", metavar="N", least=FIRST_SIZE, most=MAX_SIZE)
    ] = 10_000,
    progress: Progress | None = None,
) -> GapAnswer:
    """The price of not knowing the future: hindsight minus the best play on the slots 1 to n, for growing n.

    With k slots of multiplier 1 among n rolls, hindsight is ahead by some gap. On the slots 1 to n it is ahead by the
    sum of these gaps for k = 1, ..., n. Computed in float64.
    """
    from tentimes18.assignment import multisecretary  # needs SciPy
    from tentimes18.assignment.as_distribution import read_distribution

    values = read_distribution(distribution)
    sizes = [n for power in range(1, 7) for n in (10**power, 3 * 10**power) if n < most] + [most]
    two = multisecretary(values, 2)
    parts = split_progress(progress, *(float(n) ** 2 for n in sizes))
    rows: list[GapOfSize] = []
    for n, part in zip(sizes, parts, strict=True):
        total = float(multisecretary(values, n, progress=part).regret.sum())
        growth = (total / n - rows[-1].per_slot) / log(n / rows[-1].slots) if rows else None
        rows.append(GapOfSize(n, total, total / n, growth))
    spread = 2 * (float(two.value[1] + two.regret[1]) - float(two.value[2]) / 2)
    return GapAnswer(distribution, spread / 4, rows)


class RuleAnswer(Struct, frozen=True):
    """The best rule with these cuts; ``part`` of the way from random to perfect play.

    ``least_loss``: what any rule with as many cuts loses at least, however it places the groups.
    """

    cuts: list[int]
    mean: float
    loss: float
    part: float
    least_loss: float


class RulesAnswer(Struct, frozen=True):
    random: float
    optimal: float
    rules: list[RuleAnswer]


@query(RulesAnswer)
def rules(
    numbers: Annotated[
        int | None, Doc("The most numbers to remember.", metavar="N", least=1, default="4, or as many as there can be")
    ] = None,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    progress: Progress | None = None,
) -> RulesAnswer:
    """The best rules with 1, 2, 3, ... numbers to remember, found by trying all of them exactly.

    Each number is the lowest roll of a group. The lowest group goes to the lowest free slot, the highest group to the
    highest free slot, and the others evenly between.
    """
    game = Game.parse(dice, slots)
    random = game.dice.mean * sum(game.multipliers)
    optimal = exact_thresholds(game.dice, game.size)[-1].value(game.multipliers)
    if optimal == random:
        raise Ten18Error("every strategy has the same mean in this game", field="slots")
    most = len(game.dice.support) - 1
    if numbers is not None and numbers > most:
        problem = f"at most {most} numbers divide the {most + 1} rolls of {game.dice} into groups"
        raise Ten18Error(problem, field="numbers", value=numbers)
    answers = []
    for k, part in enumerate(split_progress(progress, *[1.0] * (numbers or min(USUAL_NUMBERS, most))), start=1):
        best = best_cuts(game, k, part)
        part_of_way = (best.mean - random) / (optimal - random)
        values = best.mean, optimal - best.mean, part_of_way, optimal - best.most
        answers.append(RuleAnswer(list(best.cuts), *map(float, values)))
    return RulesAnswer(float(random), float(optimal), answers)


class StrategyAnswer(Struct, frozen=True):
    """A strategy: its name, what it does, and whether it plays duels only."""

    name: str
    does: str
    duels_only: bool


class StrategiesAnswer(Struct, frozen=True):
    strategies: list[StrategyAnswer]


@query(StrategiesAnswer)
def strategies() -> StrategiesAnswer:
    """List the strategies by name, with a sentence about each.

    You can change the numbers in a name: target:650, cvar:0.25. Your own function is module:function or
    file.py:function.
    """
    return StrategiesAnswer([StrategyAnswer(name, does, name in DUEL_STRATEGIES) for name, does in STRATEGIES.items()])


def next_moves(board: Board, play: "BestPlay") -> dict[str, int]:
    """The slot of each roll that may be next; nothing where the board is full."""
    rolls = board.game.dice.support if board.free else ()
    return {str(roll): play.choose(board.free, board.score, roll) for roll in rolls}


class TargetAnswer(Struct, frozen=True):
    """The probability of the target with play for it, and with `optimal`; the means of both scores.

    ``next_move`` has a slot for each roll.
    """

    target: Plain
    probability: float
    with_optimal: float
    mean: float
    mean_with_optimal: float
    next_move: dict[str, int]


@query(TargetAnswer)
def target(
    target: Annotated[
        str,
        Doc(
            "The score to reach or beat.", metavar="T", is_argument=True, max_length=MAX_SCORE_CHARACTERS, example="700"
        ),
    ],
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    moves: MovesText = "",
    progress: Progress | None = None,
) -> TargetAnswer:
    """The best chance of a score of T or more, and how to play for it."""
    board = read_board(Game.parse(dice, slots), moves)
    score = read_score(target, "target")
    making, first, second = split_progress(progress, 1, 1, 1)
    from tentimes18.strategies.solved import chances  # loads numba, which a server must not

    table = chances(board.game, making)
    optimal = score_distribution(board, named("optimal"), progress=first)
    scores = score_distribution(board, named(f"target:{score}"), progress=second)
    best, usual = float(table.chance(score, board.free, board.score)), float(optimal.at_least(score))
    next_move = next_moves(board, table.best_play(score))
    return TargetAnswer(plain(score), best, usual, float(scores.mean), float(optimal.mean), next_move)


class AimAnswer(Struct, frozen=True):
    """What best play for an aim reaches, from the empty board.

    ``gap`` is the distance between the value that the solver promises and what its play reaches; ``first_move`` has a
    slot for each roll.
    """

    strategy: str
    value: float
    with_optimal: float
    gap: float
    mean: float
    sd: float
    first_move: dict[str, int]


class SolvedAim(NamedTuple):
    """Best play for an aim beside `optimal`: the distributions of their scores, and how well it serves the aim."""

    distribution: ScoreDistribution
    optimal_distribution: ScoreDistribution
    reached: float
    answer: AimAnswer


@query(AimAnswer)
def aim(
    aim: Annotated[
        str, Doc("The aim: target:700, utility:exp:0.01, quantile:0.1 or cvar:0.1.", metavar="AIM", is_argument=True)
    ],
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    find_known: KnownFinder = named,
    progress: Progress | None = None,
) -> SolvedAim:
    """Best play for an aim: what it reaches, and what it costs on average."""
    game = Game.parse(dice, slots)
    with blame("aim", "strategy"):
        kind, _, rest = aim.partition(":")
        known = find_known(aim) if kind in OBJECTIVES and rest else None
        if not isinstance(known, ObjectiveStrategy):
            raise Ten18Error(f"{quoted(aim)} is not an aim; accepted: {ACCEPTED_OBJECTIVES}", field="aim")
        board, optimal = Board(game), named("optimal")
        making, first, second = split_progress(progress, 2, 1, 1)
        play = known.solve(game, making)
        distribution = score_distribution(board, known, progress=first)
        usual = score_distribution(board, optimal, progress=second)
        reached, with_optimal = known.measure(game, distribution), known.measure(game, usual)
    value, moments = float(play.value), (float(distribution.mean), distribution.sd)
    answer = AimAnswer(aim, value, with_optimal, abs(value - reached), *moments, next_moves(board, play))
    return SolvedAim(distribution, usual, reached, answer)


class FrontAnswer(Struct, frozen=True):
    front: Sequence[FrontPoint]


@query(FrontAnswer)
def front(
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    least: Annotated[bool, Doc("Add the least deviation of any strategy with the same mean or more.")] = False,
    progress: Progress | None = None,
) -> FrontAnswer:
    """What a point of safety costs: mean and standard deviation of strategies with other aims."""
    game = Game.parse(dice, slots)
    comparing, searching = split_progress(progress, 1, 4) if least else (progress, None)
    points = front_of(game, progress=comparing)
    if least:
        deviations = least_deviations(game, [point.mean for point in points], searching)
        points = [replace(point, least_sd=sd) for point, sd in zip(points, deviations, strict=True)]
    return FrontAnswer(points)
