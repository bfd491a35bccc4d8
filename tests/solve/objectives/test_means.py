"""The means that decide between equal moves: in limbs of any size and in float64, from every position."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.game import Game
from tentimes18.solve.objectives import means
from tentimes18.solve.objectives.chances import ChanceTable, chance_table
from tentimes18.solve.objectives.means import MeanTable, rounding
from tentimes18.solve.values import value_of
from tests.support.games import games
from tests.support.solved import few, targets_of

CLASSIC_CELLS = 423_424


def slots_of_play(table: ChanceTable, target: Fraction) -> list[list[int]]:
    rows: list[list[int]] = table.best_play(target).slot_table()[1].tolist()
    return rows


@given(games(max_slots=4, max_rolls=4), st.data())
@few
def test_limbs_of_any_size(game: Game, data: st.DataObject) -> None:
    """With limbs of few bits almost every sum carries, and most differences need all limbs."""
    target = data.draw(st.sampled_from(targets_of(game)))
    wanted = chance_table(game)
    for bits in (4, 5, 9):
        table = chance_table(game)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(means, "MOST_BITS", bits)
            patch.setattr(means, "MOST_LIMBS", 99)
            patch.setattr(means, "TOP_BITS", bits)
            found = table.means()
            assert found.is_exact
            assert 0 <= found.N.min() <= found.N.max() < 2**bits
        assert table.mean(target) == wanted.mean(target)
        assert slots_of_play(table, target) == slots_of_play(wanted, target)


@given(games(max_slots=4, max_rolls=4), st.data())
@few
def test_means_in_float64(game: Game, data: st.DataObject) -> None:
    """Within the bound that its ties are decided by, so that the slots are the same."""
    target = data.draw(st.sampled_from(targets_of(game)))
    exact, table = chance_table(game), chance_table(game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(means, "MOST_LIMBS", 0)
        assert not table.means().is_exact
    width = table.lattice.width(game.all_free)
    for free in range(1, game.all_free + 1):
        for score in (0, 3):
            found, wanted = float(table.mean(target, free, score)), float(exact.mean(target, free, score))
            assert found == pytest.approx(wanted, rel=1e-14, abs=float(table.lattice.unit * width) * rounding(game))
    assert slots_of_play(table, target) == slots_of_play(exact, target)


@given(games(max_slots=4, max_rolls=4))
@few
def test_at_index_0_stands_the_value_of_a_free_set(game: Game) -> None:
    table = chance_table(game)
    for free in range(1, game.all_free + 1):
        assert table.mean(-(10**9), free) == table.mean(10**9, free) == value_of(game, free)


@pytest.mark.parametrize(
    ("dice", "slots", "limbs"),
    [("1d6", "1-3", 1), ("3d6", "1-6", 1), ("3d6", "1-10", 2), ("3d6", "1-13", 2), ("3d6", "1-14", 3)],
)
def test_as_many_limbs_as_it_takes(dice: str, slots: str, limbs: int) -> None:
    table = MeanTable(Game.parse(dice, slots), cells=1, step=-1, most_bytes=1e9)
    assert table.is_exact
    assert len(table.N) == limbs


def test_exact_wherever_chances_are_and_there_is_room() -> None:
    assert MeanTable(Game.classic(), CLASSIC_CELLS, -1, most_bytes=16 * CLASSIC_CELLS).is_exact
    small = MeanTable(Game.classic(), CLASSIC_CELLS, -1, most_bytes=16 * CLASSIC_CELLS - 1)
    assert not small.is_exact
    assert small.nbytes == 8 * CLASSIC_CELLS
    assert not MeanTable(Game.parse("20d6", "1-10"), 1, -1, most_bytes=1e9).is_exact


def test_made_once_and_counted() -> None:
    table = chance_table(Game.parse("3d6", "1-5"))
    before = table.nbytes
    made = table.means()
    assert table.means() is made
    assert table.nbytes == before + made.nbytes


def test_progress_of_the_means() -> None:
    seen: list[tuple[int, int]] = []
    chance_table(Game.parse("1d6", "1-4")).means(lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]
