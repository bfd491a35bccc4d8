"""Tables that are too large, shares that are none, and reports on the way."""

from fractions import Fraction

import pytest

from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game, Number
from tentimes18.solve.objectives.chances import chance_table
from tentimes18.solve.objectives.expected_utility import UtilityTable
from tentimes18.solve.objectives.quantile import best_quantile
from tentimes18.solve.objectives.shortfall import best_worst_share, shortfall_table
from tentimes18.solve.objectives.utilities import Utility
from tests.support.solved import peak_memory


@pytest.mark.parametrize("share", [0, -1, Fraction(3, 2), 2.0])
def test_shares_out_of_range(share: Number | float) -> None:
    game = Game.parse("1d6", "1-2")
    with pytest.raises(Ten18Error, match="quantile takes a share above 0 and at most 1"):
        best_quantile(chance_table(game), share)
    with pytest.raises(Ten18Error, match="cvar takes a share above 0 and at most 1"):
        best_worst_share(shortfall_table(game), share)


@pytest.mark.parametrize("slots", ["1-25", "1-40", "1-1200"])
def test_too_large(slots: str) -> None:
    """Refused in one line with the figure, before memory is taken for it."""
    game = Game.parse("3d6", slots)
    for make in (chance_table, shortfall_table, lambda game: UtilityTable(game, Utility(lambda score: score))):
        with peak_memory() as peak:
            with pytest.raises(TooLarge, match=rf"^slots: .* on {game.size:,} slots would need .* fit$") as refused:
                make(game)
            assert peak() < 20e6
        assert "\n" not in str(refused.value)


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    game = Game.parse("1d6", "1-4")
    table = chance_table(game, lambda done, total: seen.append((done, total)))
    assert {total for _, total in seen} == {table.cells - 1}  # all but the value of the full board
    assert seen == sorted(seen)
    assert seen[-1] == (table.cells - 1, table.cells - 1)
    seen.clear()
    UtilityTable(game, Utility(lambda score: score), lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]


def test_levels_are_found_once_and_not_too_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.solve.objectives.table.MOST_LEVELS", 3)
    table = chance_table(Game.parse("1d6", "1-2"))
    asked: list[int] = []

    def level(key: int) -> tuple[Number, Fraction | float]:
        def find() -> tuple[Number, Fraction | float]:
            asked.append(key)
            return key, 0.5

        return table.remembered(key, find)

    for key in (1, 2, 3, 1, 2, 3, 4, 5, 4, 1):
        assert level(key) == (key, 0.5)
    assert asked == [1, 2, 3, 4, 5, 1]


def test_bytes_of_a_table() -> None:
    """Two limbs a chance, one float a value; and the few numbers that say where they stand."""
    game = Game.parse("3d6", "1-6")
    for table, bytes_a_value in ((chance_table(game), 16), (shortfall_table(game, exact=False), 8)):
        assert bytes_a_value * table.cells <= table.nbytes <= bytes_a_value * table.cells + 50 * 2**game.size + 2_000
