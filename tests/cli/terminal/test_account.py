"""A sum is whole in any window: side by side where there is room, else below each other."""

import io

import pytest
from rich.console import Console

from tentimes18.cli.terminal.review_page import Account, Amount

SUM = Account(
    (
        Amount("", "score", "698"),
        Amount("=", "value of the game", "642.24"),
        Amount("+", "luck", "60.67"),
        Amount("−", "loss", "4.91"),
    )
)


def shown(width: int) -> list[str]:
    screen = Console(file=io.StringIO(), width=width, highlight=False, color_system=None)
    screen.print(SUM)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue().splitlines()


def test_side_by_side() -> None:
    assert shown(80) == [
        "   score   value of the game    luck   loss",
        "     698 =            642.24 + 60.67 − 4.91",
    ]


def test_below_each_other() -> None:
    assert shown(40) == [
        "   score                 698",
        " = value of the game  642.24",
        " + luck                60.67",
        " − loss                 4.91",
    ]


@pytest.mark.parametrize("width", range(28, 60))
def test_no_number_is_cut(width: int) -> None:
    text = "\n".join(shown(width))
    assert "…" not in text
    for part in SUM.parts:
        assert part.number in text
        assert part.name in text
