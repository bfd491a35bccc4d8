"""Pictures of many reviewed games, read back: bars, lines and dots against the numbers they stand for."""

from fractions import Fraction
from typing import Final

import pytest

from tentimes18.coach.aims import aim_named
from tentimes18.coach.summary import Summary, summarise
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.pictures.colours import EDGE
from tentimes18.pictures.plot_games import ERRORS, MAX_DOTS, plot_errors, plot_luck, plot_played, plot_progress
from tentimes18.records.notation import Record
from tentimes18.simulate.players import played_boards
from tentimes18.simulate.run import Run
from tests.support.drawn import bars, places, title
from tests.support.played import summary_of

SMALL: Final = Game.parse("1d6", "1-3")


def test_scores_of_played_games() -> None:
    found = summary_of("random", 500)
    figure = plot_played(found)
    assert title(figure).endswith("less than optimal makes of the same rolls")
    heights = [height for _, _, height in bars(figure, EDGE)]
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


def test_by_a_chance_everything_is_percent() -> None:
    games = [Record(board) for board in played_boards(Run(SMALL, ("random",), 18), 0, 40)]
    found = summarise(games, aim_named(SMALL, "target:30"))
    figure = plot_luck(found)
    assert figure.axes[0].get_xlabel() == "luck of the rolls, %"
    dots = places(figure.axes[0].lines[-1])
    assert [loss for _, loss in dots] == pytest.approx((100 * found.table.losses.sum(axis=1)).tolist())
    progress = plot_progress(found)
    assert title(progress).count("%") == 2
    assert found.skill is not None
    assert places(progress.axes[0].lines[1])[0][1] == pytest.approx(100 * found.skill)


@pytest.mark.parametrize("width", [4.7, 8.0])
def test_nothing_leaves_the_picture(width: float) -> None:
    """All that is drawn lies within the figure."""
    many = summary_of("random", 60)
    for figure in (plot(many, width) for plot in (plot_played, plot_errors, plot_progress, plot_luck)):
        drawn, size = figure.get_tightbbox(), figure.get_size_inches()
        assert drawn.x0 >= 0
        assert drawn.y0 >= 0
        assert drawn.x1 <= size[0]
        assert drawn.y1 <= size[1]
