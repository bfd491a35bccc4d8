"""What the pictures of the best play show, against the oracle and the exact thresholds."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tentimes18.coach.advice import advise
from tentimes18.game import Board, Game
from tentimes18.pictures.colours import tint
from tentimes18.pictures.plot_moves import plot_first_move, plot_slots, plot_thresholds
from tentimes18.solve.thresholds import exact_thresholds
from tests.oracle import sequences
from tests.oracle.play import best_slots, move_values
from tests.support.drawn import title
from tests.support.games import all_slots, games, law_of

CLASSIC = Game.classic()
Plot = Callable[[Game], Figure]


def framed(figure: Figure) -> set[tuple[int, int]]:
    """Row and column of the cells in frames."""
    frames = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]
    return {
        (round(frame.get_y() + 0.5) + row, round(frame.get_x() + 0.5))
        for frame in frames
        for row in range(round(frame.get_height()))
    }


def test_thresholds_are_the_edges_of_the_cells() -> None:
    axes = plot_thresholds(CLASSIC).axes[0]
    (cells,) = (part for part in axes.collections if isinstance(part, PolyCollection))
    rows = exact_thresholds(CLASSIC.dice, 10)
    expected = []
    for free in range(2, 11):
        edges = [2.5, *rows[free - 2].floats(), 18.5]
        expected += [(free, edges[rank - 1], edges[rank], tint(rank, free)) for rank in range(1, free + 1)]
    colours = np.asarray(cells.get_facecolor())
    for path, colour, (free, low, high, expected_colour) in zip(cells.get_paths(), colours, expected, strict=True):
        assert path.get_extents().extents == pytest.approx([free - 0.5, low, free + 0.5, high])
        assert to_hex(colour) == expected_colour
    assert len(axes.texts) == len(expected)
    assert [label.get_text() for label in axes.get_xticklabels()] == [str(free) for free in range(2, 11)]
    assert axes.get_xlim() == (10.5, 1.5)


def test_many_slots_are_areas_with_named_lines() -> None:
    axes = plot_thresholds(Game.parse("3d6", "1-100")).axes[0]
    assert {"lowest", "highest", "lowest 10", "highest 20"} <= {text.get_text() for text in axes.texts}
    rows = exact_thresholds(CLASSIC.dice, 99)
    lowest = axes.lines[0]
    assert np.asarray(lowest.get_xdata()).tolist() == list(range(2, 101))
    assert np.asarray(lowest.get_ydata()).tolist() == pytest.approx([row.floats()[0] for row in rows])
    shades = axes.images[0].get_array()
    assert shades is not None
    assert (shades[0] == 0).all()
    assert (shades[-1] == 1).all()


@settings(max_examples=15)
@given(games())
def test_first_moves_against_the_oracle(game: Game) -> None:
    figure = plot_first_move(game)
    law, free = law_of(game.dice), all_slots(game)
    shown = figure.axes[0].images[0].get_array()
    assert shown is not None
    best = [best_slots(law, game.multipliers, free, roll) for roll in game.dice.support]
    assert framed(figure) == {(row, slot - 1) for row, slots in enumerate(best) for slot in slots}
    for row, roll in enumerate(game.dice.support):
        values = move_values(law, game.multipliers, free, roll)
        losses = [float(max(values.values()) - value) for value in values.values()]
        assert list(shown[row]) == pytest.approx(losses, abs=1e-12)
    never = [label.get_text() for label in figure.axes[0].get_xticklabels() if "never" in label.get_text()]
    assert [int(name.split()[0]) for name in never] == sorted(free - {slot for slots in best for slot in slots})


def test_numbers_of_the_first_move() -> None:
    axes = plot_first_move(CLASSIC).axes[0]
    seen = {tuple(map(round, text.get_position())): text.get_text() for text in axes.texts}
    assert len(seen) == 160
    for row, roll in enumerate(CLASSIC.dice.support):
        for move in advise(Board(CLASSIC), roll).moves:
            assert float(seen[move.slot - 1, row]) == pytest.approx(
                float(move.loss), abs=0.5 if move.loss > 9 else 0.05
            )
    assert seen[2, 6] == "0.03"  # the paper's closest call of the first move: 9 into slot 3 loses 0.03455
    assert [label.get_text() for label in axes.get_yticklabels()] == [str(roll) for roll in range(3, 19)]


@pytest.mark.parametrize("plot", [plot_first_move, plot_slots])
@pytest.mark.parametrize(("dice", "slots", "has_scale"), [("3d6", "1-10", False), ("1d100", "1-20", True)])
def test_colours_have_a_scale_where_cells_have_no_number(plot: Plot, dice: str, slots: str, has_scale: bool) -> None:
    figure = plot(Game.parse(dice, slots))
    cells, *scales = figure.axes
    assert (len(scales), bool(cells.texts)) == (has_scale, not has_scale)
    for scale in scales:
        shown = cells.images[0].get_array()
        assert shown is not None
        assert scale.get_ylim() == pytest.approx((0, shown.max()))
        assert [text.get_text() for text in scale.texts] == ["points lost" if plot is plot_first_move else "share"]
        assert cells.get_window_extent().x1 < scale.get_window_extent().x0
        figure.draw_without_rendering()
        boxes = [label.get_window_extent() for label in scale.get_yticklabels() if label.get_text()]
        assert len(boxes) >= 4
        assert all(box.x1 <= figure.get_window_extent().x1 for box in boxes)
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_slots_against_all_sequences_of_rolls() -> None:
    game = Game.parse("d{1,2,2,4}", "1,3,5")
    law = law_of(game.dice)

    def choose(free: frozenset[int], _: object, roll: int) -> int:
        return best_slots(law, game.multipliers, free, roll)[0]

    expected = sequences.slot_laws(law, game.multipliers, choose)
    axes = plot_slots(game).axes[0]
    shown = axes.images[0].get_array()
    assert shown is not None
    for row, roll in enumerate(game.dice.support):
        assert list(shown[row]) == pytest.approx([float(of_slot.get(roll, 0)) for of_slot in expected])
    means = [float(sum(roll * share for roll, share in of_slot.items())) for of_slot in expected]
    (marks,) = axes.lines
    places = [np.interp(mean, game.dice.support, range(3)) for mean in means]
    assert np.asarray(marks.get_ydata()).tolist() == pytest.approx(places)
    named = [text.get_text() for text in axes.texts][-4:]
    assert named == ["mean", *(f"{mean:.1f}" for mean in means)]


@pytest.mark.parametrize(
    ("plot", "dice", "slots", "says"),
    [
        (plot_thresholds, "3d6", "1-10", "The highest slot waits for 15 or more; at the end, 11 will do"),
        (plot_thresholds, "3d6", "1-200", "The highest slot waits for 18; at the end, 11 will do"),
        (plot_thresholds, "d{1,2}", "1-3", "The highest slot waits for 2, from first to last"),
        (plot_thresholds, "2d6", "1,5", "The highest slot waits for 8 or more, from first to last"),
        (plot_thresholds, "d{5}", "1-3", "One roll only: every free slot is as good as any other"),
        (plot_thresholds, "3d6", "7", "One slot takes every roll"),
        (plot_first_move, "3d6", "1-10", "The first roll never belongs in slot 3 or 8"),
        (plot_first_move, "3d6", "1-5", "Every slot is the best one for some first roll"),
        (plot_first_move, "1d3", "1-4", "Every slot is the best one for some first roll"),  # slot 3 by a tie only
        (plot_first_move, "d{1,2}", "1,1,2,2", "Every slot is the best one for some first roll"),
        (plot_first_move, "d{1,2}", "1-5", "The first roll never belongs in slot 2, 3 or 4"),
        (plot_first_move, "3d6", "1-200", "The first roll belongs in 16 of the 200 slots, never in the other 184"),
        (plot_first_move, "d{5}", "1-3", "One roll only: every slot is as good as any other"),
        (plot_first_move, "3d6", "7", "One slot takes every roll"),
        (plot_slots, "3d6", "1-10", "Slot 1 ends up with 6.7 on average, slot 10 with 14.3"),
        (plot_slots, "d{5}", "1-3", "One roll only: every slot ends up with it"),
        (plot_slots, "3d6", "7", "One slot takes every roll"),
    ],
)
def test_messages(plot: Plot, dice: str, slots: str, says: str) -> None:
    assert title(plot(Game.parse(dice, slots))) == says
