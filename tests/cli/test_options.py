"""Options that several commands share: how their text becomes a board, a free set, a file."""

from pathlib import Path

import pytest

from tentimes18.cli.options import read_board, read_free, verify_output
from tentimes18.errors import Ten18Error
from tentimes18.game import Game, mask_of

CLASSIC = Game.classic()


@pytest.mark.parametrize(
    ("text", "slots"),
    [("1,4,7", [1, 4, 7]), (" 7 , 1 - 3 ", [1, 2, 3, 7]), ("10-8", [8, 9, 10]), ("5", [5]), (None, range(1, 11))],
)
def test_free(text: str | None, slots: list[int]) -> None:
    assert read_free(CLASSIC, text) == mask_of(slots)


@pytest.mark.parametrize(
    ("text", "problem", "given"),
    [
        ("x", "cannot read 'x'; accepted: slots like 1,4,7 or 1-3,7", "x"),
        ("1,", "cannot read ''; accepted: slots like 1,4,7 or 1-3,7", "1,"),
        ("1-11", "there is no slot 11; slots are 1 to 10", "1-11"),
        ("11", "there is no slot 11; slots are 1 to 10", None),
        ("1,1", "slot 1 is named twice", None),
    ],
)
def test_bad_free(text: str, problem: str, given: str | None) -> None:
    with pytest.raises(Ten18Error) as refused:
        read_free(CLASSIC, text, "opponent_free")
    assert (refused.value.problem, refused.value.field, refused.value.given) == (problem, "opponent_free", given)


def test_board() -> None:
    board = read_board(CLASSIC, "8@5 4@1")
    assert (board.score, board.rounds) == (44, 2)
    assert read_board(CLASSIC, "").rounds == 0


@pytest.mark.parametrize(
    ("moves", "given"), [("8@5 4@5", "8@5 4@5"), ("8@11", "8@11"), ("2@5", "2@5"), ("nonsense", None)]
)
def test_bad_board(moves: str, given: str | None) -> None:
    """A move that is not legal is shown among the others; what cannot be read is in the problem."""
    with pytest.raises(Ten18Error) as refused:
        read_board(CLASSIC, moves, "opponent")
    assert (refused.value.field, refused.value.given) == ("opponent", given)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("x.png", None),
        ("X.PNG", None),
        ("x.jpg", "cannot write 'x.jpg'; accepted endings: .png, .svg"),
        ("nowhere/x.png", "there is no folder"),
        ("folder.png", "is a folder; give a file"),
    ],
)
def test_output(tmp_path: Path, name: str, problem: str | None) -> None:
    (tmp_path / "folder.png").mkdir()
    if problem is None:
        verify_output(tmp_path / name, (".png", ".svg"), "save")
        return
    with pytest.raises(Ten18Error) as refused:
        verify_output(tmp_path / name, (".png", ".svg"), "save")
    assert refused.value.field == "save"
    assert problem in refused.value.problem
