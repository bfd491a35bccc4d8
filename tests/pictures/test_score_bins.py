"""Bins: every score in one, each with as many, none left out of a table, and names that say what is in them."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.dice import Dice
from tentimes18.game import Board, Game
from tentimes18.pictures.score_bins import LEAST_SHARE, MAX_ROWS, choose_bins, roll_bins, table_rows
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.named import named
from tests.support.games import games


@given(
    games(max_slots=4, max_rolls=5),
    st.lists(st.sampled_from(["random", "optimal", "hindsight"]), min_size=1, unique=True),
)
@settings(max_examples=25, deadline=None)
def test_every_score_is_in_one_row(game: Game, strategies: set[str]) -> None:
    laws = [named(name).distribution(Board(game)) for name in strategies]
    rows = table_rows(choose_bins(game, laws), laws, few=5)
    for number, law in enumerate(laws):
        assert sum(row.shares[number] for row in rows) == pytest.approx(1, abs=1e-12)
        for row in rows:
            inside = [
                score
                for score in law.scores
                if (row.first is None or score >= row.first) and (row.last is None or score <= row.last)
            ]
            wanted = sum(law.probability(score) for score in inside)
            assert row.shares[number] == pytest.approx(float(wanted), abs=1e-12)
    for row, after in pairwise(rows):
        assert row.last is not None
        assert after.first is not None
        assert row.last < after.first
    assert len(rows) <= MAX_ROWS + 2


def test_an_empty_range_has_a_line() -> None:
    """Two hills with a valley that nothing falls into."""
    dice = Dice.parse("1d30+d{0,1000}")
    law = ScoreDistribution(dice.support, dice.counts, dice.total)
    rows = table_rows(roll_bins([dice]), [law])
    assert (rows[0].name, rows[-1].name) == ("1-19", "1020-1030")
    assert [row.name for row in rows if row.shares == (0.0,)] == [f"{low}-{low + 19}" for low in range(40, 1000, 20)]


def test_rare_tails_are_one_line_with_their_chance() -> None:
    dice = Dice.parse("100d6")
    law = ScoreDistribution(dice.support, dice.counts, dice.total)
    first, *middle, last = table_rows(roll_bins([dice]), [law])
    assert (first.first, last.last) == (None, None)
    assert first.last is not None
    assert last.first is not None
    assert first.shares == (float(law.at_most(first.last)),)
    assert last.shares == (float(law.at_least(last.first)),)
    assert middle[0].shares[0] >= LEAST_SHARE
    assert middle[-1].shares[0] >= LEAST_SHARE


def test_bins_of_rolls() -> None:
    assert roll_bins([Dice.parse("3d6"), Dice.parse("1d20*2")]).width == 1
    assert roll_bins([Dice.parse("2d6*10"), Dice.parse("1d6*4")]).unit == 2
    assert roll_bins([Dice.parse("7")]).is_single
    wide = roll_bins([Dice.parse("d{0,1,999999999999}")])
    assert wide.shares(ScoreDistribution((0, 1, 999999999999), (1, 1, 1), 3)) == {
        0: pytest.approx(2 / 3),
        9999: pytest.approx(1 / 3),
    }
