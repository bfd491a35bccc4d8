"""Boards as text and as pictures, for the render modes of the environments."""

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from tentimes18.errors import Ten18Error
from tentimes18.game import Board
from tentimes18.number_format import shown_number, shown_roll, times

MAX_BAR = 24
FILLED, WAITING = "█", "░"


def draw_frame(mode: str | None, board: Board, roll: int | None = None) -> str | NDArray[np.uint8]:
    """The board as text (`ansi`) or as a picture (`rgb_array`); ``roll`` is the one to place."""
    return board_text(board, roll) if mode == "ansi" else np.asarray(_pictures().draw_board(board, roll))


def draw_duel_frame(mode: str | None, boards: tuple[Board, Board], roll: int | None, names: tuple[str, str]) -> object:
    if mode == "rgb_array":
        return np.asarray(_pictures().draw_duel(boards, roll))
    left, right = ([name, *board_text(board, roll).splitlines()] for name, board in zip(names, boards, strict=True))
    width = max(map(len, left)) + 4
    return "\n".join(f"{line:<{width}}{other}" for line, other in zip(left, right, strict=True))


def _pictures() -> ModuleType:
    try:
        from tentimes18.pictures import board
    except ImportError:
        raise Ten18Error("pictures of boards need Pillow: pip install 'tentimes18[rl]'", "render_mode") from None
    return board


def board_text(board: Board, roll: int | None = None) -> str:
    """A heading, then a line per slot: a bar as long as its roll, or in a free slot the roll to place."""
    game = board.game
    greatest = max(map(abs, game.dice.support)) or 1
    columns = min(greatest, MAX_BAR)
    width = max(len(times(multiplier)) for multiplier in game.multipliers)
    round_ = f"round {min(board.rounds + 1, game.size)} of {game.size}"
    heading = [str(game), round_, f"score {shown_number(board.score)}"]
    if roll is not None:
        heading.append(f"roll {shown_roll(roll)}")
    lines = ["  ".join(heading)]
    for slot, multiplier in enumerate(game.multipliers, start=1):
        placed = board[slot]
        shown = roll if placed is None else placed
        length = max(1, round(abs(shown) / greatest * columns)) if shown else 0
        bar = (WAITING if placed is None else FILLED) * length
        line = f"{times(multiplier):>{width}} │{bar:<{columns}}│"
        if placed is not None:
            line += f" {shown_roll(placed)} = {shown_number(multiplier * placed)}"
        lines.append(line)
    return "\n".join(lines)
