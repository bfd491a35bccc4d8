"""Bins: every score in one, each with as many, none left out of a table, and names that say what is in them."""

import re
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.dice import Dice
from tentimes18.game import Board, Game
from tentimes18.pictures.score_bins import (
    LEAST_SHARE,
    MAX_ROWS,
    LawRow,
    choose_bins,
    range_name,
    roll_bins,
    table_rows,
)
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.named import named
from tests.support.games import games


def rows_of(dice: str, slots: str, *strategies: str) -> list[LawRow]:
    game = Game.parse(dice, slots)
    laws = [named(name).distribution(Board(game)) for name in strategies or ["optimal"]]
    return table_rows(choose_bins(game, laws), laws)


def test_the_teachers_example() -> None:
    """Each score by its name, and nothing between them."""
    rows = rows_of("d{1,2}", "1-3")
    assert [(row.name, row.shares) for row in rows] == [
        ("6", (0.125,)),
        ("9", (0.375,)),
        ("11", (0.375,)),
        ("12", (0.125,)),
    ]


def test_the_classic_game_in_tens() -> None:
    rows = rows_of("3d6", "1-10")
    assert [row.name for row in rows if row.shares[0] > 0.073] == ["640-649", "650-659", "660-669"]
    assert (rows[0].name, rows[-1].name) == ("429 or less", "810 or more")
    assert all(re.fullmatch(r"\d\d0-\d\d9", row.name) for row in rows[1:-1])


@pytest.mark.parametrize(
    ("dice", "slots", "names"),
    [
        ("1d2", "1/2,1/3", ["5/6", "7/6", "4/3", "5/3"]),
        ("d{1,3}", "1/2", ["0.5", "1.5"]),
        ("1d2-4", "1", ["-3", "-2"]),
        ("d{5}", "1-3", ["30"]),
    ],
)
def test_names_of_odd_scores(dice: str, slots: str, names: list[str]) -> None:
    assert [row.name for row in rows_of(dice, slots, "random")] == names


def test_names_of_odd_ranges() -> None:
    names = [row.name for row in rows_of("3d6-12", "1/2,1,2,7/2", "random")]
    assert names[0] == "-50.5 or less"
    assert names[-14:-10] == ["-2.5 to -0.5", "0-2", "2.5-4.5", "5-7"]
    assert range_name(Fraction(-1, 3), Fraction(1, 3)) == "-0.3333 to 0.3333"


@given(
    games(max_slots=4, max_rolls=5),
    st.lists(st.sampled_from(["random", "optimal", "hindsight"]), min_size=1, unique=True),
)
@settings(max_examples=60, deadline=None)
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


@given(games(max_slots=4, max_rolls=5))
@settings(max_examples=60, deadline=None)
def test_each_bin_has_as_many_scores(game: Game) -> None:
    law = named("random").distribution(Board(game))
    bins = choose_bins(game, [law])
    for score in law.scores:
        first, last = bins.ends(int(score // bins.width))
        assert first <= score <= last
        assert (Fraction(score) - first) % bins.unit == 0
        assert (last - first) / bins.unit + 1 == bins.width / bins.unit
        assert bins.place(int(score // bins.width)) == float(Fraction(first + last) / 2)


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
