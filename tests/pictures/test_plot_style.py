"""What all pictures share: their files, their texts, ticks and labels."""

import sys
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure

from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Board, Game
from tentimes18.pictures import require_matplotlib
from tentimes18.pictures.plot_aims import plot_front, plot_target
from tentimes18.pictures.plot_games import plot_game
from tentimes18.pictures.plot_moves import plot_first_move, plot_slots, plot_thresholds
from tentimes18.pictures.plot_scores import plot_scores
from tentimes18.pictures.plot_style import canvas, colour_scale, legend, percent_ticks, round_ones, save, styled
from tentimes18.strategies.front import front_of
from tests.support.command import clean_environment
from tests.support.process import finished

SMALL = Game.parse("1d6", "1-4")
Plot = Callable[[Game], Figure]


def front(game: Game) -> Figure:
    return plot_front(game, front_of(game, ("optimal", "random", "cvar:0.1", "utility:exp:0.01")))


def scores(game: Game) -> Figure:
    return plot_scores(game, simulated=10_000)


def played(game: Game) -> Figure:
    return plot_game(Board(game).place(game.dice.support[-1], game.size))


PICTURES = pytest.mark.parametrize(
    "plot", [plot_thresholds, plot_first_move, plot_slots, scores, plot_target, front, played]
)
START = {".png": b"\x89PNG\r\n\x1a\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}


@PICTURES
def test_files(plot: Plot, tmp_path: Path) -> None:
    """Drawn twice, each kind of file is the same."""
    for name in ("one", "other"):
        figure = plot(SMALL)
        for ending in START:
            save(figure, tmp_path / f"{name}{ending}")
    for ending, start in START.items():
        one, other = ((tmp_path / f"{name}{ending}").read_bytes() for name in ("one", "other"))
        assert one.startswith(start)
        assert len(one) > 10_000
        assert one == other


@PICTURES
@pytest.mark.parametrize(
    ("dice", "slots"),
    [("d{5}", "1-3"), ("3d6", "7"), ("d{0}", "0"), ("d{-1,2}", "-2,1/2"), ("d{-5,0,1000}", "1/3,1/2,7")],
)
def test_odd_games(plot: Plot, dice: str, slots: str, tmp_path: Path) -> None:
    """Every text lies on the picture, and names no number that is none."""
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


@pytest.mark.parametrize("name", ["x.jpg", "x", "x.md"])
def test_other_endings_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Ten18Error) as refusal:
        save(plot_first_move(Game.parse("1d6", "1-3")), tmp_path / name)
    assert str(refusal.value) == f"output: cannot write {name!r}; accepted endings: .png, .svg, .pdf"
    assert not list(tmp_path.iterdir())


@PICTURES
def test_too_many_slots_are_refused(plot: Plot) -> None:
    with pytest.raises(TooLarge, match=r"^slots: .*501 slots"):
        plot(Game.parse("3d6", "1-501"))


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


def test_a_long_title_is_broken_into_lines_of_about_the_same_length() -> None:
    figure, axes = canvas("word " * 30, "one line")
    lines = figure.texts[0].get_text().splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) - min(map(len, lines)) <= 5
    assert figure.texts[1].get_text() == "one line"
    plain, _ = canvas("short", "one line")
    assert axes.get_position().height < plain.axes[0].get_position().height


@pytest.mark.parametrize(
    ("numbers", "most", "named"),
    [
        (range(1, 101), 5, [1, 20, 40, 60, 80, 100]),
        ([3, 5, 8, 13, 21, 34, 55], 3, [3, 21, 55]),
        ([7], 5, [7]),
    ],
)
def test_round_numbers_and_the_ends_are_named(numbers: list[int], most: int, named: list[int]) -> None:
    assert [numbers[place] for place in round_ones(numbers, most)] == named


def test_ticks_in_percent() -> None:
    _, axes = canvas("title", "subtitle")
    axes.set_ylim(0, 0.1)
    percent_ticks(axes, 0.1)
    assert max(axes.get_yticks()) <= 0.102
    assert next(label.get_text() for label in axes.get_yticklabels()) == "0%"
    assert "10%" in [label.get_text() for label in axes.get_yticklabels()]


def test_a_legend_has_a_square_before_each_name() -> None:
    _, axes = canvas("title", "subtitle")
    legend(axes, [("luck", "#112233"), ("loss", "#445566")])
    assert [text.get_text() for text in axes.texts] == ["■", "luck", "■", "loss"]
    boxes = [text.get_window_extent() for text in axes.texts]
    assert all(not one.overlaps(other) for one, other in combinations(boxes, 2))
    assert [text.get_color() for text in axes.texts][::2] == ["#112233", "#445566"]


@pytest.mark.parametrize(("top", "power"), [(940.0, 0.5), (3e-5, 1.0), (12_345_678.0, 0.5)])
def test_a_scale_of_colours_names_both_ends_and_round_values(top: float, power: float) -> None:
    @styled
    def drawn() -> Axes:
        _, axes = canvas("title", "subtitle")
        image = axes.imshow([[0, top / 3], [top / 2, top]], norm=PowerNorm(power, 0, top), aspect="auto")
        return colour_scale(axes, image, "things", lambda value: f"<{value:g}>")

    scale = drawn()
    ticks = [float(tick) for tick in scale.get_yticks()]
    assert (ticks[0], ticks[-1]) == (0, top)
    for number, tick in enumerate(ticks[1:-1], start=1):
        round_one = ticks[1] * number if power == 1 else float(f"{tick:.0e}")
        assert tick == pytest.approx(round_one)
    assert 4 <= len(ticks) <= 12
    assert [label.get_text() for label in scale.get_yticklabels()] == [f"<{tick:g}>" for tick in ticks]
    places = [(tick / top) ** power * scale.get_window_extent().height for tick in ticks]
    assert all(high - low >= 20 for low, high in pairwise(places))


def test_without_matplotlib_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    require_matplotlib()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(Ten18Error) as refusal:
        require_matplotlib()
    assert str(refusal.value) == "pictures need matplotlib: pip install 'tentimes18[plot]'"


@pytest.mark.parametrize("is_asked", [True, False])
def test_what_matplotlib_says_of_its_folder_reaches_nobody(tmp_path: Path, is_asked: bool) -> None:
    """It would, unless it is asked first: the second case is the proof that there is something to hear."""
    (tmp_path / "file").write_text("in the way")
    program = "from tentimes18.pictures import require_matplotlib\n" + "require_matplotlib()\n" * is_asked
    environment = clean_environment({"MPLCONFIGDIR": str(tmp_path / "file" / "matplotlib")})
    done = finished((sys.executable, "-c", f"{program}import matplotlib.font_manager"), env=environment)
    assert (done.returncode, done.stderr == b"") == (0, is_asked)
