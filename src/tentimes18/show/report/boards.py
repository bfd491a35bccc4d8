"""Two boards back to back, with the score as area: a block is as long as its roll and as thick as its multiplier."""

from typing import Final

from tentimes18.game import Board, Game
from tentimes18.number_format import shown_score, times
from tentimes18.show.report.page import text

__all__ = ["MOST_SLOTS", "boards"]

MOST_SLOTS: Final = 20  # of a board that is drawn
THINNEST: Final = 0.06  # of the thickest block
SHORTEST: Final = 0.04  # of the longest
ROOM: Final = 0.42, 0.3  # the thickness and the length that have room for a number
BEHIND: Final = 0.75  # the length that leaves room for it behind


def boards(caption: str, yours: tuple[str, Board], theirs: tuple[str, Board], kind: str) -> str:
    """Two boards of one game, each with its name; the kind says whose the right one is: `optimal` or `rival`.

    >>> board = Board(Game.parse("1d6", "1,2")).place(4, 1).place(6, 2)
    >>> boards("You and optimal", ("You", board), ("optimal", board), "optimal").count("<li")
    2
    """
    (name, own), (other_name, other) = yours, theirs
    rows = "".join(_row(own, other, slot) for slot in range(1, own.game.size + 1))
    totals = (
        f'<p class="totals"><span>{text(name)} <b>{text(shown_score(own.score))}</b></span>'
        f"<span>{text(other_name)} <b>{text(shown_score(other.score))}</b></span></p>"
    )
    return f'<div class="card boards {kind}"><h3>{text(caption)}</h3>{totals}<ol class="duo">{rows}</ol></div>'


def _row(own: Board, other: Board, slot: int) -> str:
    multiplier = own.game.multipliers[slot - 1]
    most = max(abs(float(found)) for found in own.game.multipliers) or 1.0
    thick = max(THINNEST, abs(float(multiplier)) / most)
    return (
        f'<li style="--m: {thick:.3f}">{_half(own, slot, thick, "left")}'
        f'<span class="mult">{text(times(multiplier))}</span>{_half(other, slot, thick, "right")}</li>'
    )


def _half(board: Board, slot: int, thick: float, side: str) -> str:
    roll = board[slot]
    if roll is None:
        return f'<div class="half {side}"><span class="trough"></span><span class="points">–</span></div>'
    gained = shown_score(board.game.multipliers[slot - 1] * roll)
    length = _length(board.game, roll)
    thickness, shortest = ROOM
    is_inside = thick >= thickness and length >= shortest
    number = f"<b{'' if length <= BEHIND else ' class=tucked'}>{text(roll)}</b>"
    block = f'<span class="block" style="--r: {length:.3f}">{text(roll) if is_inside else ""}</span>'
    return (
        f'<div class="half {side}"><span class="trough">{block}{"" if is_inside else number}</span>'
        f'<span class="points">{text(gained)}</span></div>'
    )


def _length(game: Game, roll: int) -> float:
    longest = max(abs(found) for found in game.dice.support) or 1
    return max(SHORTEST, abs(roll) / longest)
