"""The picture of a played game, read cell by cell."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.coach.summary import summarise
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, slots_of
from tentimes18.number_format import points
from tentimes18.pictures.colours import LOSS, LUCK, RIVAL, SUNK, WHITE, tint
from tentimes18.pictures.plot_games import plot_course, plot_game, plot_progress
from tentimes18.records.notation import Record, parse_moves, parse_record
from tentimes18.simulate.players import played_boards
from tentimes18.simulate.run import Run
from tests.oracle.play import move_values, value
from tests.support.drawn import bars, places, title
from tests.support.games import all_slots, games, law_of
from tests.support.played import summary_of
from tests.support.records import records
from tools.pictures import GAME

CLASSIC = Game.classic()


def texts_by_place(figure: Figure) -> dict[tuple[float, float], str]:
    return {
        (round(float(x), 2), round(float(y), 2)): text.get_text()
        for text in figure.axes[0].texts
        for x, y in [text.get_position()]
        if text.get_text()
    }


def coloured(figure: Figure) -> dict[tuple[int, int], str]:
    """The colour of each cell, by row and column."""
    cells = (patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle))
    return {(round(cell.get_y()), round(cell.get_x())): to_hex(cell.get_facecolor()) for cell in cells}


def test_the_game_of_the_paper() -> None:
    """The first roll is 8 and goes to slot 5, for 40; the second is 4, in slot 1, and makes 44; in the end 698."""
    figure = plot_game(Board.replay(CLASSIC, parse_moves(GAME)))
    seen = texts_by_place(figure)
    assert (seen[4.5, 0.5], seen[11.5, 0.5], seen[13.0, 0.5]) == ("8", "40", "40")
    assert (seen[0.5, 1.5], seen[11.5, 1.5], seen[13.0, 1.5]) == ("4", "4", "44")
    assert (seen[13.0, 9.5], seen[13.0, 10.75]) == ("698", "698")
    assert title(figure) == "698 points, 56 more than the best play makes on average"
    assert "in the best order these rolls make 715" in figure.texts[1].get_text()


@settings(max_examples=15)
@given(games(), st.data())
def test_every_cell(game: Game, data: st.DataObject) -> None:
    board = Board(game)
    for _ in range(data.draw(st.integers(0, game.size))):
        roll = data.draw(st.sampled_from(game.dice.support))
        board = board.place(roll, data.draw(st.sampled_from(board.free_slots)))
    figure = plot_game(board)
    seen, colours = texts_by_place(figure), coloured(figure)
    law, n = law_of(game.dice), game.size
    now, lost = Board(game), Fraction(0)
    for row in range(n):
        if row >= board.rounds:
            assert {colours[row, column] for column in range(n)} == {"#ffffff"}
            assert not any(y == row + 0.5 for _, y in seen)
            continue
        roll, slot = board.placements[row]
        values = move_values(law, game.multipliers, frozenset(slots_of(now.free)), roll)
        loss = max(values.values()) - values[slot]
        lost += loss
        now = now.place(roll, slot)
        assert seen[-0.8, row + 0.5] == str(roll)
        assert seen[n + 1.5, row + 0.5] == points(Fraction(game.multipliers[slot - 1] * roll))
        assert seen[n + 3.0, row + 0.5] == points(Fraction(now.score))
        assert ((n + 4.5, row + 0.5) in seen) == (loss > 0)
        for column in range(n):
            standing = now[column + 1]
            assert seen.get((column + 0.5, row + 0.5)) == (None if standing is None else str(standing))
            expected = tint(slot, n) if column + 1 == slot else WHITE if standing is None else SUNK
            assert colours[row, column] == expected
    assert seen[n + 3.0, n + 0.75] == points(Fraction(board.score))
    for roll, slot in board.placements:
        assert seen[slot - 0.5, n + 0.75] == points(Fraction(game.multipliers[slot - 1] * roll))
    assert ((n + 4.5, n + 0.75) in seen) == (lost > 0)
    if board.free:
        to_come = value(law, game.multipliers, frozenset(board.free_slots))
        assert title(figure).endswith(f"; the best play leads to {points(board.score + to_come)} on average")
    else:
        above = board.score - value(law, game.multipliers, all_slots(game))
        assert ("more than" in title(figure), "less than" in title(figure)) == (above > 0, above < 0)


SMALL = Game.parse("1d6", "1-3")
PAPER = review(parse_record(f"3d6 1-10: {GAME}"))


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


@settings(max_examples=15)
@given(records())
def test_course_of_any_game(record: Record) -> None:
    """The bars lead from the value of the game to where it ended."""
    reviewed = review(record)
    figure = plot_course(reviewed)
    heights = [height for colour in (LUCK, LOSS, RIVAL) for _, _, height in bars(figure, colour)]
    assert float(reviewed.start) + sum(heights) == pytest.approx(float(reviewed.end), abs=1e-9)


def test_course_of_a_duel() -> None:
    record = parse_record("1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@1 5@3")
    figure = plot_course(review(record, aim_named(SMALL, "duel")))
    assert bars(figure, RIVAL)
    assert "given by the opponent" in [text.get_text() for text in figure.axes[0].texts]
    assert title(figure).startswith("From 50.0% to 100.0%")


def test_progress() -> None:
    """First random, then optimal: better; the other way round: worse; random alone: no clear change."""
    random, optimal = (
        [Record(board) for board in played_boards(Run(CLASSIC, (name,), 18), 0, 60)] for name in ("random", "optimal")
    )
    for several, word in ((random + optimal, "Better"), (optimal + random, "Worse"), (random, "No clear change")):
        summary = summarise(several)
        figure = plot_progress(summary)
        assert title(figure).startswith(f"{word}: a choice lost ")
        skills = [part.skill for part in summary.progress]
        assert [loss for _, loss in places(figure.axes[0].lines[0])] == pytest.approx(skills)
    with pytest.raises(Ten18Error, match=r"^games: progress takes at least two games"):
        plot_progress(summarise(random[:1]))


def test_progress_by_a_chance_is_in_percent() -> None:
    games = [Record(board) for board in played_boards(Run(SMALL, ("random",), 18), 0, 40)]
    found = summarise(games, aim_named(SMALL, "target:30"))
    progress = plot_progress(found)
    assert title(progress).count("%") == 2
    assert found.skill is not None
    assert places(progress.axes[0].lines[1])[0][1] == pytest.approx(100 * found.skill)


def test_nothing_leaves_the_picture() -> None:
    for figure in (plot_course(PAPER), plot_progress(summary_of("random", 60))):
        box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert (box.x1 <= width, box.y1 <= height) == (True, True)
