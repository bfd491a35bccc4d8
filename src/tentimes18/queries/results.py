"""Results about the game: the price of not knowing the future in large games, and the best rules with few numbers."""

from math import log
from typing import Annotated

from msgspec import Struct

from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.queries import DiceText, Doc, SlotsText, query
from tentimes18.solve.cut_rules import best_cuts
from tentimes18.solve.parallel import Progress, split_progress
from tentimes18.solve.thresholds import exact_thresholds
from tentimes18.strategies.named import DUEL_STRATEGIES, STRATEGIES

FIRST_SIZE = 10
MAX_SIZE = 1_000_000
USUAL_NUMBERS = 4


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
    random, optimal = (
        game.dice.mean * sum(game.multipliers),
        exact_thresholds(game.dice, game.size)[-1].value(game.multipliers),
    )
    if optimal == random:
        raise Ten18Error("every strategy has the same mean in this game", field="slots")
    most = len(game.dice.support) - 1
    if numbers is not None and numbers > most:
        problem = f"at most {most} numbers divide the {most + 1} rolls of {game.dice} into groups"
        raise Ten18Error(problem, field="numbers", value=numbers)
    answers = []
    for k, part in enumerate(split_progress(progress, *[1.0] * (numbers or min(USUAL_NUMBERS, most))), start=1):
        best = best_cuts(game, k, part)
        share = (best.mean - random) / (optimal - random)
        losses = float(optimal - best.mean), float(share), float(optimal - best.most)
        answers.append(RuleAnswer(list(best.cuts), float(best.mean), *losses))
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
