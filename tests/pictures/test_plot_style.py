"""What all pictures share: their files, their texts, ticks and labels."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from tentimes18.game import Board, Game
from tentimes18.pictures.plot_aims import plot_front, plot_target
from tentimes18.pictures.plot_games import plot_game
from tentimes18.pictures.plot_moves import plot_first_move, plot_slots, plot_thresholds
from tentimes18.pictures.plot_scores import plot_scores
from tentimes18.pictures.plot_style import save
from tentimes18.strategies.front import front_of
from tests.support.command import clean_environment
from tests.support.process import finished

Plot = Callable[[Game], Figure]


def front(game: Game) -> Figure:
    return plot_front(game, front_of(game, ("optimal", "random", "cvar:0.1", "utility:exp:0.01")))


def scores(game: Game) -> Figure:
    return plot_scores(game, simulated=1000)


def played(game: Game) -> Figure:
    return plot_game(Board(game).place(game.dice.support[-1], game.size))


PICTURES = pytest.mark.parametrize(
    "plot", [plot_thresholds, plot_first_move, plot_slots, scores, plot_target, front, played]
)


@PICTURES
@pytest.mark.parametrize(
    ("dice", "slots"), [("d{5}", "1-3"), ("3d6", "7"), ("d{0}", "0"), ("d{-5,0,1000}", "-2,1/2,7")]
)
def test_odd_games(plot: Plot, dice: str, slots: str, tmp_path: Path) -> None:
    """Every text is inside the picture, and none contains nan or inf."""
    game = Game.parse(dice, slots)
    figure = plot(game)
    size = figure.get_window_extent()
    for text in [*figure.texts, *(text for axes in figure.axes for text in axes.texts)]:
        assert "nan" not in text.get_text().split()
        assert "inf" not in text.get_text().split()
        box = text.get_window_extent()
        assert box.x0 >= size.x0 - 1
        assert box.x1 <= size.x1 + 1
        assert box.y0 >= size.y0 - 1
        assert box.y1 <= size.y1 + 1
    save(figure, tmp_path / "odd.png", dpi=40)


def test_pictures_need_no_display() -> None:
    script = """
import sys
from tentimes18 import Game
from tentimes18.pictures.plot_moves import plot_first_move
plot_first_move(Game.classic())
assert "matplotlib.pyplot" not in sys.modules
"""
    done = finished((sys.executable, "-c", script))
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_matplotlib_says_of_its_folder_reaches_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    program = "from tentimes18.pictures import require_matplotlib\nrequire_matplotlib()\nimport matplotlib.font_manager"
    environment = clean_environment({"MPLCONFIGDIR": str(tmp_path / "file" / "matplotlib")})
    done = finished((sys.executable, "-c", program), env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
