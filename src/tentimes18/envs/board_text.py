"""A board as lines of text: a bar as long as its roll in every filled slot, and the waiting roll in the free ones."""

from typing import Final

from tentimes18.game import Board
from tentimes18.number_format import shown_number, shown_roll, times

__all__ = ["board_text"]

LONGEST: Final = 24  # of a bar
FILLED: Final = "█"
WAITING: Final = "░"


def board_text(board: Board, roll: int | None = None) -> str:
    """The board with a heading, a line a slot; ``roll`` is the one that waits to be placed.

    >>> from tentimes18.game import Game
    >>> print(board_text(Board(Game.parse("1d6", "1-3")).place(5, 3), 2))
    1d6 1-3  round 2 of 3  score 15  roll 2
    ×1 │░░    │
    ×2 │░░    │
    ×3 │█████ │ 5 = 15
    """
    game = board.game
    greatest = max(abs(found) for found in game.dice.support) or 1
    columns = min(greatest, LONGEST)
    rolls = {placement.slot: placement.roll for placement in board.placements}
    names = [times(multiplier) for multiplier in game.multipliers]
    wide = max(map(len, names))
    round_ = f"round {min(board.rounds + 1, game.size)} of {game.size}"
    told = [str(game), round_, f"score {shown_number(board.score)}"]
    if roll is not None:
        told.append(f"roll {shown_roll(roll)}")
    lines = ["  ".join(told)]
    for slot, (name, multiplier) in enumerate(zip(names, game.multipliers, strict=True), start=1):
        shown = rolls.get(slot, roll)
        length = 0 if not shown else max(1, round(abs(shown) / greatest * columns))
        bar = (FILLED if slot in rolls else WAITING) * length
        line = f"{name:>{wide}} │{bar:<{columns}}│"
        if slot in rolls:
            line += f" {shown_roll(rolls[slot])} = {shown_number(multiplier * rolls[slot])}"
        lines.append(line)
    return "\n".join(lines)
