"""Pictures of one reviewed game, read back: bars against the numbers they stand for."""

from typing import Final

import pytest
from hypothesis import given, settings

from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import law_of_optimal, review
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.pictures.colours import FELT, LOSS, LUCK, RIVAL
from tentimes18.pictures.plot_games import plot_course, plot_place
from tentimes18.records.notation import Record, parse_record
from tests.support.drawn import bars, title
from tests.support.records import records
from tools.pictures import GAME

SMALL: Final = Game.parse("1d6", "1-3")
PAPER: Final = review(parse_record(f"3d6 1-10: {GAME}"))


def test_course_of_the_paper() -> None:
    figure = plot_course(PAPER)
    assert title(figure) == "From 642.2 to 698 points: the rolls brought 60.7 more than usual, the moves gave up 4.9"
    for (_, foot, height), move in zip(bars(figure, LUCK), PAPER.moves, strict=True):
        assert foot == pytest.approx(float(move.before))
        assert height == pytest.approx(float(move.luck))
    lost = [move for move in PAPER.moves if move.loss]
    for (_, foot, height), move in zip(bars(figure, LOSS), lost, strict=True):
        assert foot + height == pytest.approx(float(move.after))
        assert height == pytest.approx(-float(move.loss))
    shown = [text.get_text() for text in figure.axes[0].texts]
    assert {"698", "?!", "8@5", "12@3", "luck of the roll", "lost by the move"} <= set(shown)


@settings(max_examples=25)
@given(records())
def test_course_of_any_game(record: Record) -> None:
    """The bars lead from the value of the game to where it ended."""
    found = review(record)
    figure = plot_course(found)
    heights = [height for colour in (LUCK, LOSS, RIVAL) for _, _, height in bars(figure, colour)]
    assert float(found.start) + sum(heights) == pytest.approx(float(found.end), abs=1e-9)


def test_course_of_a_duel() -> None:
    record = parse_record("1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@1 5@3")
    figure = plot_course(review(record, aim_named(SMALL, "duel")))
    assert bars(figure, RIVAL)
    assert "given by the opponent" in [text.get_text() for text in figure.axes[0].texts]
    assert title(figure).startswith("From 50.0% to 100.0%")


def test_place_of_a_score() -> None:
    figure = plot_place(PAPER)
    assert title(figure) == "698 points: 85.2% of the games of optimal end at that or less"
    law = law_of_optimal(Game.classic())
    assert law is not None
    ((middle, _, height),) = bars(figure, FELT)
    assert 690 <= middle <= 700
    assert height == pytest.approx(float(law.at_least(690) - law.at_least(700)))
    with pytest.raises(Ten18Error, match=r"^game: not finished"):
        plot_place(review(parse_record("8@5")))


@pytest.mark.parametrize("width", [4.7, 8.0])
def test_nothing_leaves_the_picture(width: float) -> None:
    """All that is drawn lies within the figure."""
    for figure in (plot_course(PAPER, width), plot_place(PAPER, width)):
        drawn, size = figure.get_tightbbox(), figure.get_size_inches()
        assert drawn.x0 >= 0
        assert drawn.y0 >= 0
        assert drawn.x1 <= size[0]
        assert drawn.y1 <= size[1]
