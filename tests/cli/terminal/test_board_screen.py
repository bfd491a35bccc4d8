"""How a game looks: without colour, in plain letters, in any window."""

import re
from random import Random

import pytest

from tentimes18.cli.terminal.board_screen import Note, View, screen_lines, transcript_lines
from tentimes18.coach.advice import Advice, Move, advise
from tentimes18.coach.losses import Unit
from tentimes18.game import Board, Game
from tentimes18.play.faces import faces_of
from tentimes18.records.notation import Record
from tests.support.command import Run
from tests.support.played import PROMPT, SMALL, rolls_of
from tests.support.terminal import COLOUR, ENTER, RIGHT, Terminal


def test_no_colour_and_no_escapes() -> None:
    arguments = ("play", "--own-dice", "--new", *SMALL)
    with Terminal(*arguments) as terminal:
        terminal.expect("show?")
        terminal.send("6" + ENTER)
        terminal.expect(PROMPT)
        assert COLOUR.search(terminal.written), "where colours are wanted there are some"
    with Terminal(*arguments, NO_COLOR="1") as terminal:
        terminal.expect("show?")
        terminal.send("6" + ENTER)
        terminal.expect(PROMPT)
        terminal.send("1")
        terminal.expect("2 of 4", "show?")
        assert not COLOUR.search(terminal.written)
    with Terminal(*arguments, TERM="dumb") as terminal:
        terminal.expect("show?")
        terminal.send("6\n")
        terminal.expect("slot:")
        terminal.send("4\n")
        terminal.expect("6 in slot 4: best.", "2 of 4", "show?")
        terminal.send("q\n")
        assert terminal.wait() == 0
        assert "\x1b" not in terminal.written


def test_plain_letters_where_there_are_no_others(run: Run) -> None:
    result = run("play", "--own-dice", *SMALL, stdin="6 4 1 1 3 3 3 2", PYTHONIOENCODING="ascii")
    assert (result.code, result.err) == (0, "")
    assert result.out.isascii()
    assert "x4" in result.out
    with Terminal("play", "--seed", "18", "--new", *SMALL, PYTHONIOENCODING="ascii") as terminal:
        assert terminal.expect(PROMPT).isascii()
        terminal.send(RIGHT)
        assert terminal.expect(f">{rolls_of('1d6', '1-4', 18)[0]}").isascii()


def view_of(game: str, cursor: int | None = 2) -> View:
    """A duel in its third round, the coach saying all."""
    dice, slots = game.split()
    board = Board(Game.parse(dice, slots))
    roll = board.game.dice.support[-1]
    board = board.place(roll, 1).place(roll, board.game.size)
    return View(
        record=Record(board, roll, board),
        heading=f"{board.game} · seed 18",
        status=[("round", "3 of 12"), ("score", str(board.score)), ("theirs", "1"), ("expected", "642.3")],
        faces=faces_of(board.game.dice, roll, Random(1)),
        advice=advise(board, roll),
        cursor=cursor,
    )


@pytest.mark.parametrize("game", ["3d6 1-10", "3d6 1-16", "3d6 1-60", "1d20 1,2.5,7/3,9", "d{1,1000000000000} 1-12"])
@pytest.mark.parametrize("height", [24, 60])
@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_every_screen_fits_and_cuts_no_number(game: str, height: int, width: int) -> None:
    view = view_of(game)
    board, roll = view.record.board, view.record.roll
    for lines in (screen_lines(view, [], width, height), transcript_lines(view, width)):
        assert max(len(line.plain.rstrip()) for line in lines) <= width
        shown = "\n".join(line.plain for line in lines)
        for multiplier in board.game.multipliers[:-1]:
            if isinstance(multiplier, int):
                assert re.search(rf"×{multiplier}\b", shown)
        assert f"▸{roll}" in shown
        for name, number in view.status:
            assert re.search(rf"{name}\s+{re.escape(number)}(?!\S)", shown), "whole, in any place"
    if width == 80:
        assert len(screen_lines(view, [], 80, height)) <= (height if board.game.size < 60 else max(height, 26))


def test_tall_tiles_where_they_are_square_and_fit() -> None:
    view = view_of("3d6 1-10")
    heights = [
        sum(line.plain.strip()[:1] in ("│", "╎") for line in screen_lines(view, [], width, height)[7:])
        for width, height in ((120, 40), (120, 18), (80, 40))
    ]
    assert heights == [3, 1, 1]


def test_numbers_have_the_digits_that_there_is_room_for() -> None:
    view = view_of("3d6 1-10", cursor=None)
    best = max(float(move.worth) for move in view.advice.moves) if view.advice else 0.0
    for width, digits in ((40, 1), (80, 1), (120, 2)):
        values = next(line.plain for line in screen_lines(view, [], width, 60) if line.plain.startswith(" value"))
        assert re.search(rf"\d\.\d{{{digits}}}(?!\d)", values)
        assert f"{best:.{digits}f}" in "\n".join(line.plain for line in screen_lines(view, [], width, 60))


def test_people_see_a_minus() -> None:
    view = view_of("1d20-30 -3,1,2,9")
    shown = "\n".join(line.plain for line in screen_lines(view, [], 80, 40)[1:])
    for text in ("−10", "×−3", "▸−10", "−90"):
        assert text in shown
    assert "-" not in shown.replace(str(view.record.board.score), "")


@pytest.mark.parametrize(("width", "height"), [(40, 10), (20, 4), (2, 2), (1, 1)])
def test_in_a_small_window_the_roll_is_last(width: int, height: int) -> None:
    board = Board(Game.classic())
    view = View(Record(board, 17, board), "seed 18", [("round", "1 of 10")], advice=advise(board, 17))
    lines = screen_lines(view, [Note("nearest placed 10 in slot 5.")], width, height)
    assert lines[-1].plain.startswith(" 17"[:width])


@pytest.mark.parametrize(
    ("unit", "values", "losses"),
    [(Unit.points, "0.9 0.9 0.1", "best 0.03 0.8"), (Unit.chance, "90.0% 87.0% 10.0%", "best 3.0? 80.0??")],
)
def test_values_are_shown_in_their_unit(unit: Unit, values: str, losses: str) -> None:
    board = Board(Game.parse("1d6", "1-3"))
    advice = Advice(4, (Move(1, 0.9, 0.0), Move(2, 0.87, 0.03), Move(3, 0.1, 0.8)))
    view = View(Record(board, 4), "seed 18", [], advice=advice, unit=unit)
    rows = {line.plain[:7].strip(): line.plain[7:].split() for line in transcript_lines(view, 80)}
    assert (rows["value"], rows["loss"]) == (values.split(), losses.split())
