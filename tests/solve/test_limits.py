"""What is too large is rejected in one line with the figure, before memory is taken for it."""

from collections.abc import Callable

import pytest

from tentimes18 import Dice, Game, TooLarge
from tentimes18.solve.aims import UtilityTable, chance_table, shortfall_table
from tentimes18.solve.closest_calls import closest_calls
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.float_subsets import subset_values
from tentimes18.solve.float_thresholds import last_row, order_statistics, thresholds
from tentimes18.solve.hindsight import exact_order_statistics, paper_recurrence
from tentimes18.solve.moments import hindsight_moments, optimal_moments, slot_distributions
from tentimes18.solve.rule_distributions import (
    hindsight_distribution,
    random_distribution,
    rule_distribution,
)
from tentimes18.solve.subsets import exact_subset_values
from tentimes18.solve.thresholds import decimal_thresholds, exact_thresholds
from tentimes18.solve.utilities import Utility
from tests.support.solved import last_or_first, peak_memory

THREE = Dice.parse("3d6")
MANY_SCORES = Game.parse("d{0,1,1000000}", "1-20")


def slots(size: int) -> Game:
    return Game(THREE, range(1, size + 1))


@pytest.mark.parametrize(
    "compute",
    [
        lambda: exact_thresholds(THREE, 10_000),
        lambda: decimal_thresholds(THREE, 100_000, 50),
        lambda: thresholds(THREE, 60_000),
        lambda: last_row(THREE, 10**9),
        lambda: exact_order_statistics(THREE, 1_000_000),
        lambda: order_statistics(THREE, 10**9),
        lambda: paper_recurrence(slots(10_000)),
        lambda: exact_subset_values(slots(25)),
        lambda: subset_values(slots(31)),
        lambda: subset_values(slots(1_100)),
        lambda: closest_calls(slots(10_000)),
        lambda: optimal_moments(slots(20_000)),
        lambda: hindsight_moments(slots(1_000_000)),
        lambda: slot_distributions(THREE, 100_000),
        lambda: random_distribution(MANY_SCORES),
        lambda: hindsight_distribution(MANY_SCORES),
        lambda: rule_distribution(slots(30), last_or_first),
        lambda: rule_distribution(slots(1_200), last_or_first),
        lambda: float_rule_distribution(slots(30), last_or_first),
        lambda: chance_table(slots(25)),
        lambda: chance_table(slots(1_200)),
        lambda: shortfall_table(slots(40)),
        lambda: UtilityTable(slots(25), Utility(lambda score: score)),
    ],
)
def test_too_large(compute: Callable[[], object]) -> None:
    with peak_memory() as peak:
        with pytest.raises(TooLarge, match=r"^slots: .* needs .* the limit is ") as error:
            compute()
        assert peak() < 50e6
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300
