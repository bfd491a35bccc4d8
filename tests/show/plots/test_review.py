"""Pictures of reviews, read back: bars, lines and dots against the numbers they stand for."""

from fractions import Fraction
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from tools.pictures import GAME

from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import law_of_optimal, review
from tentimes18.coach.summary import Summary, summarise
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.records.notation import Record, parse_record
from tentimes18.show.plots.review import (
    ERRORS,
    MAX_DOTS,
    PALE_BLUE,
    plot_course,
    plot_errors,
    plot_luck,
    plot_place,
    plot_played,
    plot_progress,
)
from tentimes18.show.plots.style import ACCENT, BLUE, GREEN
from tentimes18.simulate.players import Run, played_boards
from tests.support.played import summary_of
from tests.support.records import records

SMALL: Final = Game.parse("1d6", "1-3")
PAPER: Final = review(parse_record(f"3d6 1-10: {GAME}"))


def title(figure: Figure) -> str:
    return figure.texts[0].get_text().replace("\n", " ")


def bars(figure: Figure, colour: str) -> list[tuple[float, float, float]]:
    """Middle, foot and height of the bars in this colour."""
    found = (patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle))
    return [
        (bar.get_x() + bar.get_width() / 2, bar.get_y(), bar.get_height())
        for bar in found
        if to_hex(bar.get_facecolor()) == colour
    ]


def places(line: Line2D) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in np.asarray(line.get_xydata())]


def test_course_of_the_paper() -> None:
    figure = plot_course(PAPER)
    assert title(figure) == "From 642.2 to 698 points: the rolls brought 60.7 more than usual, the moves gave up 4.9"
    for (_, foot, height), move in zip(bars(figure, BLUE), PAPER.moves, strict=True):
        assert foot == pytest.approx(float(move.before))
        assert height == pytest.approx(float(move.luck))
    lost = [move for move in PAPER.moves if move.loss]
    for (_, foot, height), move in zip(bars(figure, ACCENT), lost, strict=True):
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
    heights = [height for colour in (BLUE, ACCENT, GREEN) for _, _, height in bars(figure, colour)]
    assert float(found.start) + sum(heights) == pytest.approx(float(found.end), abs=1e-9)


def test_course_of_a_duel() -> None:
    record = parse_record("1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@1 5@3")
    figure = plot_course(review(record, aim_named(SMALL, "duel")))
    assert bars(figure, GREEN)
    assert "given by the opponent" in [text.get_text() for text in figure.axes[0].texts]
    assert title(figure).startswith("From 50.0% to 100.0%")


def test_place_of_a_score() -> None:
    figure = plot_place(PAPER)
    assert title(figure) == "698 points: 85.2% of the games of optimal end at that or less"
    law = law_of_optimal(Game.classic())
    assert law is not None
    ((middle, _, height),) = bars(figure, ACCENT)
    assert 690 <= middle <= 700
    assert height == pytest.approx(float(law.at_least(690) - law.at_least(700)))
    with pytest.raises(Ten18Error, match=r"^game: not finished"):
        plot_place(review(parse_record("8@5")))


def test_scores_of_played_games() -> None:
    found = summary_of("random", 500)
    figure = plot_played(found)
    assert title(figure).endswith("less than optimal makes of the same rolls")
    heights = [height for _, _, height in bars(figure, PALE_BLUE)]
    assert sum(heights) == pytest.approx(1)
    (line,) = figure.axes[0].lines
    assert sum(height for _, height in places(line)) == pytest.approx(1, abs=1e-3)
    assert title(plot_played(summary_of("optimal", 50))).endswith("as many as optimal makes of the same rolls")
    with pytest.raises(Ten18Error, match=r"^games: none is finished"):
        plot_played(summary_of_started())


def summary_of_started() -> Summary:
    return summarise([Record(Board(SMALL).place(4, 1))])


def test_errors_by_round() -> None:
    found = summary_of("random", 300)
    figure = plot_errors(found)
    heights: dict[int, float] = {}
    for colour in ERRORS.values():
        for middle, _, height in bars(figure, colour):
            heights[round(middle)] = heights.get(round(middle), 0.0) + height
    assert heights == pytest.approx({part.round: part.error_rate for part in found.rounds})
    worst = max(found.rounds, key=lambda part: part.error_rate)
    assert title(figure).startswith(f"Most errors in round {worst.round}: ")
    assert title(plot_errors(summary_of("optimal", 20))) == "No errors at all"
    with pytest.raises(Ten18Error, match=r"^games: no move in them was a choice"):
        plot_errors(summary_of("optimal", 3, Game.parse("d{7}", "1-3")))


def test_progress() -> None:
    """First random, then optimal: better; the other way round: worse; random alone: no clear change."""
    random, optimal = ([Record(board) for board in played(name, 60)] for name in ("random", "optimal"))
    for games, word in ((random + optimal, "Better"), (optimal + random, "Worse"), (random, "No clear change")):
        found = summarise(games)
        figure = plot_progress(found)
        assert title(figure).startswith(f"{word}: a choice lost ")
        skills = [part.skill for part in found.progress]
        assert [loss for _, loss in places(figure.axes[0].lines[0])] == pytest.approx(skills)
    with pytest.raises(Ten18Error, match=r"^games: progress takes at least two games"):
        plot_progress(summarise(random[:1]))


def played(strategy: str, games: int) -> list[Board]:
    return list(played_boards(Run(Game.classic(), (strategy,), 18), 0, games))


def test_luck_and_loss() -> None:
    found = summary_of("random", MAX_DOTS + 100)
    figure = plot_luck(found)
    dots = places(figure.axes[0].lines[-1])
    assert len(dots) == MAX_DOTS
    pairs = set(zip(found.table.lucks.sum(axis=1).tolist(), found.table.losses.sum(axis=1).tolist(), strict=True))
    assert set(dots) <= pairs
    scores = {round(Fraction(found.value + luck - loss)) for luck, loss in pairs}
    assert scores == set(found.scores.astype(int).tolist())
    with pytest.raises(Ten18Error, match=r"^games: none is finished"):
        plot_luck(summary_of_started())


@pytest.mark.parametrize("width", [4.7, 8.0])
def test_nothing_leaves_the_picture(width: float) -> None:
    """All that is drawn lies within the figure."""
    many = summary_of("random", 60)
    for figure in (
        plot_course(PAPER, width),
        plot_place(PAPER, width),
        *(plot(many, width) for plot in (plot_played, plot_errors, plot_progress, plot_luck)),
    ):
        drawn, size = figure.get_tightbbox(), figure.get_size_inches()
        assert drawn.x0 >= 0
        assert drawn.y0 >= 0
        assert drawn.x1 <= size[0]
        assert drawn.y1 <= size[1]
